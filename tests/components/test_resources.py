"""A slow value is made once for everybody, and a maker that is stopped leaves no trace."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest

from components.resources import Slot
from core.encoders.protocol import Progress


def quiet(share: float, what: str) -> None:
    """Hear of progress and say nothing."""


def test_eight_who_come_at_once_get_one_value_that_was_made_once() -> None:
    slot: Slot[object] = Slot()
    made: list[object] = []
    start = Barrier(8)

    def make(report: Progress) -> object:
        made.append(object())
        return made[-1]

    def come(_: int) -> object:
        start.wait(10)
        return slot.get(make, quiet)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(come, range(8)))
    assert len(made) == 1
    assert all(value is made[0] for value in found)


def test_a_maker_that_was_stopped_leaves_the_slot_empty_for_the_next_one() -> None:
    slot: Slot[str] = Slot()

    def stopped(report: Progress) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        slot.get(stopped, quiet)
    assert not slot.filled
    assert slot.get(lambda report: "made", quiet) == "made"
    assert slot.filled
    assert slot.get(stopped, quiet) == "made"


def test_whoever_waits_hears_how_far_the_maker_is() -> None:
    slot: Slot[str] = Slot()
    begun, heard = Event(), Event()

    def make(report: Progress) -> str:
        report(0.4, "Reading the weights")
        begun.set()
        assert heard.wait(10)
        return "made"

    def listen(share: float, what: str) -> None:
        if (share, what) == (0.4, "Reading the weights"):
            heard.set()

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(slot.get, make, quiet)
        assert begun.wait(10)
        assert pool.submit(slot.get, make, listen).result() == first.result() == "made"
