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
    second : ndarray, shape (d,)
        Second principal component, unit length; its sign is arbitrary (the furthest seed is put on the positive side).
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
    second: FloatArray
    centre: FloatArray
    scale: float
    variance_explained: FloatArray
    resampled: FloatArray
    resampled_centre: FloatArray
    seeds: FloatArray

    @property
    def random_line(self) -> tuple[float, ...]:
        """Variance explained per component that as many random vectors reach (see the function `random_line`)."""
        return random_line(*self.seeds.shape)

    @property
    def beats_random(self) -> bool:
        """Whether the first component explains more variance than that of random vectors: else it is no axis."""
        return bool(self.variance_explained[0] > self.random_line[0])

    def raw(self, vectors: FloatArray) -> FloatArray:
        """Projections of (n, d) phrase vectors, in units of the embedding; shape (n,)."""
        projected: FloatArray = (np.asarray(vectors, dtype=np.float64) - self.centre) @ self.direction
        return projected

    def position(self, vectors: FloatArray) -> FloatArray:
        """Projections divided by `scale`: seeds lie in [-1, 1], other phrases may lie outside; shape (n,)."""
        return self.raw(vectors) / self.scale

    def plane(self, vectors: FloatArray) -> FloatArray:
        """Positions on the first two components, both divided by `scale`; shape (n, 2)."""
        both = np.stack([self.direction, self.second], axis=1)
        spread: FloatArray = (np.asarray(vectors, dtype=np.float64) - self.centre) @ both / self.scale
        return spread

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
    points = np.array(seeds, dtype=np.float64)
    centre = points.mean(axis=0)
    centred = points - centre
    with _one_thread():
        _, singular, components = np.linalg.svd(centred, full_matrices=False)
    projected = centred @ components[:2].T
    sides = projected[list(do), 0].mean() >= projected[list(dont), 0].mean()
    gram = centred @ centred.T
    weights = resample(len(points), draws=DRAWS)
    weights = weights[_vary(gram, weights)]
    draws, scales = _oriented(gram, weights, do, dont)
    points.setflags(write=False)
    return Axis(
        direction=components[0] if sides else -components[0],
        second=components[1] * np.sign(projected[np.abs(projected[:, 1]).argmax(), 1]),
        centre=centre,
        scale=float(np.abs(projected[:, 0]).max()),
        variance_explained=singular**2 / (singular**2).sum(),
        resampled=draws / scales[:, None],
        resampled_centre=weights,
        seeds=points,
    )


@dataclass(frozen=True)
class Stability:
    """How much the axis owes to single seeds and single templates, as |cosine| with the axis of all, 0 to 1.

    Parameters
    ----------
    without_seed : ndarray, shape (m,)
        Each seed left out; 0 where the others do not differ, so that there is no axis without it.
    without_template : ndarray, shape (q,)
        Each template left out of the seeds' mean vectors, likewise; empty for a single template.
    bootstrap : ndarray, shape (draws,)
        Seeds drawn with replacement.
    """

    without_seed: FloatArray
    without_template: FloatArray
    bootstrap: FloatArray


