"""Classifiers by name."""

from __future__ import annotations

import pickle
from functools import partial
from pathlib import Path

import pytest

from core.encoders.cache import CachedEncoder
from core.errors import EncoderError, InputError, ModelError
from core.knowledge.polarity.catalog import CATALOG, MODEL, NAMES, entry, on_encoders, open_classifier


@pytest.mark.parametrize("name", NAMES)
def test_a_classifier_of_the_catalogue_opens_and_labels(name: str, static: CachedEncoder, cache_dir: Path) -> None:
    opened = open_classifier(name, load=lambda encoder: static, cache_dir=cache_dir)
    labels = opened.label(["this person is honest and kind", "this person is a cruel thief"])
    assert (opened.name, labels.dtype.name, labels.tolist()) == (name, "int8", [1, -1])
    assert opened.identity


def test_opening_can_be_sent_to_another_process() -> None:
    opening = pickle.loads(pickle.dumps(partial(open_classifier, "keywords")))
    assert opening().identity == open_classifier("keywords").identity


def test_every_entry_says_its_rule_its_limit_and_its_source() -> None:
    assert all(item.rule and item.limit and item.source for item in (*CATALOG, MODEL))
    assert entry("a/model") is MODEL


def test_any_other_name_is_a_model_and_one_that_is_not_here_is_said_so() -> None:
    with pytest.raises(ModelError, match="sentiment, regard, keywords"):
        open_classifier("nothing/here")


def test_an_unknown_encoder_is_named() -> None:
    with pytest.raises(EncoderError, match="'nobody'"):
        open_classifier("regard:nobody")


@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_name_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="an empty name"):
        open_classifier(name)


def test_regard_is_fitted_on_the_encoder_in_its_name_and_keeps_that_name(
    static: CachedEncoder, cache_dir: Path
) -> None:
    asked: list[str] = []

    def load(name: str) -> CachedEncoder:
        asked.append(name)
        return static

    opened = [open_classifier(name, load=load, cache_dir=cache_dir) for name in ("regard:mine", "regard")]
    assert asked == ["mine", "bundled"]
    assert [classifier.name for classifier in opened] == ["regard:mine", "regard"]


def test_an_encoder_without_a_classifier_that_needs_one_is_refused() -> None:
    with pytest.raises(InputError, match="the classifier regard for an encoder, got sentiment"):
        on_encoders(["sentiment"], ["static"])
    assert on_encoders(["sentiment", "sentiment"], []) == ["sentiment"]
