"""What `moralscope.toml` says: which further encoders and models this installation has, under which names.

::

    default = "mpnet"                      # instead of the bundled one

    [encoders.mpnet]
    spec = "st:sentence-transformers/all-mpnet-base-v2"
    title = "MPNet"                        # optional, as is summary

    [encoders.glove]
    spec = "words:vectors/glove.6B.300d.txt"   # relative to this file
    limit = 200000                         # of word vectors: read the first so many

    [encoders.fast]
    spec = "bundled"
    precision = "bf16"                     # of st and bundled: three times as fast, a thousand times less exact

    [models.stories]
    spec = "text:gpt2"                     # writes: a source of the page Knowledge harms, an answerer of Ethical interventions

    [models.squad]
    spec = "qa:deepset/roberta-base-squad2"    # finds the answer in a text: an answerer of that page

    [models.regardv3]
    spec = "labels:sasha/regardv3"         # labels statements: a classifier of the page Knowledge harms

A spec of an encoder is ``bundled``, ``static``, ``st:NAME-OR-PATH``, ``words:PATH``, ``endpoint:URL#MODEL`` or
``use:HANDLE-OR-PATH``; of a model
``text:NAME-OR-PATH``, ``qa:NAME-OR-PATH`` or ``labels:NAME-OR-PATH``.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from core.errors import EncoderError

VARIABLE = "MORALSCOPE_CONFIG"
FILE = "moralscope.toml"

BUNDLED, STATIC, ST, WORDS, ENDPOINT, USE = "bundled", "static", "st", "words", "endpoint", "use"
SHIPPED = (BUNDLED, STATIC)
KINDS = (*SHIPPED, ST, WORDS, ENDPOINT, USE)

TEXT, QA, LABELS = "text", "qa", "labels"
MODEL_KINDS = (TEXT, QA, LABELS)
"""Models of transformers that write text, that find an answer in it, and that label it."""

SUMMARIES = {
    BUNDLED: "The bundled encoder, with other options.",
    STATIC: "The static word embeddings, under another name.",
    ST: "A sentence-transformers model on this machine.",
    WORDS: "Word vectors from a file.",
    ENDPOINT: "A model on another server.",
    USE: "A saved model of TensorFlow.",
}
"""What is said of an encoder where the file says nothing; a path on a server is not for its readers."""

EXACT, FAST = "f32", "bf16"
"""Precision of the arithmetic."""

MAX_BYTES = 1_000_000
"""Largest registry file. Ours: some thousand encoders."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_FIELDS: dict[str, type] = {"spec": str, "title": str, "summary": str, "limit": int, "precision": str}
_OPTIONS = {"limit": (WORDS,), "precision": (BUNDLED, ST)}


@dataclass(frozen=True)
class Spec:
    """What is loaded.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    target : str
        A path, a name, an address with a model; empty for what ships.
    limit : int or None
        Of word vectors: the first so many are read.
    precision : {"f32", "bf16"}
        Of the arithmetic.

    Examples
    --------
    >>> str(Spec("words", "glove.txt", limit=100))
    'words:glove.txt, first 100 words'
    """

    kind: str
    target: str = ""
    limit: int | None = None
    precision: str = EXACT

    def __str__(self) -> str:
        options = [] if self.limit is None else [f"first {self.limit:,} words"]
        options += [] if self.precision == EXACT else [self.precision]
        return ", ".join([f"{self.kind}:{self.target}" if self.target else self.kind, *options])


@dataclass(frozen=True)
class Registered:
    """One encoder of the file."""

    name: str
    spec: Spec
    title: str
    summary: str


@dataclass(frozen=True)
class Model:
    """One model of the file: its kind (one of `MODEL_KINDS`), and a folder or a name in the local cache of transformers."""

    name: str
    kind: str
    target: str
    title: str


@dataclass(frozen=True)
class Registry:
    """The file as read; without one, nothing is registered and nothing is the default."""

    encoders: tuple[Registered, ...] = ()
    default: str | None = None
    models: tuple[Model, ...] = ()


def parse_spec(text: str, base: Path) -> Spec:
    """Read a spec; a path in it is relative to `base`.

    Raises
    ------
    EncoderError
        No known kind, or nothing after the colon.

    Examples
    --------
    >>> parse_spec("words:glove.txt", Path("/data")).target
    '/data/glove.txt'
    """
    kind, colon, target = text.partition(":")
    if kind not in KINDS or bool(colon) != (kind not in SHIPPED) or bool(target) != bool(colon):
        raise EncoderError(
            expected=f"{', '.join(SHIPPED)}, st:NAME-OR-PATH, words:PATH, endpoint:URL#MODEL or use:HANDLE-OR-PATH",
            got=repr(kind[:20])
            if kind not in KINDS
            else f"{kind} {'without' if not target else 'with'} something after it",
            remedy="correct the spec",
        )
    if kind == ENDPOINT:
        _check_address(target)
    if kind == WORDS:
        target = str(base / Path(target).expanduser())
    elif kind in (ST, USE) and "://" not in target:
        target = _name_or_path(target, base)
    return Spec(kind, target)


def _name_or_path(target: str, base: Path) -> str:
    """A path where that is there or can be nothing else, otherwise the name of a model."""
    path = base / Path(target).expanduser()
    is_path = path.exists() or target.startswith((".", "/", "~", "\\")) or target.count("/") > 1
    return str(path) if is_path else target


