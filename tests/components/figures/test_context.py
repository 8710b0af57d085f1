"""The heatmap shows the pairs that were asked for, and leaves the others empty."""

from __future__ import annotations

import json

import numpy as np
import plotly.graph_objects as go
import pytest

from components.figures import context
from components.figures.context import Cell
from core.moral.choice import summarise
from core.moral.compass import PhraseScores
from core.text import PhraseList, parse_lines, parse_rows

ASKED = parse_lines("kill: people; time\neat: time\nsmile")
VALUES = {"kill": -0.1, "kill people": -0.3, "kill time": 0.2, "eat": 0.05, "eat time": 0.15, "smile": 0.4}


def cells(phrases: PhraseList = ASKED, values: dict[str, float] = VALUES, *, factor: float = 1.0) -> list[Cell]:
    biases = np.array([[values.get(text, 0.0)] for text in phrases.texts])
    zero = np.zeros(len(biases))
    scores = PhraseScores(phrases.texts, summarise(biases), zero, zero, 5, zero, zero, zero, zero)
    return context.cells(phrases.grid, scores, factor=factor)


def draw(found: list[Cell] | None = None, *, as_effect: bool = False, limit: float = 0.4) -> go.Figure:
    return context.figure(cells() if found is None else found, as_effect=as_effect, poles="← no · yes →", limit=limit)


def test_actions_are_columns_contexts_are_rows_and_an_unasked_pair_stays_empty() -> None:
    figure = draw()
    assert list(figure.layout.xaxis.ticktext) == ["kill", "eat"]
    assert list(figure.layout.yaxis.ticktext) == ["(no context)", "people", "time"]
    assert [list(row) for row in figure.data[0].z] == [[-0.1, 0.05], [-0.3, None], [0.2, 0.15]]


def test_an_effect_is_the_difference_from_the_bare_action_which_has_none_itself() -> None:
    figure = draw(as_effect=True)
    assert list(figure.layout.yaxis.ticktext) == ["people", "time"]
    assert [[value if value is None else round(value, 9) for value in row] for row in figure.data[0].z] == [
        [-0.2, None],
        [0.3, 0.1],
    ]


def test_a_text_that_stands_for_two_pairs_has_an_effect_in_each() -> None:
    found = cells(
        parse_lines("kill: time\nkill time: people"), {"kill": -0.1, "kill time": 0.2, "kill time people": 0.5}
    )
    effects = {(cell.action, cell.context): round(cell.effect, 9) for cell in found}
    assert effects[("kill", "time")] == 0.3
    assert effects[("kill time", "people")] == 0.3
    assert effects[("kill time", "")] == 0.0


def test_a_sum_multiplies_scores_and_effects() -> None:
    one, ten = cells(), cells(factor=10)
    assert [cell.score * 10 for cell in one] == pytest.approx([cell.score for cell in ten])
    assert [cell.effect * 10 for cell in one] == pytest.approx([cell.effect for cell in ten])


def test_an_action_without_any_context_is_left_to_the_other_figure() -> None:
    assert "smile" not in draw().to_json()


def test_the_colour_scale_is_the_same_on_both_sides_of_zero_and_names_both_poles() -> None:
    colours = draw(limit=0.25).layout.coloraxis
    assert (colours.cmin, colours.cmax) == (-0.25, 0.25)
    assert colours.colorbar.title.text == "bias<br>← no · yes →"


def test_every_cell_carries_its_number_so_that_colour_is_not_alone() -> None:
    assert draw().data[0].texttemplate == "%{z:+.3f}"


def test_labels_are_escaped_and_cut() -> None:
    figure = draw(cells(parse_rows([("<b>kill</b>", "<img src=x>"), ("<b>kill</b>", "a" * 60)])))
    assert list(figure.layout.xaxis.ticktext) == ["&lt;b&gt;kill&lt;/b&gt;"]
    assert list(figure.layout.yaxis.ticktext)[1] == "&lt;img src=x&gt;"
    assert figure.layout.yaxis.ticktext[2].endswith("a…")
    assert "<img" not in figure.to_json()


def test_the_figure_needs_no_webgl() -> None:
    assert [trace["type"] for trace in json.loads(draw().to_json())["data"]] == ["heatmap"]


@pytest.mark.parametrize("count", [1, 20])
def test_every_row_has_the_same_height(count: int) -> None:
    phrases = parse_lines("kill: " + "; ".join(f"context {number}" for number in range(count)))
    assert draw(cells(phrases)).layout.height == 44 * (count + 1) + 150
