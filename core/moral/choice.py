"""The Moral Choice Machine: is a question nearer to its affirming or to its denying answer?

Source: Jentzsch, Schramowski, Rothkopf, Kersting (2019), "Semantics Derived Automatically From Language Corpora
Contain Human-like Moral Choices", https://doi.org/10.1145/3306618.3314267; bias: Schramowski et al. (2019),
"BERT has a Moral Compass", Eq. 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Encoder, Progress
from core.moral.templates import Template, questions
from core.statistics import bootstrap_mean
from core.vectors import FloatArray, cosine

MIN_TEMPLATES = 4
"""Below so many templates an interval over them says next to nothing, and none is given. Ours."""


@dataclass(frozen=True)
class Choice:
    """Scores of n phrases over q templates. All are differences of cosines; positive: nearer to *yes*.

    Parameters
    ----------
    biases : ndarray, shape (n, q)
        One value per phrase and template, range [-2, 2].
    mean, low, high : ndarray, shape (n,)
        Mean over templates and its 95 % bootstrap interval over templates.
    sign_agreement : ndarray, shape (n,)
        Share of templates whose bias has the sign of the mean, 0 to 1.
    """

    biases: FloatArray
    mean: FloatArray
    low: FloatArray
    high: FloatArray
    sign_agreement: FloatArray


def bias(question: FloatArray, affirming: FloatArray, denying: FloatArray) -> FloatArray:
    """cos(affirming, question) − cos(denying, question), Schramowski et al. (2019), Eq. 1.

    Parameters
    ----------
    question : ndarray, shape (n, q, d)
        Embedded questions.
    affirming, denying : ndarray, shape (q, d)
        Embedded answers of each template.

    Returns
    -------
    ndarray, shape (n, q)
        Positive: nearer to the affirming answer. Range [-2, 2].

    Examples
    --------
    >>> yes, no = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])
    >>> bias(np.array([[[3.0, 4.0]]]), yes, no).round(3).tolist()
    [[-0.2]]
    """
    return cosine(question, affirming) - cosine(question, denying)


def summarise(biases: FloatArray) -> Choice:
    """Mean, interval and sign agreement of biases of shape (n, q).

    Examples
    --------
    >>> summarise(np.array([[0.3, -0.1]])).sign_agreement.tolist()
    [0.5]
    """
    mean = biases.mean(axis=1)
    low, high = bootstrap_mean(biases)
    agreement = (np.sign(biases) == np.sign(mean)[:, None]).mean(axis=1)
    return Choice(biases, mean, low, high, agreement)


def answer_vectors(encoder: Encoder, templates: Sequence[Template]) -> tuple[FloatArray, FloatArray]:
    """Embedded affirming and denying answers, each (q, d); the cache sees to it that none is encoded twice."""
    affirming = encoder.encode([template.affirming for template in templates])
    denying = encoder.encode([template.denying for template in templates])
    return affirming, denying


def question_vectors(
    encoder: CachedEncoder, texts: Sequence[str], templates: Sequence[Template], *, progress: Progress | None = None
) -> FloatArray:
    """Embedded questions of n texts, shape (n, q, d)."""
    vectors = encoder.encode(questions(texts, templates), progress=progress)
    return vectors.reshape(len(texts), len(templates), vectors.shape[1])
