"""Work that is stopped ends in order, and what it came to is there for whoever asks next."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from components import progress
from components.progress import Parts, stoppable
from core.encoders.protocol import Progress


def quiet(share: float, what: str) -> None:
    """Hear of progress and say nothing."""


class Stop(BaseException):
    """As Streamlit ends a script: no ordinary exception."""


def count(*, progress: Progress, should_stop: Callable[[], bool]) -> int:
    """Ten steps that can be stopped between two."""
    done = 0
    while done < 10 and not should_stop():
        progress(done / 10, "Counting")
        done += 1
    return done


def test_work_that_is_stopped_hands_over_what_it_came_to_and_ends_the_script() -> None:
    kept: list[int] = []

    def report(share: float, what: str) -> None:
        if share >= 0.3:
            raise Stop

    with pytest.raises(Stop):
        stoppable(count, report, kept.append)
    assert kept == [4]  # the step that was begun is finished


def test_work_that_is_not_stopped_is_handed_back_only() -> None:
    kept: list[int] = []
    assert stoppable(count, quiet, kept.append) == 10
    assert kept == []


def test_an_error_of_the_work_itself_is_not_taken_for_a_stop() -> None:
    def put(**watched: object) -> int:
        raise ValueError("no model")

    with pytest.raises(ValueError, match="no model"):
        stoppable(put, quiet, lambda found: None)


def test_what_was_kept_is_there_once_the_run_has_ended() -> None:
    parts = Parts()
    assert parts.get("gender") is None
    begun, go_on = Event(), Event()

    def run() -> None:
        with parts.keeping("gender") as keep:
            begun.set()
            assert go_on.wait(10)
            keep("half")

    with ThreadPoolExecutor(2) as pool:
        running = pool.submit(run)
        assert begun.wait(10)
        asked = pool.submit(parts.get, "gender")
        assert not asked.done()
        go_on.set()
        assert asked.result() == "half"
        running.result()


def test_a_run_that_fails_holds_up_nobody() -> None:
    parts = Parts()
    with pytest.raises(ValueError, match="no model"), parts.keeping("gender"):
        raise ValueError("no model")
    assert parts.get("gender") is None


def test_the_oldest_part_gives_way() -> None:
    parts = Parts()
    for number in range(progress.MOST_PARTS + 1):
        with parts.keeping(number) as keep:
            keep(number)
    assert [parts.get(number) for number in (0, 1, progress.MOST_PARTS)] == [None, 1, progress.MOST_PARTS]
