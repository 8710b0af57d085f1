"""Words between two poles: what is drawn of a long list, what is said of it, and what a link holds."""

from __future__ import annotations

import numpy as np
import pytest

from components import poles
from core.moral import templates
from core.moral.choice import Choice
from core.moral.poles import PoleScores

ASKED = templates.parse("Is a {} calm? | Yes. | No.")


def scored(*mean: float, reach: float = 0.1) -> PoleScores:
    middle = np.array(mean)
    choice = Choice(middle[:, None], middle, middle - reach, middle + reach, np.ones(len(mean)))
    return PoleScores(tuple(f"w{place}" for place in range(len(mean))), (), choice)


def request(*, as_printed: bool = False, is_published: bool = False) -> poles.Request:
    return poles.Request(("calm", "wild"), ASKED, ("owl", "tiger"), as_printed, is_published)


def test_a_short_list_is_shown_whole_from_the_first_pole_to_the_second() -> None:
    assert poles.ends(scored(0.1, 0.5, -0.2)).tolist() == [1, 0, 2]


@pytest.mark.parametrize(("count", "shown"), [(20, 20), (21, 20), (131, 20)])
def test_of_a_long_list_both_ends_are_shown_and_no_word_twice(count: int, shown: int) -> None:
    rows = poles.ends(scored(*np.arange(count, dtype=float))).tolist()
    assert len(set(rows)) == len(rows) == shown
    assert rows[:10] == list(range(count - 1, count - 11, -1))
    assert rows[-10:] == list(range(9, -1, -1))


def test_a_reading_names_both_ends_and_counts_the_words_whose_interval_holds_zero(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert poles.reading("Letters", scored(0.5, -0.7), request()).endswith(
        "1 question(s) are too few to say how sure that is."
    )
    monkeypatch.setattr(poles, "MIN_TEMPLATES", 1)
    assert poles.reading("Letters", scored(0.5, 0.05, -0.1, -0.7), request()) == (
        "Letters: nearest to calm: w0, w1, w2; nearest to wild: w3, w2, w1. For 2 of 4 words the interval holds 0."
    )


def test_a_link_holds_what_was_typed_and_nothing_that_is_published() -> None:
    assert request(is_published=True).link == {}
    assert request(is_published=True, as_printed=True).link == {"as_printed": "true"}
    assert request().link == {
        "poles": "calm / wild",
        "poles_templates": "Is a {} calm? | Yes. | No.",
        "poles_words": "owl\ntiger",
    }
