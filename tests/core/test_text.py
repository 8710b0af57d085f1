"""What a reader types becomes phrases, or an error that says what to do; the text itself stays as typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.text import MAX_CHARACTERS, MAX_PHRASES, Phrase, clean, join_rows, parse_lines, parse_rows, split_lines


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  kill   time ", "kill time"),
        ("to smile", "smile"),
        ("To  Smile", "Smile"),
        ("toast bread", "toast bread"),
        ("to", "to"),
        ("Kill?!…", "Kill"),
        ("have a gun to kill people.", "have a gun to kill people"),
        ("be 1.5 m tall", "be 1.5 m tall"),
        ("kill\ttime", "kill time"),
        ("kill\u00a0time", "kill time"),
    ],
)
def test_space_a_leading_to_and_closing_punctuation_go_and_nothing_else(typed: str, kept: str) -> None:
    assert clean(typed) == kept


@pytest.mark.parametrize(
    "typed",
    [
        "<b>kill</b> <script>alert(1)</script>",
        "**kill** [time](http://127.0.0.1)",
        "kill &amp; time",
        "לעזור לחבר",
        "مساعدة صديق",
        "party 🎉 with 👩‍👩‍👧",
        "=1+1",
        "dance naïvely",
    ],
)
def test_markup_emoji_and_right_to_left_text_stay_as_typed(typed: str) -> None:
    assert clean(typed) == typed
    assert parse_lines(typed.replace(":", "")).texts == (typed.replace(":", ""),)


@pytest.mark.parametrize("control", ["\0", "\x07", "\x1b", "\x7f", "\x9f", "\ud800"])
def test_a_control_character_is_refused_by_its_number_and_place(control: str) -> None:
    with pytest.raises(InputError, match=rf"line 2.*U\+{ord(control):04X}.*delete it"):
        parse_lines(f"smile\nkill{control} time")


def test_the_longest_phrase_is_accepted_and_one_character_more_refused_with_the_limit() -> None:
    assert len(clean("to " + "a" * MAX_CHARACTERS + " !")) == MAX_CHARACTERS
    with pytest.raises(InputError, match=f"at most {MAX_CHARACTERS} characters in row 2, got {MAX_CHARACTERS + 1}"):
        parse_rows([("smile", ""), ("a" * (MAX_CHARACTERS + 1), "")])


def test_the_limit_holds_for_action_and_context_together() -> None:
    half = "a" * (MAX_CHARACTERS // 2)
    with pytest.raises(InputError, match=f"got {MAX_CHARACTERS + 1}"):
        parse_lines(f"{half}: {half}")


def test_the_most_lines_are_accepted_and_one_more_refused_with_the_limit() -> None:
    lines = [f"action {number}" for number in range(MAX_PHRASES)]
    assert len(parse_lines("\n".join([*lines, "", ""])).phrases) == MAX_PHRASES
    with pytest.raises(InputError, match=f"at most {MAX_PHRASES} lines, got {MAX_PHRASES + 1}"):
        parse_lines("\n".join([*lines, "smile"]))


def test_contexts_count_as_phrases() -> None:
    with pytest.raises(InputError, match=f"at most {MAX_PHRASES} phrases, got {MAX_PHRASES + 1}"):
        parse_lines("kill: " + ";".join(f"context {number}" for number in range(MAX_PHRASES + 1)))


@pytest.mark.parametrize(
    ("text", "blank"),
    [("", 1), ("kill", 0), ("kill\n", 0), ("\n\nkill\n \t\nsmile\n", 3), ("kill\n\n", 1), (" : ;\nkill\n...", 2)],
)
def test_blank_lines_are_counted_and_the_closing_line_break_is_none(text: str, blank: int) -> None:
    assert parse_lines(text).blank == blank


def test_every_context_stands_after_its_bare_action_which_is_added_once() -> None:
    read = parse_lines("kill: people; time\nto kill: a killer\nsmile")
    assert read.texts == ("kill", "kill people", "kill time", "kill a killer", "smile")
    assert read.phrases[1] == Phrase(clean("kill"), clean("people"))
    assert read.duplicates == ()  # the bare action was implied, nobody typed it twice


def test_a_context_keeps_its_to() -> None:
    assert parse_lines("travel: to Finland").texts == ("travel", "travel to Finland")
    assert parse_rows([("go", "to church")]).texts == ("go", "go to church")


def test_a_context_without_an_action_is_the_phrase() -> None:
    assert parse_lines(": to kill time").texts == ("kill time",)
    assert parse_rows([("", "kill time")]).phrases == (Phrase(clean("kill time")),)


def test_repeated_phrases_are_kept_once_and_named() -> None:
    read = parse_lines("kill\nkill: time\nkill: time\nto kill!\nKill")
    assert read.texts == ("kill", "kill time", "Kill")
    assert read.duplicates == ("kill time", "kill")


def test_table_rows_may_be_empty_or_none() -> None:
    read = parse_rows([("kill ", "time"), (None, None), ("kill", None), ("", " ")])
    assert read.texts == ("kill time", "kill")
    assert (read.blank, read.duplicates) == (2, ())


def test_the_base_of_a_context_is_its_bare_action_wherever_that_stands() -> None:
    read = parse_rows([("kill", "people"), ("smile", ""), ("kill", ""), ("", "rest")])
    assert read.texts == ("kill people", "smile", "kill", "rest")
    assert [pair.action for pair in read.grid] == ["kill", "smile", "kill", "rest"]


def test_two_pairs_with_the_same_words_are_scored_once_and_both_stand_in_the_grid() -> None:
    for text in ("kill time\nkill: time; people", "kill: time; people\nkill time"):
        read = parse_lines(text)
        assert sorted(read.texts) == ["kill", "kill people", "kill time"]
        assert {(pair.action, pair.context) for pair in read.grid} == {
            ("kill", ""), ("kill", "time"), ("kill", "people"), ("kill time", "")
        }  # fmt: skip
        assert read.duplicates == ()


def test_a_line_with_very_many_contexts_is_refused_before_it_is_cut() -> None:
    with pytest.raises(InputError, match="at most 500 phrases"):
        parse_lines("a: " + "b;" * 300_000)


@pytest.mark.parametrize("character", ["\u200b", "\ufeff", "\u202e", "\x1c", "\x85"])
def test_invisible_characters_are_refused_by_name(character: str) -> None:
    with pytest.raises(InputError, match=f"U\\+{ord(character):04X}"):
        parse_lines(f"kill{character} time")


@given(st.lists(st.tuples(st.sampled_from(["say: hello", "kill", "a;b"]), st.sampled_from(["", "x; y", "now:", "z"]))))
def test_rows_written_as_lines_come_back_with_their_colons_and_semicolons(rows: list[tuple[str, str]]) -> None:
    assert set(parse_lines(join_rows(rows)).grid) == set(parse_rows(rows).grid)


def test_rows_for_a_table_hold_what_was_typed_unchecked() -> None:
    assert split_lines("to kill : time; a killer.\n\n smile") == [
        ("to kill", "time"),
        ("to kill", "a killer."),
        ("smile", ""),
    ]


words = st.text(st.characters(exclude_categories=["Cc", "Cs"], exclude_characters=":;"), max_size=20)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=60))
def test_cleaning_twice_changes_nothing_more(typed: str) -> None:
    assert clean(clean(typed)) == clean(typed)


@given(st.lists(st.tuples(words, words), max_size=8))
def test_lines_and_rows_read_the_same_and_keep_each_phrase_once(rows: list[tuple[str, str]]) -> None:
    from_rows = parse_rows(rows)
    from_lines = parse_lines("\n".join(f"{action}: {context}" for action, context in rows))
    assert from_rows.phrases == from_lines.phrases
    assert len(set(from_rows.texts)) == len(from_rows.texts)
    assert "" not in from_rows.texts


@given(st.lists(st.tuples(words, words), max_size=8), st.randoms())
def test_the_set_of_phrases_depends_neither_on_order_nor_on_repetition(
    rows: list[tuple[str, str]], random: object
) -> None:
    shuffled = [*rows, *rows]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert set(parse_rows(shuffled).texts) == set(parse_rows(rows).texts)


@given(st.lists(st.tuples(words, words), max_size=8))
def test_phrases_written_as_lines_are_read_back_as_the_same_phrases(rows: list[tuple[str, str]]) -> None:
    read = parse_rows(rows)
    written = join_rows([(phrase.action, phrase.context) for phrase in read.phrases])
    again = parse_lines(written)
    assert set(again.texts) == set(read.texts)
    assert again.duplicates == ()
    assert join_rows(split_lines(written)) == written
