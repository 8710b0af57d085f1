"""One number per name, sorted, as dots with optional intervals: names beside the dots."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from components.figures import rows
from core.vectors import FloatArray


def figure(
    names: Sequence[str],
    values: FloatArray,
    *,
    x_title: str,
    low: FloatArray | None = None,
    high: FloatArray | None = None,
    x_range: tuple[float, float] | None = None,
) -> go.Figure:
    """Draw names from top to bottom in the order given.

    Parameters
    ----------
    values, low, high : ndarray, shape (n,)
        Each dot and the ends of its 95 % interval.
    """
    error = None
    if low is not None and high is not None:
        error = {"type": "data", "symmetric": False, "array": high - values, "arrayminus": values - low, "width": 4}
    labels = [rows.label(name) for name in names]
    trace = {
        "type": "scatter",
        "x": values,
        "y": list(range(len(names))),
        "mode": "markers",
        "marker": {"size": 8},
        "error_x": error,
        "text": labels,
        "hovertemplate": "%{text}: %{x:.3f}<extra></extra>",
        "showlegend": False,
    }
    layout = {
        "height": 20 * len(names) + 80,
        "margin": {"l": 8, "r": 8, "t": 10, "b": 60},
        "dragmode": False,
        "xaxis": {"title": {"text": x_title}, "range": x_range, "zeroline": True},
        "yaxis": {
            "tickvals": list(range(len(names))),
            "ticktext": labels,
            "range": [len(names) - 0.5, -0.5],
            "automargin": True,
        },
    }
    return go.Figure(data=[trace], layout=layout)
