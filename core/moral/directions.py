"""Other ways to a moral direction than the first principal component, and how well each agrees with people.

None of them sees the survey: directions are fitted to the seeds, to the published Dos and Don'ts, to the general
positive and negative words of Jentzsch et al. (2019), or to the published BERT positions of the seeds (Schramowski et
al. 2019, Table 9). What is regularised is chosen by cross-validation on these training words alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.moral.axis import Axis, Stability
from core.statistics import Correlation
from core.vectors import FloatArray

PENALTIES = tuple(float(value) for value in np.logspace(-3, 4, 29))
"""Ridge penalties that leave-one-out cross-validation chooses from. Ours: from nearly none to nearly constant."""


@dataclass(frozen=True)
class Direction:
    """A direction in the embedding space; positive scores are on the *Do* side.

    Parameters
    ----------
    direction : ndarray, shape (d,)
        Unit length.
    centre : ndarray, shape (d,)
        Mean of the training vectors.
    scale : float
        Standard deviation of the training items' projections: scores are in this unit, so that they can be averaged.
    stability : float
        Mean |cosine| between the direction and those fitted without one training item, 0 to 1; an item without which
        there is no direction counts 0.
    penalty : float or None
        The chosen ridge penalty.
    """

    direction: FloatArray
    centre: FloatArray
    scale: float
    stability: float
    penalty: float | None = None

    def score(self, vectors: FloatArray) -> FloatArray:
        """Projections of (n, d) vectors, in units of `scale`, shape (n,)."""
        projected: FloatArray = (np.asarray(vectors, dtype=np.float64) - self.centre) @ self.direction
        return projected / self.scale


@dataclass(frozen=True)
class Variant:
    """One way to a direction and what it reached.

    Parameters
    ----------
    representation, method, fitted_on : str
        How phrases become vectors, how the direction is found, and from what.
    people : Correlation or None
        Pearson's r with the share of Yes of a survey, where one is present.
    table9 : Correlation
        Pearson's r with the published BERT positions of the 56 actions in context, none of which is fitted on.
    stability : float or None
        See `Direction`; none for an average of scores, which has no direction of its own.
    """

    representation: str
    method: str
    fitted_on: str
    people: Correlation | None
    table9: Correlation
    stability: float | None


def mean_difference(vectors: FloatArray, positive: FloatArray) -> Direction:
    """The direction from the mean of the negative items to that of the positive ones.

    Parameters
    ----------
    vectors : ndarray, shape (m, d)
        Training items.
    positive : ndarray of bool, shape (m,)
        Which are on the *Do* side; at least one on either side.

    Examples
    --------
    >>> points = np.array([[1.0, 0.0], [1.0, 0.2], [-1.0, 0.0], [-1.0, 0.2]])
    >>> mean_difference(points, np.array([True, True, False, False])).direction.tolist()
    [1.0, 0.0]
    """
    points = np.asarray(vectors, dtype=np.float64)
    sums = np.stack([points[positive].sum(axis=0), points[~positive].sum(axis=0)])
    counts = np.array([positive.sum(), (~positive).sum()], dtype=float)
    direction = sums[0] / counts[0] - sums[1] / counts[1]
    own = np.where(positive, 0, 1)
    left = np.where(positive, 1.0, -1.0)[:, None]
    without = direction - left * (sums[own] / counts[own, None])
    without += left * (sums[own] - points) / np.maximum(counts[own, None] - 1, 1)
    without[counts[own] == 1] = 0
    return _direction(direction, points, without)


def probe(vectors: FloatArray, targets: FloatArray) -> Direction:
    """Ridge regression of `targets` on the vectors; the penalty by leave-one-out on these items.

    Parameters
    ----------
    vectors : ndarray, shape (m, d)
        Training items.
    targets : ndarray, shape (m,)
        1 and −1 for sides, or published positions.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> points = rng.standard_normal((40, 3))
    >>> probe(points, points[:, 0]).direction.round(2).tolist()
    [1.0, 0.0, 0.0]
    """
    from sklearn.linear_model import RidgeCV

    points = np.asarray(vectors, dtype=np.float64)
    fitted = RidgeCV(alphas=PENALTIES).fit(points, targets)
    penalty = float(fitted.alpha_)
    return _direction(fitted.coef_, points, _without_each(points, np.asarray(targets, dtype=float), penalty), penalty)


def principal(axis: Axis, stability: Stability) -> Direction:
    """The first principal component of a fitted axis, to stand beside the other ways."""
    spread = float(axis.raw(axis.seeds).std())
    return Direction(axis.direction, axis.centre, spread, float(stability.without_seed.mean()))


def _direction(raw: FloatArray, points: FloatArray, without: FloatArray, penalty: float | None = None) -> Direction:
    unit = raw / np.linalg.norm(raw)
    cosines = np.abs(without @ unit) / np.maximum(np.linalg.norm(without, axis=1), np.finfo(float).tiny)
    centre = points.mean(axis=0)
    return Direction(unit, centre, float(((points - centre) @ unit).std()), float(cosines.mean()), penalty)


def _without_each(points: FloatArray, targets: FloatArray, penalty: float) -> FloatArray:
    """Ridge coefficients refitted without each item, in the dual: m systems of m − 1 equations; shape (m, d)."""
    count = len(points)
    rows = [np.delete(np.arange(count), index) for index in range(count)]
    refitted = []
    for kept in rows:
        centred = points[kept] - points[kept].mean(axis=0)
        dual = np.linalg.solve(centred @ centred.T + penalty * np.eye(count - 1), targets[kept] - targets[kept].mean())
        refitted.append(centred.T @ dual)
    return np.array(refitted)
