"""Two numbers per phrase against each other, with the line between them and its band."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from core.statistics import Line
from core.vectors import FloatArray

SYMBOLS = ("circle", "square", "diamond", "x", "cross", "triangle-up", "star", "hexagon")
"""Symbols of groups, in order: a colour never stands alone."""


@dataclass(frozen=True)
class Group:
    """Points of one kind: name for the legend, symbol, and the phrases with both coordinates."""

    name: str
    symbol: str
    texts: Sequence[str]
    x: FloatArray
    y: FloatArray


def figure(
    groups: Sequence[Group], *, x_title: str, y_title: str, line: Line | None = None, named: Sequence[str] = ()
) -> go.Figure:
    """Draw groups of points, the regression line with its 95 % band, and labels for the phrases in `named`.

    Points carry their phrase as `customdata`, by which a click is recognised.
    """
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": group.x,
            "y": group.y,
            "mode": "markers",
            "name": group.name,
            "marker": {"symbol": group.symbol, "size": 9, "opacity": 0.8},
            "text": [html.escape(text) for text in group.texts],
            "customdata": list(group.texts),
            "hovertemplate": "%{text}<br>%{x:.3f}, %{y:+.3f}<extra></extra>",
        }
        for group in groups
    ]
    if line:
        traces += [
            {
                "type": "scatter",
                "x": line.x,
                "y": line.y,
                "mode": "lines",
                "name": "regression line",
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "x": [*line.x, *line.x[::-1]],
                "y": [*line.high, *line.low[::-1]],
                "fill": "toself",
                "mode": "none",
                "opacity": 0.3,
                "name": "95 % band",
                "hoverinfo": "skip",
            },
        ]
    labels = [
        {"x": x, "y": y, "text": html.escape(text, quote=False), "showarrow": True, "arrowhead": 0, "ax": 0, "ay": -22}
        for group in groups
        for text, x, y in zip(group.texts, group.x, group.y, strict=True)
        if text in named
    ]
    layout = {
        "annotations": labels,
        "height": 460,
        "margin": {"l": 8, "r": 8, "t": 60, "b": 50},
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        "hovermode": "closest",
        "xaxis": {"title": {"text": x_title}, "zeroline": False},
        "yaxis": {"title": {"text": y_title}, "zeroline": False, "automargin": True},
    }
    return go.Figure(data=traces, layout=layout)
