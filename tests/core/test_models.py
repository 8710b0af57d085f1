"""Opening models of transformers from this machine: tiny ones, built here, whole and damaged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import ModelError
from core.models import Task, open_model
from tests import tiny_models

TASKS: tuple[Task, ...] = ("question answering", "text generation", "text classification")


@pytest.fixture(scope="module")
def classifier(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.classifier(tmp_path_factory.mktemp("classifier"))


def test_a_model_of_the_kind_asked_for_opens_ready_to_run(
    qa_model: Path, causal_model: Path, sequence_model: Path, classifier: Path
) -> None:
    for folder, task in (
        (qa_model, "question answering"),
        (causal_model, "text generation"),
        (sequence_model, "text generation"),
        (classifier, "text classification"),
    ):
        opened = open_model(str(folder), task)  # type: ignore[arg-type]
        assert not opened.model.training
        assert opened.source == str(folder)


def test_the_limit_is_the_smaller_of_model_and_tokenizer(classifier: Path, causal_model: Path) -> None:
    assert open_model(str(classifier), "text classification").limit == 32
    assert open_model(str(causal_model), "text generation").limit == 512


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("name", ["nobody/no-such-model", "no_such_model", "", "../.."])
def test_a_model_that_is_not_here_is_an_error_that_says_what_to_do(name: str, task: Task) -> None:
    with pytest.raises(ModelError, match="give the folder that holds it, or fetch it once"):
        open_model(name, task)


def test_a_folder_without_a_model_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="a transformers model on this machine"):
        open_model(str(tmp_path), "text generation")


def test_a_model_of_another_kind_is_refused_and_does_not_answer_at_random(
    masked_model: Path, causal_model: Path
) -> None:
    for folder, kind in ((masked_model, "BertForMaskedLM"), (causal_model, "GPT2LMHeadModel")):
        with pytest.raises(ModelError, match=f"a question answering model, got .+ a {kind}"):
            open_model(str(folder), "question answering")
        with pytest.raises(ModelError, match=f"a text classification model, got .+ a {kind}"):
            open_model(str(folder), "text classification")
    with pytest.raises(ModelError, match="a text generation model"):
        open_model(str(masked_model), "text generation")


def test_a_model_without_its_last_layer_is_refused_whatever_its_file_says(qa_model: Path, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    copy(qa_model, tmp_path)
    weights = load_file(qa_model / "model.safetensors")
    save_file(
        {name: value for name, value in weights.items() if "qa_outputs" not in name}, tmp_path / "model.safetensors"
    )
    with pytest.raises(ModelError, match="a question answering model"):
        open_model(str(tmp_path), "question answering")


def test_pickled_weights_are_never_loaded(tmp_path: Path) -> None:
    tiny_models.classifier(tmp_path, safe=False)
    with pytest.raises(ModelError, match="stored as safetensors"):
        open_model(str(tmp_path), "text classification")


@pytest.mark.parametrize("damage", [b"", b"not weights"])
def test_damaged_weights_are_an_error(damage: bytes, causal_model: Path, tmp_path: Path) -> None:
    copy(causal_model, tmp_path)
    (tmp_path / "model.safetensors").write_bytes(damage)
    with pytest.raises(ModelError, match="a transformers model on this machine"):
        open_model(str(tmp_path), "text generation")


def test_files_that_end_too_early_are_an_error(qa_model: Path, tmp_path: Path) -> None:
    for path in qa_model.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes()[:1000])
    with pytest.raises(ModelError, match="a transformers model on this machine"):
        open_model(str(tmp_path), "question answering")


@pytest.mark.parametrize("task", TASKS)
def test_code_that_comes_with_a_model_is_not_run(task: Task, tmp_path: Path) -> None:
    (tmp_path / "trap.py").write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n")
    kinds = ("QuestionAnswering", "CausalLM", "SequenceClassification")
    mapped = {"AutoConfig": "trap.Config"} | {f"AutoModelFor{kind}": "trap.Model" for kind in kinds}
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "trap", "auto_map": mapped}))
    with pytest.raises(ModelError):
        open_model(str(tmp_path), task)
    assert not (tmp_path / "sprung").exists()


def copy(source: Path, folder: Path) -> None:
    for path in source.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
