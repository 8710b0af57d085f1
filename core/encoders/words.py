"""Word vectors from a file: word2vec (binary or text) and GloVe, also compressed by gzip.

The files are read by gensim's reader of these two formats and by nothing else: its own format is a pickle, which can run code.
"""

from __future__ import annotations

import gzip
import hashlib
import re
import shutil
import sys
import warnings
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import numpy as np

from core.encoders.protocol import Progress, Provenance
from core.encoders.registry import Spec
from core.errors import EncoderError
from core.vectors import FloatArray, check

NOTE = (
    "One vector per word, whatever stands around it; a text is the mean of its known words, so word order cannot matter, and "
    "“not” is a word among others: weak for sentences"
)

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_WORD_BYTES = 150
"""What a word costs besides its vector: the text and its place in the index. Measured: 140 for English words."""
_GZIP_RATIO = 3
"""How many times larger a compressed file becomes, about. Measured on vectors in text."""
_BLOCK = 1 << 24
"""Bytes hashed at a time: with small ones the thread would wait for the interpreter between them."""
_LINE = 1 << 20
"""Longest line of text: beyond it this is no text."""
_NAMED = 10
"""Texts that an error lists."""
_MARK = b"\xef\xbb\xbf"
"""What some editors write before UTF-8."""


class WordVectors:
    """Mean of the vectors of a text's known words. Thread-safe: nothing is changed.

    It is its own vocabulary: ``"word" in encoder.vocabulary`` says whether every word of a text has a vector. A word is
    looked up as it is written, then in small letters.

    Parameters
    ----------
    name : str
        Short name.
    index : dict of str to int
        Row of each word.
    table : ndarray, shape (words, d)
        One vector per word; made read-only.
    provenance : Provenance
        Shown beside every result.
    """

    def __init__(self, name: str, index: dict[str, int], table: FloatArray, provenance: Provenance) -> None:
        self.name, self.provenance = name, provenance
        self._index, self._table = index, table
        self._table.setflags(write=False)

    @property
    def vocabulary(self) -> WordVectors:
        """What answers ``word in vocabulary``."""
        return self

    def __contains__(self, text: object) -> bool:
        rows = self._rows(text) if isinstance(text, str) else []
        return bool(rows) and None not in rows

    def __len__(self) -> int:
        return len(self._index)

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Embed `texts`; words without a vector are passed over.

        Raises
        ------
        EncoderError
            A text without a single known word.
        """
        rows = [[row for row in self._rows(text) if row is not None] for text in texts]
        if lacking := [text for text, found in zip(texts, rows, strict=True) if not found]:
            more = f" and {len(lacking) - _NAMED} more" if len(lacking) > _NAMED else ""
            raise EncoderError(
                expected=f"texts with a word among the {len(self):,} of {self.provenance.model}",
                got=f"none in {', '.join(repr(text[:40]) for text in lacking[:_NAMED])}{more}",
                remedy="use other words, a larger file, or an encoder that reads any text",
            )
        if not rows:
            return np.empty((0, self.provenance.dimension), dtype=np.float32)
        starts = np.cumsum([0, *(len(row) for row in rows[:-1])])
        sums = np.add.reduceat(self._table[np.concatenate(rows)], starts, axis=0)
        counts = np.array([[len(row)] for row in rows], dtype=np.float32)
        return check((sums / counts).astype(np.float32, copy=False), count=len(rows))

    def _rows(self, text: str) -> list[int | None]:
        whole = self._index.get(text.strip())
        return [whole] if whole is not None else [self._row(word) for word in split(text)]

    def _row(self, word: str) -> int | None:
        found = self._index.get(word)
        return self._index.get(word.lower()) if found is None else found


def split(text: str) -> list[str]:
    """The words of a text as they are looked up.

    Examples
    --------
    >>> split("Don't kill good-natured time!")
    ["Don't", 'kill', 'good-natured', 'time']
    """
    return _WORD.findall(text)


@dataclass(frozen=True)
class Layout:
    """What the first lines of a file say.

    Parameters
    ----------
    binary : bool
        Numbers as float32, not as text.
    header : bool
        The first line holds the number of words and the dimension.
    words : int
        Number of words; an estimate where there is no header.
    dimension : int
        Length of a vector.
    """

    binary: bool
    header: bool
    words: int
    dimension: int


def size(spec: Spec) -> int:
    """Bytes of memory that the file needs when loaded, from its first lines."""
    found = layout(Path(spec.target))
    return min(found.words, spec.limit or found.words) * (4 * found.dimension + _WORD_BYTES)


def load(name: str, spec: Spec, cache_dir: Path, progress: Progress) -> WordVectors:
    """Read a file of word vectors.

    Raises
    ------
    EncoderError
        No such file, another format, a truncated file, a line of another length, a vector that is not finite or zero.
    """
    path = Path(spec.target)
    found = layout(path)
    progress(0.0, f"Reading {path.name}")
    try:
        if found.binary:
            with ThreadPoolExecutor(1) as beside:  # hashing leaves the interpreter to the reader
                hashed = beside.submit(_hash, path)
                index, table = _read(path, found, spec.limit)
                revision = hashed.result()
        else:
            revision, count = _check_lines(path, found, spec.limit)
            index, table = _read(path, found, count)
    except (OSError, EOFError, zlib.error) as error:
        raise _unusable(path, "a whole file", f"one that ends too early or is damaged ({_reason(error)})") from error
    _check_rows(path, index, table)
    note = NOTE
    if repeated := len(table) - len(index):
        table = table[list(index.values())]
        index = {word: row for row, word in enumerate(index)}
        note += f". The file repeats words: {repeated:,} of its vectors are left out, the first of each word counts"
    first = "" if spec.limit is None else f", first {spec.limit:,} words"
    made_by = Provenance(path.name, f"sha256:{revision}{first}", "not stated", found.dimension, "NumPy", note)
    return WordVectors(name, index, table, made_by)


def layout(path: Path) -> Layout:
    """See from the first two lines how a file is written, whatever it is called.

    Raises
    ------
    EncoderError
        No such file, or neither format.
    """
    try:
        with _open(path) as lines:
            first, second = lines.readline(_LINE).removeprefix(_MARK), lines.readline(_LINE)
        total = path.stat().st_size * (_GZIP_RATIO if path.suffix == ".gz" else 1)
    except (OSError, EOFError, zlib.error) as error:
        raise _unusable(path, "a readable file of word vectors", _reason(error)) from error
    fields = first.split()
    if len(fields) == 2 and all(field.isdigit() for field in fields):
        words, dimension = int(fields[0]), int(fields[1])
        if words and dimension:
            return Layout(not _is_text(second, dimension), True, words, dimension)
    elif dimension := _numbers(first) or 0:
        return Layout(False, False, max(1, total // len(first)), dimension)
    elif slip := _slip(first):
        raise _unusable(path, "a word and numbers on line 1", slip)
    raise _unusable(path, "word vectors as word2vec or GloVe write them", "a first line of another kind")


def _read(path: Path, found: Layout, limit: int | None) -> tuple[dict[str, int], FloatArray]:
    """Row of each word, and the rows in the order of the file: those of repeated words stay empty."""
    from gensim.models import KeyedVectors

    class Rows(KeyedVectors):  # type: ignore[misc]  # gensim has no types
        def has_index_for(self, key: str) -> bool:
            """Leave the row of a repeated word empty: gensim would lose count of what it has read."""
            known = key in self.key_to_index
            self.next_index += known
            return known

        def set_vecattr(self, key: str, attr: str, val: object) -> None:
            """Counts, which gensim makes up word by word, are not wanted."""

    try:
        with warnings.catch_warnings(), _without_mark(path) as source:
            warnings.simplefilter("ignore", ResourceWarning)  # a file without a header is opened twice and closed once
            read: Any = Rows.load_word2vec_format(
                str(source), binary=found.binary, no_header=not found.header, limit=limit, unicode_errors="replace"
            )
    except ValueError as error:
        if found.binary:
            raise _unusable(path, "word vectors in binary form", _reason(error)) from error
        raise _bad_number(path, found) from error
    return read.key_to_index, read.vectors


@contextmanager
def _without_mark(path: Path) -> Iterator[Path]:
    """The file itself, or a copy for as long as the block runs: gensim does not know the mark."""
    with _open(path) as lines, ExitStack() as stack:
        if _skip_mark(lines):
            copy = Path(stack.enter_context(TemporaryDirectory())) / "vectors"
            with copy.open("wb") as written:
                shutil.copyfileobj(lines, written)
            path = copy
        yield path


def _hash(path: Path) -> str:
    total, block = hashlib.sha256(), bytearray(_BLOCK)
    with path.open("rb", buffering=0) as handle:
        while count := handle.readinto(block):
            total.update(memoryview(block)[:count])
    return total.hexdigest()


def _check_lines(path: Path, found: Layout, limit: int | None) -> tuple[str, int]:
    """Hash a text file and count its words, and name the first line of the wrong length: the reader would take some silently.

    Lines at the end may be empty.
    """
    most = min(limit or sys.maxsize, found.words if found.header else sys.maxsize)
    empty, count = 0, 0
    with _open(path) as lines:
        digest = hashlib.sha256(_skip_mark(lines))
        for number, line in enumerate(lines, start=1):
            digest.update(line)
            if number <= found.header or count == most:
                continue
            if line.rstrip().count(b" ") != found.dimension:
                if not line.strip():
                    empty = empty or number
                    continue
                raise _bad_line(path, number, line, found.dimension)
            if empty:
                raise _bad_line(path, empty, b"", found.dimension)
            count += 1
    if found.header and count < most:
        raise _unusable(path, f"{most:,} words, as its first line says", f"{count:,}: it ends too early")
    return digest.hexdigest(), count


def _bad_number(path: Path, found: Layout) -> EncoderError:
    with _open(path) as lines:
        _skip_mark(lines)
        for number, line in enumerate(lines, start=1):
            if number > found.header and _numbers(line) is None:
                return _bad_line(path, number, line, found.dimension)
    return _unusable(path, "a word and numbers on each line", "something else")


def _bad_line(path: Path, number: int, line: bytes, dimension: int) -> EncoderError:
    fields = line.decode("utf-8", errors="replace").rstrip().split(" ")
    odd = [field for field in fields[1:] if not _is_number(field)]
    if slip := _slip(line):
        got = slip
    elif len(fields) > dimension + 1 and odd and all(map(_is_number, fields[-dimension:])):
        got = f"a word with a space in it, {' '.join(fields[:-dimension])[:40]!r}"
    elif len(fields) == dimension + 1 and odd:
        got = f"{odd[0][:40]!r}, which is no number"
    else:
        got = f"{len(fields) - 1}"
    return _unusable(path, f"{dimension} numbers after the word on line {number:,}", got)


def _check_rows(path: Path, index: dict[str, int], table: FloatArray) -> None:
    squares = np.einsum("ij,ij->i", table, table)
    bad = set(np.flatnonzero(~(np.isfinite(squares) & (squares > 0))).tolist())
    if wrong := [(row, word) for word, row in index.items() if row in bad] if bad else []:
        row, word = wrong[0]
        kind = "zeros" if squares[row] == 0 else "a value that is not a number or infinite"
        raise _unusable(
            path,
            "finite vectors with a direction",
            f"{kind} for {word[:40]!r}, word {row + 1:,}; {len(wrong):,} such words",
        )


def _numbers(line: bytes) -> int | None:
    """How many numbers follow the word of a line of text, or None if it is no such line."""
    fields = line.decode("utf-8", errors="replace").rstrip().split(" ")[1:]
    return len(fields) if fields and all(map(_is_number, fields)) else None


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _is_text(line: bytes, dimension: int) -> bool:
    """Whether a line of a file with a header is text, even with something wrong in it, and not numbers in binary form."""
    if _numbers(line):
        return True
    try:
        fields = re.split(r"[\s,;]+", line.decode("utf-8").strip())
    except UnicodeDecodeError:
        return False
    return len(fields) > dimension and all(map(str.isprintable, fields))


def _slip(line: bytes) -> str:
    """What else than single spaces and decimal points stands in a line, or nothing if that is not what is wrong with it."""
    for got, mended in (
        ("tabs instead of spaces", line.replace(b"\t", b" ")),
        ("decimal commas instead of points", line.replace(b",", b".")),
        ("tabs instead of spaces, and decimal commas", line.replace(b"\t", b" ").replace(b",", b".")),
        ("commas instead of spaces", line.replace(b",", b" ")),
        ("several spaces in a row", b" ".join(line.split())),
    ):
        if mended != line and _numbers(line) is None and _numbers(mended):
            return got
    return ""


def _skip_mark(lines: IO[bytes]) -> bytes:
    """Pass over the mark that some editors write first; returns what was passed over."""
    if lines.read(len(_MARK)) == _MARK:
        return _MARK
    lines.seek(0)
    return b""


def _open(path: Path) -> IO[bytes]:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]


def _reason(error: BaseException) -> str:
    return getattr(error, "strerror", None) or str(error)[:120] or type(error).__name__


def _unusable(path: Path, expected: str, got: str) -> EncoderError:
    return EncoderError(
        expected=f"{expected} ({path.name[:60]})",
        got=got,
        remedy="correct it, fetch the file again, or name another one",
    )
