"""Effect sizes over their null bands: each test in a row of its own, what is missing left out and not drawn as 0."""

from __future__ import annotations

import numpy as np
import pytest

from components.figures import effects
from core.association.sets import HumanFinding, WordSet, WordTest
from core.association.weat import Outcome, evaluate


def outcome(key: str, *, band: tuple[float, float] | None, human: HumanFinding | None) -> Outcome:
    x, y, a, b = (WordSet(f"<i>{role}</i>", (f"{role}1", f"{role}2")) for role in "xyab")
    similarity = np.array([[0.9, 0.7, 0.1, 0.0], [0.8, 0.8, 0.1, 0.1], [0.1, 0.0, 0.8, 0.9], [0.2, 0.0, 0.7, 0.9]])
    return Outcome(WordTest(key, x, y, a, b, human), (), evaluate(similarity, 2, 2), band)


BOTH = (
    outcome("1", band=(-0.5, 1.5), human=HumanFinding("32", 1.35, "1e-8")),
    outcome("own", band=None, human=None),
)


def test_each_row_holds_its_effect_and_only_what_exists_of_people_and_band() -> None:
    found, people, band = effects.figure(BOTH).data
    assert list(found.x) == [item.weat.effect for item in BOTH]
    assert found.y[0] - found.y[1] == pytest.approx(1)  # the first test stands on top
    assert (list(people.x), list(people.y)) == ([1.35], [found.y[0]])
    assert (list(band.x), list(band.error_x.array), list(band.y)) == ([0.5], [1.0], [found.y[0]])


def test_the_axis_holds_every_effect_of_equal_sets_and_the_names_are_escaped() -> None:
    figure = effects.figure(BOTH)
    low, high = figure.layout.xaxis.range
    assert low < -2
    assert high > 2
    names = [note.text for note in figure.layout.annotations]
    assert names[0] == "1: Flowers / Insects"
    assert names[1].startswith("own: &lt;i&gt;x&lt;/i&gt; / ")
    assert not any("<" in name for name in names)


def test_marks_differ_by_shape_and_not_by_colour_alone() -> None:
    found, people, band = effects.figure(BOTH).data
    assert found.marker.symbol != people.marker.symbol
    assert len({trace.name for trace in (found, people, band)}) == 3
