"""`first_score_cold`: a first score by a fresh process."""

from __future__ import annotations

import subprocess
import sys
from statistics import median

from tests.benchmarks.figures import ROOT, SENTENCE_TRANSFORMER, quiet, report, take_turns

ROUNDS = 3


def score() -> None:
    _run("-m", "core", "score", "kill time")


def encode_with_torch() -> None:
    _run("-c", SENTENCE_TRANSFORMER)


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], cwd=ROOT, env=quiet, check=True, capture_output=True)


if __name__ == "__main__":
    score()  # converts the model where that has not been done, and compiles the modules
    encode_with_torch()
    ours, theirs = (median(times) for times in take_turns(score, encode_with_torch, rounds=ROUNDS))
    report(
        "first_score_cold",
        ours / theirs,
        "x",
        f"median of {ROUNDS}: `python -m core score` {ours:.2f} s / process that imports sentence-transformers and "
        f"torch and encodes one sentence {theirs:.2f} s",
    )
