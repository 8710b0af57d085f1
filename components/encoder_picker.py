"""The choice of encoders, shared by all pages."""

from __future__ import annotations

import streamlit as st

from components import notices, state
from core.encoders import catalog
from core.encoders.protocol import Provenance

MOST = 4
"""Encoders that are compared at once: what fits a page."""


def show() -> None:
    """Draw the picker in the sidebar; what is chosen stands in the address."""
    known = list(catalog.NAMES)
    state.asked_encoders()
    st.multiselect(
        "Encoders",
        known,
        default=[catalog.DEFAULT],
        max_selections=MOST,
        key=state.ENCODERS,
        bind="query-params",
        on_change=state.forget_asked_encoders,
        help="An encoder turns a sentence into numbers. Choose up to four to see whether a finding is about the text "
        "or about one model.",
    )
    for name in chosen():
        st.caption(f"**{name}**: {title(name)}. {catalog.entry(name).summary}")


def chosen() -> list[str]:
    """Names of the chosen encoders, at least one."""
    picked = [name for name in state.get(state.ENCODERS) or [] if name in catalog.NAMES][:MOST]
    return picked or [catalog.DEFAULT]


def notice() -> None:
    """Say so where the address named an encoder that is not here."""
    unknown = [name for name in state.asked_encoders() if name not in catalog.NAMES]
    if unknown:
        notices.unknown_encoders(unknown, used=", ".join(title(name) for name in chosen()))


def title(name: str) -> str:
    """Name of an encoder for people."""
    return catalog.entry(name).title


def made_with(provenance: Provenance, name: str) -> str:
    """Where an encoder's numbers come from, in one line."""
    return (
        f"{title(name)} ({provenance.model}, {provenance.revision[:19]}…, licence {provenance.licence}, "
        f"{provenance.dimension} dimensions), computed with {provenance.runtime}"
    )
