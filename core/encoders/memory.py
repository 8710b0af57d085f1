"""Loaded encoders within a budget of memory: what was used longest ago goes first, and nothing that is in use."""

from __future__ import annotations

import gc
import os
from collections import OrderedDict
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Condition

from core.encoders.protocol import Encoder, Provenance
from core.errors import EncoderError
from core.vectors import FloatArray

VARIABLE = "MORALSCOPE_MEMORY_MB"

SHARE = 0.5
"""Part of the machine's memory for encoders where `VARIABLE` says nothing. Ours: the other half is for everything else."""

_CONTAINER_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def machine_bytes() -> int:
    """Memory of this machine, or of the container it runs in if that has less."""
    try:
        found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    except (AttributeError, ValueError, OSError):  # not a POSIX system
        found = [8 << 30]
    for path in _CONTAINER_LIMITS:
        try:
            found.append(int(Path(path).read_text(encoding="ascii")))
        except (OSError, ValueError):  # no container, or one without a limit ("max")
            continue
    return min(found)


def budget() -> int:
    """Bytes that loaded encoders may take together: ``$MORALSCOPE_MEMORY_MB``, else half of the machine's.

    Raises
    ------
    EncoderError
        The variable is not a positive whole number.
    """
    asked = os.environ.get(VARIABLE)
    if not asked:
        return int(machine_bytes() * SHARE)
    if not (asked.isdecimal() and int(asked)):
        raise EncoderError(
            expected=f"a positive whole number of megabytes in {VARIABLE}", got=repr(asked[:20]), remedy="correct it"
        )
    return int(asked) << 20


@dataclass
class _Place:
    """Room in the pool: reserved while `encoder` is None, in use while `users` is not 0."""

    size: int
    encoder: Encoder | None = None
    users: int = 0


class Pool:
    """Loaded encoders by key, together within a budget of bytes. Thread-safe.

    Whoever comes first loads, others that ask for the same wait. What takes no bytes is never let go. Where everything else is in use, whoever needs room waits
    until something is not.

    Parameters
    ----------
    limit : int
        Bytes that all of them may take.

    Examples
    --------
    >>> Pool(1000).keys
    ()
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._places: OrderedDict[str, _Place] = OrderedDict()
        self._changed = Condition()

    @property
    def keys(self) -> tuple[str, ...]:
        """What is loaded, used longest ago first."""
        return tuple(self._places)

    @contextmanager
    def use(self, key: str, size: int, load: Callable[[], Encoder]) -> Iterator[Encoder]:
        """The encoder called `key`, loaded first where it is not; it stays while the block runs.

        Raises
        ------
        EncoderError
            It is larger than the whole budget; nothing was loaded, and nothing let go.
        """
        place = self._enter(key, size)
        try:
            if place.encoder is None:  # then nobody else has it: they wait for us
                place.encoder = load()
                with self._changed:
                    self._changed.notify_all()
            yield place.encoder
        finally:
            with self._changed:
                place.users -= 1
                if place.encoder is None:
                    del self._places[key]
                self._changed.notify_all()

    def _enter(self, key: str, size: int) -> _Place:
        if size > self.limit:
            raise EncoderError(
                expected=f"an encoder that fits into {_megabytes(self.limit)} of memory",
                got=f"one that needs about {_megabytes(size)}",
                remedy=f"use a smaller one, or a machine with more memory and a larger {VARIABLE}",
            )
        with self._changed:
            while True:
                place = self._places.get(key)
                if place is None and self._has_room(size):
                    place = self._places[key] = _Place(size)
                    break
                if place is not None and place.encoder is not None:
                    self._places.move_to_end(key)
                    break
                self._changed.wait()
            place.users += 1
            return place

    def _has_room(self, size: int) -> bool:
        """Let go of what is idle, used longest ago first, until `size` bytes are free; or say that they are not."""
        for key in list(self._places):
            if sum(other.size for other in self._places.values()) + size <= self.limit:
                break
            if self._places[key].size and not self._places[key].users:
                del self._places[key]
                gc.collect()  # models of torch refer to themselves: without it they stay until some later time
        return sum(place.size for place in self._places.values()) + size <= self.limit


class PooledEncoder:
    """An encoder that lives in a pool: loaded again when it is needed after it had to make room.

    Parameters
    ----------
    key : str
        Says what is loaded; two with one key are one.
    size : int
        Bytes it takes, about.
    load : callable
        Loads it.
    pool : Pool
        Where it lives.
    """

    def __init__(self, key: str, size: int, load: Callable[[], Encoder], pool: Pool) -> None:
        self._key, self._size, self._load, self._pool = key, size, load, pool
        with pool.use(key, size, load) as encoder:
            self.name: str = encoder.name
            self.provenance: Provenance = encoder.provenance
            limited = getattr(encoder, "vocabulary", None) is not None
        self.vocabulary: Container[str] | None = _Vocabulary(self) if limited else None

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Embed `texts`.

        Raises
        ------
        EncoderError
            It was loaded again, and is another one.
        """
        with self._use() as encoder:
            return encoder.encode(texts)

    @contextmanager
    def _use(self) -> Iterator[Encoder]:
        """What was loaded first, or the same again: what is remembered of it goes by its identity."""
        with self._pool.use(self._key, self._size, self._load) as encoder:
            if encoder.provenance.identity != self.provenance.identity:
                raise EncoderError(
                    expected=f"{self.name} as it was when it was first loaded ({self.provenance.revision[:40]})",
                    got=f"other files ({encoder.provenance.revision[:40]}): they have changed since",
                    remedy="start the app again, or put the old files back",
                )
            yield encoder


class _Vocabulary:
    """The words of a pooled encoder, without keeping it from making room."""

    def __init__(self, pooled: PooledEncoder) -> None:
        self._pooled = pooled

    def __contains__(self, word: object) -> bool:
        with self._pooled._use() as encoder:
            return word in encoder.vocabulary  # type: ignore[attr-defined]  # only such encoders get here


def _megabytes(size: int) -> str:
    return f"{size / 2**20:,.0f} MB"
