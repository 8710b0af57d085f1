"""The batch audit: the same bytes whatever happened on the way, nothing classified twice, and every failure in words."""

from __future__ import annotations

import errno
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import InputError
from core.knowledge import audit, workers
from core.knowledge.audit import Progress
from core.knowledge.audited import Manifest, open_audit, read_manifest
from core.knowledge.mitigation import mitigate
from core.knowledge.sources import dumps, large, open_stream
from core.knowledge.sources.stream import Stream
from core.knowledge.workers import HERE, Here, Workers
from tests.auditing import NOTES, PAUSE, LengthClassifier, content, noted, opened

ROOT = Path(__file__).resolve().parents[3]
SIZE = 10


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dump of 90 statements; texts come back in later chunks, and two lines are broken."""
    path = tmp_path_factory.mktemp("dump") / "assertions.csv.gz"
    names = ("teacher", "nurse", "woman", "armenian", "church", "baker")
    lines = [
        f"/a/[/r/IsA/]\t/r/IsA\t/c/en/{name}\t/c/en/{'very_' * (number % 17)}thing/n\t{{}}"
        for number in range(15)
        for name in names
    ]
    lines[30:30], lines[70:70] = ["broken"], ["also\tbroken"]
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0))
    return path


def stream(path: Path) -> Stream:
    found = dumps.read(path)
    assert found is not None
    return found


def run(path: Path, directory: Path, *names: str, **options: Any) -> Manifest:
    return audit.run(stream(path), names or ["a"], directory, **{"size": SIZE, "opening": opened, **options})


@pytest.fixture(scope="module")
def expected(dump: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What an audit gives that nothing interrupts."""
    directory = tmp_path_factory.mktemp("whole") / "audit"
    run(dump, directory)
    return content(directory)


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "notes"
    monkeypatch.setenv(NOTES, str(path))
    return path


def test_an_audit_gives_the_statements_and_labels_of_its_source(dump: Path, tmp_path: Path) -> None:
    done = run(dump, tmp_path / "audit", "a", "long name")
    found = open_audit(tmp_path / "audit")
    (whole,) = stream(dump).chunks(1000)
    frame = found.statements.frame
    assert frame["statement"].tolist() == whole.shown
    assert frame["relation"].tolist() == whole.relations
    assert frame["id"].tolist() == whole.ids
    assert found.statements.codes.tolist() == whole.codes
    assert found.statements.targets == stream(dump).targets
    masked = frame["masked"].tolist()
    assert (frame["statement"][0], masked[0]) == ("teacher is a thing", "this person is a thing")
    assert list(found.labels) == ["a", "long name"]
    for name, labels in found.labels.items():
        assert labels.dtype == np.int8
        assert labels.tolist() == LengthClassifier(name).label(masked).tolist()
    assert (found.name, found.report.rows) == (done.source, done.rows)
    assert read_manifest(tmp_path / "audit") == done
    assert (done.statements, done.texts, done.rows, done.complete) == (90, len(set(masked)), 92, True)
    assert (done.malformed.count, done.malformed.first) == (2, (31, 71))


def test_an_audit_that_is_read_tells_of_every_broken_line_and_lists_the_first(tmp_path: Path) -> None:
    path = tmp_path / "dump.csv"
    path.write_bytes(
        b"/a/[/r/IsA/]\t/r/IsA\t/c/en/teacher\t/c/en/thing/n\t{}\n" + b"broken\n" * 2_345 + b"\xff\n" * 1_234
    )
    run(path, tmp_path / "audit")
    report = open_audit(tmp_path / "audit").report
    assert (report.malformed.count, report.undecodable.count) == (2_345, 1_234)
    assert report.malformed.first == tuple(range(2, 1_002))
    (chunk,) = open_stream(str(tmp_path / "audit")).chunks(10)
    assert (chunk.tally.malformed, chunk.tally.undecodable) == (report.malformed, report.undecodable)


