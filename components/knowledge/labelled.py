"""Statements of one source with the labels of every chosen classifier: what all views of the page draw from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.knowledge import harms
from core.knowledge.harms import Harms, Summary
from core.knowledge.sources.source import Source


@dataclass(frozen=True)
class Labelled:
    """A source, labelled.

    Parameters
    ----------
    key : str
        What the source is called in exports.
    source : Source
        n statements.
    labels : mapping of str to ndarray of int8, shape (n,)
        By classifier.
    measured : mapping of str to Harms
        By classifier, over all targets of the source.
    categories : tuple of str
        The chosen ones, in order.
    minimum : int
        Fewest statements of a target that is drawn in colour.
    """

    key: str
    source: Source
    labels: Mapping[str, NDArray[np.int8]]
    measured: Mapping[str, Harms]
    categories: tuple[str, ...]
    minimum: int

    @property
    def title(self) -> str:
        """Name for people."""
        return self.source.title

    @property
    def targets(self) -> NDArray[np.intp]:
        """Places of the targets of the chosen categories, shape (t,)."""
        return np.flatnonzero(np.isin(np.array(self.source.statements.targets.categories), self.categories))

    @property
    def drawn(self) -> NDArray[np.intp]:
        """Places of those among them with enough statements."""
        first = next(iter(self.measured.values()))
        return self.targets[first.enough(self.minimum)[self.targets]]

    def names(self, places: Sequence[int] | NDArray[np.intp]) -> list[str]:
        """Names of targets."""
        known = self.source.statements.targets.names
        return [known[place] for place in places]

    def category(self, places: Sequence[int] | NDArray[np.intp]) -> list[str]:
        """Categories of targets."""
        known = self.source.statements.targets.categories
        return [known[place] for place in places]

    def summaries(self, classifier: str) -> dict[str, Summary]:
        """Each chosen category in a few numbers, and all of them together."""
        found = self.measured[classifier]
        parts = {name: summary for name, summary in found.categories.items() if name in self.categories}
        if len(parts) == len(found.categories):
            return parts | {"all": found.overall}
        return parts | {"all": harms.summarise(found.counts[self.targets])}
