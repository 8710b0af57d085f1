"""Bias per template, its mean and interval, under the published Dos and Don'ts."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from components.figures import rows
from core.moral.compass import Compass, PhraseScores
from core.vectors import FloatArray

POLES = "← nearer “no” · nearer “yes” →"


def figure(
    compass: Compass, scores: PhraseScores, *, shown: Sequence[int], factor: float, x_range: tuple[float, float]
) -> go.Figure:
    """Draw one row per phrase below the two published lists.

    Parameters
    ----------
    compass : Compass
        Gives the published verbs and their scores by the same encoder.
    scores : PhraseScores
        What to draw.
    shown : sequence of int
        Which phrases, from top to bottom.
    factor : float
        1 for means over templates, the number of templates for sums.
    x_range : (float, float)
        Range of the axis, in the same unit.
    """
    counts = [compass.sides.count(side) for side in ("do", "dont")]
    names = [
        f"The {counts[0]} published Dos",
        f"The {counts[1]} published Don'ts",
        *(scores.texts[index] for index in shown),
    ]
    heights = rows.levels(len(names))
    drawn: list[dict[str, Any]] = []
    for level, side, name, symbol in ((heights[0], "do", "Dos", "circle"), (heights[1], "dont", "Don'ts", "x")):
        of_side = [index for index, found in enumerate(compass.sides) if found == side]
        drawn.append(_published(compass, of_side, level, name, symbol, factor))
    if shown:
        drawn.append(_dots(compass, scores, shown, heights[2:], factor))
        drawn.append(_means(scores, shown, heights[2:], factor))
    unit = "mean over templates" if factor == 1 else f"sum over {len(compass.templates)} templates"
    return rows.lay_out(drawn, names, x_title=f"{POLES}<br>bias, {unit}", x_range=x_range)


def extent(compass: Compass, scores: PhraseScores, *, factor: float) -> tuple[float, float]:
    """The range that one encoder's figure needs, for a scale shared by several."""
    values = [compass.reference, scores.choice.biases.ravel()]
    return rows.spread([float(value) * factor for part in values for value in (part.min(), part.max())])


def _published(
    compass: Compass, of_side: list[int], level: float, name: str, symbol: str, factor: float
) -> dict[str, Any]:
    x = compass.reference[of_side] * factor
    return {
        "type": "scatter",
        "x": x,
        "y": level + _beeswarm(x),
        "mode": "markers",
        "name": f"published {name}",
        "marker": {"symbol": symbol, "size": 7, "opacity": 0.7},
        "text": [html.escape(compass.verbs[index]) for index in of_side],
        "hovertemplate": "%{text}: %{x:+.3f}<extra></extra>",
    }


def _dots(
    compass: Compass, scores: PhraseScores, shown: Sequence[int], heights: Sequence[float], factor: float
) -> dict[str, Any]:
    biases = scores.choice.biases[list(shown)] * factor
    return {
        "type": "scatter",
        "x": biases.ravel(),
        "y": np.repeat(heights, biases.shape[1]) - 0.12,
        "mode": "markers",
        "name": "one template each" if factor == 1 else "one template each, × number of templates",
        "marker": {"symbol": "circle-open", "size": 8, "opacity": 0.75},
        "text": [html.escape(template.fill(scores.texts[index])) for index in shown for template in compass.templates],
        "hovertemplate": "%{text}<br>%{x:+.3f}<extra></extra>",
    }


def _means(scores: PhraseScores, shown: Sequence[int], heights: Sequence[float], factor: float) -> dict[str, Any]:
    choice, chosen = scores.choice, list(shown)
    mean = choice.mean[chosen]
    return {
        "type": "scatter",
        "x": mean * factor,
        "y": [height - 0.12 for height in heights],
        "mode": "markers",
        "name": "mean and 95 % interval",
        "marker": {"symbol": "diamond", "size": 13, "line": {"width": 1}},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": (choice.high[chosen] - mean) * factor,
            "arrayminus": (mean - choice.low[chosen]) * factor,
            "thickness": 3,
            "width": 7,
        },
        "text": [html.escape(scores.texts[index]) for index in shown],
        "customdata": [f"{int(scores.rank[index])} of {scores.of}" for index in shown],
        "hovertemplate": "%{text}<br>mean %{x:+.3f}, place %{customdata}<extra></extra>",
    }


def _beeswarm(values: FloatArray) -> FloatArray:
    """Small fixed offsets that keep neighbours apart: three lanes, taken in turn by value."""
    offsets = np.empty(len(values))
    offsets[np.argsort(values)] = np.resize([-0.34, -0.2, -0.06], len(values))
    return offsets
