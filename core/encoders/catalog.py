"""The encoders that this installation offers, by name."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from core.encoders import minilm
from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Encoder, Progress, Provenance
from core.errors import EncoderError

DEFAULT = "bundled"


@dataclass(frozen=True)
class Entry:
    """One line of the catalogue: what a reader chooses from, before anything is loaded."""

    name: str
    title: str
    summary: str
    provenance: Provenance
    load: Callable[[Path, Progress], Encoder]


def default_cache_dir() -> Path:
    """Where converted models and reference embeddings are kept: ``$MORALSCOPE_CACHE``, else the user's cache."""
    if chosen := os.environ.get("MORALSCOPE_CACHE"):
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("moralscope", appauthor=False)


def load(name: str, cache_dir: Path, *, progress: Progress = lambda share, what: None) -> CachedEncoder:
    """Load an encoder of the catalogue.

    Parameters
    ----------
    name : str
        One of `NAMES`.
    cache_dir : Path
        Where a converted model is kept.
    progress : callable, optional
        Told the share done while something slow happens.

    Raises
    ------
    EncoderError
        Unknown name, or its files are missing or damaged.
    """
    return CachedEncoder(entry(name).load(cache_dir, progress))


def entry(name: str) -> Entry:
    """The line of the catalogue called `name`.

    Examples
    --------
    >>> entry("static").title
    'Static word embeddings'
    """
    for known in CATALOG:
        if known.name == name:
            return known
    raise EncoderError(
        expected=f"an encoder named {' or '.join(NAMES)}", got=repr(name[:40]), remedy="choose one of these names"
    )


def _load_bundled(cache_dir: Path, progress: Progress) -> Encoder:
    from importlib.util import find_spec

    folder = minilm.model_dir()
    minilm.check_weights(folder)
    if os.environ.get("MORALSCOPE_RUNTIME") == "torch" or find_spec("openvino") is None:
        from core.encoders.sentence_transformer import SentenceTransformerEncoder

        return SentenceTransformerEncoder("bundled", folder, replace(_BUNDLED, runtime="torch"))
    from core.encoders.conversion import converted_model
    from core.encoders.openvino import OpenVinoEncoder

    converted = converted_model(folder, minilm.WEIGHTS_SHA256, cache_dir, progress=progress)
    return OpenVinoEncoder("bundled", converted, minilm.tokenizer(folder), _BUNDLED)


def _load_static(cache_dir: Path, progress: Progress) -> Encoder:
    from safetensors import safe_open

    from core.encoders.static import StaticEncoder

    folder = minilm.model_dir()
    with safe_open(minilm.check_weights(folder), framework="numpy") as weights:
        table = weights.get_tensor("embeddings.word_embeddings.weight")
    return StaticEncoder("static", table, minilm.tokenizer(folder), _STATIC)


_BUNDLED = Provenance(
    model=minilm.MODEL,
    revision=f"sha256:{minilm.WEIGHTS_SHA256}",
    licence=minilm.LICENCE,
    dimension=minilm.DIMENSION,
    runtime="OpenVINO",
    note="22 million parameters, trained to put sentences that people wrote next to each other (questions and answers, "
    "posts and replies) near each other; no moral judgement was part of its training",
)

_STATIC = replace(
    _BUNDLED,
    runtime="NumPy",
    note="The mean of the same model's input word vectors, before any layer reads the context: "
    "word order and negation cannot matter to it",
)

CATALOG = (
    Entry(
        "bundled",
        "MiniLM sentence encoder",
        "all-MiniLM-L6-v2, small; reads the whole sentence.",
        _BUNDLED,
        _load_bundled,
    ),
    Entry(
        "static",
        "Static word embeddings",
        "The same model's word vectors, averaged; ignores word order and context.",
        _STATIC,
        _load_static,
    ),
)

NAMES = tuple(known.name for known in CATALOG)
