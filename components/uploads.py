"""Files that a reader sends: read once, checked by core, kept for the session only."""

from __future__ import annotations

import streamlit as st

from core.errors import InputError


def text(content: bytes) -> str:
    """Decode an uploaded text file.

    Raises
    ------
    InputError
        It is not UTF-8.
    """
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InputError(
            expected="text in UTF-8", got=f"byte {content[error.start]:#04x}", remedy="save the file as UTF-8"
        ) from error


def table(label: str, *, key: str, help_text: str) -> bytes | None:
    """Draw an upload field for one CSV file; returns its bytes, or None where there is none."""
    sent = st.file_uploader(label, type=["csv", "txt"], key=key, help=help_text)
    return sent.getvalue() if sent else None
