"""What all benchmarks share: taking turns, and the line that is printed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from core.encoders import catalog
from core.encoders.protocol import Encoder
from core.vectors import FloatArray

ROOT = Path(__file__).resolve().parents[2]

SENTENCE_TRANSFORMER = """
import os, time
started = time.perf_counter()
from sentence_transformers import SentenceTransformer
from core.encoders.minilm import model_dir
SentenceTransformer(str(model_dir()), device="cpu", local_files_only=True).encode(["Should I kill time?"])
"""
"""A bare process that does with sentence-transformers and torch the least that an app must do."""

quiet = {**os.environ, "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_PROGRESS_BARS": "1"}


def report(name: str, value: float, unit: str, against: str) -> None:
    """Print one figure."""
    print(f"{name}\t{value:.3g}\t{unit}\t{against}", flush=True)


def seconds(work: Callable[[], Any]) -> float:
    """How long `work` takes."""
    started = perf_counter()
    work()
    return perf_counter() - started


def take_turns(one: Callable[[], Any], other: Callable[[], Any], *, rounds: int) -> tuple[list[float], list[float]]:
    """Seconds of `rounds` runs of each of two ways, one after the other."""
    pairs = [(seconds(one), seconds(other)) for _ in range(rounds)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def race(one: Callable[[], FloatArray], other: Callable[[], FloatArray], *, rounds: int) -> tuple[float, float, float]:
    """Shortest seconds of each of two ways that give the same numbers, and the largest difference of the numbers."""
    found: dict[str, FloatArray] = {}
    ours, theirs = take_turns(
        lambda: found.update(one=one()),
        lambda: found.update(other=other()),
        rounds=rounds,
    )
    return min(ours), min(theirs), float(np.abs(found["one"] - found["other"]).max())


def bundled() -> Encoder:
    """The bundled encoder without a cache around it: every call computes."""
    return catalog.entry("bundled").load(catalog.default_cache_dir(), lambda share, what: None)


def sentence_transformer() -> Any:
    """The same model, run by sentence-transformers on torch."""
    os.environ.update(quiet)
    from sentence_transformers import SentenceTransformer

    from core.encoders.minilm import model_dir

    return SentenceTransformer(str(model_dir()), device="cpu", local_files_only=True)
