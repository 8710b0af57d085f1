"""Figures outside the app: the theme's colours written into the figure, since no theme is there to give them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import plotly.graph_objects as go
from plotly.offline import get_plotlyjs

CONFIG = Path(__file__).resolve().parents[2] / ".streamlit" / "config.toml"


def themed(figure: go.Figure) -> go.Figure:
    """A copy of `figure` in the colours of the light theme, on white."""
    copy = go.Figure(figure)
    copy.update_layout(template=_template())
    return copy


def to_html(figure: go.Figure) -> str:
    """The figure as a piece of HTML that needs `plotly_script` on the same page."""
    fragment: str = themed(figure).to_html(full_html=False, include_plotlyjs=False, config={"displaylogo": False})
    return fragment


def plotly_script() -> str:
    """The Plotly library as one script."""
    script: str = get_plotlyjs()
    return script


@cache
def _template() -> go.layout.Template:
    theme = tomllib.loads(CONFIG.read_text(encoding="utf-8"))["theme"]["light"]
    steps = theme["chartDivergingColors"]
    diverging = [[index / (len(steps) - 1), color] for index, color in enumerate(steps)]
    return go.layout.Template(
        layout={
            "colorway": theme["chartCategoricalColors"],
            "colorscale": {"diverging": diverging},
            "font": {"color": theme["textColor"]},
            "paper_bgcolor": theme["backgroundColor"],
            "plot_bgcolor": theme["backgroundColor"],
            "xaxis": {"gridcolor": theme["borderColor"]},
        }
    )
