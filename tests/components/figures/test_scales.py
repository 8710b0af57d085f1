"""One range for figures that are compared."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.figures.scales import share

VALUES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=5)


@given(VALUES, VALUES)
def test_every_number_of_every_figure_lies_inside_the_one_range(one: list[float], other: list[float]) -> None:
    figures = [go.Figure(go.Scatter(x=values, y=values)) for values in (one, other)]
    share(figures, "xy")
    for axis in ("xaxis", "yaxis"):
        (low, high), same = figures[0].layout[axis].range, figures[1].layout[axis].range
        assert (low, high) == same
        assert all(low < value < high for value in one + other)


def test_intervals_and_where_bars_begin_lie_inside() -> None:
    figure = go.Figure(go.Bar(x=[5.0, 6.0], y=[0, 1], orientation="h", error_x={"array": [1, 9], "arrayminus": [2, 1]}))
    share([figure], "x")
    assert figure.layout.xaxis.range == pytest.approx((-0.9, 15.9))


def test_an_axis_that_was_not_named_keeps_its_range() -> None:
    figure = go.Figure(go.Scatter(x=np.arange(3), y=np.arange(3)), layout={"yaxis": {"range": (7, 8)}})
    share([figure], "x")
    assert figure.layout.yaxis.range == (7, 8)


def test_figures_without_a_number_are_left_alone() -> None:
    figures = [go.Figure(), go.Figure(go.Scatter(x=[], y=[]))]
    share(figures, "xy")
    assert all(figure.layout.xaxis.range is None for figure in figures)
