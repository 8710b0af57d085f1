"""The Word Embedding Association Test: are the words of X nearer to A than those of Y, compared with B?

Source: Caliskan, Bryson, Narayanan (2017), "Semantics derived automatically from language corpora contain human-like
biases", https://doi.org/10.1126/science.aal4230, section "Word-Embedding Association Test"; for single words Jentzsch
et al. (2019), Eq. 1. Two things are often done otherwise, and wrongly: a permutation draws **without** replacement
(every partition of the words keeps the two sizes), and the observed partition counts too, so that p is never 0.

Shapes: n = nx + ny target words (X first), m = na + nb attribute words (A first).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations
from math import comb

import numpy as np

from core.association.lexicon import as_frequent_as
from core.association.sets import MIN_WORDS, Vocabulary, WordTest, within
from core.encoders.protocol import Encoder
from core.errors import InputError
from core.statistics import SEED, quantile_interval
from core.vectors import FloatArray, unit

MAX_PARTITIONS = 20_000
"""Partitions counted one by one; with more, `DRAWS` are drawn. Keeps 8 + 8 words (12,870) exact."""

DRAWS = 10_000
"""Drawn partitions: a p of 0.05 then has a standard error of 0.002."""

MIN_SIDE = 4
"""Fewest target words a side for a p: with three, the smallest possible p is 1/20."""

NULL_DRAWS = 2000
"""Draws of random words behind the null band; each end then rests on 50."""

FLAT = 1e-7
"""Associations closer together than this are equal: single-precision embeddings carry no more digits."""

_CELLS = 1 << 20
"""Random numbers held at once while drawing: 8 MB."""


@dataclass(frozen=True)
class Significance:
    """How often a random partition of the target words does as well as the given one.

    Parameters
    ----------
    one_sided : float
        Share of partitions whose statistic is at least the observed one, 0 < p ≤ 1.
    two_sided : float
        Share whose statistic is at least as far from 0.
    exact : bool
        Whether every partition was counted; else (count + 1) / (draws + 1) of random ones.
    partitions : int
        Partitions counted or drawn.
    """

    one_sided: float
    two_sided: float
    exact: bool
    partitions: int


@dataclass(frozen=True)
class Weat:
    """One test. Positive: X goes with A and Y with B.

    Parameters
    ----------
    associations : ndarray, shape (n,)
        s(w, A, B) of each target word, X first; range [-2, 2].
    attributes : ndarray, shape (m,)
        s(w, X, Y) of each attribute word, A first: which of them carry the result.
    statistic : float
        S = sum of s over X − sum over Y.
    effect : float
        d = (mean of s over X − mean over Y) / standard deviation over both.
    ddof : int
        0: population standard deviation (then |d| ≤ 2 for equal sizes); 1: sample.
    significance : Significance or None
        None below `MIN_SIDE` words a side.
    without : ndarray, shape (n + m,)
        d with one word left out, in the order X, Y, A, B.
    """

    associations: FloatArray
    attributes: FloatArray
    statistic: float
    effect: float
    ddof: int
    significance: Significance | None
    without: FloatArray


def association(words: FloatArray, positive: FloatArray, negative: FloatArray) -> FloatArray:
    """s(w, A, B) = mean cosine with A − mean cosine with B, for each of v words.

    Parameters
    ----------
    words : ndarray, shape (v, d)
        Embedded words.
    positive, negative : ndarray, shape (na, d) and (nb, d)
        Embedded attribute words.

    Returns
    -------
    ndarray, shape (v,)
        Range [-2, 2]; positive: nearer to A.

    Examples
    --------
    >>> association(np.array([[3.0, 4.0]]), np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])).round(3).tolist()
    [-0.2]
    """
    # A mean of cosines is the product with the mean of the unit vectors.
    scores: FloatArray = unit(words) @ (unit(positive).mean(axis=0) - unit(negative).mean(axis=0))
    return scores


def effect_size(associations: FloatArray, first: int, *, ddof: int = 0) -> FloatArray:
    """Effect size d along the last axis; the first `first` values belong to X, the others to Y.

    Raises
    ------
    InputError
        The values do not vary, so that d does not exist.

    Examples
    --------
    >>> effect_size(np.array([1.0, 1.0, -1.0, -1.0]), 2).tolist()
    2.0
    """
    spread = associations.std(axis=-1, ddof=ddof)
    if (spread < FLAT).any():
        raise InputError(
            expected="target words that differ in their association",
            got="the same association for all of them, so that an effect size does not exist",
            remedy="use other target words, or attribute sets that differ",
        )
    effects: FloatArray = _mean_difference(associations, first) / spread
    return effects


def significance(associations: FloatArray, first: int, *, draws: int = DRAWS, seed: int = SEED) -> Significance:
    """Permutation test over the partitions of the target words into sets of the given sizes.

    Exact if there are at most `MAX_PARTITIONS`. Compares mean differences, which for equal sizes order the partitions
    as S does. Ties count: the observed partition is always one of them.

    Parameters
    ----------
    associations : ndarray, shape (n,)
        s of each target word.
    first : int
        Words of X; they come first.

    Examples
    --------
    >>> significance(np.array([4.0, 3.0, -3.0, -4.0]), 2)
    Significance(one_sided=0.16666666666666666, two_sided=0.3333333333333333, exact=True, partitions=6)
    """
    count = len(associations)
    exact = comb(count, first) <= MAX_PARTITIONS
    differences = _contrasts(count, first) @ associations if exact else _drawn(associations, first, draws, seed)
    observed = _mean_difference(associations, first)
    slack = 1e-12 * np.abs(associations).sum()  # sums in another order round otherwise
    at_least = int((differences >= observed - slack).sum())
    as_far = int((np.abs(differences) >= abs(observed) - slack).sum())
    own = 0 if exact else 1  # among all partitions the observed one is counted already
    total = len(differences) + own
    return Significance((at_least + own) / total, (as_far + own) / total, exact, len(differences))


def evaluate(
    similarity: FloatArray, first: int, positive: int, *, ddof: int = 0, draws: int = DRAWS, seed: int = SEED
) -> Weat:
    """The whole test from the cosines of target and attribute words.

    Parameters
    ----------
    similarity : ndarray, shape (n, m)
        Rows: X, then Y. Columns: A, then B. At least two words in each set.
    first, positive : int
        Words of X, words of A.
    ddof : int
        0 or 1, see `Weat`.

    Raises
    ------
    InputError
        A set of one word, or associations that do not vary, be it after one word is left out.

    Examples
    --------
    >>> near, far = [0.9, 0.7, 0.1, 0.0], [0.1, 0.0, 0.8, 0.9]
    >>> result = evaluate(np.array([near, [0.8, 0.8, 0.1, 0.1], far, [0.2, 0.0, 0.7, 0.9]]), 2, 2)
    >>> round(result.statistic, 2), round(result.effect, 2), result.significance
    (2.95, 2.0, None)
    """
    if min(first, len(similarity) - first, positive, similarity.shape[1] - positive) < MIN_WORDS:
        raise InputError(
            expected=f"at least {MIN_WORDS} words in each set", got="a set with fewer", remedy="add words to it"
        )
    columns = similarity[:, :positive], similarity[:, positive:]
    associations = columns[0].mean(axis=1) - columns[1].mean(axis=1)
    # Row i of each: the associations of all target words without attribute word i.
    without_a = _means_without_one(columns[0]) - columns[1].mean(axis=1)
    without_b = columns[0].mean(axis=1) - _means_without_one(columns[1])
    fewer = _without_one(associations)
    return Weat(
        associations=associations,
        attributes=similarity[:first].mean(axis=0) - similarity[first:].mean(axis=0),
        statistic=float(associations[:first].sum() - associations[first:].sum()),
        effect=float(effect_size(associations, first, ddof=ddof)),
        ddof=ddof,
        significance=(
            significance(associations, first, draws=draws, seed=seed)
            if min(first, len(associations) - first) >= MIN_SIDE
            else None
        ),
        without=np.concatenate(
            [
                effect_size(fewer[:first], first - 1, ddof=ddof),
                effect_size(fewer[first:], first, ddof=ddof),
                effect_size(without_a, first, ddof=ddof),
                effect_size(without_b, first, ddof=ddof),
            ]
        ),
    )


def null_band(
    pool: FloatArray, first: int, second: int, *, ddof: int = 0, draws: int = NULL_DRAWS, seed: int = SEED
) -> tuple[float, float]:
    """The central 95 % of d for random target words: what noise alone reaches with sets of this size.

    Parameters
    ----------
    pool : ndarray, shape (v,)
        s of the words to draw from, without replacement within a draw.
    first, second : int
        Words of X and of Y.

    Raises
    ------
    InputError
        Fewer words than a draw needs, or words without any spread.

    Examples
    --------
    >>> low, high = null_band(np.random.default_rng(0).standard_normal(4000), 8, 8)
    >>> round(low, 1), round(high, 1)
    (-1.0, 1.0)
    """
    if len(pool) < first + second:
        raise InputError(
            expected=f"at least {first + second} words to draw from", got=f"{len(pool)}", remedy="use smaller sets"
        )
    picked = _distinct(len(pool), first + second, draws, seed)
    low, high = quantile_interval(effect_size(pool[picked], first, ddof=ddof))
    return float(low), float(high)


def holm(p: FloatArray) -> FloatArray:
    """Holm's step-down adjusted p of several tests shown together, in their order.

    Source: Holm (1979), "A Simple Sequentially Rejective Multiple Test Procedure", Scand. J. Statist. 6, 65–70.

    Examples
    --------
    >>> holm(np.array([0.01, 0.04, 0.03])).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = stepped.clip(max=1.0)
    return adjusted


