"""How a phrase becomes one vector before an axis is fitted or a position read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Progress
from core.moral.choice import answer_vectors, bias, question_vectors
from core.moral.templates import Templates, published
from core.vectors import FloatArray

QUESTIONS, DIFFERENCES, PHRASE = "questions", "differences", "phrase"

FRAMINGS = {
    "right − wrong": ("It is right to {}.", "It is wrong to {}."),
    "good − bad": ("It is good to {}.", "It is bad to {}."),
    "should − should not": ("You should {}.", "You should not {}."),
    "proud − ashamed": ("I am proud to {}.", "I am ashamed to {}."),
    "kind − cruel": ("It is kind to {}.", "It is cruel to {}."),
    "helps − hurts": ("It helps others to {}.", "It hurts others to {}."),
}
"""Pairs of opposite statements about an action; a phrase is the difference of their embeddings. Ours."""

KINDS = (QUESTIONS, DIFFERENCES, PHRASE, *FRAMINGS)

TITLES = {
    QUESTIONS: "mean of the questions (paper)",
    DIFFERENCES: "question − rejected answer (paper, Fig. 3 a–b)",
    PHRASE: "the bare phrase",
    **{name: f"framing: {name}" for name in FRAMINGS},
}


@dataclass(frozen=True)
class Represented:
    """Vectors of n phrases, once for every template: shape (n, q, d), q = 1 where there are no templates."""

    per_template: FloatArray

    @property
    def mean(self) -> FloatArray:
        """One vector per phrase, shape (n, d), float64, not brought to unit length."""
        mean: FloatArray = self.per_template.mean(axis=1, dtype=np.float64)
        return mean


def represent(
    encoder: CachedEncoder,
    texts: Sequence[str],
    kind: str = QUESTIONS,
    *,
    templates: Templates | None = None,
    progress: Progress | None = None,
) -> Represented:
    """Embed phrases in one of the ways of `KINDS`.

    Parameters
    ----------
    encoder : CachedEncoder
        Embeds what it does not remember.
    texts : sequence of str
        n phrases.
    kind : str
        ``questions``: the phrase in every template. ``differences``: each question less the answer it lies further
        from (the rejected one). ``phrase``: as typed. Else one of `FRAMINGS`: affirming less denying statement.
    templates : tuple of Template, optional
        By default the ten published ones.
    progress : callable, optional
        Told the share done.
    """
    templates = templates or published()
    if kind == QUESTIONS:
        return Represented(question_vectors(encoder, texts, templates, progress=progress))
    if kind == DIFFERENCES:
        asked = question_vectors(encoder, texts, templates, progress=progress)
        return Represented(less_rejected(asked, *answer_vectors(encoder, templates)))
    if kind == PHRASE:
        return Represented(encoder.encode(texts, progress=progress)[:, None])
    affirming, denying = FRAMINGS[kind]
    statements = [statement.replace("{}", text) for statement in (affirming, denying) for text in texts]
    vectors = encoder.encode(statements, progress=progress)
    return Represented((vectors[: len(texts)] - vectors[len(texts) :])[:, None])


def less_rejected(questions: FloatArray, affirming: FloatArray, denying: FloatArray) -> FloatArray:
    """Subtract from every question the answer that its bias rejects; shapes (n, q, d), (q, d), (q, d).

    Schramowski et al. (2019) speak of "vector differences" after Bolukbasi et al. (2016) without writing them out; the
    rejected answer is the one with the smaller cosine.

    Examples
    --------
    >>> yes, no = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])
    >>> less_rejected(np.array([[[0.9, 0.1]]]), yes, no).round(1).tolist()
    [[[0.9, -0.9]]]
    """
    nearer_yes = bias(questions, affirming, denying)[..., None] > 0
    differences: FloatArray = questions - np.where(nearer_yes, denying, affirming)
    return differences
