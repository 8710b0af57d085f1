"""The heatmap shows the pairs that were asked for, and leaves the others empty."""

from __future__ import annotations

import json

import plotly.graph_objects as go
import pytest

from components.figures import context
from core.text import PhraseList, parse_lines, parse_rows

ASKED = parse_lines("kill: people; time\neat: time\nsmile")
VALUES = {
    "kill": -0.1,
    "kill people": -0.3,
    "kill time": 0.2,
    "eat": 0.05,
    "eat time": 0.15,
    "smile": 0.4,
}


def draw(phrases: PhraseList = ASKED, values: dict[str, float] = VALUES, *, limit: float = 0.4) -> go.Figure:
    return context.figure(phrases, values, what="bias", poles="← no · yes →", limit=limit)


def test_actions_are_columns_contexts_are_rows_and_an_unasked_pair_stays_empty() -> None:
    figure = draw()
    assert list(figure.layout.xaxis.ticktext) == ["kill", "eat"]
    assert list(figure.layout.yaxis.ticktext) == ["(no context)", "people", "time"]
    assert [list(row) for row in figure.data[0].z] == [[-0.1, 0.05], [-0.3, None], [0.2, 0.15]]


def test_an_action_without_any_context_is_left_to_the_other_figure() -> None:
    assert "smile" not in draw().to_json()


def test_a_phrase_without_a_number_stays_empty() -> None:
    effects = {text: value for text, value in VALUES.items() if text not in ("kill", "eat")}
    assert list(draw(values=effects).data[0].z[0]) == [None, None]


def test_the_colour_scale_is_the_same_on_both_sides_of_zero_and_names_both_poles() -> None:
    colours = draw(limit=0.25).layout.coloraxis
    assert (colours.cmin, colours.cmax) == (-0.25, 0.25)
    assert colours.colorbar.title.text == "bias<br>← no · yes →"


def test_every_cell_carries_its_number_so_that_colour_is_not_alone() -> None:
    assert draw().data[0].texttemplate == "%{z:+.3f}"


def test_labels_are_escaped_and_cut() -> None:
    long = "a" * 60
    phrases = parse_rows([("<b>kill</b>", "<img src=x>"), ("<b>kill</b>", long)])
    figure = draw(phrases, {})
    assert list(figure.layout.xaxis.ticktext) == ["&lt;b&gt;kill&lt;/b&gt;"]
    assert list(figure.layout.yaxis.ticktext)[1] == "&lt;img src=x&gt;"
    assert figure.layout.yaxis.ticktext[2].endswith("a…")
    assert "<img" not in figure.to_json()


def test_the_figure_needs_no_webgl() -> None:
    assert [trace["type"] for trace in json.loads(draw().to_json())["data"]] == ["heatmap"]


@pytest.mark.parametrize("count", [1, 20])
def test_every_row_has_the_same_height(count: int) -> None:
    phrases = parse_lines("kill: " + "; ".join(f"context {number}" for number in range(count)))
    assert draw(phrases, {}).layout.height == 44 * (count + 1) + 150
