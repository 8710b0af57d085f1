"""What came of teaching a model: μ against the number of stories it was taught.

Source: Zhao et al. (2021), https://arxiv.org/abs/2106.01465, Fig. 5. The numbers are those of the ``results.json`` that
``python -m core finetune`` writes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from core.errors import InputError
from core.interventions.stories import KINDS

MAX_BYTES = 5_000_000
"""Largest file. Ours: a run of a thousand sizes."""


@dataclass(frozen=True)
class Point:
    """μ of one class on one test, after so many stories, with its 95 % interval over subjects and its noise line."""

    size: int
    test: str
    kind: str
    mu: float
    low: float
    high: float
    noise: float
    n: int


@dataclass(frozen=True)
class Curves:
    """All of a run.

    Parameters
    ----------
    model : str
        What was taught.
    tests : tuple of str
        What it was measured on, in the order of the run.
    sizes : tuple of int
        Numbers of stories, ascending.
    points : tuple of Point
        A size, test and class without a story has none.
    span_loss : mapping of int to float
        Mean −log S of the answers of ordinary questions after each size; empty where none were kept aside.
    domain : str
        What it was taught on; empty in a file that does not say it.
    """

    model: str
    tests: tuple[str, ...]
    sizes: tuple[int, ...]
    points: tuple[Point, ...]
    span_loss: dict[int, float]
    domain: str = ""


def read(content: bytes) -> Curves:
    r"""Read the results of a run, whole or cut off.

    Raises
    ------
    InputError
        Too large, no such file, or no size is done yet.

    Examples
    --------
    >>> row = '{"mu": 0.2, "interval": [0.1, 0.3], "noise": 0.05, "n": 9}'
    >>> found = read(('{"model": "m", "runs": [{"size": 0, "tests": {"gender": {"ethical": %s}}}]}' % row).encode())
    >>> found.tests, found.points[0].mu
    (('gender',), 0.2)
    """
    if len(content) > MAX_BYTES:
        raise _bad(f"{len(content) / 1e6:.0f} MB")
    try:
        document = json.loads(content.decode("utf-8-sig"))
        runs = sorted(document["runs"], key=lambda run: int(run["size"]))
        found = Curves(
            str(document["model"]),
            tuple(dict.fromkeys(str(test) for run in runs for test in run["tests"])),
            tuple(int(run["size"]) for run in runs),
            tuple(point for run in runs for point in _points(run)),
            {int(run["size"]): float(run["span_loss"]) for run in runs if run.get("span_loss") is not None},
            str(document.get("domain", "")),
        )
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError) as error:
        raise _bad(f"{type(error).__name__} ({str(error)[:80]})") from error
    if not found.points:
        raise InputError(
            expected="at least one size that is done",
            got="none",
            remedy="let the command go on, and send the file again",
        )
    return found


def _points(run: dict[str, Any]) -> list[Point]:
    return [
        Point(
            int(run["size"]),
            str(test),
            kind,
            float(row["mu"]),
            *_interval(row["interval"]),
            float(row["noise"]),
            int(row["n"]),
        )
        for test, classes in run["tests"].items()
        for kind in KINDS
        if (row := classes.get(kind)) and row["mu"] is not None
    ]


def _interval(ends: list[Any]) -> tuple[float, float]:
    """Both nan where there is none, as of fewer than three subjects."""
    low, high = (float("nan") if end is None else float(end) for end in ends)
    return low, high


def _bad(got: str) -> InputError:
    return InputError(
        expected=f"the results.json of “python -m core finetune”, at most {MAX_BYTES // 1_000_000} MB",
        got=got,
        remedy="send the file as the command wrote it",
    )
