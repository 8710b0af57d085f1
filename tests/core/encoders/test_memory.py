"""A budget is kept, nothing in use is let go of, and whoever waits gets what another one loaded."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import numpy as np
import pytest

from core.encoders import memory, words
from core.encoders.cache import CachedEncoder
from core.encoders.memory import Pool, PooledEncoder
from core.encoders.protocol import Encoder
from core.encoders.registry import Spec
from core.errors import EncoderError


@pytest.fixture
def loader(letters_kind: Any) -> Callable[[list[str], str], Callable[[], Encoder]]:
    """Notes each load by name."""

    def named(log: list[str], name: str) -> Callable[[], Encoder]:
        def load() -> Encoder:
            log.append(name)
            encoder: Encoder = letters_kind()
            return encoder

        return load

    return named


def test_what_was_used_longest_ago_makes_room(loader: Any) -> None:
    pool, log = Pool(100), list[str]()
    one, two, three = (PooledEncoder(key, 40, loader(log, key), pool) for key in "abc")
    assert pool.keys == ("b", "c")
    two.encode(["x"])
    one.encode(["x"])
    assert (pool.keys, log) == (("b", "a"), ["a", "b", "c", "a"])
    np.testing.assert_array_equal(three.encode(["kill"]), one.encode(["kill"]))


def test_an_encoder_in_use_stays_and_whoever_needs_its_room_waits(loader: Any) -> None:
    pool, log, started = Pool(100), list[str](), Event()

    def other() -> None:
        started.set()
        with pool.use("b", 60, loader(log, "b")):
            assert "a" not in pool.keys

    with ThreadPoolExecutor(1) as threads, pool.use("a", 60, loader(log, "a")):
        waiting = threads.submit(other)
        assert started.wait(10)
        with pool.use("c", 30, loader(log, "c")):
            assert "a" in pool.keys
        assert not waiting.done()
        assert "b" not in log
    waiting.result(10)
    assert log == ["a", "c", "b"]


def test_one_larger_than_the_budget_is_refused_before_loading_and_costs_nobody_a_place(loader: Any) -> None:
    pool, log = Pool(10 << 20), list[str]()
    PooledEncoder("small", 9 << 20, loader(log, "small"), pool)
    with pytest.raises(EncoderError, match=r"fits into 10 MB.*needs about 4,000 MB.*MORALSCOPE_MEMORY_MB"):
        PooledEncoder("large", 4000 << 20, loader(log, "large"), pool)
    assert (pool.keys, log) == (("small",), ["small"])


def test_eight_who_ask_at_once_share_one_load(loader: Any) -> None:
    pool, log, together = Pool(100), list[str](), Barrier(8)

    def ask(_: int) -> Encoder:
        together.wait(10)
        with pool.use("a", 60, loader(log, "a")) as encoder:
            return encoder

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(ask, range(8)))
    assert len(set(map(id, found))) == len(log) == 1


def test_a_load_that_fails_leaves_its_room_to_the_next(loader: Any) -> None:
    pool, log = Pool(100), list[str]()

    def fail() -> Encoder:
        raise EncoderError(expected="a model", got="none", remedy="get one")

    with pytest.raises(EncoderError, match="a model"):
        PooledEncoder("a", 90, fail, pool)
    assert pool.keys == ()
    PooledEncoder("b", 90, loader(log, "b"), pool)


def test_threads_that_take_turns_never_exceed_the_budget(loader: Any) -> None:
    pool, log = Pool(100), list[str]()

    def ask(number: int) -> None:
        key = "abcde"[number % 5]
        with pool.use(key, 40, loader(log, key)):
            assert key in pool.keys
            assert len(pool.keys) <= 2

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(ask, range(400)))


def test_what_made_room_is_gone_even_if_it_refers_to_itself(letters_kind: Any, loader: Any) -> None:
    pool, freed = Pool(100), list[str]()

    def load() -> Encoder:
        encoder = letters_kind()
        encoder.itself = encoder
        weakref.finalize(encoder, freed.append, "a")
        loaded: Encoder = encoder
        return loaded

    kept = PooledEncoder("a", 90, load, pool)
    assert freed == []
    PooledEncoder("b", 90, loader([], "b"), pool)
    assert freed == ["a"]
    kept.encode(["x"])


def test_words_are_asked_for_without_holding_the_encoder(letters: Any, loader: Any) -> None:
    pool, log = Pool(100), list[str]()
    letters.vocabulary = {"kill"}
    words = PooledEncoder("a", 90, lambda: letters, pool)
    any_text = PooledEncoder("b", 90, loader(log, "b"), pool)
    assert any_text.vocabulary is None
    assert words.vocabulary is not None
    assert ("kill" in words.vocabulary, "xyzzy" in words.vocabulary) == (True, False)


def test_one_that_changed_while_it_had_made_room_is_refused_and_never_mixed_with_the_first(
    tmp_path: Path, loader: Any
) -> None:
    path = tmp_path / "v.txt"
    path.write_text("kill 1.0 0.0\ntime 0.0 1.0\n")
    pool = Pool(100)

    def load() -> Encoder:
        return words.load("mine", Spec("words", str(path)), tmp_path, lambda share, what: None)

    first = PooledEncoder("a", 90, load, pool)
    cached = CachedEncoder(first)
    cached.encode(["kill"])
    other = PooledEncoder("b", 90, loader([], "b"), pool)
    assert cached.encode(["time"]).tolist() == [[0, 1]]  # loaded again, and the same
    other.encode(["x"])
    path.write_text("kill 0.0 7.0\ntime 7.0 0.0\n")
    with pytest.raises(EncoderError, match=r"mine as it was when it was first loaded.*have changed since"):
        cached.encode(["kill time"])
    second = CachedEncoder(PooledEncoder("a", 90, load, pool))
    np.testing.assert_array_equal(second.encode(["kill"]), [[0, 7]])
    for ask in (lambda: first.encode(["kill"]), lambda: "kill" in (first.vocabulary or ())):
        with pytest.raises(EncoderError, match="start the app again"):
            ask()
    path.write_text("kill 1.0 0.0\ntime 0.0 1.0\n")
    other.encode(["x"])
    assert first.encode(["kill"]).tolist() == [[1, 0]]


def test_what_takes_no_memory_is_never_let_go(loader: Any) -> None:
    pool, log = Pool(100), list[str]()
    PooledEncoder("server", 0, loader(log, "server"), pool)
    PooledEncoder("a", 90, loader(log, "a"), pool)
    PooledEncoder("b", 90, loader(log, "b"), pool)
    assert pool.keys == ("server", "b")


def test_the_budget_is_the_variable_or_half_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MORALSCOPE_MEMORY_MB", "3")
    assert memory.budget() == 3 << 20
    monkeypatch.delenv("MORALSCOPE_MEMORY_MB")
    monkeypatch.setattr(memory, "machine_bytes", lambda: 1000)
    assert memory.budget() == 500


@pytest.mark.parametrize("asked", ["0", "-5", "1.5", "lots"])
def test_a_budget_that_is_no_number_is_said(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MORALSCOPE_MEMORY_MB", asked)
    with pytest.raises(EncoderError, match="MORALSCOPE_MEMORY_MB"):
        memory.budget()


def test_a_container_with_less_memory_than_its_machine_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "small").write_text("4096\n")
    (tmp_path / "none").write_text("max\n")
    monkeypatch.setattr(
        memory, "_CONTAINER_LIMITS", (str(tmp_path / "none"), str(tmp_path / "no"), str(tmp_path / "small"))
    )
    assert memory.machine_bytes() == 4096
