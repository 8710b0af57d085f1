"""What of the authors' released data is here, under which terms, and how to get the rest."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components import notices, progress
from core import datasets
from core.datasets import Status
from core.errors import MoralscopeError


def show() -> None:
    """Draw one row per data set, with a button for those that are incomplete."""
    directory = datasets.default_directory()
    statuses = [datasets.inspect(known, directory) for known in datasets.catalogue().values()]
    st.dataframe(pd.DataFrame([_row(status) for status in statuses]), hide_index=True, alt="Data sets and their state")
    st.text(f"Folder: {directory} (set MORALSCOPE_DATA to use another)")
    lacking = [status for status in statuses if not status.complete]
    for status in lacking:
        with st.container(border=True):
            st.markdown(
                f"**{status.dataset.title}** · {datasets.size_in_words(status.dataset.bytes)} · "
                f"licence: {status.dataset.terms}"
            )
            st.text(status.dataset.credit)
            if st.button(f"Fetch {status.dataset.name}", key=f"fetch_{status.dataset.name}", help=_HELP):
                _fetch(status)


def survey_missing(path: str) -> None:
    """Say what a section needs that is not here, and offer it."""
    st.info(
        "The survey of people is not here: the app does not ship it. Fetch it below, or by "
        f"“python -m core data get {datasets.find(path).name}”, or send a survey of your own.",
        icon=":material/download:",
    )
    if st.button("Fetch the survey", key="fetch_survey", help=_HELP):
        _fetch(datasets.inspect(datasets.find(path), datasets.default_directory()))


_HELP = (
    "Downloads from the authors' own address and checks every file. Leaving the page stops it; it goes on from there."
)


def _fetch(status: Status) -> None:
    try:
        with progress.bar() as report:
            datasets.fetch(
                status.dataset,
                datasets.default_directory(),
                progress=lambda done, total, path: report(done / total if total else 0.0, f"Fetching {path}"),
                mirror=datasets.default_mirror(),
            )
    except MoralscopeError as error:
        notices.show_error(error)
    else:
        st.rerun()


def _row(status: Status) -> dict[str, str]:
    known = status.dataset
    return {
        "data set": known.name,
        "state": f"{status.state}, {len(status.present)} of {len(known.files)} files",
        "size": datasets.size_in_words(known.bytes),
        "what it is": known.title,
        "licence": known.terms,
    }
