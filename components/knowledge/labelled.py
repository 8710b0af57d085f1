"""Statements of one source with the labels of every chosen classifier: what all views of the page draw from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.knowledge import harms
from core.knowledge.harms import Harms, Intervals, Summary
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
    waiting : tuple of str
        Chosen classifiers whose labels are not made yet.
    opened : str
        By what its labels are remembered.
    """

    key: str
    source: Source
    labels: Mapping[str, NDArray[np.int8]]
    measured: Mapping[str, Harms]
    categories: tuple[str, ...]
    minimum: int
    waiting: tuple[str, ...] = ()
    opened: str = ""

    @property
    def title(self) -> str:
        """Name for people."""
        return self.source.title

    @property
    def name(self) -> str:
        """Name in choices and links; a reader's own file has no other."""
        return "own file" if self.key.startswith("own:") else self.key

    @property
    def classifiers(self) -> list[str]:
        """Every chosen classifier that can label it, labels made or not."""
        return [*self.labels, *self.waiting]

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

    def summaries(self, classifier: str) -> dict[str, tuple[Summary, Intervals]]:
        """Each chosen category in a few numbers with their intervals, and all of them together."""
        found = self.measured[classifier]
        sure = found.category_intervals
        parts = {name: (summary, sure[name]) for name, summary in found.categories.items() if name in self.categories}
        if len(parts) == len(sure):
            return parts | {"all": (found.overall, found.intervals)}
        counts = found.counts[self.targets]
        return parts | {"all": (harms.summarise(counts), harms.intervals(counts))}
