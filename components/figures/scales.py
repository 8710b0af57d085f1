"""The same scale on figures that are compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import plotly.graph_objects as go

ROOM = 0.06
"""Share of the span that is left free at either end."""


def union(ranges: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """The range that holds all `ranges`.

    Examples
    --------
    >>> union([(-1.0, 2.0), (0.0, 3.0)])
    (-1.0, 3.0)
    """
    lows, highs = zip(*ranges, strict=True)
    return min(lows), max(highs)


def share(figures: Sequence[go.Figure], axes: str) -> None:
    """Give the axes named in `axes` (``"x"``, ``"y"`` or ``"xy"``) of all figures one range that holds every number.

    Examples
    --------
    >>> one, other = go.Figure(go.Scatter(x=[0, 10], y=[1, 1])), go.Figure(go.Bar(x=[50], y=[1], orientation="h"))
    >>> share([one, other], "x")
    >>> one.layout.xaxis.range, other.layout.xaxis.range == one.layout.xaxis.range
    ((-3.0, 53.0), True)
    """
    for axis in axes:
        numbers = [number for figure in figures for trace in figure.data for number in _numbers(trace, axis)]
        if numbers:
            low, high = min(numbers), max(numbers)
            room = ROOM * ((high - low) or 1.0)
            for figure in figures:
                figure.update_layout({f"{axis}axis": {"range": (low - room, high + room)}})


def _numbers(trace: go.Scatter | go.Bar, axis: str) -> Iterator[float]:
    """The ends of what a trace covers: its points, their intervals, and 0 where bars begin."""
    points = np.asarray(trace[axis] if trace[axis] is not None else (), dtype=np.float64)
    if not len(points):
        return
    yield from (points.min(), points.max())
    error = trace[f"error_{axis}"]
    if error.array is not None:
        yield (points + np.asarray(error.array)).max()
        yield (points - np.asarray(error.arrayminus)).min()
    if trace.type == "bar":
        yield 0.0
