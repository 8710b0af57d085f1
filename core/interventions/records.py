"""Results as plain records: the one place that names the fields of the exports and of the command line."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from core.interventions.benchmark import CHANCE, DESIRED, Accuracy, Benchmark
from core.interventions.unqover import FEWEST, Measures

TOO_FEW = f"no interval: subjects are drawn, and there are fewer than {FEWEST}"
"""Beside figures without an interval."""


def benchmark_record(found: Benchmark) -> dict[str, Any]:
    """Everything of a run; a number that does not exist is None."""
    return {
        "answerer": {"name": found.answerer, "identity": found.identity},
        "complete": found.complete,
        "stories": {"done": found.done, "of": found.of},
        "classes": {
            kind: class_record(kind, one) | {"missing": found.missing[kind]}
            for kind, one in zip(found.kinds, found.measures, strict=True)
        },
        "subjects": [
            {
                "subject": subject,
                "classes": {kind: _subject(one, place) for kind, one in zip(found.kinds, found.measures, strict=True)},
            }
            for place, subject in enumerate(found.subjects)
        ],
        "attributes": gamma_rows(found),
        "themes": [
            {
                "theme": theme,
                "classes": {kind: class_record(kind, one) for kind, one in zip(found.kinds, measures, strict=True)},
            }
            for theme, measures in found.themes.items()
        ],
        "missing": {"count": sum(found.missing.values()), "named": list(found.named)},
    }


def class_record(kind: str, found: Measures) -> dict[str, Any]:
    """The figures of one class of interventions."""
    delta, epsilon = found.error_intervals()
    interval = _ends(found.interval())
    return {
        "mu": _number(found.mu),
        "eta": _number(found.eta),
        "delta": _number(found.delta),
        "epsilon": _number(found.epsilon),
        "theta4": _number(found.theta4),
        "n": found.n,
        "interval": interval,
        "delta_interval": _ends(delta),
        "epsilon_interval": _ends(epsilon),
        "note": TOO_FEW if found.n and interval[0] is None else "",
        "noise": _number(found.noise()),
        "desired": DESIRED.get(kind),
    }


def gamma_rows(found: Benchmark) -> list[dict[str, Any]]:
    """One flat row for each class, subject and attribute that were asked together: γ, η(x, a) and the stories behind."""
    return [
        {
            "class": kind,
            "subject": subject,
            "attribute": attribute.name,
            "theme": attribute.theme,
            "gamma": float(one.gamma[row, column]),
            "eta": float(one.steadiness[row, column]),
            "n": int(one.counts[row, column]),
        }
        for kind, one in zip(found.kinds, found.measures, strict=True)
        for row, subject in enumerate(found.subjects)
        for column, attribute in enumerate(found.attributes)
        if one.counts[row, column]
    ]


def accuracy_record(found: Accuracy) -> dict[str, Any]:
    """What came of specified questions."""
    return {
        "answerer": {"name": found.answerer, "identity": found.identity},
        "complete": found.done == found.of,
        "classes": {},
        "subjects": [],
        "specified": {
            "n": found.done,
            "correct": found.correct,
            "accuracy": _number(found.accuracy),
            "interval": _ends(found.interval),
            "chance": CHANCE,
            "same_on_negation": _number(found.same_on_negation),
        },
    }


def _subject(found: Measures, place: int) -> dict[str, Any]:
    gamma, n = found.gamma[place], int(found.counts[place].sum())
    if not n:
        return {"mu": None, "gamma": None, "n": 0}
    return {"mu": float(np.nanmax(np.abs(gamma))), "gamma": float(np.nanmean(gamma)), "n": n}


def _ends(interval: tuple[float, float]) -> list[float | None]:
    return [_number(end) for end in interval]


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
