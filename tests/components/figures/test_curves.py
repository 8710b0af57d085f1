"""Lines over steps of any size, told apart without colour."""

from __future__ import annotations

import pytest

from components.figures import curves
from components.figures.curves import Series

ETHICAL = Series("ethical", ["0", "64"], [0.4, 0.1], [0.3, 0.05], [0.45, 0.3])
NONE = Series("none", ["0", "64"], [0.4, 0.4], [0.3, 0.3], [0.5, 0.5])


def test_lines_differ_in_dash_and_symbol_and_carry_their_intervals() -> None:
    one, other = curves.figure([ETHICAL, NONE], ["0", "64"], x_title="x", y_title="y", wanted=[]).data
    assert (list(one.x), list(one.y)) == (["0", "64"], [0.4, 0.1])
    assert one.error_y.array == pytest.approx([0.05, 0.2])
    assert one.error_y.arrayminus == pytest.approx([0.1, 0.05])
    assert one.line.dash != other.line.dash
    assert one.marker.symbol != other.marker.symbol


def test_steps_stand_equally_spaced_in_their_order_and_what_is_wanted_is_named() -> None:
    layout = curves.figure([NONE], ["0", "64"], x_title="x", y_title="y", wanted=[(1.0, "desired")]).layout
    assert (layout.xaxis.type, layout.xaxis.categoryarray) == ("category", ("0", "64"))
    assert [shape.y0 for shape in layout.shapes] == [1.0]
    assert [note.text for note in layout.annotations] == ["desired"]
    assert layout.yaxis.range[0] < 0
    assert layout.yaxis.range[1] > 1
