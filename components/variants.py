"""Every way to a moral direction that was tried with one encoder, not only the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
import streamlit as st

from components import encoder_picker, exhibit, notices, readings, resources
from components.exhibit import Exhibit, Panel
from components.figures import scatter
from core.moral import representation
from core.moral.directions import Variant
from core.moral.seeds import Seeds
from core.moral.survey import Survey


def show(
    name: str, seeds: Seeds, votes: Survey | None, *, made_with: str, link: Mapping[str, str | Sequence[str]]
) -> None:
    """Draw the table of the encoder `name`, and the figure where there is a survey."""
    with notices.errors_in_words():
        tried = resources.variants(name, seeds, votes)
    best = sorted(tried, key=lambda item: -(item.people or item.table9).r)
    rows = [
        {
            "encoder": name,
            "vectors": _vectors(item),
            "direction": item.method,
            "fitted_on": item.fitted_on,
            "r_people": item.people.r if item.people else None,
            "low": item.people.low if item.people else None,
            "high": item.people.high if item.people else None,
            "r_table9_context": item.table9.r,
            "stability": item.stability,
        }
        for item in best
    ]
    st.markdown(f"**{notices.plain(encoder_picker.title(name))}**: {len(tried)} variants, best first.")
    st.dataframe(
        pd.DataFrame(rows).drop(columns="encoder"),
        hide_index=True,
        column_config={
            "vectors": "vectors",
            "fitted_on": "fitted on",
            **{
                column: st.column_config.NumberColumn(label, format="%.3f")
                for column, label in (
                    ("r_people", "r with people"),
                    ("low", "from"),
                    ("high", "to"),
                    ("r_table9_context", "r with Table 9 (context)"),
                    ("stability", "stability"),
                )
            },
        },
        alt=f"{len(tried)} ways to a moral direction and their agreement with people, best first",
    )
    if votes is None:
        return
    exhibit.show(
        Exhibit(
            key=f"variants_{name}",
            title=f"Variants of {encoder_picker.title(name)}",
            panels=[
                Panel(
                    encoder_picker.title(name),
                    scatter.figure(
                        _groups(best),
                        x_title="r with Table 9 (56 actions in context)",
                        y_title="r with people",
                    ),
                    readings.variants(encoder_picker.title(name), tried),
                )
            ],
            rows=rows,
            limit=readings.VARIANTS_LIMIT,
            made_with=made_with,
            link=link,
        )
    )


def _groups(tried: Sequence[Variant]) -> list[scatter.Group]:
    ways: dict[str, list[tuple[str, float, float]]] = {}
    for item in tried:
        if item.people:
            ways.setdefault(f"{item.method}: {item.fitted_on}", []).append(
                (_vectors(item), item.table9.r, item.people.r)
            )
    return [
        scatter.Group(way, symbol, [point[0] for point in points], *np.array([point[1:] for point in points]).T)
        for (way, points), symbol in zip(ways.items(), scatter.SYMBOLS, strict=False)
    ]


def _vectors(item: Variant) -> str:
    return representation.TITLES.get(item.representation, "average of all vectors")
