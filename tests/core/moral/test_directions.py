"""Other directions than the first component, against refits written out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.moral import axis as axes
from core.moral.directions import PENALTIES, mean_difference, principal, probe

RNG = np.random.default_rng(6)
SIDES = np.array([True] * 5 + [False] * 4)
POINTS = RNG.standard_normal((9, 4)) + np.where(SIDES, 1.0, -1.0)[:, None] * np.array([1.0, 0.5, 0, 0])
WIDE = RNG.standard_normal((9, 30)) + np.where(SIDES, 1.0, -1.0)[:, None]
TARGETS = np.where(SIDES, 1.0, -1.0)


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def ridge(points: np.ndarray, targets: np.ndarray, penalty: float) -> np.ndarray:
    """Coefficients by the normal equations, with an intercept that is not penalised."""
    centred = points - points.mean(axis=0)
    return np.linalg.solve(
        centred.T @ centred + penalty * np.eye(points.shape[1]), centred.T @ (targets - targets.mean())
    )


def test_the_mean_difference_points_from_the_one_mean_to_the_other() -> None:
    points = np.array([[3.0, 1.0], [5.0, 3.0], [0.0, 2.0], [0.0, -2.0], [0.0, 0.0]])  # means (4, 2) and (0, 0)
    found = mean_difference(points, np.array([True, True, False, False, False]))
    np.testing.assert_allclose(found.direction, unit(np.array([4.0, 2.0])))
    np.testing.assert_allclose(found.centre, [1.6, 0.8])
    assert found.penalty is None


def test_the_stability_of_the_mean_difference_is_that_of_refits_without_each_item() -> None:
    found = mean_difference(POINTS, SIDES)
    refits = []
    for row in range(9):
        points, sides = np.delete(POINTS, row, axis=0), np.delete(SIDES, row)
        refits.append(unit(points[sides].mean(axis=0) - points[~sides].mean(axis=0)))
    assert found.stability == pytest.approx(np.abs(np.array(refits) @ found.direction).mean())
    assert found.stability < 0.9999


def test_without_the_only_item_of_a_side_there_is_no_direction() -> None:
    points = np.array([[1.0, 0.0], [-1.0, 0.0], [-1.0, 0.0]])
    found = mean_difference(points, np.array([True, False, False]))
    np.testing.assert_allclose(found.direction, [1, 0])
    assert found.stability == pytest.approx(2 / 3)


@pytest.mark.parametrize("points", [POINTS, WIDE], ids=["fewer numbers than items", "more numbers than items"])
def test_the_penalty_is_the_one_that_predicts_left_out_training_items_best(points: np.ndarray) -> None:
    errors = []
    for penalty in PENALTIES:
        missed = []
        for row in range(len(points)):
            rest, targets = np.delete(points, row, axis=0), np.delete(TARGETS, row)
            guess = targets.mean() + (points[row] - rest.mean(axis=0)) @ ridge(rest, targets, penalty)
            missed.append((guess - TARGETS[row]) ** 2)
        errors.append(np.mean(missed))
    found = probe(points, TARGETS)
    assert found.penalty == pytest.approx(PENALTIES[int(np.argmin(errors))])
    assert PENALTIES[0] < found.penalty < PENALTIES[-1]


@pytest.mark.parametrize("points", [POINTS, WIDE], ids=["fewer numbers than items", "more numbers than items"])
def test_the_probe_and_its_stability_are_those_of_normal_equations_without_each_item(points: np.ndarray) -> None:
    found = probe(points, TARGETS)
    assert found.penalty is not None
    np.testing.assert_allclose(found.direction, unit(ridge(points, TARGETS, found.penalty)), atol=1e-9)
    refits = [unit(ridge(np.delete(points, row, axis=0), np.delete(TARGETS, row), found.penalty)) for row in range(9)]
    assert found.stability == pytest.approx(np.abs(np.array(refits) @ found.direction).mean(), abs=1e-9)


def test_a_score_is_centred_on_the_training_items_in_units_of_their_spread() -> None:
    for found in (mean_difference(POINTS, SIDES), probe(POINTS, TARGETS)):
        scores = found.score(POINTS)
        assert scores.mean() == pytest.approx(0, abs=1e-12)
        assert scores.std() == pytest.approx(1)
        assert scores[SIDES].mean() > 0 > scores[~SIDES].mean()
        assert np.linalg.norm(found.direction) == pytest.approx(1)


def test_the_first_component_stands_beside_them_as_it_is() -> None:
    axis = axes.fit(POINTS, do=[0], dont=[8])
    measured = axes.stability(axis, POINTS[:, None])
    found = principal(axis, measured)
    np.testing.assert_allclose(found.score(POINTS) * found.scale, axis.raw(POINTS))
    assert found.stability == pytest.approx(measured.without_seed.mean())
    assert found.score(POINTS).std() == pytest.approx(1)


@given(st.permutations(range(9)), st.floats(0.1, 10))
def test_neither_order_nor_origin_changes_a_mean_difference(order: list[int], shift: float) -> None:
    found, wanted = mean_difference(POINTS[order] + shift, SIDES[order]), mean_difference(POINTS, SIDES)
    np.testing.assert_allclose(found.direction, wanted.direction)
    assert found.stability == pytest.approx(wanted.stability)
    np.testing.assert_allclose(found.score(POINTS + shift), wanted.score(POINTS), atol=1e-9)


def test_swapped_sides_turn_the_direction() -> None:
    np.testing.assert_allclose(mean_difference(POINTS, ~SIDES).direction, -mean_difference(POINTS, SIDES).direction)
    np.testing.assert_allclose(probe(POINTS, -TARGETS).direction, -probe(POINTS, TARGETS).direction)
