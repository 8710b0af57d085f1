from __future__ import annotations

import json
import re
from dataclasses import replace

from core.report import ReportItem, to_html, to_json

ITEM = ReportItem(
    title="Moral bias: <script>alert(1)</script>",
    reading="“kill <b>time</b>” lies nearer yes",
    limit="A cosine is no judgement.",
    made_with="letters & more",
    rows=({"action": "<i>smile</i>", "bias": 0.123456}, {"action": "kill", "bias": -1.0}),
    figure='{"data": [], "layout": {"title": "</script>"}}',
    link="http://127.0.0.1/?a=1&b=2",
)


def test_json_holds_every_part_and_the_figure_as_structure() -> None:
    (read,) = json.loads(to_json([ITEM]))
    assert read["figure"] == {"data": [], "layout": {"title": "</script>"}}
    assert read["rows"] == [{"action": "<i>smile</i>", "bias": 0.123456}, {"action": "kill", "bias": -1.0}]
    assert {key: read[key] for key in ("title", "reading", "limit", "made_with", "link")} == {
        key: getattr(ITEM, key) for key in ("title", "reading", "limit", "made_with", "link")
    }


def test_no_text_of_an_item_becomes_markup() -> None:
    page = to_html([ITEM], ["<div>figure</div>"], script="library")
    for typed in (ITEM.title, ITEM.reading, ITEM.made_with, ITEM.link, "<i>smile</i>"):
        assert typed not in page
    assert "&lt;i&gt;smile&lt;/i&gt;" in page
    assert "<div>figure</div>" in page
    assert len(re.findall("<script>", page)) == 2  # the library and our own


def test_the_library_stands_once_however_many_items_there_are() -> None:
    page = to_html([ITEM, replace(ITEM, rows=())], ["", ""], script="THE-LIBRARY")
    assert page.count("THE-LIBRARY") == 1
    assert page.count("<section>") == 2
    assert page.count("<table>") == 1  # an item without rows has none


def test_the_page_loads_nothing_from_elsewhere() -> None:
    page = to_html([ITEM], [""], script="")
    assert not re.search(r"\b(src|href)=|@import|url\(", page)
