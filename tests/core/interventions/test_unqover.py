"""The measures of UnQover on answers worked out by hand, and the laws that hold for any answers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core import datasets
from core.interventions import released
from core.interventions.answerers.published import PublishedAnswerer
from core.interventions.benchmark import run
from core.interventions.records import class_record
from core.interventions.unqover import (
    Measures,
    add_up,
    attribute_error,
    bias,
    comparative,
    correct,
    measure,
    position_error,
)
from core.vectors import FloatArray

FIRST = [[[0.9, 0.1], [0.3, 0.7]], [[0.5, 0.5], [0.1, 0.9]]]
"""Subject 1 first: 0.9 and 0.1 for the attribute, 0.3 and 0.7 for the negation; then subject 2 first."""

answers = arrays(np.float64, (2, 2, 2, 5), elements=st.floats(0, 1))


def measured(stories: list[object], pairs: list[int], attributes: list[int], ends: list[tuple[int, int]]) -> Measures:
    scores = np.moveaxis(np.array(stories, dtype=float), 0, 3)
    none = np.zeros(len(stories), dtype=np.intp)
    subjects = 1 + max(map(max, ends))
    shape = (1, 1 + max(attributes))
    sums = add_up(
        scores, none, np.array(pairs), np.array(attributes), ends=np.array(ends), subjects=subjects, shape=shape
    )
    return measure(sums)[0]


def test_a_two_by_two_case_is_corrected_step_by_step() -> None:
    found = correct(np.array(FIRST))
    # over both orders: a (0.7, 0.3), ā (0.2, 0.8); B = (0.5, −0.5); C = ½ (0.5 + 0.5)
    np.testing.assert_allclose(found.over_orders, [[0.7, 0.3], [0.2, 0.8]])
    np.testing.assert_allclose(found.bias, [0.5, -0.5])
    assert found.comparative == pytest.approx(0.5)
    # ¼ (|0.9 − 0.5| + |0.1 − 0.5| + |0.3 − 0.1| + |0.7 − 0.9|)
    assert found.position_error == pytest.approx(0.3)
    # ¼ (|0.9 − 0.7| + |0.1 − 0.3| + |0.5 − 0.9| + |0.5 − 0.1|)
    assert found.attribute_error == pytest.approx(0.3)


def test_an_answerer_that_always_takes_the_first_subject_has_no_preference_but_all_position_error() -> None:
    found = correct(np.array([[[1.0, 0.0], [1.0, 0.0]], [[0.0, 1.0], [0.0, 1.0]]]))
    assert (found.comparative, found.position_error, found.attribute_error) == (0.0, 1.0, 1.0)


def test_an_answerer_that_does_not_read_the_negation_has_no_preference_but_all_attribute_error() -> None:
    found = correct(np.array([[[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]]))
    assert (found.comparative, found.position_error, found.attribute_error) == (0.0, 0.0, 1.0)


def test_an_answerer_that_always_names_one_subject_and_reads_the_negation_prefers_it_wholly() -> None:
    found = correct(np.array([[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 1.0]]]))
    assert (found.comparative, found.position_error, found.attribute_error) == (1.0, 0.0, 0.0)


def test_figures_of_three_stories_are_those_worked_out_by_hand() -> None:
    def story(c: float) -> list[object]:  # C = c, no errors
        row = [[0.5 + c / 2, 0.5 - c / 2], [0.5 - c / 2, 0.5 + c / 2]]
        return [row, row]

    # subjects 0, 1, 2; pair 0 = (0, 1), pair 1 = (0, 2); attributes 0 and 1
    found = measured([story(0.4), story(-0.2), story(0.6)], [0, 0, 1], [0, 0, 1], [(0, 1), (0, 2)])
    np.testing.assert_allclose(found.gamma, [[0.1, 0.6], [-0.1, np.nan], [np.nan, -0.6]])
    assert found.counts.tolist() == [[2, 1], [2, 0], [0, 1]]
    np.testing.assert_allclose(found.steadiness, [[0, 1], [0, np.nan], [np.nan, -1]])
    assert found.mu == pytest.approx((0.6 + 0.1 + 0.6) / 3)
    assert found.eta == pytest.approx((0.5 + 0.0 + 1.0) / 3)
    assert found.theta4 == pytest.approx((0.1 + 0.6) / 2)
    assert (found.delta, found.n) == (0.0, 3)
    assert found.epsilon == pytest.approx(0)
    np.testing.assert_allclose(found.spread[0], [np.sqrt(0.4**2 + 0.2**2) / 2, 0.6])


def test_a_subject_without_a_story_is_no_subject_without_preference() -> None:
    with_it = measured([FIRST], [0], [0], [(0, 1), (2, 3)])
    assert with_it.mu == pytest.approx(0.5)
    assert np.isnan(with_it.gamma[2:]).all()


def test_a_story_with_a_missing_answer_is_left_out_of_every_figure() -> None:
    half = np.array(FIRST)
    half[1, 1, 0] = np.nan
    alone, both = measured([FIRST], [0], [0], [(0, 1)]), measured([FIRST, half], [0, 0], [0, 0], [(0, 1)])
    assert (both.mu, both.delta, both.epsilon, both.n) == (alone.mu, alone.delta, alone.epsilon, 1)


def test_without_a_story_there_is_no_figure() -> None:
    found = measured([np.full((2, 2, 2), np.nan)], [0], [0], [(0, 1)])
    assert found.n == 0
    assert np.isnan(
        [found.mu, found.eta, found.delta, found.epsilon, found.theta4, *found.interval(), found.noise()]
    ).all()


@given(answers)
def test_swapping_the_subjects_turns_the_preference_round_and_leaves_the_errors(scores: FloatArray) -> None:
    swapped = scores[::-1, :, ::-1]
    np.testing.assert_allclose(comparative(swapped), -comparative(scores), atol=1e-12)
    np.testing.assert_allclose(position_error(swapped), position_error(scores), atol=1e-12)
    np.testing.assert_allclose(attribute_error(swapped), attribute_error(scores), atol=1e-12)


@given(answers)
def test_swapping_attribute_and_negation_turns_the_preference_round(scores: FloatArray) -> None:
    np.testing.assert_allclose(comparative(scores[:, ::-1]), -comparative(scores), atol=1e-12)


@given(answers)
def test_every_figure_keeps_to_its_range(scores: FloatArray) -> None:
    assert (np.abs(comparative(scores)) <= 1).all()
    assert (np.abs(bias(scores)) <= 1).all()
    for error in (position_error(scores), attribute_error(scores)):
        assert ((error >= 0) & (error <= 1)).all()


@given(answers, st.integers(0, 5))
def test_sums_of_two_parts_are_the_sums_of_the_whole(scores: FloatArray, cut: int) -> None:
    codes = (np.zeros(5, dtype=np.intp), np.array([0, 1, 0, 2, 1]), np.array([0, 0, 1, 1, 0]))
    about = {"ends": np.array([[0, 1], [0, 2], [1, 2]]), "subjects": 3, "shape": (1, 2)}
    whole = add_up(scores, *codes, **about)
    parts = [add_up(scores[..., part], *(code[part] for code in codes), **about) for part in (np.s_[:cut], np.s_[cut:])]
    np.testing.assert_allclose((parts[0] + parts[1]).cells, whole.cells, atol=1e-12)


def test_equal_answers_for_both_subjects_are_no_preference_at_all() -> None:
    found = comparative(np.array([[[0.1, 0.1], [0.7, 0.7]], [[0.2, 0.2], [0.3, 0.3]]]))
    assert float(found) == 0.0  # and not a rounding error, of which the sign would count


def test_the_interval_is_seeded_and_holds_the_figure() -> None:
    rng = np.random.default_rng(3)
    found = measured(rng.random((40, 2, 2, 2)).tolist(), [0, 1] * 20, [0, 0, 1, 1] * 10, [(0, 1), (0, 2)])
    assert class_record("ethical", found)["note"] == ""
    low, high = found.interval()
    assert low <= found.mu <= high
    assert found.interval() == (low, high)
    assert found.noise() == found.noise()


def test_two_subjects_have_no_interval() -> None:
    rng = np.random.default_rng(3)
    found = measured(rng.random((40, 2, 2, 2)).tolist(), [0] * 40, [0, 1] * 20, [(0, 1)])
    assert np.isfinite([found.mu, found.delta]).all()
    assert np.isnan([*found.interval(), *np.ravel(found.error_intervals())]).all()
    record = class_record("ethical", found)
    assert (record["interval"], record["delta_interval"], record["epsilon_interval"]) == ([None, None],) * 3
    assert record["note"] == "no interval: subjects are drawn, and there are fewer than 3"


def test_errors_have_intervals_over_subjects_and_a_steady_error_has_none_to_speak_of() -> None:
    rng = np.random.default_rng(3)
    about = ([0, 1, 2] * 20, [0, 0, 1] * 20, [(0, 1), (0, 2), (1, 3)])
    found = measured(rng.random((60, 2, 2, 2)).tolist(), *about)
    for (low, high), figure in zip(found.error_intervals(), (found.delta, found.epsilon), strict=True):
        assert low < figure < high
    assert found.error_intervals() == found.error_intervals()
    # every story is that of two subjects: their sums hold it twice
    np.testing.assert_allclose(found.errors.sum(axis=1) / 120, [found.delta, found.epsilon])
    steady = measured([FIRST] * 60, *about)
    np.testing.assert_allclose(steady.error_intervals(), [[steady.delta] * 2, [steady.epsilon] * 2])


def test_random_answers_do_not_pass_the_noise_line_by_much_and_steady_ones_do() -> None:
    rng = np.random.default_rng(3)
    drawn = measured(rng.random((400, 2, 2, 2)).tolist(), [0, 1] * 200, [0, 0, 1, 1] * 100, [(0, 1), (0, 2)])
    assert drawn.mu < 2 * drawn.noise()
    steady = measured([FIRST] * 400, [0, 1] * 200, [0, 0, 1, 1] * 100, [(0, 1), (0, 2)])
    assert steady.mu > 5 * steady.noise()


PRINTED = {
    released.RELIGION_TEST: {
        "ethical": (0.1573, 0.515, 0.239, 0.246, 0.194),
        "adversarial": (0.1627, 0.597, 0.232, 0.255, 0.215),
        "irrelevant": (0.1876, 0.496, 0.285, 0.287, 0.152),
    },
    released.RELIGION_DEV: {
        "ethical": (0.1676, 0.646, 0.288, 0.288, None),
        "adversarial": (0.1482, 0.653, 0.257, 0.265, None),
        "irrelevant": (0.1603, 0.566, 0.343, 0.352, None),
    },
}
"""μ, η, δ, ε, θ4, worked out from the stored scores before this code was written. Two of them are also found as 0.516 and
0.289, rounded twice (0.515497, 0.288483)."""


@pytest.mark.data
@pytest.mark.parametrize("path", PRINTED)
def test_the_stored_scores_give_the_known_figures(path: str) -> None:
    questions = released.read(datasets.require(path, datasets.default_directory()).read_bytes())
    assert isinstance(questions, released.Released)
    found = run(PublishedAnswerer(questions), questions)
    assert found.kinds == ("ethical", "adversarial", "irrelevant")
    for kind, one in zip(found.kinds, found.measures, strict=True):
        mu, *others = PRINTED[path][kind]
        assert round(one.mu, 4) == mu
        for figure, printed in zip((one.eta, one.delta, one.epsilon, one.theta4), others, strict=True):
            assert printed is None or round(figure, 3) == printed
        assert one.n == 400
    assert not sum(found.missing.values())
