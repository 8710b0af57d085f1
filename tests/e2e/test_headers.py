"""Every answer of the served app carries the security headers."""

from __future__ import annotations

from urllib.error import HTTPError
from urllib.request import urlopen

import pytest


@pytest.mark.parametrize("path", ["/", "/moral_choice", "/_stcore/health", "/static/no-such-file"])
def test_an_answer_has_the_security_headers(server: str, path: str) -> None:
    try:
        answer = urlopen(f"{server}{path}", timeout=60)
    except HTTPError as error:
        answer = error
    with answer:
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["X-Frame-Options"] == "SAMEORIGIN"
