"""The encoders that this installation offers, by name: those that ship, and those that its registry file names.

Nothing else is loaded by name, so a link cannot make a server load a file or call an address.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

from core.encoders import endpoint, memory, minilm, registry, sentence_transformer, universal, words
from core.encoders.cache import CachedEncoder, Vectors
from core.encoders.memory import Pool, PooledEncoder
from core.encoders.protocol import Encoder, Progress, Provenance
from core.encoders.registry import Spec
from core.errors import EncoderError

DEFAULT = registry.BUNDLED


@dataclass(frozen=True)
class Entry:
    """One line of the catalogue: what a reader chooses from, before anything is loaded.

    Parameters
    ----------
    name, title, summary : str
        For links and the command line, for people, and what it is in a sentence.
    spec : Spec
        What is loaded.
    provenance : Provenance or None
        Known before loading only for what ships.
    """

    name: str
    title: str
    summary: str
    spec: Spec
    provenance: Provenance | None = None

    @property
    def key(self) -> str:
        """By what results of it are cached: another spec under the same name is another encoder."""
        return f"{self.name} {self.spec}"

    @property
    def sends_to(self) -> str:
        """The server that text is sent to, or nothing where it stays on this machine."""
        return urlsplit(self.spec.target).netloc if self.spec.kind == registry.ENDPOINT else ""

    @property
    def weak_for_sentences(self) -> bool:
        """Whether it knows words only, so that a sentence is no more than their mean."""
        return self.spec.kind in (registry.STATIC, registry.WORDS)

    def size(self) -> int:
        """Bytes of memory it needs when loaded, from its files; about.

        Raises
        ------
        EncoderError
            Its files are missing or not what they should be.
        """
        return _KINDS[self.spec.kind].size(self.spec)

    def load(self, cache_dir: Path, progress: Progress) -> Encoder:
        """Load it, without a cache around it.

        Raises
        ------
        EncoderError
            Its files are missing or damaged, or it cannot be reached.
        """
        return _KINDS[self.spec.kind].load(self.name, self.spec, cache_dir, progress)


def default_cache_dir() -> Path:
    """Where converted models and reference embeddings are kept: ``$MORALSCOPE_CACHE``, else the user's cache."""
    if chosen := os.environ.get("MORALSCOPE_CACHE"):
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("moralscope", appauthor=False)


def entries() -> tuple[Entry, ...]:
    """What a reader may choose from: the bundled encoders, then those of the registry file.

    Raises
    ------
    EncoderError
        The registry file cannot be used.
    """
    further = (Entry(item.name, item.title, item.summary, item.spec) for item in registry.find().encoders)
    return (*BUNDLED, *further)


def default() -> str:
    """Name of the encoder used where none is named."""
    return registry.find().default or DEFAULT


def entry(name: str, *, specs: bool = False) -> Entry:
    """The line of the catalogue called `name`.

    Parameters
    ----------
    specs : bool
        Also take a spec, such as ``st:PATH``, relative to the working directory: for whoever may run any program here
        anyway, never for a server.

    Raises
    ------
    EncoderError
        No such name, or the registry file cannot be used.

    Examples
    --------
    >>> entry("static").title
    'Static word embeddings'
    """
    known = {item.name: item for item in entries()}
    if name in known:
        return known[name]
    if specs and ":" in name:
        return Entry(name, name, name, registry.parse_spec(name, Path.cwd()))
    raise EncoderError(
        expected=f"an encoder named {' or '.join(known)[:200]}",
        got=repr(name[:40]),
        remedy=f"choose one of these names, or add it to {registry.FILE}",
    )


def load(
    name: str,
    cache_dir: Path,
    *,
    progress: Progress = lambda share, what: None,
    specs: bool = False,
    pool: Pool | None = None,
    vectors: Vectors | None = None,
) -> CachedEncoder:
    """Load an encoder of the catalogue.

    Parameters
    ----------
    name : str
        Name of one of `entries()`.
    cache_dir : Path
        Where a converted model is kept.
    progress : callable, optional
        Told the share done while something slow happens.
    specs : bool
        Also take a spec, see `entry`.
    pool : Pool, optional
        Where loaded encoders share the budget of memory; by default the budget is its own.
    vectors : Vectors, optional
        Where embeddings are remembered; by default in a store of its own.

    Raises
    ------
    EncoderError
        Unknown name; its files are missing or damaged; it does not fit into memory.
    """
    chosen = entry(name, specs=specs)
    if chosen.spec.kind == registry.USE:  # else what is fetched lies in a folder that everybody may write to
        os.environ.setdefault("TFHUB_CACHE_DIR", str(cache_dir / "tfhub"))
    pool = Pool(memory.budget()) if pool is None else pool
    told: list[Progress] = [progress]  # of the first time: nobody looks when it is loaded again

    def once() -> Encoder:
        return chosen.load(cache_dir, told.pop() if told else lambda share, what: None)

    return CachedEncoder(PooledEncoder(chosen.key, chosen.size(), once, pool), vectors)


def _load_bundled(name: str, spec: Spec, cache_dir: Path, progress: Progress) -> Encoder:
    from importlib.util import find_spec

    folder = minilm.model_dir()
    minilm.check_weights(folder)
    if os.environ.get("MORALSCOPE_RUNTIME") == "torch" or find_spec("openvino") is None:
        from core.encoders.sentence_transformer import SentenceTransformerEncoder

        return SentenceTransformerEncoder(name, folder, replace(_BUNDLED, runtime="torch"), spec.precision)
    from core.encoders.conversion import converted_model
    from core.encoders.openvino import OpenVinoEncoder

    converted = converted_model(folder, minilm.WEIGHTS_SHA256, cache_dir, progress=progress)
    return OpenVinoEncoder(name, converted, minilm.tokenizer(folder), _BUNDLED, spec.precision)


def _load_static(name: str, spec: Spec, cache_dir: Path, progress: Progress) -> Encoder:
    from safetensors import safe_open

    from core.encoders.static import StaticEncoder

    folder = minilm.model_dir()
    with safe_open(minilm.check_weights(folder), framework="numpy") as weights:
        table = weights.get_tensor("embeddings.word_embeddings.weight")
    return StaticEncoder(name, table, minilm.tokenizer(folder), _STATIC)


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
    "word order cannot matter to it, and “not” is a word among others",
)

BUNDLED = (
    Entry(
        "bundled",
        "MiniLM sentence encoder",
        "all-MiniLM-L6-v2, small; reads the whole sentence.",
        Spec(registry.BUNDLED),
        _BUNDLED,
    ),
    Entry(
        "static",
        "Static word embeddings",
        "The same model's word vectors, averaged; ignores word order and context.",
        Spec(registry.STATIC),
        _STATIC,
    ),
)
"""What every installation has."""

NAMES = tuple(known.name for known in BUNDLED)


@dataclass(frozen=True)
class _Kind:
    size: Callable[[Spec], int]
    load: Callable[[str, Spec, Path, Progress], Encoder]


_KINDS = {
    registry.BUNDLED: _Kind(lambda spec: 2 * minilm.WEIGHTS_BYTES, _load_bundled),
    registry.STATIC: _Kind(lambda spec: minilm.WEIGHTS_BYTES // 2, _load_static),
    registry.ST: _Kind(sentence_transformer.size, sentence_transformer.load),
    registry.WORDS: _Kind(words.size, words.load),
    registry.ENDPOINT: _Kind(endpoint.size, endpoint.load),
    registry.USE: _Kind(universal.size, universal.load),
}
