from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.errors import InputError
from core.moral import axis as axes
from core.moral.axis import fit, random_line, stability
from core.statistics import resample

DO, DONT = [0, 1], [5, 6]
SEEDS = np.random.default_rng(1).standard_normal((9, 4)) + 3 * np.linspace(1, -1, 9)[:, None] * np.array([1, 2, 0, -1])
PHRASES = np.random.default_rng(2).standard_normal((5, 4)) * 2


def test_the_axis_of_points_on_a_line_is_that_line() -> None:
    # (x, 2x) for x = 4, 2, 1, 0, −3, −4, shifted by (7, 7): centre (7, 7), all variance on (1, 2) / √5
    x = np.array([4.0, 2, 1, 0, -3, -4])
    axis = fit(np.column_stack([x, 2 * x]) + 7, do=[0, 1], dont=[5])
    np.testing.assert_allclose(axis.centre, 7)
    np.testing.assert_allclose(axis.direction, np.array([1, 2]) / np.sqrt(5))
    np.testing.assert_allclose(axis.variance_explained, [1, 0], atol=1e-15)
    assert axis.scale == pytest.approx(4 * np.sqrt(5))
    np.testing.assert_allclose(axis.position(np.array([[15.0, 23.0], [7.0, 7.0], [5.0, 8.0]])), [2, 0, 0], atol=1e-12)
    np.testing.assert_allclose(axis.raw(np.array([[8.0, 9.0]])), np.sqrt(5))


def test_seeds_lie_within_one_and_the_farthest_on_it() -> None:
    assert np.abs(fit(SEEDS, DO, DONT).position(SEEDS)).max() == pytest.approx(1)


def test_the_vectors_are_centred_by_the_seeds_only_and_never_normalised() -> None:
    axis = fit(SEEDS, DO, DONT)
    np.testing.assert_allclose(axis.raw(SEEDS).mean(), 0, atol=1e-12)
    np.testing.assert_allclose(axis.raw(PHRASES[:1]), axis.raw(PHRASES)[:1])  # company does not matter
    doubled = axis.raw(2 * PHRASES) + axis.centre @ axis.direction
    np.testing.assert_allclose(doubled, 2 * (axis.raw(PHRASES) + axis.centre @ axis.direction))


def test_swapping_the_anchors_turns_every_position_and_interval() -> None:
    one, other = fit(SEEDS, DO, DONT), fit(SEEDS, DONT, DO)
    np.testing.assert_allclose(other.position(PHRASES), -one.position(PHRASES))
    np.testing.assert_allclose(other.interval(PHRASES)[0], -one.interval(PHRASES)[1], atol=1e-9)


def test_the_sign_that_a_decomposition_happens_to_give_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = fit(SEEDS, DO, DONT)
    svd, eigh = np.linalg.svd, np.linalg.eigh

    def turned_svd(points: np.ndarray, **options: Any) -> tuple[np.ndarray, ...]:
        left, singular, right = svd(points, **options)
        return -left, singular, -right

    def turned_eigh(matrices: np.ndarray) -> tuple[np.ndarray, ...]:
        values, vectors = eigh(matrices)
        return values, -vectors

    monkeypatch.setattr(np.linalg, "svd", turned_svd)
    monkeypatch.setattr(np.linalg, "eigh", turned_eigh)
    found = fit(SEEDS, DO, DONT)
    np.testing.assert_allclose(found.position(PHRASES), wanted.position(PHRASES), atol=1e-9)
    np.testing.assert_allclose(found.interval(PHRASES), wanted.interval(PHRASES), atol=1e-9)


def test_negated_vectors_have_the_same_axis_the_other_way_round() -> None:
    negated, wanted = fit(-SEEDS, DO, DONT), fit(SEEDS, DO, DONT)
    np.testing.assert_allclose(negated.direction, -wanted.direction)
    np.testing.assert_allclose(negated.position(-PHRASES), wanted.position(PHRASES), atol=1e-9)
    np.testing.assert_allclose(negated.interval(-PHRASES), wanted.interval(PHRASES), atol=1e-9)


@given(st.floats(0.01, 100), arrays(np.float64, 4, elements=st.floats(-10, 10)))
def test_positions_do_not_depend_on_unit_or_origin_of_the_embedding(factor: float, shift: np.ndarray) -> None:
    moved, wanted = fit(SEEDS * factor + shift, DO, DONT), fit(SEEDS, DO, DONT)
    np.testing.assert_allclose(moved.position(PHRASES * factor + shift), wanted.position(PHRASES), atol=1e-6)
    np.testing.assert_allclose(moved.raw(PHRASES * factor + shift), wanted.raw(PHRASES) * factor, rtol=1e-6, atol=1e-6)


