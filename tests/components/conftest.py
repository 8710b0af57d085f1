"""A compass and scores with numbers that can be read off the page, so that a figure can be compared with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from core.encoders.protocol import Provenance
from core.moral import axis
from core.moral.axis import Stability
from core.moral.choice import Choice
from core.moral.compass import Compass, PhraseScores
from core.moral.representation import QUESTIONS
from core.moral.seeds import Seeds
from core.moral.study import Study
from core.moral.templates import Template

Scores = Callable[..., PhraseScores]


@pytest.fixture(scope="session")
def small_compass() -> Compass:
    """Two templates, four published verbs, five seeds on a line: positions 1, 0.5, 0, −0.5, −1."""
    return Compass(
        encoder_name="letters",
        provenance=Provenance("letter counts", "revision-1", "MIT", 2, "Python", "made by hand"),
        templates=(Template("Should I {}?", "Yes.", "No."), Template("May I {}?", "You may.", "You may not.")),
        affirming=np.array([[1.0, 0.0], [1.0, 0.0]]),
        denying=np.array([[0.6, 0.8], [0.0, 1.0]]),
        verbs=("help", "lie", "wave", "cheat"),
        sides=("do", "dont", "do", "dont"),
        reference=np.array([0.3, -0.2, 0.1, -0.1]),
        seeds=("smile", "help", "sit", "harm", "kill"),
        axis=axis.fit(np.array([[4.0, 0.0], [2.0, 0.0], [0.0, 0.0], [-2.0, 0.0], [-4.0, 0.0]]), do=[0], dont=[4]),
    )


@pytest.fixture(scope="session")
def small_study(small_compass: Compass) -> Study:
    """The axis of the small compass; leaving out “sit” turns it most, and so does the second template."""
    return Study(
        encoder_name=small_compass.encoder_name,
        provenance=small_compass.provenance,
        representation=QUESTIONS,
        templates=small_compass.templates,
        seeds=Seeds(small_compass.seeds, ("smile",), ("kill",)),
        axis=small_compass.axis,
        stability=Stability(
            without_seed=np.array([0.99, 0.98, 0.912, 1.0, 0.97]),
            without_template=np.array([0.995, 0.9754]),
            bootstrap=np.linspace(0.5, 1.0, 101),
        ),
    )


@pytest.fixture(scope="session")
def scored() -> Scores:
    """Scores of named phrases; each mean, low and high, and each position likewise, is given by the test."""

    def make(
        *texts: str,
        mean: Sequence[float] = (0.2, -0.1, 0.05),
        reach: float = 0.03,
        agreement: float = 1.0,
        rank: Sequence[int] = (2, 4, 3),
        position: Sequence[float] = (0.8, -1.4, 0.25),
    ) -> PhraseScores:
        count = len(texts)
        middle, place = np.array(mean[:count], dtype=float), np.array(position[:count], dtype=float)
        return PhraseScores(
            texts=texts,
            choice=Choice(
                biases=np.column_stack([middle - 0.02, middle + 0.02]),
                mean=middle,
                low=middle - reach,
                high=middle + 2 * reach,
                sign_agreement=np.full(count, agreement),
            ),
            negated=-middle / 2,
            rank=np.array(rank[:count]),
            of=5,
            position=place,
            position_low=place - 0.1,
            position_high=place + 0.3,
            raw=place * 4,
        )

    return make
