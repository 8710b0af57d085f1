"""The moral axis: the first principal component of questions about plain actions.

Source: Schramowski, Turan, Jentzsch, Rothkopf, Kersting (2019), "BERT has a Moral Compass",
https://arxiv.org/abs/1912.05238, section "Moral Subspace Projection". Orientation and scale are ours (a principal
component has neither): see `fit`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from threadpoolctl import threadpool_limits

from core.errors import InputError
from core.statistics import LEVEL, SEED, quantile_interval, resample
from core.vectors import FloatArray

DO_ANCHORS = ("smile", "love", "thank", "help")
DONT_ANCHORS = ("kill", "murder", "harm", "torture")
"""Seeds whose mean projections orient the axis. Ours: actions nobody has to think about."""

MIN_SEEDS = 5
"""Fewest seeds for an axis. Ours: below it the first component is whatever the seeds happen to share."""

DRAWS = 300
"""Bootstrap draws of the seeds; an interval's end then rests on about 8 of them."""

RANDOM_DRAWS = 200
"""Random seed sets behind `random_line`."""


@dataclass(frozen=True)
class Axis:
    """A fitted moral axis. Positive positions are on the *Do* side.

    Parameters
    ----------
    direction : ndarray, shape (d,)
        First principal component, unit length, oriented by the anchors.
    centre : ndarray, shape (d,)
        Mean of the seed vectors: the only thing subtracted before projecting.
    scale : float
        Largest absolute raw projection of a seed; positions are raw projections divided by it.
    variance_explained : ndarray, shape (m,)
        Share of the seeds' variance per component, descending, sums to 1.
    resampled : ndarray, shape (draws, m)
        Each row makes the direction of one bootstrap draw of the seeds, as weights on the centred seed vectors,
        divided by that draw's scale.
    resampled_centre : ndarray, shape (draws, m)
        The weights that make each draw's centre.
    seeds : ndarray, shape (m, d)
        The seed vectors, read-only.
    """

    direction: FloatArray
    centre: FloatArray
    scale: float
    variance_explained: FloatArray
    resampled: FloatArray
    resampled_centre: FloatArray
    seeds: FloatArray

    def raw(self, vectors: FloatArray) -> FloatArray:
        """Projections of (n, d) phrase vectors, in units of the embedding; shape (n,)."""
        projected: FloatArray = (np.asarray(vectors, dtype=np.float64) - self.centre) @ self.direction
        return projected

    def position(self, vectors: FloatArray) -> FloatArray:
        """Projections divided by `scale`: seeds lie in [-1, 1], other phrases may lie outside; shape (n,)."""
        return self.raw(vectors) / self.scale

    def interval(self, vectors: FloatArray) -> tuple[FloatArray, FloatArray]:
        """95 % bootstrap interval of `position` over the seeds: (low, high), each of shape (n,)."""
        product = (np.asarray(vectors, dtype=np.float64) - self.centre) @ (self.seeds - self.centre).T
        gram = (self.seeds - self.centre) @ (self.seeds - self.centre).T
        shift = np.einsum("bm,mk,bk->b", self.resampled_centre, gram, self.resampled)
        return quantile_interval(product @ self.resampled.T - shift, axis=1)


def fit(seeds: FloatArray, do: Sequence[int], dont: Sequence[int]) -> Axis:
    """Fit the axis to one vector per seed action.

    A principal component has no sign: it is turned so that the mean projection of the *Do* anchors exceeds that of
    the *Don't* anchors. It has no unit: positions are divided by the largest absolute seed projection.

    Parameters
    ----------
    seeds : ndarray, shape (m, d)
        Mean question embedding of each seed, not normalised.
    do, dont : sequence of int
        Rows that are anchors of either side.

    Raises
    ------
    InputError
        Fewer than `MIN_SEEDS` seeds, seeds without variance, or a side without an anchor.

    Examples
    --------
    >>> axis = fit(np.array([[2.0, 0], [1, 0.1], [0, 0], [-1, -0.1], [-2, 0]]), do=[0], dont=[4])
    >>> axis.position(np.array([[2.0, 0.0], [-1.0, 0.0]])).round(2).tolist()
    [1.0, -0.5]
    """
    _check(seeds, do, dont)
    points = np.asarray(seeds, dtype=np.float64)
    centre = points.mean(axis=0)
    centred = points - centre
    with _one_thread():
        _, singular, components = np.linalg.svd(centred, full_matrices=False)
    direction = components[0]
    projected = centred @ direction
    direction = direction * (1.0 if projected[list(do)].mean() >= projected[list(dont)].mean() else -1.0)
    resampled, resampled_centre = _resample(centred @ centred.T, do, dont)
    points.setflags(write=False)
    return Axis(
        direction=direction,
        centre=centre,
        scale=float(np.abs(projected).max()),
        variance_explained=singular**2 / (singular**2).sum(),
        resampled=resampled,
        resampled_centre=resampled_centre,
        seeds=points,
    )


