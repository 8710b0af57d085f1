"""A reader's own file of triples or sentences: CSV, TSV, JSON lines or Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.knowledge import relations
from core.knowledge.masking import mentions
from core.knowledge.sources.source import Collector, Copy, Original, Source, write_whole
from core.knowledge.targets import published

FORMATS = ("csv", "tsv", "jsonl", "parquet")

MAX_BYTES = 200_000_000
"""Largest upload. Ours: about a million statements, what one page can hold; the command line has no such limit."""

LONGEST = 131_072
"""Characters of the longest cell that is read: the csv module's own limit, kept for every format."""

NO_TEXT = "\0"
"""Stands for a value that is no text: its row is malformed if it is asked for."""

MARK = b"\xef\xbb\xbf"
"""The byte order mark that some programs put before UTF-8."""

CREDIT = "Your own file."

ROLES = ("statement", "subject", "relation", "object", "target", "id")
"""What a column may be. Either `statement`, or `subject`, `relation` and `object`; `target` is an annotated topic."""

SEPARATED = "; the name holds a separator: save the file as CSV with commas, or send it as .tsv if it has tabs"
"""What to say of one column whose name looks like several."""

_USUAL = {
    "statement": ("statement", "sentence", "text", "generic sentence", "generic_sentence"),
    "subject": ("subject", "head", "start"),
    "relation": ("relation", "predicate"),
    "object": ("object", "tail", "end"),
    "target": ("target", "topic", "term"),
    "id": ("id",),
}


@dataclass(frozen=True)
class Content:
    """A file cut into cells, before anything is made of them.

    Parameters
    ----------
    name : str
        Its name, as shown.
    columns : tuple of str
        Names of its columns.
    rows : sequence of sequence of str
        One entry for each column; bytes that are not UTF-8 stand as lone surrogates.
    original : Original
        The records as they were.
    malformed : tuple of int
        Places, from 0, of rows with another number of cells, or of lines that are no JSON object.
    lines : sequence of int
        The line, from 1, in which each row begins; in a Parquet file its number.
    """

    name: str
    columns: tuple[str, ...]
    rows: Sequence[Sequence[str]]
    original: Original
    malformed: tuple[int, ...]
    lines: Sequence[int]


def refuse_large(size: int) -> None:
    """Refuse an upload by its size, before a byte of it is read.

    Raises
    ------
    InputError
        Over `MAX_BYTES`; the remedy names the command line.

    Examples
    --------
    >>> refuse_large(1_000)
    """
    if size > MAX_BYTES:
        raise InputError(
            expected=f"a file of at most {MAX_BYTES // 1_000_000} MB",
            got=f"{size / 1e6:,.0f} MB",
            remedy="run `python -m core harms FILE`, or for a whole dump `python -m core audit`: they have no such limit",
        )


def guess_format(name: str) -> str:
    """The format that a file name stands for.

    Raises
    ------
    InputError
        None of `FORMATS`.

    Examples
    --------
    >>> guess_format("mine.TSV"), guess_format("mine.ndjson")
    ('tsv', 'jsonl')
    """
    ending = Path(name).suffix.lower().removeprefix(".")
    found = {"ndjson": "jsonl", "txt": "tsv", "tab": "tsv"}.get(ending, ending)
    if found not in FORMATS:
        raise InputError(
            expected=f"a file that ends with .{', .'.join(FORMATS)}",
            got=repr(name[-40:]),
            remedy="rename it, or name its format",
        )
    return found


def check_format(form: str) -> str:
    """One of `FORMATS`.

    Raises
    ------
    InputError
        Another word.

    Examples
    --------
    >>> check_format("csv")
    'csv'
    """
    if form not in FORMATS:
        raise InputError(expected=f"a format ({', '.join(FORMATS)})", got=repr(form[:20]), remedy="choose one of these")
    return form


def cut(content: bytes, name: str, form: str | None = None) -> Content:
    """Cut a file into columns and rows.

    Parameters
    ----------
    content : bytes
        The whole file.
    name : str
        Its name.
    form : str, optional
        One of `FORMATS`; from the name if not given.

    Raises
    ------
    InputError
        Unknown format, no row, or not in that format at all.

    Examples
    --------
    >>> cut(b"statement\\nteachers teach\\n", "mine.csv").rows
    [('teachers teach',)]
    """
    form = check_format(form or guess_format(name))
    if form == "parquet":
        found = _parquet(content, name)
    elif b"\0" in content[:100_000]:
        raise InputError(expected="a text file", got="a file with zero bytes", remedy="save it as text in UTF-8")
    else:
        lines = _lines(content.removeprefix(MARK))
        starts = np.cumsum([len(content) - len(content.removeprefix(MARK)), *map(_size, lines)])
        made = _json_lines(lines, name) if form == "jsonl" else _delimited(lines, form)
        columns, rows, malformed, places = made
        found = Content(
            name,
            columns,
            rows,
            Copy(content, starts[places], Path(name).suffix or f".{form}"),
            malformed,
            [place + 1 for place in places],
        )
    if not found.rows:
        raise InputError(
            expected=f"rows below the names of columns in {name}", got="none", remedy="send a filled table"
        )
    return found


