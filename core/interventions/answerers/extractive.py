"""Extractive question answering models: where in the context does the answer begin and end?"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.encoders.batches import plan
from core.errors import ModelError
from core.interventions.stories import Span
from core.models import OpenedModel, too_long
from core.vectors import FloatArray

ROWS = 32
"""Most rows of one batch, as for encoders."""


class ExtractiveAnswerer:
    """S(x) = √(p_start · p_end) of the subject's span, Li et al. (2020), https://arxiv.org/abs/2010.02428, section 4.2.

    p is the softmax over the tokens of the context and the classification token (where models put "no answer"), as the
    question-answering pipeline of transformers had it (removed in version 5.3). Inputs of like length share a batch,
    padded to its longest. Thread-safe.

    Parameters
    ----------
    opened : OpenedModel
        From `open_model`, for question answering.
    """

    def __init__(self, opened: OpenedModel) -> None:
        self._opened = opened
        self._lock = Lock()
        self.name = f"qa:{opened.source}"
        self.identity = f"{opened.source}, √(p_start · p_end)"

    def answer(
        self, contexts: Sequence[str], questions: Sequence[str], spans: Sequence[tuple[Span, Span]]
    ) -> FloatArray:
        """Score both subjects of each question; see `Answerer`.

        Raises
        ------
        ModelError
            An input longer than the model reads.
        """
        import torch

        if not contexts:
            return np.empty((0, 2))
        with self._lock:
            prepared = prepare(self._opened, contexts, questions, spans)
            scores = np.empty((len(contexts), 2))
            with torch.inference_mode():
                for batch in plan(prepared.lengths, rows=ROWS, lanes=1):
                    scores[batch] = log_scores(self._opened, prepared, batch).exp().cpu().numpy()
        return scores


class Prepared:
    """Tokens of n inputs; which of them an answer may begin at; first and last token of either subject, (n, 2, 2)."""

    def __init__(self, encoded: Any, masks: list[NDArray[np.bool_]], tokens: NDArray[np.intp]) -> None:
        self.encoded, self.masks, self.tokens = encoded, masks, tokens
        self.lengths = [len(mask) for mask in masks]


def prepare(
    opened: OpenedModel, contexts: Sequence[str], questions: Sequence[str], spans: Sequence[tuple[Span, Span]]
) -> Prepared:
    """Cut n inputs into tokens and find both subjects among them.

    Raises
    ------
    ModelError
        An input longer than the model reads, or a subject that its tokenizer drops.
    """
    tokenizer = opened.tokenizer
    right = tokenizer.padding_side == "right"
    encoded = tokenizer(*((list(questions), list(contexts)) if right else (list(contexts), list(questions))))
    of_context = int(right)
    masks, tokens = [], np.empty((len(contexts), 2, 2), dtype=np.intp)
    for row, (encoding, both) in enumerate(zip(encoded.encodings, spans, strict=True)):
        if len(encoding.ids) > opened.limit:
            raise too_long(len(encoding.ids), opened.limit)
        part = np.array([-1 if item is None else item for item in encoding.sequence_ids])
        masks.append((part == of_context) | (np.array(encoding.ids) == tokenizer.cls_token_id))
        for subject, (start, end) in enumerate(both):
            first, last = encoding.char_to_token(start, of_context), encoding.char_to_token(end - 1, of_context)
            if first is None or last is None:
                raise ModelError(
                    expected="subjects that the model's tokenizer reads",
                    got=contexts[row][start:end][:80],
                    remedy="write the subject in other characters, or choose another model",
                )
            tokens[row, subject] = first, last
    return Prepared(encoded, masks, tokens)


def log_scores(opened: OpenedModel, prepared: Prepared, batch: NDArray[np.intp]) -> Any:
    """Log S of either subject of some inputs, as a tensor of shape (rows, 2) that a loss can go back through."""
    import torch

    inputs = opened.tokenizer.pad(
        {name: [prepared.encoded[name][row] for row in batch] for name in prepared.encoded}, return_tensors="pt"
    )
    length = inputs["input_ids"].shape[1]
    left = opened.tokenizer.padding_side == "left"
    allowed = np.zeros((len(batch), length), dtype=bool)
    shift = np.zeros(len(batch), dtype=np.intp)
    for row, place in enumerate(batch):
        own = prepared.lengths[place]
        shift[row] = length - own if left else 0
        allowed[row, shift[row] : shift[row] + own] = prepared.masks[place]
    output = opened.model(**inputs.to(opened.device))
    tokens = torch.from_numpy(prepared.tokens[batch] + shift[:, None, None]).to(opened.device)
    barred = ~torch.from_numpy(allowed).to(opened.device)
    start, end = (
        torch.log_softmax(logits.double().masked_fill(barred, -torch.inf), dim=1)
        for logits in (output.start_logits, output.end_logits)
    )
    return (start.gather(1, tokens[:, :, 0]) + end.gather(1, tokens[:, :, 1])) / 2
