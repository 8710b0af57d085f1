"""The bias figure draws the scores, all of them and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

from components.figures import bias
from core.moral.compass import Compass, PhraseScores

Scores = Callable[..., PhraseScores]
WIDE = (-1.0, 1.0)


def test_each_template_each_mean_and_each_interval_is_drawn_where_its_number_says(
    small_compass: Compass, scored: Scores
) -> None:
    figure = bias.figure(small_compass, scored("kill time", "kill people"), shown=[0, 1], factor=1.0, x_range=WIDE)
    dos, donts, dots, means = figure.data
    assert list(dos.x) == [0.3, 0.1]
    assert list(dos.text) == ["help", "wave"]
    assert list(donts.x) == [-0.2, -0.1]
    assert list(donts.text) == ["lie", "cheat"]
    assert dots.x == pytest.approx([0.18, 0.22, -0.12, -0.08])
    assert list(dots.text) == [
        "Should I kill time?",
        "May I kill time?",
        "Should I kill people?",
        "May I kill people?",
    ]
    assert list(means.x) == [0.2, -0.1]
    assert list(means.text) == ["kill time", "kill people"]
    assert means.error_x.array == pytest.approx([0.06, 0.06])  # high − mean
    assert means.error_x.arrayminus == pytest.approx([0.03, 0.03])  # mean − low
    assert list(means.customdata) == ["2 of 5", "4 of 5"]


def test_phrases_stand_in_their_rows_below_the_published_lists(small_compass: Compass, scored: Scores) -> None:
    figure = bias.figure(small_compass, scored("a", "b"), shown=[0, 1], factor=1.0, x_range=WIDE)
    dos, donts, dots, means = figure.data
    assert all(2.5 < y < 3.0 for y in dos.y)
    assert all(1.5 < y < 2.0 for y in donts.y)
    assert [round(y) for y in means.y] == [1, 0]
    assert [round(y) for y in dots.y] == [1, 1, 0, 0]
    assert [note.text for note in figure.layout.annotations][2:] == ["a", "b"]


def test_the_sum_is_the_mean_times_the_number_of_templates_throughout(small_compass: Compass, scored: Scores) -> None:
    scores = scored("kill time")
    mean = bias.figure(small_compass, scores, shown=[0], factor=1.0, x_range=WIDE)
    total = bias.figure(small_compass, scores, shown=[0], factor=2.0, x_range=WIDE)
    for one, other in zip(mean.data, total.data, strict=True):
        assert np.asarray(other.x) == pytest.approx(2 * np.asarray(one.x))
    assert total.data[3].error_x.array == pytest.approx([0.12])
    assert "mean over templates" in mean.layout.xaxis.title.text
    assert "sum over 2 templates" in total.layout.xaxis.title.text
    assert bias.extent(small_compass, scores, factor=2.0) == pytest.approx(
        tuple(2 * end for end in bias.extent(small_compass, scores, factor=1.0))
    )


def test_both_poles_are_named_and_the_zero_line_and_the_given_range_are_drawn(
    small_compass: Compass, scored: Scores
) -> None:
    figure = bias.figure(small_compass, scored("kill time"), shown=[0], factor=1.0, x_range=(-0.4, 0.6))
    assert figure.layout.xaxis.title.text.startswith("← nearer “no” · nearer “yes” →")
    assert figure.layout.xaxis.range == (-0.4, 0.6)
    assert figure.layout.xaxis.zeroline


def test_the_range_of_an_encoder_holds_every_mark_of_it(small_compass: Compass, scored: Scores) -> None:
    low, high = bias.extent(small_compass, scored("kill time", mean=(0.9,)), factor=1.0)
    assert low < -0.2
    assert high > 0.92


def test_only_the_chosen_phrases_are_drawn_in_the_chosen_order(small_compass: Compass, scored: Scores) -> None:
    scores = scored("first", "second", "third")
    figure = bias.figure(small_compass, scores, shown=[2, 0], factor=1.0, x_range=WIDE)
    assert list(figure.data[3].text) == ["third", "first"]
    assert "second" not in figure.to_json()
    assert len(bias.figure(small_compass, scores, shown=[], factor=1.0, x_range=WIDE).data) == 2


def test_what_was_typed_is_escaped_wherever_plotly_would_read_markup(small_compass: Compass, scored: Scores) -> None:
    typed = '<b onclick="x()">kill</b> <script>x()</script>'
    figure = bias.figure(small_compass, scored(typed), shown=[0], factor=1.0, x_range=WIDE)
    texts = [*figure.data[2].text, *figure.data[3].text, figure.layout.annotations[2].text]
    assert all("&lt;b" in text for text in texts)
    assert not any("<" in text for text in texts)


def test_marks_differ_in_shape_and_not_in_colour_alone(small_compass: Compass, scored: Scores) -> None:
    figure = bias.figure(small_compass, scored("kill time"), shown=[0], factor=1.0, x_range=WIDE)
    assert len({trace.marker.symbol for trace in figure.data}) == len(figure.data)
    assert all(trace.marker.color is None for trace in figure.data)  # colours are the theme's


def test_the_figure_needs_no_webgl(small_compass: Compass, scored: Scores) -> None:
    figure = bias.figure(small_compass, scored("kill time"), shown=[0], factor=1.0, x_range=WIDE)
    assert {trace["type"] for trace in json.loads(figure.to_json())["data"]} == {"scatter"}
