"""Words in the size of their weight, placed so that none overlaps."""

from __future__ import annotations

import html
from collections.abc import Mapping

import plotly.graph_objects as go

WIDTH, HEIGHT = 320, 240
"""Pixels that words are placed for: the narrowest plot that is shown; a wider one has more room."""

TALL = 0.6
"""Height of a word's letters as a share of its font size: what the library keeps free, and Plotly centres on."""

WIDE = 0.5
"""Width of a letter as a share of its font size, a little less than most have."""

STEP = 16
"""Pixels between the places of a word that answer to a click."""


def figure(weights: Mapping[str, float], keys: Mapping[str, str] | None = None) -> go.Figure:
    """Draw words; the layout is that of the library wordcloud, the same for the same words.

    Parameters
    ----------
    weights : mapping of str to float
        Positive; the largest word has the largest.
    keys : mapping of str to str, optional
        `customdata` of each word, by which a click is recognised; by default the word.
    """
    from wordcloud import WordCloud  # loads matplotlib: only where a cloud is drawn

    placed = (
        WordCloud(width=WIDTH, height=HEIGHT, prefer_horizontal=1.0, min_font_size=9, max_font_size=38, random_state=0)
        .generate_from_frequencies(dict(weights))
        .layout_
        if weights
        else []
    )
    words = [word for (word, _), *_ in placed]
    trace = {
        "type": "scatter",
        "mode": "text",
        "x": [column for _, _, (_, column), *_ in placed],
        "y": [HEIGHT - row - TALL * size / 2 for _, size, (row, _), *_ in placed],
        "text": [html.escape(word, quote=False) for word in words],
        "textposition": "middle right",
        "textfont": {"size": [size for _, size, *_ in placed]},
        "customdata": [keys[word] if keys else word for word in words],
        "hovertext": [f"{html.escape(word)}: z = {weights[word]:.1f}" for word in words],
        "hoverinfo": "text",
        "cliponaxis": False,
    }
    # Plotly knows a text by its beginning only: unseen points along each word let a click anywhere on it count.
    along = [
        (column + step, row, size, word)
        for (word, _), size, (row, column), *_ in placed
        for step in range(0, max(1, int(WIDE * size * len(word))), STEP)
    ]
    touched = {
        "type": "scatter",
        "mode": "markers",
        "marker": {"opacity": 0, "size": STEP},
        "x": [x for x, *_ in along],
        "y": [HEIGHT - row - TALL * size / 2 for _, row, size, _ in along],
        "customdata": [keys[word] if keys else word for *_, word in along],
        "hovertext": [f"{html.escape(word)}: z = {weights[word]:.1f}" for *_, word in along],
        "hoverinfo": "text",
    }
    low = min((HEIGHT - row - 1.2 * size for _, size, (row, _), *_ in placed), default=0.0)
    high = max((HEIGHT - row for _, _, (row, _), *_ in placed), default=float(HEIGHT))
    hidden = {"visible": False, "fixedrange": True}
    layout = {
        "height": high - low + 40,
        "margin": {"l": 4, "r": 4, "t": 10, "b": 10},
        "showlegend": False,
        "dragmode": False,
        "xaxis": {**hidden, "range": (0, WIDTH)},
        "yaxis": {**hidden, "range": (low - 10, high + 10)},
    }
    return go.Figure(data=[trace, touched], layout=layout)
