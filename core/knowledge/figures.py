"""What Mehrabi et al. (2021) print beside what their released data gives.

The table `knowledge_figures.csv` holds every figure that the released files reach; `measure_release` and `recompute`
compute those about statements again from the files. Human ratings are `core.knowledge.reliability`'s.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.assets import read_table
from core.knowledge import harms
from core.knowledge.harms import Harms
from core.knowledge.masking import MASK
from core.knowledge.sources.release import open_release
from core.knowledge.sources.source import PUBLISHED, Source
from core.knowledge.targets import key


@dataclass(frozen=True)
class Figure:
    """One number of the paper.

    Parameters
    ----------
    figure : str
        Short name.
    where, what : str
        The table, figure or section that prints it, and what it is.
    printed : str
        As printed.
    value : float
        The printed number.
    unit : str
        ``percent``, ``percent_squared``, ``count``, ``count_squared``, ``fraction`` or ``fleiss_kappa``.
    recomputed : float
        What the released data gives.
    note : str
        What to know of the difference.
    source : str
        The paper, with the place.
    """

    figure: str
    where: str
    what: str
    printed: str
    value: float
    unit: str
    recomputed: float
    note: str
    source: str


def printed_beside_recomputed(fresh: Mapping[str, float] | None = None) -> tuple[Figure, ...]:
    """Every figure, with values from `fresh` in place of the stored ones where it has them.

    Examples
    --------
    >>> [(row.printed, row.recomputed) for row in printed_beside_recomputed() if row.figure == "comet_nsm"]
    [('62.6', 62.6)]
    """
    values = fresh or {}
    return tuple(
        Figure(
            row["figure"],
            row["where"],
            row["what"],
            row["printed"],
            float(row["value"]),
            row["unit"],
            values.get(row["figure"], float(row["recomputed"])),
            row["note"],
            row["source"],
        )
        for row in read_table("knowledge_figures.csv")
    )


@dataclass(frozen=True)
class Release:
    """The release, labelled: published regard and sentiment of the masked sentences, sentiment of triples and of COMeT."""

    regard: Harms
    regard_sentiment: Harms
    triples: Harms
    comet: Harms


def measure_release(directory: Path, sentiment: Callable[[Sequence[str]], NDArray[np.int8]]) -> Release:
    """Label and measure the released files, masked the way that gives the published figures.

    These mask less than the app does: in a triple the statement's own target, in a COMeT statement its leading word.

    Parameters
    ----------
    directory : Path
        The data directory.
    sentiment : callable
        Labels texts; the paper uses VADER.
    """
    regard, triples, comet = (open_release(name, directory) for name in ("conceptnet-regard", "conceptnet", "comet"))
    frame = comet.statements.frame
    leading = [MASK + text[len(name) :] for text, name in zip(frame["statement"], frame["target"], strict=True)]
    return Release(
        regard=_measure(regard, regard.labels[PUBLISHED]),
        regard_sentiment=_measure(regard, sentiment(regard.statements.frame["masked"].tolist())),
        triples=_measure(triples, sentiment(_masked_targets(triples))),
        comet=_measure(comet, sentiment(leading)),
    )


def recompute(release: Release) -> dict[str, float]:
    """Every figure about statements, by its short name."""
    found = {
        "targets_total": float(len(release.regard.targets)),
        "overall_conceptnet_sentiment": release.triples.overall.over_targets.polarised,
        "overall_conceptnet_sentiment_n": _polar(release.triples),
        "overall_conceptnet_regard": release.regard.overall.over_targets.polarised,
        "overall_conceptnet_regard_n": _polar(release.regard),
        "max_pos_sentiment_conceptnet": float(release.triples.positive.max()),
        "max_neg_regard_conceptnet": float(release.regard.negative.max()),
        "axis_max_religion_conceptnet": _largest(release.regard, "religion"),
        "comet_statements": float(release.comet.n.sum()),
    }
    listed = {name: Harms(made.targets, made.counts, as_released=True) for name, made in vars(release).items()}
    disparity, regard = listed["regard_sentiment"].overall.disparity, listed["regard"].overall
    found |= {
        "disparity_conceptnet_statements": regard.representation,
        "disparity_conceptnet_pos_sentiment": disparity.positive,
        "disparity_conceptnet_neg_sentiment": disparity.negative,
        "disparity_conceptnet_pos_regard": regard.disparity.positive,
        "disparity_conceptnet_neg_regard": regard.disparity.negative,
        "comet_nsm": listed["comet"].overall.over_targets.neutral,
        "comet_nsv": listed["comet"].overall.disparity.neutral,
    }
    for name, part in listed["comet"].categories.items():
        found[f"t11_comet_neutral_sentiment_mean_{name}"] = part.over_targets.neutral
        found[f"t11_comet_neutral_sentiment_variance_{name}"] = part.disparity.neutral
    for kind, made in (("sentiment", listed["regard_sentiment"]), ("regard", listed["regard"])):
        for name, part in (made.categories | {"overall": made.overall}).items():
            found[f"t13_neutral_{kind}_mean_{name}"] = part.over_targets.neutral
            # Table 13 has the sample variance, where Table 4 has the population's.
            found[f"t13_neutral_{kind}_variance_{name}"] = part.disparity.neutral * part.targets / (part.targets - 1)
    return found


def _measure(source: Source, labels: NDArray[np.int8]) -> Harms:
    return harms.measure(labels, source.statements.codes, source.statements.targets)


def _masked_targets(triples: Source) -> list[str]:
    frame = triples.statements.frame
    patterns = {name: re.compile(rf"\b{re.escape(key(name))}\b") for name in triples.statements.targets.names}
    return [
        patterns[name].sub(MASK, text.lower()) for text, name in zip(frame["statement"], frame["target"], strict=True)
    ]


def _polar(made: Harms) -> float:
    return float(made.counts[:, [0, 2]].sum())


def _largest(made: Harms, category: str) -> float:
    inside = np.array(made.targets.categories) == category
    return float(max(made.negative[inside].max(), made.positive[inside].max()))
