"""Labelling many texts: each distinct one once, in order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.knowledge.polarity.protocol import Labels, Progress, classify


class Lengths:
    """Labels a text by its length, and notes what it was asked."""

    name = identity = "lengths"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def label(self, texts: Sequence[str], progress: Progress | None = None) -> Labels:
        self.asked.extend(texts)
        return np.array([len(text) - 1 for text in texts], dtype=np.int8)


def test_a_repeated_text_is_asked_once_and_labelled_everywhere() -> None:
    classifier = Lengths()
    assert classify(classifier, ["b", "aa", "b", "", "aa"]).tolist() == [0, 1, 0, -1, 1]
    assert classifier.asked == ["b", "aa", ""]


def test_no_texts_give_no_labels() -> None:
    assert classify(Lengths(), []).shape == (0,)
