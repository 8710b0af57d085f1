"""Checked arrays of embeddings and the cosine between them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import EncoderError

FloatArray = NDArray[Any]
"""An array of real numbers; embeddings are float32, scores float64, ranks integers."""


def check(vectors: FloatArray, *, count: int, what: str = "embeddings") -> FloatArray:
    """Return `vectors` if it is a finite (count, d) array without a zero row, else say what is wrong.

    Raises
    ------
    EncoderError
        Another shape, a value that is not finite, or a row of length zero.

    Examples
    --------
    >>> check(np.eye(2), count=2).shape
    (2, 2)
    """
    if vectors.ndim != 2 or vectors.shape[0] != count:
        raise _bad(f"{count} {what} as rows of one matrix", f"an array of shape {vectors.shape}")
    if not np.isfinite(vectors).all():
        raise _bad(f"finite {what}", "a value that is not a number or infinite")
    if not np.einsum("ij,ij->i", vectors, vectors).all():
        raise _bad(f"{what} with a direction", "a vector of zeros, for which no cosine exists")
    return vectors


def unit(vectors: FloatArray) -> FloatArray:
    """Divide along the last axis by the Euclidean length, in float64.

    Examples
    --------
    >>> unit(np.array([[3.0, 4.0]])).tolist()
    [[0.6, 0.8]]
    """
    wide = np.asarray(vectors, dtype=np.float64)
    scaled: FloatArray = wide / np.linalg.norm(wide, axis=-1, keepdims=True)
    return scaled


def cosine(a: FloatArray, b: FloatArray) -> FloatArray:
    """Cosine along the last axis of two arrays that broadcast against each other; range [-1, 1].

    Examples
    --------
    >>> cosine(np.array([1.0, 0.0]), np.array([[0.0, 2.0], [-3.0, 0.0]])).tolist()
    [0.0, -1.0]
    """
    product: FloatArray = np.einsum("...d,...d->...", unit(a), unit(b))
    return product.clip(-1.0, 1.0)


def _bad(expected: str, got: str) -> EncoderError:
    return EncoderError(expected=expected, got=got, remedy="use another encoder, or check its files")