@given(st.permutations(range(len(SEEDS))))
def test_the_order_of_the_seeds_does_not_matter(order: list[int]) -> None:
    moved = fit(SEEDS[order], [order.index(i) for i in DO], [order.index(i) for i in DONT])
    np.testing.assert_allclose(moved.position(PHRASES), fit(SEEDS, DO, DONT).position(PHRASES), atol=1e-9)


@given(arrays(np.float64, (7, 3), elements=st.floats(-3, 3, width=16)))
def test_the_do_anchors_lie_above_the_dont_anchors_and_shares_of_variance_descend_to_one(seeds: np.ndarray) -> None:
    assume(np.ptp(seeds, axis=0).max() > 0.1)
    axis = fit(seeds, [0, 1], [2])
    positions = axis.position(seeds)
    assert positions[:2].mean() >= positions[2] - 1e-9
    assert axis.variance_explained.sum() == pytest.approx(1)
    assert np.all(np.diff(axis.variance_explained) <= 1e-12)
    low, high = axis.interval(seeds)
    assert np.isfinite([low, high]).all()
    assert (low <= high).all()


def _explicit_draw(seeds: np.ndarray, weights: np.ndarray, phrases: np.ndarray) -> np.ndarray:
    """The axis of one bootstrap draw, with the drawn rows written out as often as they were drawn."""
    rows = np.repeat(seeds, np.rint(weights * len(seeds)).astype(int), axis=0)
    assert len(rows) == len(seeds)
    centre = rows.mean(axis=0)
    direction = np.linalg.svd(rows - centre)[2][0]
    projected = (seeds - centre) @ direction
    if projected[DO].mean() < projected[DONT].mean():
        direction, projected = -direction, -projected
    return (phrases - centre) @ direction / np.abs(projected).max()


@pytest.mark.parametrize("dimension", [4, 40])  # fewer and more numbers than seeds
def test_the_interval_is_that_of_explicit_decompositions_of_resampled_seeds(dimension: int) -> None:
    rng = np.random.default_rng(3)
    seeds = rng.standard_normal((9, dimension)) + np.linspace(2, -2, 9)[:, None] * rng.standard_normal(dimension)
    phrases = rng.standard_normal((6, dimension))
    drawn = np.array([_explicit_draw(seeds, weights, phrases) for weights in resample(9, draws=axes.DRAWS)])
    low, high = fit(seeds, DO, DONT).interval(phrases)
    np.testing.assert_allclose(low, np.quantile(drawn, 0.025, axis=0), atol=1e-9)
    np.testing.assert_allclose(high, np.quantile(drawn, 0.975, axis=0), atol=1e-9)


def test_a_draw_of_the_same_seed_over_and_over_is_left_out() -> None:
    seeds = np.array([[1.0, 0, 0]] * 4 + [[0, 1, 0]])  # a third of all draws holds nothing but the first
    axis = fit(seeds, do=[0], dont=[4])
    assert len(axis.resampled) == len(axis.resampled_centre) < axes.DRAWS
    np.testing.assert_allclose(axis.position(seeds), [0.25] * 4 + [-1])
    assert np.isfinite(axis.interval(seeds)).all()


@pytest.mark.parametrize(
    ("seeds", "do", "dont", "said"),
    [
        (SEEDS[:4], [0], [1], "at least 5 seed actions, got 4"),
        (SEEDS, [], [1], "none on one side"),
        (SEEDS, [0], [], "none on one side"),
        (SEEDS, [], [], "no anchor at all"),
        (np.ones((6, 3)), [0], [1], "the same vector for all"),
    ],
)
def test_seeds_that_make_no_axis_are_refused(seeds: np.ndarray, do: list[int], dont: list[int], said: str) -> None:
    with pytest.raises(InputError, match=said):
        fit(seeds, do, dont)


def test_the_random_line_is_that_of_explicit_decompositions() -> None:
    rng = np.random.default_rng(axes.SEED)
    shares = []
    for _ in range(axes.RANDOM_DRAWS):
        points = rng.standard_normal((6, 10))
        points /= np.linalg.norm(points, axis=1, keepdims=True)
        singular = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
        shares.append(singular**2 / (singular**2).sum())
    np.testing.assert_allclose(random_line(6, 10), np.quantile(shares, 0.95, axis=0), atol=1e-12)


