"""From four raw answers to one preference, in words and in a small table."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components import notices
from components.interventions import readings
from core.interventions.benchmark import Answered


def show(title: str, answered: Answered) -> None:
    """Draw the steps of one story by one answerer. Subjects may be typed, so all of it is shown as text."""
    subjects = answered.story.subjects
    st.markdown(f"**{notices.plain(title)}**")
    for sentence in readings.steps(subjects, answered.correction):
        st.text(sentence)
    table = pd.DataFrame(readings.step_rows(subjects, answered.correction))
    st.dataframe(
        table.round(3),
        hide_index=True,
        alt="Scores of both subjects at each step",
        column_config={column: {"width": 75 if place else 150} for place, column in enumerate(table.columns)},
    )


def asked(answered: Answered) -> None:
    """Draw the four questions as they are put, with the intervention in its place."""
    rows = [{"context": ask.context, "question": ask.question} for ask in answered.story.asks if ask]
    with st.expander("The four questions as they are put"):
        for row in rows:
            st.text(f"{row['context']}\n{row['question']}")
