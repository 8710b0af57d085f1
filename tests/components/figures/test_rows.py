"""Rows and labels: what somebody typed is drawn as typed, and never longer than its row."""

from __future__ import annotations

import html

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.figures import rows


@pytest.mark.parametrize(
    ("typed", "drawn"),
    [
        ("kill time", "kill time"),
        ("<b>kill</b> time", "&lt;b&gt;kill&lt;/b&gt; time"),
        ('<a href="http://127.0.0.1">x</a>', '&lt;a href="http://127.0.0.1"&gt;x&lt;/a&gt;'),
        ("cut &amp; run", "cut &amp;amp; run"),
        ("a" * rows.MAX_LABEL, "a" * rows.MAX_LABEL),
        ("a" * (rows.MAX_LABEL + 1), "a" * (rows.MAX_LABEL - 1) + "…"),
    ],
)
def test_a_label_shows_markup_as_typed_and_is_cut_with_an_ellipsis(typed: str, drawn: str) -> None:
    assert rows.label(typed) == drawn


@given(st.text(max_size=300))
def test_no_label_holds_a_tag_and_none_is_longer_than_its_row(typed: str) -> None:
    label = rows.label(typed)
    assert "<" not in label
    shown = html.unescape(label)
    assert shown == typed or (len(shown) == rows.MAX_LABEL and typed.startswith(shown[:-1]))


def test_cutting_comes_before_escaping_so_that_no_half_entity_is_drawn() -> None:
    assert rows.label("&" * 60) == "&amp;" * (rows.MAX_LABEL - 1) + "…"


def test_rows_stand_from_top_to_bottom_each_label_above_the_marks_of_its_row() -> None:
    drawn = rows.lay_out([], ["first", "second"], x_title="x", x_range=(-1, 1))
    assert rows.levels(2) == [1.0, 0.0]
    assert [(note.text, note.y) for note in drawn.layout.annotations] == [("first", 1.38), ("second", 0.38)]
    low, high = drawn.layout.yaxis.range
    assert low < 0.0 - 0.34 < 1.38 < high


def test_a_figure_grows_by_one_row_height_per_row() -> None:
    heights = [rows.lay_out([], ["row"] * count, x_title="x", x_range=(-1, 1)).layout.height for count in (1, 2, 40)]
    assert heights[1] - heights[0] == rows.ROW_HEIGHT
    assert heights[2] - heights[0] == 39 * rows.ROW_HEIGHT


@given(st.lists(st.floats(-2, 2), min_size=1), st.floats(0, 1))
def test_a_range_holds_every_value_and_zero(values: list[float], margin: float) -> None:
    low, high = rows.spread(values, margin)
    assert low <= min(*values, 0.0)
    assert max(*values, 0.0) <= high
    if margin > 0.01:
        assert low < high


def test_the_range_of_zeros_alone_is_not_empty() -> None:
    assert rows.spread([0.0], 0.08) == (-0.08, 0.08)
