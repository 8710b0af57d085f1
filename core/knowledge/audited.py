"""An audit that is there: what its directory holds, and how it is read."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.errors import InputError
from core.knowledge.sources.source import NO_LINES, Report, Source, Table, Unusable
from core.knowledge.sources.stream import Tally
from core.knowledge.statements import COLUMNS, build
from core.knowledge.targets import Targets

if TYPE_CHECKING:
    import pyarrow as pa

VERSION = 1
"""Of the manifest and the parts."""

MANIFEST = "manifest.json"

LABEL = "label:"
"""Column of a part: this and the name of a classifier."""


@dataclass(frozen=True)
class Part:
    """One Parquet file: its statements, the texts first classified in it, and its SHA-256."""

    file: str
    statements: int
    texts: int
    sha256: str


@dataclass(frozen=True)
class Manifest:
    """What an audit is of, and what is done of it.

    Parameters
    ----------
    source, title, credit, identity : str
        As in `core.knowledge.sources.stream.Stream`.
    targets : Targets
        All that were looked for.
    classifiers : dict of str to str
        Identity by name.
    chunk : int
        Statements of a part.
    occurring : bool
        As in `core.knowledge.sources.stream.Stream`.
    rows, without_target, skipped, empty, malformed, undecodable, ended
        As in `core.knowledge.sources.stream.Tally`.
    parts : tuple of Part
        In the order of the source.
    complete : bool
        Whether the whole source is in it.
    """

    source: str
    title: str
    credit: str
    identity: str
    targets: Targets
    classifiers: dict[str, str]
    chunk: int
    occurring: bool = False
    rows: int = 0
    without_target: int = 0
    skipped: int = 0
    empty: int = 0
    malformed: Unusable = NO_LINES
    undecodable: Unusable = NO_LINES
    ended: int | None = None
    parts: tuple[Part, ...] = ()
    complete: bool = False

    @property
    def statements(self) -> int:
        """Statements written."""
        return sum(part.statements for part in self.parts)

    @property
    def texts(self) -> int:
        """Distinct masked texts among them."""
        return sum(part.texts for part in self.parts)

    @property
    def report(self) -> Report:
        """What was left out; what was used is known from the parts."""
        return Report(
            rows=self.rows,
            used=0,
            without_target=self.without_target,
            skipped=self.skipped,
            empty=self.empty,
            undecodable=self.undecodable,
            malformed=self.malformed,
            ended=self.ended,
        )

    def adding(self, tally: Tally, *parts: Part) -> Manifest:
        """The manifest once more of the source is done."""
        return replace(
            self,
            rows=self.rows + tally.rows,
            without_target=self.without_target + tally.without_target,
            skipped=self.skipped + tally.skipped,
            empty=self.empty + tally.empty,
            malformed=self.malformed + tally.malformed,
            undecodable=self.undecodable + tally.undecodable,
            ended=tally.ended or self.ended,
            parts=(*self.parts, *parts),
        )


def open_audit(directory: Path) -> Source:
    """Read a finished audit: its statements with the labels of its classifiers, and the table of both as its records.

    Raises
    ------
    InputError
        It is none, of another version, not finished, or a part is missing or damaged.
    """
    manifest = read_manifest(directory)
    if not manifest.complete:
        raise InputError(
            expected="a finished audit",
            got=f"one that was interrupted after {manifest.statements:,} statements",
            remedy="finish it: run the same command again with --resume",
        )
    import pyarrow as pa

    table = pa.concat_tables(read_part(directory, part) for part in manifest.parts)
    column = {name: table[name].to_pylist() for name in COLUMNS if name not in ("category", "source")}
    targets = manifest.targets.only(column["target"]) if manifest.occurring else manifest.targets
    code = {name: place for place, name in enumerate(targets.names)}
    statements = build(
        column["statement"],
        [code[name] for name in column["target"]],
        targets=targets,
        source=manifest.source,
        ids=column["id"],
        relations=column["relation"],
        masked=column["masked"],
    )
    return Source(
        name=manifest.source,
        title=manifest.title,
        credit=manifest.credit,
        statements=statements,
        report=replace(manifest.report, used=len(set(column["id"])), repeated=int(statements.repeated.sum())),
        records=np.arange(len(statements)),
        original=Table(table.column_names, list(zip(*(found.to_pylist() for found in table.columns), strict=True))),
        labels={name: table[LABEL + name].to_numpy() for name in manifest.classifiers},
    )


def is_audit(path: Path) -> bool:
    """Whether a path is the directory of an audit, finished or not."""
    return (path / MANIFEST).is_file()


def read_manifest(directory: Path) -> Manifest:
    """Read what an audit is of and how far it is, finished or not.

    Raises
    ------
    InputError
        There is none, or it is damaged or of another version.
    """
    path = directory / MANIFEST
    try:
        found = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(
            expected=f"a directory that `python -m core audit` wrote, with {MANIFEST} in it",
            got=f"{error.strerror}: {directory}",
            remedy="check its name, or run the audit",
        ) from error
    except ValueError:
        found = None
    try:
        if found["version"] != VERSION:
            raise InputError(
                expected=f"an audit of version {VERSION}",
                got=f"version {str(found['version'])[:20]} in {directory}",
                remedy="run the audit again into another directory",
            )
        return _from_record(found)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            expected=f"an undamaged {MANIFEST}",
            got=f"one that cannot be used in {directory}",
            remedy="run the audit again into another directory",
        ) from error


def read_part(directory: Path, part: Part) -> pa.Table:
    """One part, as it was written.

    Raises
    ------
    InputError
        It is missing or damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    remedy = "run the audit again into another directory"
    try:
        content = (directory / part.file).read_bytes()
    except OSError as error:
        raise InputError(
            expected=f"{part.file} in {directory}", got=error.strerror or str(error), remedy=remedy
        ) from error
    if hashlib.sha256(content).hexdigest() != part.sha256:
        raise InputError(expected=f"{part.file} as it was written", got="other content", remedy=remedy)
    return pq.read_table(pa.BufferReader(content))


def to_bytes(manifest: Manifest) -> bytes:
    """What `read_manifest` reads."""
    record = {"version": VERSION, **asdict(manifest)}
    return (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "surrogateescape")


def _from_record(record: dict[str, Any]) -> Manifest:
    values = {name: value for name, value in record.items() if name != "version"}
    return Manifest(
        **{
            **values,
            "targets": Targets(*map(tuple, (record["targets"]["names"], record["targets"]["categories"]))),
            "malformed": _lines(record["malformed"]),
            "undecodable": _lines(record["undecodable"]),
            "parts": tuple(Part(**part) for part in record["parts"]),
        }
    )


def _lines(record: dict[str, Any]) -> Unusable:
    return Unusable(record["count"], tuple(record["first"]))
