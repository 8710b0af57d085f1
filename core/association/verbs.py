"""Verb extraction: the verbs of a vocabulary that go most with positive and with negative words.

Source: Jentzsch et al. (2019), section 3.1, https://doi.org/10.1145/3306618.3314267.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.assets import column
from core.association.lexicon import spelling
from core.association.sets import WordSet, kept
from core.association.weat import association
from core.encoders.cache import CachedEncoder
from core.errors import InputError
from core.vectors import FloatArray

TOP = 50
"""Verbs of either list, as in the paper."""


@dataclass(frozen=True)
class Extraction:
    """A vocabulary in the order of its association.

    Parameters
    ----------
    verbs : tuple of str
        By decreasing association with the positive words.
    weat : ndarray, shape (n,)
        s(verb, positive, negative) of each, Jentzsch et al. (2019), Eq. 1; range [-2, 2].
    top : int
        Length of either list.
    in_sets : frozenset of str
        Verbs that are association words themselves, and so are compared with themselves among others.
    """

    verbs: tuple[str, ...]
    weat: FloatArray
    top: int
    in_sets: frozenset[str]

    @property
    def dos(self) -> tuple[tuple[str, float], ...]:
        """The most positive verbs with their association, most positive first."""
        return tuple(zip(self.verbs[: self.top], self.weat[: self.top].tolist(), strict=True))

    @property
    def donts(self) -> tuple[tuple[str, float], ...]:
        """The most negative verbs with their association, most negative first."""
        return tuple(zip(self.verbs[: -self.top - 1 : -1], self.weat[: -self.top - 1 : -1].tolist(), strict=True))


@dataclass(frozen=True)
class Overlap:
    """How an extraction agrees with the 50 Dos and 50 Don'ts that the paper prints.

    Parameters
    ----------
    dos, donts : tuple of str
        Verbs on the same side in both, as published.
    opposite : tuple of str
        Verbs on opposite sides.
    known_dos, known_donts : int
        How many of the published 50 the vocabulary holds at all.
    """

    dos: tuple[str, ...]
    donts: tuple[str, ...]
    opposite: tuple[str, ...]
    known_dos: int
    known_donts: int


def extract(
    encoder: CachedEncoder, verbs: Sequence[str], positive: WordSet, negative: WordSet, *, top: int = TOP
) -> Extraction:
    """Order the verbs that an encoder knows by their association with two word sets.

    Raises
    ------
    InputError
        Fewer verbs than both lists need, or over a fifth of a set is missing from the encoder's vocabulary.
    """
    verbs = encoder.known(verbs)
    positive, negative = (kept(words, encoder.vocabulary) for words in (positive, negative))
    if not 1 <= top <= len(verbs) // 2:
        raise InputError(
            expected=f"a length of either list from 1 to {len(verbs) // 2} (half of {len(verbs):,} verbs)",
            got=f"{top:,}",
            remedy="ask for fewer verbs, or use a larger vocabulary",
        )
    weat = association(encoder.encode(verbs), encoder.encode(positive.words), encoder.encode(negative.words))
    order = np.argsort(-weat, kind="stable")
    known = {word.casefold() for word in (*positive.words, *negative.words)}
    return Extraction(
        verbs=tuple(verbs[place] for place in order),
        weat=weat[order],
        top=top,
        in_sets=frozenset(verb for verb in verbs if verb in known),
    )


def overlap(extraction: Extraction) -> Overlap:
    """Compare an extraction with the published lists, whatever the spelling (British there).

    Examples
    --------
    >>> found = Extraction(("savor", "smile", "harm", "rot"), np.array([0.2, 0.1, -0.1, -0.2]), 2, frozenset())
    >>> overlap(found)
    Overlap(dos=('smile', 'savour'), donts=('harm', 'rot'), opposite=(), known_dos=2, known_donts=2)
    """
    published_dos = column("mcm_verbs.csv", "verb", side="do")
    published_donts = column("mcm_verbs.csv", "verb", side="dont")
    dos, donts = ({spelling(verb) for verb, _ in side} for side in (extraction.dos, extraction.donts))
    known = {spelling(verb) for verb in extraction.verbs}
    return Overlap(
        dos=_among(published_dos, dos),
        donts=_among(published_donts, donts),
        opposite=_among(published_dos, donts) + _among(published_donts, dos),
        known_dos=len(_among(published_dos, known)),
        known_donts=len(_among(published_donts, known)),
    )


def _among(published: Sequence[str], spellings: set[str]) -> tuple[str, ...]:
    return tuple(verb for verb in published if spelling(verb) in spellings)
