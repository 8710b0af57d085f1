"""Models that write text: how likely is either subject as the answer?"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock
from typing import Any

import numpy as np

from core.encoders.batches import plan
from core.interventions.stories import Span
from core.models import OpenedModel, too_long
from core.vectors import FloatArray

ROWS = 16
"""Most rows of one batch. Ours: a vocabulary of logits for every token is held at once."""

SEQUENCE_PROMPT = "question: {question} context: {context}"
"""How T5 was asked SQuAD: Raffel et al. (2020), https://arxiv.org/abs/1910.10683, appendix D.15."""

CAUSAL_PROMPT = "{context}\nQuestion: {question}\nAnswer:"
"""Ours."""


class GenerativeAnswerer:
    """S(x) = softmax over both subjects of the mean log-probability of the tokens of x after the prompt. Thread-safe.

    The mean makes a long name as likely as a short one of equally likely tokens. Of a sequence-to-sequence model the
    end of the answer counts as a token; of a causal one it does not, which may go on.

    Parameters
    ----------
    opened : OpenedModel
        From `open_model`, for text generation.
    """

    def __init__(self, opened: OpenedModel) -> None:
        self._opened = opened
        self._lock = Lock()
        self._sequence = bool(opened.model.config.is_encoder_decoder)
        self.name = f"text:{opened.source}"
        self.identity = f"{opened.source}, softmax of mean log-probabilities of the two answers"

    def answer(
        self, contexts: Sequence[str], questions: Sequence[str], spans: Sequence[tuple[Span, Span]]
    ) -> FloatArray:
        """Score both subjects of each question; see `Answerer`.

        Raises
        ------
        ModelError
            An input longer than the model reads.
        """
        prompt = SEQUENCE_PROMPT if self._sequence else CAUSAL_PROMPT
        asked = [
            prompt.format(question=question, context=context)
            for context, question in zip(contexts, questions, strict=True)
        ]
        answers = [context[start:end] for context, both in zip(contexts, spans, strict=True) for start, end in both]
        with self._lock:
            found = self._likely([text for text in asked for _ in range(2)], answers).reshape(-1, 2)
        first: FloatArray = 1 / (1 + np.exp(found[:, 1] - found[:, 0]))
        return np.stack([first, 1 - first], axis=1)

    def _likely(self, prompts: Sequence[str], answers: Sequence[str]) -> FloatArray:
        """Mean log-probability of each answer after its prompt."""
        tokenizer = self._opened.tokenizer
        before = [tokenizer(text)["input_ids"] for text in prompts]
        if self._sequence:
            after = [tokenizer(text_target=text)["input_ids"] for text in answers]
            lengths = [max(len(one), len(other)) for one, other in zip(before, after, strict=True)]
        else:
            before = [_open_ended(ids, tokenizer) for ids in before]
            after = [tokenizer(f" {text}", add_special_tokens=False)["input_ids"] for text in answers]
            lengths = [len(one) + len(other) for one, other in zip(before, after, strict=True)]
        if lengths and max(lengths) > self._opened.limit:
            raise too_long(max(lengths), self._opened.limit)
        found = np.empty(len(prompts))
        for batch in plan(lengths, rows=ROWS, lanes=1) if lengths else ():
            rows = [(before[place], after[place]) for place in batch]
            found[batch] = self._sequences(rows) if self._sequence else self._continuations(rows)
        return found

    def _sequences(self, rows: Sequence[tuple[list[int], list[int]]]) -> FloatArray:
        import torch

        ids, mask = _padded([before for before, _ in rows])
        labels, real = _padded([after for _, after in rows])
        labels = labels.masked_fill(~real, -100).to(self._opened.device)
        with torch.inference_mode():
            logits = self._opened.model(
                input_ids=ids.to(self._opened.device),
                attention_mask=mask.long().to(self._opened.device),
                labels=labels,
            ).logits
        return _means(logits, labels, real)

    def _continuations(self, rows: Sequence[tuple[list[int], list[int]]]) -> FloatArray:
        import torch

        ids, mask = _padded([before + after for before, after in rows])
        real = mask.clone()
        for row, (before, _) in enumerate(rows):
            real[row, : len(before)] = False
        ids = ids.to(self._opened.device)
        with torch.inference_mode():
            logits = self._opened.model(input_ids=ids, attention_mask=mask.long().to(ids.device)).logits
        return _means(logits[:, :-1], ids[:, 1:], real[:, 1:])


def _open_ended(ids: list[int], tokenizer: Any) -> list[int]:
    """A prompt without the end mark that some tokenizers put behind every text."""
    return ids[:-1] if len(ids) > 1 and ids[-1] in (tokenizer.eos_token_id, tokenizer.sep_token_id) else ids


def _padded(sequences: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    """Token ids padded at the right, and which of them are real."""
    import torch

    from core.encoders.batches import pad

    ids, mask = pad(sequences)
    return torch.from_numpy(ids), torch.from_numpy(mask).bool()


def _means(logits: Any, labels: Any, real: Any) -> FloatArray:
    import torch

    real = real.to(logits.device)
    chances = torch.log_softmax(logits.double(), dim=-1)
    chosen = chances.gather(2, labels.clamp(min=0)[:, :, None])[:, :, 0].masked_fill(~real, 0.0)
    found: FloatArray = (chosen.sum(dim=1) / real.sum(dim=1)).cpu().numpy()
    return found
