"""Where statements are classified: in this process, in others of this machine, or on a cluster.

All three are an `concurrent.futures.Executor`. What is sent to one is the names of classifiers and texts: every process
opens its own classifiers, once. Little is imported here, because each new process imports this file.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError, MoralscopeError

if TYPE_CHECKING:
    from multiprocessing.synchronize import Event

    from core.knowledge.polarity.protocol import Classifier

Labels = NDArray[np.int8]

T = TypeVar("T")

Opening = Callable[[str], "Classifier"]

TRIES = 3
"""How often the same work may end its worker. Ours."""

PATIENCE = "10s"
"""How long a scheduler may take to answer. Ours."""


@dataclass(frozen=True)
class Workers:
    """Where work is done.

    Parameters
    ----------
    start : callable
        Makes an executor; called again when a process of the last one died.
    count : int
        How much of it runs at a time.
    """

    start: Callable[[], Executor]
    count: int = 1


@cache
def opened(name: str) -> Classifier:
    """The classifier called `name`, opened once in this process."""
    from core.knowledge.polarity.catalog import open_classifier

    return open_classifier(name)


def label(opening: Opening, names: Sequence[str], texts: Sequence[str]) -> Labels:
    """Labels of `texts` by every classifier in `names`, shape (texts, names): what a worker does."""
    _go_on(0.0)
    return np.stack([opening(name).label(texts, _go_on) for name in names], axis=1).astype(np.int8, copy=False)


class Here(Executor):
    """Does what is submitted at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Call `fn`; the future is done."""
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


HERE = Workers(Here)
"""This process alone."""


class Task(Generic[T]):
    """Something that was sent to workers."""

    def __init__(self, work: Callable[..., T], *arguments: Any) -> None:
        self.work, self.arguments = work, arguments
        self.future: Future[T] | None = None

    @property
    def done(self) -> bool:
        """Whether its result is there."""
        future = self.future
        return future is not None and future.done() and not future.cancelled() and future.exception() is None


class Crew:
    """Workers at work: what one of them takes with it when it dies is given to others.

    Parameters
    ----------
    workers : Workers
        How to start them.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers, self._open = workers, deque[Task[Any]]()
        self._executor = workers.start()

    def send(self, work: Callable[..., T], *arguments: Any) -> Task[T]:
        """Have `work` done with `arguments`."""
        task = Task(work, *arguments)
        self._open.append(task)
        self._submit(task)
        return task

    def result(self, task: Task[T]) -> T:
        """Wait for what was sent.

        Raises
        ------
        InputError
            Its worker died `TRIES` times, or could not do it.
        """
        for _ in range(TRIES):
            try:
                if task.future:
                    found = task.future.result()
                    self._open.remove(task)
                    return found
            except BrokenExecutor:
                pass
            except MoralscopeError:
                raise
            except Exception as error:
                raise InputError(
                    expected="a result from every worker",
                    got=f"{type(error).__name__}: {' '.join(str(error).split())[:200]}",
                    remedy="see that all workers run the same version of this package",
                ) from error
            self._executor = self._workers.start()
            for other in self._open:
                if not other.done:
                    self._submit(other)
        raise InputError(
            expected="workers that stay alive",
            got=f"{TRIES} deaths in a row",
            remedy="use fewer workers if memory is short",
        )

    def _submit(self, task: Task[Any]) -> None:
        try:
            # As one callable: Dask would look into every list among the arguments.
            task.future = self._executor.submit(partial(task.work, *task.arguments))
        except BrokenExecutor:
            task.future = None


@contextmanager
def processes(count: int) -> Iterator[Workers]:
    """`count` processes on this machine; at the end they drop what they still do."""
    context, started = multiprocessing.get_context("spawn"), list[ProcessPoolExecutor]()
    stop = context.Event()

    def start() -> ProcessPoolExecutor:
        started.append(ProcessPoolExecutor(count, mp_context=context, initializer=_begin, initargs=(stop,)))
        return started[-1]

    try:
        yield Workers(start, count)
    finally:
        # Asked to stop, not killed: a process that dies while it sends something may leave the other end waiting.
        stop.set()
        for executor in started:
            executor.shutdown(cancel_futures=True)


@contextmanager
def cluster(address: str) -> Iterator[Workers]:
    """The workers of a Dask scheduler; they need the same version of this package.

    Raises
    ------
    InputError
        Dask is not installed, no scheduler answers there, or it has no workers.
    """
    remedy = "start one with `dask scheduler`, and workers with `dask worker`, and give its address (tcp://host:8786)"
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError(
            expected="Dask, which runs work on a cluster", got="none", remedy="install `distributed`"
        ) from error
    client = None
    with suppress(OSError, ValueError):
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    if client is None:
        # The error and what it holds must be gone: Dask would close a client that is left while Python ends, in vain.
        gc.collect()
        raise InputError(
            expected="the address of a Dask scheduler", got=f"{address[:80]!r}, where none answers", remedy=remedy
        )
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError as error:
            raise InputError(
                expected="a scheduler with workers", got=f"none at {address[:80]}", remedy=remedy
            ) from error
        yield Workers(partial(client.get_executor, pure=False), sum(client.nthreads().values()))


_stop: Event | None = None
"""Set where this process is a worker that may be asked to stop."""


def _begin(stop: Event) -> None:
    """Leave Ctrl-C to the parent, and end with it, even if it is killed."""
    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _go_on(share: float) -> None:
    if _stop and _stop.is_set():
        raise InterruptedError


def _end_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
    os._exit(1)
