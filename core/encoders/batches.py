"""Which texts go through a transformer together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

ROWS = 32
"""Most rows of one batch. Ours, measured: 16 to 64 are within noise of each other on two cores."""

LANES = 2
"""Batches computed side by side; a short request is cut into as many, so that it uses the cores too."""


def plan(lengths: Sequence[int], *, rows: int = ROWS, lanes: int = LANES) -> list[NDArray[np.intp]]:
    """Split texts into batches of similar length, longest first, so that little of a batch is padding.

    Parameters
    ----------
    lengths : sequence of int
        Tokens of each text.

    Returns
    -------
    list of ndarray
        Positions in `lengths`; every position occurs once.

    Examples
    --------
    >>> [batch.tolist() for batch in plan([3, 9, 4], rows=2, lanes=1)]
    [[1, 2], [0]]
    """
    order = np.argsort(-np.asarray(lengths), kind="stable")
    size = max(1, min(rows, -(-len(order) // lanes)))
    return [order[start : start + size] for start in range(0, len(order), size)]


def pad(sequences: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Token ids padded with 0 to the longest of the batch, and the mask that says which are real.

    Examples
    --------
    >>> ids, mask = pad([[7, 8], [9]])
    >>> ids.tolist(), mask.tolist()
    ([[7, 8], [9, 0]], [[1, 1], [1, 0]])
    """
    lengths = np.fromiter(map(len, sequences), dtype=np.intp, count=len(sequences))
    mask = (np.arange(lengths.max())[None, :] < lengths[:, None]).astype(np.int64)
    ids = np.zeros_like(mask)
    ids[mask.astype(bool)] = np.concatenate([np.asarray(sequence, dtype=np.int64) for sequence in sequences])
    return ids, mask
