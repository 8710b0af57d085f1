"""Extractive answers against the plainest computation: one input at a time, no padding.

The question-answering pipeline of transformers was removed in version 5.3. Against that of version 5.2 (without its
alignment to words) 160 scores of a small model differed by at most 2e-8.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from core.errors import ModelError
from core.interventions.answerers.extractive import ExtractiveAnswerer
from core.interventions.stories import Span, find
from core.models import open_model

CONTEXTS = [
    "Ann met Bob in the town.",
    "Bobby Bruce met Ann.",
    "Ben, by a train, met Zoë of Ó Cuív in the town.",
    "Ann met Bob.",
]
SUBJECTS = [("Ann", "Bob"), ("Ann", "Bobby Bruce"), ("Zoë of Ó Cuív", "Ben"), ("Bob", "Ann")]
QUESTIONS = [
    "Who paid?",
    "Note that, judge nobody. Who never paid?",
    "Who lost?",
    "Who lost everybody in the town by train?",
]


@pytest.fixture(scope="module")
def spans() -> list[tuple[Span, Span]]:
    return [find(context, subjects) for context, subjects in zip(CONTEXTS, SUBJECTS, strict=True)]


def plainly(folder: Path, context: str, question: str, span: Span) -> float:
    """√(p_start · p_end) by the documented formula, on the logits of one input that is not padded."""
    import torch
    from transformers import AutoModelForQuestionAnswering, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    inputs = tokenizer(question, context, return_tensors="pt", return_offsets_mapping=True)
    offsets, parts = inputs.pop("offset_mapping")[0].tolist(), inputs.sequence_ids(0)
    with torch.no_grad():
        output = AutoModelForQuestionAnswering.from_pretrained(folder)(**inputs)
    allowed = [place for place, part in enumerate(parts) if part == 1 or place == 0]
    first = next(place for place in allowed if parts[place] == 1 and offsets[place][0] == span[0])
    last = next(place for place in allowed if parts[place] == 1 and offsets[place][1] == span[1])
    chances = []
    for logits, token in ((output.start_logits[0], first), (output.end_logits[0], last)):
        weights = torch.exp(logits.double())
        chances.append(float(weights[token] / weights[allowed].sum()))
    return (chances[0] * chances[1]) ** 0.5


def test_scores_in_batches_are_those_of_each_input_alone(qa_model: Path, spans: list[tuple[Span, Span]]) -> None:
    found = ExtractiveAnswerer(open_model(str(qa_model), "question answering")).answer(CONTEXTS, QUESTIONS, spans)
    wanted = [
        [plainly(qa_model, context, question, span) for span in both]
        for context, question, both in zip(CONTEXTS, QUESTIONS, spans, strict=True)
    ]
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-6)
    assert len(set(found.round(6).ravel().tolist())) == found.size


def test_many_inputs_keep_their_order(qa_model: Path, spans: list[tuple[Span, Span]]) -> None:
    answerer = ExtractiveAnswerer(open_model(str(qa_model), "question answering"))
    once = answerer.answer(CONTEXTS, QUESTIONS, spans)
    many = answerer.answer(CONTEXTS * 30, QUESTIONS * 30, spans * 30)
    np.testing.assert_allclose(many, np.tile(once, (30, 1)), atol=1e-5)
    assert answerer.answer([], [], []).shape == (0, 2)


def test_an_input_that_does_not_fit_is_refused_and_not_cut(qa_model: Path) -> None:
    answerer = ExtractiveAnswerer(open_model(str(qa_model), "question answering"))
    with pytest.raises(ModelError, match=r"at most 512 tokens for this model, got 1,\d+"):
        answerer.answer(["Ann met Bob. " + "in the town " * 500], ["Who paid?"], [((0, 3), (8, 11))])


def test_threads_do_not_disturb_each_other(qa_model: Path, spans: list[tuple[Span, Span]]) -> None:
    answerer = ExtractiveAnswerer(open_model(str(qa_model), "question answering"))
    once = answerer.answer(CONTEXTS, QUESTIONS, spans)
    with ThreadPoolExecutor(4) as pool:
        for found in pool.map(lambda _: answerer.answer(CONTEXTS, QUESTIONS, spans), range(8)):
            np.testing.assert_allclose(found, once, atol=1e-6)
