"""Files that leave the app: complete, at full precision, and inert wherever they are opened."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

import plotly.graph_objects as go
import pytest

from components import exhibit
from components.figures import export
from core.report import ReportItem, to_html, to_json

HOSTILE = '<script>window.ran=1</script><img src=x onerror="window.ran=1"> & [link](http://127.0.0.1/x)'


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_table_is_written_with_its_header_and_every_digit() -> None:
    text = exhibit.table_csv([{"action": "kill time", "bias": 0.1 + 0.2, "rank": 3}])
    assert text == "action,bias,rank\nkill time,0.30000000000000004,3\n"


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@x", "\t=1", "  =1+1", "=cmd|' /C calc'!A0"])
def test_a_cell_that_a_spreadsheet_would_run_is_made_plain_text(cell: str) -> None:
    assert read(exhibit.table_csv([{"action": cell}])) == [{"action": f"'{cell}"}]


@pytest.mark.parametrize("value", [-0.5, -3, 0.25])
def test_a_negative_number_stays_a_number(value: float) -> None:
    assert exhibit.table_csv([{"bias": value}]) == f"bias\n{value}\n"


@pytest.mark.parametrize("typed", [HOSTILE, 'say "no", twice', "two\nlines", "صباح 🎉"])
def test_other_text_comes_back_from_the_table_as_typed(typed: str) -> None:
    assert read(exhibit.table_csv([{"action": typed, "bias": 1}])) == [{"action": typed, "bias": "1"}]


def test_a_missing_value_is_an_empty_cell_and_no_rows_make_no_file() -> None:
    assert exhibit.table_csv([{"action": "eat", "value": None}]) == "action,value\neat,\n"
    assert exhibit.table_csv([]) == ""


def item(text: str = HOSTILE, rows: tuple[dict[str, Any], ...] | None = None) -> ReportItem:
    figure = go.Figure(go.Scatter(x=[0.25], y=[0]))
    rows = ({"action": text, "bias": 1 / 3},) if rows is None else rows
    return ReportItem(text, text, text, text, rows, figure.to_json(), text)


def page(items: list[ReportItem]) -> str:
    figures = [export.to_html(go.Figure(json.loads(each.figure))) for each in items]
    return to_html(items, figures, script="")


def test_every_text_of_a_report_is_escaped() -> None:
    written = page([item()])
    assert "<script>window.ran" not in written
    assert "<img" not in written
    assert written.count("&lt;script&gt;window.ran=1&lt;/script&gt;&lt;img src=x") == 6  # title to link, and one cell


def test_a_column_name_is_escaped_too() -> None:
    assert "<i>" not in page([item("x", rows=({"<i>": 1},))])


def test_a_report_asks_no_other_address_for_anything() -> None:
    written = page([item("kill time")])
    assert not re.search(r"\b(src|href|action|poster|data)\s*=\s*[\"']?\s*(https?:)?//", written)
    assert not re.search(r"@import|url\(|<link|<iframe|fetch\(|import\(", written)


def test_a_report_holds_the_library_once_however_many_figures_it_has() -> None:
    items = [item("a"), item("b"), item("c")]
    written = to_html(items, ["<i></i>"] * 3, script="/* the library */")
    assert written.count("/* the library */") == 1
    assert written.count("<section>") == 3


def test_every_item_must_come_with_its_figure() -> None:
    with pytest.raises(ValueError, match="zip"):
        to_html([item("a"), item("b")], ["<i></i>"], script="")


def test_a_report_without_rows_has_no_table() -> None:
    assert "<table" not in page([item("x", rows=())])


def test_the_report_as_json_holds_texts_as_typed_and_figures_as_structure() -> None:
    (back,) = json.loads(to_json([item()]))
    assert back["title"] == back["link"] == HOSTILE
    assert back["figure"]["data"][0]["x"] == [0.25]
    assert back["rows"][0]["bias"] == 1 / 3
