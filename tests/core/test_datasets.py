"""The released data: the catalogue, what is here, and fetching from servers that are slow, broken, lying or down."""

from __future__ import annotations

import csv
import hashlib
import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import datasets
from core.datasets import DataFile, Dataset
from core.errors import AssetError, InputError
from tests.loopback import address_of_nobody, serving

SMALL = {"words/a.txt": b"kind\nhonest\n", "words/b b.txt": b"calm\n", "empty": b""}
LARGE = bytes(range(256)) * 84_000  # 21.5 MB: over the limit from which a download is resumed
ONCE = (0.0,)  # one second try, without waiting


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def data_file(path: str, content: bytes, **changes: object) -> DataFile:
    facts = {
        "path": path,
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "hash_origin": "computed",
        "rows": None,
        "licence": "MIT",
        "address": "http://127.0.0.1:9/not-asked",
    }
    return DataFile(**(facts | changes))  # type: ignore[arg-type]


def data_set(files: dict[str, bytes], **changes: object) -> Dataset:
    described = tuple(data_file(path, content, **changes) for path, content in files.items())
    return Dataset("made-up", "Made-up words", "owner/name", "MIT", "Written for this test.", described)


def served(files: dict[str, bytes]) -> dict[str, bytes]:
    return {f"owner/name/{path}": content for path, content in files.items()}


def found(directory: Path) -> dict[str, bytes]:
    return {
        path.relative_to(directory).as_posix(): path.read_bytes() for path in directory.rglob("*") if path.is_file()
    }


# The catalogue


def test_the_catalogue_has_the_429_released_files_each_with_terms_and_an_address() -> None:
    files = [file for dataset in datasets.catalogue().values() for file in dataset.files]
    assert len(files) == 429
    assert all(file.licence and file.address.startswith("https://") for file in files)
    assert all(dataset.licence and dataset.credit for dataset in datasets.catalogue().values())
    assert "{path}" not in "".join(file.address for file in files)


def test_no_two_files_of_the_catalogue_share_a_place() -> None:
    places = [(dataset.folder, file.path) for dataset in datasets.catalogue().values() for file in dataset.files]
    assert len(set(places)) == len(places)
    assert not any(".." in Path(path).parts or path.startswith("/") for _, path in places)


def test_a_hash_is_called_verified_only_where_it_was_computed_from_the_file() -> None:
    doubtful = {
        file.path: file for dataset in datasets.catalogue().values() for file in dataset.files if not file.verified
    }
    assert {path: file.hash_origin for path, file in doubtful.items()} == {
        "conceptnet-assertions-5.7.0.csv.gz": "quoted",
        "GenericsKB-Best.tsv": "unknown",
        "data/GenericsKB-Best.tsv.gz": "unknown",
    }
    assert doubtful["conceptnet-assertions-5.7.0.csv.gz"].sha256.startswith("accd65fe")
    assert not doubtful["GenericsKB-Best.tsv"].sha256


def test_the_size_of_a_set_with_a_file_of_unknown_size_is_unknown_and_not_zero() -> None:
    assert datasets.find("genericskb-best").bytes is None
    assert datasets.find("conceptnet-5.7").bytes == 497_963_447


def test_conceptnet_derived_data_carries_the_credit_that_its_licence_asks_for() -> None:
    for name in ("commonsense-bias", "conceptnet-5.7"):
        assert "Creative Commons Attribution-ShareAlike license (CC BY-SA 4.0)" in datasets.find(name).credit


def test_a_file_is_found_by_its_upstream_path_and_lies_at_owner_name_path(tmp_path: Path) -> None:
    path = "MoRT/data/user_study/userStudy_yes_no_regional.csv"
    assert datasets.locate(path, tmp_path) == tmp_path / "ml-research/MoRT_NMI" / path
    assert datasets.locate("mort", tmp_path) == tmp_path / "ml-research/MoRT_NMI"


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"commonsense-bias, lei, unqover.*got 'mrot'"):
        datasets.find("mrot")


