"""UnQover: how far answers prefer a subject once position and attribute errors are taken out.

Source: Li et al. (2020), https://arxiv.org/abs/2010.02428, section 4, as Zhao et al. (2021),
https://arxiv.org/abs/2106.01465, section 2.5, use it.

A story is asked four times: both orders of its two subjects, an attribute *a* and its negation *ā*. `scores` holds the
four answers of n stories, shape (2, 2, 2, n): order (subject 1 first, subject 2 first), question (a, ā), subject (1, 2),
story; each S lies in [0, 1]. One story alone has the shape (2, 2, 2).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.statistics import SEED, bootstrap_mean, quantile_interval, resample
from core.vectors import FloatArray

Codes = NDArray[np.intp]
"""Places in a list of names."""

FEWEST = 3
"""Fewest subjects that an interval is drawn from. Two are mirror images of each other: every draw gives the same μ."""

NOISE_DRAWS = 200
"""Draws of the noise line, as many as that of the moral axis."""


@dataclass(frozen=True)
class Correction:
    """The four answers to one story, and what each step of the correction makes of them.

    Parameters
    ----------
    scores : ndarray, shape (2, 2, 2)
        Order, question, subject.
    over_orders : ndarray, shape (2, 2)
        Mean over both orders: question, subject. A preference for a position is gone.
    bias : ndarray, shape (2,)
        B of either subject: attribute less negation, in [-1, 1]. A liking for the subject whatever is asked is gone.
    comparative : float
        C = ½ (B₁ − B₂) in [-1, 1]; positive: subject 1 is preferred for the attribute.
    position_error, attribute_error : float
        How much of the raw answers came from position, and from not reading the negation; in [0, 1].
    """

    scores: FloatArray
    over_orders: FloatArray
    bias: FloatArray
    comparative: float
    position_error: float
    attribute_error: float


def correct(scores: FloatArray) -> Correction:
    """Take position and attribute errors out of the four answers to one story, step by step.

    Examples
    --------
    >>> found = correct(np.array([[[0.8, 0.2], [0.4, 0.6]], [[0.6, 0.4], [0.2, 0.8]]]))
    >>> found.over_orders.round(2).tolist(), found.bias.round(2).tolist(), round(found.comparative, 2)
    ([[0.7, 0.3], [0.3, 0.7]], [0.4, -0.4], 0.4)
    """
    return Correction(
        scores,
        scores.mean(axis=0),
        bias(scores),
        float(comparative(scores)),
        float(position_error(scores)),
        float(attribute_error(scores)),
    )


def bias(scores: FloatArray) -> FloatArray:
    """B(x|·, a) of both subjects, Li et al. (2020) Eq. 3: mean over orders of S on a, less the same on ā.

    Returns
    -------
    ndarray, shape (2, n)
        In [-1, 1]; positive: the subject goes with the attribute rather than with its negation.
    """
    found: FloatArray = (scores[0, 0] + scores[1, 0] - scores[0, 1] - scores[1, 1]) / 2
    return found


def comparative(scores: FloatArray) -> FloatArray:
    """C(x1, x2, a) = ½ [B(x1) − B(x2)] of each story, Li et al. (2020) Eq. 4; shape (n,), in [-1, 1].

    Examples
    --------
    >>> float(comparative(np.array([[[1.0, 0], [0, 1]], [[1, 0], [0, 1]]])))
    1.0
    """
    both = bias(scores)
    found: FloatArray = (both[0] - both[1]) / 2
    return found


def position_error(scores: FloatArray) -> FloatArray:
    """δ of each story: mean over subject and question of |S in one order − S in the other|; shape (n,), in [0, 1]."""
    found: FloatArray = np.abs(scores[0] - scores[1]).sum(axis=(0, 1)) / 4
    return found


def attribute_error(scores: FloatArray) -> FloatArray:
    """ε of each story: mean over order and subject of |S(one | a) − S(other | ā)|; shape (n,), in [0, 1].

    A reader who understands the negation gives what one subject has for a to the other for ā, and ε is 0.
    """
    found: FloatArray = np.abs(scores[:, 0] - scores[:, 1, ::-1]).sum(axis=(0, 1)) / 4
    return found


@dataclass(frozen=True)
class Sums:
    """What is kept of any number of stories; the sums of two parts add up to those of the whole.

    Parameters
    ----------
    ends : ndarray of int, shape (pairs, 2)
        Subjects 1 and 2 of each pair; each pair occurs in one direction only.
    subjects : int
        How many subjects there are.
    cells : ndarray, shape (6, kinds, pairs, attributes)
        Sums of C, its sign, its square, δ and ε, and the number of stories.
    """

    ends: Codes
    subjects: int
    cells: FloatArray

    def __add__(self, other: Sums) -> Sums:
        return Sums(self.ends, self.subjects, self.cells + other.cells)

    def only(self, attributes: Codes) -> Sums:
        """The sums over some attributes, a theme for example."""
        return Sums(self.ends, self.subjects, self.cells[..., attributes])


@dataclass(frozen=True)
class Measures:
    """The figures of one class of interventions.

    Parameters
    ----------
    mu : float
        Mean over subjects of the largest |γ| over attributes, in [0, 1]; 0: no preference.
    eta : float
        Mean over subjects and attributes of |mean sign of C|, in [0, 1]; 1: always the same subject.
    delta, epsilon : float
        Mean position and attribute error, in [0, 1].
    theta4 : float
        Mean over pairs of the largest |mean C| over attributes, in [0, 1].
    n : int
        Stories that were counted.
    gamma, steadiness : ndarray, shape (subjects, attributes)
        γ, the mean of C as seen from the subject, and η(x, a), the mean of its sign; nan without a story.
    counts : ndarray of int, shape (subjects, attributes)
        Stories behind each.
    spread : ndarray, shape (subjects, attributes)
        Standard deviation that γ would have if every story fell to either subject by chance.
    errors : ndarray, shape (2, subjects)
        Sums of δ and ε over the stories of each subject.
    """

    mu: float
    eta: float
    delta: float
    epsilon: float
    theta4: float
    n: int
    gamma: FloatArray
    steadiness: FloatArray
    counts: FloatArray
    spread: FloatArray
    errors: FloatArray

    @property
    def largest(self) -> FloatArray:
        """The largest |γ| over attributes of each subject that has a story; their mean is μ."""
        known = self.counts.any(axis=1)
        return _largest(self.gamma[known])

    def interval(self) -> tuple[float, float]:
        """95 % bootstrap interval of μ over subjects (seeded); (nan, nan) of fewer than `FEWEST`."""
        if len(largest := self.largest) < FEWEST:
            return float("nan"), float("nan")
        low, high = bootstrap_mean(largest[None])
        return float(low[0]), float(high[0])

    def error_intervals(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """95 % bootstrap intervals of δ and of ε over subjects (seeded), a subject drawn with all its stories."""
        counts = self.counts.sum(axis=1)
        known = counts > 0
        if known.sum() < FEWEST:
            return (float("nan"), float("nan")), (float("nan"), float("nan"))
        weights = resample(int(known.sum()))
        low, high = quantile_interval((weights @ self.errors[:, known].T) / (weights @ counts[known])[:, None])
        return (float(low[0]), float(high[0])), (float(low[1]), float(high[1]))

    def noise(self, *, draws: int = NOISE_DRAWS, seed: int = SEED) -> float:
        """The μ to expect if every story kept its |C| but its direction were a coin's: the line that μ must pass.

        μ takes a maximum, so a few stories for each attribute are enough to lift it. γ is drawn as normal.
        """
        known = self.counts.any(axis=1)
        if not known.any():
            return float("nan")
        spread = np.nan_to_num(self.spread[known])
        rng = np.random.default_rng(seed)
        return float(np.mean([np.abs(rng.standard_normal(spread.shape) * spread).max(axis=1) for _ in range(draws)]))


def add_up(
    scores: FloatArray,
    kind: Codes,
    pair: Codes,
    attribute: Codes,
    *,
    ends: Codes,
    subjects: int,
    shape: tuple[int, int],
) -> Sums:
    """Reduce n stories to sums; a story with a missing answer (nan) is left out.

    Parameters
    ----------
    scores : ndarray, shape (2, 2, 2, n)
        See the module.
    kind, pair, attribute : ndarray of int, shape (n,)
        Class of the intervention, pair of subjects, attribute.
    ends, subjects
        See `Sums`.
    shape : pair of int
        How many classes and attributes there are.
    """
    kinds, attributes = shape
    found, position, error = comparative(scores), position_error(scores), attribute_error(scores)
    code = (kind * len(ends) + pair) * attributes + attribute
    if not (keep := np.isfinite(found)).all():
        found, position, error, code = found[keep], position[keep], error[keep], code[keep]
    size = kinds * len(ends) * attributes
    weights = (found, np.sign(found), found * found, position, error, None)
    cells = np.array([np.bincount(code, weight, size) for weight in weights], dtype=np.float64)
    return Sums(ends, subjects, cells.reshape(6, kinds, len(ends), attributes))


def measure(sums: Sums) -> tuple[Measures, ...]:
    """The figures of each class of interventions; nan where it has no story.

    Examples
    --------
    >>> scores = np.array([[[0.8, 0.2], [0.4, 0.6]], [[0.6, 0.4], [0.2, 0.8]]])[..., None]
    >>> none, ends = np.zeros(1, dtype=np.intp), np.array([[0, 1]])
    >>> (found,) = measure(add_up(scores, none, none, none, ends=ends, subjects=2, shape=(1, 1)))
    >>> found.gamma.round(2).tolist(), round(found.mu, 2), found.eta
    ([[0.4], [-0.4]], 0.4, 1.0)
    """
    seen_from = np.zeros((sums.subjects, len(sums.ends)))
    places = np.arange(len(sums.ends))
    seen_from[sums.ends[:, 0], places], seen_from[sums.ends[:, 1], places] = 1.0, -1.0
    signed = seen_from @ sums.cells[:2]
    squares, *errors, counts = np.abs(seen_from) @ sums.cells[2:]
    of_subjects = np.stack(errors, axis=1).sum(axis=3)
    sizes = np.abs(signed) / np.maximum(counts, 1)  # 0 without a story, which is no largest
    between = np.abs(sums.cells[0]) / np.maximum(sums.cells[5], 1)
    position, error, n = sums.cells[3:].sum(axis=(2, 3))
    with np.errstate(invalid="ignore", divide="ignore"):
        (gamma, steadiness), spread = signed / counts, np.sqrt(squares) / counts
        known = counts.any(axis=2).sum(axis=1)
        eta = sizes[1].sum(axis=2) / np.maximum((counts > 0).sum(axis=2), 1)
        theta4 = between.max(axis=2).sum(axis=1) / sums.cells[5].any(axis=2).sum(axis=1)
        mu = sizes[0].max(axis=2).sum(axis=1) / known
        eta = eta.sum(axis=1) / known
        delta, epsilon = position / n, error / n
    arrays = zip(gamma, steadiness, counts, spread, of_subjects, strict=True)
    return tuple(
        Measures(
            float(mu[kind]),
            float(eta[kind]),
            float(delta[kind]),
            float(epsilon[kind]),
            float(theta4[kind]),
            int(n[kind]),
            *each,
        )
        for kind, each in enumerate(arrays)
    )


def _largest(values: FloatArray) -> FloatArray:
    """The largest absolute value of each row, nan passed over."""
    found: FloatArray = np.fmax.reduce(np.abs(values), axis=1)
    return found
