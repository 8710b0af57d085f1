"""Slow work of the page: it is done once everything else is drawn, so that the page stays usable meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components import notices, state
from core.errors import MoralscopeError


@dataclass(frozen=True)
class Job:
    """What is to be made, in words; how; and the model that a reader starts first, where it takes so long."""

    name: str
    put: Callable[[], object]
    model: str = ""


def do(place: DeltaGenerator, jobs: Sequence[Job]) -> None:
    """Do the jobs with progress and a way to stop in `place`, then draw the page anew; offer what waits for a start.

    What was stopped, by the button or by any other choice, goes on where it was.
    """
    started = state.runs()
    going = [job for job in jobs if started.get(_key(job), not job.model)]
    waiting = [job for job in jobs if job not in going]
    done = False
    with place:
        if waiting:
            st.info("Not made yet. It takes from seconds to many minutes.", icon=":material/schedule:")
            st.text("\n".join(job.name for job in waiting))
            st.button("Run", type="primary", key="start_jobs", on_click=_mark, args=(waiting, True))
        if going:
            stop = st.empty()
            stop.button("Stop", key="stop_jobs", icon=":material/stop_circle:", on_click=_mark, args=(going, False))
            for job in going:
                try:
                    job.put()
                    done = True
                except MoralscopeError as error:
                    notices.show_error(error)
            stop.empty()
    if done:
        st.rerun()


def _key(job: Job) -> tuple[str, str]:
    return ("knowledge", job.model or job.name)


def _mark(jobs: Sequence[Job], going: bool) -> None:
    for job in jobs:
        state.runs()[_key(job)] = going
