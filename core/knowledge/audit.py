"""The batch audit: statements of any source, classified in chunks and kept in a directory, for what does not fit a page.

The directory holds ``manifest.json`` and Parquet parts, one for each chunk. A part is written whole, then the manifest that
names it, each to a file of its own that takes the final name once it is on the disk. So the directory is always the
audit of a beginning of the source, whatever ends the process, and `run` goes on from there. A finished audit holds
no times and nothing of the machine: the same source and classifiers give the same bytes, interrupted or not.

Every distinct masked text is classified once, over all chunks. What is kept in memory of it is 8 bytes and its labels.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.knowledge.audited import LABEL, MANIFEST, Manifest, Part, is_audit, read_manifest, read_part, to_bytes
from core.knowledge.masking import mentions
from core.knowledge.sources.source import PARTIAL, nothing, write_whole
from core.knowledge.sources.stream import Chunk, Stream, Tally
from core.knowledge.workers import HERE, Crew, Labels, Opening, Task, Workers, label, opened

Texts = NDArray[np.object_]

LOCK = "audit.lock"
"""Held by the process that writes into a directory, and gone with it."""

CHUNK = 5_000
"""Statements of a part. Ours: some seconds of the slowest classifier are lost when a process is killed, not more."""


@dataclass(frozen=True)
class Progress:
    """How far an audit is: the share of the source, statements written, and texts that were classified for them."""

    share: float
    statements: int
    texts: int


def run(
    stream: Stream,
    names: Sequence[str],
    directory: Path,
    *,
    workers: Workers = HERE,
    resume: bool = False,
    size: int = CHUNK,
    progress: Callable[[Progress], None] = lambda done: None,
    opening: Opening = opened,
) -> Manifest:
    """Classify every statement of a source and keep the result in `directory`.

    Parameters
    ----------
    stream : Stream
        The source.
    names : sequence of str
        Classifiers, as `core.knowledge.polarity.open_classifier` knows them.
    directory : Path
        Empty or not there yet, but for `resume`.
    workers : Workers, optional
        Where to classify; in this process if not given. The work of one that dies is done again.
    resume : bool, optional
        Go on with what is in `directory`.
    size : int, optional
        Statements of a chunk.
    progress : callable, optional
        Told after every part.
    opening : callable, optional
        Opens a classifier in a worker; of a module that workers can import.

    Raises
    ------
    InputError
        The directory is in use or holds another audit, nothing can be written there (what was written stays), the source
        cannot be read or names no target, or a worker fails.
    """
    classifiers = {name: opening(name).identity for name in dict.fromkeys(names)}
    plan = Manifest(
        stream.name, stream.title, stream.credit, stream.identity, stream.targets, classifiers, size, stream.occurring
    )
    with _alone(directory):
        done = _begin(directory, plan, resume=resume)
        if done.complete:
            return done
        try:
            done = _Run(stream, directory, done, workers, progress, opening).finish()
        except InputError as error:
            remedy = f"{error.remedy}; what was written stays, and --resume goes on from there"
            raise InputError(expected=error.expected, got=error.got, remedy=remedy) from error
        if not done.parts:
            (directory / MANIFEST).unlink()
            raise nothing(
                done.source,
                len(done.targets),
                done.report,
                "check the format and which column holds what; nothing was written",
            )
    return done


@contextmanager
def _alone(directory: Path) -> Iterator[None]:
    """Keep other audits out of a directory; the system forgets the lock of a process that is killed."""
    from filelock import FileLock, Timeout

    lock = FileLock(directory / LOCK, timeout=0)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise InputError(
            expected="a directory that no other audit writes into",
            got=f"one at work in {directory}",
            remedy="wait until it ends, or choose another directory",
        ) from None
    except OSError as error:
        raise InputError(
            expected=f"to write into {directory}",
            got=error.strerror or str(error),
            remedy="make room or choose another place",
        ) from error
    try:
        yield
    finally:
        # First the file, then the lock: whoever opened it meanwhile sees that it is gone and looks again.
        (directory / LOCK).unlink(missing_ok=True)
        lock.release()


class _Labels:
    """The labels of every text met so far, by a hash of 64 bits: at ten million texts two share one in 1 of 400,000 audits.

    Parameters
    ----------
    classifiers : int
        Labels of a text.
    """

    def __init__(self, classifiers: int) -> None:
        self._keys = np.empty(0, dtype=np.uint64)
        self._values = np.empty((0, classifiers), dtype=np.int8)

    def claim(self, keys: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Which of `keys`, each once, are new; they are known from now on."""
        places = np.searchsorted(self._keys, keys)
        new = np.ones(len(keys), dtype=np.bool_)
        inside = places < len(self._keys)
        new[inside] = self._keys[places[inside]] != keys[inside]
        order = np.argsort(keys[new])
        at = places[new][order]
        self._keys = np.insert(self._keys, at, keys[new][order])
        self._values = np.insert(self._values, at, np.int8(0), axis=0)
        return new

    def keep(self, keys: NDArray[np.uint64], labels: Labels) -> None:
        """Note the labels of keys that were claimed."""
        self._values[np.searchsorted(self._keys, keys)] = labels

    def of(self, keys: NDArray[np.uint64]) -> Labels:
        """Labels of known keys, shape (keys, classifiers)."""
        return self._values[np.searchsorted(self._keys, keys)]


