"""A progress bar with an estimate, for whatever takes more than a moment."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.encoders.protocol import Progress


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
