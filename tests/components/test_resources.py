"""A slow value is made once for everybody, and a maker that is stopped leaves no trace."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from components.resources import Slot


def test_eight_who_come_at_once_get_one_value_that_was_made_once() -> None:
    slot: Slot[object] = Slot()
    made: list[object] = []
    start = Barrier(8)

    def make() -> object:
        made.append(object())
        return made[-1]

    def come(_: int) -> object:
        start.wait(10)
        return slot.get(make)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(come, range(8)))
    assert len(made) == 1
    assert all(value is made[0] for value in found)


def test_a_maker_that_was_stopped_leaves_the_slot_empty_for_the_next_one() -> None:
    slot: Slot[str] = Slot()

    def stopped() -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        slot.get(stopped)
    assert not slot.filled
    assert slot.get(lambda: "made") == "made"
    assert slot.filled
    assert slot.get(stopped) == "made"
