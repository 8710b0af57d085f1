"""Overgeneralization and disparity of whole sources: boxes per category, counts, and the numbers in a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from components import readings
from components.exhibit import Exhibit, Panel
from components.figures import boxes
from components.figures.scatter import SYMBOLS
from components.knowledge import statements
from components.knowledge.labelled import Labelled
from components.knowledge.statements import Point
from core.knowledge.harms import FEWEST, Interval, Intervals, Summary


def view(found: Sequence[Labelled], made_with: str, limit: str, link: Mapping[str, Any]) -> None:
    """Draw Figures 1 and 4 of the paper for every source, and the table behind both."""
    st.header("Overgeneralization")
    st.caption(
        "Each point is a target: the share of its statements that a classifier calls negative, or positive. Boxes: "
        "quartiles over the targets of a category; dashed: the mean. A target whose statements are all neutral lies at 0 "
        "(Mehrabi et al. 2021, Figure 1)."
    )
    for item in found:
        left_out = len(item.targets) - len(item.drawn)
        if left_out:
            st.text(
                f"{item.title}: {left_out} of {len(item.targets)} targets have fewer than {item.minimum} statements."
            )
    _boxes(found, made_with, limit, link)
    st.subheader("In numbers")
    st.caption(
        "Over targets: mean of the targets' shares, every target alike. Pooled: share of all statements. The paper sets the "
        "first of ConceptNet (3.4 %) against the second of GenericsKB (36.5 %) as if they were one. D_O: variance of the "
        "shares over targets; D_R: variance of the number of statements. 0 would be no disparity. Beside each: its 95 % interval "
        f"by bootstrap over targets, from {FEWEST} on. For the released files the means go over the authors' list of 330 entries, in which one "
        "target stands twice; the command line counts it once."
    )
    rows = [
        row
        for item in found
        for classifier in item.measured
        for category, (summary, sure) in item.summaries(classifier).items()
        for row in [_row(item.key, classifier, category, summary, sure)]
    ]
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={
            name: st.column_config.NumberColumn(name.replace("_", " "), format=form) for name, form in _FORMATS.items()
        }
        | {f"{name}_95": st.column_config.TextColumn("95 %") for name in _FORMATS},
        alt="Overgeneralization and disparity per source, classifier and category",
    )
    st.header("Disparity in representation")
    st.caption(
        "How many statements each target has (Figure 4 of the paper); where they differ much, on a logarithmic scale."
    )
    _counts(found, made_with, link)
    statements.view(found)


def panels(found: Sequence[Labelled]) -> list[Panel]:
    """The boxes of every source: negative, then positive, on one scale."""
    groups = {
        (index, side): [
            boxes.Group(
                f"{classifier}: {side}",
                SYMBOLS[place % len(SYMBOLS)],
                names,
                item.category(drawn),
                getattr(harms, side)[drawn],
                [Point(name, (side,), classifier).key for name in names],
            )
            for place, (classifier, harms) in enumerate(item.measured.items())
        ]
        for index, item in enumerate(found)
        for drawn in [item.drawn]
        for names in [item.names(drawn)]
        for side in ("negative", "positive")
    }
    top = max((float(group.values.max(initial=0.0)) for several in groups.values() for group in several), default=1.0)
    return [
        Panel(
            f"{found[index].title}: {side}"
            + (f", by {next(iter(found[index].measured))}" if len(several) == 1 else ""),
            boxes.figure(several, y_title=f"{side} statements of a target, %", top=top or 1.0),
            readings.overgeneralization(found[index].title, side, several),
        )
        for (index, side), several in groups.items()
    ]


def _boxes(found: Sequence[Labelled], made_with: str, limit: str, link: Mapping[str, Any]) -> None:
    statements.leading(
        Exhibit(
            key="overgeneralization",
            title="Overgeneralization",
            panels=panels(found),
            rows=[row for item in found for row in per_target(item)],
            limit=limit,
            made_with=made_with,
            link=link,
        ),
        _classifiers(found),
    )


def _counts(found: Sequence[Labelled], made_with: str, link: Mapping[str, Any]) -> None:
    drawn = []
    for item in found:
        harms = next(iter(item.measured.values()))
        n = harms.n[item.targets]
        names = item.names(item.targets)
        keys = [Point(name).key for name in names]
        most, fewest = int(n.argmax()), int(n.argmin())
        none, logarithmic = int((n == 0).sum()), bool(n.any()) and bool(n.max() > 20 * n[n > 0].min())
        without = f"; {none} targets have none" + (" and are not drawn" if logarithmic else "")
        drawn.append(
            Panel(
                item.title,
                boxes.figure(
                    [boxes.Group("statements", "circle", names, item.category(item.targets), n, keys)],
                    y_title="statements of a target",
                    logarithmic=logarithmic,
                ),
                f"{item.title}: most statements are about {names[most]} ({n[most]:,}), fewest about {names[fewest]} "
                f"({n[fewest]:,}){without if none else ''}.",
            )
        )
    for panel in drawn:
        st.text(panel.reading)
    statements.leading(
        Exhibit(
            key="representation",
            title="Disparity in representation",
            panels=drawn,
            rows=[
                {"source": item.key, "target": name, "category": category, "n": int(count)}
                for item in found
                for name, category, count in zip(
                    item.names(item.targets),
                    item.category(item.targets),
                    next(iter(item.measured.values())).n[item.targets],
                    strict=True,
                )
            ],
            limit=readings.REPRESENTATION_LIMIT,
            made_with=made_with,
            link=link,
        ),
        [],
    )


def _classifiers(found: Sequence[Labelled]) -> list[str]:
    return list(dict.fromkeys(name for item in found for name in item.labels))


def per_target(item: Labelled) -> list[dict[str, Any]]:
    """The numbers of every target of the chosen categories, by every classifier."""
    rows = []
    for classifier, harms in item.measured.items():
        for name, category, n, negative, (low, high), positive, (positive_low, positive_high) in zip(
            item.names(item.targets),
            item.category(item.targets),
            *(
                values[item.targets].tolist()
                for values in (
                    harms.n,
                    harms.negative,
                    harms.interval_negative,
                    harms.positive,
                    harms.interval_positive,
                )
            ),
            strict=True,
        ):
            rows.append(
                {
                    "source": item.key,
                    "classifier": classifier,
                    "target": name,
                    "category": category,
                    "n": n,
                    "negative": negative,
                    "negative_low": low,
                    "negative_high": high,
                    "positive": positive,
                    "positive_low": positive_low,
                    "positive_high": positive_high,
                }
            )
    return rows


_FORMATS = {
    "negative_over_targets": "%.2f",
    "positive_over_targets": "%.2f",
    "negative_pooled": "%.2f",
    "positive_pooled": "%.2f",
    "D_O_negative": "%.2f",
    "D_O_positive": "%.2f",
    "D_R": "%.0f",
}


def _row(source: str, classifier: str, category: str, summary: Summary, sure: Intervals) -> dict[str, Any]:
    over, pooled, uneven = sure.over_targets, sure.pooled, sure.disparity
    return {
        "source": source,
        "classifier": classifier,
        "category": category,
        "targets": summary.targets,
        "statements": summary.statements,
        "negative_over_targets": summary.over_targets.negative,
        "negative_over_targets_95": _interval(over.negative, ".2f"),
        "negative_pooled": summary.pooled.negative,
        "negative_pooled_95": _interval(pooled.negative, ".2f"),
        "positive_over_targets": summary.over_targets.positive,
        "positive_over_targets_95": _interval(over.positive, ".2f"),
        "positive_pooled": summary.pooled.positive,
        "positive_pooled_95": _interval(pooled.positive, ".2f"),
        "D_O_negative": summary.disparity.negative,
        "D_O_negative_95": _interval(uneven.negative, ".2f"),
        "D_O_positive": summary.disparity.positive,
        "D_O_positive_95": _interval(uneven.positive, ".2f"),
        "D_R": summary.representation,
        "D_R_95": _interval(sure.representation, ",.0f"),
    }


def _interval(ends: Interval | None, form: str) -> str:
    return "–" if ends is None else f"{ends[0]:{form}} to {ends[1]:{form}}"
