"""What a reader should know of the word lists of a page: source, year, licence, known problems."""

from __future__ import annotations

import streamlit as st

from core.association.sets import card


def show(*names: str) -> None:
    """Draw the cards of the lists called `names`, closed at first."""
    cards = [card(name) for name in names]
    with st.expander("The lists used here: source, year, licence, known problems"):
        for found in cards:
            st.text(
                f"{found.title}. {found.authors} ({found.year}); {found.source}. Licence: {found.licence}.\n"
                f"Known problems: {found.known_problems}."
            )