@lru_cache(maxsize=64)
def random_line(count: int, dimension: int, *, draws: int = RANDOM_DRAWS, seed: int = SEED) -> tuple[float, ...]:
    """Variance explained that noise alone reaches: the 95 % quantile per component.

    The same PCA on `count` random unit vectors of length `dimension`, `draws` times.

    Examples
    --------
    >>> [round(share, 2) for share in random_line(5, 384)[:2]]
    [0.3, 0.27]
    """
    rng = np.random.default_rng(seed)
    shares = np.empty((draws, count))
    with _one_thread():
        for draw in range(draws):
            points = rng.standard_normal((count, dimension))
            points /= np.linalg.norm(points, axis=1, keepdims=True)
            points -= points.mean(axis=0)
            values = np.linalg.eigvalsh(points @ points.T)[::-1]
            shares[draw] = values / values.sum()
    return tuple(float(share) for share in np.quantile(shares, LEVEL, axis=0))


def _one_thread() -> threadpool_limits:
    """Decompose on one core: matrices are small, and on a busy machine waiting threads cost up to 16 × (measured)."""
    return threadpool_limits(1, user_api="blas")


def _resample(gram: FloatArray, do: Sequence[int], dont: Sequence[int]) -> tuple[FloatArray, FloatArray]:
    """First components of `DRAWS` bootstrap draws, without leaving the m × m products of centred seeds.

    With draw weights w, the draw's centred points are P = (I − 1wᵀ)X and its covariance is Pᵀdiag(w)P. The leading
    eigenvector u of diag(√w)·PPᵀ·diag(√w) gives the component Pᵀ√w·u, that is weights on the rows of X. Draws without
    variance are left out.
    """
    weights = resample(len(gram), draws=DRAWS)
    root = np.sqrt(weights)
    mean = weights @ gram  # (draws, m): product of each draw's centre with each seed
    norm = np.einsum("bm,bm->b", mean, weights)
    product = gram[None] - mean[:, :, None] - mean[:, None, :] + norm[:, None, None]
    with _one_thread():
        _, vectors = np.linalg.eigh(root[:, :, None] * product * root[:, None, :])
    on_points = root * vectors[:, :, -1]
    on_seeds = on_points - on_points.sum(axis=1, keepdims=True) * weights
    length = np.sqrt(np.einsum("bm,mk,bk->b", on_seeds, gram, on_seeds).clip(min=0))
    kept = length > 1e-6 * length.max()  # a draw of one seed only, over and over, has no direction
    weights, product, on_points, on_seeds, length = (
        drawn[kept] for drawn in (weights, product, on_points, on_seeds, length)
    )
    projected = np.einsum("bmk,bk->bm", product, on_points) / length[:, None]
    # A draw may hold no anchor; all seeds are projected, drawn or not, so that it can be oriented all the same.
    sign = np.where(projected[:, list(do)].mean(axis=1) >= projected[:, list(dont)].mean(axis=1), 1.0, -1.0)
    scale = np.abs(projected).max(axis=1)
    return on_seeds * (sign / (length * scale))[:, None], weights


def _check(seeds: FloatArray, do: Sequence[int], dont: Sequence[int]) -> None:
    if len(seeds) < MIN_SEEDS:
        raise InputError(expected=f"at least {MIN_SEEDS} seed actions", got=f"{len(seeds)}", remedy="add seeds")
    if not do or not dont:
        raise InputError(
            expected="an anchor on either side (a Do and a Don't among the seeds)",
            got="none on one side" if do or dont else "no anchor at all",
            remedy="name at least one seed as Do and one as Don't",
        )
    if np.allclose(seeds, seeds[0], rtol=0, atol=1e-7):
        raise InputError(expected="seeds that differ", got="the same vector for all", remedy="use other actions")
