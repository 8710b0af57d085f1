"""The full dumps that the released data was taken from, read in blocks: memory does not grow with the file.

ConceptNet 5.7 assertions (``.csv`` or ``.csv.gz``): five fields parted by tabs, ``/a/[…] /r/IsA /c/en/x /c/en/y/n {…}``,
no header, no quoting. A row counts if both ends are English; it belongs to a target that an end equals as a whole, without
part of speech and sense. GenericsKB-Best (``.tsv`` or ``.tsv.gz``): a header, then one sentence a line; the annotated topic
says whom it is about.

Broken lines are counted and named by number, and so is the line in which a damaged file ends; all before it is used.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from io import BufferedWriter
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.knowledge import relations
from core.knowledge.sources.release import CONCEPTNET_CREDIT, GENERICSKB_CREDIT
from core.knowledge.sources.source import PARTIAL, Collector, Source
from core.knowledge.sources.stream import Block, Stream, file_identity, from_blocks, unreadable
from core.knowledge.targets import Targets, key, published

BLOCK = 1 << 20
"""Bytes looked at together. Ours, measured: fits a processor's cache, and large enough that Python costs nothing."""

LONGEST = 64 << 20
"""Bytes of the longest line that is read. Ours: lines of the dumps have some hundred."""

PACKED = b"\x1f\x8b"
"""How a gzip file begins."""

TITLES = {"conceptnet": "ConceptNet 5.7 (all assertions)", "genericskb": "GenericsKB-Best"}
"""What `recognise` names."""

_TAB, _LINE_FEED = 9, 10
_ENGLISH = b"/c/en/"

Places = NDArray[np.intp]


def recognise(path: Path) -> str | None:
    """Which dump a file is by its first lines: ``conceptnet``, ``genericskb``, or None for another file.

    Raises
    ------
    InputError
        It cannot be read.
    """
    lines = next(_pieces(path), _Piece(b"", 1, 1.0)).text[: 1 << 16].split(b"\n")[:100]
    if {b"TERM", b"GENERIC SENTENCE"} <= set(_names(lines[0])):
        return "genericskb"
    return "conceptnet" if any(line.startswith(b"/a/[/r/") and line.count(b"\t") == 4 for line in lines) else None


def read(path: Path) -> Stream | None:
    """A dump as a stream of the statements about the published targets; None for a file that is no dump.

    Raises
    ------
    InputError
        It cannot be read.
    """
    kind, targets = recognise(path), published()
    if kind == "conceptnet":
        blocks, credit = conceptnet, CONCEPTNET_CREDIT
    elif kind == "genericskb":
        blocks, credit = genericskb, GENERICSKB_CREDIT
    else:
        return None
    return from_blocks(partial(blocks, path, targets), path, title=TITLES[kind], credit=credit, targets=targets)


@dataclass(frozen=True)
class Dump:
    """The lines of a dump that give statements, written back with all its other lines.

    Parameters
    ----------
    path : Path
        The dump, compressed or not.
    lines : ndarray of int, shape (records,)
        Their numbers, from 1.
    """

    path: Path
    lines: Places

    @property
    def ending(self) -> str:
        """That of the dump."""
        return "".join(self.path.suffixes[-2:]) if self.path.suffix == ".gz" else self.path.suffix

    def __len__(self) -> int:
        return len(self.lines)

    def write(self, path: Path, keep: NDArray[np.bool_]) -> None:
        """Write the dump without the lines that are not kept, byte by byte and compressed as it is."""
        dropped, fresh = frozenset(self.lines[~keep].tolist()), path.with_name(path.name + PARTIAL)

        def kept(lines: Iterable[bytes]) -> Iterator[bytes]:
            return (line for number, line in enumerate(lines, start=1) if number not in dropped)

        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("rb") as read, fresh.open("wb") as written:
                packed = read.read(2) == PACKED
                read.seek(0)
                if packed:
                    with (
                        gzip.open(read) as inflated,
                        gzip.GzipFile("", "wb", 6, written, mtime=0) as deflated,
                        BufferedWriter(deflated, BLOCK) as buffered,
                    ):
                        buffered.writelines(kept(inflated))
                else:
                    written.writelines(kept(read))
            fresh.replace(path)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(
                expected=f"to copy {self.path} to {path}", got=str(error), remedy="make room, or fetch the file again"
            ) from error
        finally:
            fresh.unlink(missing_ok=True)


