"""What every answerer offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.interventions.stories import Span
from core.vectors import FloatArray


class Answerer(Protocol):
    """Says how strongly it takes either of two subjects for the answer. Thread-safe: one serves every session."""

    @property
    def name(self) -> str:
        """Short name, as on the command line."""

    @property
    def identity(self) -> str:
        """What pins its numbers: model, revision or path, and how a score is made."""

    def answer(
        self, contexts: Sequence[str], questions: Sequence[str], spans: Sequence[tuple[Span, Span]]
    ) -> FloatArray:
        """Score both subjects of n questions.

        Parameters
        ----------
        contexts, questions : sequence of str
            n of each.
        spans : sequence of pairs of (int, int)
            Where subjects 1 and 2 stand in the context, in characters.

        Returns
        -------
        ndarray, shape (n, 2)
            S of subjects 1 and 2, float64 in [0, 1].
        """
