"""One number per name, sorted, as dots with optional intervals: names beside the dots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from components.figures import rows
from core.vectors import FloatArray

_DOT = {"type": "scatter", "mode": "markers", "marker": {"size": 8}}
_BAR = {"type": "bar", "orientation": "h", "textposition": "none"}


def figure(
    names: Sequence[str],
    values: FloatArray,
    *,
    x_title: str,
    low: FloatArray | None = None,
    high: FloatArray | None = None,
    x_range: tuple[float, float] | None = None,
    sides: bool = False,
    keys: Sequence[str] = (),
) -> go.Figure:
    """Draw names from top to bottom in the order given.

    Parameters
    ----------
    values, low, high : ndarray, shape (n,)
        Each dot and the ends of its 95 % interval.
    sides : bool
        Draw bars from 0 in the colours of the two sides, instead of dots.
    keys : sequence of str, length n, optional
        `customdata` by which a click on a dot or bar is recognised.
    """
    labels = [rows.label(name) for name in names]
    traces = []
    for chosen in (values >= 0, values < 0) if sides else (np.full(len(names), True),):
        at = np.flatnonzero(chosen)
        error = None
        if low is not None and high is not None:
            ends = {"array": (high - values)[at], "arrayminus": (values - low)[at]}
            error = {"type": "data", "symmetric": False, "width": 4, **ends}
        traces.append(
            {
                "x": values[at],
                "y": at,
                "error_x": error,
                "text": [labels[row] for row in at],
                "hovertemplate": "%{text}: %{x:+.3f}<extra></extra>",
                "showlegend": False,
                **({"customdata": [keys[int(row)] for row in at]} if keys else {}),
                **(_BAR if sides else _DOT),
            }
        )
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
    return go.Figure(data=traces, layout=layout)
