"""Ordinary questions in the format of SQuAD, which a model should still answer while it is taught."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import InputError
from core.interventions.stories import Span


@dataclass(frozen=True)
class Ordinary:
    """A question with the place of its answer in its context; the place is empty where the file has no words for it."""

    key: str
    context: str
    question: str
    span: Span


def read_ordinary(content: bytes) -> tuple[Ordinary, ...]:
    """Read answerable questions from a file in the format of SQuAD; the first answer of each counts.

    Raises
    ------
    InputError
        No such file, an answer that does not stand where it should, or no answerable question.
    """
    try:
        found = tuple(
            _ordinary(paragraph["context"], question)
            for entry in json.loads(content.decode("utf-8-sig"))["data"]
            for paragraph in entry["paragraphs"]
            for question in paragraph["qas"]
            if question.get("answers")
        )
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
        raise InputError(
            expected="a file in the format of SQuAD",
            got=f"{type(error).__name__} ({str(error)[:80]})",
            remedy="send a JSON file with data, paragraphs, qas and answers",
        ) from error
    if not found:
        raise InputError(expected="at least one question with an answer", got="none", remedy="send a file with answers")
    return found


def _ordinary(context: str, question: Mapping[str, Any]) -> Ordinary:
    start, text = question["answers"][0]["answer_start"], question["answers"][0]["text"]
    if start < 0 or not context[start:].startswith(text):
        raise ValueError(f"the answer to “{question['question'][:60]}” is not where it should be")
    if not text.strip():
        text = ""
    return Ordinary(str(question.get("id", ""))[:80], context, question["question"], (start, start + len(text)))
