"""A phrase of which nothing is known is told from one of which a word is passed over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.encoders.cache import CachedEncoder
from core.encoders.memory import Pool, PooledEncoder
from core.encoders.protocol import Provenance
from core.encoders.vocabulary import Unknown, unknown
from core.encoders.words import WordVectors

KNOWN = ("is", "your", "a", "nurse", "kill", "time", "ice_cream")


@pytest.fixture
def words() -> WordVectors:
    made_by = Provenance("v", "1", "MIT", 2, "NumPy", "made by hand")
    return WordVectors(
        "v", {word: row for row, word in enumerate(KNOWN)}, np.ones((len(KNOWN), 2), dtype=np.float32), made_by
    )


def test_phrases_without_a_known_word_and_the_words_passed_over_in_others_are_named_once(words: WordVectors) -> None:
    asked = ["kill xyzzy time", "Nurse", "zzzqq", "plugh zzzqq", "xyzzy time", "zzzqq", "ice_cream", "?!", ""]
    assert unknown(words, asked) == Unknown(("zzzqq", "plugh zzzqq", "?!", ""), ("xyzzy",))


def test_a_template_gives_a_vector_to_a_phrase_of_which_nothing_is_known_so_the_phrase_is_asked_about(
    words: WordVectors,
) -> None:
    assert np.isfinite(words.encode(["Is your zzzqq a nurse?"])).all()
    assert unknown(words, ["zzzqq", "nurse"]).phrases == ("zzzqq",)


def test_all_known_is_nothing_and_false(words: WordVectors) -> None:
    assert unknown(words, ["kill time", "nurse"]) == Unknown()
    assert not unknown(words, [])
    assert unknown(words, ["zzzqq"])
    assert unknown(words, ["zzzqq time"])


def test_one_that_reads_any_text_lacks_nothing(letters: Any) -> None:
    assert not unknown(letters, ["zzzqq", ""])
    assert not unknown(CachedEncoder(PooledEncoder("a", 1, lambda: letters, Pool(9))), ["zzzqq", ""])


def test_cached_and_pooled_know_what_the_one_inside_knows(words: WordVectors) -> None:
    wrapped = CachedEncoder(PooledEncoder("a", 1, lambda: words, Pool(9)))
    assert unknown(wrapped, ["zzzqq", "kill zzzqq", "kill xyzzy"]) == Unknown(("zzzqq",), ("xyzzy",))
