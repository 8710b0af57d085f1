"""Start: an example computed at once, and three tours that open a prepared page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.text import parse_lines

Visit = Callable[..., AppTest]
Figures = Callable[[AppTest], dict[str, Any]]

TOURS = {
    "Does context matter?": ["bundled"],
    "Does a better encoder have a better compass?": ["bundled", "static"],
    "Does it understand “not”?": ["bundled"],
}


def test_the_page_opens_with_a_computed_example_and_its_limit(visit: Visit, figures: Figures) -> None:
    at = visit("start")
    assert figures(at)["figure_start_0"]["data"][3]["text"][:2] == ["help", "help old people"]
    assert "Limit: " in at.caption[0].value
    assert at.get("plotly_chart")[0].proto.alt.startswith("Static word embeddings: nearest yes is “")


def test_there_is_one_button_per_tour(visit: Visit) -> None:
    assert {button.key for button in visit("start").button} == {f"tour_{title}" for title in TOURS}


@pytest.mark.parametrize("title", TOURS)
def test_a_tour_opens_moral_choice_with_its_phrases_scored_by_its_encoders(
    visit: Visit, figures: Figures, title: str
) -> None:
    at = visit("start").button(key=f"tour_{title}").click().run()
    assert at.title[0].value == "Moral choice"
    typed = at.text_area(key="phrases_lines").value
    assert at.multiselect(key="encoders").value == TOURS[title]
    drawn = figures(at)
    for number in range(len(TOURS[title])):
        assert drawn[f"figure_bias_{number}"]["data"][3]["text"] == list(parse_lines(typed).texts)
    assert f"figure_bias_{len(TOURS[title])}" not in drawn


def test_an_unknown_encoder_in_the_address_is_named(visit: Visit) -> None:
    at = visit("start", encoders="oracle")
    assert "does not have" in at.warning[0].value
    assert "Not known: oracle" in at.text[0].value
