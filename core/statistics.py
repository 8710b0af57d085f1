"""Intervals, ranks and correlations: how sure a number is.

Everything random takes a seed; the same seed gives the same interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.vectors import FloatArray

LEVEL = 0.95
"""Coverage of every interval in the app."""

DRAWS = 1000
"""Bootstrap draws; the 2.5 % quantile then rests on 25 draws."""

SEED = 20190127
"""One fixed seed, so that the same question gets the same interval (first day of AIES 2019)."""


@dataclass(frozen=True)
class Correlation:
    """A correlation with its 95 % interval, two-sided p and number of pairs; r lies in [-1, 1]."""

    r: float
    low: float
    high: float
    p: float
    n: int


def resample(count: int, *, draws: int = DRAWS, seed: int = SEED) -> FloatArray:
    """Bootstrap weights: each row says how often each of `count` items was drawn, divided by `count`.

    Returns
    -------
    ndarray, shape (draws, count)
        Rows sum to 1.

    Examples
    --------
    >>> resample(4, draws=2).sum(axis=1).tolist()
    [1.0, 1.0]
    """
    rng = np.random.default_rng(seed)
    return rng.multinomial(count, np.full(count, 1 / count), size=draws) / count


def quantile_interval(draws: FloatArray, *, axis: int = 0) -> tuple[FloatArray, FloatArray]:
    """The central 95 % of `draws` along `axis` (percentile interval), as (low, high)."""
    tail = (1 - LEVEL) / 2
    low, high = np.quantile(draws, [tail, 1 - tail], axis=axis)
    return low, high


def bootstrap_mean(values: FloatArray, *, draws: int = DRAWS, seed: int = SEED) -> tuple[FloatArray, FloatArray]:
    """95 % percentile bootstrap interval of the mean over the last axis.

    Parameters
    ----------
    values : ndarray, shape (n, q)
        q observations (templates) of each of n items.

    Returns
    -------
    low, high : ndarray, shape (n,)
        For one observation both equal it: nothing can be said about its spread.

    Examples
    --------
    >>> low, high = bootstrap_mean(np.array([[1.0, 1.0, 1.0]]))
    >>> float(low[0]), float(high[0])
    (1.0, 1.0)
    """
    weights = resample(values.shape[-1], draws=draws, seed=seed)
    return quantile_interval(np.asarray(values, dtype=np.float64) @ weights.T, axis=-1)


def bootstrap_moments(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """95 % percentile bootstrap intervals of the mean and of the population variance over the last axis.

    Percentiles of a variance run a little low: a draw repeats items, so it varies less, by 1/n on average.

    Parameters
    ----------
    values : ndarray, shape (k, n)
        k numbers of each of n > 0 items (targets); an item is drawn with all its numbers.

    Returns
    -------
    mean, variance : ndarray, shape (k, 2)
        Low and high of each. For one item both equal its value, and 0: nothing can be said about its spread.

    Examples
    --------
    >>> mean, variance = bootstrap_moments(np.array([[2.0, 2.0, 2.0]]))
    >>> mean.tolist(), variance.tolist()
    ([[2.0, 2.0]], [[0.0, 0.0]])
    """
    centre = values.mean(axis=-1, keepdims=True)
    weights = _weights(values.shape[-1])
    means, squares = (values - centre) @ weights.T, (values - centre) ** 2 @ weights.T
    mean = centre + np.stack(quantile_interval(means, axis=-1), axis=-1)
    variance = np.stack(quantile_interval(np.maximum(squares - means**2, 0), axis=-1), axis=-1)
    return mean, variance


@lru_cache(maxsize=8)
def _weights(count: int) -> FloatArray:
    """`resample`, drawn once for each number of items: drawing takes longer than all that is made of it."""
    return resample(count)


def rank_among(values: FloatArray, reference: FloatArray) -> FloatArray:
    """Place of each value if it joined `reference`, 1 = the largest; ties take the better place.

    Returns
    -------
    ndarray of int, shape (n,)
        1 … len(reference) + 1.

    Examples
    --------
    >>> rank_among(np.array([5.0, 1.5]), np.array([1.0, 2.0])).tolist()
    [1, 2]
    """
    ordered = np.sort(reference)
    larger: FloatArray = len(ordered) - np.searchsorted(ordered, values, side="right")
    return larger + 1


def pearson(x: FloatArray, y: FloatArray) -> Correlation:
    """Pearson's r with Fisher's z interval and two-sided p.

    Raises
    ------
    InputError
        Fewer than four pairs, or one side does not vary.

    Examples
    --------
    >>> round(pearson(np.array([1.0, 2, 3, 4]), np.array([2.0, 4, 6, 9])).r, 3)
    0.994
    """
    from scipy import stats

    _check_pairs(x, y)
    found = stats.pearsonr(x, y)
    interval = found.confidence_interval(LEVEL)
    return Correlation(float(found.statistic), float(interval.low), float(interval.high), float(found.pvalue), len(x))


def spearman(x: FloatArray, y: FloatArray) -> Correlation:
    """Spearman's rank correlation: Pearson's r of the ranks, interval and p made the same way.

    Examples
    --------
    >>> spearman(np.array([1.0, 2, 3, 4]), np.array([1.0, 10, 100, 1000])).r
    1.0
    """
    from scipy import stats

    _check_pairs(x, y)
    return pearson(stats.rankdata(x), stats.rankdata(y))


def _check_pairs(x: FloatArray, y: FloatArray) -> None:
    if len(x) != len(y) or len(x) < 4:
        raise InputError(
            expected="at least four pairs of numbers", got=f"{len(x)} and {len(y)}", remedy="give more pairs"
        )
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        raise InputError(
            expected="numbers that vary on both sides",
            got="the same number throughout one side",
            remedy="a correlation of a constant does not exist; use other items",
        )


@dataclass(frozen=True)
class Line:
    """A least-squares line with the 95 % band of its mean.

    Parameters
    ----------
    slope, intercept : float
        y = intercept + slope · x.
    x, y, low, high : ndarray, shape (points,)
        The line and its band between the smallest and the largest x.
    """

    slope: float
    intercept: float
    x: FloatArray
    y: FloatArray
    low: FloatArray
    high: FloatArray


def line(x: FloatArray, y: FloatArray, *, points: int = 41) -> Line:
    """Fit a line by least squares; the band is that of the mean (Student's t with n − 2 degrees of freedom).

    Raises
    ------
    InputError
        Fewer than four pairs, or one side does not vary.

    Examples
    --------
    >>> found = line(np.array([0.0, 1, 2, 3]), np.array([1.0, 3, 5, 7.1]))
    >>> round(found.slope, 2), round(found.intercept, 2)
    (2.03, 0.98)
    """
    from scipy import stats

    _check_pairs(x, y)
    slope, intercept = (float(value) for value in np.polyfit(x, y, 1))
    residual = y - (intercept + slope * x)
    variance = float(residual @ residual) / (len(x) - 2)
    grid = np.linspace(x.min(), x.max(), points)
    centred = x - x.mean()
    error = np.sqrt(variance * (1 / len(x) + (grid - x.mean()) ** 2 / (centred @ centred)))
    half = float(stats.t.ppf((1 + LEVEL) / 2, len(x) - 2)) * error
    fitted = intercept + slope * grid
    return Line(slope, intercept, grid, fitted, fitted - half, fitted + half)


def wilson(hits: NDArray[np.int64] | int, n: NDArray[np.int64] | int) -> FloatArray:
    """Wilson score interval of a proportion, 95 %.

    Source: Wilson (1927), https://doi.org/10.1080/01621459.1927.10502953.

    Parameters
    ----------
    hits, n : int or ndarray of int, shape (t,)
        Successes and trials.

    Returns
    -------
    ndarray, shape (2,) or (t, 2)
        Low and high, 0 to 1; (0, 1) where there was no trial.

    Examples
    --------
    >>> wilson(np.array([0, 5]), np.array([0, 10])).round(3).tolist()
    [[0.0, 1.0], [0.237, 0.763]]
    """
    from scipy import stats

    hits, n = np.asarray(hits), np.asarray(n)
    z = float(stats.norm.ppf((1 + LEVEL) / 2))
    centre = (hits + z**2 / 2) / (n + z**2)
    half = z / (n + z**2) * np.sqrt(hits * (n - hits) / np.maximum(n, 1) + z**2 / 4)
    # Rounding must not put the end of an interval beyond what is possible, or beyond the share itself.
    low = np.where(hits == 0, 0.0, centre - half)
    high = np.where(hits == n, 1.0, centre + half)
    return np.stack([low, high], axis=-1)
