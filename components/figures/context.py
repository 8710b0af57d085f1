"""Scores of actions in context, as a heatmap with the numbers in its cells."""

from __future__ import annotations

import plotly.graph_objects as go

from components.figures import rows
from core.text import PhraseList

BARE = "(no context)"


def figure(phrases: PhraseList, values: dict[str, float], *, what: str, poles: str, limit: float) -> go.Figure:
    """Draw actions as columns and contexts as rows; a pair that was not asked for stays empty.

    Parameters
    ----------
    phrases : PhraseList
        What was asked.
    values : dict of str to float
        A number per phrase text; phrases without one stay empty.
    what, poles : str
        Name of the number and of its two ends.
    limit : float
        End of the colour scale on both sides, so that colours mean the same in figures side by side.
    """
    with_context = {item.action for item in phrases.phrases if item.context}
    actions = list(dict.fromkeys(item.action for item in phrases.phrases if item.action in with_context))
    contexts = list(dict.fromkeys(item.context for item in phrases.phrases if item.action in with_context))
    by_pair = {(item.action, item.context): values.get(item.text) for item in phrases.phrases}
    drawn = go.Figure(
        go.Heatmap(
            z=[[by_pair.get((action, context)) for action in actions] for context in contexts],
            coloraxis="coloraxis",
            texttemplate="%{z:+.3f}",
            hoverongaps=False,
            hovertemplate="%{x} · %{y}<br>%{z:+.3f}<extra></extra>",
            xgap=2,
            ygap=2,
        )
    )
    drawn.update_layout(
        height=44 * len(contexts) + 150,
        margin={"l": 8, "r": 8, "t": 30, "b": 70},
        dragmode=False,
        coloraxis={
            "autocolorscale": True,  # the theme's diverging palette, since the range lies on both sides of 0
            "cmin": -limit,
            "cmax": limit,
            "colorbar": {"title": {"text": f"{what}<br>{poles}", "side": "top"}, "orientation": "h", "y": -0.12,
                         "yanchor": "top", "thickness": 12, "nticks": 5},
        },
    )  # fmt: skip
    drawn.update_xaxes(
        tickvals=list(range(len(actions))), ticktext=[rows.label(text) for text in actions], side="top", showgrid=False,
        automargin=True,
    )  # fmt: skip
    drawn.update_yaxes(
        tickvals=list(range(len(contexts))),
        ticktext=[rows.label(text or BARE) for text in contexts],
        autorange="reversed",
        showgrid=False,
        automargin=True,
    )
    return drawn