def stability(axis: Axis, per_template: FloatArray) -> Stability:
    """Refit the axis without each seed, without each template, and on each bootstrap draw of the seeds.

    Parameters
    ----------
    axis : Axis
        Fitted to the mean of `per_template` over templates.
    per_template : ndarray, shape (m, q, d)
        The seeds' vectors in each template.

    Examples
    --------
    >>> points = np.array([[2.0, 0], [1, 0.1], [0, 0], [-1, -0.1], [-2, 0]])
    >>> stability(fit(points, [0], [4]), points[:, None, :]).without_seed.round(2).tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    count, templates = per_template.shape[:2]
    centred = axis.seeds - axis.centre
    total = per_template.sum(axis=1, dtype=np.float64)
    others = [(total - per_template[:, index]) / (templates - 1) for index in range(templates) if templates > 1]
    everyone, left_out = np.full((1, count), 1 / count), (1 - np.eye(count)) / (count - 1)
    draws = axis.resampled @ centred
    draws /= np.linalg.norm(draws, axis=1, keepdims=True)
    refits = [_refit(points - points.mean(axis=0), everyone)[0] for points in others]
    return Stability(
        without_seed=np.abs(_refit(centred, left_out) @ axis.direction),
        without_template=np.abs(np.reshape(refits, (-1, len(axis.direction))) @ axis.direction),
        bootstrap=np.abs(draws @ axis.direction),
    )


@lru_cache(maxsize=64)
def random_line(count: int, dimension: int, *, draws: int = RANDOM_DRAWS, seed: int = SEED) -> tuple[float, ...]:
    """Variance explained that noise alone reaches: the 95 % quantile per component.

    The same PCA on `count` random unit vectors of length `dimension`, `draws` times; as many components as it has.

    Examples
    --------
    >>> [round(share, 2) for share in random_line(5, 384)[:2]]
    [0.3, 0.27]
    """
    rng = np.random.default_rng(seed)
    shares = np.empty((draws, min(count, dimension)))
    with _one_thread():
        for draw in range(draws):
            points = rng.standard_normal((count, dimension))
            points /= np.linalg.norm(points, axis=1, keepdims=True)
            points -= points.mean(axis=0)
            values = np.linalg.eigvalsh(points @ points.T)[::-1][: shares.shape[1]]
            shares[draw] = values / values.sum()
    return tuple(float(share) for share in np.quantile(shares, LEVEL, axis=0))


def _one_thread() -> threadpool_limits:
    """Decompose on one core: matrices are small, and on a busy machine waiting threads cost up to 16 × (measured)."""
    return threadpool_limits(1, user_api="blas")


def _vary(gram: FloatArray, weights: FloatArray) -> FloatArray:
    """Which rows of weights leave seeds that differ: one seed only, over and over, has no direction."""
    variance = weights @ np.diag(gram) - np.einsum("bm,mk,bk->b", weights, gram, weights)
    some: FloatArray = variance > 1e-9 * variance.max()
    return some


def _refit(points: FloatArray, weights: FloatArray) -> FloatArray:
    """First component of `points` by each row of weights, shape (rows, d); 0 where what has weight does not differ."""
    gram = points @ points.T
    some = _vary(gram, weights)
    directions = np.zeros((len(weights), points.shape[1]))
    if some.any():
        directions[some] = _first_components(gram, weights[some]) @ points
    return directions


def _first_components(gram: FloatArray, weights: FloatArray) -> FloatArray:
    """First components of weighted seeds, without leaving the m × m products of the centred seeds.

    With weights w, the centred points are P = (I − 1wᵀ)X and their covariance is Pᵀdiag(w)P. The leading eigenvector u
    of diag(√w)·PPᵀ·diag(√w) gives the component Pᵀ√w·u: coefficients on the rows of X, one row per row of weights,
    each for a direction of unit length. Rows and columns of weight 0 are left out of the decomposition.
    """
    size = int((weights > 0).sum(axis=1).max())
    chosen = np.argsort(weights <= 0, axis=1, kind="stable")[:, :size]
    mean = weights @ gram
    norm = np.einsum("bm,bm->b", mean, weights)
    products = gram[chosen[:, :, None], chosen[:, None, :]] + norm[:, None, None]
    mean, root = np.take_along_axis(mean, chosen, axis=1), np.sqrt(np.take_along_axis(weights, chosen, axis=1))
    products -= mean[:, :, None] + mean[:, None, :]
    products *= root[:, :, None] * root[:, None, :]
    with _one_thread():
        _, vectors = np.linalg.eigh(products)
    on_points = np.zeros_like(weights)
    np.put_along_axis(on_points, chosen, root * vectors[:, :, -1], axis=1)
    coefficients: FloatArray = on_points - on_points.sum(axis=1, keepdims=True) * weights
    coefficients /= np.sqrt(np.einsum("bm,bm->b", coefficients @ gram, coefficients))[:, None]
    return coefficients


def _oriented(
    gram: FloatArray, weights: FloatArray, do: Sequence[int], dont: Sequence[int]
) -> tuple[FloatArray, FloatArray]:
    """First components turned by the anchors, and the scale of each: the largest absolute projection of a seed.

    All seeds are projected, drawn or not, so that a draw without an anchor can be oriented all the same.
    """
    coefficients = _first_components(gram, weights)
    projected = coefficients @ gram - np.einsum("bm,bm->b", coefficients @ gram, weights)[:, None]
    sides = projected[:, list(do)].mean(axis=1) >= projected[:, list(dont)].mean(axis=1)
    return coefficients * np.where(sides, 1.0, -1.0)[:, None], np.abs(projected).max(axis=1)


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
