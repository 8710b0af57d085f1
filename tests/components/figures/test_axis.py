"""The axis strip draws the seeds and the phrases where they lie."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from components.figures import axis
from core.moral.compass import Compass, PhraseScores

Scores = Callable[..., PhraseScores]
WIDE = (-2.0, 2.0)


def test_seeds_are_split_by_side_and_drawn_at_their_positions(small_compass: Compass, scored: Scores) -> None:
    do_side, dont_side, _ = axis.figure(small_compass, scored("help friends"), shown=[0], x_range=WIDE).data
    assert do_side.x == pytest.approx([1.0, 0.5, 0.0])
    assert list(do_side.text) == ["smile", "help", "sit"]
    assert dont_side.x == pytest.approx([-0.5, -1.0])
    assert list(dont_side.text) == ["harm", "kill"]
    assert do_side.marker.symbol != dont_side.marker.symbol


def test_phrases_are_drawn_at_their_positions_with_their_intervals(small_compass: Compass, scored: Scores) -> None:
    figure = axis.figure(small_compass, scored("help friends", "kill people"), shown=[0, 1], x_range=WIDE)
    phrases = figure.data[2]
    assert list(phrases.x) == [0.8, -1.4]
    assert phrases.error_x.array == pytest.approx([0.3, 0.3])
    assert phrases.error_x.arrayminus == pytest.approx([0.1, 0.1])
    assert [note.text for note in figure.layout.annotations] == ["The 5 seed actions", "help friends", "kill people"]


def test_both_poles_are_named_and_the_range_holds_seeds_and_what_lies_beyond_them(
    small_compass: Compass, scored: Scores
) -> None:
    low, high = axis.extent(small_compass, scored("help friends", "kill people"))
    assert low < -1.5  # −1.4 − 0.1
    assert high > 1.1  # 0.8 + 0.3
    assert axis.extent(small_compass, scored("sit", position=(0.0,))) == pytest.approx((-1.08, 1.08))
    figure = axis.figure(small_compass, scored("help friends"), shown=[0], x_range=(low, high))
    assert figure.layout.xaxis.title.text.startswith("← Don't side · Do side →")
    assert figure.layout.xaxis.range == (low, high)


def test_an_interval_beside_its_position_gets_no_negative_bar(small_compass: Compass, scored: Scores) -> None:
    scores = scored("help friends")
    scores.position_low[:] = 0.9  # the bootstrap of a skewed axis may leave the position outside
    bars = axis.figure(small_compass, scores, shown=[0], x_range=WIDE).data[2].error_x
    assert list(bars.arrayminus) == [0.0]


def test_what_was_typed_is_escaped_and_nothing_needs_webgl(small_compass: Compass, scored: Scores) -> None:
    figure = axis.figure(small_compass, scored("<i>kill</i>"), shown=[0], x_range=WIDE)
    assert figure.data[2].text[0] == figure.layout.annotations[1].text == "&lt;i&gt;kill&lt;/i&gt;"
    assert {trace["type"] for trace in json.loads(figure.to_json())["data"]} == {"scatter"}


def test_without_phrases_the_seeds_stand_alone(small_compass: Compass, scored: Scores) -> None:
    assert len(axis.figure(small_compass, scored("a"), shown=[], x_range=WIDE).data) == 2
