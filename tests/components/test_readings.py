"""Readings say what the numbers say, with signs and intervals, and never pass judgement."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components import readings
from components.figures.context import Cell
from core.moral.axis import Axis
from core.moral.compass import Compass, PhraseScores
from core.moral.study import Study
from core.moral.survey import Disagreement
from core.statistics import Correlation

Scores = Callable[..., PhraseScores]

VERDICT = re.compile(r"\b(good|evil|wrong|moral|immoral|right|allowed|forbidden|should|biased|sexist|racist)\b", re.I)


@pytest.fixture(autouse=True)
def two_templates_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scores made by hand have two templates, for which no interval would be put into words."""
    monkeypatch.setattr(readings, "MIN_TEMPLATES", 2)


def test_a_reading_names_side_amount_interval_agreement_rank_and_negation(scored: Scores) -> None:
    assert readings.phrase(scored("kill time", agreement=0.9), 0) == (
        "“kill time”: nearer yes by 0.200 (95 % interval +0.170 to +0.260); 90% of the templates agree in sign; "
        "2nd of 5 among the published Dos and Don'ts; with “not” before it −0.100."
    )


def test_a_negative_score_is_nearer_no_by_its_absolute_value(scored: Scores) -> None:
    reading = readings.phrase(scored("kill time", "kill people"), 1)
    assert "nearer no by 0.100 (95 % interval −0.130 to −0.040)" in reading
    assert "too close to call" not in reading


def test_an_interval_across_zero_is_too_close_to_call(scored: Scores) -> None:
    assert "too close to call" in readings.phrase(scored("sit", mean=(0.01,)), 0)


def test_the_sum_multiplies_every_number_but_the_rank_and_the_agreement(scored: Scores) -> None:
    reading = readings.phrase(scored("kill time"), 0, factor=10)
    assert "by 2.000 (95 % interval +1.700 to +2.600); 100% of" in reading
    assert "2nd of 5" in reading
    assert "before it −1.000" in reading


@pytest.mark.parametrize(
    "typed", ["<b>kill</b>", "**kill** [x](http://127.0.0.1)", "`kill` $x$", "צחק", "🎉", "a" * 200]
)
def test_what_was_typed_passes_untouched(scored: Scores, typed: str) -> None:
    scores = scored(typed, "b")
    assert f"“{typed}”" in readings.phrase(scores, 0)
    assert f"“{typed}”" in readings.bias_figure("Encoder", scores)
    assert f"“{typed}”" in readings.axis_figure("Encoder", scores)
    cells = [Cell("b", "", "b", 0.0, 0.0), Cell("b", typed, f"b {typed}", 0.1, 0.1)]
    assert f"to “b {typed}”" in readings.context_figure("Encoder", cells)


def test_no_reading_holds_a_verdict(small_compass: Compass, scored: Scores) -> None:
    for mean in (0.9, 0.001, -0.001, -0.9):
        scores = scored("sit", mean=(mean,), position=(mean,))
        said = [
            readings.phrase(scores, 0),
            readings.bias_figure("Encoder", scores),
            readings.axis_figure("Encoder", scores).replace("the moral axis", "the axis"),
            readings.context_figure("Encoder", [Cell("sit", "down", "sit down", mean, mean)]),
            readings.negation(0.5, 0.5),
            readings.compass_line(small_compass),
        ]
        assert [sentence for sentence in said if VERDICT.search(sentence)] == []


def test_the_takeaway_of_the_bias_figure_names_both_ends_with_their_places(scored: Scores) -> None:
    assert readings.bias_figure("Letters", scored("kill time", "kill people", "sit")) == (
        "Letters: nearest yes is “kill time” (+0.200, 2nd of 5), nearest no “kill people” (−0.100, 4th of 5)."
    )
    assert readings.bias_figure("Letters", scored("kill time")) == "Letters places “kill time” at +0.200, 2nd of 5."


def test_the_takeaway_of_the_axis_names_both_ends(scored: Scores) -> None:
    reading = readings.axis_figure("Letters", scored("kill time", "kill people", "sit"))
    assert "Do side is “kill time” (+0.80), furthest to the Don't side “kill people” (−1.40)" in reading
    assert "at +0.80 on the moral axis" in readings.axis_figure("Letters", scored("kill time"))


