"""The statements behind every number: where each point of the page leads, and the table it leads to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import streamlit as st

from components import state
from components.exhibit import Exhibit, show
from components.knowledge import trust
from components.knowledge.labelled import Labelled
from core.knowledge.polarity.protocol import NAMES
from core.records import safe_cell

SHOWN = 1_000
"""Statements in the table on screen. Ours: nobody scrolls further; the file holds all."""

ANY = "any classifier"

POLAR = ["negative", "positive"]


@dataclass(frozen=True)
class Point:
    """What a point of a figure counts: statements about a target, with a label by a classifier, that hold a word."""

    target: str
    labels: tuple[str, ...] = ()
    classifier: str = ANY
    word: str = ""

    @property
    def key(self) -> str:
        """The `customdata` by which a click is recognised.

        Examples
        --------
        >>> Point.read(Point("teacher", ("negative",)).key)
        Point(target='teacher', labels=('negative',), classifier='any classifier', word='')
        """
        return "\t".join((self.target, ",".join(self.labels), self.classifier, self.word))

    @staticmethod
    def read(key: str) -> Point:
        """The point of a key."""
        target, labels, classifier, word = key.split("\t")
        return Point(target, tuple(filter(None, labels.split(","))), classifier, word)


def leading(exhibit: Exhibit, classifiers: Sequence[str]) -> None:
    """Draw an exhibit whose points lead to the statements, and how far to trust its classifiers."""
    clicked = show(replace(exhibit, selectable=True))
    before = state.get(f"clicked_{exhibit.key}", [])
    state.put(f"clicked_{exhibit.key}", clicked)
    st.caption("Click a point or bar: its statements stand [at the end of the page](#statements).")
    trust.card(classifiers)
    if new := [key for key in clicked if key not in before]:
        _go(Point.read(new[-1]))
        st.rerun()  # what stands further up, links among it, is to know of the choice


def _go(point: Point) -> None:
    chosen = {
        state.TARGET: point.target,
        state.EVERY_TARGET: False,
        state.LABELS: list(point.labels),
        state.LABELLED_BY: point.classifier,
        state.CONTAINING: point.word,
    }
    for key, value in chosen.items():
        if state.get(key) != value:  # a widget that is drawn already holds it
            state.put(key, value)
    state.forget_link(state.CONTAINING)


def choose(found: Sequence[Labelled]) -> str:
    """Draw the choice of a target."""
    names = list(dict.fromkeys(name for item in found for name in item.names(item.targets)))
    if state.get(state.TARGET) not in names:
        state.put(state.TARGET, names[0])
    return st.selectbox("Target (or click a point)", names, key=state.TARGET, bind="query-params") or names[0]


def link() -> dict[str, str | Sequence[str]]:
    """What a link needs to open the table with the same filters."""
    found: dict[str, str | Sequence[str]] = {
        key: str(state.get(key))
        for key in (state.TARGET, state.LABELLED_BY, state.CONTAINING, state.WORDS_FROM, state.WORDS_BY)
        if state.get(key)
    }
    if state.get(state.EVERY_TARGET):
        found[state.EVERY_TARGET] = "true"
    if (labels := state.get(state.LABELS)) is not None:
        found[state.LABELS] = labels or [""]
    return found


def view(found: Sequence[Labelled], target: str | None = None) -> None:
    """Draw the filters and the table; without a target, its choice as well."""
    st.header("Statements", anchor="statements")
    if target is None:
        target = choose(found)
    every = st.toggle("Statements of all targets of the chosen categories", key=state.EVERY_TARGET, bind="query-params")
    classifiers = [ANY, *dict.fromkeys(name for item in found for name in item.labels)]
    if state.get(state.LABELLED_BY) not in classifiers:
        state.put(state.LABELLED_BY, ANY)
    state.start_with(state.CONTAINING, state.from_link(state.CONTAINING) or "")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted = st.pills(
            "Labelled",
            list(NAMES.values()),
            selection_mode="multi",
            default=POLAR,
            key=state.LABELS,
            bind="query-params",
            help="With none chosen, statements of every label.",
        )
        by = st.selectbox("by", classifiers, key=state.LABELLED_BY, bind="query-params", width=200)
        contains = st.text_input(
            "Containing",
            key=state.CONTAINING,
            max_chars=80,
            on_change=state.forget_link,
            args=(state.CONTAINING,),
        )
    frames = [_table(item, None if every else target, set(wanted), str(by), contains or "") for item in found]
    table = pd.concat(frames, ignore_index=True)
    st.text(
        f"{len(table):,} statement{'' if len(table) == 1 else 's'}"
        + (f"; the first {SHOWN:,} are shown." if len(table) > SHOWN else ".")
    )
    st.dataframe(table.head(SHOWN), hide_index=True, alt="Statements with their labels, masked and unmasked")
    st.download_button(
        "Download all of them as CSV",
        data=lambda: table.map(safe_cell).to_csv(index=False),
        file_name="moralscope-statements.csv",
        mime="text/csv",
        on_click="ignore",
        key="download_statements",
    )


def _table(item: Labelled, target: str | None, wanted: set[str], by: str, contains: str) -> pd.DataFrame:
    statements = item.source.statements
    if target is None:
        keep = np.isin(statements.codes, item.targets)
    else:
        code = statements.targets.code(target)
        keep = statements.codes == (-1 if code is None else code)
    if wanted:
        codes = [label for label, name in NAMES.items() if name in wanted]
        asked = [labels for name, labels in item.labels.items() if by in (ANY, name)]
        keep = keep & np.any([np.isin(labels, codes) for labels in asked] or [np.zeros_like(keep)], axis=0)
    frame = statements.frame[keep]
    labels: Mapping[str, np.ndarray] = {name: found[keep] for name, found in item.labels.items()}
    if contains:
        inside = frame["statement"].str.contains(contains, case=False, regex=False).to_numpy()
        frame, labels = frame[inside], {name: found[inside] for name, found in labels.items()}
    return frame[["statement", "masked", "target", "category"]].assign(
        source=item.key, **{name: [NAMES[int(value)] for value in found] for name, found in labels.items()}
    )
