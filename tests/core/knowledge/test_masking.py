"""Targets are found as whole words, and a masked text names none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.knowledge.masking import MASK, mentions
from core.knowledge.targets import plurals, published


def named(text: str) -> list[str]:
    return [published().names[code] for code in mentions().find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a woman is a person", ["woman"]),
        ("humane germanium mankind", []),
        ("South African teachers met an African", ["South African", "teacher", "African"]),
        ("the AFRICAN-american poet", ["African American", "poet"]),
        ("saudi_arabian", ["Saudi Arabian"]),
        ("yes, ma'am", ["ma am"]),
        ("armies and churches", ["army", "church"]),
        ("ladies first, said the lady", ["ladies", "lady"]),
        ("nurse, nurse and nurses", ["nurse"]),
        ("the teacher's pet", ["teacher"]),
        ("nonteacher teacherly", []),
        ("", []),
        ("Türkei, Turkey", ["Turkey"]),
    ],
)
def test_targets_are_found_by_token_the_longest_first(text: str, expected: list[str]) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Librarian is located at library", "this person is located at library"),
        ("woman is related to man", "this person is related to this person"),
        ("The Muslims' church", "The this person' this person"),
        ("nothing here", "nothing here"),
        ("İstanbul and a POET", "İstanbul and a this person"),
        ("<b>nurse</b>", "<b>this person</b>"),
    ],
)
def test_every_target_is_masked_and_the_rest_is_as_it_was(text: str, expected: str) -> None:
    assert mentions().mask(text) == expected


def test_every_target_and_plural_is_masked_by_itself() -> None:
    forms = [*published().names, *(form for found in plurals().values() for form in found)]
    assert {mentions().mask(form) for form in forms} == {MASK}


WORDS = st.sampled_from(
    [*published().names[::7], "woman", "women", "İ", "ß", "person", "_", "'", "-", "a", "\u0085", "é"]
)


@given(st.lists(WORDS, max_size=8), st.sampled_from([" ", "", "_", ", "]))
def test_a_masked_text_names_no_target_and_masking_it_again_changes_nothing(words: list[str], between: str) -> None:
    masked = mentions().mask(between.join(words))
    assert mentions().find(masked) == ()
    assert mentions().mask(masked) == masked


@given(st.text(max_size=40))
def test_any_text_can_be_masked(text: str) -> None:
    assert (mentions().mask(text) == text) == (mentions().find(text) == ())


@given(
    st.lists(
        st.text(max_size=12) | st.sampled_from(["African", "american", "ΑΣ", "İzmir man", "a\0b", "New", "yorker"]),
        max_size=8,
    )
)
def test_texts_masked_together_are_masked_as_each_alone(texts: list[str]) -> None:
    assert mentions().mask_all(texts) == [mentions().mask(text) for text in texts]
