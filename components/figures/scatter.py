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
    """Points of one kind: name for the legend, symbol, and the phrases with both coordinates.

    Notes are shown on hover, with their line ends; faint points are grey, of what says little. Keys take the place of the phrases as `customdata`.
    """

    name: str
    symbol: str
    texts: Sequence[str]
    x: FloatArray
    y: FloatArray
    notes: Sequence[str] = ()
    faint: bool = False
    keys: Sequence[str] = ()


@dataclass(frozen=True)
class Regions:
    """Two thresholds that part the plane in four, and the names of the parts: lower left, right, upper left, right."""

    x: float
    y: float
    names: tuple[str, str, str, str]


def figure(
    groups: Sequence[Group],
    *,
    x_title: str,
    y_title: str,
    line: Line | None = None,
    named: Sequence[str] = (),
    regions: Regions | None = None,
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
            "marker": {"symbol": group.symbol, "size": 9, "opacity": 0.8, **({"color": "grey"} if group.faint else {})},
            "text": [
                html.escape(text) + (f"<br>{html.escape(note)}" if note else "").replace("\n", "<br>")
                for text, note in zip(group.texts, group.notes or [""] * len(group.texts), strict=True)
            ],
            "customdata": list(group.keys or group.texts),
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
        for (text, x, y), lift in zip(chosen, _lifts(chosen, groups, regions), strict=True)
    ]
    if regions:
        labels += [
            {
                "text": name,
                "x": place % 2,
                "y": place // 2,
                "xref": "paper",
                "yref": "paper",
                "xanchor": ("left", "right")[place % 2],
                "yanchor": ("bottom", "top")[place // 2],
                "showarrow": False,
                "opacity": 0.7,
            }
            for place, name in enumerate(regions.names)
        ]
    ranges = [{"range": span} for span in _spans(groups, regions)] if regions else [{}, {}]
    layout = {
        "annotations": labels,
        "shapes": _lines(regions) if regions else [],
        "height": 460,
        "margin": {"l": 8, "r": 8, "t": 60, "b": 50},
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        "hovermode": "closest",
        "xaxis": {"title": {"text": x_title}, "zeroline": False, **ranges[0]},
        "yaxis": {"title": {"text": y_title}, "zeroline": False, "automargin": True, **ranges[1]},
    }
    return go.Figure(data=traces, layout=layout)


def _lines(regions: Regions) -> list[dict[str, Any]]:
    across = {"type": "line", "line": {"dash": "dash", "width": 1, "color": "grey"}}  # seen in both themes
    return [
        {**across, "x0": regions.x, "x1": regions.x, "y0": 0, "y1": 1, "yref": "paper"},
        {**across, "y0": regions.y, "y1": regions.y, "x0": 0, "x1": 1, "xref": "paper"},
    ]


WIDTH, HEIGHT = 250, 300
"""Pixels that labels are placed for: the narrowest plot that is shown; a wider one has more room."""

LIFTS = (-22, 22, -40, 40, -58, 58, -76, 76)
"""Pixels from a point down to its label, in the order tried."""


def _spans(groups: Sequence[Group], regions: Regions | None) -> list[tuple[float, float]]:
    """Ends of both axes: those of the points, and around them the room that names of regions take."""
    spans = []
    for axis, room in (("x", 0.06), ("y", 0.14)):
        values = [float(value) for group in groups for value in getattr(group, axis)]
        low, high = min(values, default=0.0), max(values, default=1.0)
        more = room * ((high - low) or 1.0) if regions else 0.0
        spans.append((low - more, high + more))
    return spans


def _lifts(
    chosen: Sequence[tuple[str, float, float]], groups: Sequence[Group], regions: Regions | None = None
) -> list[int]:
    """How far each label stands from its point, so that none covers another where there is room."""
    (left, right), (low, high) = _spans(groups, regions)
    width, height = (right - left) or 1.0, (high - low) or 1.0
    taken = [
        plane.label_box(
            name, f"middle {('right', 'left')[place % 2]}", WIDTH * (place % 2), abs(HEIGHT * (place // 2) - 8)
        )
        for place, name in enumerate(regions.names if regions else ())
    ]
    found = []
    for text, x, y in chosen:
        across, up = (x - left) / width * WIDTH, (y - low) / height * HEIGHT
        boxes = {lift: plane.label_box(text, "middle center", across, up - lift) for lift in LIFTS}
        free = [lift for lift, box in boxes.items() if not any(plane.overlap(box, other) for other in taken)]
        found.append((free or list(LIFTS))[0])
        taken.append(boxes[found[-1]])
    return found
