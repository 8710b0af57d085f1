"""Every answer of the server carries the security headers; other traffic passes as it is."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from components.server import SecurityHeaders


def pass_through(kind: str, messages: list[dict[str, Any]]) -> list[Message]:
    """What a client gets when the app behind sends `messages`."""
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        for message in messages:
            await send(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(SecurityHeaders(app)({"type": kind}, receive, send))
    return sent


@pytest.mark.parametrize("status", [200, 404, 500])
def test_headers_are_added_to_those_of_the_app_whatever_the_status(status: int) -> None:
    own = (b"content-type", b"text/html")
    start, body = pass_through(
        "http",
        [
            {"type": "http.response.start", "status": status, "headers": [own]},
            {"type": "http.response.body", "body": b"page"},
        ],
    )
    headers = dict(start["headers"])
    assert headers[b"content-type"] == b"text/html"
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"referrer-policy"] == b"same-origin"
    assert headers[b"x-frame-options"] == b"SAMEORIGIN"
    assert (start["status"], body) == (status, {"type": "http.response.body", "body": b"page"})


def test_a_websocket_is_left_alone() -> None:
    messages = [{"type": "websocket.accept"}, {"type": "http.response.start", "headers": []}]
    assert pass_through("websocket", messages) == messages
