"""Variance explained per principal component, against what random vectors reach."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core.vectors import FloatArray

COMPONENTS = 10
"""Components drawn, as in Figure 3 of Schramowski et al. (2019)."""


def figure(explained: FloatArray, random_line: Sequence[float], *, highest: float) -> go.Figure:
    """Draw the first components as bars and the random 95 % line over them.

    Parameters
    ----------
    explained : ndarray, shape (m,)
        Share of variance per component, 0 to 1.
    random_line : sequence of float
        The 95 % quantile of random vectors, per component.
    highest : float
        Top of the axis, shared by figures side by side.
    """
    count = min(COMPONENTS, len(explained))
    numbers = list(range(1, count + 1))
    bars = {
        "type": "bar",
        "x": numbers,
        "y": explained[:count],
        "name": "this encoder",
        "hovertemplate": "component %{x}: %{y:.1%}<extra></extra>",
    }
    noise = {
        "type": "scatter",
        "x": numbers,
        "y": list(random_line[:count]),
        "mode": "lines+markers",
        "name": "random vectors, 95 %",
        "line": {"dash": "dash"},
        "marker": {"symbol": "x"},
        "hovertemplate": "random, component %{x}: %{y:.1%}<extra></extra>",
    }
    layout = {
        "height": 300,
        "margin": {"l": 8, "r": 8, "t": 40, "b": 40},
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        "dragmode": False,
        "xaxis": {"title": {"text": "principal component"}, "dtick": 1, "showgrid": False},
        "yaxis": {
            "title": {"text": "variance explained"},
            "tickformat": ".0%",
            "range": [0, highest * 1.08],
            "automargin": True,
        },
    }
    return go.Figure(data=[bars, noise], layout=layout)
