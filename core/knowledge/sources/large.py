"""A reader's own file of any size, read in blocks: what `core.knowledge.sources.own` reads, without holding it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from core.errors import InputError
from core.knowledge.sources import own
from core.knowledge.sources.source import Collector, Copy, Lines
from core.knowledge.sources.stream import Block, Stream, from_blocks, unreadable
from core.knowledge.targets import published

BLOCK = 4 << 20
"""Bytes of text looked at together. Ours."""

LONGEST = 64 << 20
"""Bytes of the longest row. Ours: a quotation mark that is never closed would otherwise take in the rest of the file."""

ROWS = 20_000
"""Rows of a Parquet file looked at together. Ours."""


def read(path: Path, form: str | None = None, mapping: Mapping[str, str] | None = None) -> Stream:
    """A file as a stream of statements.

    Parameters
    ----------
    path : Path
        The file.
    form : str, optional
        One of `core.knowledge.sources.own.FORMATS`; from its name if not given.
    mapping : mapping of str to str, optional
        Column by role; guessed from the names if not given.

    Raises
    ------
    InputError
        It cannot be read, is not in its format, has no row, or its columns do not make statements.
    """
    form = own.check_format(form or own.guess_format(path.name))
    content, _ = next(_contents(path, form), (None, 0.0))
    if content is None:
        raise InputError(expected=f"rows in {path.name}", got="none", remedy="choose a filled file")
    chosen = own.guess_columns(content.columns) if mapping is None else mapping
    own.places(content, chosen)

    def blocks() -> Iterator[Block]:
        first = 0
        for content, share in _contents(path, form):
            found = Collector(published())
            own.collect(content, own.places(content, chosen), found, first=first)
            first += len(content.rows)
            yield Block(found, len(content.rows), share)

    how = f" {form} {json.dumps(chosen, sort_keys=True)}"
    return from_blocks(blocks, path, title=path.name, credit=own.CREDIT, targets=published(), occurring=True, how=how)


def _contents(path: Path, form: str) -> Iterator[tuple[own.Content, float]]:
    """A file cut into cells, block by block, and how much of it is read."""
    if form == "parquet":
        yield from _batches(path)
        return
    header, before = b"", 0
    for rows, share in _whole_rows(path, quotes=form == "csv"):
        if rows.strip():
            if form == "jsonl" and not header:
                # A first line with all columns, so that every block has them.
                header = json.dumps(dict.fromkeys(own.cut(rows, path.name, form).columns)).encode() + b"\n"
            content, added = own.cut(header + rows, path.name, form), before - own.height(header)
            if form == "jsonl":
                content = replace(
                    content,
                    rows=content.rows[1:],
                    malformed=tuple(number - 1 for number in content.malformed),
                    lines=content.lines[1:],
                )
            elif not header and isinstance(content.original, Copy):
                header = content.original.head
            yield replace(content, lines=[line + added for line in content.lines]), share
        before += own.height(rows)


def _whole_rows(path: Path, *, quotes: bool) -> Iterator[tuple[bytes, float]]:
    """A text file cut at ends of lines, but not inside quotation marks."""
    held, position = b"", 0
    try:
        size = max(1, path.stat().st_size)
        with path.open("rb") as handle:
            handle.seek(len(own.MARK) if handle.read(len(own.MARK)) == own.MARK else 0)
            while data := handle.read(BLOCK):
                position += len(data)
                held += data
                end = held.rfind(b"\n") + 1
                if end and not (quotes and held.count(b'"', 0, end) % 2):
                    yield held[:end], position / size
                    held = held[end:]
                if len(held) > LONGEST:
                    raise InputError(
                        expected=f"rows of at most {LONGEST >> 20} MB in {path.name}",
                        got="a longer one",
                        remedy="check its line ends, and that every quotation mark is closed",
                    )
    except OSError as error:
        raise unreadable(path, error) from error
    if held:
        yield held, 1.0


def _batches(path: Path) -> Iterator[tuple[own.Content, float]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            read = 0
            for batch in file.iter_batches(batch_size=ROWS):
                columns = [[own.cell(value) for value in column.to_pylist()] for column in batch.columns]
                rows = list(zip(*columns, strict=True))
                names, lines = tuple(batch.schema.names), range(read + 1, read + 1 + len(rows))
                read += len(rows)
                yield own.Content(path.name, names, rows, Lines(()), (), lines), read / max(1, file.metadata.num_rows)
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            expected=f"a Parquet file {path.name}", got="one that cannot be read", remedy="write it again, or send CSV"
        ) from error
