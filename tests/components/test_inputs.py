"""What a link says is what the form held: phrases survive being written into it and read back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from components import inputs
from core.text import MAX_PHRASES, parse_lines, parse_rows, split_lines

CELL = st.text(alphabet="abt o.,?!\t<&*é🎉", max_size=12)
LINE = st.tuples(CELL, st.lists(CELL, max_size=3)).map(lambda line: f"{line[0]}:{';'.join(line[1])}")
TYPED = st.lists(st.one_of(CELL, LINE), max_size=5).map("\n".join)


@given(TYPED)
def test_phrases_from_lines_come_back_from_the_text_in_a_link(typed: str) -> None:
    phrases = parse_lines(typed)
    back = parse_lines(inputs.as_text(phrases))
    assert set(back.phrases) == set(phrases.phrases)
    assert back.duplicates == ()


@given(st.lists(st.tuples(CELL, CELL), max_size=8))
def test_phrases_from_a_table_come_back_from_the_text_in_a_link(rows: list[tuple[str, str]]) -> None:
    phrases = parse_rows(rows)
    assert set(parse_lines(inputs.as_text(phrases)).phrases) == set(phrases.phrases)


@given(TYPED)
def test_lines_keep_their_phrases_when_they_become_a_table(typed: str) -> None:
    assert set(parse_rows(split_lines(typed)).texts) == set(parse_lines(typed).texts)


def test_every_example_can_be_scored_as_it_stands() -> None:
    for text in inputs.EXAMPLES.values():
        phrases = parse_lines(text)
        assert 1 < len(phrases.texts) <= MAX_PHRASES
        assert (phrases.blank, phrases.duplicates) == (0, ())