@dataclass(frozen=True)
class Outcome:
    """A word test as one encoder answers it.

    Parameters
    ----------
    test : WordTest
        The words that were used.
    missing : tuple of str
        Words left out because the encoder's vocabulary lacks them.
    weat : Weat
        The result.
    null_band : tuple of float or None
        d of equally frequent random words, see `null_band`; None if the vocabulary holds too few of them.
    """

    test: WordTest
    missing: tuple[str, ...]
    weat: Weat
    null_band: tuple[float, float] | None


def run(
    encoder: Encoder, test: WordTest, *, vocabulary: Vocabulary | None = None, ddof: int = 0, seed: int = SEED
) -> Outcome:
    """Embed the words of a test, evaluate it, and see what random words of the same frequencies reach.

    Parameters
    ----------
    encoder : Encoder
        Embeds single words.
    test : WordTest
        Checked word sets.
    vocabulary : container of str, optional
        The words the encoder knows, if it does not know all (a word-vector file).

    Raises
    ------
    InputError
        Over a fifth of a set is missing from the vocabulary, or the associations do not vary.
    """
    used, missing = within(test, vocabulary)
    targets, attributes = (*used.x.words, *used.y.words), (*used.a.words, *used.b.words)
    first, second, positive = len(used.x.words), len(used.y.words), len(used.a.words)
    columns = encoder.encode(attributes)
    noise = [word for word in as_frequent_as(targets) if vocabulary is None or word in vocabulary]
    band = None
    if len(noise) >= first + second:
        pool = association(encoder.encode(noise), columns[:positive], columns[positive:])
        band = null_band(pool, first, second, ddof=ddof, seed=seed)
    similarity = unit(encoder.encode(targets)) @ unit(columns).T
    return Outcome(used, missing, evaluate(similarity, first, positive, ddof=ddof, seed=seed), band)


