"""What every encoder offers, and where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.vectors import FloatArray

Progress = Callable[[float, str], None]
"""Called with the share done (0 to 1) and what is happening, during anything slow."""


@dataclass(frozen=True)
class Provenance:
    """Where an encoder's numbers come from, as shown beside every result.

    Parameters
    ----------
    model : str
        Public name of the model.
    revision : str
        What pins it: a revision or the SHA-256 of its weights.
    licence : str
        Licence of the weights.
    dimension : int
        Length of one embedding.
    runtime : str
        The library that computes it on this machine.
    note : str
        One sentence on how it was trained and what follows for its reader.
    """

    model: str
    revision: str
    licence: str
    dimension: int
    runtime: str
    note: str

    @property
    def identity(self) -> str:
        """What two encoders share that give the same numbers: by it embeddings are remembered and kept."""
        return "\0".join((self.model, self.revision, self.runtime))


class Encoder(Protocol):
    """A sentence encoder. Implementations are thread-safe: one instance serves every session."""

    @property
    def name(self) -> str:
        """Short name, as in links and on the command line."""

    @property
    def provenance(self) -> Provenance:
        """Where it comes from."""

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Embed `texts`; returns float32 of shape (len(texts), dimension), row i for text i."""