def audited(source: Source, path: Path, identity: str) -> Source:
    """An audit of a dump with the dump itself as its records, a line each.

    Parameters
    ----------
    source : Source
        From `core.knowledge.audited.open_audit`.
    path : Path
        The dump.
    identity : str
        That of the audit.

    Raises
    ------
    InputError
        It is no dump or not the one that was audited.
    """
    if recognise(path) is None or file_identity(path) != identity:
        raise InputError(
            expected=f"the full dump that was audited, {source.name}",
            got=f"another file, {path}",
            remedy="name that one; a file that is no dump is filtered without an audit: `python -m core mitigate FILE`",
        )
    lines, records = np.unique(source.statements.frame["id"].astype(np.intp).to_numpy(), return_inverse=True)
    return replace(source, records=records, original=Dump(path, lines.astype(np.intp)))


def conceptnet(path: Path, targets: Targets) -> Iterator[Block]:
    """What a file of ConceptNet assertions holds about the targets; statements are named after their lines.

    Raises
    ------
    InputError
        The file cannot be read.
    """
    codes = {name.lower().replace(" ", "_").encode(): code for code, name in enumerate(targets.names)}
    # Most terms begin like no target and are passed over without a look at the whole.
    beginnings = np.zeros(1 << 24, dtype=np.bool_)
    beginnings[[int.from_bytes((term + mark)[:3], "big") for term in codes for mark in (b"\t", b"/")]] = True
    for piece in _ahead(_pieces(path)):
        lines, bounds = piece.fields(5)
        sound = piece.holds(bounds[:, 1] + 1, b"/r/") & piece.holds(bounds[:, 4] + 1, b"{")
        sound &= piece.holds(bounds[:, 5] - 1, b"}")
        start, end = bounds[:, 2] + 1, bounds[:, 3] + 1
        english = np.flatnonzero(sound & piece.holds(start, _ENGLISH) & piece.holds(end, _ENGLISH))
        either = [beginnings[piece.three(at[english] + len(_ENGLISH))] for at in (start, end)]
        likely = english[either[0] | either[1]]
        found, text, others = Collector(targets), piece.text, int(sound.sum())
        for line, (verb, first, second, last) in zip(lines[likely].tolist(), bounds[likely, 1:5].tolist(), strict=True):
            subject = text[first + 7 : second].partition(b"/")[0]
            thing = text[second + 7 : last].partition(b"/")[0]
            if subject in codes or thing in codes:
                others -= 1
                name = text[verb + 1 : first].decode().removeprefix("/r/")
                if relations.skipped(name):
                    found.skipped += 1
                    continue
                named = dict.fromkeys(codes[term] for term in (subject, thing) if term in codes)
                sentence = relations.sentence(subject.decode(), name, thing.decode())
                found.add(line - 1, [*named], sentence, relation=name)
        found.without_target = others
        found.malformed += [*piece.malformed(lines), *lines[~sound].tolist()]
        found.malformed.sort()
        yield piece.block(found)


def genericskb(path: Path, targets: Targets) -> Iterator[Block]:
    """What a GenericsKB-Best file holds about the targets; columns are found by their names.

    Raises
    ------
    InputError
        The file cannot be read.
    """
    topic = sentence = width = 0
    codes = {key(name).encode(): code for code, name in enumerate(targets.names)}
    for piece in _ahead(_pieces(path)):
        if piece.first == 1:
            names = _names(piece.text.partition(b"\n")[0])
            topic, sentence, width = names.index(b"TERM"), names.index(b"GENERIC SENTENCE"), len(names)
        lines, bounds = piece.fields(width)
        found, text = Collector(targets), piece.text
        rows = zip(lines.tolist(), bounds[:, [topic, topic + 1, sentence, sentence + 1]].tolist(), strict=True)
        for line, (before, after, start, end) in rows:
            if line == 1:
                continue
            code = codes.get(text[before + 1 : after].lower().replace(b"_", b" ").strip())
            statement = "" if code is None else text[start + 1 : end].decode().strip()
            if code is not None and not statement:
                found.empty += 1
            else:
                found.add(line - 1, [] if code is None else [code], statement)
        found.malformed += piece.malformed(lines)
        yield piece.block(found, headers=int(piece.first == 1))


