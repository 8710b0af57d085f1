from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import numpy as np
import psutil
import pytest

from core.encoders import catalog, conversion, minilm
from core.encoders.cache import CachedEncoder
from core.errors import EncoderError

SHA = "ab" * 32


def silent(share: float, what: str) -> None:
    """Progress that nobody looks at."""


def write_model(target: Path) -> None:
    """A folder that is whole by its own checksums, without a model in it."""
    target.mkdir(parents=True, exist_ok=True)
    for name in conversion._FILES:
        (target / name).write_bytes(name.encode() * 9)
    noted = {name: conversion._checksum(target / name) for name in conversion._FILES}
    (target / "manifest.json").write_text(json.dumps(noted))


@pytest.fixture
def conversions(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Replaces the slow step by `write_model`; lists where it wrote."""
    written: list[Path] = []

    def convert(source: Path, target: Path, progress: Any) -> None:
        write_model(target)
        written.append(target)

    monkeypatch.setattr(conversion, "_run_conversion", convert)
    return written


def test_a_model_is_converted_once_and_told_before(conversions: list[Path], tmp_path: Path) -> None:
    told: list[str] = []
    first = conversion.converted_model(tmp_path, SHA, tmp_path, progress=lambda share, what: told.append(what))
    again = conversion.converted_model(tmp_path, SHA, tmp_path, progress=lambda share, what: told.append(what))
    assert first == again
    assert len(conversions) == 1
    assert told == ["Preparing the model; this happens once"]


def test_other_weights_and_another_runtime_have_folders_of_their_own(
    conversions: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = {conversion.converted_model(tmp_path, sha, tmp_path, progress=silent) for sha in (SHA, "cd" * 32)}
    monkeypatch.setattr(conversion, "version", lambda package: "0.0.1")
    folders.add(conversion.converted_model(tmp_path, SHA, tmp_path, progress=silent))
    assert len(folders) == len(conversions) == 3


def _truncate(folder: Path) -> None:
    (folder / "model.bin").write_bytes((folder / "model.bin").read_bytes()[:-1])


def _flip(folder: Path) -> None:
    (folder / "model.xml").write_bytes(b"M" + (folder / "model.xml").read_bytes()[1:])


@pytest.mark.parametrize(
    "damage",
    [
        _truncate,
        _flip,
        lambda folder: (folder / "probes.npy").unlink(),
        lambda folder: (folder / "manifest.json").unlink(),
        lambda folder: (folder / "manifest.json").write_text("[]"),
        lambda folder: (folder / "manifest.json").write_text('{"model.xml": '),
        lambda folder: (folder / "manifest.json").write_bytes(b"\xff"),
    ],
)
def test_a_damaged_folder_is_made_anew(
    damage: Callable[[Path], object], conversions: list[Path], tmp_path: Path
) -> None:
    folder = conversion.converted_model(tmp_path, SHA, tmp_path, progress=silent)
    damage(folder)
    assert not conversion.is_whole(folder)
    assert conversion.converted_model(tmp_path, SHA, tmp_path, progress=silent) == folder
    assert conversion.is_whole(folder)
    assert len(conversions) == 2
    assert list(folder.parent.iterdir()) == [folder]


def test_the_bundled_model_with_a_truncated_file_is_converted_again_and_encodes_as_before(
    bundled: CachedEncoder, cache_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = conversion.converted_model(minilm.model_dir(), minilm.WEIGHTS_SHA256, cache_dir, progress=silent)
    damaged = shutil.copytree(whole, tmp_path / "openvino" / whole.name)
    _truncate(damaged)
    made: list[Path] = []

    def convert(source: Path, target: Path, progress: Any) -> None:
        made.append(shutil.copytree(whole, target, dirs_exist_ok=True))

    monkeypatch.setattr(conversion, "_run_conversion", convert)
    again = catalog.load("bundled", tmp_path)
    assert len(made) == 1
    np.testing.assert_array_equal(again.encode(["kill time"]), bundled.encode(["kill time"]))


def test_several_that_start_at_once_end_with_one_whole_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    together = Barrier(4, timeout=30)

    def convert(source: Path, target: Path, progress: Any) -> None:
        together.wait()
        write_model(target)

    monkeypatch.setattr(conversion, "_run_conversion", convert)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: conversion.converted_model(tmp_path, SHA, tmp_path, progress=silent), range(4)))
    assert len(set(found)) == 1
    assert conversion.is_whole(found[0])
    assert list(found[0].parent.iterdir()) == [found[0]]


def test_a_folder_that_cannot_be_written_is_an_error_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(EncoderError, match="MORALSCOPE_CACHE"):
        conversion.converted_model(tmp_path, SHA, tmp_path / "file", progress=silent)


def test_a_conversion_that_fails_names_its_reason_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "source").mkdir()
    told: list[str] = []
    with pytest.raises(EncoderError, match=r"exit code 1: .*config\.json.*MORALSCOPE_RUNTIME=torch"):
        conversion.converted_model(
            tmp_path / "source", SHA, tmp_path, progress=lambda share, what: told.append(f"{share:.0%} {what}")
        )
    assert told == ["0% Preparing the model; this happens once", "5% Loading torch", "40% Reading the weights"]
    assert list((tmp_path / "openvino").iterdir()) == []


def test_stopping_the_progress_stops_the_conversion(tmp_path: Path) -> None:
    before = set(psutil.Process().children())

    def stop(share: float, what: str) -> None:
        if share:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        conversion.converted_model(tmp_path, SHA, tmp_path, progress=stop)
    assert set(psutil.Process().children()) == before
    assert list((tmp_path / "openvino").iterdir()) == []
