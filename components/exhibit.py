"""A figure and everything that a page owes its reader with it: alternative text, limit, table, files, link, report."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from components import notices, state
from components.figures import export, scales
from core import records
from core.report import ReportItem, to_html

Rows = Sequence[dict[str, Any]]

MAX_ADDRESS = 8_000
"""Longest link. Ours: what browsers and servers on the way commonly accept."""


@dataclass(frozen=True)
class Panel:
    """One figure of an exhibit; with the name of its encoder or answerer, a report takes only the rows of that along."""

    heading: str
    figure: go.Figure
    reading: str
    encoder: str = ""


@dataclass(frozen=True)
class Exhibit:
    """One or more panels about one thing, with the table behind them.

    Parameters
    ----------
    key : str
        Short name, used in keys and file names.
    title : str
        What the exhibit shows.
    panels : sequence of Panel
        Drawn side by side where there is room.
    rows : sequence of dict
        The table behind all panels.
    limit : str
        What the method cannot say, in one line.
    made_with : str
        Encoders and templates, with their provenance.
    link : mapping of str to str or sequence of str
        Query of a link that opens the page the same way; it stands in the drawer, never in the address by itself.
    columns : int
        Panels side by side, at most.
    selectable : bool
        Whether a click on a point is wanted; points are known by their `customdata`.
    spoken : bool
        Whether the readings of the panels also stand above them.
    same_scale : str
        Axes on which the panels have one range, as ``"x"`` or ``"xy"``: figures beside each other are compared.
    """

    key: str
    title: str
    panels: Sequence[Panel]
    rows: Rows
    limit: str
    made_with: str
    link: Mapping[str, str | Sequence[str]]
    columns: int = 2
    selectable: bool = False
    same_scale: str = ""
    spoken: bool = False


def show(exhibit: Exhibit) -> list[str]:
    """Draw the panels, the limit, and a drawer with table, files, link and report; returns what was clicked."""
    scales.share([panel.figure for panel in exhibit.panels], exhibit.same_scale)
    if exhibit.spoken:
        for panel in exhibit.panels:
            st.text(panel.reading)
    clicked: list[str] = []
    columns = st.columns(min(exhibit.columns, len(exhibit.panels)), gap="medium")
    for index, panel in enumerate(exhibit.panels):
        with columns[index % len(columns)]:
            if len(exhibit.panels) > 1:
                st.markdown(f"**{notices.plain(panel.heading)}**")
            drawn: Any = st.plotly_chart(
                panel.figure,
                key=f"figure_{exhibit.key}_{index}",
                alt=panel.reading,
                on_select="rerun" if exhibit.selectable else "ignore",
                selection_mode="points",
                config={"displaylogo": False, "toImageButtonOptions": {"format": "svg", "filename": exhibit.key}},
            )
            if exhibit.selectable:
                clicked += [str(point["customdata"]) for point in drawn["selection"]["points"] if "customdata" in point]
    st.caption(exhibit.limit)
    drawer = st.expander(f"Table, files, link: {exhibit.title.lower()}", key=f"drawer_{exhibit.key}", on_change="rerun")
    if drawer.open:
        with drawer:
            _drawer(exhibit)
    return clicked


def table_csv(rows: Rows) -> str:
    """Write rows as CSV at full precision; cells that a spreadsheet would run are made plain text."""
    if not rows:
        return ""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows([{name: records.safe_cell(value) for name, value in row.items()} for row in rows])
    return text.getvalue()


def _drawer(exhibit: Exhibit) -> None:
    st.dataframe(pd.DataFrame(list(exhibit.rows)), hide_index=True, alt=f"The numbers behind: {exhibit.title}")
    with st.container(horizontal=True):
        for kind, mime, make in (
            ("CSV", "text/csv", lambda: table_csv(exhibit.rows)),
            ("JSON", "application/json", lambda: json.dumps(list(exhibit.rows), ensure_ascii=False, indent=2)),
            ("HTML", "text/html", lambda: _html(exhibit)),
        ):
            st.download_button(
                f"Download {kind}",
                data=make,
                file_name=f"moralscope-{exhibit.key}.{kind.lower()}",
                mime=mime,
                on_click="ignore",
                key=f"download_{exhibit.key}_{kind}",
            )
        st.button(
            "Add to report",
            icon=":material/note_add:",
            key=f"report_{exhibit.key}",
            on_click=lambda: state.add_to_report(_report_items(exhibit)),
            help="Puts this figure and its table into your report of this session, on the page Report.",
        )
    if held := len(state.report()):
        st.caption(f"Your report holds {held} of at most {state.MOST_ITEMS} figures.")
    st.caption(
        "The HTML file holds the figure, its table and its limits, works offline, and saves the figure as SVG or PNG. "
        "The camera above a figure saves SVG as well."
    )
    st.markdown(
        "**Link to this page as it is.** It holds the choices and what was typed above, readable by anyone (sent files not):"
    )
    address = _address(exhibit)
    if len(address) > MAX_ADDRESS:
        st.caption(f"This page is too long for a link ({len(address):,} characters): use the files above.")
    else:
        st.code(address, language=None, wrap_lines=True)


def _address(exhibit: Exhibit) -> str:
    return f"{state.address()}?{urlencode(exhibit.link, doseq=True)}"


def _report_items(exhibit: Exhibit) -> list[ReportItem]:
    return [
        ReportItem(
            title=f"{exhibit.title}: {panel.heading}",
            reading=panel.reading,
            limit=exhibit.limit,
            made_with=exhibit.made_with,
            rows=tuple(row for row in exhibit.rows if panel.encoder in ("", row.get("encoder", row.get("answerer")))),
            figure=panel.figure.to_json(),
            link=_address(exhibit),
        )
        for panel in exhibit.panels
    ]


def _html(exhibit: Exhibit) -> str:
    items = _report_items(exhibit)
    figures = [export.to_html(panel.figure) for panel in exhibit.panels]
    return to_html(items, figures, script=export.plotly_script())
