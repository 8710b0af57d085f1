"""``python -m core data``."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core import datasets
from core.cli import app
from core.datasets import DataFile, Dataset
from tests.loopback import address_of_nobody, serving

FILES = {"owner/words/a.txt": b"kind\n", "owner/words/b.txt": b"calm\n", "owner/dump/all.gz": b"dump"}
EMPTY = "ConceptNet_regard/masked_regard_output/attourney"  # the one released file without a byte


def made_up() -> dict[str, Dataset]:
    a, b = (
        DataFile(name, 5, hashlib.sha256(FILES[f"owner/words/{name}"]).hexdigest(), "computed", 1, "MIT", "http://x/")
        for name in ("a.txt", "b.txt")
    )
    dump = DataFile("all.gz", None, "", "unknown", None, "CC BY 4.0", "http://x/")
    return {
        "words": Dataset("words", "Made-up words", "owner/words", "MIT", "Written for this test.", (a, b)),
        "dump": Dataset("dump", "A made-up dump", "owner/dump", "CC BY 4.0", "Nobody's.", (dump,)),
    }


@pytest.fixture
def directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty data directory, and a catalogue of two made-up sets."""
    monkeypatch.setenv("MORALSCOPE_DATA", str(tmp_path))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(datasets, "catalogue", made_up)
    monkeypatch.setattr(datasets, "BACKOFF", ())
    return tmp_path


def run(*arguments: str, mirror: str | None = None) -> Result:
    return CliRunner().invoke(app, ["data", *arguments], env={"MORALSCOPE_MIRROR": mirror})


def test_get_fetches_a_set_prints_its_folder_alone_and_gives_licence_and_credit_beside(directory: Path) -> None:
    with serving(FILES) as source:
        result = run("get", "words", mirror=source.address)
    assert (result.exit_code, result.stdout) == (0, f"{directory / 'owner/words'}\n")
    assert "Licence: MIT. Credit: Written for this test." in result.stderr
    assert (directory / "owner/words/b.txt").read_bytes() == b"calm\n"


def test_get_fetches_a_single_file_and_not_its_neighbours(directory: Path) -> None:
    with serving(FILES) as source:
        result = run("get", "b.txt", mirror=source.address)
    assert result.stdout == f"{directory / 'owner/words/b.txt'}\n"
    assert not (directory / "owner/words/a.txt").exists()


def test_get_says_that_a_file_without_published_hash_is_not_verified_and_gives_the_hash_it_came_with(
    directory: Path,
) -> None:
    with serving(FILES) as source:
        result = run("get", "dump", mirror=source.address)
    assert result.exit_code == 0
    assert "cannot be verified" in result.stderr
    assert hashlib.sha256(b"dump").hexdigest() in result.stderr


def test_get_names_a_server_that_is_down_with_exit_code_1(directory: Path) -> None:
    result = run("get", "words", mirror=address_of_nobody())
    assert (result.exit_code, result.stdout) == (1, "")
    assert "no connection" in result.stderr
    assert "Remedy: check the connection" in result.stderr


def test_get_of_an_unknown_name_fetches_nothing_and_lists_the_known_ones(directory: Path) -> None:
    with serving(FILES) as source:
        result = run("get", "words", "wrods", mirror=source.address)
        assert source.requests == []
    assert result.exit_code == 1
    assert "(words, dump)" in result.stderr


def test_verify_is_content_with_a_whole_set_and_names_what_is_damaged_or_missing(directory: Path) -> None:
    with serving(FILES) as source:
        run("get", "words", mirror=source.address)
    whole = run("verify")
    assert (whole.exit_code, whole.stdout) == (0, "")
    (directory / "owner/words/a.txt").write_bytes(b"kinD\n")
    (directory / "owner/words/b.txt").unlink()
    result = run("verify", "words")
    assert result.exit_code == 1
    assert result.stdout == "damaged: owner/words/a.txt\nmissing: owner/words/b.txt\n"


def test_verify_asks_for_a_set_that_was_never_fetched_only_by_name(directory: Path) -> None:
    with serving(FILES) as source:
        run("get", "words", mirror=source.address)
    assert run("verify").exit_code == 0
    result = run("verify", "dump")
    assert (result.exit_code, result.stdout) == (1, "missing: owner/dump/all.gz\n")


def test_verify_of_an_empty_directory_is_an_error_that_says_how_to_fetch(directory: Path) -> None:
    result = run("verify")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "data get NAME" in result.stderr


def test_list_shows_state_size_licence_and_doubt(directory: Path) -> None:
    with serving(FILES) as source:
        run("get", "a.txt", mirror=source.address)
    assert run("list").stdout.splitlines() == [
        "words  incomplete  1 of 2      0 kB          Made-up words",
        "       licence: MIT",
        "dump   missing     0 of 1      unknown size  A made-up dump",
        "       licence: CC BY 4.0; no SHA-256 of it is published, so its content cannot be verified",
    ]


def test_list_as_json_tells_of_every_file_what_is_known_and_null_for_what_is_not(directory: Path) -> None:
    words, dump = json.loads(run("list", "--json").stdout)
    assert (words["name"], words["state"], words["bytes"], words["missing"]) == ("words", "missing", 10, 2)
    assert dump["bytes"] is None
    assert dump["files"] == [
        {
            "path": "all.gz",
            "state": "missing",
            "bytes": None,
            "sha256": None,
            "hash": "unknown",
            "rows": None,
            "licence": "CC BY 4.0",
            "address": "http://x/",
        }
    ]


def test_path_prints_the_folder_of_a_set_that_is_not_there_and_makes_nothing(directory: Path) -> None:
    assert run("path", "words").stdout == f"{directory / 'owner/words'}\n"
    assert list(directory.iterdir()) == []


def test_the_command_as_users_call_it_fetches_a_released_file_from_a_mirror(tmp_path: Path) -> None:
    with serving({f"Ninarehm/Commonsense_bias/{EMPTY}": b""}) as source:
        environment = {
            "MORALSCOPE_DATA": str(tmp_path),
            "MORALSCOPE_MIRROR": source.address,
            "NO_PROXY": "127.0.0.1",
            "PYTHONWARNINGS": "error",
        }
        shown = subprocess.run(
            [sys.executable, "-m", "core", "data", "get", EMPTY],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    place = tmp_path / "Ninarehm/Commonsense_bias" / EMPTY
    assert (shown.returncode, shown.stdout) == (0, f"{place}\n")
    assert place.read_bytes() == b""
    assert all(line.startswith("moralscope: ") for line in shown.stderr.splitlines())
