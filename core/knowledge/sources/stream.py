"""Sources that are read once, in chunks, so that memory does not grow with them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import InputError
from core.knowledge.sources.source import NO_LINES, Collector, Source, Unusable
from core.knowledge.targets import Targets


@dataclass(frozen=True)
class Tally:
    """What was read, and what did not become a statement.

    Parameters
    ----------
    rows : int
        Records read.
    without_target, skipped, empty : int
        As in `core.knowledge.sources.source.Report`.
    malformed, undecodable : Unusable
        Numbers, from 1, of lines with the wrong parts, and of lines that are not UTF-8.
    ended : int or None
        The line in which a damaged file ends before its time; None for a whole file.
    """

    rows: int = 0
    without_target: int = 0
    skipped: int = 0
    empty: int = 0
    malformed: Unusable = NO_LINES
    undecodable: Unusable = NO_LINES
    ended: int | None = None

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            rows=self.rows + other.rows,
            without_target=self.without_target + other.without_target,
            skipped=self.skipped + other.skipped,
            empty=self.empty + other.empty,
            malformed=self.malformed + other.malformed,
            undecodable=self.undecodable + other.undecodable,
            ended=self.ended if other.ended is None else other.ended,
        )


@dataclass(frozen=True)
class Block:
    """What one piece of a source holds.

    Parameters
    ----------
    found : Collector
        Its statements and what was left out.
    rows : int
        Records in it.
    share : float
        How much of the source is read with it, 0 to 1.
    ended : int or None
        As in `Tally`.
    """

    found: Collector
    rows: int
    share: float
    ended: int | None = None

    @property
    def tally(self) -> Tally:
        """Its counts."""
        found = self.found
        return Tally(
            rows=self.rows,
            without_target=found.without_target,
            skipped=found.skipped,
            empty=found.empty,
            malformed=Unusable.of(found.malformed),
            undecodable=Unusable.of(found.undecodable),
            ended=self.ended,
        )


@dataclass(frozen=True)
class Chunk:
    """The next n statements of a source, and what was read for them.

    Parameters
    ----------
    shown, texts : list of str
        Sentences as shown, and as stored.
    codes : list of int
        Targets, as places in those of the stream.
    relations : list of str or None
        Relations of triples.
    ids : list of str
        Records.
    masked : list of str or None
        Masked sentences, where the source has them already.
    tally : Tally
        What was read since the last chunk.
    share : float
        How much of the source is read, 0 to 1.
    """

    shown: list[str]
    texts: list[str]
    codes: list[int]
    relations: list[str | None]
    ids: list[str]
    masked: list[str] | None
    tally: Tally
    share: float

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True)
class Stream:
    """A source as chunks of statements.

    Parameters
    ----------
    name, title, credit : str
        As in `core.knowledge.sources.source.Source`.
    targets : Targets
        What is looked for.
    identity : str
        Changes when the content does.
    chunks : callable
        Reads the source from its beginning in chunks of so many statements; the last one may hold fewer, or none.
    occurring : bool
        Whether only targets that occur are looked at, as in a collection that does not promise to cover the list.
    """

    name: str
    title: str
    credit: str
    targets: Targets
    identity: str
    chunks: Callable[[int], Iterator[Chunk]]
    occurring: bool = False


def from_source(source: Source) -> Stream:
    """A source that is in memory, as a stream."""
    digest = hashlib.sha256(source.name.encode())
    for row in source.statements.frame.itertuples(index=False):
        digest.update("\0".join(map(str, row)).encode("utf-8", "surrogateescape") + b"\n")

    def chunks(size: int) -> Iterator[Chunk]:
        statements, report = source.statements, source.report
        tally = Tally(
            report.rows, report.without_target, report.skipped, report.empty, report.malformed, report.undecodable
        )
        for start in range(0, len(statements), size):
            frame = statements.frame.iloc[start : start + size]
            shown, masked, relations, ids = (frame[name].tolist() for name in ("statement", "masked", "relation", "id"))
            known = [relation if isinstance(relation, str) else None for relation in relations]
            codes = statements.codes[start : start + size].tolist()
            share = min(1.0, (start + size) / len(statements))
            yield Chunk(shown, shown, codes, known, ids, masked, tally, share)
            tally = Tally()

    return Stream(
        source.name, source.title, source.credit, source.statements.targets, f"sha256:{digest.hexdigest()}", chunks
    )


def from_blocks(
    blocks: Callable[[], Iterator[Block]],
    path: Path,
    *,
    title: str,
    credit: str,
    targets: Targets,
    occurring: bool = False,
    how: str = "",
) -> Stream:
    """A file that is read in blocks, as a stream; `how` it is read is part of its identity.

    Raises
    ------
    InputError
        The file cannot be read.
    """

    def chunks(size: int) -> Iterator[Chunk]:
        held, tally = Collector(targets), Tally()
        for block in blocks():
            tally += block.tally
            for name in _LISTS:
                getattr(held, name).extend(getattr(block.found, name))
            while len(held.ids) >= size:
                yield _cut(held, size, tally, block.share)
                tally = Tally()
        yield _cut(held, size, tally, 1.0)

    return Stream(path.name, title, credit, targets, file_identity(path) + how, chunks, occurring)


def file_identity(path: Path) -> str:
    """The SHA-256 of a file.

    Raises
    ------
    InputError
        It cannot be read.
    """
    try:
        with path.open("rb") as handle:
            return f"sha256:{hashlib.file_digest(handle, 'sha256').hexdigest()}"
    except OSError as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: OSError) -> InputError:
    """What to say of a file that cannot be read."""
    return InputError(
        expected="a readable file", got=f"{error.strerror or error}: {path}", remedy="check its name and permissions"
    )


_LISTS = ("shown", "texts", "codes", "relations", "ids")


def _cut(held: Collector, size: int, tally: Tally, share: float) -> Chunk:
    """Take the first statements out of those that are held."""
    shown, texts, codes, relations, ids = (getattr(held, name)[:size] for name in _LISTS)
    for name in _LISTS:
        del getattr(held, name)[:size]
    return Chunk(shown, texts, codes, relations, ids, None, tally, share)
