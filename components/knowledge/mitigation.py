"""What is left of a source without the statements that are not neutral, and what that costs."""

from __future__ import annotations

import io
import re
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from components import notices, readings, state
from components.exhibit import Exhibit, Panel
from components.figures import dots
from components.knowledge import statements
from components.knowledge.labelled import Labelled
from components.knowledge.statements import ANY, Point
from core.knowledge import mitigation
from core.knowledge.harms import FEWEST
from core.knowledge.mitigation import Mitigation, Side
from core.knowledge.polarity.protocol import NAMES
from core.statistics import wilson

MEASURES = {
    "neutral_mean": "neutral statements, mean over targets, %",
    "neutral_variance": "variance of that over targets",
    "covered_mean": "the same mean, over targets that have statements",
    "covered_variance": "variance of that",
    "negative": "disparity of negative shares (D_O−)",
    "positive": "disparity of positive shares (D_O+)",
    "representation": "disparity in representation (D_R)",
}


POLARISED = tuple(name for label, name in NAMES.items() if label)
"""What a filter takes away."""


def view(found: Sequence[Labelled], made_with: str, limit: str, link: Mapping[str, Any]) -> None:
    """Draw before and after for every source."""
    st.header("Filtering")
    st.caption(
        "Every record goes that one of the chosen classifiers does not call neutral (Mehrabi et al. 2021, section 4.3; there "
        "COMeT is trained anew on what is left, here the source itself is measured). With sentiment the first two rows are "
        "the paper's NSM and NSV, with regard its NRM and NRV."
    )
    names = list(dict.fromkeys(name for item in found for name in item.classifiers))
    by = st.multiselect(
        "Filter by",
        names,
        default=names,
        key=state.FILTER_BY,
        bind="query-params",
        help="A statement goes if any of these calls it negative, positive or other.",
    )
    if not by:
        st.info("Choose at least one classifier to filter by.", icon=":material/filter_alt:")
        return
    link = {**link, state.FILTER_BY: by}
    for place, item in enumerate(found):
        labels = {name: item.labels[name] for name in by if name in item.labels}
        if labels:
            _one(place, item, mitigation.mitigate(item.source, labels), made_with, limit, link)
    statements.view(found)


def _one(place: int, item: Labelled, made: Mitigation, made_with: str, limit: str, link: Mapping[str, Any]) -> None:
    st.subheader(item.title)
    rows = [
        {
            "source": item.key,
            "classifier": name,
            "measure": title,
            **_side("before", made.before[name], field),
            **_side("after", made.after[name], field),
        }
        for name in made.before
        for field, title in MEASURES.items()
    ]
    cost = (
        f"{item.title}: {made.statements_lost:,} of {made.statements:,} statements go "
        f"({made.statements_lost / max(made.statements, 1):.1%}), with {made.records_lost:,} records; {made.targets_lost} of "
        f"{made.targets} targets lose their last statement."
    )
    st.text(cost)
    st.dataframe(
        [
            {
                "classifier": row["classifier"],
                "measure": row["measure"],
                "before": row["before"],
                "before, 95 %": _interval(row, "before"),
                "after": row["after"],
                "after, 95 %": _interval(row, "after"),
            }
            for row in rows
        ],
        hide_index=True,
        column_config={name: st.column_config.NumberColumn(name, format="%.2f") for name in ("before", "after")},
        alt=f"Before and after filtering: {cost}",
    )
    st.caption(f"95 %: interval by bootstrap over targets, of each column by itself; – over fewer than {FEWEST}.")
    lost = np.bincount(item.source.statements.codes[~made.keep], minlength=len(item.source.statements.targets))
    held = np.bincount(item.source.statements.codes, minlength=len(lost))
    share, sure = 100 * lost / np.maximum(held, 1), 100 * wilson(lost, held)
    order = np.argsort(-share, kind="stable")[:20]
    order = order[share[order] > 0]
    by = next(iter(made.before)) if len(made.before) == 1 else ANY
    statements.leading(
        Exhibit(
            key=f"mitigation_{place}",
            title="What filtering takes away",
            panels=[
                Panel(
                    item.title,
                    dots.figure(
                        item.names(order),
                        share[order],
                        low=sure[order, 0],
                        high=sure[order, 1],
                        x_title="statements lost, %, with 95 % Wilson interval<br>(the 20 targets that lose most)",
                        keys=[Point(name, POLARISED, by).key for name in item.names(order)],
                    ),
                    cost,
                )
            ],
            rows=rows,
            limit=f"{readings.MITIGATION_LIMIT} A{limit.removeprefix('Limit: a')}",
            made_with=made_with,
            link=link,
        ),
        list(made.before),
    )
    st.download_button(
        f"Download what is left of {notices.plain(item.name)}, in its own format",
        data=lambda: _written(item, made),
        file_name=f"moralscope-filtered-{place + 1}-{_in_file_name(item.name)}{item.source.original.ending or '.zip'}",
        on_click="ignore",
        key=f"download_filtered_{place}",
    )
    st.caption(item.source.credit)


def _interval(row: Mapping[str, Any], when: str) -> str:
    low, high = row[f"{when}_low"], row[f"{when}_high"]
    return "–" if low is None else f"{low:,.2f} to {high:,.2f}"


def _side(when: str, side: Side, field: str) -> dict[str, float | None]:
    low, high = getattr(side, f"interval_{field}") or (None, None)
    return {when: getattr(side, field), f"{when}_low": low, f"{when}_high": high}


def _in_file_name(name: str) -> str:
    """A name without what file systems refuse.

    Examples
    --------
    >>> _in_file_name("encoder:org/model")
    'encoder-org-model'
    """
    return re.sub(r"[^\w.-]+", "-", name)


def _written(item: Labelled, made: Mitigation) -> bytes:
    """The filtered source as one file; a folder as a ZIP archive."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "filtered"
        mitigation.write(item.source, made, path)
        if path.is_file():
            return path.read_bytes()
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(found for found in path.rglob("*") if found.is_file()):
                archive.write(file, file.relative_to(path))
        return packed.getvalue()
