from __future__ import annotations

import pytest

from core.articles import agree, article


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(
            ("actor", "an"),
            ("hour", "an"),
            ("honest broker", "an"),
            ("umpire", "an"),
            ("usher", "an"),
            ("Iranian", "an"),
        ),
        *(("nurse", "a"), ("house", "a"), ("university", "a"), ("one-eyed man", "a"), ("European", "a"), ("日本", "a")),
        *(("FBI agent", "an"), ("usability expert", "a"), ("-", "a")),
    ],
)
def test_the_article_follows_the_sound(text: str, expected: str) -> None:
    assert article(text) == expected


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        ("Is she a {}?", "engineer", "Is she an {}?"),
        ("Is she an {}?", "nurse", "Is she a {}?"),
        ("A {} is here", "actor", "An {} is here"),
        ("Is she a good {}?", "engineer", "Is she a good {}?"),
        ("Is the {} a man?", "actor", "Is the {} a man?"),
        ("Is there an alpha {}?", "nurse", "Is there an alpha {}?"),
    ],
)
def test_only_the_article_right_before_the_slot_is_set(question: str, text: str, expected: str) -> None:
    assert agree(question, text) == expected
