"""Boxes of targets: every point is there, named, and figures side by side share their axis."""

from __future__ import annotations

import numpy as np

from components.figures import boxes

GROUPS = [
    boxes.Group(
        "sentiment: negative", "circle", ["<b>baker</b>", "cook"], ["profession", "profession"], np.array([4.0, 8])
    ),
    boxes.Group("regard: negative", "square", ["baker"], ["profession"], np.array([2.0])),
]


def test_every_target_is_a_point_with_its_name_as_data_and_escaped_on_hover() -> None:
    first, second = boxes.figure(GROUPS, y_title="%", top=8).data
    assert (list(first.y), list(first.customdata), first.boxpoints) == ([4, 8], ["<b>baker</b>", "cook"], "all")
    assert list(first.text) == ["&lt;b&gt;baker&lt;/b&gt;", "cook"]
    assert (first.marker.symbol, second.marker.symbol) == ("circle", "square")


def test_the_axis_holds_the_highest_value_of_all_figures_and_zero() -> None:
    low, high = boxes.figure(GROUPS, y_title="%", top=20).layout.yaxis.range
    assert low < 0
    assert high > 20


def test_counts_may_be_drawn_on_a_logarithmic_axis() -> None:
    assert boxes.figure(GROUPS, y_title="n", logarithmic=True).layout.yaxis.type == "log"