def _check_address(target: str) -> None:
    """An address is shown to readers and stands in exports, so it must hold no secret; it is not repeated in errors."""
    try:
        parts = urlsplit(target)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        usable = False
    if not (usable and parts.fragment):
        expected, got = "endpoint:URL#MODEL, the URL with http or https", "something else"
    elif "@" in parts.netloc or parts.query:
        expected, got = "an address without a password, key or query in it", "one with"
    else:
        return
    remedy = "correct the spec; a key is read from MORALSCOPE_ENDPOINT_KEY only"
    raise EncoderError(expected=expected, got=got, remedy=remedy)


def find() -> Registry:
    """The registry that ``$MORALSCOPE_CONFIG`` names, else `moralscope.toml` of the working directory, else an empty one.

    Raises
    ------
    EncoderError
        The variable names no file, or the file cannot be used.
    """
    named = os.environ.get(VARIABLE)
    path = Path(named or FILE).absolute()
    try:
        state = path.stat()
    except OSError as error:
        if not named:
            return Registry()
        raise EncoderError(
            expected=f"a registry file where {VARIABLE} points",
            got=f"{error.strerror}: {path}",
            remedy="correct the variable, or remove it",
        ) from error
    return _read(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=4)
def _read(path: Path, changed: int, size: int) -> Registry:
    """Read again only after a change."""
    try:
        if size > MAX_BYTES:
            raise _wrong(path.name, f"at most {MAX_BYTES:,} bytes", f"{size:,}")
        return parse(path.read_bytes(), path)
    except OSError as error:
        raise _wrong(path.name, "a readable file", error.strerror or type(error).__name__) from error


def parse(content: bytes, path: Path) -> Registry:
    """Read a registry file; `path` says what paths in it are relative to, and names it in errors.

    Raises
    ------
    EncoderError
        Not TOML, an unknown key, a value of another type, or a name that is taken.

    Examples
    --------
    >>> parse(b'encoders.tiny.spec = "st:models/tiny"', Path("/etc/moralscope.toml")).encoders[0].name
    'tiny'
    """
    try:
        document = tomllib.loads(content.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise _wrong(path.name, "a TOML file in UTF-8", str(error)[:200]) from error
    _no_other_keys(document, ("default", "encoders", "models"), path.name)
    tables, models = document.get("encoders", {}), document.get("models", {})
    for key, value in (("encoders", tables), ("models", models)):
        if not isinstance(value, dict):
            raise _wrong(path.name, f"tables [{key}.NAME]", _typename(value))
    encoders = tuple(_registered(name, table, path) for name, table in tables.items())
    default = document.get("default")
    known = (*SHIPPED, *tables)
    if default is not None and default not in known:
        raise _wrong(f"default in {path.name}", " or ".join(known)[:200], repr(default)[:60])
    return Registry(encoders, default, tuple(_model(name, table, path) for name, table in models.items()))


def _model(name: str, table: Any, path: Path) -> Model:
    where = f"[models.{name[:40]}] in {path.name}"
    _check_table(name, table, ("spec", "title"), where, path)
    kind, _, target = table["spec"].partition(":")
    if kind not in MODEL_KINDS or not target:
        raise _wrong(where, " or ".join(f"{known}:NAME-OR-PATH" for known in MODEL_KINDS), "another spec")
    return Model(name, kind, _name_or_path(target, path.parent), table.get("title", name))


def _check_table(name: str, table: Any, known: tuple[str, ...], where: str, path: Path) -> None:
    """One table of the file: its name, its keys, and that there is a spec."""
    if not _NAME.fullmatch(name):
        raise _wrong(path.name, "names of at most 40 small letters, digits, . _ -", repr(name[:60]))
    if not isinstance(table, dict):
        raise _wrong(where, "a table", _typename(table))
    _no_other_keys(table, known, where)
    for key, value in table.items():
        if type(value) is not _FIELDS[key]:
            raise _wrong(where, f"{key} as {_TYPES[_FIELDS[key]]}", _typename(value))
    if "spec" not in table:
        raise _wrong(where, "a spec", "none")


def _registered(name: str, table: Any, path: Path) -> Registered:
    where = f"[encoders.{name[:40]}] in {path.name}"
    if name in SHIPPED:
        raise _wrong(path.name, "names other than those of the bundled encoders", name)
    _check_table(name, table, tuple(_FIELDS), where, path)
    try:
        spec = parse_spec(table["spec"], path.parent)
    except EncoderError as error:
        raise _wrong(where, error.expected, error.got) from error
    for key, kinds in _OPTIONS.items():
        if key in table and spec.kind not in kinds:
            raise _wrong(where, f"{key} only for {' or '.join(kinds)}", spec.kind)
    limit, precision = table.get("limit"), table.get("precision", EXACT)
    if limit is not None and limit < 1:
        raise _wrong(where, "a positive limit", str(limit))
    if precision not in (EXACT, FAST):
        raise _wrong(where, f"{EXACT} or {FAST} as precision", repr(precision[:20]))
    spec = Spec(spec.kind, spec.target, limit, precision)
    return Registered(name, spec, table.get("title", name), table.get("summary", SUMMARIES[spec.kind]))


_TYPES = {str: "text", int: "a whole number"}


def _typename(value: object) -> str:
    return {dict: "a table", list: "a list", bool: "true or false"}.get(type(value), _TYPES.get(type(value), "a value"))


def _no_other_keys(table: Mapping[str, object], known: tuple[str, ...], where: str) -> None:
    """A value is never repeated in an error: it may be a key to some service."""
    if other := [key[:40] for key in table if key not in known]:
        raise _wrong(where, f"only {', '.join(known)}", ", ".join(other)[:200])


def _wrong(where: str, expected: str, got: str) -> EncoderError:
    return EncoderError(expected=f"{expected} ({where})", got=got, remedy="correct the registry file")
