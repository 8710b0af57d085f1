from __future__ import annotations

from pathlib import Path

import pytest

from core.encoders import catalog
from core.errors import EncoderError


@pytest.mark.parametrize("name", ["", "Bundled", "<b>bold</b>", "x" * 1000])
def test_an_unknown_name_is_refused_with_the_known_ones(name: str, tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="bundled or static") as caught:
        catalog.load(name, tmp_path)
    assert len(str(caught.value)) < 300  # a long name is cut, not echoed


def test_names_are_distinct_and_hold_the_default() -> None:
    assert len(set(catalog.NAMES)) == len(catalog.NAMES)
    assert catalog.DEFAULT in catalog.NAMES


def test_the_cache_folder_is_the_variable_or_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MORALSCOPE_CACHE", str(tmp_path))
    assert catalog.default_cache_dir() == tmp_path
    monkeypatch.delenv("MORALSCOPE_CACHE")
    assert catalog.default_cache_dir().is_absolute()
    assert "moralscope" in catalog.default_cache_dir().parts


@pytest.mark.parametrize("name", catalog.NAMES)
def test_damaged_weights_stop_every_encoder_before_anything_is_read(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"damaged")
    monkeypatch.setenv("MORALSCOPE_BUNDLED_MODEL", str(tmp_path))
    with pytest.raises(EncoderError, match="--force-reinstall"):
        catalog.load(name, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["model.safetensors"]
