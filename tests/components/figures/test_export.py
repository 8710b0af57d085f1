"""Figures outside the app carry the theme's colours and need nothing from elsewhere."""

from __future__ import annotations

import re
import tomllib

import plotly.graph_objects as go

from components.figures import export


def plain() -> go.Figure:
    return go.Figure(go.Scatter(x=[1], y=[2], text=["&lt;b&gt;"]))


def theme() -> dict[str, object]:
    light: dict[str, object] = tomllib.loads(export.CONFIG.read_text(encoding="utf-8"))["theme"]["light"]
    return light


def test_an_exported_figure_has_the_colours_of_the_light_theme() -> None:
    layout = export.themed(plain()).layout.template.layout
    assert list(layout.colorway) == theme()["chartCategoricalColors"]
    assert layout.paper_bgcolor == theme()["backgroundColor"]
    assert layout.font.color == theme()["textColor"]
    scale = layout.colorscale.diverging
    assert [colour for _, colour in scale] == theme()["chartDivergingColors"]
    assert [scale[0][0], scale[-1][0]] == [0, 1]


def test_the_figure_on_the_page_is_not_changed_by_its_export() -> None:
    figure = plain()
    before = figure.to_json()
    export.to_html(figure)
    assert figure.to_json() == before


def test_the_fragment_holds_the_figure_and_no_address() -> None:
    fragment = export.to_html(plain())
    assert "Plotly.newPlot" in fragment
    assert "<html" not in fragment
    assert not re.search(r"""(src|href)\s*=|https?:(?!//plotly\.com["'])""", fragment)


def test_the_script_is_the_whole_library() -> None:
    script = export.plotly_script()
    assert "downloadImage" in script
    assert len(script) > 1_000_000
