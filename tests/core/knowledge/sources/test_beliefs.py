"""What an encoder places near each target."""

from __future__ import annotations

import numpy as np
import pytest

from core.encoders.cache import CachedEncoder
from core.knowledge.sources.beliefs import CANDIDATES, WORDS, candidates, rank, read
from core.knowledge.targets import Targets, published
from core.vectors import cosine

SOME = Targets(("teacher", "poet"), ("profession", "profession"))


@pytest.mark.parametrize("relation", WORDS)
def test_candidates_are_as_many_as_stated_each_once(relation: str) -> None:
    assert len(set(candidates(relation))) == CANDIDATES


def test_candidates_are_traits_and_deeds_and_no_target() -> None:
    assert {"teach", "lie", "help"} <= set(candidates("CapableOf"))
    assert {"honest", "kind", "poor", "violent"} <= set(candidates("HasProperty"))
    assert not {"people", "class", "can", "very", "over"} & {*candidates("CapableOf"), *candidates("HasProperty")}


def test_the_nearest_completions_are_those_of_ranking_all_pairs_one_by_one(letters: CachedEncoder) -> None:
    encoder = CachedEncoder(letters)
    (found,) = rank(encoder, SOME, ["CapableOf"], k=5)
    for code, name in enumerate(SOME.names):
        opening = letters.encode([f"{name} can"])
        scores = cosine(opening, letters.encode([f"can {verb}" for verb in candidates("CapableOf")]))
        best = np.sort(scores)[::-1][:5]
        np.testing.assert_allclose(scores[found.nearest[code]], best, atol=1e-12)


def test_every_distinct_text_is_encoded_once(letters: CachedEncoder) -> None:
    read(CachedEncoder(letters), targets=SOME, k=3)
    asked = letters.asked
    assert len(asked) == len(set(asked)) == 2 * (len(SOME) + CANDIDATES)


def test_the_statements_are_the_k_nearest_of_each_target_and_relation(letters: CachedEncoder) -> None:
    found = read(CachedEncoder(letters), targets=SOME, k=3)
    frame = found.statements.frame
    assert frame.groupby(["target", "relation"], observed=True).size().tolist() == [3, 3, 3, 3]
    assert frame["statement"].str.match(r"(teacher|poet) (can|is) \w+$").all()
    assert frame["masked"].str.startswith("this person ").all()
    assert found.name == "encoder:letters"


def test_a_real_encoder_finds_that_teachers_teach(static: CachedEncoder) -> None:
    found = read(static, targets=published().only(["teacher"]), wanted=["CapableOf"], k=10)
    assert "teacher can teach" in set(found.statements.frame["statement"])
