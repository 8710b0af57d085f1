"""A web server on loopback that serves made-up files, and misbehaves where a test says so."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote


@dataclass
class Source:
    """What the server has, how it behaves, and what it was asked.

    `cuts`: each request takes one number, and the connection ends after that many bytes; `statuses`: by path, each
    request takes one HTTP status instead of the file; `held`: a request stops there until `released` is set.
    """

    files: dict[str, bytes]
    cuts: list[int] = field(default_factory=list)
    statuses: dict[str, list[int]] = field(default_factory=dict)
    honours_range: bool = True
    announces_length: bool = True
    shifts_range: bool = False
    content_type: str = "application/octet-stream"
    held: int | None = None
    released: threading.Event = field(default_factory=threading.Event)
    requests: list[tuple[str, int]] = field(default_factory=list)
    address: str = ""

    def starts(self, path: str) -> list[int]:
        """The position at which each request for `path` began."""
        return [start for asked, start in self.requests if asked == path]


class _Handler(BaseHTTPRequestHandler):
    source: Source

    def do_GET(self) -> None:
        source = self.source
        path = unquote(self.path).lstrip("/")
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = int(wanted[1]) if wanted else 0
        source.requests.append((path, start))
        if source.statuses.get(path):
            return self._answer(source.statuses[path].pop(0), b"busy or gone")
        if path not in source.files:
            return self._answer(404, b"no such file")
        body = source.files[path]
        if not (wanted and source.honours_range):
            return self._answer(200, body)
        if start >= len(body):
            return self._answer(416, b"")
        first = start + 1 if source.shifts_range else start
        return self._answer(206, body[first:], **{"Content-Range": f"bytes {first}-{len(body) - 1}/{len(body)}"})

    def _answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", self.source.content_type)
        if self.source.announces_length:
            self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        cut = self.source.cuts.pop(0) if self.source.cuts and status < 400 else len(body)
        held = self.source.held
        try:
            if held is not None and held < cut:
                self.wfile.write(body[:held])
                self.source.released.wait(60)
                self.wfile.write(body[held:cut])
            else:
                self.wfile.write(body[:cut])
        except OSError:  # the client is gone: some tests kill it
            pass
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Keep standard error for the tests."""


@contextmanager
def serving(files: dict[str, bytes], **behaviour: Any) -> Iterator[Source]:
    """A running server for the files, by path; stopped on leaving."""
    source = Source(files, **behaviour)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"source": source}))
    source.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield source
    finally:
        source.released.set()
        server.shutdown()
        thread.join()
        server.server_close()


def address_of_nobody() -> str:
    """An address on loopback at which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}"
