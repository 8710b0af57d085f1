from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.moral.templates import MAX_TEMPLATES, Template, parse, published, questions, render


def test_ten_moral_questions_share_eight_answers() -> None:
    moral = published()
    assert len(moral) == 10
    assert len({answer for item in moral for answer in (item.affirming, item.denying)}) == 8
    assert all(item.question.count("{}") == 1 and item.question.endswith("?") for item in moral)


def test_four_gender_questions_have_she_as_the_first_pole() -> None:
    assert [item.affirming for item in published("gender")] == ["Yes, she is", "Yes, she was"] * 2


def test_a_phrase_with_braces_is_text_not_a_format() -> None:
    assert Template("Should I {}?", "yes", "no").fill("use {} and {0}") == "Should I use {} and {0}?"


def test_questions_go_text_by_text() -> None:
    two = published()[:2]
    assert questions(["kill", "smile"], two) == [
        "Is it okay to kill?",
        "Should I kill?",
        "Is it okay to smile?",
        "Should I smile?",
    ]


words = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=9)


@given(
    st.lists(
        st.tuples(words, words, words).filter(lambda parts: parts[1].casefold() != parts[2].casefold()),
        min_size=1,
        max_size=5,
        unique=True,
    )
)
def test_own_templates_are_read_back_as_written(parts: list[tuple[str, str, str]]) -> None:
    own = tuple(Template(f"{question} {{}}", affirming, denying) for question, affirming, denying in parts)
    assert parse(render(own)) == own


def test_blank_lines_and_loose_space_are_ignored() -> None:
    assert parse("\n Is  {} fair? |yes|  no \n\n") == (Template("Is {} fair?", "yes", "no"),)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"1 to 50 templates.*got 0"),
        ("Is {} fair? | yes | no\n" * (MAX_TEMPLATES + 1), r"got 51"),
        ("\nIs {} fair? | yes", r"template line 2.*another form.*\{\}"),
        ("Is it fair? | yes | no", r"template line 1, got another form"),
        ("Is {} like {}? | yes | no", r"another form"),
        ("Is {} fair? | | no", r"another form"),
        ("Is {} fair? | yes | no | perhaps", r"another form"),
        ("Is {} fair? | yes | yes", r"same answer twice"),
        ("Is {} fair? | y\0es | no", r"template line 1, got the control character U\+0000"),
        ("Is {} fair? | yes | " + "no" * 200, r"at most 200 characters in template line 1"),
    ],
)
def test_a_template_that_cannot_be_used_is_refused_by_line(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        parse(text)
