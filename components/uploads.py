"""Files that a reader sends: read once, checked by core, kept for the session only."""

from __future__ import annotations

import streamlit as st


def table(label: str, *, key: str, help_text: str) -> bytes | None:
    """Draw an upload field for one CSV file; returns its bytes, or None where there is none."""
    sent = st.file_uploader(label, type=["csv", "txt"], key=key, help=help_text)
    return sent.getvalue() if sent else None
