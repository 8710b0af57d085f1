"""Readings of interventions give the numbers and what is desired, and pass no judgement."""

from __future__ import annotations

import re

import numpy as np
import pytest

from components.interventions import readings
from core.interventions.benchmark import Accuracy, Benchmark
from core.interventions.curves import Curves, Point
from core.interventions.stories import KINDS, Attribute
from core.interventions.unqover import Measures, correct

VERDICT = re.compile(r"\b(good|bad|evil|immoral|biased|unbiased|fair|unfair|sexist|racist|passes|fails)\b", re.I)

CORRECTION = correct(np.array([[[0.8, 0.2], [0.4, 0.6]], [[0.6, 0.4], [0.2, 0.8]]]))
CLASSES = {
    "none": {"mu": 0.2, "interval": [0.1, 0.3], "noise": 0.05},
    "ethical": {"mu": 0.1, "interval": [0.05, 0.2], "noise": 0.04},
    "irrelevant": {"mu": None, "interval": [None, None], "noise": None},
}


def measures(gamma: list[list[float]]) -> Measures:
    values = np.array(gamma)
    return Measures(0.1, 0.5, 0.1, 0.1, 0.1, 4, values, values, np.isfinite(values) * 1.0, values, np.zeros((2, 2)))


def found(gamma: list[list[float]]) -> Benchmark:
    return Benchmark(
        "letters",
        "made by hand",
        ("none",),
        ("Ann", "Bob"),
        (Attribute("paid", "work"), Attribute("left", "work"), Attribute("sang", "work")),
        (measures(gamma),),
        {},
        {},
        (),
        4,
        4,
    )


def test_the_steps_hold_the_worked_numbers_of_the_correction() -> None:
    raw, position, negation, final = readings.steps(("Ann", "Bob"), CORRECTION)
    assert "As asked first: Ann 0.800, Bob 0.200." in raw
    assert "question Ann 0.700, Bob 0.300; negated question Ann 0.300, Bob 0.700" in position
    assert "δ = 0.200" in position
    assert "B(Ann) = +0.400, B(Bob) = −0.400" in negation
    assert "ε = 0.200" in negation
    assert "= +0.400, on a scale from −1 (always Bob) to +1 (always Ann)" in final


def test_the_table_of_the_steps_ends_with_c_and_its_opposite() -> None:
    rows = readings.step_rows(("Ann", "Bob"), CORRECTION)
    assert len(rows) == 8
    assert rows[1] == {"step": "1 Ann first, negated", "S Ann": 0.4, "S Bob": 0.6}
    assert list(rows[-1].values()) == ["4 C", pytest.approx(0.4), pytest.approx(-0.4)]


def test_the_wanted_values_are_zero_either_end_or_unchanged() -> None:
    assert readings.targets("ethical", 0.3) == (0.0,)
    assert readings.targets("adversarial", 0.3) == (-1.0, 1.0)
    assert readings.targets("irrelevant", 0.3) == (0.3,)
    assert readings.targets("none", 0.3) == readings.targets("own", 0.3) == ()
    assert "(−0.300)" in readings.desired("irrelevant", -0.3)
    assert len({readings.desired(kind) for kind in KINDS}) == 5


def test_mu_stands_with_interval_chance_and_aim_and_a_class_without_a_story_is_passed_over() -> None:
    assert readings.mu("Letters", CLASSES) == (
        "Letters: μ no intervention 0.200 (0.100 to 0.300; chance alone 0.050); "
        "ethical 0.100 (0.050 to 0.200; chance alone 0.040, desired 0)."
    )
    irrelevant = {**CLASSES, "irrelevant": CLASSES["ethical"]}
    assert readings.mu("Letters", irrelevant).endswith("chance alone 0.040, desired 0.200).")
    assert readings.mu("Letters", {}) == "Letters: μ of no story."


def test_where_there_is_no_interval_the_reading_says_why() -> None:
    row = {"mu": 0.2, "interval": [None, None], "note": "no interval: two subjects", "noise": 0.05}
    assert readings.mu("Letters", {"own": row}) == (
        "Letters: μ your own 0.200 (no interval: two subjects; chance alone 0.050)."
    )


def test_the_strongest_preference_is_named_with_its_side() -> None:
    reading = readings.gamma("Letters", "none", found([[0.1, np.nan, 0.0], [-0.4, np.nan, 0.2]]))
    assert reading == "Letters, no intervention: the strongest preference is γ = −0.400, against “Bob” on “paid”."
    assert readings.gamma("Letters", "none", found([[np.nan] * 3] * 2)).endswith("no story.")


def test_the_strongest_rows_and_columns_keep_their_order_and_leave_out_what_has_no_value() -> None:
    values = np.array([[0.1, np.nan, 0.3], [-0.4, np.nan, 0.2]])
    assert readings.strongest(values, 1, 5) == [0, 2]
    assert readings.strongest(values, 1, 1) == [0]
    assert readings.strongest(values, 0, 5) == [0, 1]
    assert readings.strongest(values, 0, 1) == [1]


def test_accuracy_stands_with_interval_chance_and_the_negation() -> None:
    accuracy = Accuracy("letters", "made by hand", 3, 0.75, (0.3, 0.954), 0.5, 4, 4)
    assert readings.accuracy("Letters", accuracy) == (
        "Letters: the supported subject in 3 of 4 questions, 75.0% (95 % interval 30.0% to 95.4%; chance 50%); "
        "the same subject for the negated question in 50.0%."
    )


def test_curves_are_told_by_their_ends() -> None:
    points = tuple(Point(size, "gender", "ethical", mu, 0, 1, 0, 9) for size, mu in ((0, 0.4), (64, 0.3), (1024, 0.1)))
    curves = Curves("m", ("gender",), (0, 64, 1024), points, {})
    assert (
        readings.curves("gender", curves, ["none", "ethical"])
        == "gender: μ ethical 0.400 after 0 stories, 0.100 after 1,024."
    )


def test_no_reading_and_no_limit_passes_judgement() -> None:
    texts = [
        *readings.steps(("Ann", "Bob"), CORRECTION),
        *(readings.desired(kind) for kind in KINDS),
        readings.story("Letters", ("Ann", "Bob"), {"none": 0.1}),
        readings.mu("Letters", CLASSES),
        readings.STORY_LIMIT,
        readings.MU_LIMIT,
        readings.GAMMA_LIMIT,
        readings.ACCURACY_LIMIT,
        readings.CURVES_LIMIT,
    ]
    assert [text for text in texts if VERDICT.search(text)] == []
    assert all(text.startswith("Limit: ") for text in texts[-5:])
