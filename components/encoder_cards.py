"""What an encoder is, and its health card."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from components import encoder_picker, notices, readings
from core.encoders import catalog
from core.encoders.health import Health
from core.errors import EncoderError


def catalogue() -> None:
    """Draw every encoder that can be chosen, loaded or not."""
    try:
        entries = catalog.entries()
    except EncoderError:
        entries = catalog.BUNDLED
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "name": item.name,
                    "title": item.title,
                    "what it is": item.summary,
                    "licence": item.provenance.licence if item.provenance else "said once it is loaded",
                    "text goes to": item.sends_to or "stays here",
                }
                for item in entries
            ]
        ),
        hide_index=True,
        alt="Encoders that can be chosen in the sidebar",
    )
    st.caption(
        "Whoever runs this app adds encoders in moralscope.toml: sentence-transformers models, word vectors, servers, USE."
    )


def card(name: str, found: Health) -> None:
    """Draw the health card of one encoder."""
    made_by = found.provenance
    with st.container(border=True):
        st.markdown(f"**{notices.plain(encoder_picker.title(name))}**")
        st.text(
            f"Model {made_by.model}; revision {made_by.revision}; licence {made_by.licence}; {made_by.dimension} dimensions; "
            f"computed with {made_by.runtime}. {made_by.note}."
        )
        negation = (
            readings.correlated("a phrase and its negation", found.negation) if found.negation else "not measurable"
        )
        speed = (
            f"{found.texts_per_second:,.0f} questions a second on this machine, now" if found.texts_per_second else ""
        )
        st.text(f"cos(yes, no) = {found.yes_no:.3f}; {negation}. {speed}")
        st.text(readings.health("Agreement", found))
        for concern in found.concerns:
            st.text(f"{concern}.")


def row(name: str, found: Health) -> dict[str, Any]:
    """The numbers of one encoder, for a table."""
    parts = {
        "negation": found.negation,
        "association": found.weat,
        "people_bias": found.people_bias,
        "people_axis": found.people_axis,
    }
    return {
        "encoder": name,
        "yes_no": found.yes_no,
        **{f"{key}_{end}": getattr(r, end) if r else None for key, r in parts.items() for end in ("r", "low", "high")},
        "variance_explained": found.variance_explained,
        "random_line": found.random_line,
        "texts_per_second": found.texts_per_second,
    }
