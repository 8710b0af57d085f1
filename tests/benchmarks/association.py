"""`weat_exact`, `verbs`, `null_band`: what the word tests cost beside a plain loop, and beside embedding the words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from core.association.lexicon import frequent_verbs
from core.association.sets import general
from core.association.verbs import extract
from core.association.weat import association, null_band, significance
from core.encoders.cache import CachedEncoder
from tests.benchmarks.figures import bundled, report, seconds, take_turns

SIDE, ROUNDS = 8, 3

Figure = tuple[str, float, str, str]


def looped(associations: list[float], first: int) -> tuple[float, float]:
    """One- and two-sided p by a Python loop that sums both sides of every partition."""
    places = range(len(associations))
    observed = sum(associations[:first]) - sum(associations[first:])
    count = at_least = as_far = 0
    for members in combinations(places, first):
        inside = sum(associations[place] for place in members)
        outside = sum(associations[place] for place in places if place not in members)
        count += 1
        at_least += inside - outside >= observed - 1e-12
        as_far += abs(inside - outside) >= abs(observed) - 1e-12
    return at_least / count, as_far / count


def exact_test() -> Iterator[Figure]:
    """All 12,870 partitions of 8 + 8 words."""
    values = np.random.default_rng(1).standard_normal(2 * SIDE)
    first = seconds(lambda: significance(values, SIDE))
    ours, loop = take_turns(
        lambda: significance(values, SIDE), lambda: looped(values.tolist(), SIDE), rounds=10 * ROUNDS
    )
    found = significance(values, SIDE)
    yield (
        "weat_exact",
        min(loop) / min(ours),
        "x",
        f"fastest of {10 * ROUNDS}: a loop over partitions {1000 * min(loop):.1f} ms / {1000 * min(ours):.2f} ms",
    )
    yield "weat_exact_first", 1000 * first, "ms", "the first test of a process, which lists the partitions; 10 asked"
    difference = max(
        abs(one - other)
        for one, other in zip(looped(values.tolist(), SIDE), (found.one_sided, found.two_sided), strict=True)
    )
    yield "weat_exact_difference", difference, "p", "p of the loop"


def vocabulary() -> Iterator[Figure]:
    """Scoring 6,000 verbs, and the null band, beside embedding the same words."""
    encoder, verbs, (positive, negative) = bundled(), frequent_verbs(), general()
    words = list(dict.fromkeys((*verbs, *positive.words, *negative.words)))
    encoder.encode(words[:500])
    scoring, embedding = take_turns(
        lambda: extract(CachedEncoder(encoder), verbs, positive, negative),
        lambda: encoder.encode(words),
        rounds=ROUNDS,
    )
    against = f"fastest of {ROUNDS}: embedding the {len(words):,} words {min(embedding):.2f} s"
    yield "verbs", min(scoring) / min(embedding), "x", f"{against}; at most 1.15 asked"
    kept = CachedEncoder(encoder)
    extract(kept, verbs, positive, negative)
    again = min(seconds(lambda: extract(kept, verbs, negative, positive)) for _ in range(ROUNDS))
    yield "verbs_again", again / min(embedding), "x", f"{against}; other association sets, nothing new to embed"
    pool = association(kept.encode(verbs), kept.encode(positive.words), kept.encode(negative.words))
    band = min(seconds(lambda: null_band(pool, SIDE, SIDE)) for _ in range(ROUNDS))
    yield "null_band", band / min(embedding), "x", f"{against}; 2,000 draws of {SIDE} + {SIDE}, at most 0.2 asked"


def figures() -> Iterator[Figure]:
    """Every figure of this file."""
    yield from exact_test()
    yield from vocabulary()


if __name__ == "__main__":
    for figure in figures():
        report(*figure)
