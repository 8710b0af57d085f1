"""What every classifier offers: texts in, one label per text out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.knowledge.masking import MASK

Labels = NDArray[np.int8]
"""One label per text: `NEGATIVE`, `NEUTRAL`, `POSITIVE` or `OTHER`."""

Progress = Callable[[float], None]
"""Told the share done, 0 to 1."""

NEGATIVE, NEUTRAL, POSITIVE, OTHER = -1, 0, 1, 2
"""Labels as Sheng et al. (2019) number them; *other* counts in the denominator of a share only."""

NAMES = {NEGATIVE: "negative", NEUTRAL: "neutral", POSITIVE: "positive", OTHER: "other"}

PLACEHOLDERS = ("XYZ", MASK)
"""What stands for the masked group in examples and data: the word of Sheng et al. (2019), and the mask of this app."""


class Classifier(Protocol):
    """Labels texts. The same text always gets the same label."""

    @property
    def name(self) -> str:
        """Short name, by which it can be opened again."""

    @property
    def identity(self) -> str:
        """Names its rule or weights with their version: labels made under another identity are other labels."""

    def label(self, texts: Sequence[str], progress: Progress | None = None) -> Labels:
        """One label for each text, in order; int8 of shape (len(texts),)."""


def classify(classifier: Classifier, texts: Sequence[str], progress: Progress | None = None) -> Labels:
    """Label every text, asking the classifier for each distinct one once.

    Returns
    -------
    ndarray of int8, shape (len(texts),)
        −1 negative, 0 neutral, 1 positive, 2 other.

    Examples
    --------
    >>> from core.knowledge.polarity.sentiment import Sentiment
    >>> classify(Sentiment(), ["this person is kind", "this person is tall", "this person is kind"]).tolist()
    [1, 0, 1]
    """
    place: dict[str, int] = {}
    rows = np.array([place.setdefault(text, len(place)) for text in texts], dtype=np.intp)
    return classifier.label(list(place), progress)[rows]
