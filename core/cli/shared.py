"""What all commands share: options, files, output, and errors in words.

Results go to standard output and nothing else does; notices and progress go to standard error.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, ParamSpec, TypeVar

import typer

from core import records
from core.encoders import catalog, registry
from core.encoders.cache import CachedEncoder
from core.encoders.vocabulary import unknown
from core.errors import InputError, MoralscopeError

P = ParamSpec("P")
T = TypeVar("T")

EncoderHelp = (
    f"{', '.join(catalog.NAMES)}, a name of {registry.FILE}, or st:NAME-OR-PATH, words:PATH, endpoint:URL#MODEL, "
    "use:HANDLE-OR-PATH"
)
EncoderOption = Annotated[list[str] | None, typer.Option("--encoder", help=f"{EncoderHelp}; may be repeated.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON at full precision.")]
CsvOption = Annotated[bool, typer.Option("--csv", help="Print CSV at full precision.")]


def reports_errors(command: Callable[P, None]) -> Callable[P, None]:
    """Turn an expected error into one sentence on standard error and exit code 1."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
        except MoralscopeError as error:
            typer.echo(f"moralscope: {error}", err=True)
            raise typer.Exit(1) from error

    return run


def each_encoder(names: Sequence[str] | None) -> list[str]:
    """The encoders asked for, each once, or the default one."""
    return list(dict.fromkeys(names or [catalog.default()]))


@contextmanager
def for_each(names: Sequence[str] | None, work: Callable[[CachedEncoder], T]) -> Iterator[dict[str, T]]:
    """What `work` gives for each encoder asked for, to be printed inside the `with`.

    One of several that cannot do it is named on standard error, and the exit code is 1 in the end.

    Raises
    ------
    MoralscopeError
        The only one cannot.
    """
    asked = each_encoder(names)
    found, failed = {}, False
    for name in asked:
        try:
            found[name] = work(load(name))
        except MoralscopeError as error:
            if len(asked) == 1:
                raise
            typer.echo(f"moralscope: {label(name)}: {error}", err=True)
            failed = True
    if found:
        yield found
    if failed:
        raise typer.Exit(1)


def label(name: str) -> str:
    """What to call an encoder in an error; of a spec that cannot be read only its kind: it may hold a password."""
    try:
        return catalog.entry(name, specs=True).name
    except MoralscopeError:
        return name.partition(":")[0]


def load(name: str) -> CachedEncoder:
    """Load an encoder by its name or by a spec, saying on standard error what takes long."""
    return catalog.load(name, catalog.default_cache_dir(), progress=progress, specs=True)


def name_unknown(encoder: CachedEncoder, phrases: Sequence[str], *, left_out: bool = False) -> None:
    """Say on standard error what an encoder does not know of `phrases`, which stand in questions if not `left_out`."""
    found = unknown(encoder, phrases)
    if lacking := (*found.phrases, *found.words):
        more = f" and {len(lacking) - 20:,} more" if len(lacking) > 20 else ""
        typer.echo(f"moralscope: {encoder.name}: no vector for {', '.join(lacking[:20])}{more}", err=True)
    if found.phrases and not left_out:
        typer.echo(
            f"moralscope: {encoder.name}: numbers for {', '.join(found.phrases[:20])} come from the question alone",
            err=True,
        )


def one_or_list(documents: Sequence[Any]) -> Any:
    """One document as it is, several as a list: one per encoder."""
    return documents[0] if len(documents) == 1 else list(documents)


def by_encoder(documents: Mapping[str, dict[str, Any]]) -> Any:
    """One encoder's document as it is; several as a list, each with the name of its encoder."""
    return one_or_list(
        [({"encoder": name} if len(documents) > 1 else {}) | document for name, document in documents.items()]
    )


def read_bytes(file: str) -> bytes:
    """Read a file, or standard input where it is called ``-``."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        raise InputError(
            expected="a readable file", got=f"{error.strerror}: {file}", remedy="check its name"
        ) from error


def read_text(file: str) -> str:
    """Read a text file in UTF-8; a byte order mark and CRLF are dropped."""
    try:
        return read_bytes(file).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InputError(
            expected="text in UTF-8", got=f"byte {error.object[error.start]:#04x}", remedy="save the file as UTF-8"
        ) from error


def progress(share: float, what: str) -> None:
    """Say on standard error how far something slow is."""
    typer.echo(f"moralscope: {what} ({share:.0%})", err=True)


def print_json(document: Any) -> None:
    """Print JSON at full precision; a value that JSON does not have is a mistake of ours."""
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))


def print_csv(rows: Sequence[dict[str, Any]]) -> None:
    """Print CSV at full precision, cells that a spreadsheet would run made plain text."""
    writer = csv.DictWriter(sys.stdout, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows([{key: records.safe_cell(value) for key, value in row.items()} for row in rows])