def test_as_many_shares_of_noise_as_components_even_with_more_seeds_than_numbers() -> None:
    seeds = np.random.default_rng(4).standard_normal((9, 3))
    assert len(random_line(9, 3)) == len(fit(seeds, DO, DONT).variance_explained) == 3


# x = 4, 2, 0, 0, 0, −2, −4 on the first axis, y = 0, 0, 3, −1, −2, 0, 0 on the second: sums of squares 40 and 14
CROSS = np.array([[4.0, 0, 1], [2, 0, 1], [0, 3, 1], [0, -1, 1], [0, -2, 1], [-2, 0, 1], [-4, 0, 1]])


def test_the_plane_is_the_first_two_components_in_the_same_unit() -> None:
    axis = fit(CROSS, do=[0], dont=[6])
    np.testing.assert_allclose(axis.variance_explained, [40 / 54, 14 / 54, 0], atol=1e-12)
    np.testing.assert_allclose(axis.second, [0, 1, 0], atol=1e-12)  # the furthest seed, y = 3, is on the positive side
    np.testing.assert_allclose(axis.plane(CROSS), CROSS[:, :2] / 4, atol=1e-12)
    np.testing.assert_allclose(axis.plane(PHRASES[:, :3])[:, 0], axis.position(PHRASES[:, :3]))


def test_turning_the_second_component_does_not_turn_the_furthest_seed() -> None:
    axis = fit(CROSS * [1, -1, 1], do=[0], dont=[6])
    np.testing.assert_allclose(axis.second, [0, -1, 0], atol=1e-12)


def _first_component(points: np.ndarray) -> np.ndarray:
    return np.linalg.svd(points - points.mean(axis=0))[2][0]


@pytest.mark.parametrize("dimension", [4, 40])  # fewer and more numbers than seeds
def test_stability_is_that_of_explicit_refits(dimension: int) -> None:
    rng = np.random.default_rng(5)
    slope = np.linspace(2, -2, 9)[:, None, None] * rng.standard_normal(dimension)
    per_template = rng.standard_normal((9, 3, dimension)) + slope
    seeds = per_template.mean(axis=1)
    axis = fit(seeds, DO, DONT)
    found = stability(axis, per_template)
    without_seed = [abs(_first_component(np.delete(seeds, row, axis=0)) @ axis.direction) for row in range(9)]
    without_template = [
        abs(_first_component(np.delete(per_template, row, axis=1).mean(axis=1)) @ axis.direction) for row in range(3)
    ]
    drawn = [np.repeat(seeds, np.rint(weights * 9).astype(int), axis=0) for weights in resample(9, draws=axes.DRAWS)]
    np.testing.assert_allclose(found.without_seed, without_seed, atol=1e-9)
    np.testing.assert_allclose(found.without_template, without_template, atol=1e-9)
    np.testing.assert_allclose(found.bootstrap, [abs(_first_component(rows) @ axis.direction) for rows in drawn])
    assert min(without_seed) < 0.9999  # leaving a seed out does something


def test_a_single_template_cannot_be_left_out() -> None:
    assert stability(fit(SEEDS, DO, DONT), SEEDS[:, None]).without_template.shape == (0,)


def test_a_seed_that_alone_differs_leaves_no_axis_when_it_is_left_out() -> None:
    seeds = np.array([[1.0, 0, 0]] * 4 + [[0, 1, 0]])
    found = stability(fit(seeds, do=[0], dont=[4]), seeds[:, None])
    np.testing.assert_allclose(found.without_seed, [1, 1, 1, 1, 0], atol=1e-12)


@given(arrays(np.float64, (7, 2, 3), elements=st.floats(-3, 3, width=16)), st.floats(0.1, 10))
def test_stability_is_a_cosine_and_has_no_unit(per_template: np.ndarray, factor: float) -> None:
    seeds = per_template.mean(axis=1)
    assume(np.ptp(seeds, axis=0).max() > 0.1)
    found = stability(fit(seeds, [0], [1]), per_template)
    scaled = stability(fit(seeds * factor, [0], [1]), per_template * factor)
    for ours, theirs in zip(vars(found).values(), vars(scaled).values(), strict=True):
        assert ((ours >= 0) & (ours <= 1 + 1e-9)).all()
        assert ours.shape == theirs.shape
