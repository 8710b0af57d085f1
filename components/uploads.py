"""Files that a reader sends: read once, checked by core, kept for the session only."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import state
from core.association.sets import first_column
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


def fresh(label: str, *, key: str, help_text: str) -> bytes | None:
    """Draw an upload field whose file is handed out once, when it is sent, and may be edited afterwards."""
    content = table(label, key=key, help_text=help_text)
    return content if content is not None and state.is_new(key, state.get(key).file_id) else None


def words(label: str, *, key: str, help_text: str) -> str | None:
    """Draw an upload field for words, one per line, or a CSV file with a column of them; None where there is none.

    Raises
    ------
    InputError
        The file cannot be read.
    """
    content = table(label, key=key, help_text=help_text)
    if content is None:
        return None
    listed = text(content)
    return first_column(listed) if state.get(key).name.lower().endswith(".csv") else listed


def table(label: str, *, key: str, help_text: str, kinds: Sequence[str] = ("csv", "txt")) -> bytes | None:
    """Draw an upload field for one file, CSV if not said otherwise; returns its bytes, or None where there is none."""
    sent = st.file_uploader(label, type=list(kinds), key=key, help=help_text)
    return sent.getvalue() if sent else None
