"""Classifiers of ``transformers``: a tiny model, built here, that has learned three words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import EncoderError
from core.knowledge.polarity.transformers import Transformer, meaning

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "this", "person", "is", "bad", "plain", "good"]
NAMES = ("negative", "neutral", "positive")


def build(folder: Path, names: tuple[str, ...] = NAMES, *, safe: bool = True) -> Path:
    """Save a BERT whose output follows from the last word: bad, plain, good give outputs 0, 1, 2."""
    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

    tokens = Tokenizer(models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokens.pre_tokenizer = pre_tokenizers.Whitespace()
    tokens.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokens, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    ).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=1, num_attention_heads=1, intermediate_size=16,
        max_position_embeddings=32, initializer_range=0.2, hidden_dropout_prob=0, attention_probs_dropout_prob=0,
        id2label=dict(enumerate(names)), label2id={name: place for place, name in enumerate(names)},
    )  # fmt: skip
    torch.manual_seed(0)
    model = BertForSequenceClassification(config)
    inputs = torch.tensor([[2, 4, 5, 6, 7 + kind % 3, 3] for kind in range(3)])
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(200):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(model(inputs).logits, torch.arange(3)).backward()
        optimizer.step()
    if safe:
        model.save_pretrained(folder)
    else:
        config.save_pretrained(folder)
        torch.save(model.state_dict(), folder / "pytorch_model.bin")
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("tiny"))


TEXTS = ["this person is good", "this person is bad", "this person is plain", "good"]


def test_labels_come_in_the_order_of_the_texts(model: Path) -> None:
    opened = Transformer(str(model))
    assert opened.label(TEXTS[:3]).tolist() == [1, -1, 0]
    assert opened.label(TEXTS[2::-1]).tolist() == [0, -1, 1]
    assert opened.label([]).shape == (0,)


def test_names_and_not_places_decide(tmp_path: Path) -> None:
    opened = Transformer(str(build(tmp_path, ("Positive", "NEUTRAL", "negative"))))
    assert opened.label(TEXTS[:3]).tolist() == [-1, 1, 0]


def test_a_text_longer_than_the_model_takes_is_cut(model: Path) -> None:
    assert Transformer(str(model)).label(["this person is good " * 40]).shape == (1,)


def test_batches_are_of_similar_length_and_padded_to_the_longest_of_them(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Transformer(str(model))
    shapes: list[tuple[int, ...]] = []
    forward = type(opened._model).forward

    def noting(self: Any, *args: Any, **inputs: Any) -> Any:
        shapes.append(tuple(inputs["input_ids"].shape))
        return forward(self, *args, **inputs)

    monkeypatch.setattr(type(opened._model), "forward", noting)
    opened.label(["good"] * 32 + ["this person is good"] * 32)
    assert shapes == [(32, 6), (32, 3)]


def test_the_identity_changes_with_the_weights_and_the_names(model: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    other = build(tmp_path / "other")
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
    with pytest.raises(EncoderError, match="labels negative, neutral, positive") as caught:
        meaning(dict(enumerate(names)))
    assert names[-1].lower() in str(caught.value)


def test_a_model_that_is_not_here_is_an_error_that_says_how_to_get_it() -> None:
    with pytest.raises(EncoderError, match="hf download nobody/nothing"):
        Transformer("nobody/nothing")


def test_pickled_weights_are_not_loaded(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="safetensors"):
        Transformer(str(build(tmp_path, safe=False)))


def test_code_that_comes_with_a_model_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "trap.py").write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\n")
    settings = {
        "model_type": "trap",
        "auto_map": {"AutoConfig": "trap.Config", "AutoModelForSequenceClassification": "trap.M"},
    }
    (tmp_path / "config.json").write_text(json.dumps(settings))
    with pytest.raises(EncoderError):
        Transformer(str(tmp_path))
    assert not (tmp_path / "sprung").exists()
