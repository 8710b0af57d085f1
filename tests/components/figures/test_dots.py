"""Dots with names beside them, in the order given."""

from __future__ import annotations

import numpy as np
import pytest

from components.figures import dots

VALUES = np.array([0.9, 0.1, -1.0])


def test_names_stand_from_top_to_bottom_beside_their_dots() -> None:
    figure = dots.figure(["smile", "sit", "kill"], VALUES, x_title="position", x_range=(-1.1, 1.1))
    (trace,) = figure.data
    assert list(trace.x) == [0.9, 0.1, -1.0]
    assert list(trace.y) == list(figure.layout.yaxis.tickvals) == [0, 1, 2]
    assert list(figure.layout.yaxis.ticktext) == ["smile", "sit", "kill"]
    first, last = figure.layout.yaxis.range
    assert first > 2  # turned round: the first is on top
    assert last < 0
    assert figure.layout.xaxis.title.text == "position"
    assert figure.layout.xaxis.range == (-1.1, 1.1)
    assert trace.error_x.array is None


def test_an_interval_reaches_from_its_low_to_its_high_end() -> None:
    low, high = VALUES - np.array([0.1, 0.2, 0.0]), VALUES + np.array([0.05, 0.3, 0.4])
    (trace,) = dots.figure(["a", "b", "c"], VALUES, x_title="x", low=low, high=high).data
    assert trace.error_x.array == pytest.approx([0.05, 0.3, 0.4])
    assert trace.error_x.arrayminus == pytest.approx([0.1, 0.2, 0.0])


def test_names_are_escaped_and_cut_and_a_longer_list_is_higher() -> None:
    one = dots.figure(["<b>x</b>"], VALUES[:1], x_title="x")
    assert one.layout.yaxis.ticktext == ("&lt;b&gt;x&lt;/b&gt;",)
    assert dots.figure(["y" * 99], VALUES[:1], x_title="x").data[0].text[0].endswith("…")
    assert dots.figure(["a", "b", "c"], VALUES, x_title="x").layout.height > one.layout.height


def test_with_sides_a_bar_runs_from_zero_to_its_value_and_each_side_has_a_colour_of_its_own() -> None:
    figure = dots.figure(["smile", "sit", "kill"], VALUES, x_title="x", sides=True)
    positive, negative = figure.data
    assert {trace.type for trace in figure.data} == {"bar"}
    assert {trace.orientation for trace in figure.data} == {"h"}
    assert (list(positive.x), list(positive.y)) == ([0.9, 0.1], [0, 1])
    assert (list(negative.x), list(negative.y)) == ([-1.0], [2])
    assert list(figure.layout.yaxis.ticktext) == ["smile", "sit", "kill"]


def test_with_sides_an_interval_stays_with_its_bar() -> None:
    low, high = VALUES - np.array([0.1, 0.2, 0.0]), VALUES + np.array([0.05, 0.3, 0.4])
    positive, negative = dots.figure(["a", "b", "c"], VALUES, x_title="x", low=low, high=high, sides=True).data
    assert positive.error_x.array == pytest.approx([0.05, 0.3])
    assert negative.error_x.array == pytest.approx([0.4])
    assert negative.error_x.arrayminus == pytest.approx([0.0])
