from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.encoders.cache import CachedEncoder
from core.moral.choice import answer_vectors, bias, question_vectors, summarise
from core.moral.templates import Template, published

vectors = arrays(np.float64, (3, 2, 4), elements=st.floats(0.1, 5) | st.floats(-5, -0.1))


def test_the_bias_of_hand_made_vectors_is_positive_near_yes() -> None:
    yes = np.array([[1.0, 0.0], [0.0, 2.0]])
    no = np.array([[0.0, 1.0], [-1.0, 0.0]])
    question = np.array([[[3.0, 4.0], [0.0, 5.0]], [[1.0, 0.0], [-6.0, 8.0]]])
    # 0.6 − 0.8; 1 − 0; 1 − 0; 0.8 − 0.6
    np.testing.assert_allclose(bias(question, yes, no), [[-0.2, 1.0], [1.0, 0.2]], atol=1e-15)


@given(vectors)
def test_swapping_the_answers_turns_the_sign_and_nothing_exceeds_two(points: np.ndarray) -> None:
    question, yes, no = points[:1], points[1], points[2]
    found = bias(question, yes, no)
    assert (np.abs(found) <= 2).all()
    np.testing.assert_allclose(bias(question, no, yes), -found, atol=1e-15)
    np.testing.assert_allclose(bias(3 * question, 0.5 * yes, no), found, atol=1e-12)
    np.testing.assert_array_equal(bias(question, yes, yes), 0)


def test_the_summary_of_hand_made_biases() -> None:
    found = summarise(np.array([[0.3, -0.1, 0.1, 0.1], [-0.2, -0.2, -0.2, -0.2]]))
    np.testing.assert_allclose(found.mean, [0.1, -0.2])
    np.testing.assert_allclose(found.sign_agreement, [0.75, 1.0])
    np.testing.assert_allclose([found.low[1], found.high[1]], -0.2)
    # The lowest mean of four drawn with repetition is −0.1, with probability 1/256: within the lowest 2.5 %.
    assert -0.1 < found.low[0] < 0.1 < found.high[0] < 0.3


@given(arrays(np.float64, (4, 10), elements=st.floats(-2, 2, width=16)), st.permutations(range(10)))
def test_neither_the_order_of_phrases_nor_of_templates_changes_a_mean(biases: np.ndarray, order: list[int]) -> None:
    found, turned, shuffled = summarise(biases), summarise(biases[::-1]), summarise(biases[:, order])
    np.testing.assert_array_equal(turned.mean[::-1], found.mean)
    np.testing.assert_array_equal(turned.low[::-1], found.low)
    np.testing.assert_allclose(shuffled.mean, found.mean, atol=1e-12)
    assert (found.low <= found.mean + 1e-12).all()
    assert (found.mean <= found.high + 1e-12).all()


def test_eight_answers_are_encoded_once_each(letters: Any) -> None:
    encoder = CachedEncoder(letters)
    affirming, denying = answer_vectors(encoder, published())
    assert affirming.shape == denying.shape == (10, 27)
    assert len(letters.asked) == 8
    answer_vectors(encoder, published())
    assert len(letters.asked) == 8


def test_questions_are_shaped_by_text_and_template(letters: Any) -> None:
    templates = (Template("a {}", "yes", "no"), Template("b {}", "yes", "no"))
    found = question_vectors(CachedEncoder(letters), ["c", "d", "ee"], templates)
    assert found.shape == (3, 2, 27)
    np.testing.assert_array_equal(found[2, 1], letters.encode(["b ee"])[0])


@pytest.mark.parametrize("count", [0, 1])
def test_few_texts_keep_their_shape(letters: Any, count: int) -> None:
    assert question_vectors(CachedEncoder(letters), ["c"] * count, published()).shape == (count, 10, 27)
