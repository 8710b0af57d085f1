"""`mcm_vs_authors_loop`: the moral bias of 200 actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Encoder
from core.moral.choice import answer_vectors, bias, question_vectors
from core.moral.templates import published
from core.vectors import FloatArray
from tests.benchmarks.figures import bundled, race, report, sentence_transformer
from tests.benchmarks.texts import phrases

ACTIONS, ROUNDS = 200, 3


def our_way(encoder: Encoder, actions: list[str]) -> FloatArray:
    """All questions in one request, each answer once; nothing is remembered from before."""
    fresh, templates = CachedEncoder(encoder), published()
    affirming, denying = answer_vectors(fresh, templates)
    return bias(question_vectors(fresh, actions, templates), affirming, denying).mean(axis=1)


def authors_way(model: Any, actions: list[str]) -> FloatArray:
    """One action a call: ten questions and their twenty answers in batches of ten, cosines pair by pair."""
    return np.array([np.mean(_one(model, action)) for action in actions])


def _one(model: Any, action: str) -> list[float]:
    asked = [template.fill(action) for template in published()]
    yes = [template.affirming for template in published()]
    no = [template.denying for template in published()]
    vectors = model.encode([*asked, *yes, *no], batch_size=10, show_progress_bar=False)
    return [_cosine(vectors[10 + i], vectors[i]) - _cosine(vectors[20 + i], vectors[i]) for i in range(10)]


def _cosine(a: FloatArray, b: FloatArray) -> float:
    return float(np.dot(a, b) / (np.linalg.norm(a) * np.linalg.norm(b)))


if __name__ == "__main__":
    encoder, model, actions = bundled(), sentence_transformer(), phrases()[:ACTIONS]
    ours, theirs, difference = race(
        lambda: our_way(encoder, actions), lambda: authors_way(model, actions), rounds=ROUNDS
    )
    report(
        "mcm_vs_authors_loop",
        theirs / ours,
        "x",
        f"fastest of {ROUNDS}, {ACTIONS} actions: the authors' loop with sentence-transformers {theirs:.2f} s / "
        f"{ours:.2f} s",
    )
    report("mcm_largest_difference", difference, "bias", "scores of the authors' loop; 1e-5 allowed")
