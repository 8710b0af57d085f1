"""The mean of a model's input word embeddings: what is known before any context is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from core.encoders.protocol import Provenance
from core.vectors import FloatArray, check

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class StaticEncoder:
    """Mean of word-piece vectors, without the model's special tokens. Thread-safe: nothing is changed.

    Parameters
    ----------
    name : str
        Short name.
    table : ndarray, shape (vocabulary, d)
        One vector per word piece; made read-only.
    tokenizer : tokenizers.Tokenizer
        Its ids are rows of `table`.
    provenance : Provenance
        Shown beside every result.
    """

    def __init__(self, name: str, table: FloatArray, tokenizer: Tokenizer, provenance: Provenance) -> None:
        self.name, self.provenance = name, provenance
        self._table, self._tokenizer = table, tokenizer
        self._table.setflags(write=False)

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Embed `texts`; a text without a word piece gets that of the unknown token."""
        encodings = self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        unknown = [self._tokenizer.token_to_id("[UNK]") or 0]
        rows = [encoding.ids or unknown for encoding in encodings]
        starts = np.cumsum([0, *(len(row) for row in rows[:-1])])
        if not rows:
            return np.empty((0, self.provenance.dimension), dtype=np.float32)
        sums = np.add.reduceat(self._table[np.concatenate(rows)], starts, axis=0)
        means = sums / np.array([[len(row)] for row in rows], dtype=np.float32)
        return check(means.astype(np.float32, copy=False), count=len(rows))
