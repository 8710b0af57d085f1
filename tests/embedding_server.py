"""A server of embeddings as a process of its own: ``python -m tests.embedding_server`` prints its port and serves.

It counts letters. What it does wrong is the name of the model asked for; `GET /asked` tells what it was sent.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

PROBES = 4
"""Texts that an encoder asks for when it is loaded; some models go wrong only afterwards."""

BODIES = {
    "huge": b'{"data": [%s]}' % b", ".join([b'{"embedding": [1%s, 1]}' % (b"0" * 400)] * PROBES),
    "endless_index": b'{"data": [%s]}' % b", ".join([b'{"index": 1e999, "embedding": [1, 1]}'] * PROBES),
    "endless": b'{"data": [%s]}' % b", ".join([b'{"embedding": [1e999, 1]}'] * PROBES),
    "deep": b"[" * 200_000,
    "large": b'{"data": [%s]}' % b", ".join([b'{"embedding": [1e300, 1]}'] * PROBES),
    "truth": b'{"data": [%s]}' % b", ".join([b'{"embedding": [true, false]}'] * PROBES),
    "truth_index": b'{"data": [%s]}' % b", ".join([b'{"index": true, "embedding": [1, 1]}'] * PROBES),
    "digits": b'{"data": [%s]}' % b", ".join([b'{"embedding": [%s, 1]}' % (b"9" * 5000)] * PROBES),
}
"""What some models answer, as it is."""

asked: list[dict[str, Any]] = []
seen: Counter[str] = Counter()


def vector(text: str) -> list[float]:
    """How often each letter occurs, and a last 1."""
    return [*(float(text.lower().count(letter)) for letter in "abcdefgh"), 1.0]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._answer(200, asked)

    def do_POST(self) -> None:
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts, model = content["input"], content["model"]
        asked.append({**content, "path": self.path, "key": self.headers.get("Authorization")})
        seen[model] += 1
        data: list[Any] = [{"index": place, "embedding": vector(text)} for place, text in enumerate(texts)]
        later = len(texts) != PROBES
        if model in ("busy", "broken") and seen[model] % 3:  # twice, then well
            return self._answer({"busy": 429, "broken": 500}[model], {"error": self.headers.get("Authorization")})
        if model.isdecimal():
            return self._answer(int(model), {"error": self.headers.get("Authorization")})
        if model == "elsewhere":
            return self._answer(307, {}, Location="/v1/embeddings")
        if model == "hang":
            time.sleep(30)
        if model == "drip":
            return self._drip(b"HTTP/1.1 200 OK\r\n\r\n")
        if model == "drip_headers":
            return self._drip(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        if model == "drip_late":
            time.sleep(0.3)
            return self._drip(b"HTTP/1.1 200 OK\r\nContent-Length: 600\r\n\r\n")
        if model in BODIES:
            return self._send(200, BODIES[model])
        if model == "later_hang" and later:
            time.sleep(30)
        if model == "shuffled":
            data.reverse()
        if model == "fewer" and later:
            data.pop()
        if model == "twice" and later:
            data[1]["index"] = 0
        if model == "wide" and later:
            data[0]["embedding"].append(1.0)
        if model == "wider" and later:
            data = [{**item, "embedding": [*item["embedding"], 1.0]} for item in data]
        if model == "nan":
            data[0]["embedding"][0] = float("nan")
        if model == "words":
            data[0]["embedding"][0] = "one"
        if model == "zeros":
            data[0]["embedding"] = [0.0] * 9
        if model == "form":
            return self._answer(200, {"vectors": []})
        return self._answer(200, {"data": data})

    def _answer(self, status: int, content: Any, **headers: str) -> None:
        self._send(status, b"no JSON" if status == 200 and content == {} else json.dumps(content).encode(), **headers)

    def _send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if status == 429:
            self.send_header("Retry-After", "0")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _drip(self, start: bytes) -> None:
        self.close_connection = True
        try:
            self.wfile.write(start)
            for _ in range(600):
                self.wfile.write(b" ")
                time.sleep(0.05)
        except OSError:  # the client is gone
            return

    def log_message(self, format: str, *args: Any) -> None:
        """Keep standard error for the tests."""


@dataclass
class Server:
    """A running server."""

    address: str

    def target(self, model: str) -> str:
        return f"{self.address}/v1#{model}"

    def asked(self, model: str) -> list[dict[str, Any]]:
        with build_opener(ProxyHandler({})).open(f"{self.address}/asked", timeout=30) as answer:
            return [request for request in json.load(answer) if request["model"] == model]


@contextmanager
def serving() -> Iterator[Server]:
    """The server in a process of its own."""
    root = Path(__file__).resolve().parents[1]
    command = [sys.executable, "-m", "tests.embedding_server"]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            yield Server(f"http://127.0.0.1:{int(process.stdout.readline())}")
        finally:
            process.kill()


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    server.serve_forever()
