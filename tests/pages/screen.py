"""What stands on a page: its words, its figures' numbers, its drawers and links."""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
from streamlit.testing.v1 import AppTest

MARKUP = ("markdown", "caption", "header", "subheader", "title", "info", "warning", "error", "success")


def said(at: AppTest) -> str:
    """All plain text."""
    return "\n".join(element.value for element in at.text)


def marked(at: AppTest) -> str:
    """All text that is read as markup."""
    return "\n".join(str(element.value) for kind in MARKUP for element in at.get(kind))


def numbers(values: Any) -> list[float]:
    """Coordinates of a trace, which Plotly may have packed."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), dtype=values["dtype"]).tolist()
    return list(values)


def bars(figure: dict[str, Any]) -> dict[str, float]:
    """Length of the bar of each name."""
    names = figure["layout"]["yaxis"]["ticktext"]
    return {
        names[int(row)]: value
        for trace in figure["data"]
        for row, value in zip(numbers(trace["y"]), numbers(trace["x"]), strict=True)
    }


def open_drawer(at: AppTest, key: str) -> AppTest:
    """Open what stands behind a figure: table, files, link."""
    at.session_state[f"drawer_{key}"] = True
    return at.run()


def link(at: AppTest, key: str) -> dict[str, Any]:
    """Query of the link in a drawer."""
    (found,) = [code.value for code in open_drawer(at, key).code if code.value.startswith("http")]
    query = parse_qs(urlsplit(found).query)
    return {name: values if len(values) > 1 else values[0] for name, values in query.items()}
