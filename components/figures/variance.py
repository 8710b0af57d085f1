"""Variance explained per principal component, against what random vectors reach."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from core.vectors import FloatArray

COMPONENTS = 10
"""Components drawn, as in Figure 3 of Schramowski et al. (2019)."""


def figure(explained: FloatArray, random_line: Sequence[float], *, highest: float) -> go.Figure:
    """Draw the first components as bars and the random 95 % line over them.

    Parameters
    ----------
    explained : ndarray, shape (m,)
        Share of variance per component, 0 to 1.
    random_line : sequence of float
        The 95 % quantile of random vectors, per component.
    highest : float
        Top of the axis, shared by figures side by side.
    """
    count = min(COMPONENTS, len(explained))
    numbers = list(range(1, count + 1))
    drawn = go.Figure()
    drawn.add_trace(
        go.Bar(
            x=numbers, y=explained[:count], name="this encoder", hovertemplate="component %{x}: %{y:.1%}<extra></extra>"
        )
    )
    drawn.add_trace(
        go.Scatter(
            x=numbers,
            y=list(random_line[:count]),
            mode="lines+markers",
            name="random vectors, 95 %",
            line={"dash": "dash"},
            marker={"symbol": "x"},
            hovertemplate="random, component %{x}: %{y:.1%}<extra></extra>",
        )
    )
    drawn.update_layout(
        height=300,
        margin={"l": 8, "r": 8, "t": 40, "b": 40},
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.0, "x": 0},
        dragmode=False,
    )
    drawn.update_xaxes(title_text="principal component", dtick=1, showgrid=False)
    drawn.update_yaxes(tickformat=".0%", range=[0, highest * 1.08], title_text="variance explained", automargin=True)
    return drawn
