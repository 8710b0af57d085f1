"""The scores stored in a released file: RoBERTa-large fine-tuned on SQuAD, without running it.

Source: Zhao et al. (2021), https://arxiv.org/abs/2106.01465, section 3: √(p_start · p_end) of each subject.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.errors import ModelError
from core.interventions.released import Released, Scores
from core.interventions.stories import Span
from core.vectors import FloatArray


class PublishedAnswerer:
    """Looks scores up by context, question and span.

    Parameters
    ----------
    released : Released
        A file that stores scores.

    Raises
    ------
    ModelError
        It stores none.
    """

    name = "published"
    identity = "RoBERTa-large fine-tuned on SQuAD, scores stored by Zhao et al. (2021)"

    def __init__(self, released: Released) -> None:
        self._scores: Scores = released.scores
        if not self._scores:
            raise ModelError(
                expected="a file with the scores of its questions (start-end-score)",
                got="one without any",
                remedy="choose another answerer",
            )

    def answer(
        self, contexts: Sequence[str], questions: Sequence[str], spans: Sequence[tuple[Span, Span]]
    ) -> FloatArray:
        """Score both subjects of each question; nan where the file stores no score. See `Answerer`."""
        missing: dict[Span, float] = {}
        rows = [
            [self._scores.get((context, question), missing).get(span, np.nan) for span in both]
            for context, question, both in zip(contexts, questions, spans, strict=True)
        ]
        return np.array(rows, dtype=np.float64).reshape(len(contexts), 2)
