"""Embeddings that were computed once are not computed again.

One cache serves every session of an encoder. It is bounded by bytes and forgets what was used longest ago.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zlib
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

import numpy as np

from core.encoders.protocol import Encoder, Progress, Provenance
from core.vectors import FloatArray

MAX_BYTES = 64 << 20
"""Memory for one encoder's embeddings: about 40,000 of 384 numbers."""

CHUNK = 512
"""Texts encoded between two reports of progress (and two chances to stop): about half a second of work."""


class CachedEncoder:
    """An encoder that remembers. Is an `Encoder` itself; thread-safe if the one inside is.

    Parameters
    ----------
    encoder : Encoder
        Computes what is not remembered.
    max_bytes : int
        Bound on the remembered vectors.
    """

    def __init__(self, encoder: Encoder, *, max_bytes: int = MAX_BYTES) -> None:
        self._encoder = encoder
        self._limit = max(1, max_bytes // (encoder.provenance.dimension * 4))
        self._rows: OrderedDict[str, FloatArray] = OrderedDict()
        self._lock = Lock()

    @property
    def name(self) -> str:
        """Name of the encoder inside."""
        return self._encoder.name

    @property
    def provenance(self) -> Provenance:
        """Provenance of the encoder inside."""
        return self._encoder.provenance

    def encode(self, texts: Sequence[str], *, progress: Progress | None = None) -> FloatArray:
        """Embed `texts`, computing only those that are not remembered; the result may be written to."""
        found = self._recall(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        for start in range(0, len(missing), CHUNK):
            if progress:
                progress(start / len(missing), f"Encoding {len(missing):,} sentences")
            part = missing[start : start + CHUNK]
            fresh = dict(zip(part, self._encoder.encode(part), strict=True))
            found.update(fresh)
            self._remember(fresh)
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
            self._remember(dict(zip(texts, vectors, strict=True)))
        return vectors

    def _recall(self, texts: Sequence[str]) -> dict[str, FloatArray]:
        with self._lock:
            found = {text: self._rows[text] for text in texts if text in self._rows}
            for text in found:
                self._rows.move_to_end(text)
        return found

    def _remember(self, fresh: dict[str, FloatArray]) -> None:
        with self._lock:
            for text, vector in fresh.items():
                self._rows[text] = vector.copy()  # a view would keep its whole batch alive
                self._rows.move_to_end(text)
            while len(self._rows) > self._limit:
                self._rows.popitem(last=False)

    def _fingerprint(self, texts: Sequence[str]) -> str:
        made_by = (self.name, self.provenance.revision, self.provenance.runtime)
        return hashlib.sha256("\0".join((*made_by, *texts)).encode()).hexdigest()[:32]


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