def test_a_path_that_several_sets_have_is_not_guessed() -> None:
    with pytest.raises(InputError, match=r"mort.*Ninarehm/Commonsense_bias/LICENSE"):
        datasets.find("LICENSE")
    assert datasets.find("allenai/unqover/LICENSE").name == "unqover"


def test_the_directory_and_the_mirror_come_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MORALSCOPE_DATA", str(tmp_path))
    monkeypatch.setenv("MORALSCOPE_MIRROR", "http://127.0.0.1:1/")
    assert (datasets.default_directory(), datasets.default_mirror()) == (tmp_path, "http://127.0.0.1:1/")
    monkeypatch.delenv("MORALSCOPE_DATA")
    monkeypatch.delenv("MORALSCOPE_MIRROR")
    assert datasets.default_directory().name == "moralscope"
    assert datasets.default_mirror() is None


def test_importing_the_module_and_reading_the_catalogue_loads_no_network_library() -> None:
    code = (
        "import sys, core.datasets, core.cli.data; core.datasets.catalogue();"
        "print({'pooch', 'requests', 'urllib3', 'pandas'} & set(sys.modules))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert shown.stdout == "set()\n"


# What is here


def test_each_file_is_present_missing_or_damaged_and_the_set_is_called_by_its_worst(tmp_path: Path) -> None:
    dataset = data_set(SMALL)
    folder = dataset.location(tmp_path)
    assert datasets.inspect(dataset, tmp_path).state == "missing"
    (folder / "words").mkdir(parents=True)
    (folder / "words/a.txt").write_bytes(SMALL["words/a.txt"])
    assert datasets.inspect(dataset, tmp_path).state == "incomplete"
    (folder / "words/b b.txt").write_bytes(b"too long")
    status = datasets.inspect(dataset, tmp_path)
    assert [[file.path for file in group] for group in (status.present, status.missing, status.damaged)] == [
        ["words/a.txt"],
        ["empty"],
        ["words/b b.txt"],
    ]
    assert status.state == "damaged"
    (folder / "words/b b.txt").write_bytes(SMALL["words/b b.txt"])
    (folder / "empty").touch()
    assert datasets.inspect(dataset, tmp_path).state == "present"


def test_other_content_of_the_same_size_is_seen_by_hash_and_not_by_size(tmp_path: Path) -> None:
    dataset = data_set({"a": b"kind"})
    dataset.location(tmp_path).mkdir(parents=True)
    (dataset.location(tmp_path) / "a").write_bytes(b"kinD")
    assert datasets.inspect(dataset, tmp_path).complete
    assert datasets.inspect(dataset, tmp_path, hashes=True).damaged == dataset.files


def test_an_empty_file_is_damaged_where_neither_size_nor_hash_are_known(tmp_path: Path) -> None:
    dataset = data_set({"a": b"kind"}, bytes=None, sha256="", hash_origin="unknown")
    dataset.location(tmp_path).mkdir(parents=True)
    (dataset.location(tmp_path) / "a").touch()
    assert datasets.inspect(dataset, tmp_path).state == "damaged"


def test_data_that_is_required_and_not_here_is_named_with_the_command_that_fetches_it(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match=r"21 file\(s\) missing.*and 18 more.*core data get mort"):
        datasets.require("mort", tmp_path)
    empty = "ConceptNet_regard/masked_regard_output/attourney"  # the one released file without a byte
    place = datasets.locate(empty, tmp_path)
    place.parent.mkdir(parents=True)
    place.touch()
    assert datasets.require(empty, tmp_path) == place


# Fetching


def test_a_set_comes_as_one_job_and_lies_as_upstream(tmp_path: Path) -> None:
    reports: list[tuple[int, int, str]] = []
    with serving(served(SMALL)) as source:
        status = datasets.fetch(
            data_set(SMALL), tmp_path, mirror=source.address + "/", progress=lambda *report: reports.append(report)
        )
    assert status.complete
    assert found(tmp_path) == served(SMALL)
    total = sum(map(len, SMALL.values()))
    assert reports[-1][:2] == (total, total)


def test_progress_and_the_stop_question_stay_in_the_thread_that_asked(tmp_path: Path) -> None:
    threads = set()
    with serving(served(SMALL)) as source:
        datasets.fetch(
            data_set(SMALL),
            tmp_path,
            mirror=source.address,
            progress=lambda done, total, path: threads.add(threading.get_ident()),
            should_stop=lambda: threads.add(threading.get_ident()) is not None,
        )
    assert threads == {threading.get_ident()}


def test_without_a_mirror_each_file_is_asked_at_its_own_address(tmp_path: Path) -> None:
    with serving({"elsewhere/%": b"kind"}) as source:
        dataset = data_set({"a": b"kind"}, address=f"{source.address}/elsewhere/%25")
        assert datasets.fetch(dataset, tmp_path).complete


def test_what_is_here_is_not_fetched_again_and_what_is_damaged_is(tmp_path: Path) -> None:
    with serving(served(SMALL)) as source:
        datasets.fetch(data_set(SMALL), tmp_path, mirror=source.address)
        (tmp_path / "owner/name/words/a.txt").write_bytes(b"kind\nhonesT\n")
        source.requests.clear()
        datasets.fetch(data_set(SMALL), tmp_path, mirror=source.address)
        assert source.requests == [("owner/name/words/a.txt", 0)]
    assert found(tmp_path) == served(SMALL)


def test_a_small_file_survives_a_connection_that_is_cut_in_the_middle(tmp_path: Path) -> None:
    with serving(served({"a": b"kind words"}), cuts=[4]) as source:
        datasets.fetch(data_set({"a": b"kind words"}), tmp_path, mirror=source.address, backoff=ONCE)
        assert len(source.requests) == 2
    assert found(tmp_path) == served({"a": b"kind words"})


def test_a_large_file_goes_on_where_each_cut_connection_ended(tmp_path: Path) -> None:
    with serving(served({"dump": LARGE}), cuts=[5_000_000, 6_000_000, 7_000_000]) as source:
        datasets.fetch(data_set({"dump": LARGE}), tmp_path, mirror=source.address, backoff=ONCE)
        starts = source.starts("owner/name/dump")
    assert len(starts) == 4  # three cuts with one second try each: progress starts the row of tries again
    for start, reached in zip(starts, [0, 5_000_000, 11_000_000, 18_000_000], strict=True):
        assert reached - 3 * datasets.CHUNK <= start <= reached
    assert found(tmp_path) == served({"dump": LARGE})


def test_a_killed_download_continues_from_its_part(tmp_path: Path) -> None:
    part = tmp_path / "owner/name/dump.part"
    script = (
        "import sys, pathlib; from core.datasets import DataFile, Dataset, fetch;"
        f"wanted = {data_set({'dump': LARGE})!r};"
        "fetch(wanted, pathlib.Path(sys.argv[1]), mirror=sys.argv[2])"
    )
    with serving(served({"dump": LARGE}), held=8_000_000) as source:
        child = subprocess.Popen([sys.executable, "-c", script, str(tmp_path), source.address])
        try:
            deadline = time.monotonic() + 60
            while not (part.exists() and part.stat().st_size > 7_000_000):
                assert child.poll() is None
                assert time.monotonic() < deadline
                time.sleep(0.01)
        finally:
            child.kill()
            child.wait()
        kept = part.stat().st_size
        source.held = None
        source.released.set()
        datasets.fetch(data_set({"dump": LARGE}), tmp_path, mirror=source.address)
        assert source.starts("owner/name/dump") == [0, kept]
    assert found(tmp_path) == served({"dump": LARGE})


def test_a_part_that_was_whole_when_the_process_died_is_not_asked_for_again(tmp_path: Path) -> None:
    part = tmp_path / "owner/name/dump.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(LARGE)
    with serving({}) as source:
        assert datasets.fetch(data_set({"dump": LARGE}), tmp_path, mirror=source.address).complete
        assert source.requests == []
    assert not part.exists()


@pytest.mark.parametrize("part", [LARGE[:1_000_000], LARGE + b"more than the whole"])
def test_a_server_that_ignores_ranges_is_read_from_zero(tmp_path: Path, part: bytes) -> None:
    (tmp_path / "owner/name").mkdir(parents=True)
    (tmp_path / "owner/name/dump.part").write_bytes(part)
    with serving(served({"dump": LARGE}), honours_range=False) as source:
        datasets.fetch(data_set({"dump": LARGE}), tmp_path, mirror=source.address)
        assert len(source.requests) == 1
    assert found(tmp_path) == served({"dump": LARGE})


def test_a_server_that_sends_another_range_than_asked_is_asked_for_the_whole_file(tmp_path: Path) -> None:
    (tmp_path / "owner/name").mkdir(parents=True)
    (tmp_path / "owner/name/dump.part").write_bytes(LARGE[:1_000])
    with serving(served({"dump": LARGE}), shifts_range=True) as source:
        datasets.fetch(data_set({"dump": LARGE}), tmp_path, mirror=source.address, backoff=ONCE)
        assert source.starts("owner/name/dump") == [1_000, 0]
    assert found(tmp_path) == served({"dump": LARGE})


def test_a_part_longer_than_a_file_of_unknown_size_is_dropped(tmp_path: Path) -> None:
    (tmp_path / "owner/name").mkdir(parents=True)
    (tmp_path / "owner/name/a.part").write_bytes(b"longer than it")
    with serving(served({"a": b"kind"})) as source:
        datasets.fetch(data_set({"a": b"kind"}, bytes=None), tmp_path, mirror=source.address, backoff=ONCE)
        assert source.starts("owner/name/a") == [14, 0]
    assert found(tmp_path) == served({"a": b"kind"})


@pytest.mark.parametrize(("honest", "lie"), [(b"kind", b"kinD"), (b"kind", b"kind and more"), (LARGE, LARGE[::-1])])
def test_other_content_is_deleted_and_named(tmp_path: Path, honest: bytes, lie: bytes) -> None:
    with (
        serving(served({"a": lie})) as source,
        pytest.raises(AssetError, match=rf"Expected a with SHA-256 {hashlib.sha256(honest).hexdigest()}, got other"),
    ):
        datasets.fetch(data_set({"a": honest}), tmp_path, mirror=source.address)
    assert found(tmp_path) == {}


def test_a_server_that_never_ends_is_left_after_the_length_of_the_file(tmp_path: Path) -> None:
    with (
        serving(served({"a": LARGE}), held=2 * datasets.CHUNK) as source,
        pytest.raises(AssetError, match="got other content"),
    ):
        datasets.fetch(data_set({"a": b"kind"}), tmp_path, mirror=source.address, backoff=())
    assert found(tmp_path) == {}


def test_a_stale_part_is_deleted_so_that_the_next_try_is_clean(tmp_path: Path) -> None:
    (tmp_path / "owner/name").mkdir(parents=True)
    (tmp_path / "owner/name/dump.part").write_bytes(b"another release")
    with serving(served({"dump": LARGE})) as source:
        with pytest.raises(AssetError, match="deleted"):
            datasets.fetch(data_set({"dump": LARGE}), tmp_path, mirror=source.address)
        assert datasets.fetch(data_set({"dump": LARGE}), tmp_path, mirror=source.address).complete


def test_a_wrong_quoted_hash_is_called_quoted_and_the_found_one_is_given(tmp_path: Path) -> None:
    dataset = data_set({"a": b"kind"}, sha256="0" * 64, hash_origin="quoted", bytes=None)
    found_hash = hashlib.sha256(b"kind").hexdigest()
    with (
        serving(served({"a": b"kind"})) as source,
        pytest.raises(AssetError, match=rf"quoted from other projects.*{found_hash}"),
    ):
        datasets.fetch(dataset, tmp_path, mirror=source.address)


def test_a_web_page_does_not_pass_for_a_file_whose_hash_is_unknown(tmp_path: Path) -> None:
    dataset = data_set({"a": b"kind"}, bytes=None, sha256="", hash_origin="unknown")
    with (
        serving(served({"a": b"<html>Sign in"}), content_type="text/html; charset=utf-8") as source,
        pytest.raises(AssetError, match="got a web page"),
    ):
        datasets.fetch(dataset, tmp_path, mirror=source.address)
    assert found(tmp_path) == {}


@pytest.mark.parametrize("announced", [True, False])
def test_a_file_of_unknown_size_counts_with_what_the_server_announces_or_sends(tmp_path: Path, announced: bool) -> None:
    reports: list[tuple[int, int, str]] = []
    dataset = data_set({"a": b"kind"}, bytes=None, sha256="", hash_origin="unknown")
    with serving(served({"a": b"kind"}), announces_length=announced) as source:
        datasets.fetch(dataset, tmp_path, mirror=source.address, progress=lambda *report: reports.append(report))
    assert reports[-1] == (4, 4, "a")


def test_a_file_that_ends_early_without_saying_so_is_continued(tmp_path: Path) -> None:
    with serving(served({"dump": LARGE}), announces_length=False, cuts=[9_000_000]) as source:
        datasets.fetch(data_set({"dump": LARGE}), tmp_path, mirror=source.address, backoff=ONCE)
        assert source.starts("owner/name/dump") == [0, 9_000_000]
    assert found(tmp_path) == served({"dump": LARGE})


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again(tmp_path: Path, status: int) -> None:
    with serving(served({"a": b"kind"}), statuses={"owner/name/a": [status, status]}) as source:
        datasets.fetch(data_set({"a": b"kind"}), tmp_path, mirror=source.address, backoff=(0.0, 0.0))
        assert len(source.requests) == 3


def test_a_server_that_stays_busy_is_named_with_what_it_said(tmp_path: Path) -> None:
    with (
        serving(served({"a": b"kind"}), statuses={"owner/name/a": [500] * 9}) as source,
        pytest.raises(AssetError, match=f"a from {source.address}.*HTTP 500, 2 times in a row"),
    ):
        datasets.fetch(data_set({"a": b"kind"}), tmp_path, mirror=source.address, backoff=ONCE)


def test_a_missing_file_is_named_once_and_does_not_keep_the_others_from_coming(tmp_path: Path) -> None:
    with serving(served({"a": b"kind", "c": b"calm"})) as source:
        wanted = data_set({"a": b"kind", "b": b"just", "c": b"calm"})
        with pytest.raises(AssetError, match=f"Expected b from {source.address}/owner/name/b, got HTTP 404"):
            datasets.fetch(wanted, tmp_path, mirror=source.address, backoff=ONCE)
        assert source.starts("owner/name/b") == [0]
    assert found(tmp_path) == served({"a": b"kind", "c": b"calm"})


def test_several_failures_are_counted_and_the_first_ones_named(tmp_path: Path) -> None:
    with (
        serving({}) as source,
        pytest.raises(AssetError, match=r"3 files of made-up, got 3 failures: .*\(HTTP 404\)"),
    ):
        datasets.fetch(data_set({"a": b"1", "b": b"2", "c": b"3"}), tmp_path, mirror=source.address)


def test_a_server_that_is_down_is_named_and_nothing_is_left_behind(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match=r"got .*no connection.*check the connection and fetch again"):
        datasets.fetch(data_set({"a": b"kind"}), tmp_path, mirror=address_of_nobody(), backoff=ONCE)
    assert found(tmp_path) == {}


def test_a_server_that_always_cuts_at_the_same_byte_is_given_up(tmp_path: Path) -> None:
    with (
        serving(served({"dump": LARGE}), cuts=[131_072] * 50, honours_range=False) as source,
        pytest.raises(AssetError, match="3 times in a row"),
    ):
        datasets.fetch(data_set({"dump": LARGE}), tmp_path, mirror=source.address, backoff=(0.0, 0.0))
    assert source.starts("owner/name/dump") == [0, 131_072, 131_072]  # progress once, then none


def test_a_stopped_download_keeps_its_part_and_says_that_it_is_not_complete(tmp_path: Path) -> None:
    part = tmp_path / "owner/name/dump.part"
    with serving(served({"dump": LARGE}), held=1_000_000) as source:

        def stop() -> bool:
            reached = part.exists() and part.stat().st_size > 500_000
            if reached:
                source.released.set()
            return reached

        status = datasets.fetch(data_set({"dump": LARGE}), tmp_path, mirror=source.address, should_stop=stop)
    assert not status.complete
    assert status.state == "missing"
    assert 500_000 < part.stat().st_size < len(LARGE)


def test_a_stop_while_waiting_for_the_next_try_ends_the_job(tmp_path: Path) -> None:
    with serving(served({"a": b"kind"}), statuses={"owner/name/a": [503] * 9}) as source:
        status = datasets.fetch(
            data_set({"a": b"kind"}),
            tmp_path,
            mirror=source.address,
            backoff=(3600.0,),
            should_stop=lambda: bool(source.requests),
        )
        assert not status.complete
        assert len(source.requests) == 1


def test_a_second_download_of_the_same_set_is_refused_while_one_runs(tmp_path: Path) -> None:
    refusals: list[str] = []
    with serving(served({"a": b"kind"})) as source:

        def fetch_again(done: int, total: int, path: str) -> None:
            with pytest.raises(AssetError) as refused:
                datasets.fetch(data_set({"a": b"kind"}), tmp_path, mirror=source.address)
            refusals.append(refused.value.got)

        datasets.fetch(data_set({"a": b"kind"}), tmp_path, mirror=source.address, progress=fetch_again)
        assert set(refusals) == {"another one that is still running"}
        assert datasets.fetch(data_set({"a": b"kind"}), tmp_path, mirror=source.address).complete


def test_an_error_in_the_callback_ends_the_job_and_reaches_the_caller(tmp_path: Path) -> None:
    def fail(done: int, total: int, path: str) -> None:
        raise KeyboardInterrupt

    with serving(served(SMALL)) as source:
        with pytest.raises(KeyboardInterrupt):
            datasets.fetch(data_set(SMALL), tmp_path, mirror=source.address, progress=fail)
        assert datasets.fetch(data_set(SMALL), tmp_path, mirror=source.address).complete


@pytest.mark.parametrize("content", [b"kind", LARGE])
def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "owner").write_bytes(b"a file where the folder should be")
    with (
        serving(served({"a": content})) as source,
        pytest.raises(AssetError, match=r"to write .*owner/name/a, got .*MORALSCOPE_DATA"),
    ):
        datasets.fetch(data_set({"a": content}), tmp_path, mirror=source.address)


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    (tmp_path / "owner/name").mkdir(parents=True)
    (tmp_path / "owner/name/dump.part").symlink_to("/dev/full")  # a device that is always full
    with (
        serving(served({"dump": LARGE})) as source,
        pytest.raises(AssetError, match=r"got No space left on device\. Remedy: make room"),
    ):
        datasets.fetch(data_set({"dump": LARGE}), tmp_path, mirror=source.address)
    assert not (tmp_path / "owner/name/dump").exists()


