"""Classifiers of ``transformers``: a tiny model, built here, that has learned three words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from core.errors import ModelError
from core.knowledge.polarity.transformers import Transformer, meaning
from tests import tiny_models


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.classifier(tmp_path_factory.mktemp("tiny"))


TEXTS = ["this person is good", "this person is bad", "this person is plain", "good"]


def test_labels_come_in_the_order_of_the_texts(model: Path) -> None:
    opened = Transformer(str(model))
    assert opened.label(TEXTS[:3]).tolist() == [1, -1, 0]
    assert opened.label(TEXTS[2::-1]).tolist() == [0, -1, 1]
    assert opened.label([]).shape == (0,)


def test_names_and_not_places_decide(tmp_path: Path) -> None:
    opened = Transformer(str(tiny_models.classifier(tmp_path, ("Positive", "NEUTRAL", "negative"))))
    assert opened.label(TEXTS[:3]).tolist() == [-1, 1, 0]


def test_a_text_longer_than_the_model_takes_is_cut(model: Path) -> None:
    assert Transformer(str(model)).label(["this person is good " * 40]).shape == (1,)


def test_batches_are_of_similar_length_and_padded_to_the_longest_of_them(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Transformer(str(model))
    shapes: list[tuple[int, ...]] = []
    forward = type(opened._opened.model).forward

    def noting(self: Any, *args: Any, **inputs: Any) -> Any:
        shapes.append(tuple(inputs["input_ids"].shape))
        return forward(self, *args, **inputs)

    monkeypatch.setattr(type(opened._opened.model), "forward", noting)
    opened.label(["good"] * 32 + ["this person is good"] * 32)
    assert shapes == [(32, 6), (32, 3)]


def test_the_identity_changes_with_the_weights_and_the_names(model: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    other = tiny_models.classifier(tmp_path / "other")
    assert Transformer(str(other)).identity.rpartition(":")[2] == Transformer(str(model)).identity.rpartition(":")[2]
    weights = load_file(other / "model.safetensors")
    weights["classifier.bias"] = weights["classifier.bias"] + 1
    save_file(weights, other / "model.safetensors", metadata={"format": "pt"})
    assert Transformer(str(other)).identity.rpartition(":")[2] != Transformer(str(model)).identity.rpartition(":")[2]


def test_progress_is_reported(model: Path) -> None:
    told: list[float] = []
    Transformer(str(model)).label(["good"] * 64, told.append)
    assert told == [0.0, 0.5]


@pytest.mark.parametrize(
    "names",
    [
        ("negative", "positive"),
        ("negative", "neutral", "happy"),
        ("LABEL_0", "LABEL_1"),
        ("negative", "neutral", "positive", "other", "more"),
        ("negative", "negative", "positive"),
    ],
)
def test_labels_that_are_not_the_three_are_refused_and_named(names: tuple[str, ...]) -> None:
    with pytest.raises(ModelError, match="labels negative, neutral, positive") as caught:
        meaning(dict(enumerate(names)))
    assert names[-1].lower() in str(caught.value)


def test_a_model_that_is_not_here_is_an_error_that_says_how_to_get_it() -> None:
    with pytest.raises(ModelError, match=r"called nobody/nothing.+hf download NAME"):
        Transformer("nobody/nothing")
