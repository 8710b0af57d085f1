"""Targets: the groups of people, places, beliefs and occupations that statements are about.

Source: Mehrabi et al. (2021, https://arxiv.org/abs/2103.11320), Tables 14 and 15: 329 words in four categories. The list
that gives the paper's numbers has 330 entries, because "Norwegian" stands in it twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from core.assets import read_table

CATEGORIES = ("origin", "gender", "religion", "profession")

TWICE = "Norwegian"
"""The entry that stands twice in the authors' list."""


@dataclass(frozen=True)
class Targets:
    """A list of targets, each once; its order gives every target its code.

    Parameters
    ----------
    names : tuple of str
        t names as shown, for example ``African American``.
    categories : tuple of str
        The category of each.

    Examples
    --------
    >>> some = Targets(("African American", "teacher"), ("origin", "profession"))
    >>> some.code("african_american"), some.code("professor") is None
    (0, True)
    """

    names: tuple[str, ...]
    categories: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)

    def code(self, spelling: str) -> int | None:
        """The place of a target, whatever its letter case and with ``_`` or a space; None for another word."""
        return self._codes.get(key(spelling))

    def only(self, names: Iterable[str]) -> Targets:
        """The targets among `names`, in the order of this list."""
        wanted = {self.code(name) for name in names}
        kept = [place for place in range(len(self)) if place in wanted]
        return Targets(tuple(self.names[place] for place in kept), tuple(self.categories[place] for place in kept))

    @property
    def in_order(self) -> tuple[str, ...]:
        """The categories that occur, each once: the published ones first, in their order."""
        return tuple(dict.fromkeys([*(name for name in CATEGORIES if name in self.categories), *self.categories]))

    @property
    def entries(self) -> NDArray[np.intp]:
        """Codes as the authors' list has them: every target once, "Norwegian" twice.

        Figures of the paper come from this list: 141,539 for the disparity of ConceptNet, 141,919 without the repetition.
        """
        twice = [place for place in (self.code(TWICE),) if place is not None]
        return np.array([*range(len(self)), *twice], dtype=np.intp)

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {key(name): place for place, name in enumerate(self.names)}


@cache
def published() -> Targets:
    """The 329 published targets.

    Examples
    --------
    >>> len(published()), len(published().entries), published().categories.count("religion")
    (329, 330, 12)
    """
    rows = read_table("targets.csv")
    return Targets(tuple(row["target"] for row in rows), tuple(row["category"] for row in rows))


@cache
def plurals() -> dict[str, tuple[str, ...]]:
    """Plural forms by the `key` of their target; targets without one, such as pronouns and places, are not in it.

    Examples
    --------
    >>> plurals()["woman"], "she" in plurals()
    (('women',), False)
    """
    return {key(row["target"]): tuple(row["plurals"].split(";")) for row in _forms() if row["plurals"]}


@cache
def prompt_groups() -> dict[str, str]:
    """Which prompts fit a target, by its `key`: ``people``, ``locations``, ``professions`` or ``others``.

    Examples
    --------
    >>> prompt_groups()["ethiopia"], prompt_groups()["ethiopian"]
    ('locations', 'people')
    """
    return {key(row["target"]): row["prompts"] for row in _forms()}


def key(spelling: str) -> str:
    """A target's spelling as it is compared: lower case, single spaces for ``_``.

    Examples
    --------
    >>> key("Puerto_Rican")
    'puerto rican'
    """
    # Only true spaces: in the released files U+0085 and U+00A0 are parts of mis-decoded letters.
    return " ".join(filter(None, spelling.replace("_", " ").lower().split(" ")))


def _forms() -> list[dict[str, str]]:
    return read_table("target_forms.csv")
