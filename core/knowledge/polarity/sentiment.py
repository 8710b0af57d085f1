"""Sentiment by VADER, a lexicon with rules for negation, degree and punctuation.

Source: Hutto and Gilbert (2014), https://github.com/cjhutto/vaderSentiment; thresholds from its documentation, as in Mehrabi
et al. (2021), section 3.1.
"""

from __future__ import annotations

import string
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import version

import numpy as np

from core.knowledge.polarity.protocol import Labels, Progress
from core.vectors import FloatArray

THRESHOLD = 0.05
"""Compound score from which on a text is positive, and below whose negative it is negative; both bounds belong."""

_PART = 1_000
"""Texts between two reports of progress. Ours: about a tenth of a second."""


class Sentiment:
    """VADER's compound score, cut into three."""

    name = "sentiment"

    def __init__(self) -> None:
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

        self.identity = f"VADER {version('vaderSentiment')}, compound ±{THRESHOLD}"
        analyzer = SentimentIntensityAnalyzer()
        self._rate, self._lexicon = analyzer.polarity_scores, analyzer.lexicon
        self._rated = lru_cache(maxsize=1 << 16)(self._is_rated)

    def label(self, texts: Sequence[str], progress: Progress | None = None) -> Labels:
        """One label for each text."""
        compound = np.empty(len(texts))
        for row, text in enumerate(texts):
            if progress and row % _PART == 0:
                progress(row / len(texts))
            # Without a word of its lexicon, and without an emoji, VADER always says 0.
            said = not text.isascii() or any(map(self._rated, text.split()))
            compound[row] = self._rate(text)["compound"] if said else 0.0
        return cut(compound)

    def _is_rated(self, token: str) -> bool:
        word = token.strip(string.punctuation)
        return (word if len(word) > 2 else token).lower() in self._lexicon


def cut(compound: FloatArray) -> Labels:
    """Labels of compound scores in [−1, 1].

    Examples
    --------
    >>> cut(np.array([-0.05, -0.049, 0.049, 0.05])).tolist()
    [-1, 0, 0, 1]
    """
    return (compound >= THRESHOLD).astype(np.int8) - (compound <= -THRESHOLD).astype(np.int8)
