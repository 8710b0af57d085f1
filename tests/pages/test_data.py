"""Data: what is here, under which terms, and fetching it with words for whatever goes wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core import datasets
from core.datasets import DataFile, Dataset
from tests.loopback import address_of_nobody, serving
from tests.pages.screen import said

Visit = Callable[..., AppTest]

FILES = {"owner/words/a.txt": b"kind\n", "owner/words/b.txt": b"calm\n"}


def made_up() -> dict[str, Dataset]:
    files = tuple(
        DataFile(name, 5, hashlib.sha256(FILES[f"owner/words/{name}"]).hexdigest(), "computed", 1, "MIT", "http://x/")
        for name in ("a.txt", "b.txt")
    )
    dump = DataFile("all.gz", None, "", "unknown", None, "CC BY 4.0", "http://x/")
    return {
        "words": Dataset("words", "Made-up words", "owner/words", "MIT", "Written for this test.", files),
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


def states(at: AppTest) -> list[str]:
    return at.dataframe[0].value["state"].tolist()


def test_every_data_set_stands_there_with_state_size_and_licence_and_where_it_would_lie(
    visit: Visit, directory: Path
) -> None:
    at = visit("data")
    table = at.dataframe[0].value
    assert table["data set"].tolist() == ["words", "dump"]
    assert states(at) == ["missing, 0 of 2 files", "missing, 0 of 1 files"]
    assert table["size"].tolist() == ["0 kB", "unknown size"]
    assert table["licence"].iloc[0] == "MIT"
    assert table["licence"].iloc[1].startswith("CC BY 4.0; no SHA-256 of it is published")
    assert f"Folder: {directory}" in said(at)
    assert "Written for this test." in said(at)
    assert {button.key for button in at.button} == {"fetch_words", "fetch_dump"}


def test_the_released_data_sets_are_those_of_the_catalogue(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MORALSCOPE_DATA", str(tmp_path))
    at = visit("data")
    assert at.dataframe[0].value["data set"].tolist() == list(datasets.catalogue())
    assert "none stated (all rights reserved by default)" in at.dataframe[0].value["licence"].str.cat()
    assert list(tmp_path.iterdir()) == []  # looking makes nothing


def test_a_set_is_fetched_on_request_and_its_button_goes(
    visit: Visit, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = visit("data")
    with serving(FILES) as source:
        monkeypatch.setenv("MORALSCOPE_MIRROR", source.address)
        assert source.requests == []
        at.button(key="fetch_words").click().run()
    assert states(at) == ["present, 2 of 2 files", "missing, 0 of 1 files"]
    assert (directory / "owner/words/b.txt").read_bytes() == b"calm\n"
    assert {button.key for button in at.button} == {"fetch_dump"}


def test_a_file_with_other_content_is_named_and_the_others_are_kept(
    visit: Visit, directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = visit("data")
    with serving(FILES | {"owner/words/a.txt": b"rude\n"}) as source:
        monkeypatch.setenv("MORALSCOPE_MIRROR", source.address)
        at.button(key="fetch_words").click().run()
    assert len(at.error) == 1
    assert "a.txt" in said(at)
    assert "What to do:" in said(at)
    assert states(at.run())[0] == "incomplete, 1 of 2 files"
    assert not (directory / "owner/words/a.txt").exists()


@pytest.mark.parametrize("mirror", [None, "ftp://127.0.0.1/"])
def test_a_server_that_is_down_and_a_mirror_that_is_none_are_said_in_words(
    visit: Visit, directory: Path, monkeypatch: pytest.MonkeyPatch, mirror: str | None
) -> None:
    monkeypatch.setenv("MORALSCOPE_MIRROR", mirror or address_of_nobody())
    at = visit("data").button(key="fetch_words").click().run()
    assert ("mirror address" if mirror else "no connection") in said(at)
    assert states(at)[0] == "missing, 0 of 2 files"


@pytest.mark.data
def test_the_data_that_is_here_is_found(visit: Visit, monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    monkeypatch.setenv("MORALSCOPE_DATA", str(data))
    table = visit("data").dataframe[0].value.set_index("data set")
    assert table.loc["unqover", "state"] == "present, 35 of 35 files"
