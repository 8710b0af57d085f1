from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.association import sets
from core.association.sets import WordSet, WordTest
from core.errors import AssetError, InputError

ANIMALS = WordSet("animals", ("cat", "dog"))
PLANTS = WordSet("plants", ("rose", "oak"))
GOOD = WordSet("good", ("kind", "fair", "calm"))
BAD = WordSet("bad", ("rude", "mean"))


def test_the_ten_published_tests_have_the_sizes_of_the_paper() -> None:
    sizes = [[len(words.words) for words in test.sets] for test in sets.published()]
    assert sizes == [
        [25, 25, 25, 25], [25, 25, 25, 25], [50, 50, 25, 25], [18, 18, 25, 25], [18, 18, 8, 8],
        [8, 8, 8, 8], [8, 8, 8, 8], [8, 8, 8, 8], [6, 6, 7, 7], [8, 8, 8, 8],
    ]  # fmt: skip


def test_a_test_carries_the_finding_with_people_where_there_is_one() -> None:
    humans = [test.human for test in sets.published()]
    assert humans[0] == sets.HumanFinding("32", 1.35, "1e-8")
    assert [index + 1 for index, human in enumerate(humans) if human is None] == [4, 5]


def test_every_published_list_has_a_card_that_names_a_problem() -> None:
    for name in [*(test.key for test in sets.published()), "general", "verbs", "occupations", "professions", "afinn"]:
        card = sets.card(name)
        assert card.title
        assert card.authors
        assert card.licence
        assert card.known_problems
    with pytest.raises(AssetError, match="a card for the list nobody"):
        sets.card("nobody")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        *(("1", "1"), ("10", "10"), ("WEAT 3", "3"), ("weat-3", "3"), ("Flowers", "1"), ("flowers / insects", "1")),
        *(("young people's names", "10"), ("mental-disease", "9")),
    ],
)
def test_a_published_test_is_found_by_number_or_by_the_start_of_its_title(name: str, key: str) -> None:
    assert sets.find(name).key == key


@pytest.mark.parametrize("name", ["", "11", "insects", "weat", "-"])
def test_an_unknown_name_is_answered_with_the_names_there_are(name: str) -> None:
    with pytest.raises(InputError, match=r"which fits none.*1 Flowers / Insects"):
        sets.find(name)


def test_a_name_that_fits_several_tests_is_answered_with_these() -> None:
    with pytest.raises(InputError) as caught:
        sets.find("european american")
    assert "which fits 3" in str(caught.value)
    assert "Flowers" not in str(caught.value)


@pytest.mark.parametrize("text", ["rose, tulip", "rose\ntulip\n", " rose ;tulip;", "rose\ttulip", "rose,\n\ntulip."])
def test_words_may_be_separated_in_any_usual_way(text: str) -> None:
    assert sets.parse(text, "X") == WordSet("X", ("rose", "tulip"))


def test_a_repeated_word_is_kept_once_and_named() -> None:
    found = sets.parse("Rose, tulip, rose, ROSE, New York", "X")
    assert found.words == ("Rose", "tulip", "New York")
    assert found.repeated == ("rose", "ROSE")


@pytest.mark.parametrize("text", ["", " ,;\n", "rose", "rose, Rose"])
def test_a_set_of_fewer_than_two_words_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="at least 2 different words in X"):
        sets.parse(text, "X")


def test_a_list_of_a_hundred_thousand_words_is_refused_by_its_length() -> None:
    with pytest.raises(InputError, match="at most 200 words in X, got 100,000"):
        sets.parse("\n".join(f"word{number}" for number in range(100_000)), "X")


def test_a_control_character_is_refused_with_its_place() -> None:
    with pytest.raises(InputError, match=r"entry 2 of X, got the control character U\+0007"):
        sets.parse("rose, tu\x07lip", "X")


@given(st.lists(st.text("abcdefgh", min_size=1, max_size=6), min_size=2, unique=True))
def test_what_is_parsed_comes_back(words: list[str]) -> None:
    assert sets.parse(", ".join(words), "X").words == tuple(words)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("group,word\nfruit,apple\nfruit,pear\n", "apple\npear"),
        ("occupation,side\r\nnurse,female\r\n\r\n", "nurse"),
        ('name\n"smith, black"\n', "smith, black"),
        ("group,word\nfruit\nfruit,pear", "pear"),
        ("", ""),
    ],
)
def test_a_csv_gives_its_word_column_or_else_its_first(text: str, column: str) -> None:
    assert sets.first_column(text) == column


def test_a_sound_test_passes_with_attribute_sets_of_different_size() -> None:
    test = WordTest("own", ANIMALS, PLANTS, GOOD, BAD)
    assert sets.check(test) is test
    assert test.title == "animals / plants × good / bad"


def test_unequal_target_sets_are_refused_with_what_to_do() -> None:
    more = WordSet("plants", ("rose", "oak", "elm", "fir"))
    with pytest.raises(InputError, match=r"got 2 and 4\. Remedy: remove 2 from plants, or add 2 to animals"):
        sets.check(WordTest("own", ANIMALS, more, GOOD, BAD))


@pytest.mark.parametrize("place", ["x", "y", "a", "b"])
def test_sets_that_share_a_word_are_refused_whatever_its_case(place: str) -> None:
    parts = {"x": ANIMALS, "y": PLANTS, "a": GOOD, "b": BAD}
    other = "b" if place != "b" else "x"
    shared = WordSet(parts[place].name, ("other", parts[other].words[0].upper()))
    with pytest.raises(InputError, match=rf"both hold (?i:{parts[other].words[0]})\. .*compared with itself") as caught:
        sets.check(WordTest("own", **{**parts, place: shared}))
    assert parts[other].name in caught.value.expected
