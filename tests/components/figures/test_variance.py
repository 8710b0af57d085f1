"""Bars of variance explained stand beside what noise reaches."""

from __future__ import annotations

import numpy as np

from components.figures import variance

EXPLAINED = np.array([0.4, 0.2, 0.1, 0.08, 0.06, 0.05, 0.04, 0.03, 0.02, 0.01, 0.01])
LINE = [0.15 - 0.01 * index for index in range(11)]


def test_the_first_ten_components_are_bars_and_the_random_line_goes_over_them() -> None:
    bars, noise = variance.figure(EXPLAINED, LINE, highest=0.4).data
    assert (bars.type, noise.type) == ("bar", "scatter")
    assert list(bars.x) == list(noise.x) == list(range(1, 11))
    assert list(bars.y) == list(EXPLAINED[:10])
    assert list(noise.y) == LINE[:10]
    assert noise.name == "random vectors, 95 %"
    assert noise.line.dash == "dash"  # not told by its colour alone


def test_fewer_components_make_fewer_bars() -> None:
    bars, noise = variance.figure(EXPLAINED[:4], LINE[:4], highest=0.4).data
    assert list(bars.x) == list(noise.x) == [1, 2, 3, 4]


def test_figures_side_by_side_share_the_height_of_the_highest_bar() -> None:
    low, high = variance.figure(EXPLAINED, LINE, highest=0.6).layout.yaxis.range
    assert low == 0
    assert 0.6 < high < 0.7
