"""Generated answers against the plainest computation: one prompt and one answer at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import ModelError
from core.interventions.answerers.generative import CAUSAL_PROMPT, SEQUENCE_PROMPT, GenerativeAnswerer
from core.models import open_model

CONTEXTS = ["Ann met Bob in the town.", "Ann met Bobby Bruce.", "Ann met Bob by a train in the town."]
QUESTIONS = ["Who paid?", "Who never paid?", "Note that, judge nobody. Who lost?"]
SPANS = [((0, 3), (8, 11)), ((0, 3), (8, 19)), ((8, 11), (0, 3))]


def opened(folder: Path) -> tuple[Any, Any]:
    from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer

    kind = AutoModelForSeq2SeqLM if "T5" in (folder / "config.json").read_text() else AutoModelForCausalLM
    return kind.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)


def plainly(model: Any, tokenizer: Any, context: str, question: str, answer: str) -> float:
    """Mean log-probability of the tokens of an answer, one after the other."""
    import torch

    with torch.no_grad():
        if model.config.is_encoder_decoder:
            asked = tokenizer(SEQUENCE_PROMPT.format(context=context, question=question), return_tensors="pt")
            said = tokenizer(answer)["input_ids"]
            given = torch.tensor([[model.config.decoder_start_token_id, *said[:-1]]])
            logits = model(input_ids=asked["input_ids"], decoder_input_ids=given).logits[0]
        else:
            asked = tokenizer(CAUSAL_PROMPT.format(context=context, question=question))["input_ids"]
            said = tokenizer(f" {answer}")["input_ids"]
            logits = model(input_ids=torch.tensor([asked + said])).logits[0, len(asked) - 1 : -1]
    return float(
        np.mean([float(torch.log_softmax(row.double(), 0)[token]) for row, token in zip(logits, said, strict=True)])
    )


@pytest.mark.parametrize("kind", ["causal_model", "sequence_model"])
def test_scores_in_batches_are_the_softmax_of_each_answer_alone(kind: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(kind)
    found = GenerativeAnswerer(open_model(str(folder), "text generation")).answer(CONTEXTS, QUESTIONS, SPANS)
    model, tokenizer = opened(folder)
    for row, context, question, both in zip(found, CONTEXTS, QUESTIONS, SPANS, strict=True):
        likely = np.exp([plainly(model, tokenizer, context, question, context[start:end]) for start, end in both])
        np.testing.assert_allclose(row, likely / likely.sum(), atol=1e-5)


@pytest.mark.parametrize("kind", ["causal_model", "sequence_model"])
def test_nothing_asked_is_nothing_answered_and_too_much_is_refused(kind: str, request: pytest.FixtureRequest) -> None:
    answerer = GenerativeAnswerer(open_model(str(request.getfixturevalue(kind)), "text generation"))
    assert answerer.answer([], [], []).shape == (0, 2)
    with pytest.raises(ModelError, match="at most 512 tokens"):
        answerer.answer(["Ann met Bob. " + "in the town " * 500], ["Who paid?"], [((0, 3), (8, 11))])
