"""Values by row and column; names beside the rows, or above them where they are long."""

from __future__ import annotations

from components.figures import heatmap

VALUES = [[0.1, None], [-0.2, 0.3]]


def test_cells_keep_their_order_and_what_is_missing_stays_empty() -> None:
    drawn = heatmap.figure(VALUES, ["Ann", "Bob"], ["paid", "<b>"], title="γ", limit=0.3)
    (cells,) = drawn.data
    assert [list(row) for row in cells.z] == VALUES
    assert drawn.layout.xaxis.ticktext == ("Ann", "Bob")
    assert drawn.layout.yaxis.ticktext == ("paid", "&lt;b&gt;")
    assert drawn.layout.yaxis.range == (1.5, -0.5)  # the first row on top
    assert (drawn.layout.coloraxis.cmin, drawn.layout.coloraxis.cmax) == (-0.3, 0.3)
    assert not drawn.layout.annotations


def test_names_above_their_rows_leave_the_width_to_the_cells() -> None:
    drawn = heatmap.figure(VALUES, ["Ann", "Bob"], ["paid", "<b>"], title="γ", limit=0.3, above=True)
    assert [(note.text, note.y) for note in drawn.layout.annotations] == [("paid", -0.5), ("&lt;b&gt;", 0.5)]
    assert drawn.layout.yaxis.visible is False
    low, high = drawn.layout.yaxis.range
    assert (low, high < -0.5) == (1.5, True)  # the first name is inside
    assert drawn.data[0].ygap > 15
