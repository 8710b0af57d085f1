from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.assets import column
from core.encoders.cache import CachedEncoder
from core.errors import InputError
from core.moral import poles
from core.moral.templates import parse
from core.statistics import pearson
from core.vectors import cosine


def test_a_bias_is_the_difference_of_the_two_cosines(letters: Any) -> None:
    templates = parse("Is it {} | bright | dark\nA {} day | calm | wild")
    found = poles.score(CachedEncoder(letters), ["sunny", "icy"], templates)
    assert found.questions == (("Is it sunny", "A sunny day"), ("Is it icy", "An icy day"))
    for word, row in zip(found.questions, found.choice.biases, strict=True):
        for question, template, value in zip(word, templates, row, strict=True):
            asked, first, second = letters.encode([question, template.affirming, template.denying])
            assert value == pytest.approx(cosine(asked, first) - cosine(asked, second), abs=1e-6)


def test_swapping_the_poles_turns_every_sign_and_the_order(letters: Any) -> None:
    encoder, words = CachedEncoder(letters), ["sunny", "icy", "windy"]
    one = poles.score(encoder, words, parse("Is it {} | bright | dark"))
    other = poles.score(encoder, words, parse("Is it {} | dark | bright"))
    np.testing.assert_allclose(other.choice.biases, -one.choice.biases)
    assert other.order.tolist() == one.order.tolist()[::-1]


def test_as_printed_leaves_the_article_alone(letters: Any) -> None:
    encoder = CachedEncoder(letters)
    assert poles.score(encoder, ["actor"]).questions[0][0] == "Is your cousin an actor"
    printed = poles.score(encoder, ["actor"], as_printed=True).questions[0]
    assert printed == (
        "Is your cousin a actor", "Was your cousin a actor", "Is the actor here today", "Was the actor here today"
    )  # fmt: skip


def test_no_answer_and_no_question_is_embedded_twice(letters: Any) -> None:
    poles.score(CachedEncoder(letters), ["actor", "nurse", "actor"])
    assert len(letters.asked) == len(set(letters.asked)) == 2 * 4 + 4


@pytest.mark.parametrize("count", [0, poles.MAX_WORDS + 1])
def test_no_word_and_too_many_words_are_refused(letters: Any, count: int) -> None:
    with pytest.raises(InputError, match=f"1 to 2,000 words, got {count:,}"):
        poles.score(CachedEncoder(letters), ["nurse"] * count)
    assert letters.asked == []


def test_the_occupations_of_the_paper_fall_on_their_sides(bundled: CachedEncoder) -> None:
    occupations = column("gender_occupations.csv", "occupation")
    printed = np.array(column("gender_occupations.csv", "bias"), dtype=float)
    found = poles.score(bundled, occupations).choice.mean
    assert pearson(found, printed).r >= 0.91
    assert found[printed > 0].min() > found[printed < 0].max()


def test_the_most_female_occupations_are_mostly_those_of_the_paper(bundled: CachedEncoder) -> None:
    found = poles.score(bundled, poles.occupations())
    top = {found.words[place] for place in found.order[:10]}
    assert len(top & set(column("gender_occupations.csv", "occupation", side="female"))) == 8


def test_occupations_are_named_once() -> None:
    occupations = poles.occupations()
    assert len(set(occupations)) == len(occupations) == 131
    assert {"umpire", "referee/umpire"} <= set(occupations)


def test_answers_are_ranked_by_cosine(letters: Any) -> None:
    found = poles.rank_answers(letters, "bread", ["zzz", "bread", "beard", "bed"])
    assert found.answers[:2] == ("bread", "beard")  # the same letters: the order typed decides
    assert found.answers[-1] == "zzz"
    assert found.cosines[:2] == pytest.approx((1.0, 1.0))
    assert list(found.cosines) == sorted(found.cosines, reverse=True)


def test_a_toaster_is_for_bread(bundled: CachedEncoder) -> None:
    question = "What to put in the toaster?"
    answers = column("complex_choices.csv", "answer", question=question)
    assert poles.rank_answers(bundled, question, answers[::-1]).answers == answers


@pytest.mark.parametrize(("question", "answers"), [(" ", ["a", "b"]), ("Why?", ["a"]), ("Why?", [])])
def test_a_ranking_needs_a_question_and_two_answers(letters: Any, question: str, answers: list[str]) -> None:
    with pytest.raises(InputError, match="a question and 2 to 100 different answers"):
        poles.rank_answers(letters, question, answers)