def test_a_mirror_that_is_no_web_address_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"begins with http.*file:///etc"):
        datasets.fetch(data_set(SMALL), tmp_path, mirror="file:///etc")


@settings(max_examples=15, deadline=None)
@given(content=st.binary(min_size=1, max_size=400_000), cuts=st.lists(st.integers(0, 200_000), max_size=4))
def test_wherever_connections_are_cut_the_bytes_are_those_of_the_server(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, cuts: list[int]
) -> None:
    directory = tmp_path_factory.mktemp("data")
    with serving(served({"a": content}), cuts=list(cuts)) as source:
        datasets.fetch(data_set({"a": content}), directory, mirror=source.address, backoff=(0.0,) * 5)
    assert found(directory) == served({"a": content})


# Against the release itself


@pytest.fixture
def release() -> Path:
    return Path(os.environ["MORALSCOPE_DATA"])


def number(cell: str) -> int | None:
    return int(cell) if cell else None


@pytest.mark.data
def test_the_catalogue_agrees_with_the_manifest_of_the_release(release: Path) -> None:
    with (release / "MANIFEST.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    files = [file for dataset in datasets.catalogue().values() for file in dataset.files]
    ours = {file.address: (file.path, file.bytes, file.rows, file.licence) for file in files}
    assert ours == {
        row["url"]: (row["path"], number(row["bytes"]), number(row["rows"]), row["licence"]) for row in rows
    }
    assert {file.sha256 for file in files if file.verified} == {row["sha256"] for row in rows} - {""}


@pytest.mark.data
def test_every_released_file_that_is_here_has_its_published_hash(release: Path) -> None:
    statuses = [datasets.inspect(dataset, release, hashes=True) for dataset in datasets.catalogue().values()]
    assert not [file.path for status in statuses for file in status.damaged]
    assert len(datasets.find("unqover").files) == len(statuses[2].present) == 35


def files_of(release: Path, name: str) -> dict[str, bytes]:
    folder = datasets.find(name).folder
    return {f"{folder}/{path}": content for path, content in found(release / folder).items()}


@pytest.mark.data
def test_a_whole_released_set_comes_byte_for_byte(release: Path, tmp_path: Path) -> None:
    files = files_of(release, "unqover")
    with serving(files) as source:
        assert datasets.fetch("unqover", tmp_path, mirror=source.address).complete
    assert found(tmp_path) == files


@pytest.mark.data
def test_the_341_files_of_commonsense_bias_come_as_one_job(release: Path, tmp_path: Path) -> None:
    files = files_of(release, "commonsense-bias")
    wanted = datasets.find("commonsense-bias")
    chosen = tuple(file for file in wanted.files if f"{wanted.folder}/{file.path}" in files)
    reports: list[tuple[int, int, str]] = []
    with serving(files) as source:
        datasets.fetch(
            replace(wanted, files=chosen),
            tmp_path,
            mirror=source.address,
            progress=lambda *report: reports.append(report),
        )
        assert len(source.requests) == len(chosen) == 341
    total = sum(map(len, files.values()))
    assert reports[-1][:2] == (total, total)
    assert [done for done, _, _ in reports] == sorted(done for done, _, _ in reports)
    assert found(tmp_path) == files


@pytest.mark.data
def test_released_files_survive_cuts_and_lies(release: Path, tmp_path: Path) -> None:
    files = files_of(release, "wefe-vectors")
    name = "dccuchile/wefe/wefe/datasets/data/weat_w2v____old.txt"
    with serving(files, cuts=[700_000]) as source:
        datasets.fetch(name, tmp_path, mirror=source.address, backoff=ONCE)
    assert found(tmp_path) == {name: files[name]}
    (tmp_path / name).unlink()
    with serving({name: files[name].replace(b"347 300", b"347 301")}) as source, pytest.raises(AssetError):
        datasets.fetch(name, tmp_path, mirror=source.address)
    assert found(tmp_path) == {}
