"""Positions that Schramowski et al. (2019) print for their axis, turned to point the way ours does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.assets import read_table
from core.vectors import FloatArray

ENCODERS = {"bert": "BERT (Sentence-BERT large)", "use": "Universal Sentence Encoder"}
KINDS = ("atomic", "context")


@dataclass(frozen=True)
class Published:
    """Table 9 for one encoder and one kind of action.

    Parameters
    ----------
    actions : tuple of str
        n actions, in printed order.
    positions : ndarray, shape (n,)
        Printed values with the sign turned: the paper prints the *Do* side negative.
    """

    actions: tuple[str, ...]
    positions: FloatArray


def table9(encoder: str, kind: str) -> Published:
    """Read one block of Table 9.

    Parameters
    ----------
    encoder : str
        One of `ENCODERS`.
    kind : str
        ``atomic`` (65 actions) or ``context`` (56).

    Examples
    --------
    >>> table9("bert", "atomic").actions[0], float(table9("bert", "atomic").positions[0])
    ('welcome', 7.9075)
    """
    rows = [row for row in read_table("moral_axis.csv") if (row["encoder"], row["kind"]) == (encoder, kind)]
    return Published(tuple(row["action"] for row in rows), -np.array([float(row["m"]) for row in rows]))
