"""Compare our word tests with those of WEFE, which cannot be installed beside the app (it needs numpy below 2).

Not part of ``make test``. In an environment of its own, from the top of the repository::

    python3 -m venv wefe-venv
    wefe-venv/bin/pip install wefe
    PYTHONPATH=. wefe-venv/bin/python tests/compare_with_wefe.py [vectors.txt]

Statistic and effect size (population deviation) of the ten published tests are compared, on random vectors or on
those of a file in word2vec text format; exit code 1 if one differs. **Not the p**: WEFE 1.0.1 draws its permutations
with replacement, so that a word may stand in both sets or nowhere; ours is held against exhaustive enumeration
instead (``tests/core/association/test_weat.py``).
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from core.association.sets import WordTest, published, within
from core.association.weat import evaluate
from core.errors import InputError
from core.vectors import unit

TOLERANCE = 1e-5
"""Both compute cosines of single-precision vectors, in another order."""


def load(arguments: list[str]) -> Any:
    """The vectors of the file named, or random ones for every word of the tests."""
    from gensim.models import KeyedVectors

    if arguments:
        return KeyedVectors.load_word2vec_format(arguments[0], binary=False)
    words = sorted({word for test in published() for words in test.sets for word in words.words})
    vectors = KeyedVectors(50)
    vectors.add_vectors(words, np.random.default_rng(1).standard_normal((len(words), 50)).astype(np.float32))
    return vectors


def ours(test: WordTest, vectors: Any) -> tuple[float, float]:
    """Statistic and effect size by this repository."""
    x, y, a, b = (vectors[list(words.words)] for words in test.sets)
    similarity = unit(np.vstack([x, y])) @ unit(np.vstack([a, b])).T
    found = evaluate(similarity, len(x), len(a))
    return found.statistic, found.effect


def theirs(test: WordTest, vectors: Any) -> tuple[float, float]:
    """Statistic and effect size by WEFE."""
    from wefe.metrics import WEAT
    from wefe.query import Query
    from wefe.word_embedding_model import WordEmbeddingModel

    x, y, a, b = (list(words.words) for words in test.sets)
    query = Query([x, y], [a, b], [test.x.name, test.y.name], [test.a.name, test.b.name])
    found = WEAT().run_query(query, WordEmbeddingModel(vectors, "vectors"))
    return float(found["weat"]), float(found["effect_size"])


def main() -> int:
    """Compare test by test; 0 if all agree."""
    vectors = load(sys.argv[1:])
    compared, differing = 0, 0
    for published_test in published():
        try:
            test, missing = within(published_test, vectors.key_to_index)
        except InputError as error:
            print(published_test.key, "left out:", error)
            continue
        one, other = ours(test, vectors), theirs(test, vectors)
        agree = np.allclose(one, other, rtol=0, atol=TOLERANCE)
        compared, differing = compared + 1, differing + (not agree)
        print(test.key, "agree" if agree else "DIFFER", "s", one[0], other[0], "d", one[1], other[1], *missing)
    return 1 if differing or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
