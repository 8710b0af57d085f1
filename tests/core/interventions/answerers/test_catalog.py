"""Answerers by name: those there are, and what is said of those there are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import AnswererError, EncoderError
from core.interventions.answerers.catalog import models, open_answerer


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
    with pytest.raises(AnswererError, match=r"^Expected .+, got .+ Remedy: ") as caught:
        open_answerer(name, tmp_path)
    assert said in str(caught.value)


def test_an_unknown_encoder_is_an_encoder_error(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="an encoder named"):
        open_answerer("encoder:oracle", tmp_path)


def test_a_model_of_another_kind_is_refused_and_does_not_answer_at_random(
    masked_model: Path, causal_model: Path, tmp_path: Path
) -> None:
    for folder, kind in ((masked_model, "BertForMaskedLM"), (causal_model, "GPT2LMHeadModel")):
        with pytest.raises(AnswererError, match=f"a question answering model, got .+ a {kind}"):
            open_answerer(f"qa:{folder}", tmp_path)
    with pytest.raises(AnswererError, match="a text generation model"):
        open_answerer(f"text:{masked_model}", tmp_path)


def test_a_model_without_its_answering_layer_is_refused_whatever_its_file_says(qa_model: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    for path in qa_model.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    weights = load_file(qa_model / "model.safetensors")
    save_file(
        {name: value for name, value in weights.items() if "qa_outputs" not in name}, tmp_path / "model.safetensors"
    )
    with pytest.raises(AnswererError, match="a question answering model"):
        open_answerer(f"qa:{tmp_path}", tmp_path)


def test_a_pickled_model_is_not_opened(qa_model: Path, tmp_path: Path) -> None:
    for path in qa_model.iterdir():
        if path.suffix != ".safetensors":
            (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "pytorch_model.bin").write_bytes(b"not opened")
    with pytest.raises(AnswererError, match="stored as safetensors"):
        open_answerer(f"qa:{tmp_path}", tmp_path)


def test_a_damaged_model_is_named(qa_model: Path, tmp_path: Path) -> None:
    for path in qa_model.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes()[:1000])
    with pytest.raises(AnswererError, match="a transformers model on this machine"):
        open_answerer(f"qa:{tmp_path}", tmp_path)


@pytest.mark.parametrize(
    ("setting", "offered"),
    [("", ()), (" , ", ()), ("qa:a/b, text:c,qa:a/b", ("qa:a/b", "text:c")), ("qa:/x:y", ("qa:/x:y",))],
)
def test_an_operator_offers_models_by_a_setting(
    setting: str, offered: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORALSCOPE_MODELS", setting)
    assert models() == offered


@pytest.mark.parametrize("setting", ["bert", "qa:", "encoder:static", "qa:a; text:b,published"])
def test_a_setting_that_names_no_model_is_refused(setting: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MORALSCOPE_MODELS", setting)
    with pytest.raises(AnswererError, match="MORALSCOPE_MODELS"):
        models()