def guess_columns(columns: Sequence[str]) -> dict[str, str]:
    """Which column is what, by its name; roles that no column fits are left out.

    Examples
    --------
    >>> guess_columns(["Sentence", "Topic", "score"])
    {'statement': 'Sentence', 'target': 'Topic'}
    """
    low = {name.strip().lower(): name for name in reversed(columns)}
    found = {role: next((low[name] for name in names if name in low), None) for role, names in _USUAL.items()}
    return {role: name for role, name in found.items() if name is not None}


def read(content: Content, mapping: Mapping[str, str] | None = None, *, title: str | None = None) -> Source:
    """Make statements of a cut file.

    Triples belong to targets that an end equals; sentences to the annotated target, or, without such a column, to every
    target that they name.

    Parameters
    ----------
    content : Content
        From `cut`.
    mapping : mapping of str to str, optional
        Column by role (`ROLES`); guessed from the names if not given.

    Raises
    ------
    InputError
        The columns do not make statements, or no row names a target.

    Examples
    --------
    >>> found = read(cut(b"head,relation,tail\\nteacher,IsA,person\\n", "mine.csv"))
    >>> found.statements.frame.loc[0, ["statement", "target"]].tolist()
    ['teacher is a person', 'teacher']
    """
    found = Collector(published())
    collect(content, places(content, guess_columns(content.columns) if mapping is None else mapping), found)
    shown = title or content.name
    return found.source(shown, shown, CREDIT, content.original, occurring=True)


def collect(content: Content, place: Mapping[str, int], found: Collector, *, first: int = 0) -> None:
    """Take the rows of a cut file, or of a part of one that `first` rows precede.

    Parameters
    ----------
    place : mapping of str to int
        From `places`.
    """
    finder, wrong = mentions(), {first + number for number in content.malformed}
    triples = "statement" not in place
    needed = ("subject", "relation", "object") if triples else ("statement",)
    filled = [*needed, *(["target"] if "target" in place else [])]
    for number, (row, line) in enumerate(zip(content.rows, content.lines, strict=True), start=first):
        cells = {role: row[column].strip() for role, column in place.items()} if number not in wrong else {}
        if not cells or NO_TEXT in cells.values() or max(map(len, cells.values())) > LONGEST:
            found.malformed.append(line)
        elif not _decoded(cells.values()):
            found.undecodable.append(line)
        elif not all(cells[role] for role in filled):
            found.empty += 1
        elif triples and relations.skipped(cells["relation"]):
            found.skipped += 1
        else:
            text = relations.sentence(*(cells[role] for role in needed)) if triples else cells["statement"]
            if "target" in cells:
                named = [found.targets.code(cells["target"])]
            elif triples:
                named = [found.targets.code(cells[end]) for end in ("subject", "object")]
            else:
                named = list(finder.find(text))
            codes = [code for code in dict.fromkeys(named) if code is not None]
            found.add(number, codes, text, name=cells.get("id"), relation=cells.get("relation"))


def places(content: Content, mapping: Mapping[str, str]) -> dict[str, int]:
    """The place of each role's column.

    Raises
    ------
    InputError
        A column that is not there or there twice, or columns that do not make statements.
    """
    if unknown := [role for role in mapping if role not in ROLES]:
        raise InputError(
            expected=f"roles of columns among {', '.join(ROLES)}",
            got=repr(unknown[0][:30]),
            remedy="say which column holds what by these roles",
        )
    absent = [name for name in mapping.values() if name not in content.columns]
    complete = "statement" in mapping or {"subject", "relation", "object"} <= mapping.keys()
    if absent or not complete:
        listed = ", ".join(name[:30] for name in content.columns[:8])
        raise InputError(
            expected="a column of statements, or columns of subject, relation and object",
            got=f"the columns {listed}" + (f" and no {absent[0][:30]!r} among them" if absent else ""),
            remedy="say which column holds what"
            + (SEPARATED if len(content.columns) == 1 and {";", "\t"} & set(content.columns[0]) else ""),
        )
    if twice := [name for name in mapping.values() if content.columns.count(name) > 1]:
        raise InputError(
            expected=f"one column called {twice[0][:30]!r}",
            got=f"{content.columns.count(twice[0])}",
            remedy="rename the others in the file",
        )
    return {role: content.columns.index(name) for role, name in mapping.items()}


