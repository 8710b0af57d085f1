"""Targets between prejudice and favoritism, one target's card, and the statements behind every number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import readings, resources, state
from components.exhibit import Exhibit, Panel, show
from components.figures import cloud, dots, scatter
from components.knowledge.labelled import Labelled
from components.knowledge.overview import per_target
from core.knowledge import harms, typical
from core.knowledge.harms import REGIONS, Harms
from core.knowledge.polarity.protocol import NAMES
from core.records import safe_cell

SYMBOLS = scatter.SYMBOLS
SHOWN = 1_000
"""Statements in the table on screen. Ours: nobody scrolls further; the file holds all."""

TOP = 15
"""Typical words shown of either polarity."""


def view(found: Sequence[Labelled], made_with: str, limit: str, link: Mapping[str, Any]) -> None:
    """Draw the regions for every source and classifier, then one target in detail."""
    st.header("Between prejudice and favoritism")
    st.caption(
        "Each point is a target: to the right more negative, further up more positive statements (Figure 2 of the paper). "
        "The paper prints no thresholds; these are yours, at first the medians of the chosen categories. Click a point for "
        "its statements."
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
                    _regions(item, measured, limits),
                    readings.regions(f"{item.title}, {classifier}", _inside(item, measured, limits), limits),
                )
            )
            rows += [
                row
                | {"region": REGIONS[int(harms.regions(np.array(row["negative"]), np.array(row["positive"]), limits))]}
                for row in per_target(item)
                if row["classifier"] == classifier
            ]
    for panel in panels:
        st.text(panel.reading)
    clicked = show(
        Exhibit(
            key="regions",
            title="Regions",
            panels=panels,
            rows=rows,
            limit=limit,
            made_with=made_with,
            link=link,
            selectable=True,
        )
    )
    st.header("One target")
    names = list(dict.fromkeys(name for item in found for name in item.names(item.targets)))
    if clicked and clicked[0] in names and state.is_new("clicked_target", clicked[0]):
        state.put(state.TARGET, clicked[0])
    if state.get(state.TARGET) not in names:
        state.put(state.TARGET, names[0])
    target = st.selectbox("Target (or click a point)", names, key=state.TARGET, bind="query-params") or names[0]
    _card(found, target, made_with, limit, {**link, state.TARGET: target})
    _statements(found, target)


def _thresholds() -> tuple[float, float] | None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if not st.toggle("My own thresholds", key=state.OWN_LIMITS, bind="query-params"):
            return None
        negative, positive = (
            st.number_input(f"{side} from, %", 0.0, 100.0, 5.0, step=0.5, key=key, bind="query-params")
            for side, key in (("Negative", state.LIMIT_NEGATIVE), ("Positive", state.LIMIT_POSITIVE))
        )
    return negative, positive


def _regions(item: Labelled, measured: Harms, limits: tuple[float, float]) -> Any:
    enough = measured.enough(item.minimum)
    categories = np.array(item.source.statements.targets.categories)
    groups = []
    for place, category in enumerate(item.categories):
        rows = np.flatnonzero((categories == category) & enough)
        groups.append((category, SYMBOLS[place], rows))
    few = item.targets[~enough[item.targets]]
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
                notes=[_interval(measured, row) for row in rows],
                faint=faint,
            )
            for label, symbol, rows, faint in [
                *((label, symbol, rows, False) for label, symbol, rows in groups),
                *([(f"fewer than {item.minimum} statements", "circle-open", few, True)] if len(few) else []),
            ]
        ],
        x_title="fewer negative ← · → more negative<br>negative statements of a target, %",
        y_title="positive statements of a target, %",
        named=named,
        regions=scatter.Regions(*limits, names=(REGIONS[0], REGIONS[1], REGIONS[2], REGIONS[3])),
    )


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
                    x_title="share of the statements, % (95 % Wilson interval)",
                ),
                readings.target(item.title, target, mine, item.minimum),
            )
        )
    if not panels:
        return
    for panel in panels:
        st.text(panel.reading)
    show(
        Exhibit(
            key="target",
            title="Shares of one target",
            panels=panels,
            rows=rows,
            limit=limit,
            made_with=made_with,
            link=link,
        )
    )
    _words(found, target, made_with, limit, link)


def _words(found: Sequence[Labelled], target: str, made_with: str, limit: str, link: Mapping[str, Any]) -> None:
    st.subheader("Its typical words")
    st.caption(
        "Words that its negative, or positive, statements use more than its others (log-odds with the words of the whole "
        "source as prior, in standard errors: below 2 may well be chance). In the cloud, larger is more typical."
    )
    item = found[0]
    with st.container(horizontal=True):
        if len(found) > 1:
            item = st.selectbox("Words from", found, format_func=lambda one: one.title, key=state.WORDS_FROM)
        classifier = st.selectbox("Labels by", list(item.labels), key=state.WORDS_BY)
    place = item.source.statements.targets.code(target)
    masked = item.source.statements.frame["masked"].to_numpy()
    labels = item.labels[classifier]
    inside = item.source.statements.codes == place
    panels, rows = [], []
    for label, name in ((-1, "negative"), (1, "positive")):
        one, others = typical.split(masked[inside], labels[inside], label)
        words = typical.typical(one, others, resources.vocabulary(item.key, item.source), top=TOP)
        rows += [{"polarity": name, "word": word.word, "z": word.z, "uses": word.uses} for word in words]
        if words:
            panels += [
                Panel(
                    f"{name}: bars",
                    dots.figure(
                        [word.word for word in words],
                        np.array([word.z for word in words]),
                        x_title=f"typical of {name} statements →<br>z",
                        sides=True,
                    ),
                    f"Most typical of the {name} statements about {target}: "
                    + ", ".join(word.word for word in words[:5]),
                ),
                Panel(
                    f"{name}: cloud",
                    cloud.figure({word.word: word.z for word in words}),
                    f"Word cloud of the {name} statements about {target}: " + ", ".join(word.word for word in words),
                ),
            ]
        else:
            st.caption(f"No word stands out in the {name} statements ({len(one)} of them).")
    if panels:
        show(
            Exhibit(
                key="words",
                title="Typical words",
                panels=panels,
                rows=rows,
                limit=readings.WORDS_LIMIT,
                made_with=made_with,
                link=link,
            )
        )


def _statements(found: Sequence[Labelled], target: str) -> None:
    st.header("Its statements")
    every = st.toggle("Statements of all targets of the chosen categories", key=state.EVERY_TARGET)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted = st.pills(
            "Labelled (by any classifier)",
            list(NAMES.values()),
            selection_mode="multi",
            default=["negative", "positive"],
            key=state.LABELS,
        )
        contains = st.text_input("Containing", key=state.CONTAINING, max_chars=80)
    frames = [_table(item, None if every else target, set(wanted), contains or "") for item in found]
    table = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame()
    st.text(f"{len(table):,} statements" + (f"; the first {SHOWN:,} are shown." if len(table) > SHOWN else "."))
    st.dataframe(table.head(SHOWN), hide_index=True, alt="Statements with their labels, masked and unmasked")
    st.download_button(
        "Download all of them as CSV",
        data=lambda: table.map(safe_cell).to_csv(index=False),
        file_name="moralscope-statements.csv",
        mime="text/csv",
        on_click="ignore",
        key="download_statements",
    )


def _table(item: Labelled, target: str | None, wanted: set[str], contains: str) -> pd.DataFrame:
    statements = item.source.statements
    keep = np.isin(statements.codes, item.targets)
    if target is not None:
        keep = statements.codes == (code if (code := statements.targets.code(target)) is not None else -1)
    if wanted:
        codes = [label for label, name in NAMES.items() if name in wanted]
        keep = keep & np.any([np.isin(found, codes) for found in item.labels.values()], axis=0)
    frame = statements.frame[keep]
    labels = {name: found[keep] for name, found in item.labels.items()}
    if contains:
        inside = frame["statement"].str.contains(contains, case=False, regex=False).to_numpy()
        frame, labels = frame[inside], {name: found[inside] for name, found in labels.items()}
    return frame[["statement", "masked", "target", "category"]].assign(
        source=item.key, **{name: [NAMES[int(value)] for value in found] for name, found in labels.items()}
    )
