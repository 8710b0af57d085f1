"""The check of a verb extraction by an affective lexicon: are Dos rated pleasant and Don'ts unpleasant?

Source of the check: Jentzsch et al. (2019), section 4. Lexicon: AFINN, edition 165 (Nielsen 2011,
https://github.com/fnielsen/afinn), valences from −5 to 5; a verb without a rating counts 0, as in the paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from types import MappingProxyType

import numpy as np

from core.assets import package_lines
from core.vectors import FloatArray


@dataclass(frozen=True)
class Valence:
    """Mean valence of n verbs and its population standard deviation, the kind that the paper prints."""

    mean: float
    sd: float
    n: int


@dataclass(frozen=True)
class Comparison:
    """Valences of Dos and Don'ts; t is Student's (pooled variance), p two-sided.

    Both are None if a side holds a single verb, or if neither side varies.
    """

    dos: Valence
    donts: Valence
    t: float | None
    p: float | None


@dataclass(frozen=True)
class Affect:
    """The check over all verbs, and over rated ones alone (None if a side has none)."""

    all: Comparison
    rated: Comparison | None


def validate(dos: Sequence[str], donts: Sequence[str]) -> Affect:
    """Rate two lists of verbs by AFINN; neither is empty.

    Examples
    --------
    >>> check = validate(["smile", "stroll"], ["murder", "harm"])
    >>> check.all.dos.mean, check.all.donts.mean, check.rated.dos
    (1.0, -2.0, Valence(mean=2.0, sd=0.0, n=1))
    """
    rating = afinn()
    rated = [np.array([rating[verb] for verb in side if verb in rating]) for side in (dos, donts)]
    counted = [np.array([rating.get(verb, 0.0) for verb in side]) for side in (dos, donts)]
    return Affect(all=compare(*counted), rated=compare(*rated) if all(map(len, rated)) else None)


def compare(dos: FloatArray, donts: FloatArray) -> Comparison:
    """Compare two lists of valences; neither is empty.

    Examples
    --------
    >>> compare(np.array([1.0, 3.0]), np.array([-1.0, -3.0])).t
    2.82842712474619
    """
    t = p = None
    if min(len(dos), len(donts)) > 1 and dos.std() + donts.std() > 0:
        from scipy import stats

        sides = ((side.mean(), side.std(ddof=1), len(side)) for side in (dos, donts))
        t, p = map(float, stats.ttest_ind_from_stats(*chain.from_iterable(sides)))
    return Comparison(_valence(dos), _valence(donts), t, p)


@cache
def afinn() -> Mapping[str, float]:
    """Valence by word, from −5 to 5.

    Raises
    ------
    AssetError
        The lexicon is not installed.

    Examples
    --------
    >>> len(afinn()), afinn()["smile"]
    (3382, 2.0)
    """
    lines = package_lines("afinn", "AFINN-en-165.txt")
    return MappingProxyType(
        {word: float(valence) for word, _, valence in (line.partition("\t") for line in lines) if valence}
    )


def _valence(values: FloatArray) -> Valence:
    return Valence(float(values.mean()), float(values.std()), len(values))
