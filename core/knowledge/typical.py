"""Words that are typical of some statements, against others.

Source: Monroe, Colaresi, Quinn (2008, https://doi.org/10.1093/pan/mpn018), equations 16 and 22: log-odds ratio with an
informative Dirichlet prior, in standard errors.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.knowledge.masking import MASK

PRIOR = 100.0
"""Words that the prior counts for. Ours: about as many as the polarised statements of a target hold."""

STANDS_OUT = 2.0
"""Standard errors from which a word is not easily chance: about one in 40 gets there by it."""

LEAST = 2
"""Fewest uses of a word that is called typical."""


@dataclass(frozen=True)
class TypicalWord:
    """A word with how typical it is, in standard errors, and how often it was used in the statements in question."""

    word: str
    z: float
    uses: int


def words(text: str) -> list[str]:
    """Words of a masked statement in lower case, without the mask.

    Examples
    --------
    >>> words("This person isn't located at the library.")
    ["isn't", 'located', 'at', 'the', 'library']
    """
    return re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", text.lower().replace(MASK, " "))


def typical(
    inside: Iterable[str], outside: Iterable[str], background: Iterable[str], *, top: int
) -> tuple[TypicalWord, ...]:
    """The words most typical of some statements, most typical first; only words with more than chance in their favour.

    Parameters
    ----------
    inside, outside : iterable of str
        Masked statements to characterise, and those to set them against.
    background : iterable of str
        Statements whose words make the prior, for instance all of the source.
    top : int
        Most words returned.

    Returns
    -------
    tuple of TypicalWord
        z > 0; from `STANDS_OUT` on it is not easily chance.

    Examples
    --------
    >>> found = typical(["late late late"], ["kind person"], ["late kind person"], top=1)
    >>> found[0].word, found[0].uses
    ('late', 3)
    """
    here, there = _count(inside), _count(outside)
    prior = _count(background) + here + there
    known = [word for word, uses in here.items() if uses >= LEAST]
    if not known:
        return ()
    a = np.array([here[word] for word in known], dtype=float)
    b = np.array([there[word] for word in known], dtype=float)
    p = PRIOR * np.array([prior[word] for word in known], dtype=float) / prior.total()
    odds = np.log((a + p) / (here.total() + PRIOR - a - p)) - np.log((b + p) / (there.total() + PRIOR - b - p))
    z = odds / np.sqrt(1 / (a + p) + 1 / (b + p))
    order = np.argsort(-z, kind="stable")[:top]
    return tuple(TypicalWord(known[row], float(z[row]), int(a[row])) for row in order if z[row] > 0)


def _count(texts: Iterable[str]) -> Counter[str]:
    return Counter(word for text in texts for word in words(text))


def split(masked: Sequence[str], labels: np.ndarray, label: int) -> tuple[list[str], list[str]]:
    """Masked statements with one label, and those with another."""
    inside = [text for text, found in zip(masked, labels.tolist(), strict=True) if found == label]
    return inside, [text for text, found in zip(masked, labels.tolist(), strict=True) if found != label]
