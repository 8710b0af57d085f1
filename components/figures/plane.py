"""Actions on the first two principal components, with labels that do not overlap."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from components.figures import axis
from core.vectors import FloatArray

WIDTH, HEIGHT = 520, 600
"""Pixels of the plot that labels are placed for: the narrowest that is shown; a wider one has more room."""

LINE, ASIDE, UP = 16.0, 6.0, {"top": 5.0, "middle": -7.0, "bottom": -19.0}
"""Pixels, measured in the browser: a label of the 12 px font is one line high, stands aside of its point if it is left
or right of it, and has its lower edge that much above it."""

_WIDE, _CAPITAL, _PLAIN, _NARROW = 10.5, 8.0, 6.5, 4.0
"""Pixels of a character, on average at most: m, w and %; capitals; others; i, l and t. An ideograph or emoji takes 16."""

_PLACES = (
    "top center",
    "bottom center",
    "middle right",
    "middle left",
    "top right",
    "bottom right",
    "top left",
    "bottom left",
)
"""Plotly's text positions, in the order tried."""


@dataclass(frozen=True)
class Group:
    """Actions of one kind: name for the legend, symbol, texts, (n, 2) positions, and a line of hover text each."""

    name: str
    symbol: str
    texts: Sequence[str]
    positions: FloatArray
    hover: Sequence[str]


def figure(groups: Sequence[Group], *, explained: FloatArray) -> go.Figure:
    """Draw the plane. Labels that would overlap are left to the pointer and the table; earlier groups go last.

    Parameters
    ----------
    groups : sequence of Group
        In the order of the theme's colours; the last group is labelled first.
    explained : ndarray
        Variance explained per component, for the axis titles.
    """
    points = [tuple(point) for group in groups for point in group.positions]
    places = iter(_place([text for group in groups for text in group.texts], points, order=_order(groups)))
    traces = []
    for group in groups:
        chosen = [next(places) for _ in group.texts]
        traces.append(
            {
                "type": "scatter",
                "x": group.positions[:, 0],
                "y": group.positions[:, 1],
                "mode": "markers+text",
                "name": group.name,
                "marker": {"symbol": group.symbol, "size": 8},
                "text": [
                    html.escape(text, quote=False) if place else ""
                    for text, place in zip(group.texts, chosen, strict=True)
                ],
                "textposition": [place or "top center" for place in chosen],
                "textfont": {"size": 12},
                "customdata": list(group.texts),
                "hovertext": [
                    html.escape(f"{text}: {line}") for text, line in zip(group.texts, group.hover, strict=True)
                ],
                "hovertemplate": "%{hovertext}<br>%{x:+.2f}, %{y:+.2f}<extra></extra>",
                "cliponaxis": False,
            }
        )
    x_range, y_range = _extent(points)
    layout = {
        "height": HEIGHT + 140,
        "margin": {"l": 8, "r": 8, "t": 50, "b": 60},
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        "hovermode": "closest",
        "dragmode": "pan",
        "xaxis": {
            "title": {"text": f"{axis.POLES}<br>first component ({explained[0]:.1%} of the variance)"},
            "range": x_range,
            "zeroline": True,
            "zerolinewidth": 2,
        },
        "yaxis": {
            "title": {"text": f"second component ({explained[1]:.1%})"},
            "range": y_range,
            "zeroline": False,
        },
    }
    return go.Figure(data=traces, layout=layout)


def _order(groups: Sequence[Group]) -> list[int]:
    """Indices of all actions, those of the last group first."""
    starts = [sum(len(group.texts) for group in groups[:index]) for index in range(len(groups))]
    return [
        start + row
        for start, group in reversed(list(zip(starts, groups, strict=True)))
        for row in range(len(group.texts))
    ]


def _extent(points: Sequence[tuple[float, ...]]) -> tuple[tuple[float, float], tuple[float, float]]:
    ranges = []
    for values in zip(*points, strict=True):
        room = 0.1 * (max(values) - min(values) or 1.0)
        ranges.append((min(values) - room, max(values) + room))
    return ranges[0], ranges[1]


def _place(texts: Sequence[str], points: Sequence[tuple[float, ...]], *, order: Sequence[int]) -> list[str | None]:
    """A text position for each label so that no label covers another label or a point; None where there is none."""
    (left, right), (low, high) = _extent(points)
    pixels = [((x - left) / (right - left) * WIDTH, (y - low) / (high - low) * HEIGHT) for x, y in points]
    taken = [(x - 4, y - 4, x + 4, y + 4) for x, y in pixels]
    found: list[str | None] = [None] * len(texts)
    for index in order:
        others = taken[:index] + taken[index + 1 :]
        for name in _PLACES:
            box = label_box(texts[index], name, *pixels[index])
            if box[0] >= 0 and box[2] <= WIDTH and not any(overlap(box, other) for other in others):
                found[index] = name
                taken.append(box)
                break
    return found


def label_box(text: str, place: str, x: float, y: float) -> tuple[float, float, float, float]:
    """Pixels that a label takes at one of Plotly's text positions: left, lower, right and upper end.

    Examples
    --------
    >>> label_box("sit", "middle right", 100, 100)
    (106.0, 93.0, 120.5, 109.0)
    """
    vertical, horizontal = place.split(" ")
    width = sum(_character(character) for character in text)
    left = x + {"left": -width - ASIDE, "center": -width / 2, "right": ASIDE}[horizontal]
    return left, y + UP[vertical], left + width, y + UP[vertical] + LINE


def _character(character: str) -> float:
    if unicodedata.east_asian_width(character) in "FW":
        return 16.0
    if character in "fijlt .,:;'!":
        return _NARROW
    return _WIDE if character in "mwMW%@" else _CAPITAL if character.isupper() else _PLAIN


def overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    """Whether two boxes (left, lower, right, upper) share an area."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
