"""Effect sizes of several tests, each over the band that random words reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from components.figures import rows
from core.association.weat import Outcome

POLES = "← against the hypothesis · with it →"


def figure(outcomes: Sequence[Outcome]) -> go.Figure:
    """Draw one row per test: the null band as a bar, people as a square, d as a diamond."""
    names = [f"{item.test.key}: {item.test.short}" for item in outcomes]
    heights = [level - 0.12 for level in rows.levels(len(names))]
    banded = [(item.null_band, at) for item, at in zip(outcomes, heights, strict=True) if item.null_band]
    people = [(item.test.human.d, at) for item, at in zip(outcomes, heights, strict=True) if item.test.human]
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": [item.weat.effect for item in outcomes],
            "y": heights,
            "mode": "markers",
            "name": "d by this encoder",
            "marker": {"symbol": "diamond", "size": 13},
            "hovertemplate": "d = %{x:+.2f}<extra></extra>",
        },
        {
            "type": "scatter",
            "x": [value for value, _ in people],
            "y": [at for _, at in people],
            "mode": "markers",
            "name": "people (implicit association test)",
            "marker": {"symbol": "square-open", "size": 11, "line": {"width": 2}},
            "hovertemplate": "people: d = %{x:+.2f}<extra></extra>",
        },
        {
            "type": "scatter",
            "x": [(band[0] + band[1]) / 2 for band, _ in banded],
            "y": [at for _, at in banded],
            "mode": "markers",
            "marker": {"size": 1},
            "name": "random words, 95 %",
            "error_x": {
                "type": "data",
                "array": [(band[1] - band[0]) / 2 for band, _ in banded],
                "thickness": 8,
                "width": 0,
            },
            "opacity": 0.3,
            "hoverinfo": "skip",
        },
    ]
    return rows.lay_out(traces, names, x_title=f"{POLES}<br>effect size d", x_range=(-2.1, 2.1))
