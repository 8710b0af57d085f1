"""Mitigation by filtering: without the statements that are not neutral, what is left, and what did it cost?

Source: Mehrabi et al. (2021, section 4.3). A statement goes if any of the chosen classifiers calls it anything but
neutral, and with it the record of the source that it comes from. The paper trains a model on what is left; here the
knowledge base itself is measured before and after.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.knowledge.harms import Harms, Interval, measure, over_targets
from core.knowledge.sources.source import Source


@dataclass(frozen=True)
class Side:
    """A knowledge base by one classifier, before or after.

    Parameters
    ----------
    neutral_mean, neutral_variance : float
        Mean and population variance over targets of the percentage of neutral statements: NSM and NSV by sentiment, NRM and
        NRV by regard. A target without statements counts 0 %, so that emptying a target is no improvement.
    covered_mean, covered_variance : float
        The same over the targets that have statements on this side alone.
    representation, negative, positive : float
        Disparities D_R, D_O⁻ and D_O⁺.
    interval_… : tuple of float or None
        95 % percentile bootstrap interval over targets of the number of that name; None over too few
        (`core.knowledge.harms.FEWEST`).
    """

    neutral_mean: float
    neutral_variance: float
    covered_mean: float
    covered_variance: float
    representation: float
    negative: float
    positive: float
    interval_neutral_mean: Interval | None
    interval_neutral_variance: Interval | None
    interval_covered_mean: Interval | None
    interval_covered_variance: Interval | None
    interval_representation: Interval | None
    interval_negative: Interval | None
    interval_positive: Interval | None


@dataclass(frozen=True)
class Mitigation:
    """What filtering changes and costs.

    Parameters
    ----------
    before, after : mapping of str to Side
        By classifier.
    keep : ndarray of bool, shape (statements,)
        Statements that stay.
    records : ndarray of bool, shape (records of the source,)
        Records that stay; those that name no target do.
    statements, targets : int
        How many there were: statements, and targets with at least one.
    statements_lost, targets_lost, records_lost : int
        How many went; a target is lost with its last statement.
    """

    before: Mapping[str, Side]
    after: Mapping[str, Side]
    keep: NDArray[np.bool_]
    records: NDArray[np.bool_]
    statements: int
    targets: int
    statements_lost: int
    targets_lost: int
    records_lost: int


def mitigate(source: Source, labels: Mapping[str, NDArray[np.int8]]) -> Mitigation:
    """Filter a source by the labels of one or more classifiers.

    Parameters
    ----------
    source : Source
        n statements.
    labels : mapping of str to ndarray of int8, shape (n,)
        Labels by classifier; 0 stays, anything else goes.

    Raises
    ------
    InputError
        No classifier.
    """
    if not labels:
        raise InputError(expected="at least one classifier", got="none", remedy="choose one")
    targets, codes = source.statements.targets, source.statements.codes
    before = {name: measure(found, codes, targets) for name, found in labels.items()}
    records = np.ones(len(source.original), dtype=np.bool_)
    # A record that names two targets goes as a whole, so its other statement goes as well.
    records[source.records[np.any([found != 0 for found in labels.values()], axis=0)]] = False
    keep = records[source.records]
    after = {name: measure(found[keep], codes[keep], targets) for name, found in labels.items()}
    held, left = (np.bincount(part, minlength=len(targets)) > 0 for part in (codes, codes[keep]))
    return Mitigation(
        before={name: side(found) for name, found in before.items()},
        after={name: side(found) for name, found in after.items()},
        keep=keep,
        records=records,
        statements=len(codes),
        targets=int(held.sum()),
        statements_lost=int((~keep).sum()),
        targets_lost=int((held & ~left).sum()),
        records_lost=int((~records).sum()),
    )


def side(harms: Harms) -> Side:
    """The numbers of one side.

    Examples
    --------
    >>> from core.knowledge.targets import Targets
    >>> found = side(Harms(Targets(("a", "b"), ("x", "x")), np.array([[1, 3, 0, 0], [0, 0, 0, 0]])))
    >>> found.neutral_mean, found.covered_mean, found.representation
    (37.5, 75.0, 4.0)
    """
    overall, sure, covered = harms.overall, harms.intervals, harms.neutral[harms.n > 0]
    means, variances = over_targets(covered[None])
    return Side(
        neutral_mean=overall.over_targets.neutral,
        neutral_variance=overall.disparity.neutral,
        covered_mean=float(covered.mean()) if len(covered) else 0.0,
        covered_variance=float(covered.var()) if len(covered) else 0.0,
        representation=overall.representation,
        negative=overall.disparity.negative,
        positive=overall.disparity.positive,
        interval_neutral_mean=sure.over_targets.neutral,
        interval_neutral_variance=sure.disparity.neutral,
        interval_covered_mean=means[0],
        interval_covered_variance=variances[0],
        interval_representation=sure.representation,
        interval_negative=sure.disparity.negative,
        interval_positive=sure.disparity.positive,
    )


def write(source: Source, found: Mitigation, path: Path) -> None:
    """Write what is left in the source's own format: a file, or a folder where the source is one.

    Raises
    ------
    InputError
        It cannot be written there.
    """
    source.original.write(path, found.records)
