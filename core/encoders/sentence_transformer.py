"""A model run by sentence-transformers on torch, for machines where OpenVINO has no wheel."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from core.encoders.protocol import Provenance
from core.vectors import FloatArray, check


class SentenceTransformerEncoder:
    """A sentence-transformers model from a local folder. Thread-safe: one call encodes at a time.

    Parameters
    ----------
    name : str
        Short name.
    folder : Path
        The model's folder; nothing is fetched.
    provenance : Provenance
        Shown beside every result.
    """

    def __init__(self, name: str, folder: Path, provenance: Provenance) -> None:
        from sentence_transformers import SentenceTransformer

        self.name, self.provenance = name, provenance
        self._model: Any = SentenceTransformer(str(folder), local_files_only=True, trust_remote_code=False)
        self._lock = Lock()  # tokenizers refuse concurrent changes of their settings ("Already borrowed")

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Embed `texts`, each distinct text once."""
        if not texts:
            return np.empty((0, self.provenance.dimension), dtype=np.float32)
        distinct = list(dict.fromkeys(texts))
        row = {text: index for index, text in enumerate(distinct)}
        with self._lock:
            vectors = self._model.encode(distinct, show_progress_bar=False, convert_to_numpy=True)
        return check(np.asarray(vectors, dtype=np.float32), count=len(distinct))[[row[text] for text in texts]]