@dataclass(frozen=True)
class _Sent:
    """A chunk that is being classified.

    Parameters
    ----------
    chunk : Chunk
        Its statements.
    masked : ndarray of str
        Their masked texts.
    rows : ndarray of int
        The place of each among the distinct ones.
    keys : ndarray of uint64, shape (m,)
        Hashes of the distinct ones.
    new : ndarray of bool, shape (m,)
        Which of them no earlier chunk holds.
    labels : Task
        Labels of those.
    """

    chunk: Chunk
    masked: Texts
    rows: NDArray[np.intp]
    keys: NDArray[np.uint64]
    new: NDArray[np.bool_]
    labels: Task[Labels]


class _Run:
    """An audit under way: chunks go ahead to workers, and are written in the order of the source."""

    def __init__(
        self,
        stream: Stream,
        directory: Path,
        manifest: Manifest,
        workers: Workers,
        progress: Callable[[Progress], None],
        opening: Opening,
    ) -> None:
        self._stream, self._directory, self._manifest = stream, directory, manifest
        self._progress, self._opening = progress, opening
        self._known = _Labels(len(manifest.classifiers))
        self._crew, self._ahead = Crew(workers), 4 * workers.count
        self._disk = ThreadPoolExecutor(1)
        self._writing: Future[None] | None = None
        self._tail = Tally()  # of chunks without statements: it is committed with the end, since no part tells of it

    def finish(self) -> Manifest:
        """Do what is left; the manifest of the whole."""
        for part in self._manifest.parts:
            self._recall(part)
        sent, there = deque[_Sent](), len(self._manifest.parts)
        try:
            for number, chunk in enumerate(self._stream.chunks(self._manifest.chunk)):
                if number < there:
                    self._tell(chunk)
                    continue
                sent.append(self._send(chunk))
                while len(sent) > self._ahead or (sent and sent[0].labels.done):
                    self._write(sent.popleft())
            while sent:
                self._write(sent.popleft())
            whole = self._manifest.adding(self._tail)
            if whole.parts:
                self._commit(replace(whole, complete=True), {})
            self._settle()
        finally:
            self._disk.shutdown()
        return self._manifest if whole.parts else whole

    def _recall(self, part: Part) -> None:
        """Know the labels of a part that is there."""
        table = read_part(self._directory, part)
        rows, _, keys = _distinct(table["masked"].to_numpy())
        first = np.unique(rows, return_index=True)[1]
        found = [table[LABEL + name].to_numpy()[first] for name in self._manifest.classifiers]
        self._known.claim(keys)
        self._known.keep(keys, np.stack(found, axis=1))

    def _send(self, chunk: Chunk) -> _Sent:
        masked = _masked(chunk)
        rows, texts, keys = _distinct(masked)
        new = self._known.claim(keys)
        names = tuple(self._manifest.classifiers)
        labels = self._crew.send(label, self._opening, names, texts[new].tolist())
        return _Sent(chunk, masked, rows, keys, new, labels)

    def _write(self, sent: _Sent) -> None:
        chunk, there = sent.chunk, self._manifest
        self._known.keep(sent.keys[sent.new], self._crew.result(sent.labels))
        if not len(chunk):
            self._tail += chunk.tally
            self._tell(chunk)
            return
        labels = self._known.of(sent.keys)[sent.rows]
        file = f"part-{len(there.parts):05}.parquet"
        content = self._encoded(chunk, sent.masked, labels)
        part = Part(file, len(chunk), int(sent.new.sum()), hashlib.sha256(content).hexdigest())
        self._commit(there.adding(chunk.tally, part), {file: content})
        self._tell(chunk)

    def _encoded(self, chunk: Chunk, masked: Texts, labels: Labels) -> bytes:
        import pyarrow as pa
        import pyarrow.parquet as pq

        targets, codes = self._stream.targets, pa.array(chunk.codes, pa.int32())
        columns = {
            "statement": pa.array(chunk.shown, pa.string()),
            "masked": pa.array(masked, pa.string()),
            "target": pa.array(targets.names, pa.string()).take(codes),
            "category": pa.array(targets.categories, pa.string()).take(codes),
            "source": pa.array([self._stream.name], pa.string()).take(pa.array(np.zeros(len(chunk), dtype=np.int32))),
            "relation": pa.array(chunk.relations, pa.string()),
            "id": pa.array(chunk.ids, pa.string()),
        }
        columns |= {
            LABEL + name: pa.array(found) for name, found in zip(self._manifest.classifiers, labels.T, strict=True)
        }
        sink = pa.BufferOutputStream()
        pq.write_table(pa.table(columns), sink, compression="zstd")
        content: bytes = sink.getvalue().to_pybytes()
        return content

    def _commit(self, manifest: Manifest, files: dict[str, bytes]) -> None:
        """Have files written, and the manifest after them, once the last ones are on the disk."""
        self._settle()
        self._writing = self._disk.submit(_store, self._directory, files | {MANIFEST: to_bytes(manifest)})
        self._manifest = manifest

    def _settle(self) -> None:
        if self._writing:
            self._writing.result()

    def _tell(self, chunk: Chunk) -> None:
        self._progress(Progress(chunk.share, self._manifest.statements, self._manifest.texts))


