from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.errors import EncoderError
from core.vectors import check, cosine, unit

coordinates = st.floats(-1e3, 1e3, width=32).map(lambda x: x if abs(x) > 1e-3 else 1.0)
pairs = arrays(np.float32, (2, 5), elements=coordinates)


def test_the_cosine_of_hand_made_vectors() -> None:
    # 3-4-5 triangles: (3·4 + 4·3) / 25
    assert cosine(np.array([3.0, 4.0]), np.array([4.0, 3.0])) == pytest.approx(0.96, abs=1e-15)


def test_the_cosine_broadcasts_over_leading_axes() -> None:
    questions = np.array([[[1.0, 0.0], [0.0, 1.0]], [[1.0, 1.0], [-1.0, 0.0]]])
    answers = np.array([[1.0, 0.0], [0.0, -2.0]])
    np.testing.assert_allclose(cosine(questions, answers), [[1.0, -1.0], [np.sqrt(0.5), 0.0]], atol=1e-15)


@given(pairs, st.floats(0.01, 100))
def test_a_cosine_is_symmetric_bounded_and_knows_no_length(rows: np.ndarray, factor: float) -> None:
    a, b = rows
    assert -1 <= cosine(a, b) <= 1
    assert cosine(a, b) == pytest.approx(cosine(b, a), abs=1e-12)
    assert cosine(a * factor, b) == pytest.approx(float(cosine(a, b)), abs=1e-5)
    assert cosine(a, -b) == pytest.approx(-float(cosine(a, b)), abs=1e-12)


@given(pairs)
def test_unit_vectors_have_length_one_in_double_precision(rows: np.ndarray) -> None:
    assert unit(rows).dtype == np.float64
    np.testing.assert_allclose(np.linalg.norm(unit(rows), axis=1), 1, atol=1e-12)


@pytest.mark.parametrize(
    ("vectors", "said"),
    [
        (np.ones(3), r"shape \(3,\)"),
        (np.ones((2, 3)), r"3 embeddings.*shape \(2, 3\)"),
        (np.array([[1.0], [np.nan], [1.0]]), "not a number"),
        (np.array([[1.0], [np.inf], [1.0]]), "infinite"),
        (np.array([[1.0], [0.0], [1.0]]), "vector of zeros"),
    ],
)
def test_unusable_embeddings_are_refused_with_a_remedy(vectors: np.ndarray, said: str) -> None:
    with pytest.raises(EncoderError, match=said + r".*Remedy: "):
        check(vectors, count=3)
