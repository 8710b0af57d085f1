"""Surveys of people, as files hold them, and how far scores go with them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.moral.survey import MAX_ACTIONS, agreement, disagreements, read
from core.statistics import pearson

GOOD = b"action,yes,no\nsmile,9,1\nlie,2,8\nrest,5,5\nhelp,7,0\n"


def test_a_share_is_the_part_of_the_votes_that_say_yes() -> None:
    survey = read(GOOD)
    assert survey.actions == ("smile", "lie", "rest", "help")
    assert survey.share.tolist() == [0.9, 0.2, 0.5, 1.0]
    assert survey.yes.tolist() == [9, 2, 5, 7]


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + GOOD,
        GOOD.replace(b"\n", b"\r\n"),
        GOOD.replace(b"action,yes,no", b" Action , YES,No"),
        b"no,comment,yes,action\n1,x,9,smile\n8,,2,to lie.\n5,,5,rest\n0,,7, help \n",
        GOOD.replace(b"lie,", b'"lie",') + b"\n,,\n",
    ],
)
def test_case_order_quotes_line_ends_and_other_columns_do_not_matter(content: bytes) -> None:
    found, wanted = read(content), read(GOOD)
    assert found.actions == wanted.actions
    np.testing.assert_array_equal(found.share, wanted.share)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "columns action, yes, no, got an empty file"),
        (b"phrase,yes,no\nsmile,1,2\n", "columns action, yes, no, got phrase, yes, no"),
        (b"action;yes;no\nsmile;1;2\n", "got action;yes;no"),
        (b"<html><body>\n<p>Not a table</p>", "columns action, yes, no"),
        (b'{"action": "smile", "yes": 1}', "columns action, yes, no"),
        (GOOD.replace(b"lie,2,8", b"lie,0,0"), "at least one vote in line 3, got zero"),
        (GOOD.replace(b"lie,2,8", b"lie,some,8"), "an action and two counts in line 3, got lie, some, 8"),
        (GOOD.replace(b"lie,2,8", b"lie,-2,8"), "two counts in line 3"),
        (GOOD.replace(b"lie,2,8", b"lie,2.5,8"), "two counts in line 3"),
        (GOOD.replace(b"lie,2,8", "lie,٢,8".encode()), "two counts in line 3"),
        (GOOD.replace(b"lie,2,8", b"lie,2"), "two counts in line 3"),
        (GOOD.replace(b"lie,2,8", b" ?,2,8"), "two counts in line 3"),
        (GOOD.replace(b"lie,2,8", b"to smile!,2,8"), "each action once, got “smile” more than once"),
        (GOOD.replace(b"lie,", b"x" * 201 + b","), "at most 200 characters in line 3"),
        (GOOD.replace(b"lie", b"l\x1bie"), "control character U+001B"),
        (b"action,yes,no\nsmile,9,1\nlie,2,8\nrest,5,5\n", "4 to 2,000 actions, got 3"),
        (
            b"action,yes,no\n" + b"".join(b"count to %d,1,1\n" % number for number in range(MAX_ACTIONS + 1)),
            "4 to 2,000 actions, got 2,001",
        ),
        (b"action,yes,no\n" + b"".join(b"%d,1,0\n" % number for number in range(100_000)), "got 100,000"),
        (b"action,yes,no\n" + b"a longer action,12,15\n" * 100_000, "a file of at most 1 MB, got 2 MB"),
        (b"x" * 50_000_000, "a file of at most 1 MB, got 50 MB"),
        (GOOD.replace(b"rest", "fête".encode("cp1252")), "text in UTF-8, got byte 0xea at position 33"),
        (GOOD.decode().encode("utf-16"), "text in UTF-8"),
        (GOOD.decode().encode("utf-16-be"), "a text file, got a file with zero bytes"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "text in UTF-8, got byte 0x89 at position 0"),
        (b"action,yes,no\n" + b"x" * 200_000, "a CSV file, got field larger than field limit"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} bytes",
)
def test_what_is_no_survey_is_named_with_its_remedy(content: bytes, said: str) -> None:
    with pytest.raises(InputError, match=r"^Expected .+, got .+ Remedy: ") as caught:
        read(content)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 500  # a file is not echoed


votes = st.lists(
    st.tuples(st.text("abc", min_size=1, max_size=9), st.integers(0, 99), st.integers(1, 99)),
    min_size=4,
    unique_by=lambda row: row[0],
)


@given(votes)
def test_what_is_written_is_read(rows: list[tuple[str, int, int]]) -> None:
    text = "action,yes,no\n" + "".join(f"{action},{yes},{no}\n" for action, yes, no in rows)
    survey = read(text.encode())
    assert list(zip(survey.actions, survey.yes.tolist(), survey.no.tolist(), strict=True)) == rows
    assert ((survey.share >= 0) & (survey.share < 1)).all()


def test_agreement_is_the_correlation_with_the_shares() -> None:
    scores = np.array([0.3, -0.2, 0.1, 0.4])
    assert agreement(scores, read(GOOD)) == pearson(scores, np.array([0.9, 0.2, 0.5, 1.0]))


def test_a_disagreement_is_the_distance_from_the_common_line_in_standard_deviations() -> None:
    # shares 0, 1, 2, 3 and scores 0, 1, 2, 7: slope 2.2, intercept −0.8; residuals 0.8, −0.4, −1.6, 1.2, sd √1.2
    found = disagreements(np.array([0.0, 1, 2, 7]), np.arange(4.0), ["a", "b", "c", "d"], top=2)
    assert [item.action for item in found] == ["c", "d"]
    assert [item.distance for item in found] == pytest.approx([-1.6 / np.sqrt(1.2), 1.2 / np.sqrt(1.2)])
    assert (found[0].share, found[0].score) == (2.0, 2.0)
