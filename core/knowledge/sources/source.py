"""What every source of statements gives: the statements, what was left out on the way, and the records they come from."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.knowledge.statements import Statements, build
from core.knowledge.targets import Targets

PUBLISHED = "published"
"""The classifier whose labels came with the statements of a release."""


class Original(Protocol):
    """The records of a source in its own format."""

    @property
    def ending(self) -> str:
        """The ending of its file name with the dot; empty for a folder."""

    def __len__(self) -> int:
        """How many records there are."""

    def write(self, path: Path, keep: NDArray[np.bool_]) -> None:
        """Write the records for which `keep` (shape (records,)) is true, and nothing else changed."""


@dataclass(frozen=True)
class Lines:
    """A text file with one record a line.

    Parameters
    ----------
    records : sequence of str
        Lines without their end.
    header : str, optional
        A first line that is no record; empty for none.
    closed : bool, optional
        Whether the last line ends with a line feed, too.
    ending : str, optional
        As in `Original`.
    """

    records: Sequence[str]
    header: str = ""
    closed: bool = True
    ending: str = ".txt"

    def __len__(self) -> int:
        return len(self.records)

    def write(self, path: Path, keep: NDArray[np.bool_]) -> None:
        """Write the lines that are kept."""
        kept = [record for record, stays in zip(self.records, keep, strict=True) if stays]
        lines = [self.header, *kept] if self.header else kept
        write_whole(path, ("\n".join(lines) + "\n" * (self.closed and bool(lines))).encode("utf-8", "surrogateescape"))


@dataclass(frozen=True)
class Folder:
    """Several text files, one after the other, written into a folder."""

    files: dict[str, Lines]

    @property
    def ending(self) -> str:
        """None."""
        return ""

    def __len__(self) -> int:
        return sum(map(len, self.files.values()))

    def write(self, path: Path, keep: NDArray[np.bool_]) -> None:
        """Write every file, even one that loses its last line, into the folder `path`."""
        start = 0
        for name, lines in self.files.items():
            lines.write(path / name, keep[start : start + len(lines)])
            start += len(lines)


@dataclass(frozen=True)
class Table:
    """Rows of a delimited table with a header."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    delimiter: str = ","

    @property
    def ending(self) -> str:
        """By what parts the cells."""
        return ".tsv" if self.delimiter == "\t" else ".csv"

    def __len__(self) -> int:
        return len(self.rows)

    def write(self, path: Path, keep: NDArray[np.bool_]) -> None:
        """Write the rows that are kept, quoted where they must be."""
        text = io.StringIO()
        writer = csv.writer(text, delimiter=self.delimiter, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows(row for row, stays in zip(self.rows, keep, strict=True) if stays)
        write_whole(path, text.getvalue().encode("utf-8", "surrogateescape"))


@dataclass(frozen=True)
class Copy:
    """A text file as it is: byte order mark, line ends and quotes stay as they were.

    Parameters
    ----------
    content : bytes
        The whole file.
    starts : ndarray of int, shape (records,)
        Where each record begins; it ends where the next one does. What precedes the first one always stays.
    ending : str, optional
        As in `Original`.
    """

    content: bytes
    starts: NDArray[np.intp]
    ending: str = ""

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def head(self) -> bytes:
        """What precedes the first record."""
        return self.content[: self.starts[0]] if len(self.starts) else self.content

    def write(self, path: Path, keep: NDArray[np.bool_]) -> None:
        """Write the head and the records that are kept, byte by byte."""
        ends = np.append(self.starts[1:], len(self.content))
        kept = (self.content[start:end] for start, end in zip(self.starts[keep], ends[keep], strict=True))
        write_whole(path, b"".join([self.head, *kept]))


NAMED = 1_000
"""Most lines of one kind whose numbers are kept; all are counted. Ours."""


@dataclass(frozen=True)
class Unusable:
    """Lines of a source that could not be used: how many, and the numbers of the first `NAMED`."""

    count: int = 0
    first: tuple[int, ...] = ()

    def __add__(self, more: Unusable) -> Unusable:
        return Unusable(self.count + more.count, (*self.first, *more.first)[:NAMED])

    @staticmethod
    def of(lines: Sequence[int]) -> Unusable:
        """All of `lines`.

        Examples
        --------
        >>> Unusable.of([3, 7])
        Unusable(count=2, first=(3, 7))
        """
        return Unusable(len(lines), tuple(lines[:NAMED]))


NO_LINES = Unusable()


@dataclass(frozen=True)
class Report:
    """What was read, and what did not become a statement.

    Parameters
    ----------
    rows : int
        Records read.
    used : int
        Records that gave at least one statement.
    without_target : int
        Records that name no target.
    skipped : int
        Records of relations that are no statements (`core.knowledge.relations.NOT_STATEMENTS`).
    empty : int
        Records with an empty text or part.
    repeated : int
        Statements that repeat an earlier one about the same target; they are kept.
    undecodable, malformed : Unusable
        Lines, from 1 (rows of a Parquet file), that are not UTF-8 or have the wrong number of parts.
    ended : int, optional
        The line at which a damaged source breaks off.
    """

    rows: int
    used: int
    without_target: int = 0
    skipped: int = 0
    empty: int = 0
    repeated: int = 0
    undecodable: Unusable = NO_LINES
    malformed: Unusable = NO_LINES
    ended: int | None = None


@dataclass(frozen=True)
class Source:
    """Statements with where they come from.

    Parameters
    ----------
    name : str
        As `open_source` knows it.
    title, credit : str
        What it is, and what to say of its licence wherever it is shown.
    statements : Statements
        n statements.
    report : Report
        What was left out.
    records : ndarray of int, shape (n,)
        The record in `original` of each statement, from 0.
    original : Original
        The records, for writing a part of them.
    labels : mapping of str to ndarray of int8, shape (n,)
        Labels that were published with the statements: −1 negative, 0 neutral, 1 positive, 2 other.
    """

    name: str
    title: str
    credit: str
    statements: Statements
    report: Report
    records: NDArray[np.intp]
    original: Original
    labels: Mapping[str, NDArray[np.int8]] = field(default_factory=dict)


@dataclass
class Collector:
    """Takes the records of a source one by one and becomes a `Source`.

    Parameters
    ----------
    targets : Targets
        What is looked for.
    """

    targets: Targets
    texts: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    relations: list[str | None] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    records: list[int] = field(default_factory=list)
    masked: list[str] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)
    without_target: int = 0
    skipped: int = 0
    empty: int = 0
    undecodable: list[int] = field(default_factory=list)
    malformed: list[int] = field(default_factory=list)

    def add(
        self,
        record: int,
        codes: Sequence[int],
        text: str,
        *,
        name: str | None = None,
        relation: str | None = None,
        shown: str | None = None,
    ) -> None:
        """Take a sentence about the targets `codes` from a record counted from 0; none of them counts as left out."""
        if not codes:
            self.without_target += 1
        for code in codes:
            self.texts.append(text)
            self.shown.append(text if shown is None else shown)
            self.codes.append(code)
            self.relations.append(relation)
            self.ids.append(str(record + 1) if name is None else name)
            self.records.append(record)

    def source(
        self, name: str, title: str, credit: str, original: Original, *, occurring: bool = False, masked: bool = False
    ) -> Source:
        """The source of what was taken.

        Parameters
        ----------
        occurring : bool, optional
            Look only at targets that occur, for collections that do not promise to cover the list.
        masked : bool, optional
            The texts are masked already.

        Raises
        ------
        InputError
            No record names a target.
        """
        if not self.codes:
            remedy = "check the format and which column holds what; targets are matched as whole words or whole terms"
            raise nothing(title, len(self.targets), self._report(len(original)), remedy)
        targets, codes = self.targets, np.array(self.codes, dtype=np.intp)
        if occurring:
            found, codes = np.unique(codes, return_inverse=True)
            targets = Targets(
                tuple(targets.names[code] for code in found), tuple(targets.categories[code] for code in found)
            )
        statements = build(
            self.texts,
            codes.tolist(),
            targets=targets,
            source=name,
            ids=self.ids,
            relations=self.relations,
            shown=self.shown,
            masked=self.texts if masked else None,
        )
        report = replace(self._report(len(original)), repeated=int(statements.repeated.sum()))
        labels = {PUBLISHED: np.array(self.labels, dtype=np.int8)} if self.labels else {}
        return Source(name, title, credit, statements, report, np.array(self.records, dtype=np.intp), original, labels)

    def _report(self, rows: int) -> Report:
        return Report(
            rows=rows,
            used=len(set(self.records)),
            without_target=self.without_target,
            skipped=self.skipped,
            empty=self.empty,
            undecodable=Unusable.of(self.undecodable),
            malformed=Unusable.of(self.malformed),
        )


