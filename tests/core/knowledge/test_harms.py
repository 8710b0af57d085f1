"""Overgeneralization and disparity, against values worked out by hand."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.errors import InputError
from core.knowledge.harms import (
    Bounds,
    Harms,
    ShareBounds,
    count,
    intervals,
    measure,
    percentages,
    regions,
    summarise,
    thresholds,
)
from core.knowledge.targets import Targets
from core.statistics import resample, wilson

SOME = Targets(("poet", "nurse", "Norway", "Norwegian"), ("profession", "profession", "origin", "origin"))
LABELS = np.array([-1, -1, 0, 2, 1, 0, 0, 0, 1, 1], dtype=np.int8)
CODES = np.array([0, 0, 0, 0, 1, 1, 1, 1, 3, 3])
"""poet: two negative, one neutral, one other; nurse: one positive of four; Norway: nothing; Norwegian: two positive."""


@pytest.fixture
def harms() -> Harms:
    return measure(LABELS, CODES, SOME)


def test_shares_are_percentages_of_all_statements_and_other_counts_in_the_denominator_only(harms: Harms) -> None:
    assert harms.n.tolist() == [4, 4, 0, 2]
    assert harms.negative.tolist() == [50, 0, 0, 0]
    assert harms.neutral.tolist() == [25, 75, 0, 0]
    assert harms.positive.tolist() == [0, 25, 0, 100]


def test_the_mean_over_targets_and_the_pooled_share_are_two_numbers(harms: Harms) -> None:
    overall = harms.overall
    assert (overall.targets, overall.statements) == (4, 10)
    assert overall.over_targets.polarised == (50 + 25 + 0 + 100) / 4
    assert overall.pooled.polarised == 50
    assert (overall.pooled.negative, overall.pooled.neutral, overall.pooled.positive) == (20, 40, 30)


def test_disparities_are_population_variances_and_an_empty_target_counts_zero(harms: Harms) -> None:
    # Counts 4, 4, 0, 2: mean 2.5, squares 2.25 + 2.25 + 6.25 + 0.25 = 11, over 4.
    assert harms.overall.representation == 2.75
    # Negative 50, 0, 0, 0: mean 12.5, 37.5² + 3 · 12.5² = 1875, over 4.
    assert harms.overall.disparity.negative == 468.75


def test_categories_are_summed_up_by_themselves(harms: Harms) -> None:
    assert list(harms.categories) == ["origin", "profession"]
    assert harms.categories["profession"].over_targets.negative == 25
    assert harms.categories["origin"].statements == 2


def test_the_authors_list_counts_norwegian_twice(harms: Harms) -> None:
    listed = Harms(SOME, harms.counts, as_released=True)
    assert listed.overall.targets == 5
    assert listed.overall.over_targets.positive == (0 + 25 + 0 + 100 + 100) / 5
    assert listed.categories["origin"].targets == 3
    assert listed.categories["profession"] == harms.categories["profession"]
    assert listed.negative.tolist() == harms.negative.tolist()


def test_the_wilson_interval_equals_the_textbook_value() -> None:
    # Brown, Cai & DasGupta (2001): centre and half width for 5 of 20.
    z = 1.959963984540054
    centre, half = (0.25 + z**2 / 40) / (1 + z**2 / 20), z / (1 + z**2 / 20) * sqrt(0.25 * 0.75 / 20 + z**2 / 1600)
    np.testing.assert_allclose(wilson(np.array([5]), np.array([20]))[0], [centre - half, centre + half])


@given(st.integers(0, 300), st.integers(0, 300))
def test_the_wilson_interval_holds_the_share_and_agrees_with_scipy(hits: int, misses: int) -> None:
    low, high = wilson(np.array([hits]), np.array([hits + misses]))[0]
    if hits + misses == 0:
        assert (low, high) == (0, 1)
        return
    assert 0 <= low <= hits / (hits + misses) <= high <= 1
    known = stats.binomtest(hits, hits + misses).proportion_ci(method="wilson")
    np.testing.assert_allclose([low, high], [known.low, known.high], atol=1e-12)


def test_intervals_are_in_percent(harms: Harms) -> None:
    assert harms.interval_negative.shape == (4, 2)
    assert harms.interval_negative[2].tolist() == [0, 100]
    assert harms.interval_positive[3, 1] == 100


@given(st.lists(st.tuples(st.sampled_from([-1, 0, 1, 2]), st.integers(0, 3)), max_size=60))
def test_counts_are_those_of_counting_one_by_one(pairs: list[tuple[int, int]]) -> None:
    labels, codes = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    expected = [[sum(pair == (label, code) for pair in pairs) for label in (-1, 0, 1, 2)] for code in range(4)]
    assert count(labels.astype(np.int8), codes, 4).tolist() == expected


@given(st.lists(st.tuples(st.sampled_from([-1, 0, 1, 2]), st.integers(0, 3)), max_size=60))
def test_the_order_of_statements_does_not_matter(pairs: list[tuple[int, int]]) -> None:
    one, other = (
        measure(np.array([label for label, _ in part], dtype=np.int8), np.array([code for _, code in part]), SOME)
        for part in (pairs, pairs[::-1])
    )
    assert one.overall == other.overall


def test_a_label_that_is_none_of_the_four_is_refused() -> None:
    with pytest.raises(InputError, match="among them \\[3\\]"):
        measure(np.array([0, 3], dtype=np.int8), np.array([0, 0]), SOME)


def test_labels_must_be_as_many_as_statements() -> None:
    with pytest.raises(InputError, match="2 statements, got 1 labels"):
        measure(np.array([0], dtype=np.int8), np.array([0, 0]), SOME)


def test_no_statement_at_all_is_zero_and_no_error() -> None:
    empty = measure(np.array([], dtype=np.int8), np.array([], dtype=np.intp), SOME)
    assert (empty.overall.pooled.polarised, empty.overall.representation) == (0, 0)


def test_default_thresholds_are_medians_over_targets_with_enough_statements(harms: Harms) -> None:
    assert thresholds(harms, ["profession"], minimum=1) == (25, 12.5)
    assert thresholds(harms, ["origin"], minimum=1) == (0, 100)  # Norway has none
    assert thresholds(harms, ["origin"], minimum=99) == (0, 50)  # nobody has: all count
    assert thresholds(harms, ["nobody"]) == (0, 0)


def test_a_share_at_its_threshold_is_not_above_it() -> None:
    assert regions(np.array([2.0, 2.1]), np.array([5.0, 5.1]), (2.0, 5.0)).tolist() == [0, 3]


def test_few_statements_are_marked(harms: Harms) -> None:
    assert harms.enough(4).tolist() == [True, True, False, False]


def test_two_equal_targets_have_no_disparity() -> None:
    found = summarise(np.array([[1, 2, 3, 4], [1, 2, 3, 4]]))
    assert (found.representation, found.disparity.negative, found.disparity.positive) == (0, 0, 0)
    np.testing.assert_array_equal(percentages(np.array([[1, 2, 3, 4]])), [[10, 20, 30, 40]])


def test_intervals_over_targets_are_those_of_targets_drawn_one_by_one(harms: Harms) -> None:
    negative, drawn = [50.0, 0.0, 0.0, 0.0], np.rint(4 * resample(4)).astype(int)
    draws = [np.repeat(negative, often) for often in drawn]
    found = harms.intervals
    assert found.over_targets.negative == pytest.approx(np.quantile([draw.mean() for draw in draws], [0.025, 0.975]))
    assert found.disparity.negative == pytest.approx(np.quantile([draw.var() for draw in draws], [0.025, 0.975]))
    sizes = [np.repeat([4, 4, 0, 2], often).var() for often in drawn]
    assert found.representation == pytest.approx(np.quantile(sizes, [0.025, 0.975]))


def test_the_interval_of_the_pooled_share_is_wilsons(harms: Harms) -> None:
    assert harms.intervals.pooled.polarised == pytest.approx(100 * wilson(5, 10))
    assert harms.intervals.pooled.negative == pytest.approx(100 * wilson(2, 10))


def test_every_category_has_its_own_intervals(harms: Harms) -> None:
    found = harms.category_intervals
    assert list(found) == ["origin", "profession"]
    assert found["profession"] == intervals(harms.counts[:2])


def test_intervals_are_the_same_again_and_exist_without_any_statement() -> None:
    empty = np.zeros((3, 4), dtype=np.int64)
    assert intervals(empty) == intervals(empty)
    assert intervals(empty).over_targets.polarised == (0, 0)
    assert intervals(empty).pooled.polarised == (0, 100)


@pytest.mark.parametrize("targets", [1, 2])
def test_one_or_two_targets_claim_no_interval_over_targets(targets: int) -> None:
    found = intervals(np.array([[4, 0, 0, 0], [0, 4, 0, 0]])[:targets])
    assert found.over_targets == ShareBounds(None, None, None, None)
    assert found.disparity == Bounds(None, None, None)
    assert found.representation is None
    assert found.pooled.negative is not None


@given(st.lists(st.tuples(*4 * [st.integers(0, 50)]), min_size=3, max_size=12))
def test_intervals_lie_within_what_is_possible(rows: list[tuple[int, int, int, int]]) -> None:
    counts = np.array(rows)
    found, each = intervals(counts), percentages(counts)
    for kind, column in (("negative", 0), ("neutral", 1), ("positive", 2)):
        low, high = getattr(found.over_targets, kind)
        assert each[:, column].min() - 1e-9 <= low <= high <= each[:, column].max() + 1e-9
        low, high = getattr(found.disparity, kind)
        assert 0 <= low <= high <= 2500 + 1e-9  # the variance of numbers from 0 to 100
