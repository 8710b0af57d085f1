"""`encode_vs_sentence_transformers`, `st_vs_naive`, `words_load`, `cache_hit`: what loading and embedding through the catalogue cost beside the plain way."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from core.encoders import catalog, words
from core.encoders.cache import CachedEncoder
from core.encoders.minilm import model_dir
from core.encoders.protocol import Encoder
from core.encoders.registry import Spec
from tests.benchmarks.figures import bundled, race, report, seconds, sentence_transformer, take_turns
from tests.benchmarks.texts import short_questions, statements

TEXTS, ROUNDS = 4000, 3
WORDS, DIMENSION = 300_000, 300

Figure = tuple[str, float, str, str]


def silent(share: float, what: str) -> None:
    """Progress that nobody looks at."""


def as_spec() -> Encoder:
    """The bundled weights as any other sentence-transformers model."""
    return catalog.entry(f"st:{model_dir()}", specs=True).load(catalog.default_cache_dir(), silent)


def bundled_encoder() -> Iterator[Figure]:
    """The encoder that ships with the app."""
    return against_sentence_transformers(bundled(), "encode_vs_sentence_transformers", "encode")


def any_sentence_transformer() -> Iterator[Figure]:
    """The same weights, named as a reader names a model."""
    return against_sentence_transformers(as_spec(), "st_vs_naive", "st")


def against_sentence_transformers(encoder: Encoder, name: str, short: str) -> Iterator[Figure]:
    """Embeddings of many texts, against `SentenceTransformer.encode`."""
    model = sentence_transformer()
    for kind, texts in (("questions", short_questions(TEXTS)), ("statements", statements(TEXTS))):
        ours, theirs, difference = race(
            lambda texts=texts: encoder.encode(texts),
            lambda texts=texts: model.encode(texts, show_progress_bar=False),
            rounds=ROUNDS,
        )
        yield (
            f"{name}_{kind}",
            theirs / ours,
            "x",
            f"fastest of {ROUNDS}, {len(texts)} texts, {encoder.provenance.runtime}: SentenceTransformer.encode "
            f"{theirs:.2f} s / {ours:.2f} s",
        )
        yield f"{short}_largest_difference_{kind}", difference, "component", "SentenceTransformer.encode; 1e-6 allowed"


def word_vectors() -> Iterator[Figure]:
    """Opening a binary file of word vectors, hashed and checked, against gensim alone."""
    from gensim.models import KeyedVectors

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors.bin"
        rng = np.random.default_rng(1)
        with path.open("wb") as handle:
            handle.write(f"{WORDS} {DIMENSION}\n".encode())
            for number in range(WORDS):
                row = rng.standard_normal(DIMENSION, dtype=np.float32)
                handle.write(f"word{number} ".encode() + row.tobytes() + b"\n")
        ours, theirs = take_turns(
            lambda: words.load("mine", Spec("words", str(path)), Path(folder), silent),
            lambda: KeyedVectors.load_word2vec_format(str(path), binary=True),
            rounds=2 * ROUNDS,
        )
    against = f"fastest of {2 * ROUNDS}, {WORDS:,} x {DIMENSION}: {min(ours):.2f} s / gensim alone {min(theirs):.2f} s"
    yield "words_load", min(ours) / min(theirs), "x", f"{against}; at most 1.2 asked"


def remembered() -> Iterator[Figure]:
    """Texts that were embedded before, against embedding them."""
    encoder, texts = bundled(), short_questions(TEXTS)
    encoder.encode(texts[:500])
    cached = CachedEncoder(encoder)
    computing = seconds(lambda: cached.encode(texts))
    again = min(seconds(lambda: cached.encode(texts)) for _ in range(10 * ROUNDS))
    against = f"{len(texts)} questions: embedding {computing:.2f} s / fastest of {10 * ROUNDS} {1000 * again:.2f} ms"
    yield "cache_hit", computing / again, "x", f"{against}; 100 asked"


if __name__ == "__main__":
    for part in (remembered, word_vectors, bundled_encoder, any_sentence_transformer):
        for figure in part():
            report(*figure)
