from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core import statistics
from core.errors import InputError

numbers = st.floats(-1, 1, width=32)
rows = arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 12)), elements=numbers)


def test_the_bootstrap_interval_is_that_of_all_resamples_written_out() -> None:
    values = np.array([0.0, 1.0, 5.0, 9.0])
    every = np.array([np.mean(drawn) for drawn in itertools.product(values, repeat=4)])  # 256 equally likely draws
    low, high = statistics.bootstrap_mean(values[None], draws=40_000)
    np.testing.assert_allclose([low[0], high[0]], np.quantile(every, [0.025, 0.975]), atol=0.26)  # one step of ¼
    assert not np.allclose([low[0], high[0]], np.quantile(every, [0.05, 0.95]), atol=0.01)  # 95 %, not 90 %


@given(rows)
def test_an_interval_lies_within_the_values_and_is_the_same_again(values: np.ndarray) -> None:
    low, high = statistics.bootstrap_mean(values)
    assert (low <= high).all()
    assert (low >= values.min(axis=1) - 1e-12).all()
    assert (high <= values.max(axis=1) + 1e-12).all()
    np.testing.assert_array_equal(statistics.bootstrap_mean(values), (low, high))


@given(rows, st.floats(0.1, 10), st.floats(-5, 5))
def test_an_interval_moves_and_stretches_with_the_values(values: np.ndarray, factor: float, shift: float) -> None:
    low, high = statistics.bootstrap_mean(values)
    np.testing.assert_allclose(
        statistics.bootstrap_mean(values * factor + shift), (low * factor + shift, high * factor + shift), atol=1e-9
    )


def test_one_value_has_no_spread() -> None:
    low, high = statistics.bootstrap_mean(np.array([[0.3]]))
    assert (low[0], high[0]) == (0.3, 0.3)


def test_another_seed_draws_otherwise() -> None:
    assert not np.array_equal(statistics.resample(9, seed=1), statistics.resample(9, seed=2))


def test_the_global_random_state_is_not_touched() -> None:
    before = np.random.get_state()[1].copy()
    statistics.bootstrap_mean(np.ones((2, 3)))
    np.testing.assert_array_equal(np.random.get_state()[1], before)


@given(arrays(np.float64, 6, elements=numbers), arrays(np.float64, 9, elements=numbers))
def test_a_rank_is_one_more_than_the_number_of_larger_references(values: np.ndarray, reference: np.ndarray) -> None:
    ranks = statistics.rank_among(values, reference)
    assert ranks.tolist() == [1 + sum(other > value for other in reference) for value in values]
    np.testing.assert_array_equal(statistics.rank_among(values, reference[::-1]), ranks)


def test_pearson_of_numbers_worked_out_by_hand() -> None:
    # deviations (−2, −1, 0, 1, 2) and (−1, −2, 1, 0, 2): products sum to 8, squares to 10 and 10
    found = statistics.pearson(np.array([1.0, 2, 3, 4, 5]), np.array([2.0, 1, 4, 3, 5]))
    assert found.r == pytest.approx(0.8)
    half = 1.959964 / np.sqrt(2)  # Fisher's z has standard deviation 1 / √(n − 3)
    expected = [np.tanh(np.arctanh(0.8) - half), np.tanh(np.arctanh(0.8) + half)]
    assert [found.low, found.high] == pytest.approx(expected, abs=1e-6)
    # t = 0.8 · √3 / 0.6 with three degrees of freedom
    assert found.p == pytest.approx(0.104088, abs=1e-5)
    assert found.n == 5


def test_spearman_sees_order_only_and_shares_tied_ranks() -> None:
    x = np.array([1.0, 2, 3, 4, 5])
    assert statistics.spearman(x, np.exp(x)).r == pytest.approx(1)
    assert statistics.spearman(x, np.array([20.0, 10, 400, 30, 5000])).r == pytest.approx(0.8)
    # ranks 1.5, 1.5, 3, 4 against 1, 2, 3, 4: 4.5 / √(4.5 · 5)
    assert statistics.spearman(np.array([1.0, 1, 2, 3]), x[:4]).r == pytest.approx(0.9486833)


@pytest.mark.parametrize("correlate", [statistics.pearson, statistics.spearman])
def test_a_correlation_that_does_not_exist_is_an_error(correlate: object) -> None:
    assert callable(correlate)
    with pytest.raises(InputError, match="at least four pairs"):
        correlate(np.arange(3.0), np.arange(3.0))
    with pytest.raises(InputError, match="4 and 5"):
        correlate(np.arange(4.0), np.arange(5.0))
    with pytest.raises(InputError, match="numbers that vary"):
        correlate(np.arange(4.0), np.ones(4))


def test_a_line_and_its_band_worked_out_by_hand() -> None:
    # through (−1, 0), (0, 1), (0, −1), (1, 0): slope 0, residuals 0, 1, −1, 0, variance 2 / 2, Σ(x − x̄)² = 2
    found = statistics.line(np.array([-1.0, 0, 0, 1]), np.array([0.0, 1, -1, 0]), points=3)
    assert (found.slope, found.intercept) == (pytest.approx(0), pytest.approx(0))
    np.testing.assert_allclose(found.x, [-1, 0, 1])
    half = 4.302653 * np.sqrt([1 / 4 + 1 / 2, 1 / 4, 1 / 4 + 1 / 2])  # t with two degrees of freedom
    np.testing.assert_allclose(found.high, half, atol=1e-6)
    np.testing.assert_allclose(found.low, -half, atol=1e-6)


def test_points_on_a_line_leave_no_band() -> None:
    found = statistics.line(np.arange(5.0), 3 - 2 * np.arange(5.0))
    assert (found.slope, found.intercept) == (pytest.approx(-2), pytest.approx(3))
    np.testing.assert_allclose(found.high, found.low, atol=1e-9)


def test_a_line_through_a_constant_does_not_exist() -> None:
    with pytest.raises(InputError, match="numbers that vary"):
        statistics.line(np.ones(5), np.arange(5.0))


def test_wilsons_interval_is_the_known_one_and_never_leaves_the_scale() -> None:
    # Newcombe (1998), https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8%3C857::AID-SIM777%3E3.0.CO;2-E, Table I, method 3
    for successes, n, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert statistics.wilson(successes, n) == pytest.approx((low, high), abs=5e-5)
    assert statistics.wilson(0, 0).tolist() == [0.0, 1.0]  # no trial: anything is possible


def test_moments_are_drawn_for_all_rows_at_once_and_a_constant_moves_the_mean_alone() -> None:
    values = np.random.default_rng(3).normal(size=(2, 30))
    mean, variance = statistics.bootstrap_moments(values)
    weights = statistics.resample(30)
    np.testing.assert_allclose(mean, np.quantile(values @ weights.T, [0.025, 0.975], axis=1).T)
    drawn = np.array([[np.average((row - row @ w) ** 2, weights=w) for w in weights] for row in values])
    np.testing.assert_allclose(variance, np.quantile(drawn, [0.025, 0.975], axis=1).T)
    moved, same = statistics.bootstrap_moments(values + 1e6)
    np.testing.assert_allclose(moved, mean + 1e6)
    np.testing.assert_allclose(same, variance, rtol=1e-6)
