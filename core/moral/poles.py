"""Any two poles: the Moral Choice Machine with other questions and other answers than yes and no.

Source: Jentzsch et al. (2019), https://doi.org/10.1145/3306618.3314267, section 3.2 and Table 1 (gender bias of
occupations), section 4 and Table 3 (complex choices).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.articles import agree
from core.assets import column
from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Encoder, Progress
from core.errors import InputError
from core.moral.choice import Choice, answer_vectors, bias, summarise
from core.moral.templates import Templates, published
from core.text import clean
from core.vectors import FloatArray, cosine

MAX_WORDS = 2000
"""Most words of one request. Ours: with ten templates, 20,000 questions."""

MAX_ANSWERS = 100
"""Most answers to a free question. Ours: more than anybody reads down a list."""


@dataclass(frozen=True)
class PoleScores:
    """Where n words stand between the two answers of each template.

    Parameters
    ----------
    words : tuple of str
        In the order asked.
    questions : tuple of tuple of str, shape (n, q)
        What the encoder was asked.
    choice : Choice
        Bias per template, mean, interval and agreement; positive: nearer to the first answer.
    """

    words: tuple[str, ...]
    questions: tuple[tuple[str, ...], ...]
    choice: Choice

    @property
    def order(self) -> FloatArray:
        """Places of the words by decreasing mean bias, shape (n,)."""
        return np.argsort(-self.choice.mean, kind="stable")


@dataclass(frozen=True)
class Ranking:
    """Free answers to a free question, nearest first, with their cosines."""

    question: str
    answers: tuple[str, ...]
    cosines: tuple[float, ...]


def score(
    encoder: CachedEncoder,
    words: Sequence[str],
    templates: Templates | None = None,
    *,
    as_printed: bool = False,
    progress: Progress | None = None,
) -> PoleScores:
    """Place words between two poles.

    Parameters
    ----------
    encoder : CachedEncoder
        Embeds questions and answers.
    words : sequence of str
        n words or phrases.
    templates : tuple of Template, optional
        Questions with the answers of the two poles; by default *she* (positive) and *he*.
    as_printed : bool
        Fill the questions as they stand. Otherwise "a" before the slot becomes "an" where the word asks for it.

    progress : callable, optional
        Told the share done.

    Raises
    ------
    InputError
        No word, or more than `MAX_WORDS`.
    """
    if not 1 <= len(words) <= MAX_WORDS:
        raise InputError(expected=f"1 to {MAX_WORDS:,} words", got=f"{len(words):,}", remedy="split the list")
    templates = templates or published("gender")
    asked = [
        tuple(
            (item if as_printed else replace(item, question=agree(item.question, word))).fill(word)
            for item in templates
        )
        for word in words
    ]
    vectors = encoder.encode([question for row in asked for question in row], progress=progress)
    shaped = vectors.reshape(len(words), len(templates), -1)
    biases = bias(shaped, *answer_vectors(encoder, templates))
    return PoleScores(tuple(words), tuple(asked), summarise(biases))


def rank_answers(encoder: Encoder, question: str, answers: Sequence[str]) -> Ranking:
    """Order free answers by their cosine with a free question, Jentzsch et al. (2019), Table 3.

    Blank and repeated answers are left out.

    Raises
    ------
    InputError
        No question, fewer than two answers or more than `MAX_ANSWERS`, or one that `core.text.clean` refuses.
    """
    asked = " ".join(question.split())
    cleaned = (clean(answer, where=f"answer {number}") for number, answer in enumerate(answers, start=1))
    kept = tuple(dict.fromkeys(filter(None, cleaned)))
    if not asked or not 2 <= len(kept) <= MAX_ANSWERS:
        raise InputError(
            expected=f"a question and 2 to {MAX_ANSWERS} different answers",
            got=f"{len(kept):,} answer(s)" if asked else "no question",
            remedy="add what is missing, or shorten the list",
        )
    vectors = encoder.encode([asked, *kept])
    cosines = cosine(vectors[1:], vectors[0])
    order = np.argsort(-cosines, kind="stable")
    return Ranking(asked, tuple(kept[place] for place in order), tuple(cosines[order].tolist()))


def occupations() -> tuple[str, ...]:
    """Occupations to start with: the 20 of Jentzsch et al. (2019), then the professions of Mehrabi et al. (2021).

    Examples
    --------
    >>> occupations()[0], len(occupations())
    ('maid', 131)
    """
    printed = column("gender_occupations.csv", "occupation")
    return tuple(dict.fromkeys((*printed, *column("targets.csv", "target", category="profession"))))
