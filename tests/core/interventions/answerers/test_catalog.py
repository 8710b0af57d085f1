"""Answerers by name: those there are, and what is said of those there are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import EncoderError, ModelError
from core.interventions.answerers.catalog import open_answerer


def test_an_encoder_may_be_named_or_not(cache_dir: Path) -> None:
    assert open_answerer("encoder:static", cache_dir).name == "encoder:static"
    assert open_answerer("encoder", cache_dir).name == "encoder:bundled"


def test_models_are_opened_by_folder(qa_model: Path, causal_model: Path, sequence_model: Path, tmp_path: Path) -> None:
    for name in (f"qa:{qa_model}", f"text:{causal_model}", f"text:{sequence_model}"):
        assert open_answerer(name, tmp_path).name == name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("oracle", "an answerer named encoder"),
        ("qa:", "an answerer named encoder"),
        ("published", "a released file for the published scores"),
        ("qa:nobody/no-such-model", "got no such folder, and no such model in the local cache"),
        ("text:nobody/no-such-model", "hf download NAME"),
    ],
)
def test_what_is_not_here_is_named_with_its_remedy(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"^Expected .+, got .+ Remedy: ") as caught:
        open_answerer(name, tmp_path)
    assert said in str(caught.value)


def test_an_unknown_encoder_is_an_encoder_error(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="an encoder named"):
        open_answerer("encoder:oracle", tmp_path)
