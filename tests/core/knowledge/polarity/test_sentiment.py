"""Sentiment: VADER's own score, cut where its authors cut it."""

from __future__ import annotations

import numpy as np
import pytest

from core.knowledge.polarity.sentiment import Sentiment, cut


def test_both_thresholds_belong_to_the_polar_side() -> None:
    assert cut(np.array([-1.0, -0.05, -0.0499, 0.0, 0.0499, 0.05, 1.0])).tolist() == [-1, -1, 0, 0, 0, 1, 1]


@pytest.mark.parametrize(
    ("text", "label"),
    [("this person is kind", 1), ("this person is not kind", -1), ("this person has a house", 0), ("", 0)],
)
def test_a_text_is_labelled_by_its_words_and_their_negation(text: str, label: int) -> None:
    assert Sentiment().label([text]).tolist() == [label]


def test_labels_are_those_of_the_library() -> None:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    texts = ["this person is VERY kind!!!", "this person is sort of a bad cook", "this person :)", "a table"]
    compound = [SentimentIntensityAnalyzer().polarity_scores(text)["compound"] for text in texts]
    assert Sentiment().label(texts).tolist() == cut(np.array(compound)).tolist()


def test_progress_is_reported_and_no_texts_give_no_labels() -> None:
    told: list[float] = []
    assert Sentiment().label([], told.append).shape == (0,)
    Sentiment().label(["a"] * 2_500, told.append)
    assert told == [0.0, 0.4, 0.8]