def nothing(title: str, targets: int, report: Report, remedy: str) -> InputError:
    """What to say of a source that was read without finding a target: how many records were left out, and why."""
    counts = (
        (report.without_target, "name no target"),
        (report.skipped, "lead elsewhere"),
        (report.empty, "are empty"),
    )
    parts = [f"{count:,} {what}" for count, what in counts if count]
    for what, lines in (("malformed", report.malformed), ("not UTF-8", report.undecodable)):
        if lines.count:
            first = ", ".join(f"{number:,}" for number in lines.first[:5]) + (", …" if lines.count > 5 else "")
            parts.append(f"{lines.count:,} are {what}, the first in line {first}")
    if report.ended is not None:
        parts.append(f"the file is damaged or cut off in line {report.ended:,}")
    return InputError(
        expected=f"statements in {title} that name one of the {targets} targets",
        got="; ".join([f"{report.rows:,} record(s), of which none does", *parts]),
        remedy=remedy,
    )


PARTIAL = ".part"
"""Suffix of a file that is not yet whole."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there whole or not at all, even after a loss of power.

    Raises
    ------
    InputError
        It cannot be written there.
    """
    fresh = path.with_name(path.name + PARTIAL)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with fresh.open("wb") as handle:
                handle.write(content)
                handle.flush()
                os.fsync(handle.fileno())
            fresh.replace(path)
        except BaseException:
            fresh.unlink(missing_ok=True)
            raise
        _settle(path.parent)
    except OSError as error:
        raise InputError(
            expected=f"to write {path}", got=error.strerror or str(error), remedy="make room or choose another place"
        ) from error


def _settle(folder: Path) -> None:
    """Put the names in a folder on the disk, where the system lets a folder be opened."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
