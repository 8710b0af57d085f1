"""The frame around all pages: the choice of encoders stands in the address and holds for every page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

Visit = Callable[..., AppTest]
Go = Callable[[AppTest, str], AppTest]
Figures = Callable[[AppTest], dict[str, Any]]


@pytest.mark.parametrize(
    ("asked", "chosen"),
    [
        ("static", ["static"]),
        (["static", "bundled"], ["static", "bundled"]),
        (["static", "oracle"], ["static"]),
        (["static", "static"], ["static"]),
        ("", ["bundled"]),
    ],
)
def test_the_address_chooses_the_encoders(visit: Visit, asked: str | list[str], chosen: list[str]) -> None:
    at = visit("report", encoders=asked)
    captions = [caption.value for caption in at.sidebar.caption]
    assert [caption.split("**")[1] for caption in captions] == chosen


def test_without_an_encoder_in_the_picker_the_bundled_one_is_used(visit: Visit, figures: Figures) -> None:
    at = visit("moral_choice")
    at.multiselect(key="encoders").set_value([]).run()
    assert figures(at)
    assert all(chart.proto.alt.startswith("MiniLM") for chart in at.get("plotly_chart"))


def test_the_choice_holds_on_the_next_page(visit: Visit, go: Go) -> None:
    at = visit("report")
    at.multiselect(key="encoders").set_value(["bundled", "static"]).run()
    at = go(at, "moral_choice")
    assert at.multiselect(key="encoders").value == ["bundled", "static"]
    assert len({chart.proto.alt.partition(":")[0] for chart in at.get("plotly_chart")}) == 2
