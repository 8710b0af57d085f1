"""The row layout that the figures of phrases share: one row per phrase, its label above its marks.

Labels stand inside the plot, so that a long phrase is neither clipped nor takes the width of a phone.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

ROW_HEIGHT = 52
"""Pixels of one row: a label and a line of marks."""

MARGIN = 74
"""Pixels below the rows for the axis and its poles, and above them for the legend."""

MAX_LABEL = 46
"""Characters of a label before it is cut; the whole text is on hover and in the table."""


def label(text: str) -> str:
    """Escape a phrase for Plotly, which reads a little HTML, and cut it to `MAX_LABEL`.

    Examples
    --------
    >>> label("<b>x</b>")
    '&lt;b&gt;x&lt;/b&gt;'
    """
    return html.escape(text if len(text) <= MAX_LABEL else f"{text[: MAX_LABEL - 1]}…", quote=False)


def levels(count: int) -> list[float]:
    """Heights of `count` rows, the first on top."""
    return [float(count - 1 - index) for index in range(count)]


def lay_out(
    traces: Sequence[dict[str, Any]],
    names: Sequence[str],
    *,
    x_title: str,
    x_range: tuple[float, float],
    room: int = 0,
    left: float = 0.0,
) -> go.Figure:
    """Make a figure of traces with rows, labels, zero line and named poles.

    It is made in one step: Plotly checks every later change anew, which costs ten times as much.

    Parameters
    ----------
    traces : sequence of dict
        Plotly traces, their y on the heights of `levels`.
    names : sequence of str
        Row labels from top to bottom.
    x_title : str
        Names both poles.
    x_range : (float, float)
        Shared by figures that stand side by side.
    room : int
        More pixels above the rows, for a long legend.
    left : float
        Where labels begin, as a share of the width.
    """
    labels = [
        {
            "x": left,
            "xref": "paper",
            "xanchor": "left",
            "y": level + 0.38,
            "yref": "y",
            "yanchor": "middle",
            "text": label(name),
            "showarrow": False,
        }
        for level, name in zip(levels(len(names)), names, strict=True)
    ]
    legend = {"orientation": "h", "yanchor": "bottom", "y": 1.0, "xanchor": "left", "x": 0, "itemsizing": "constant"}
    layout = {
        "annotations": labels,
        "height": ROW_HEIGHT * len(names) + 2 * MARGIN + room,
        "margin": {"l": 8, "r": 8, "t": 48 + room, "b": MARGIN},
        "legend": legend,
        "hovermode": "closest",
        "dragmode": False,
        "xaxis": {
            "title": {"text": x_title},
            "range": list(x_range),
            "zeroline": True,
            "zerolinewidth": 2,
            "showgrid": True,
            "nticks": 6,
        },
        "yaxis": {"visible": False, "range": [-0.6, len(names) - 0.3], "fixedrange": True},
    }
    return go.Figure(data=list(traces), layout=layout)


def spread(values: Sequence[float], margin: float = 0.08) -> tuple[float, float]:
    """An axis range that holds all values and 0, with a margin on both sides.

    Examples
    --------
    >>> spread([1.0, 2.0], margin=0.5)
    (-1.0, 3.0)
    """
    low, high = min(0.0, *values), max(0.0, *values)
    room = (high - low or 1.0) * margin
    return low - room, high + room
