"""Sentiment: VADER's own score, cut where its authors cut it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from core.knowledge.polarity.sentiment import Sentiment, cut


def test_both_thresholds_belong_to_the_polar_side() -> None:
    assert cut(np.array([-1.0, -0.05, -0.0499, 0.0, 0.0499, 0.05, 1.0])).tolist() == [-1, -1, 0, 0, 0, 1, 1]


@pytest.mark.parametrize(
    ("text", "label"),
    [("this person is kind", 1), ("this person is not kind", -1), ("this person has a house", 0), ("", 0)],
)
def test_a_text_is_labelled_by_its_words_and_their_negation(text: str, label: int) -> None:
    assert Sentiment().label([text]).tolist() == [label]


SENTIMENT, VADER = Sentiment(), SentimentIntensityAnalyzer()
WORDS = ("table", "person", "kind", "of", "no", "not", "but", "very", "least", "at", "the", "GOOD", "never")
TOKENS = st.sampled_from([*WORDS, *list(VADER.lexicon)[::97], *list(VADER.emojis)[::211], "x", "!!!", "ß", "\u0085"])


@given(st.lists(st.tuples(TOKENS, st.sampled_from(["", ".", "!", "?", ")", "'s", "\u00a0"])), max_size=8))
def test_labels_are_those_of_the_library(parts: list[tuple[str, str]]) -> None:
    text = " ".join(word + mark for word, mark in parts)
    assert SENTIMENT.label([text]).tolist() == cut(np.array([VADER.polarity_scores(text)["compound"]])).tolist()


def test_emoji_and_emoticons_count() -> None:
    assert SENTIMENT.label(["a door 😀", "a door :)", "a door", "a door :("]).tolist() == [1, 1, 0, -1]


def test_every_emoji_is_beyond_ascii() -> None:
    assert [emoji for emoji in VADER.emojis if emoji.isascii()] == []


def test_progress_is_reported_and_no_texts_give_no_labels() -> None:
    told: list[float] = []
    assert Sentiment().label([], told.append).shape == (0,)
    Sentiment().label(["a"] * 2_500, told.append)
    assert told == [0.0, 0.4, 0.8]
