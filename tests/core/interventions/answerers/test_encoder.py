"""An encoder as an answerer: statements, and a softmax over two cosines."""

from __future__ import annotations

import numpy as np
import pytest

from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Encoder
from core.errors import InputError
from core.interventions.answerers.encoder import TEMPERATURE, EncoderAnswerer, statement
from core.vectors import cosine

SPANS = ((0, 3), (8, 11))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Who paid?", "Ann paid."),
        ("Which place has people who paid?", "Ann has people who paid."),
        ("Note that, who is who matters. Who paid?", "Note that, who is who matters. Ann paid."),
        ("Note that, be fair. who can never be a pilot? ", "Note that, be fair. Ann can never be a pilot."),
    ],
)
def test_the_last_sentence_that_asks_becomes_a_statement(question: str, said: str) -> None:
    assert statement(question, "Ann") == said


def test_a_question_that_asks_for_nobody_is_an_error() -> None:
    with pytest.raises(InputError, match="begins with “Who” or “Which …”"):
        statement("What did the man who paid do?", "Ann")


def test_a_score_is_the_softmax_of_the_two_cosines(letters: Encoder) -> None:
    (found,) = EncoderAnswerer(letters).answer(["Ann met Bob."], ["Who paid?"], [SPANS])
    vectors = letters.encode(["Ann met Bob.", "Ann paid.", "Bob paid."])
    wanted = np.exp(cosine(vectors[1:], vectors[0]) / TEMPERATURE)
    np.testing.assert_allclose(found, wanted / wanted.sum())


def test_nothing_asked_is_nothing_answered(letters: Encoder) -> None:
    assert EncoderAnswerer(letters).answer([], [], []).shape == (0, 2)


def test_the_bundled_encoder_finds_whom_the_context_is_about(bundled: CachedEncoder) -> None:
    context = "Ann met Bob. Ann loves planes and flies one every day."
    (found,) = EncoderAnswerer(bundled).answer([context], ["Who is a pilot?"], [SPANS])
    assert found[0] > 0.5
    assert found.sum() == pytest.approx(1)
