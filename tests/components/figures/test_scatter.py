"""Two numbers per phrase: every point can be recognised, the furthest are named, the line has its band."""

from __future__ import annotations

import numpy as np
import pytest

from components.figures import scatter
from components.figures.scatter import Group
from core.statistics import line

X, Y = np.array([0.1, 0.4, 0.6, 0.9]), np.array([-0.5, 0.2, 0.1, 0.8])
ATOMIC = Group("atomic actions", "circle", ["lie", "rest", "eat", "smile"], X, Y)
CONTEXT = Group("context actions", "square", ["<i>lie</i> & run"], X[:1], Y[1:2])


def test_points_lie_where_their_numbers_say_and_carry_their_phrase() -> None:
    figure = scatter.figure([ATOMIC, CONTEXT], x_title="paper", y_title="here")
    one, other = figure.data
    assert list(one.x) == list(X)
    assert list(one.y) == list(Y)
    assert list(one.customdata) == ["lie", "rest", "eat", "smile"]
    assert list(other.customdata) == ["<i>lie</i> & run"]
    assert list(other.text) == ["&lt;i&gt;lie&lt;/i&gt; &amp; run"]
    assert (figure.layout.xaxis.title.text, figure.layout.yaxis.title.text) == ("paper", "here")
    assert one.marker.symbol != other.marker.symbol


def test_only_the_named_phrases_have_a_label_which_is_escaped() -> None:
    figure = scatter.figure([ATOMIC, CONTEXT], x_title="x", y_title="y", named=["eat", "<i>lie</i> & run"])
    assert [(note.text, note.x, note.y) for note in figure.layout.annotations] == [
        ("eat", 0.6, 0.1),
        ("&lt;i&gt;lie&lt;/i&gt; &amp; run", 0.1, 0.2),
    ]
    assert not scatter.figure([ATOMIC], x_title="x", y_title="y").layout.annotations


def test_the_band_runs_along_its_upper_end_and_back_along_its_lower_one() -> None:
    fitted = line(X, Y, points=5)
    drawn = scatter.figure([ATOMIC], x_title="x", y_title="y", line=fitted).data
    assert [trace.name for trace in drawn] == ["atomic actions", "regression line", "95 % band"]
    assert list(drawn[1].y) == pytest.approx(list(fitted.y))
    assert list(drawn[2].x) == pytest.approx([*fitted.x, *fitted.x[::-1]])
    assert list(drawn[2].y) == pytest.approx([*fitted.high, *fitted.low[::-1]])
    assert {trace.hoverinfo for trace in drawn[1:]} == {"skip"}


def test_the_lines_of_regions_are_seen_on_light_and_on_dark_ground() -> None:
    regions = scatter.Regions(0.3, 0.1, ("a", "b", "c", "d"))
    drawn = scatter.figure([ATOMIC], x_title="x", y_title="y", regions=regions).layout.shapes
    assert [shape.line.color for shape in drawn] == ["grey", "grey"]


def test_a_note_is_text_and_keeps_its_lines() -> None:
    noted = Group("one", "circle", ["lie"], X[:1], Y[:1], notes=["<b>\nc"])
    assert list(scatter.figure([noted], x_title="x", y_title="y").data[0].text) == ["lie<br>&lt;b&gt;<br>c"]


def test_colours_are_those_of_the_theme_and_nothing_needs_webgl() -> None:
    drawn = scatter.figure([ATOMIC, CONTEXT], x_title="x", y_title="y", line=line(X, Y)).data
    assert {trace.type for trace in drawn} == {"scatter"}
    assert all(trace.marker.color is None for trace in drawn)
