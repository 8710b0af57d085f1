"""The choice of encoders, shared by all pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from components import notices, state
from core.encoders import catalog
from core.encoders.catalog import Entry
from core.encoders.protocol import Provenance
from core.errors import EncoderError

T = TypeVar("T")

MOST = 4
"""Encoders that are compared at once: what fits a page."""


def show() -> None:
    """Draw the picker in the sidebar; what is chosen stands in the address."""
    offered = {item.name: item for item in _offered()}
    state.asked_encoders()
    st.multiselect(
        "Encoders",
        list(offered),
        default=[_default()],
        max_selections=MOST,
        key=state.ENCODERS,
        bind="query-params",
        on_change=state.forget_asked_encoders,
        help="An encoder turns a sentence into numbers. Choose up to four to see whether a finding is about the text "
        "or about one model.",
    )
    for item in filter(None, map(offered.get, _picked())):
        weak = " Weak for sentences: it knows words only." if item.weak_for_sentences else ""
        st.caption(f"**{item.name}**: {notices.plain(f'{item.title}. {item.summary}')}{weak}")
        if item.sends_to:
            st.checkbox(
                f"Send text to `{item.sends_to}`",
                key=state.agreed(item.sends_to),
                persist_state="session",
                help="This encoder runs on another server. Until you agree, nothing is sent and it is left out.",
            )


def _offered() -> tuple[Entry, ...]:
    """The catalogue, or what ships where the registry file cannot be used."""
    try:
        return catalog.entries()
    except EncoderError:
        return catalog.BUNDLED


def _default() -> str:
    try:
        return catalog.default()
    except EncoderError:
        return catalog.DEFAULT


def chosen() -> list[str]:
    """Names of the chosen encoders, at least one."""
    usable = [item.name for item in _offered() if not item.sends_to or state.get(state.agreed(item.sends_to))]
    picked = [name for name in _picked() if name in usable]
    return picked or [_default() if _default() in usable else catalog.DEFAULT]


def each(work: Callable[[str], T]) -> dict[str, T]:
    """What `work` gives for each chosen encoder that can do it (see `notices.each`); without any, the page ends."""
    found = notices.each(chosen(), work, title)
    if not found:
        st.stop()
    return found


def _picked() -> list[str]:
    """What the reader picked, agreed to or not."""
    return (state.get(state.ENCODERS) or [_default()])[:MOST]


def notice() -> None:
    """Say so where the address named an encoder that is not here, or where the registry file cannot be used."""
    known = {item.name for item in _offered()}
    unknown = [name for name in state.asked_encoders() if name not in known]
    if unknown:
        notices.unknown_encoders(unknown, used=", ".join(title(name) for name in chosen()))
    silent = [item.title for item in _offered() if item.name in _picked() and item.name not in chosen()]
    if silent:
        st.info(
            "Left out until you agree, beside the choice of encoders, to send it text:", icon=":material/cloud_off:"
        )
        st.text(", ".join(silent))
    try:
        catalog.entries()
    except EncoderError as error:
        notices.show_error(error)


def title(name: str) -> str:
    """Name of an encoder for people."""
    return next((item.title for item in _offered() if item.name == name), name)


def made_with(provenance: Provenance, name: str) -> str:
    """Where an encoder's numbers come from, in one line."""
    return (
        f"{title(name)} ({provenance.model}, {provenance.revision[:19]}…, licence {provenance.licence}, "
        f"{provenance.dimension} dimensions), computed with {provenance.runtime}"
    )