def _decoded(cells: Iterable[str]) -> bool:
    return not any("\ud800" <= character <= "\udfff" for cell in cells if not cell.isascii() for character in cell)


def _lines(content: bytes) -> list[str]:
    """Lines with their ends, which are line feeds, carriage returns or both."""
    return list(io.StringIO(content.decode("utf-8", "surrogateescape"), newline=""))


def height(content: bytes) -> int:
    """How many lines a text has.

    Examples
    --------
    >>> height(b"a\\r\\nb\\rc\\n")
    3
    """
    ends = content.count(b"\n") + content.count(b"\r") - content.count(b"\r\n")
    return ends + (content[-1:] not in (b"", b"\n", b"\r"))


def _size(line: str) -> int:
    return len(line) if line.isascii() else len(line.encode("utf-8", "surrogateescape"))


_UNREAD: list[str] = []
"""Stands for a row that cannot be read."""

_Cut = tuple[tuple[str, ...], Sequence[Sequence[str]], tuple[int, ...], list[int]]
"""Columns, rows, places of malformed ones among them, and the place of each one's first line."""


def _delimited(lines: Sequence[str], form: str) -> _Cut:
    # Tabs are not quoted in any of the published formats; quotes in such a file belong to its text.
    cells = (
        _quoted(lines) if form == "csv" else ((at, line.rstrip("\r\n").split("\t")) for at, line in enumerate(lines))
    )
    rows: list[tuple[str, ...]] = []
    places: list[int] = []
    for at, row in cells:
        if row is _UNREAD or any(row):
            rows.append(tuple(row))
            places.append(at)
    header = rows[0] if rows else ()
    wrong = tuple(number for number, row in enumerate(rows[1:]) if not row or len(row) != len(header))
    return header, rows[1:], wrong, places[1:]


def _quoted(lines: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """Rows of a CSV file with the places of their first lines; `_UNREAD` for one that cannot be read."""
    first = 0
    while first < len(lines):
        reader, begun = csv.reader(islice(lines, first, None)), first
        try:
            for row in reader:
                end = begun + reader.line_num
                # A quotation mark that is never closed takes in the rest of the file.
                if end == len(lines) > first + 1 and sum(line.count('"') for line in lines[first:]) % 2:
                    break
                yield first, row
                first = end
            else:
                return
        except csv.Error:
            pass
        yield first, _UNREAD
        first = _after(lines, first)


def _after(lines: Sequence[str], first: int) -> int:
    """The line after a row that cannot be read: where its quotation marks are closed, or else the next one."""
    marks = 0
    for place in range(first, len(lines)):
        marks += lines[place].count('"')
        if marks % 2 == 0:
            return place + 1
    return first + 1


def _json_lines(lines: Sequence[str], name: str) -> _Cut:
    places = [place for place, line in enumerate(lines) if line.strip()]
    parsed, wrong = [], []
    for number, place in enumerate(places):
        try:
            found = json.loads(lines[place])
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            wrong.append(number)
            found = {}
        parsed.append(found)
    columns = tuple(dict.fromkeys(str(key) for found in parsed for key in found))
    if not columns:
        raise InputError(
            expected=f"one JSON object a line in {name}", got="no such line", remedy="check the format of the file"
        )
    return columns, [tuple(cell(found.get(column)) for column in columns) for found in parsed], tuple(wrong), places


@dataclass(frozen=True)
class _Parquet:
    """A Parquet file's rows, written back as Parquet with the same columns and types."""

    content: bytes
    length: int
    ending: str = ".parquet"

    def __len__(self) -> int:
        return self.length

    def write(self, path: Path, keep: NDArray[np.bool_]) -> None:
        """Write the rows that are kept."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        sink = pa.BufferOutputStream()
        pq.write_table(pq.read_table(pa.BufferReader(self.content)).filter(pa.array(keep)), sink)
        write_whole(path, sink.getvalue().to_pybytes())


def _parquet(content: bytes, name: str) -> Content:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(pa.BufferReader(content))
    except (pa.ArrowException, OSError) as error:
        raise InputError(
            expected=f"a Parquet file {name}", got="one that cannot be read", remedy="write it again, or send CSV"
        ) from error
    columns = [[cell(value) for value in column.to_pylist()] for column in table.columns]
    rows = list(zip(*columns, strict=True))
    return Content(name, tuple(table.column_names), rows, _Parquet(content, len(rows)), (), range(1, len(rows) + 1))


def cell(value: object) -> str:
    """A value of a table as text, empty where there is none, and `NO_TEXT` for one that holds others, or bytes.

    Examples
    --------
    >>> cell(None), cell(1.5), cell(["a"])
    ('', '1.5', '\\x00')
    """
    if isinstance(value, (list, tuple, dict, bytes)):
        return NO_TEXT
    return "" if value is None else str(value)
