"""Typical words: the formula on counts worked by hand, and what must not be called typical."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.knowledge.typical import PRIOR, split, typical, words


def test_the_score_is_the_log_odds_ratio_with_the_background_as_prior() -> None:
    # Inside: late 2, kind 1. Outside: kind 2. Background: late 1, kind 1; prior counts: late 3, kind 4 of 7.
    (found,) = typical(["late late kind"], ["kind kind"], ["late kind"], top=5)
    p = PRIOR * 3 / 7
    odds = math.log((2 + p) / (3 + PRIOR - 2 - p)) - math.log((0 + p) / (2 + PRIOR - 0 - p))
    assert (found.word, found.uses) == ("late", 2)
    assert found.z == pytest.approx(odds / math.sqrt(1 / (2 + p) + 1 / p))


def test_words_that_both_sides_use_alike_are_not_typical() -> None:
    assert typical(["is at home is at home"], ["is at home is at home"], [], top=5) == ()


def test_a_word_used_once_is_not_typical_and_nothing_is_typical_of_nothing() -> None:
    assert typical(["rare"], ["common common"], ["common"], top=5) == ()
    assert typical([], ["common"], ["common"], top=5) == ()


def test_the_mask_is_no_word_and_more_typical_words_come_first() -> None:
    assert words("This person is at THIS PERSON’s home, don't-care 42") == ["is", "at", "s", "home", "don't-care"]
    found = typical(["this person a a a b b"], ["c c c b"], ["a b c"], top=5)
    assert [word.word for word in found] == ["a", "b"]
    assert len(typical(["a a b b"], ["c c"], ["a b c"], top=1)) == 1


def test_statements_are_parted_by_their_label() -> None:
    assert split(["x", "y", "z"], np.array([-1, 0, -1], dtype=np.int8), -1) == (["x", "z"], ["y"])
