"""A limit on the whole time that a server is listened to; those of requests begin anew with every byte."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from socket import SHUT_RDWR, socket
from threading import Timer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from requests.adapters import HTTPAdapter


class Line:
    """The connections of one session that `adapter` makes, so that they can be cut."""

    def __init__(self) -> None:
        self.sockets: list[Any] = []
        self._late = False

    @contextmanager
    def open_for(self, seconds: float) -> Iterator[None]:
        """Cut the connections if the block takes longer.

        Raises
        ------
        TimeoutError
            It did, however the block ended.
        """
        timer = Timer(seconds, self._cut)
        timer.daemon = True
        timer.start()
        try:
            yield
        except Exception:  # of what a cut connection causes
            if self._late:
                raise TimeoutError from None
            raise
        finally:
            timer.cancel()
            timer.join()
        if self._late:
            raise TimeoutError

    def _cut(self) -> None:
        self._late = True
        for connected in self.sockets:
            with suppress(OSError, TypeError):  # closed before, or no socket
                # The method of the plain socket: that of TLS would take its state from under the reader.
                socket.shutdown(connected, SHUT_RDWR)


def adapter(line: Line) -> HTTPAdapter:
    """Connects as requests does, and tells `line` of every socket."""
    from requests.adapters import HTTPAdapter

    class Adapter(HTTPAdapter):
        def get_connection_with_tls_context(self, *args: Any, **options: Any) -> Any:
            pool: Any = super().get_connection_with_tls_context(*args, **options)
            kind: Any = type(pool).ConnectionCls

            class Connection(kind):  # type: ignore[misc]  # of HTTP or of HTTPS
                def connect(self) -> None:
                    super().connect()
                    line.sockets.append(self.sock)

            pool.ConnectionCls = Connection
            return pool

    return Adapter()
