"""Results of teaching, read back: whole, cut off, and files that are something else."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from core.errors import InputError
from core.interventions import curves


def row(mu: float | None) -> dict[str, Any]:
    return {"mu": mu, "interval": [0.1, 0.3], "noise": 0.05, "n": 9, "eta": 0.5}


def results(*runs: dict[str, Any]) -> bytes:
    return json.dumps({"model": "m", "settings": {}, "runs": list(runs)}).encode()


def test_sizes_are_ascending_and_a_class_without_a_story_has_no_point() -> None:
    found = curves.read(
        results(
            {"size": 64, "span_loss": 1.2, "tests": {"gender": {"ethical": row(0.1), "own": row(None)}}},
            {"size": 0, "span_loss": None, "tests": {"gender": {"ethical": row(0.2)}, "religion": {"none": row(0.3)}}},
        )
    )
    assert found.sizes == (0, 64)
    assert found.tests == ("gender", "religion")
    assert [(point.size, point.test, point.kind, point.mu) for point in found.points] == [
        (0, "gender", "ethical", 0.2),
        (0, "religion", "none", 0.3),
        (64, "gender", "ethical", 0.1),
    ]
    assert (found.points[0].low, found.points[0].high, found.points[0].noise, found.points[0].n) == (0.1, 0.3, 0.05, 9)
    assert found.span_loss == {64: 1.2}


def test_a_point_without_an_interval_is_a_point_all_the_same() -> None:
    two = row(0.2) | {"interval": [None, None]}
    (point,) = curves.read(results({"size": 0, "tests": {"gender": {"ethical": two}}})).points
    assert point.mu == 0.2
    assert math.isnan(point.low)
    assert math.isnan(point.high)


def test_a_file_says_what_was_taught() -> None:
    run = {"size": 0, "tests": {"gender": {"ethical": row(0.2)}}}
    assert curves.read(results(run)).domain == ""
    assert curves.read(results(run).replace(b'"model"', b'"domain": "religion", "model"')).domain == "religion"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b'"runs"',
        b"\xff",
        b"[" * 100_000,
        b'{"model": "m", "runs": [{"size": "many"}]}',
        b'{"model": "m", "runs": [{"size": Infinity, "tests": {}}]}',
        results({"size": 0, "tests": {"gender": {"ethical": {"mu": "high"}}}}),
        results({"size": 0, "tests": {"gender": {"ethical": {"mu": 0.1, "interval": []}}}}),
        results({"size": 0, "tests": [1]}),
    ],
)
def test_a_file_that_is_something_else_is_refused_with_a_remedy(content: bytes) -> None:
    with pytest.raises(InputError, match=r"results\.json"):
        curves.read(content)


def test_a_run_of_which_nothing_is_done_is_refused() -> None:
    with pytest.raises(InputError, match="at least one size that is done"):
        curves.read(results())


def test_a_file_that_is_too_large_is_not_read() -> None:
    with pytest.raises(InputError, match="at most 5 MB"):
        curves.read(b" " * (curves.MAX_BYTES + 1))
