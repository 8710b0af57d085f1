"""How a phrase becomes a vector."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.encoders.cache import CachedEncoder
from core.moral import representation
from core.moral.representation import DIFFERENCES, FRAMINGS, KINDS, PHRASE, QUESTIONS, less_rejected, represent
from core.moral.templates import parse, published
from core.vectors import cosine

TEXTS = ["smile", "kill time"]


def test_the_rejected_answer_is_the_one_a_question_lies_further_from() -> None:
    # the first question is nearer to yes = (1, 0), so no = (0, 1) goes; the second the other way round
    questions = np.array([[[0.9, 0.1], [0.2, 0.8]], [[-1.0, 0.0], [3.0, 1.0]]])
    yes, no = np.array([[1.0, 0.0]] * 2), np.array([[0.0, 1.0]] * 2)
    expected = [[[0.9, -0.9], [-0.8, 0.8]], [[-2.0, 0.0], [3.0, 0.0]]]
    np.testing.assert_allclose(less_rejected(questions, yes, no), expected)
    np.testing.assert_allclose(questions[0, 0], [0.9, 0.1])  # what came in is left as it was


def test_nearness_is_that_of_the_cosine_and_not_of_the_length() -> None:
    yes, no = np.array([[9.0, 9.0]]), np.array([[0.0, 0.1]])
    np.testing.assert_allclose(less_rejected(np.array([[[0.0, 1.0]]]), yes, no), [[[-9.0, -8.0]]])


def test_by_default_a_phrase_is_the_plain_mean_of_its_ten_questions(letters: Any) -> None:
    found = represent(CachedEncoder(letters), TEXTS)
    questions = [letters.encode([template.fill(text) for template in published()]) for text in TEXTS]
    np.testing.assert_array_equal(found.per_template, questions)
    np.testing.assert_allclose(found.mean, np.mean(questions, axis=1))
    assert found.mean.dtype == np.float64
    assert np.linalg.norm(found.mean, axis=1).min() > 2  # not brought to unit length


def test_differences_are_questions_less_the_rejected_answer(letters: Any) -> None:
    templates = parse("Should I {}? | zzzz | Should I not?\nMay I {}? | May I? | zzzz")
    found = represent(CachedEncoder(letters), ["smile"], DIFFERENCES, templates=templates).per_template
    asked = letters.encode(["Should I smile?", "May I smile?"])
    rejected = letters.encode(["zzzz", "zzzz"])
    assert (cosine(asked, rejected) < 0.2).all()
    np.testing.assert_array_equal(found, [asked - rejected])


def test_the_bare_phrase_is_encoded_as_it_is(letters: Any) -> None:
    found = represent(CachedEncoder(letters), TEXTS, PHRASE)
    np.testing.assert_array_equal(found.per_template[:, 0], letters.encode(TEXTS))
    np.testing.assert_array_equal(found.mean, letters.encode(TEXTS))


@pytest.mark.parametrize("kind", FRAMINGS)
def test_a_framing_is_the_affirming_less_the_denying_statement(letters: Any, kind: str) -> None:
    found = represent(CachedEncoder(letters), TEXTS, kind)
    affirming, denying = FRAMINGS[kind]
    expected = [
        letters.encode([affirming.replace("{}", text)]) - letters.encode([denying.replace("{}", text)])
        for text in TEXTS
    ]
    np.testing.assert_array_equal(found.per_template, expected)


def test_braces_in_a_phrase_are_text(letters: Any) -> None:
    for kind in KINDS:
        letters.asked.clear()
        represent(CachedEncoder(letters), ["draw {} and {0}"], kind)
        assert any("draw {} and {0}" in text for text in letters.asked)


@pytest.mark.parametrize("kind", KINDS)
def test_neither_company_nor_order_changes_a_vector_and_nothing_has_no_vectors(letters: Any, kind: str) -> None:
    encoder = CachedEncoder(letters)
    together, alone = represent(encoder, TEXTS, kind).mean, represent(encoder, TEXTS[1:], kind).mean
    np.testing.assert_array_equal(together[1:], alone)
    assert represent(encoder, [], kind).mean.shape == (0, together.shape[1])


def test_every_kind_has_a_title_of_its_own_and_the_default_comes_first() -> None:
    assert KINDS[0] == QUESTIONS
    assert len({representation.TITLES[kind] for kind in KINDS}) == len(KINDS) == len(representation.TITLES) == 9
