from __future__ import annotations

import pytest

from core.assets import column
from core.association import lexicon
from core.errors import InputError


def test_forms_and_spellings_of_a_verb_are_one_verb() -> None:
    found = lexicon.verbs(["Savoured", "savoring", "went", "go", "the", "tree-lined", "go"])
    assert found.lemmas == ("savour", "go")
    assert found.merged == ("savoring", "go")
    assert found.others == ("the", "tree-lined")


def test_a_form_of_two_verbs_counts_for_both() -> None:
    assert lexicon.verbs(["saw"]).lemmas == ("see", "saw")


def test_a_list_without_a_verb_is_refused() -> None:
    with pytest.raises(InputError, match=r"2 word\(s\), none of them a verb"):
        lexicon.verbs(["the", "of"])


def test_spellings_are_joined_and_different_verbs_are_not() -> None:
    for british, american in (
        ("victimise", "victimize"),
        ("analyse", "analyze"),
        ("honour", "honor"),
        ("enrol", "enroll"),
    ):
        assert lexicon.spelling(british) == lexicon.spelling(american)
    for one, other in (("prise", "prize"), ("pal", "pall"), ("rise", "raise")):
        assert lexicon.spelling(one) != lexicon.spelling(other)


def test_the_frequent_verbs_are_six_thousand_different_ones_most_frequent_first() -> None:
    verbs = lexicon.frequent_verbs()
    assert len(verbs) == len({lexicon.spelling(verb) for verb in verbs}) == 6000
    assert verbs.index("say") < verbs.index("smile") < verbs.index("nuzzle")
    assert verbs[:40] == lexicon.frequent_verbs(40)
    assert all(verb.isalpha() for verb in verbs)


def test_words_that_are_hardly_ever_inflected_are_no_frequent_verbs() -> None:
    assert not {"worse", "downstage", "disproportionate"} & set(lexicon.frequent_verbs())


def test_three_quarters_of_the_published_verbs_are_among_them() -> None:
    known = {lexicon.spelling(verb) for verb in lexicon.frequent_verbs()}
    published = column("mcm_verbs.csv", "verb")
    assert sum(lexicon.spelling(verb) in known for verb in published) == 76


def test_noise_words_come_from_all_bands_of_frequency() -> None:
    zipf = lexicon._zipf()
    drawn = [zipf[word] for word in lexicon.noise_words()]
    assert 2 <= min(drawn) < 2.1
    assert 5.5 < max(drawn) < 6
    for low in lexicon.BANDS[:-1]:
        assert sum(low <= value < low + 0.5 for value in drawn) == lexicon.WORDS_PER_BAND


def test_noise_is_as_frequent_as_the_words_and_holds_none_of_them() -> None:
    zipf = lexicon._zipf()
    words = [*lexicon.noise_words()[1600:1603], "notaword"]
    found = lexicon.as_frequent_as(words)
    edges = [zipf[word] for word in words[:-1]]
    assert found
    assert all(min(edges) <= zipf[word] <= max(edges) for word in found)
    assert not set(found) & set(words)


def test_unknown_words_are_compared_with_all_noise_words() -> None:
    assert lexicon.as_frequent_as(["notaword", "norisit"]) == lexicon.noise_words()