class _Piece:
    """Some whole lines of a file, as positions of their tabs and ends.

    Parameters
    ----------
    text : bytes
        The lines, each with its line feed.
    first : int
        The number of the first one, from 1.
    share : float
        How much of the file is read with it.
    ended : int or None
        The line in which the file is damaged, if that is the next one.
    """

    def __init__(self, text: bytes, first: int, share: float, ended: int | None = None) -> None:
        self.text, self.first, self._share, self._ended = text, first, share, ended
        self._bytes = np.frombuffer(text, dtype=np.uint8)
        marks = np.flatnonzero(self._bytes - _TAB < 2)
        self._marks = np.concatenate([[-1], marks])
        self._ends = np.flatnonzero(self._bytes[marks] == _LINE_FEED) + 1
        self.lines = len(self._ends)
        self._undecodable = _undecodable(text)

    def fields(self, count: int) -> tuple[Places, Places]:
        """Lines of `count` fields that are UTF-8: their numbers (n,), and where their fields end (n, count + 1).

        The first column is where the line before ends, so field i lies between column i and column i + 1, both exclusive.
        """
        right = np.diff(self._ends, prepend=0) == count
        right[self._undecodable] = False
        place = np.flatnonzero(right)
        return place + self.first, self._marks[self._ends[place][:, None] + np.arange(-count, 1)]

    def holds(self, at: Places, what: bytes) -> NDArray[np.bool_]:
        """Whether `what` stands at each of the positions `at`."""
        found = np.ones(len(at), dtype=np.bool_)
        for place, byte in enumerate(what):
            found &= self._bytes.take(at + place, mode="clip") == byte
        return found

    def three(self, at: Places) -> Places:
        """The three bytes at each of the positions `at` as one number."""
        first, second, third = (self._bytes.take(at + place, mode="clip").astype(np.intp) for place in range(3))
        return first << 16 | second << 8 | third

    def malformed(self, lines: Places) -> list[int]:
        """Numbers of the lines that are UTF-8 and not among `lines`."""
        other = np.ones(len(self._ends), dtype=np.bool_)
        other[lines - self.first] = False
        other[self._undecodable] = False
        return (np.flatnonzero(other) + self.first).tolist()

    def block(self, found: Collector, *, headers: int = 0) -> Block:
        """The piece as a block of a stream."""
        found.undecodable += [place + self.first for place in self._undecodable]
        return Block(found, self.lines - headers, self._share, self._ended)


def _undecodable(text: bytes) -> list[int]:
    """Places of the lines that are not UTF-8."""
    import pyarrow as pa

    offsets = pa.py_buffer(np.array([0, len(text)], dtype=np.int32))
    try:
        pa.Array.from_buffers(pa.string(), 1, [None, offsets, pa.py_buffer(text)]).validate(full=True)
    except pa.ArrowInvalid:
        return [place for place, line in enumerate(text.split(b"\n")) if not _decodes(line)]
    return []


def _decodes(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _names(header: bytes) -> list[bytes]:
    return header.rstrip(b"\r").upper().split(b"\t")


def _pieces(path: Path) -> Iterator[_Piece]:
    """A file in whole lines. A part of a line at the end of a damaged file is left out, and its number is told."""
    rest, first = b"", 1
    try:
        size = max(1, path.stat().st_size)
        for data, position in _ahead(_plain(path)):
            end = data.rfind(b"\n") + 1
            if end:
                piece = _Piece(b"".join([rest, memoryview(data)[:end]]), first, position / size)
                yield piece
                first, rest = first + piece.lines, data[end:]
            else:
                rest += data
            if len(rest) > LONGEST:
                raise _Damaged
    except _Damaged:
        yield _Piece(b"", first, 1.0, ended=first)
        return
    except OSError as error:
        raise unreadable(path, error) from error
    if rest:
        yield _Piece(rest + b"\n", first, 1.0)


T = TypeVar("T")


def _ahead(items: Iterator[T]) -> Iterator[T]:
    """The same items, the next one always being made in another thread: inflating needs no interpreter."""
    with ThreadPoolExecutor(1) as thread:
        upcoming = thread.submit(next, items, None)
        while (item := upcoming.result()) is not None:
            upcoming = thread.submit(next, items, None)
            yield item


def _sound_part(engine: zlib._Decompress, data: bytes) -> bytes:
    """What can be inflated of damaged data, byte by byte."""
    plain = bytearray()
    with suppress(zlib.error):
        for place in range(len(data)):
            plain += engine.decompress(data[place : place + 1])
    return bytes(plain)


class _Damaged(Exception):  # noqa: N818
    """The file ends before its time."""


def _plain(path: Path) -> Iterator[tuple[bytes, int]]:
    """The bytes of a file, inflated if they are compressed, and how many bytes of the file were read for them."""
    with path.open("rb") as handle:
        packed = handle.read(2) == PACKED
        handle.seek(0)
        if not packed:
            while data := handle.read(BLOCK):
                yield data, handle.tell()
            return
        engine = zlib.decompressobj(wbits=31)
        while data := handle.read(BLOCK // 16):
            while data:
                if engine.eof:
                    engine = zlib.decompressobj(wbits=31)
                before = engine.copy()
                try:
                    plain = engine.decompress(data, BLOCK)
                except zlib.error:
                    yield _sound_part(before, data), handle.tell()
                    raise _Damaged from None
                yield plain, handle.tell()
                data = engine.unconsumed_tail or engine.unused_data
        if not engine.eof:
            raise _Damaged
