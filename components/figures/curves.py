"""A number against steps of growing size, a line for each series, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

SYMBOLS = ("circle", "square", "diamond", "x", "cross")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash")


@dataclass(frozen=True)
class Series:
    """One line: name for the legend, steps, values, and the ends of their intervals."""

    name: str
    steps: Sequence[str]
    values: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


def figure(
    series: Sequence[Series], steps: Sequence[str], *, x_title: str, y_title: str, wanted: Sequence[tuple[float, str]]
) -> go.Figure:
    """Draw lines over equally spaced steps.

    Parameters
    ----------
    wanted : sequence of (float, str)
        Heights to reach, each with the words beside it.
    """
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": item.name,
            "x": list(item.steps),
            "y": list(item.values),
            "line": {"dash": DASHES[place % len(DASHES)]},
            "marker": {"symbol": SYMBOLS[place % len(SYMBOLS)], "size": 10},
            "error_y": {
                "type": "data",
                "symmetric": False,
                "array": [high - value for value, high in zip(item.values, item.high, strict=True)],
                "arrayminus": [value - low for value, low in zip(item.values, item.low, strict=True)],
                "width": 5,
            },
            "hovertemplate": f"{item.name}, %{{x}}: %{{y:.3f}}<extra></extra>",
        }
        for place, item in enumerate(series)
    ]
    layout = {
        "height": 380,
        "margin": {"l": 8, "r": 8, "t": 60, "b": 50},
        "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        "dragmode": False,
        "shapes": [
            {
                "type": "line",
                "xref": "paper",
                "x0": 0,
                "x1": 1,
                "y0": height,
                "y1": height,
                "line": {"dash": "dot", "width": 2, "color": "grey"},
            }
            for height, _ in wanted
        ],
        "annotations": [
            {
                "xref": "paper",
                "x": 0.01,
                "xanchor": "left",
                "y": height,
                "yanchor": "bottom" if height < 0.5 else "top",
                "text": words,
                "showarrow": False,
            }
            for height, words in wanted
        ],
        "xaxis": {"title": {"text": x_title}, "type": "category", "categoryarray": list(steps)},
        "yaxis": {"title": {"text": y_title}, "range": [-0.05, 1.05], "zeroline": False, "automargin": True},
    }
    return go.Figure(data=traces, layout=layout)
