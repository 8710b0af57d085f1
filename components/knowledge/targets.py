"""Targets between prejudice and favoritism, one target's card, and the statements behind every number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st

from components import models, readings, resources, state
from components.exhibit import Exhibit, Panel
from components.figures import cloud, dots, scatter
from components.knowledge import statements
from components.knowledge.labelled import Labelled
from components.knowledge.overview import per_target
from components.knowledge.statements import Point
from core.knowledge import harms
from core.knowledge.harms import REGIONS, Harms
from core.knowledge.typical import STANDS_OUT

SYMBOLS = scatter.SYMBOLS
TOP = 15
"""Typical words shown of either polarity."""

LISTED, IN_LINE = 24, 4
"""Targets at one place that its hover text names, and how many in a line. Ours: more cover the figure."""


def view(found: Sequence[Labelled], made_with: str, limit: str, link: Mapping[str, Any]) -> None:
    """Draw the regions for every source and classifier, then one target in detail."""
    st.header("Between prejudice and favoritism")
    st.caption(
        "Each point is a target: to the right more negative, further up more positive statements (Figure 2 of the paper). "
        "The paper prints no thresholds; these are yours, at first the medians of the chosen categories. Where points lie on "
        "each other, the text on hover names the others; choose one of them under “Target” below."
    )
    own = _thresholds()
    if own:
        chosen = (state.LIMIT_NEGATIVE, state.LIMIT_POSITIVE)
        link = {**link, state.OWN_LIMITS: "true", **{key: str(value) for key, value in zip(chosen, own, strict=True)}}
    panels, rows = [], []
    for item in found:
        for classifier, measured in item.measured.items():
            limits = own or harms.thresholds(measured, item.categories, minimum=item.minimum)
            panels.append(
                Panel(
                    f"{item.title} · {classifier}",
                    _regions(item, classifier, measured, limits),
                    readings.regions(f"{item.title}, {classifier}", _inside(item, measured, limits), limits),
                )
            )
            places = harms.regions(measured.negative[item.targets], measured.positive[item.targets], limits)
            mine = [row for row in per_target(item) if row["classifier"] == classifier]
            rows += [row | {"region": REGIONS[place]} for row, place in zip(mine, places, strict=True)]
    statements.leading(
        Exhibit(
            key="regions",
            title="Regions",
            panels=panels,
            spoken=True,
            rows=rows,
            limit=limit,
            made_with=made_with,
            link=link,
        ),
        list(dict.fromkeys(name for item in found for name in item.labels)),
    )
    st.header("One target")
    target = statements.choose(found)
    _card(found, target, made_with, limit, {**link, state.TARGET: target})
    statements.view(found, target)


def _thresholds() -> tuple[float, float] | None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if not st.toggle("My own thresholds", key=state.OWN_LIMITS, bind="query-params"):
            return None
        negative, positive = (
            st.number_input(f"{side} from, %", 0.0, 100.0, 5.0, step=0.5, key=key, bind="query-params")
            for side, key in (("Negative", state.LIMIT_NEGATIVE), ("Positive", state.LIMIT_POSITIVE))
        )
    return negative, positive


def _regions(item: Labelled, classifier: str, measured: Harms, limits: tuple[float, float]) -> Any:
    enough = measured.enough(item.minimum)
    categories = np.array(item.source.statements.targets.categories)
    groups = []
    for place, category in enumerate(item.categories):
        rows = np.flatnonzero((categories == category) & enough)
        groups.append((category, SYMBOLS[place], rows))
    few = item.targets[~enough[item.targets]]
    covered = _covered(item, measured)
    distance = np.abs(measured.negative) + np.abs(measured.positive)
    drawn = item.drawn
    named = item.names(drawn[np.argsort(-distance[drawn], kind="stable")[:6]])
    return scatter.figure(
        [
            scatter.Group(
                label,
                symbol,
                item.names(rows),
                measured.negative[rows],
                measured.positive[rows],
                notes=[_interval(measured, row) + covered.get(int(row), "") for row in rows],
                faint=faint,
                keys=[Point(name, tuple(statements.POLAR), classifier).key for name in item.names(rows)],
            )
            for label, symbol, rows, faint in [
                *((label, symbol, rows, False) for label, symbol, rows in groups),
                *([(f"fewer than {item.minimum} statements", "circle-open", few, True)] if len(few) else []),
            ]
        ],
        x_title=f"fewer negative ← · → more negative<br>negative statements of a target, % (dashed: {limits[0]:.1f} %)",
        y_title=f"positive statements of a target, % (dashed: {limits[1]:.1f} %)",
        named=named,
        regions=scatter.Regions(*limits, names=(REGIONS[0], REGIONS[1], REGIONS[2], REGIONS[3])),
    )


def _covered(item: Labelled, measured: Harms) -> dict[int, str]:
    """For each target that does not stand alone, the others at its place: the point on top is the only one to be hovered."""
    held: dict[tuple[float, float], list[int]] = {}
    for row in item.targets.tolist():
        held.setdefault((float(measured.negative[row]), float(measured.positive[row])), []).append(row)
    found = {}
    for rows in held.values():
        names = item.names(rows)
        for place, row in enumerate(rows):
            others = [*names[:place], *names[place + 1 :]]
            if others:
                lines = [
                    ", ".join(others[start : start + IN_LINE]) for start in range(0, min(len(others), LISTED), IN_LINE)
                ]
                more = f"\nand {len(others) - LISTED} more: see the table" if len(others) > LISTED else ""
                found[row] = "\nat the same place: " + ",\n".join(lines) + more
    return found


def _inside(item: Labelled, measured: Harms, limits: tuple[float, float]) -> dict[str, int]:
    """Targets in each region, of those with enough statements."""
    rows = item.drawn
    found = harms.regions(measured.negative[rows], measured.positive[rows], limits)
    return dict(zip(REGIONS, np.bincount(found, minlength=len(REGIONS)).tolist(), strict=True))


def _interval(measured: Harms, row: int) -> str:
    negative, positive = measured.interval_negative[row], measured.interval_positive[row]
    return (
        f"n = {measured.n[row]:,}; negative {negative[0]:.1f} to {negative[1]:.1f}, positive {positive[0]:.1f} to "
        f"{positive[1]:.1f} (95 %)"
    )


def _card(found: Sequence[Labelled], target: str, made_with: str, limit: str, link: Mapping[str, Any]) -> None:
    panels, rows = [], []
    for item in found:
        place = item.source.statements.targets.code(target)
        if place is None:
            st.text(f"{item.title} does not look for “{target}”.")
            continue
        mine = [row for row in per_target(item) if row["target"] == target]
        rows += mine
        sides = [(row, side) for row in mine for side in ("negative", "positive")]
        panels.append(
            Panel(
                item.title,
                dots.figure(
                    [f"{row['classifier']}: {side}" for row, side in sides],
                    np.array([row[side] for row, side in sides]),
                    low=np.array([row[f"{side}_low"] for row, side in sides]),
                    high=np.array([row[f"{side}_high"] for row, side in sides]),
                    x_title="share of the statements, %<br>(95 % Wilson interval)",
                    keys=[Point(target, (side,), row["classifier"]).key for row, side in sides],
                ),
                readings.target(item.title, target, mine, item.minimum),
            )
        )
    if not panels:
        return
    statements.leading(
        Exhibit(
            key="target",
            title="Shares of one target",
            panels=panels,
            spoken=True,
            rows=rows,
            limit=limit,
            made_with=made_with,
            link=link,
        ),
        list(dict.fromkeys(row["classifier"] for row in rows)),
    )
    _words(found, target, made_with, limit, link)


def _words(found: Sequence[Labelled], target: str, made_with: str, limit: str, link: Mapping[str, Any]) -> None:
    st.subheader("Its typical words")
    st.caption(
        "Words that its negative, or positive, statements use more than its others (log-odds with the words of the whole "
        "source as prior, in standard errors). Words below 2 may well be chance and are not drawn. In the "
        "cloud, larger is more typical."
    )
    item = found[0]
    with st.container(horizontal=True):
        if len(found) > 1:
            by_name = {one.name: one for one in found}
            chosen = st.selectbox("Words from", list(by_name), key=state.WORDS_FROM, bind="query-params")
            item = by_name[str(chosen)]
        classifier = str(st.selectbox("Labels by", item.classifiers, key=state.WORDS_BY, bind="query-params"))
    if item.source.statements.targets.code(target) is None:
        st.caption("This source does not look for it.")
        return
    if classifier not in item.labels:
        st.caption("Its labels are not made yet.")
        return
    panels, rows = [], []
    for label, name in ((-1, "negative"), (1, "positive")):
        words, count = resources.typical(
            item.opened,
            models.opens(classifier),
            target,
            label,
            TOP,
            item.source,
            item.labels[classifier],
        )
        rows += [{"polarity": name, "word": word.word, "z": word.z, "uses": word.uses} for word in words]
        words = tuple(word for word in words if word.z >= STANDS_OUT)
        keys = {word.word: Point(target, (name,), classifier, word.word).key for word in words}
        if words:
            panels += [
                Panel(
                    f"{name}: bars",
                    dots.figure(
                        [word.word for word in words],
                        np.array([word.z for word in words]),
                        x_title=f"typical of {name} statements →<br>z (in standard errors)",
                        sides=True,
                        keys=list(keys.values()),
                    ),
                    f"Most typical of the {name} statements about {target}: "
                    + ", ".join(word.word for word in words[:5]),
                ),
                Panel(
                    f"{name}: cloud",
                    cloud.figure({word.word: word.z for word in words}, keys),
                    f"Word cloud of the {name} statements about {target}: " + ", ".join(word.word for word in words),
                ),
            ]
        else:
            st.caption(f"No word stands out in the {name} statements ({count} of them).")
    if panels:
        statements.leading(
            Exhibit(
                key="words",
                title="Typical words",
                panels=[*panels[::2], *panels[1::2]] if len(panels) > 2 else panels,  # a column for each polarity
                rows=rows,
                limit=readings.WORDS_LIMIT,
                made_with=made_with,
                link=link,
            ),
            [classifier],
        )
