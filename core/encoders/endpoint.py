"""A model behind any server with the OpenAI-compatible ``/v1/embeddings``: text leaves this machine.

It opens a connection only to the address that the registry file (or, on the command line, the spec)
names. A key is read from the environment when a request is made, and stands in no link, log, error or repr.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from core.encoders import batches
from core.encoders.conversion import PROBES
from core.encoders.line import Line, adapter
from core.encoders.protocol import Progress, Provenance
from core.encoders.registry import Spec
from core.errors import EncoderError
from core.vectors import FloatArray, check, unit

if TYPE_CHECKING:
    from requests import PreparedRequest, Response, Session

KEY = "MORALSCOPE_ENDPOINT_KEY"

BACKOFF = (1.0, 2.0, 4.0)
"""Seconds before each new try after "too many requests" or a failure of the server. Ours."""
LONGEST_PAUSE = 30.0
"""Seconds that a server may ask to wait. Ours."""
CONNECT, ANSWER = 5.0, 60.0
"""Seconds to wait for a connection, and for the whole answer to one batch. Ours."""
MAX_ANSWER = 64 << 20
"""Largest answer in bytes. Ours: 32 vectors of 4,096 numbers are 3 MB."""

_BUSY = frozenset({429, 500, 502, 503, 504})
"""HTTP answers that mean "later" (RFC 9110, section 15; RFC 6585, section 4)."""


@dataclass(frozen=True)
class Waiting:
    """How long a server is waited for, in seconds: pauses between tries, connection, whole answer."""

    backoff: tuple[float, ...] = BACKOFF
    connect: float = CONNECT
    answer: float = ANSWER


PATIENCE = Waiting()


class EndpointEncoder:
    """A model on a server. Thread-safe: every call has a session of its own.

    Parameters
    ----------
    name : str
        Short name.
    target : str
        ``URL#MODEL``; ``/v1/embeddings`` is added where the URL does not end so.
    waiting : Waiting
        How long the server is waited for.

    Raises
    ------
    EncoderError
        It cannot be reached, refuses, or answers something else than embeddings.
    """

    def __init__(self, name: str, target: str, waiting: Waiting = PATIENCE) -> None:
        parts = urlsplit(target)
        path = parts.path.rstrip("/").removesuffix("/embeddings").removesuffix("/v1")
        self.name = name
        self._address = f"{parts.scheme}://{parts.netloc}{path}/v1/embeddings"
        self._model, self._host, self._waiting = parts.fragment, parts.netloc, waiting
        self._dimension: int | None = None
        probes = self.encode(PROBES)
        self._dimension = probes.shape[1]
        # A server does not say which weights it runs: other answers to the same sentences are another model.
        print_of = hashlib.sha256(np.round(unit(probes), 3).tobytes()).hexdigest()[:16]
        note = f"Computed by a server: text is sent to {self._host}, and nothing here shows which weights it runs"
        self.provenance = Provenance(
            self._model, f"answers:{print_of}", "not stated", self._dimension, f"server {self._host}", note
        )

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Embed `texts`, each distinct text once, in batches of similar length."""
        import requests

        distinct = list(dict.fromkeys(texts))
        row = {text: index for index, text in enumerate(distinct)}
        if not distinct:
            return np.empty((0, self._dimension or 0), dtype=np.float32)
        found: dict[int, FloatArray] = {}
        with requests.Session() as session:
            session.mount(self._address, adapter(line := Line()))
            session.auth = _authorise  # also keeps the session from looking for passwords in ~/.netrc
            for members in batches.plan([len(text) for text in distinct], lanes=1):
                answer = self._ask(session, line, [distinct[place] for place in members])
                found.update(zip(members.tolist(), self._rows(answer, len(members)), strict=True))
        vectors = np.array([found[place] for place in range(len(distinct))], dtype=np.float32)
        return check(vectors, count=len(distinct))[[row[text] for text in texts]]

    def _ask(self, session: Session, line: Line, texts: list[str]) -> bytes:
        """The answer to one batch, asking again while the server is busy."""
        import requests
        import urllib3

        pauses = iter(self._waiting.backoff)
        content = {"model": self._model, "input": texts, "encoding_format": "float"}
        while True:
            try:
                with (
                    line.open_for(self._waiting.answer),
                    session.post(
                        self._address,
                        json=content,
                        headers={"Accept-Encoding": "identity"},
                        stream=True,
                        allow_redirects=False,  # neither text nor key goes anywhere else
                        timeout=(self._waiting.connect, self._waiting.answer),
                    ) as response,
                ):
                    status = response.status_code
                    if status == HTTPStatus.OK:
                        return self._receive(response)
                    asked = response.headers.get("Retry-After", "")
            except (requests.ReadTimeout, urllib3.exceptions.TimeoutError, TimeoutError):
                raise self._failed(f"no answer within {self._waiting.answer:g} s") from None
            except (requests.RequestException, urllib3.exceptions.HTTPError) as error:  # its text is not shown
                raise self._failed(f"no connection ({type(error).__name__})") from None
            pause = next(pauses, None) if status in _BUSY else None
            if pause is None:
                raise self._failed(_in_words(status, len(self._waiting.backoff) + 1 if status in _BUSY else 1))
            time.sleep(max(pause, min(float(asked), LONGEST_PAUSE)) if asked.isdecimal() else pause)

    def _receive(self, response: Response) -> bytes:
        parts, total = [], 0
        while part := response.raw.read1(1 << 16):  # what is there: of a large answer no more than allowed is kept
            parts.append(part)
            total += len(part)
            if total > MAX_ANSWER:
                raise self._failed(f"an answer of more than {MAX_ANSWER >> 20} MB")
        return b"".join(parts)

    def _rows(self, answer: bytes, count: int) -> list[FloatArray]:
        """The vectors of an answer in the order asked."""
        try:
            items: list[dict[str, Any]] = json.loads(answer)["data"]
            rows = {item.get("index", place): item["embedding"] for place, item in enumerate(items)}
            numbers = (number for row in rows.values() for number in row)
            if not (
                all(type(place) is int for place in rows) and all(type(number) in (int, float) for number in numbers)
            ):
                raise TypeError
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise self._failed("an answer of another form") from None
        if sorted(rows) != list(range(count)):
            raise self._failed(f"{len(items)} vectors for {count} texts")
        widths = {len(row) for row in rows.values()} | ({self._dimension} if self._dimension else set())
        if len(widths) != 1 or 0 in widths:
            raise self._failed(f"vectors of {' and '.join(map(str, sorted(widths)))} numbers")
        largest = float(np.finfo(np.float32).max)
        if any(abs(number) > largest for row in rows.values() for number in row):
            raise self._failed(f"a number beyond ±{largest:.1g}")
        return [np.array(rows[place], dtype=np.float32) for place in range(count)]

    def _failed(self, got: str) -> EncoderError:
        return EncoderError(
            expected=f"embeddings by {self._model[:60]} from {self._address[:120]}",
            got=got,
            remedy=f"check that the server runs and has this model, and its key in {KEY} if it wants one",
        )


def size(spec: Spec) -> int:
    """It needs nothing here to speak of, and so never makes room: asked again, a server may round its answers otherwise."""
    return 0


def load(name: str, spec: Spec, cache_dir: Path, progress: Progress) -> EndpointEncoder:
    """Ask a server for the embeddings of a few sentences of ours, to see that it answers and with what dimension."""
    return EndpointEncoder(name, spec.target)


def _authorise(request: PreparedRequest) -> PreparedRequest:
    if key := os.environ.get(KEY, "").strip():
        if not (key.isascii() and key.isprintable()):
            raise EncoderError(expected=f"a key of printable characters in {KEY}", got="others", remedy="correct it")
        request.headers["Authorization"] = f"Bearer {key}"
    return request


def _in_words(status: int, times: int) -> str:
    """What an HTTP status says; a server's own words are not shown: they may repeat the key."""
    phrase = HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "unknown"
    return f"HTTP {status} ({phrase})" + (f", {times} times in a row" if times > 1 else "")
