"""What takes too long is cut, also in the midst of reading; what ends in time is left alone."""

from __future__ import annotations

import socket
import time
from itertools import count

import pytest

from core.encoders.line import Line


def test_a_reader_is_cut_when_its_time_is_over() -> None:
    line = Line()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        line.sockets.append(ours)
        began = time.monotonic()
        with pytest.raises(TimeoutError), line.open_for(0.1):
            all(theirs.send(b"x") and ours.recv(1) for _ in count())
        assert time.monotonic() - began < 20  # it would never end


def test_what_ends_in_time_keeps_its_result_its_own_error_and_its_line() -> None:
    line = Line()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        line.sockets.append(ours)
        with pytest.raises(KeyError), line.open_for(20.0):
            raise KeyError
        with line.open_for(20.0):
            theirs.sendall(b"x")
        assert ours.recv(1) == b"x"


def test_a_socket_that_was_closed_before_is_passed_over() -> None:
    line = Line()
    ours, theirs = socket.socketpair()
    ours.close()
    theirs.close()
    line.sockets += [ours, None]
    with pytest.raises(TimeoutError), line.open_for(0.0):
        time.sleep(0.2)
