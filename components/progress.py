"""A progress bar with an estimate, for whatever takes more than a moment, and an end in order for what is stopped."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import Any, TypeVar

import streamlit as st

from core.encoders.protocol import Progress

T = TypeVar("T")

MOST_PARTS = 4
"""Runs of one session that were cut off and are kept: one for each answerer that a page compares. Ours."""

PATIENCE = 60.0
"""Seconds to wait for a run that is ending: one part by a large model. Ours."""


@contextmanager
def bar() -> Iterator[Progress]:
    """Show progress while the block runs. Stopping or leaving the page stops the block at its next report."""
    place = st.empty()
    started = time.monotonic()

    def show(share: float, what: str) -> None:
        passed = time.monotonic() - started
        left = f" · about {passed * (1 - share) / share:.0f} s left" if share > 0.1 and passed > 1 else ""
        place.progress(min(1.0, max(0.0, share)), text=f"{what}{left}")

    try:
        yield show
    finally:
        place.empty()


class Parts:
    """What runs of one session had come to when they were cut off.

    Streamlit draws a page anew while the run that it stopped is still ending: whoever asks waits for it.
    """

    def __init__(self) -> None:
        self._found: dict[Hashable, Any] = {}
        self._ended: dict[Hashable, Event] = {}

    @contextmanager
    def keeping(self, key: Hashable) -> Iterator[Callable[[Any], None]]:
        """Hand out the function that keeps what the run in this block came to."""

        def keep(found: Any) -> None:
            while len(self._found) >= MOST_PARTS:
                del self._found[next(iter(self._found))]
            self._found[key] = found

        ended = self._ended[key] = Event()
        try:
            yield keep
        finally:
            ended.set()

    def get(self, key: Hashable) -> Any | None:
        """What a run that was cut off had come to; None where there is nothing."""
        if key in self._ended:
            self._ended[key].wait(PATIENCE)
        return self._found.get(key)


def stoppable(put: Callable[..., T], report: Progress, cut_off: Callable[[T], None]) -> T:
    """Let work end in order when the reader stops it or goes on: what it came to is not lost.

    Parameters
    ----------
    put : callable
        Takes `progress` and `should_stop`.
    report : callable
        Raises what Streamlit raises when a script is to end.
    cut_off : callable
        Gets what the work came to before it is raised again.
    """
    raised: list[BaseException] = []

    def told(share: float, what: str) -> None:
        try:
            report(share, what)
        except BaseException as error:
            raised.append(error)

    found = put(progress=told, should_stop=lambda: bool(raised))
    if raised:
        cut_off(found)
        raise raised[0]
    return found