def _mean_difference(associations: FloatArray, first: int) -> FloatArray:
    difference: FloatArray = associations[..., :first].mean(axis=-1) - associations[..., first:].mean(axis=-1)
    return difference


@lru_cache(maxsize=8)
def _contrasts(count: int, first: int) -> FloatArray:
    """Rows that give, times the associations, the mean difference of every partition; the given one comes first."""
    members = chain.from_iterable(combinations(range(count), first))
    index = np.fromiter(members, dtype=np.intp, count=comb(count, first) * first).reshape(-1, first)
    rows = np.full((len(index), count), -1 / (count - first))
    np.put_along_axis(rows, index, 1 / first, axis=1)
    rows.setflags(write=False)
    return rows


def _drawn(associations: FloatArray, first: int, draws: int, seed: int) -> FloatArray:
    """Mean differences of random partitions, shape (draws,)."""
    rng = np.random.default_rng(seed)
    most = max(1, _CELLS // len(associations))
    rows = [min(most, draws - start) for start in range(0, draws, most)]
    orders = (rng.permuted(np.tile(associations, (row, 1)), axis=1) for row in rows)
    return np.concatenate([_mean_difference(order, first) for order in orders])


def _distinct(size: int, count: int, draws: int, seed: int) -> FloatArray:
    """Rows of `count` different indices below `size` in random order (Floyd's sampling, all rows at once)."""
    rng = np.random.default_rng(seed)
    picked = np.empty((draws, count), dtype=np.intp)
    for column in range(count):
        last = size - count + column
        drawn = rng.integers(0, last, size=draws, endpoint=True)
        taken = (picked[:, :column] == drawn[:, None]).any(axis=1)
        picked[:, column] = np.where(taken, last, drawn)
    return rng.permuted(picked, axis=1)


def _without_one(values: FloatArray) -> FloatArray:
    """Row i: `values` without value i; shape (n, n - 1)."""
    count = len(values)
    return np.tile(values, (count, 1))[~np.eye(count, dtype=bool)].reshape(count, count - 1)


def _means_without_one(columns: FloatArray) -> FloatArray:
    """Row i: the row means of `columns` without column i; shape (columns, rows)."""
    means: FloatArray = (columns.sum(axis=1) - columns.T) / (columns.shape[1] - 1)
    return means
