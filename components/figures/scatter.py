"""Two numbers per phrase against each other, with the line between them and its band."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from components.figures import plane
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
    chosen = [
        (text, float(x), float(y))
        for group in groups
        for text, x, y in zip(group.texts, group.x, group.y, strict=True)
        if text in named
    ]
    labels = [
        {"x": x, "y": y, "text": html.escape(text, quote=False), "showarrow": True, "arrowhead": 0, "ax": 0, "ay": lift}
        for (text, x, y), lift in zip(chosen, _lifts(chosen, groups), strict=True)
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


WIDTH, HEIGHT = 280, 300
"""Pixels that labels are placed for: the narrowest plot that is shown; a wider one has more room."""

LIFTS = (-22, 22, -40, 40, -58, 58, -76, 76)
"""Pixels from a point down to its label, in the order tried."""


def _lifts(chosen: Sequence[tuple[str, float, float]], groups: Sequence[Group]) -> list[int]:
    """How far each label stands from its point, so that none covers another where there is room."""
    spans = []
    for axis in ("x", "y"):
        values = [float(value) for group in groups for value in getattr(group, axis)]
        spans.append((min(values, default=0.0), (max(values, default=1.0) - min(values, default=0.0)) or 1.0))
    (left, width), (low, height) = spans
    taken: list[tuple[float, float, float, float]] = []
    found = []
    for text, x, y in chosen:
        across, up = (x - left) / width * WIDTH, (y - low) / height * HEIGHT
        boxes = {lift: plane.label_box(text, "middle center", across, up - lift) for lift in LIFTS}
        free = [lift for lift, box in boxes.items() if not any(plane.overlap(box, other) for other in taken)]
        found.append((free or list(LIFTS))[0])
        taken.append(boxes[found[-1]])
    return found
