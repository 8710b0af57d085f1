"""Bars and symbols of several meanings in the rows of one figure."""

from __future__ import annotations

import pytest

from components.figures import marks, rows
from components.figures.marks import BAR, Marks

MU = Marks("μ", BAR, [(0, 0.2), (1, 0.4)], [(0.1, 0.3), (0.35, 0.6)])
ERROR = Marks("δ", "x", [(1, 0.5)], lower=True)


def test_each_mark_stands_in_its_row_and_the_lower_ones_below_the_bars() -> None:
    bars, errors = marks.figure(["none", "ethical"], [MU, ERROR], x_title="x", x_range=(-0.03, 1.06)).data
    top, bottom = rows.levels(2)
    assert (bars.type, bars.orientation, list(bars.x)) == ("bar", "h", [0.2, 0.4])
    assert list(bars.y) == pytest.approx([top + marks.LINES[0], bottom + marks.LINES[0]])
    assert (errors.mode, errors.marker.symbol, list(errors.x)) == ("markers", "x", [0.5])
    assert list(errors.y) == pytest.approx([bottom + marks.LINES[1]])
    assert bars.error_x.array == pytest.approx([0.1, 0.2])
    assert bars.error_x.arrayminus == pytest.approx([0.1, 0.05])
    assert errors.error_x.array is None


def test_marks_without_a_point_are_not_in_the_legend() -> None:
    drawn = marks.figure(["none", "ethical"], [MU, Marks("desired", "square-open", [])], x_title="x", x_range=(0, 1))
    assert [trace.name for trace in drawn.data] == ["μ"]


def test_labels_stand_beside_a_zero_line_that_would_strike_them_through() -> None:
    def label(low: float) -> float:
        return float(marks.figure(["none", "ethical"], [MU], x_title="x", x_range=(low, 1.0)).layout.annotations[0].x)

    assert label(-0.03) > 0.03 / 1.03
    assert label(-1.0) == 0


def test_room_for_a_long_legend_is_added_above_the_rows() -> None:
    plain, roomy = (
        marks.figure(["none", "ethical"], [MU], x_title="x", x_range=(0, 1), room=room).layout for room in (0, 60)
    )
    assert roomy.height - plain.height == 60
    assert roomy.margin.t - plain.margin.t == 60
