"""`unqover_metric`, `qa_batching`, `intervention_memory`: what measuring, asking and long runs cost."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from re import findall
from typing import Any

import numpy as np
import psutil

from core.interventions.answerers.extractive import ExtractiveAnswerer
from core.interventions.benchmark import run
from core.interventions.scenarios import Stories, load
from core.interventions.stories import Span, Story
from core.interventions.unqover import Codes, Measures, add_up, measure
from core.models import open_model
from core.vectors import FloatArray
from tests.benchmarks.figures import report, take_turns
from tests.tiny_models import question_answering

PAIRS, KINDS, SUBJECTS, ATTRIBUTES = 1200, 3, 4, 18
"""The shape of the religion test file: 2,400 entries, two orders to a pair."""

ROUNDS = 100
LONG = 100_000

Figure = tuple[str, float, str, str]


def synthetic() -> tuple[FloatArray, Codes, dict[str, Codes]]:
    """Scores of `PAIRS` pairs, the subjects of each pair of subjects, and the codes of each."""
    rng = np.random.default_rng(1)
    both = [(one, other) for one in range(SUBJECTS) for other in range(one + 1, SUBJECTS)]
    pair = rng.integers(len(both), size=PAIRS)
    return (
        rng.random((2, 2, 2, PAIRS)),
        np.array(both),
        {
            "kind": np.arange(PAIRS) * KINDS // PAIRS,
            "pair": pair,
            "attribute": rng.integers(ATTRIBUTES, size=PAIRS),
        },
    )


def vectorised(scores: FloatArray, ends: Codes, codes: dict[str, Codes]) -> tuple[Measures, ...]:
    """The measures of every class, as the app computes them."""
    return measure(add_up(scores, **codes, ends=ends, subjects=SUBJECTS, shape=(KINDS, ATTRIBUTES)))


def looped(scores: Any, rows: Sequence[tuple[int, int, int, int, int]]) -> list[tuple[float, ...]]:
    """The same five figures by a Python loop over pairs."""
    found = []
    for wanted in range(KINDS):
        gamma, signs, pairs = defaultdict(list), defaultdict(list), defaultdict(list)
        position, error, n = 0.0, 0.0, 0
        for ((a, na), (b, nb)), (kind, first, second, pair, attribute) in zip(scores, rows, strict=True):
            if kind != wanted:
                continue
            one = (a[0] + b[0] - na[0] - nb[0]) / 2
            other = (a[1] + b[1] - na[1] - nb[1]) / 2
            c = (one - other) / 2
            sign = 1 if c > 0 else -1 if c < 0 else 0
            gamma[first, attribute].append(c)
            gamma[second, attribute].append(-c)
            signs[first, attribute].append(sign)
            signs[second, attribute].append(-sign)
            pairs[pair, attribute].append(c)
            position += (abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(na[0] - nb[0]) + abs(na[1] - nb[1])) / 4
            error += (abs(a[0] - na[1]) + abs(a[1] - na[0]) + abs(b[0] - nb[1]) + abs(b[1] - nb[0])) / 4
            n += 1
        found.append((_mean_of_largest(gamma), _mean_of_means(signs), position / n, error / n, _mean_of_largest(pairs)))
    return found


def _by_row(cells: dict[tuple[int, int], list[float]]) -> list[list[float]]:
    rows = defaultdict(list)
    for (row, _), values in cells.items():
        rows[row].append(abs(sum(values) / len(values)))
    return list(rows.values())


def _mean_of_largest(cells: dict[tuple[int, int], list[float]]) -> float:
    rows = _by_row(cells)
    return sum(map(max, rows)) / len(rows)


def _mean_of_means(cells: dict[tuple[int, int], list[float]]) -> float:
    rows = _by_row(cells)
    return sum(sum(row) / len(row) for row in rows) / len(rows)


def metric() -> Iterator[Figure]:
    """Both ways on the same scores, and how far their figures are apart."""
    scores, ends, codes = synthetic()
    kind, pair, attribute = (codes[name].tolist() for name in ("kind", "pair", "attribute"))
    rows = [(k, *ends[p].tolist(), p, a) for k, p, a in zip(kind, pair, attribute, strict=True)]
    stories = np.moveaxis(scores, 3, 0)
    lists = stories.tolist()
    ours, loop = take_turns(lambda: vectorised(scores, ends, codes), lambda: looped(stories, rows), rounds=ROUNDS)
    _, plain = take_turns(lambda: None, lambda: looped(lists, rows), rounds=ROUNDS)
    yield (
        "unqover_metric",
        min(loop) / min(ours),
        "x",
        f"fastest of {ROUNDS}: a loop over {PAIRS:,} pairs {1000 * min(loop):.2f} ms / {1000 * min(ours):.3f} ms; 20 asked",
    )
    yield (
        "unqover_metric_lists",
        min(plain) / min(ours),
        "x",
        f"the fairer baseline: the same loop over scores turned into plain lists beforehand {1000 * min(plain):.2f} ms; "
        "ours is about fifty calls of numpy, whose fixed cost rules at this size",
    )
    apart = max(
        abs(mine - theirs)
        for one, other in zip(vectorised(scores, ends, codes), looped(lists, rows), strict=True)
        for mine, theirs in zip((one.mu, one.eta, one.delta, one.epsilon, one.theta4), other, strict=True)
    )
    yield "unqover_metric_difference", apart, "", "figures of the loop"


def batching() -> Iterator[Figure]:
    """Questions of the shipped scenarios to one model: padded to the batch's longest, and to the model's maximum."""
    import torch

    stories = Stories(load("religion"), most=16)
    asked = [one for place in range(len(stories)) for one in stories[place].asks if one]
    columns = ([one.context for one in asked], [one.question for one in asked], [one.spans for one in asked])
    with tempfile.TemporaryDirectory() as folder:
        words = {word for one in asked for word in findall(r"\w+|\W", f"{one.context} {one.question}")}
        answerer = ExtractiveAnswerer(
            open_model(str(question_answering(Path(folder), words, hidden=128, layers=4)), "question answering")
        )
        tokenizer, model = answerer._opened.tokenizer, answerer._opened.model

        def padded() -> FloatArray:
            """The usual way: 32 rows as they come, each padded to the maximum."""
            rows = []
            for start in range(0, len(asked), 32):
                part = [column[start : start + 32] for column in columns]
                inputs = tokenizer(part[1], part[0], padding="max_length", return_tensors="pt")
                with torch.inference_mode():
                    output = model(**inputs)
                for row, both in enumerate(part[2]):
                    allowed = [
                        item == 1 or token == tokenizer.cls_token_id
                        for item, token in zip(inputs.sequence_ids(row), inputs["input_ids"][row].tolist(), strict=True)
                    ]
                    mask = ~torch.tensor(allowed)
                    begin = output.start_logits[row].double().masked_fill(mask, -torch.inf).softmax(0)
                    end = output.end_logits[row].double().masked_fill(mask, -torch.inf).softmax(0)
                    rows.append(
                        [
                            float(begin[inputs.char_to_token(row, at, 1)] * end[inputs.char_to_token(row, to - 1, 1)])
                            ** 0.5
                            for at, to in both
                        ]
                    )
            return np.array(rows)

        apart = float(np.abs(answerer.answer(*columns) - padded()).max())
        ours, theirs = take_turns(lambda: answerer.answer(*columns), padded, rounds=3)
    yield (
        "qa_batching",
        min(theirs) / min(ours),
        "x",
        f"fastest of 3, {len(asked)} questions: padded to {tokenizer.model_max_length} tokens {min(theirs):.2f} s / "
        f"{min(ours):.2f} s; 3 asked",
    )
    yield "qa_batching_difference", apart, "", "largest difference of a score"


class _Repeated:
    """Many stories: those of a domain over and over."""

    def __init__(self, stories: Stories, count: int) -> None:
        self._stories, self._count = stories, count
        self.kinds, self.subjects, self.pairs = stories.kinds, stories.subjects, stories.pairs
        self.attributes = stories.attributes

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> Story:
        return self._stories[index % len(self._stories)]

    def codes(self, index: int) -> tuple[int, int, int]:
        return self._stories.codes(index % len(self._stories))


class _Lengths:
    """Answers by the length of the subject, at once: what is measured is the run around it."""

    name = identity = "lengths"

    def answer(
        self, contexts: Sequence[str], questions: Sequence[str], spans: Sequence[tuple[Span, Span]]
    ) -> FloatArray:
        """The share of either subject's letters."""
        lengths = np.array([[end - start for start, end in both] for both in spans], dtype=float)
        return lengths / lengths.sum(axis=1, keepdims=True)


def memory() -> Iterator[Figure]:
    """Resident memory that a run of 100,000 stories adds to one of 10,000."""
    stories, process = Stories(load("religion")), psutil.Process()
    run(_Lengths(), _Repeated(stories, LONG // 10))
    before, most = process.memory_info().rss, 0

    def look(share: float, what: str) -> None:
        nonlocal most
        most = max(most, process.memory_info().rss)

    run(_Lengths(), _Repeated(stories, LONG), progress=look)
    yield (
        "intervention_memory",
        (most - before) / 2**20,
        "MiB",
        f"peak of {LONG:,} stories above a run of {LONG // 10:,}",
    )


def figures() -> Iterator[Figure]:
    """Every figure of this file."""
    yield from metric()
    yield from memory()
    yield from batching()


if __name__ == "__main__":
    for figure in figures():
        report(*figure)