def _store(directory: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        write_whole(directory / name, content)


def _begin(directory: Path, plan: Manifest, *, resume: bool) -> Manifest:
    """The manifest to go on from: a new one, or that of the audit in `directory`."""
    if not is_audit(directory):
        if directory.exists() and any(path.suffix != PARTIAL and path.name != LOCK for path in directory.iterdir()):
            raise InputError(
                expected="an empty directory", got=f"other files in {directory}", remedy="choose another directory"
            )
        write_whole(directory / MANIFEST, to_bytes(plan))
        return plan
    found = read_manifest(directory)
    if not resume:
        raise InputError(
            expected="a directory without an audit",
            got=f"one of {found.title} with {found.statements:,} statements in {directory}",
            remedy="go on with it by --resume, or choose another directory",
        )
    pairs = {
        "source (SOURCE, --format, --column)": (found.identity, plan.identity),
        "targets": (found.targets, plan.targets),
        "classifiers (--classifier)": (found.classifiers, plan.classifiers),
        "size of chunks": (found.chunk, plan.chunk),
    }
    if changed := [what for what, (before, now) in pairs.items() if before != now]:
        raise InputError(
            expected=f"the source of the audit, {found.source}, and its classifiers, {', '.join(found.classifiers)}",
            got=f"other {' and '.join(changed)} than in {directory}",
            remedy="repeat the command as it was, or begin a new audit in another directory",
        )
    return found


def _masked(chunk: Chunk) -> Texts:
    texts = mentions().mask_all(chunk.texts) if chunk.masked is None else chunk.masked
    return np.array(texts, dtype=np.object_)


def _distinct(texts: Texts) -> tuple[NDArray[np.intp], Texts, NDArray[np.uint64]]:
    """The place of each text among the distinct ones, these, and their hashes."""
    import pandas as pd

    rows, distinct = pd.factorize(texts)
    return rows, distinct, pd.util.hash_array(distinct, categorize=False)