def test_a_finished_directory_holds_parts_and_a_manifest_and_nothing_of_the_machine(
    expected: dict[str, bytes], dump: Path
) -> None:
    assert list(expected) == ["manifest.json", *(f"part-{number:05}.parquet" for number in range(9))]
    record = json.loads(expected["manifest.json"])
    assert record["version"] == 1
    assert str(dump.parent) not in expected["manifest.json"].decode()
    assert {"time", "date", "host", "path"} & set(record) == set()


def test_a_text_is_classified_once_over_all_chunks(dump: Path, tmp_path: Path, notes: Path) -> None:
    done = run(dump, tmp_path / "audit")
    texts = [text for _, text in noted(notes)]
    assert len(texts) == len(set(texts)) == done.texts < done.statements


def test_the_size_of_chunks_does_not_change_labels(dump: Path, tmp_path: Path) -> None:
    run(dump, tmp_path / "one", size=1000)
    run(dump, tmp_path / "many", size=7)
    one, many = open_audit(tmp_path / "one"), open_audit(tmp_path / "many")
    assert one.statements.frame.equals(many.statements.frame)
    assert (one.labels["a"] == many.labels["a"]).all()
    assert one.report == many.report


def test_progress_is_told_after_every_part(dump: Path, tmp_path: Path) -> None:
    told: list[Progress] = []
    run(dump, tmp_path / "audit", progress=told.append)
    assert [step.statements for step in told][:9] == [10, 20, 30, 40, 50, 60, 70, 80, 90]
    assert [step.share for step in told] == sorted(step.share for step in told)
    assert told[-1].share == 1.0


def killed_process(dump: Path, directory: Path, notes: Path, sent: signal.Signals) -> subprocess.Popen[bytes]:
    """An audit in a process of its own that got a signal once three parts were there."""
    command = [sys.executable, "-m", "tests.auditing", str(dump), str(directory), str(SIZE)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), NOTES: str(notes), PAUSE: "0.2"}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    while not (directory / "part-00002.parquet").exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(sent)
    process.wait(30)
    return process


