"""Positions on the moral axis: the seeds above, the phrases with their intervals below."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from components.figures import rows
from core.moral.compass import Compass, PhraseScores

POLES = "← Don't side · Do side →"


def figure(compass: Compass, scores: PhraseScores, *, shown: Sequence[int], x_range: tuple[float, float]) -> go.Figure:
    """Draw the seeds as ticks on one row, then one row per phrase.

    Parameters
    ----------
    shown : sequence of int
        Which phrases, from top to bottom.
    x_range : (float, float)
        Range of the axis; seeds lie in [-1, 1].
    """
    seeds = compass.axis.position(compass.axis.seeds)
    names = [f"The {len(seeds)} seed actions", *(scores.texts[index] for index in shown)]
    heights = rows.levels(len(names))
    drawn: list[dict[str, Any]] = []
    for name, symbol, side in (
        ("seeds, Do side", "line-ns-open", seeds >= 0),
        ("seeds, Don't side", "x-thin-open", seeds < 0),
    ):
        chosen = side.nonzero()[0]
        drawn.append(
            {
                "type": "scatter",
                "x": seeds[chosen],
                "y": [heights[0] - 0.12] * len(chosen),
                "mode": "markers",
                "name": name,
                "marker": {"symbol": symbol, "size": 13, "line": {"width": 2}, "opacity": 0.8},
                "text": [html.escape(compass.seeds[index]) for index in chosen],
                "hovertemplate": "%{text}: %{x:+.2f}<extra></extra>",
            }
        )
    if shown:
        drawn.append(_phrases(scores, shown, heights[1:]))
    return rows.lay_out(drawn, names, x_title=f"{POLES}<br>position on the first principal component", x_range=x_range)


def extent(compass: Compass, scores: PhraseScores) -> tuple[float, float]:
    """The range that one encoder's strip needs: the seeds, and what lies beyond them."""
    return rows.spread([-1.0, 1.0, float(scores.position_low.min()), float(scores.position_high.max())], margin=0.04)


def _phrases(scores: PhraseScores, shown: Sequence[int], heights: Sequence[float]) -> dict[str, Any]:
    chosen = list(shown)
    position = scores.position[chosen]
    return {
        "type": "scatter",
        "x": position,
        "y": [height - 0.12 for height in heights],
        "mode": "markers",
        "name": "phrase and 95 % interval over seeds",
        "marker": {"symbol": "diamond", "size": 13, "line": {"width": 1}},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": (scores.position_high[chosen] - position).clip(0),
            "arrayminus": (position - scores.position_low[chosen]).clip(0),
            "thickness": 3,
            "width": 7,
        },
        "text": [html.escape(scores.texts[index]) for index in shown],
        "hovertemplate": "%{text}: %{x:+.2f}<extra></extra>",
    }
