from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.association.lexicon import frequent_verbs
from core.association.sets import WordSet, general
from core.association.verbs import Extraction, extract, overlap
from core.association.weat import association
from core.encoders.cache import CachedEncoder
from core.errors import InputError

A, B = WordSet("a", ("aa", "aab")), WordSet("b", ("bb", "bba"))


def test_verbs_are_ordered_by_association_and_cut_at_both_ends(letters: Any) -> None:
    verbs = ("ab", "aaab", "bbba", "aaa", "bbb")
    found = extract(CachedEncoder(letters), verbs, A, B, top=2)
    scores = association(letters.encode(verbs), letters.encode(A.words), letters.encode(B.words))
    by_verb = dict(zip(verbs, scores.tolist(), strict=True))
    assert found.verbs == tuple(sorted(verbs, key=lambda verb: -by_verb[verb]))
    assert [verb for verb, _ in found.dos] == ["aaa", "aaab"]
    assert [verb for verb, _ in found.donts] == ["bbb", "bbba"]
    for verb, value in (*found.dos, *found.donts):
        assert value == by_verb[verb]


def test_a_second_extraction_embeds_only_the_new_words(letters: Any) -> None:
    encoder = CachedEncoder(letters)
    extract(encoder, ("ab", "aaa", "bbb"), A, B, top=1)
    letters.asked.clear()
    extract(encoder, ("ab", "aaa", "bbb"), WordSet("c", ("cc", "aa")), B, top=1)
    assert letters.asked == ["cc"]


def test_verbs_that_are_association_words_are_named(letters: Any) -> None:
    assert extract(CachedEncoder(letters), ("aa", "ab", "bb"), A, B, top=1).in_sets == {"aa", "bb"}


@pytest.mark.parametrize("top", [0, 2, -1])
def test_lists_that_would_overlap_or_be_empty_are_refused(letters: Any, top: int) -> None:
    with pytest.raises(InputError, match=r"from 1 to 1 \(half of 3 verbs\)"):
        extract(CachedEncoder(letters), ("ab", "aaa", "bbb"), A, B, top=top)


def test_overlap_counts_what_is_published_on_either_side_whatever_the_spelling() -> None:
    verbs = ("smile", "torture", "savor", "walk", "hug", "demonize")
    found = overlap(Extraction(verbs, np.linspace(1, -1, 6), 2, frozenset()))
    assert found.dos == ("smile",)
    assert found.donts == ("demonise",)
    assert found.opposite == ("hug", "torture")
    assert (found.known_dos, found.known_donts) == (3, 2)


def test_the_bundled_encoder_finds_published_verbs_on_their_sides_and_none_on_the_other(bundled: CachedEncoder) -> None:
    found = overlap(extract(bundled, frequent_verbs(), *general()))
    assert (found.known_dos, found.known_donts) == (40, 36)
    assert {"smile", "hug", "love", "thank"} <= set(found.dos)
    assert {"murder", "poison", "harm", "contaminate"} <= set(found.donts)
    assert len(found.dos) >= 12
    assert len(found.donts) >= 8
    assert found.opposite == ()


def test_words_that_the_encoder_does_not_know_are_left_out(letters: Any) -> None:
    letters.vocabulary = {"aa", "aab", "bb", "bba", "ab", "aaa", "bbb"}
    found = extract(CachedEncoder(letters), ("ab", "zzz", "aaa", "bbb"), A, B, top=1)
    assert set(found.verbs) == {"ab", "aaa", "bbb"}
    letters.vocabulary -= {"aab"}
    with pytest.raises(InputError, match="of a in the vocabulary"):
        extract(CachedEncoder(letters), ("ab", "aaa", "bbb"), A, B, top=1)
