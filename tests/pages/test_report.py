"""Report: what was put aside, in order, until it is taken out or the session ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

Visit = Callable[..., AppTest]
Go = Callable[[AppTest, str], AppTest]
Figures = Callable[[AppTest], dict[str, Any]]


@pytest.fixture
def collected(visit: Visit) -> AppTest:
    """A session that put its axis and then its bias into the report, on the page where it did so."""
    at = visit("moral_choice")
    for key in ("axis", "bias"):
        at.session_state[f"drawer_{key}"] = True
        at.run().button(key=f"report_{key}").click().run()
    return at


def test_an_empty_report_says_how_to_fill_it(visit: Visit) -> None:
    at = visit("report")
    assert "The report is empty" in at.info[0].value
    assert not at.download_button


def test_what_was_put_aside_stands_there_in_order_with_figure_reading_limit_and_origin(
    collected: AppTest, go: Go, figures: Figures
) -> None:
    on_page = figures(collected)
    readings = {chart.key: chart.proto.alt for chart in collected.get("plotly_chart")}
    at = go(collected, "report")
    drawn = figures(at)
    assert drawn["figure_report_0"]["data"] == on_page["figure_axis_0"]["data"]
    assert drawn["figure_report_1"]["data"] == on_page["figure_bias_0"]["data"]
    assert [header.value for header in at.header] == [
        "Moral axis: Static word embeddings",
        "Moral bias: Static word embeddings",
    ]
    said = [text.value for text in at.text]
    assert said[0] == readings["figure_axis_0"]
    assert "sha256:" in said[1]
    assert "10 question templates" in said[1]
    assert sum(caption.value.startswith("Limit: ") for caption in at.caption) == 2
    assert [button.label for button in at.download_button] == ["Download HTML", "Download JSON"]


def test_two_encoders_make_two_items(visit: Visit, go: Go) -> None:
    at = visit("moral_choice", encoders=["static", "bundled"])
    at.session_state["drawer_bias"] = True
    at.run().button(key="report_bias").click().run()
    assert [header.value for header in go(at, "report").header] == [
        "Moral bias: Static word embeddings",
        "Moral bias: MiniLM sentence encoder",
    ]


def test_one_item_is_taken_out_and_the_others_stay(collected: AppTest, go: Go) -> None:
    at = go(collected, "report").button(key="remove_0").click().run()
    assert [header.value for header in at.header] == ["Moral bias: Static word embeddings"]
    at.button(key="remove_0").click().run()
    assert at.info


def test_the_whole_report_is_emptied_at_once(collected: AppTest, go: Go) -> None:
    at = go(collected, "report")
    (empty,) = (button for button in at.button if button.label == "Empty the report")
    assert empty.click().run().info
    assert not at.get("plotly_chart")


def test_an_item_stays_as_it_was_when_other_phrases_are_scored(collected: AppTest, go: Go, figures: Figures) -> None:
    collected.text_area(key="phrases_lines").set_value("smile")
    at = go(collected.button(key="score").click().run(), "report")
    assert figures(at)["figure_report_1"]["data"][3]["text"][0] == "kill"


def test_another_session_does_not_see_it(collected: AppTest, go: Go, visit: Visit) -> None:
    assert go(collected, "report").header
    assert visit("report").info
