"""The stories behind a figure, with their scores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import notices, resources, state
from components.interventions import answerers, readings, steps
from core.interventions import benchmark
from core.interventions.benchmark import Answered
from core.interventions.released import Released
from core.interventions.stories import StorySet

ANY = "any"

SHOWN = 10
"""Stories at a time: four questions each, which even a large model answers in seconds."""


def show(stories: StorySet, names: list[str]) -> None:
    """Draw the choice of stories, their scores, and the steps of one."""
    st.header("Single stories")
    if not st.toggle("Look at the stories behind the figures", key=state.ITEMS_OF, persist_state="session"):
        return
    attributes = [attribute.name for attribute in stories.attributes]
    left, right = st.columns(2)
    size = len(stories)
    name = left.selectbox("Answerer", names, format_func=answerers.title, key=f"items_answerer_{'_'.join(names)}")
    kind = right.selectbox(
        "Intervention",
        stories.kinds,
        format_func=readings.NAMES.__getitem__,
        key=f"items_kind_{'_'.join(stories.kinds)}",
    )
    subject = left.selectbox("Subject", [ANY, *stories.subjects], key=f"items_subject_{size}")
    attribute = right.selectbox("Attribute", [ANY, *attributes], key=f"items_attribute_{size}")
    places = benchmark.places_of(
        stories,
        kind=kind,
        subject=None if subject == ANY else subject,
        attribute=None if attribute == ANY else attribute,
    )
    if not places:
        st.info("No story has this subject and this attribute in this class.", icon=":material/search_off:")
        return
    pages = -(-len(places) // SHOWN)
    page = st.number_input(
        f"{SHOWN} of {len(places):,} stories at a time; part", 1, pages, key=f"items_page_{len(places)}"
    )
    chosen = places[(int(page) - 1) * SHOWN : int(page) * SHOWN]
    with notices.errors_in_words():
        opened = resources.answerer(name, stories if isinstance(stories, Released) else None)
        found = benchmark.explain(opened, [stories[place] for place in chosen])
    st.dataframe(
        pd.DataFrame([_row(item) for item in found]),
        hide_index=True,
        column_config={
            **{column: st.column_config.NumberColumn(format="%.3f") for column in ("S 1", "S 2", "C", "δ", "ε")},
            "context": st.column_config.TextColumn(width="large"),
        },
        alt=f"{len(found)} stories with their scores",
    )
    st.caption("S 1 and S 2: raw scores of both subjects for the question, first subject first.")
    whole = [place for place, item in enumerate(found) if not np.isnan(item.correction.comparative)]
    if not whole:
        return
    picked = st.selectbox(
        "One story, step by step",
        whole,
        format_func=lambda place: found[place].story.label,
        key=f"items_one_{chosen[0]}",
    )
    steps.show(answerers.title(name), found[picked])
    steps.asked(found[picked])


def _row(item: Answered) -> dict[str, Any]:
    first = next((ask for ask in item.story.asks if ask), None)
    scores = item.correction.scores
    return {
        "subject 1": item.story.subjects[0],
        "subject 2": item.story.subjects[1],
        "context": first.context if first else "",
        "question": first.question if first else "",
        "S 1": float(scores[0, 0, 0]),
        "S 2": float(scores[0, 0, 1]),
        "C": item.correction.comparative,
        "δ": item.correction.position_error,
        "ε": item.correction.attribute_error,
    }
