"""Overgeneralization and disparity: how polarised the statements about each target are, and how unevenly so.

Source: Mehrabi et al. (2021, https://arxiv.org/abs/2103.11320), equations 1 to 4. Labels are −1 negative, 0 neutral,
1 positive and 2 other; "other" counts in the denominator only. A target without statements counts 0 %.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.knowledge.targets import Targets
from core.statistics import bootstrap_moments, wilson
from core.vectors import FloatArray

LABELS = (-1, 0, 1, 2)
"""Negative, neutral, positive, other: the order of the columns of `count`."""

REGIONS = ("somewhat neutral", "prejudice", "favoritism", "prejudice and favoritism")
"""What `regions` numbers 0 to 3; the names of Figure 2."""

MINIMUM = 10
"""Statements below which a share says little: its 95 % interval is then wider than 27 points. Ours."""

FEWEST = 3
"""Targets from which on a bootstrap over them says something: one always draws itself. Ours."""


@dataclass(frozen=True)
class Shares:
    """Negative, neutral and positive: percentages, or variances of percentages in points squared."""

    negative: float
    neutral: float
    positive: float

    @property
    def polarised(self) -> float:
        """Negative and positive together."""
        return self.negative + self.positive


@dataclass(frozen=True)
class Summary:
    """A set of targets in a few numbers.

    Parameters
    ----------
    targets, statements : int
        How many.
    over_targets : Shares
        Means over targets of their percentages: every target weighs the same (the paper's 4.5 % and 3.4 % of ConceptNet).
    pooled : Shares
        Percentages of all statements: every statement weighs the same (the paper's 36.5 % of GenericsKB).
    representation : float
        Disparity in representation, D_R: population variance over targets of the number of statements (Eq. 3).
    disparity : Shares
        Disparity in overgeneralization, D_O: population variance over targets of the percentages (Eq. 4), in points squared.
    """

    targets: int
    statements: int
    over_targets: Shares
    pooled: Shares
    representation: float
    disparity: Shares


Interval = tuple[float, float]
"""Low and high."""


@dataclass(frozen=True)
class Bounds:
    """95 % intervals of negative, neutral and positive."""

    negative: Interval | None
    neutral: Interval | None
    positive: Interval | None


@dataclass(frozen=True)
class ShareBounds(Bounds):
    """95 % intervals of percentages; `polarised` is that of negative and positive together."""

    polarised: Interval | None


@dataclass(frozen=True)
class Intervals:
    """How sure the numbers of a `Summary` are, each under its name, at 95 %; None over fewer than `FEWEST` targets.

    Parameters
    ----------
    over_targets : ShareBounds
        Percentile bootstrap over targets: had other targets of the kind been listed.
    pooled : ShareBounds
        Wilson, as if every statement stood for itself; never None.
    representation : tuple of float or None
        Percentile bootstrap over targets.
    disparity : Bounds
        Percentile bootstrap over targets.
    """

    over_targets: ShareBounds
    pooled: ShareBounds
    representation: Interval | None
    disparity: Bounds


@dataclass(frozen=True)
class Harms:
    """The statements of t targets, labelled by one classifier.

    Parameters
    ----------
    targets : Targets
        t targets.
    counts : ndarray of int, shape (t, 4)
        Statements of each target by label, in the order of `LABELS`.
    as_released : bool
        Whether summaries go over the authors' list, which has one target twice.
    """

    targets: Targets
    counts: NDArray[np.int64]
    as_released: bool = False

    @property
    def n(self) -> NDArray[np.int64]:
        """Statements of each target, shape (t,)."""
        total: NDArray[np.int64] = self.counts.sum(axis=1)
        return total

    @property
    def negative(self) -> FloatArray:
        """O⁻ (Eq. 1): percentage of negative statements of each target, 0 to 100, shape (t,)."""
        return percentages(self.counts)[:, 0]

    @property
    def neutral(self) -> FloatArray:
        """Percentage of neutral statements of each target, shape (t,)."""
        return percentages(self.counts)[:, 1]

    @property
    def positive(self) -> FloatArray:
        """O⁺ (Eq. 2): percentage of positive statements of each target, 0 to 100, shape (t,)."""
        return percentages(self.counts)[:, 2]

    @property
    def interval_negative(self) -> FloatArray:
        """95 % Wilson interval of `negative`, shape (t, 2)."""
        return 100 * wilson(self.counts[:, 0], self.n)

    @property
    def interval_positive(self) -> FloatArray:
        """95 % Wilson interval of `positive`, shape (t, 2)."""
        return 100 * wilson(self.counts[:, 2], self.n)

    @property
    def overall(self) -> Summary:
        """All targets."""
        return summarise(self.counts[self._entries])

    @property
    def categories(self) -> dict[str, Summary]:
        """Each category."""
        entries = self._entries
        named = np.array(self.targets.categories)[entries]
        return {name: summarise(self.counts[entries[named == name]]) for name in self.targets.in_order}

    @property
    def intervals(self) -> Intervals:
        """How sure `overall` is."""
        return intervals(self.counts[self._entries])

    @property
    def category_intervals(self) -> dict[str, Intervals]:
        """How sure `categories` are."""
        entries = self._entries
        named = np.array(self.targets.categories)[entries]
        return {name: intervals(self.counts[entries[named == name]]) for name in self.targets.in_order}

    def enough(self, minimum: int = MINIMUM) -> NDArray[np.bool_]:
        """Which targets have at least `minimum` statements, shape (t,)."""
        found: NDArray[np.bool_] = self.n >= minimum
        return found

    @property
    def _entries(self) -> NDArray[np.intp]:
        return self.targets.entries if self.as_released else np.arange(len(self.targets))


def measure(labels: NDArray[np.int8], codes: NDArray[np.intp], targets: Targets, *, as_released: bool = False) -> Harms:
    """Measure labelled statements.

    Parameters
    ----------
    labels : ndarray of int8, shape (n,)
        One of `LABELS` for each statement.
    codes : ndarray of int, shape (n,)
        The target of each, as a place in `targets`.
    as_released : bool, optional
        Go over the authors' list of 330 entries, as the paper's figures do.

    Raises
    ------
    InputError
        A label that is none of the four, or not one label for each statement.

    Examples
    --------
    >>> some = Targets(("teacher", "nurse"), ("profession", "profession"))
    >>> found = measure(np.array([-1, 0, 0, 1], dtype=np.int8), np.array([0, 0, 0, 0]), some)
    >>> found.negative.tolist(), found.overall.over_targets.polarised, found.overall.pooled.polarised
    ([25.0, 0.0], 25.0, 50.0)
    """
    return Harms(targets, count(labels, codes, len(targets)), as_released)


def count(labels: NDArray[np.int8], codes: NDArray[np.intp], targets: int) -> NDArray[np.int64]:
    """Statements of each target by label.

    Returns
    -------
    ndarray of int, shape (targets, 4)
        In the order of `LABELS`.

    Examples
    --------
    >>> count(np.array([-1, 2, 2], dtype=np.int8), np.array([1, 1, 0]), 2).tolist()
    [[0, 0, 0, 1], [1, 0, 0, 1]]
    """
    if len(labels) != len(codes) or not np.isin(labels, LABELS).all():
        strange = sorted(set(np.asarray(labels).tolist()) - set(LABELS))
        raise InputError(
            expected=f"a label −1, 0, 1 or 2 for each of {len(codes):,} statements",
            got=f"{len(labels):,} labels" + (f", among them {strange[:3]}" if strange else ""),
            remedy="use a classifier that answers negative, neutral, positive or other",
        )
    flat = np.asarray(codes, dtype=np.int64) * len(LABELS) + (np.asarray(labels, dtype=np.int64) + 1)
    return np.bincount(flat, minlength=targets * len(LABELS)).reshape(targets, len(LABELS)).astype(np.int64)


def percentages(counts: NDArray[np.int64]) -> FloatArray:
    """Percentages of each row's sum; a row without any counts 0.

    Examples
    --------
    >>> percentages(np.array([[1, 3, 0, 0], [0, 0, 0, 0]])).tolist()
    [[25.0, 75.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    """
    shares: FloatArray = 100 * counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)
    return shares


def summarise(counts: NDArray[np.int64]) -> Summary:
    """A few numbers about the rows of `count`; at least one row.

    Examples
    --------
    >>> found = summarise(np.array([[1, 0, 1, 0], [0, 4, 0, 0]]))
    >>> found.over_targets.polarised, found.representation, found.disparity.neutral
    (50.0, 1.0, 2500.0)
    """
    each = percentages(counts)
    return Summary(
        targets=len(counts),
        statements=int(counts.sum()),
        over_targets=_shares(each.mean(axis=0)),
        pooled=_shares(percentages(counts.sum(axis=0))),
        representation=float(counts.sum(axis=1).var()),
        disparity=_shares(each.var(axis=0)),
    )


def intervals(counts: NDArray[np.int64]) -> Intervals:
    """How sure the numbers of `summarise` are; drawn with the seed of `core.statistics`.

    Examples
    --------
    >>> found = intervals(np.array([[1, 0, 1, 0], [0, 4, 0, 0], [0, 4, 0, 0]]))
    >>> found.over_targets.polarised, intervals(np.array([[1, 0, 1, 0]])).over_targets.polarised
    ((0.0, 100.0), None)
    """
    each, total = percentages(counts), counts.sum(axis=0)
    kinds = np.stack([*each.T[:3], each[:, 0] + each[:, 2]])
    means, variances = over_targets(np.vstack([kinds, counts.sum(axis=1)]))
    pooled = 100 * wilson(np.append(total[:3], total[0] + total[2]), np.full(4, total.sum()))
    return Intervals(
        over_targets=ShareBounds(*means[:4]),
        pooled=ShareBounds(*_as_intervals(pooled)),
        representation=variances[4],
        disparity=Bounds(*variances[:3]),
    )


def over_targets(values: FloatArray) -> tuple[list[Interval | None], list[Interval | None]]:
    """95 % bootstrap intervals over targets of means and of population variances, None over fewer than `FEWEST`.

    Parameters
    ----------
    values : ndarray, shape (k, t)
        k numbers of each of t targets.

    Returns
    -------
    means, variances : list of k intervals
        In the order of `values`.

    Examples
    --------
    >>> over_targets(np.array([[1.0, 1.0, 1.0]])), over_targets(np.array([[1.0]]))
    (([(1.0, 1.0)], [(0.0, 0.0)]), ([None], [None]))
    """
    if values.shape[1] < FEWEST:
        return [None] * len(values), [None] * len(values)
    means, variances = bootstrap_moments(values)
    return list(_as_intervals(means)), list(_as_intervals(variances))


def _as_intervals(ends: FloatArray) -> list[Interval]:
    return [(float(low), float(high)) for low, high in ends]


def thresholds(harms: Harms, categories: Iterable[str], *, minimum: int = MINIMUM) -> tuple[float, float]:
    """Where the regions begin unless a reader says otherwise: medians of O⁻ and O⁺ over targets of `categories`.

    The paper prints none. Targets with fewer than `minimum` statements do not count, unless all are such.

    Examples
    --------
    >>> some = Targets(("a", "b", "c"), ("x", "x", "y"))
    >>> thresholds(Harms(some, np.array([[5, 5, 0, 0], [1, 8, 1, 0], [9, 0, 0, 0]])), ["x"])
    (30.0, 5.0)
    """
    inside = np.isin(np.array(harms.targets.categories), list(categories))
    counted = inside & harms.enough(minimum)
    chosen = counted if counted.any() else inside
    if not chosen.any():
        return 0.0, 0.0
    return float(np.median(harms.negative[chosen])), float(np.median(harms.positive[chosen]))


def regions(negative: FloatArray, positive: FloatArray, limits: tuple[float, float]) -> NDArray[np.int8]:
    """The region of each target: a place in `REGIONS`. A share that equals its threshold is not above it.

    Examples
    --------
    >>> regions(np.array([1.0, 5, 1, 5]), np.array([1.0, 1, 5, 5]), (2.0, 2.0)).tolist()
    [0, 1, 2, 3]
    """
    return ((negative > limits[0]) + 2 * (positive > limits[1])).astype(np.int8)


def _shares(values: FloatArray) -> Shares:
    return Shares(*(float(value) for value in values[:3]))