def test_after_sigkill_an_audit_goes_on_to_the_same_bytes_and_classifies_at_most_the_open_chunk_again(
    dump: Path, tmp_path: Path, notes: Path, expected: dict[str, bytes]
) -> None:
    directory = tmp_path / "audit"
    process = killed_process(dump, directory, notes, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    there = read_manifest(directory)
    assert not there.complete
    assert 2 <= len(there.parts) < 9
    with pytest.raises(InputError, match=f"interrupted after {there.statements} statements.*--resume"):
        open_audit(directory)
    run(dump, directory, resume=True)
    assert content(directory) == expected
    twice = [text for text, times in Counter(text for _, text in noted(notes)).items() if times > 1]
    assert len(twice) <= SIZE
    written = {text for part in there.parts for text in masked_texts(directory / part.file)}
    assert written & set(twice) == set()


def masked_texts(path: Path) -> list[str]:
    import pyarrow.parquet as pq

    texts: list[str] = pq.read_table(path)["masked"].to_pylist()
    return texts


@pytest.mark.parametrize("left", [0, 1, 5, 9])
def test_an_audit_goes_on_from_any_part(
    dump: Path, tmp_path: Path, expected: dict[str, bytes], left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop, real = [left], audit.write_whole

    def write(path: Path, bytes_: bytes) -> None:
        if path.suffix == ".parquet":
            if not stop[0]:
                path.with_name(path.name + ".part").write_bytes(bytes_[:50])
                raise KeyboardInterrupt
            stop[0] -= 1
        real(path, bytes_)

    monkeypatch.setattr(audit, "write_whole", write)
    if left < 9:
        with pytest.raises(KeyboardInterrupt):
            run(dump, tmp_path / "audit")
    else:
        run(dump, tmp_path / "audit")
    stop[0] = 100
    run(dump, tmp_path / "audit", resume=True)
    assert content(tmp_path / "audit") == expected


def test_a_finished_audit_is_not_done_again(dump: Path, tmp_path: Path, notes: Path) -> None:
    first = run(dump, tmp_path / "audit")
    before = len(noted(notes))
    assert run(dump, tmp_path / "audit", resume=True) == first
    assert len(noted(notes)) == before


def test_two_processes_give_the_same_bytes(
    dump: Path, tmp_path: Path, notes: Path, expected: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PAUSE, "0.1")
    with workers.processes(2) as two:
        run(dump, tmp_path / "audit", workers=two)
    assert content(tmp_path / "audit") == expected
    assert len({pid for pid, _ in noted(notes)} - {os.getpid()}) == 2
    assert Counter(text for _, text in noted(notes)).most_common(1)[0][1] == 1


def test_the_chunk_of_a_killed_process_is_done_again(
    dump: Path, tmp_path: Path, notes: Path, expected: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PAUSE, "0.1")
    killed: list[int] = []

    def kill(done: Progress) -> None:
        if done.statements >= 20 and not killed:
            killed.append(noted(notes)[-1][0])
            os.kill(killed[0], signal.SIGKILL)

    with workers.processes(2) as two:
        run(dump, tmp_path / "audit", workers=two, progress=kill)
    assert killed
    assert killed[0] != os.getpid()
    assert content(tmp_path / "audit") == expected


class Dying(Here):
    """Workers that die whatever they are given."""

    def submit(self, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(BrokenProcessPool("dead"))
        return future


def test_workers_that_die_again_and_again_are_given_up(dump: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"workers that stay alive, got 3 deaths in a row.*fewer workers.*--resume"):
        run(dump, tmp_path / "audit", workers=Workers(Dying))


def test_no_process_outlives_an_audit_that_is_killed(dump: Path, tmp_path: Path, notes: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom core.knowledge import audit, workers\n"
        "from core.knowledge.sources.dumps import read\nfrom tests.auditing import opened\n"
        "if __name__ == '__main__':\n"
        "    with workers.processes(2) as two:\n"
        f"        audit.run(read(Path(sys.argv[1])), ['a'], Path(sys.argv[2]), size={SIZE}, workers=two, opening=opened)\n"
    )
    script = tmp_path / "script.py"
    script.write_text(code, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), NOTES: str(notes), PAUSE: "0.3"}
    process = subprocess.Popen([sys.executable, str(script), str(dump), str(tmp_path / "audit")], env=environment)
    while len({pid for pid, _ in noted(notes)}) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait(30)
    until = time.monotonic() + 20
    pids = {pid for pid, _ in noted(notes)}
    while any(alive(pid) for pid in pids):
        assert time.monotonic() < until
        time.sleep(0.05)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not Path(f"/proc/{pid}/stat").exists() or ") Z " not in Path(f"/proc/{pid}/stat").read_text()


def test_a_dask_cluster_gives_the_same_bytes_though_one_of_its_two_workers_is_killed(
    dump: Path, tmp_path: Path, notes: Path, expected: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import LocalCluster

    monkeypatch.setenv(PAUSE, "0.1")
    killed: list[int] = []
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=50
    ) as two:

        def kill(done: Progress) -> None:
            if done.statements >= 20 and not killed:
                killed.append(two.workers[0].pid)
                os.kill(killed[0], signal.SIGKILL)

        with workers.cluster(two.scheduler_address) as chosen:
            assert chosen.count == 2
            run(dump, tmp_path / "audit", workers=chosen, progress=kill)
    assert killed
    assert killed[0] in {pid for pid, _ in noted(notes)}
    assert content(tmp_path / "audit") == expected


def test_a_scheduler_without_workers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from distributed import LocalCluster

    monkeypatch.setattr(workers, "PATIENCE", "1s")
    with (
        LocalCluster(n_workers=0, processes=True, host="127.0.0.1", dashboard_address=None, silence_logs=50) as none,
        pytest.raises(InputError, match="a scheduler with workers, got none at tcp"),
        workers.cluster(none.scheduler_address),
    ):
        pass


def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PATIENCE", "1s")
    with (
        pytest.raises(InputError, match=r"the address of a Dask scheduler, got 'tcp://127.0.0.1:9'"),
        workers.cluster("tcp://127.0.0.1:9"),
    ):
        pass


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda plan: {"stream": replace(plan["stream"], identity="sha256:other")},
            r"the source of the audit, assertions\.csv\.gz, .* got other source \(SOURCE, --format, --column\) than",
        ),
        (lambda plan: {"names": ["b"]}, r"its classifiers, a, got other classifiers \(--classifier\) than"),
        (lambda plan: {"names": ["a", "b"], "size": 11}, r"other classifiers \(--classifier\) and size of chunks than"),
        (
            lambda plan: {"stream": replace(plan["stream"], targets=plan["stream"].targets.only(["he"]))},
            "other targets",
        ),
    ],
)
def test_an_audit_of_something_else_is_not_gone_on_with(
    dump: Path, tmp_path: Path, change: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan: dict[str, Any] = {"stream": stream(dump), "names": ["a"], "size": SIZE}
    directory = tmp_path / "audit"

    def start(resume: bool, **parts: Any) -> Manifest:
        chosen = {**plan, **parts}
        return audit.run(
            chosen["stream"], chosen["names"], directory, size=chosen["size"], resume=resume, opening=opened
        )

    start(resume=False)
    before = content(directory)
    with pytest.raises(InputError, match=said):
        start(resume=True, **change(plan))
    with pytest.raises(InputError, match=r"without an audit.*--resume"):
        start(resume=False)
    assert content(directory) == before


def test_a_directory_with_other_files_is_left_alone(dump: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="an empty directory, got other files"):
        run(dump, tmp_path)
    assert content(tmp_path) == {"thesis.txt": b"mine"}


def test_a_full_disk_is_named_and_what_was_written_stays(
    dump: Path, tmp_path: Path, expected: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    room, real = [8], os.fsync

    def fsync(descriptor: int) -> None:
        room[0] -= 1
        if room[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(InputError, match=r"No space left on device\. Remedy: make room.*--resume"):
        run(dump, tmp_path / "audit")
    there = read_manifest(tmp_path / "audit")
    assert there.statements
    room[0] = 1000
    run(dump, tmp_path / "audit", resume=True)
    assert content(tmp_path / "audit") == expected


def test_a_file_that_is_cut_off_is_audited_up_to_there(dump: Path, tmp_path: Path) -> None:
    path = tmp_path / "assertions.csv.gz"
    path.write_bytes(dump.read_bytes()[:-60])
    done = run(path, tmp_path / "audit")
    assert done.ended is not None
    assert done.ended == done.rows + 1 < 92
    assert len(open_audit(tmp_path / "audit").statements) == done.statements > 0


def test_a_source_without_a_target_is_answered_in_words(tmp_path: Path) -> None:
    path = tmp_path / "assertions.csv"
    path.write_text("/a/[/r/IsA/]\t/r/IsA\t/c/en/chalk\t/c/en/thing\t{}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"statements in assertions\.csv .* got 1 record\(s\)"):
        run(path, tmp_path / "audit")
    assert content(tmp_path / "audit") == {}
    path.write_text("broken\n/a/[/r/IsA/]\t/r/IsA\t/c/en/chalk\t/c/en/thing\t{}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"1 are malformed, the first in line 1.*nothing was written"):
        run(path, tmp_path / "audit")
    path.write_text("/a/[/r/IsA/]\t/r/IsA\t/c/en/nurse\t/c/en/thing\t{}\n", encoding="utf-8")
    assert run(path, tmp_path / "audit").complete


def test_a_second_audit_into_the_same_directory_is_refused_until_the_first_ends_or_is_killed(
    dump: Path, tmp_path: Path, expected: dict[str, bytes]
) -> None:
    directory = tmp_path / "audit"
    refused: list[str] = []

    def again(done: Progress) -> None:
        if not refused:
            with pytest.raises(
                InputError, match=r"no other audit writes into, got one at work in .*audit\. Remedy: wait"
            ):
                run(dump, directory, resume=True)
            refused.append("once")

    run(dump, directory, progress=again)
    assert refused
    assert content(directory) == expected


def test_a_lock_that_a_killed_process_left_keeps_nobody_out(
    dump: Path, tmp_path: Path, expected: dict[str, bytes]
) -> None:
    (tmp_path / "audit").mkdir()
    (tmp_path / "audit" / audit.LOCK).write_bytes(b"")
    run(dump, tmp_path / "audit")
    assert content(tmp_path / "audit") == expected


def test_a_line_of_a_dump_that_gives_two_statements_goes_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "assertions.csv"
    lines = [f"/a/[/r/IsA/]\t/r/IsA\t/c/en/{end}\t/c/en/nurse\t{{}}\n" for end in ("chalk", "poet", "thing")]
    path.write_text("".join(lines), encoding="utf-8")
    done = run(path, tmp_path / "audit")
    found = dumps.audited(open_audit(tmp_path / "audit"), path, done.identity)
    assert found.records.tolist() == [0, 1, 1, 2]
    left = mitigate(found, {"stub": np.array([0, 0, -1, 0], dtype=np.int8)})
    assert left.keep.tolist() == [True, False, False, True]
    found.original.write(tmp_path / "left", left.records)
    assert (tmp_path / "left").read_text(encoding="utf-8") == lines[0] + lines[2]


def test_a_classifier_that_fails_in_a_worker_is_answered_in_words(dump: Path, tmp_path: Path) -> None:
    class Failing(Here):
        def submit(self, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(ModuleNotFoundError("No module named 'core'"))
            return future

    with pytest.raises(InputError, match=r"got ModuleNotFoundError: No module named 'core'.*same version"):
        run(dump, tmp_path / "audit", workers=Workers(Failing))


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda directory: (directory / "part-00004.parquet").unlink(), "part-00004.parquet in .*No such file"),
        (lambda directory: (directory / "part-00004.parquet").write_bytes(b"x"), "part-00004.parquet as it was"),
        (lambda directory: (directory / "manifest.json").unlink(), "a directory that .* wrote"),
        (lambda directory: (directory / "manifest.json").write_text("{"), "undamaged manifest"),
        (lambda directory: (directory / "manifest.json").write_text("[1]"), "undamaged manifest"),
        (lambda directory: (directory / "manifest.json").write_text('{"version": 1}'), "undamaged manifest"),
        (lambda directory: (directory / "manifest.json").write_text('{"version": 2}'), "an audit of version 1"),
    ],
)
def test_a_damaged_audit_is_not_opened(dump: Path, tmp_path: Path, damage: Any, said: str) -> None:
    run(dump, tmp_path / "audit")
    damage(tmp_path / "audit")
    with pytest.raises(InputError, match=said):
        open_audit(tmp_path / "audit")


def test_work_in_this_process_is_done_at_once() -> None:
    executor = HERE.start()
    assert executor.submit(divmod, 7, 2).result() == (3, 1)
    with pytest.raises(ZeroDivisionError):
        executor.submit(divmod, 7, 0).result()


def test_an_audit_stopped_at_the_very_end_counts_the_rest_of_its_source_once(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("statement\nteachers are kind\nnurses are kind\n" + "sofas are soft\n" * 50, encoding="utf-8")

    def go(name: str, **options: Any) -> Manifest:
        return audit.run(large.read(path), ["a"], tmp_path / name, size=2, opening=opened, **options)

    def stop(done: Progress) -> None:
        if done.share == 1.0 and not read_manifest(tmp_path / "stopped").complete:
            raise KeyboardInterrupt

    whole = go("whole")
    assert (whole.rows, whole.statements) == (52, 2)
    with pytest.raises(KeyboardInterrupt):
        go("stopped", progress=stop)
    assert go("stopped", resume=True) == whole
    assert content(tmp_path / "stopped") == content(tmp_path / "whole")


def test_an_audit_is_not_gone_on_with_by_another_column(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("statement,other\nteachers are kind,nurses are kind\n", encoding="utf-8")
    audit.run(large.read(path), ["a"], tmp_path / "audit", opening=opened)
    with pytest.raises(InputError, match="source"):
        audit.run(
            large.read(path, mapping={"statement": "other"}), ["a"], tmp_path / "audit", opening=opened, resume=True
        )
