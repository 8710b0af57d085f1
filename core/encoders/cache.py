"""Embeddings that were computed once are not computed again.

One store serves every encoder and every session of a process. It is bounded by bytes and forgets what was used longest
ago.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import zlib
from collections import OrderedDict
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from threading import Lock

import numpy as np

from core.encoders.protocol import Encoder, Progress, Provenance
from core.vectors import FloatArray

MAX_BYTES = 256 << 20
"""Memory for embeddings: about 120,000 of 384 numbers."""

ENTRY_BYTES = 320
"""What the store itself needs to keep one row: its key, its place in the order, the array around the numbers."""

CHUNK = 512
"""Texts encoded between two reports of progress (and two chances to stop): about half a second of work."""


class Vectors:
    """Embeddings by encoder and text, bounded by bytes; thread-safe.

    Parameters
    ----------
    max_bytes : int
        Bound on vectors, texts and what keeping them costs.
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes, self._bytes = max_bytes, 0
        self._rows: OrderedDict[tuple[str, str], FloatArray] = OrderedDict()
        self._lock = Lock()

    @property
    def bytes(self) -> int:
        """What is held now."""
        return self._bytes

    def recall(self, identity: str, texts: Sequence[str]) -> dict[str, FloatArray]:
        """The rows of those `texts` that the encoder with this identity embedded before."""
        found = {}
        with self._lock:
            for text in texts:
                vector = self._rows.get((identity, text))
                if vector is not None:
                    self._rows.move_to_end((identity, text))
                    found[text] = vector
        return found

    def remember(self, identity: str, fresh: Mapping[str, FloatArray]) -> None:
        """Keep rows, and forget what was used longest ago where they are too many."""
        with self._lock:
            for text, vector in fresh.items():
                key = identity, text
                if key not in self._rows:
                    self._bytes += _cost(key, vector)
                self._rows[key] = vector.copy()  # a view would keep its whole batch alive
                self._rows.move_to_end(key)
            while self._bytes > self._max_bytes:
                self._bytes -= _cost(*self._rows.popitem(last=False))


def _cost(key: tuple[str, str], vector: FloatArray) -> int:
    return vector.nbytes + sys.getsizeof(key[1]) + ENTRY_BYTES


class CachedEncoder:
    """An encoder that remembers. Is an `Encoder` itself; thread-safe if the one inside is.

    Parameters
    ----------
    encoder : Encoder
        Computes what is not remembered.
    vectors : Vectors, optional
        What is shared with other encoders and sessions; by default a store of its own.
    """

    def __init__(self, encoder: Encoder, vectors: Vectors | None = None) -> None:
        self.inside = encoder
        self._vectors = Vectors() if vectors is None else vectors

    @property
    def name(self) -> str:
        """Name of the encoder inside."""
        return self.inside.name

    @property
    def provenance(self) -> Provenance:
        """Provenance of the encoder inside."""
        return self.inside.provenance

    @property
    def vocabulary(self) -> Container[str] | None:
        """The words the encoder knows, or None if it reads any text."""
        return getattr(self.inside, "vocabulary", None)

    def known(self, words: Sequence[str]) -> tuple[str, ...]:
        """Those of `words` that the encoder can embed, in order."""
        vocabulary = self.vocabulary
        return tuple(words) if vocabulary is None else tuple(word for word in words if word in vocabulary)

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> FloatArray:
        """Embed `texts`, computing only those that are not remembered; the result may be written to."""
        identity = self.provenance.identity
        found = self._vectors.recall(identity, texts)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        for start in range(0, len(missing), CHUNK):
            if progress:
                progress(start / len(missing), f"Encoding {len(missing):,} sentences")
            part = missing[start : start + CHUNK]
            fresh = dict(zip(part, self.inside.encode(part), strict=True))
            found.update(fresh)
            self._vectors.remember(identity, fresh)
        if not texts:
            return np.empty((0, self.provenance.dimension), dtype=np.float32)
        return np.stack([found[text] for text in texts])

    def encode_kept(self, texts: Sequence[str], folder: Path, *, progress: Progress | None = None) -> FloatArray:
        """Like `encode`, for reference texts: the result is also kept as a file in `folder` for the next start.

        A file is named after the encoder and the texts, so another model or another word makes another file.
        One that cannot be read, or whose size or checksum is wrong, is made anew.
        """
        path = folder / f"{self._fingerprint(texts)}.f32"
        vectors = _read(path, (len(texts), self.provenance.dimension))
        if vectors is None:
            vectors = self.encode(texts, progress=progress)
            _write(path, vectors)
        else:
            self._vectors.remember(self.provenance.identity, dict(zip(texts, vectors, strict=True)))
        return vectors

    def _fingerprint(self, texts: Sequence[str]) -> str:
        return hashlib.sha256("\0".join((self.provenance.identity, *texts)).encode()).hexdigest()[:32]


def _read(path: Path, shape: tuple[int, int]) -> FloatArray | None:
    """The float32 rows of a kept file, or None where it is missing or not what was written."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    rows, checksum = content[:-_CHECKSUM], content[-_CHECKSUM:]
    if len(rows) != 4 * shape[0] * shape[1] or _checksum(rows) != checksum:
        return None
    return np.frombuffer(rows, dtype="<f4").reshape(shape).astype(np.float32)


def _write(path: Path, vectors: FloatArray) -> None:
    """Keep `vectors` at `path`, atomically; where nothing can be written, go on without."""
    rows = vectors.astype("<f4").tobytes()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent, suffix=path.suffix)
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(rows + _checksum(rows))
        Path(name).replace(path)
    except OSError:
        return


_CHECKSUM = 4
"""Bytes of CRC-32: against damage, not against malice; the file is our own, in the user's own folder."""


def _checksum(rows: bytes) -> bytes:
    return zlib.crc32(rows).to_bytes(_CHECKSUM, "big")
