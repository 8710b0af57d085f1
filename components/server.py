"""The web server around the pages: what happens before the first page and with every answer."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import streamlit as st
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from components import resources

_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),  # a link that holds phrases is not passed on to other sites
    (b"x-frame-options", b"SAMEORIGIN"),
)


class SecurityHeaders:
    """Adds the headers above to every HTTP answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and the answer back with more headers."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *_HEADERS]}
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


@asynccontextmanager
async def preload(app: st.App) -> AsyncIterator[dict[str, Any]]:
    """Load the default encoder beside the starting server, so that the first reader need not wait for it."""
    threading.Thread(target=resources.preload, name="preload", daemon=True).start()
    yield {}


MIDDLEWARE = [Middleware(SecurityHeaders)]
"""What every request goes through before Streamlit."""