def test_the_takeaway_of_the_heatmap_is_the_largest_effect_whatever_its_sign() -> None:
    cells = [
        Cell("kill", "", "kill", 0.1, 0.0),
        Cell("kill", "people", "kill people", -0.1, -0.2),
        Cell("kill", "time", "kill time", 0.2, 0.1),
    ]
    assert readings.context_figure("Letters", cells) == (
        "Letters: the largest effect of a context is from “kill” to “kill people”, −0.200, to a score of −0.100."
    )
    assert readings.context_figure("Letters", cells[:1]) == "Letters: no context was given."


def test_with_few_templates_no_interval_is_claimed(scored: Scores, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings, "MIN_TEMPLATES", 4)
    assert "2 templates: too few to say how sure that is" in readings.phrase(scored("kill time"), 0)


def test_the_line_about_the_encoder_averages_the_published_lists_and_compares_the_answers(
    small_compass: Compass,
) -> None:
    line = readings.compass_line(small_compass)
    assert "Dos average +0.200, the Don'ts −0.150" in line  # (0.3 + 0.1) / 2 and (−0.2 − 0.1) / 2
    assert "cosine 0.00 to 0.60" in line


def test_the_line_about_negation_leaves_out_a_correlation_that_does_not_exist() -> None:
    assert "25%" in readings.negation(0.5, 0.25)
    assert "r = 0.50" in readings.negation(0.5, 0.25)
    assert "correlate" not in readings.negation(None, 0.25)


@pytest.mark.parametrize(
    ("value", "written"), [(-0.0004, "0.000"), (0.0, "0.000"), (-1.5, "−1.500"), (0.0006, "+0.001")]
)
def test_a_number_has_a_true_minus_and_no_negative_zero(value: float, written: str) -> None:
    assert readings.signed(value) == written


@given(st.floats(-5, 5))
def test_the_written_sign_is_the_sign_of_the_written_number(value: float) -> None:
    written = readings.signed(value)
    back = float(written.replace("−", "-"))
    assert abs(back - value) <= 0.0005 + 1e-9
    assert written[0] in "+−" if back else written == "0.000"


@pytest.mark.parametrize(
    ("place", "written"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (11, "11th"), (101, "101st"), (113, "113th")]
)
def test_places_are_written_in_english(place: int, written: str) -> None:
    assert readings.ordinal(place) == written


def test_readings_accept_numpy_numbers(scored: Scores) -> None:
    scores = replace(scored("sit"), rank=np.array([np.int64(1)]))
    assert "1st of 5" in readings.phrase(scores, 0)


def test_the_reading_of_the_variance_compares_the_first_component_with_noise(
    small_study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Axis, "random_line", property(lambda self: (0.25, 0.2)))
    assert readings.variance("Letters", small_study) == (
        "Letters: the first component explains 100.0% of the variance, more than random vectors reach in 95 of 100 "
        "cases (25.0%); the second explains 0.0%."
    )
    monkeypatch.setattr(Axis, "random_line", property(lambda self: (1.0, 0.2)))
    assert "no more than random vectors reach" in readings.variance("Letters", small_study)


def test_the_reading_of_the_stability_names_the_seed_and_the_template_that_turn_the_axis_most(
    small_study: Study,
) -> None:
    assert readings.stability("Letters", small_study) == (
        "Letters: leaving out one seed turns the axis by |cos| ≥ 0.912 (most: “sit”). Without the template “May I {}?” "
        "it turns most: |cos| = 0.975. Drawing the seeds anew keeps a median |cos| of 0.75 (5 % of draws below 0.53)."
    )


def test_where_there_are_no_templates_none_is_named(small_study: Study) -> None:
    bare = replace(small_study, stability=replace(small_study.stability, without_template=np.empty(0)))
    assert "template" not in readings.stability("Letters", bare)


def test_a_correlation_is_read_with_its_interval_and_number() -> None:
    found = Correlation(0.7319, 0.6328, 0.8075, 1e-20, 113)
    assert readings.correlated("axis and people", found) == (
        "axis and people: r = 0.73 (95 % interval 0.63 to 0.81, n = 113)"
    )
    assert "r = −0.10 (95 % interval −0.28 to 0.09," in readings.correlated(
        "x", Correlation(-0.1, -0.28, 0.09, 0.3, 113)
    )


def test_the_furthest_phrases_are_named_with_the_side_the_encoder_leans_to() -> None:
    found = [Disagreement("eat meat", 0.9, -0.2, -2.1), Disagreement("<b>rest</b>", 0.1, 0.4, 1.9)]
    assert readings.furthest(found) == (
        "Furthest from the common line, with where the encoder puts them: “eat meat” (lower), “<b>rest</b>” (higher)."
    )
    assert readings.furthest([]) == ""
