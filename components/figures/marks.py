"""Several numbers of each row on one scale: bars and symbols, each of its own meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from components.figures import rows

BAR = "bar"

LINES = (0.04, -0.26)
"""Where the upper and the lower line of a row lie: a long bar and its marks, and what stands beside them."""


CLOSE = 0.2
"""Share of the width left of 0 below which labels stand right of it."""


@dataclass(frozen=True)
class Marks:
    """Marks of one meaning.

    Parameters
    ----------
    name : str
        For the legend.
    symbol : str
        A symbol of Plotly, or `BAR`.
    points : sequence of (int, float)
        Row, counted from the top, and value.
    intervals : sequence of (float, float)
        Ends of the interval of each point; none if empty.
    lower : bool
        On the lower line of the row.
    """

    name: str
    symbol: str
    points: Sequence[tuple[int, float]]
    intervals: Sequence[tuple[float, float]] = ()
    lower: bool = False


def figure(
    names: Sequence[str], marks: Sequence[Marks], *, x_title: str, x_range: tuple[float, float], room: int = 0
) -> go.Figure:
    """Draw one row per name.

    Parameters
    ----------
    room : int
        Pixels for a legend of more than two lines.
    """
    levels = rows.levels(len(names))
    drawn = [_trace(item, levels) for item in marks if item.points]
    zero = -x_range[0] / (x_range[1] - x_range[0])
    left = zero + 0.01 if zero < CLOSE else 0.0  # the zero line would strike the labels through
    return rows.lay_out(drawn, names, x_title=x_title, x_range=x_range, room=room, left=left)


def _trace(item: Marks, levels: Sequence[float]) -> dict[str, Any]:
    x = [value for _, value in item.points]
    trace: dict[str, Any] = {
        "x": x,
        "y": [levels[row] + LINES[item.lower] for row, _ in item.points],
        "name": item.name,
        "hovertemplate": f"{item.name}: %{{x:.3f}}<extra></extra>",
    }
    if item.intervals:
        trace["error_x"] = {
            "type": "data",
            "symmetric": False,
            "array": [high - value for value, (_, high) in zip(x, item.intervals, strict=True)],
            "arrayminus": [value - low for value, (low, _) in zip(x, item.intervals, strict=True)],
            "thickness": 3,
            "width": 7,
        }
    if item.symbol == BAR:
        return trace | {"type": "bar", "orientation": "h", "width": 0.26, "opacity": 0.75}
    marker = {"symbol": item.symbol, "size": 12, "line": {"width": 2}}
    return trace | {"type": "scatter", "mode": "markers", "marker": marker}
