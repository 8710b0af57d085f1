"""Values of many targets, a box per category, every point shown."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from core.vectors import FloatArray


@dataclass(frozen=True)
class Group:
    """Boxes of one kind, side by side in every category: name for the legend, symbol, and n targets with their values.

    Points carry their key as `customdata`, by which a click is recognised; without keys the target.
    """

    name: str
    symbol: str
    texts: Sequence[str]
    categories: Sequence[str]
    values: FloatArray
    keys: Sequence[str] = ()


def figure(groups: Sequence[Group], *, y_title: str, top: float | None = None, logarithmic: bool = False) -> go.Figure:
    """Draw quartiles, mean (dashed) and all points of each category.

    Parameters
    ----------
    top : float, optional
        Upper end of the axis, shared by figures side by side.
    logarithmic : bool
        For counts that differ by orders of magnitude; zeros are then not drawn.
    """
    traces: list[dict[str, Any]] = [
        {
            "type": "box",
            "x": list(group.categories),
            "y": group.values,
            "name": group.name,
            "boxpoints": "all",
            "jitter": 0.5,
            "pointpos": 0,
            "boxmean": True,
            "marker": {"symbol": group.symbol, "size": 5, "opacity": 0.55},
            "line": {"width": 1.5},
            "text": [html.escape(text) for text in group.texts],
            "customdata": list(group.keys or group.texts),
            "hovertemplate": "%{text}: %{y:.1f}<extra></extra>",
            "hoveron": "points",
        }
        for group in groups
    ]
    axis: dict[str, Any] = {"title": {"text": y_title}, "automargin": True, "zeroline": True}
    if logarithmic:
        axis |= {"type": "log", "dtick": 1}
    elif top is not None:
        axis["range"] = (-0.03 * top, 1.05 * top)
    layout = {
        "height": 420,
        "margin": {"l": 8, "r": 8, "t": 60 if len(groups) > 1 else 20, "b": 40},
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        "boxmode": "group",
        "dragmode": False,
        "yaxis": axis,
    }
    return go.Figure(data=traces, layout=layout)
