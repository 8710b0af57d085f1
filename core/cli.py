"""The command line: the same core as the page, for scripts and for lists that do not fit a form.

Results go to standard output and nothing else does; notices and progress go to standard error. Exit code 0: done,
1: an input, a file or an encoder could not be used (the message says what to do), 2: a wrong call.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, ParamSpec

import typer

from core import records
from core.encoders import catalog
from core.errors import InputError, MoralscopeError
from core.moral import compass as compasses
from core.text import PhraseList, parse_lines

app = typer.Typer(
    name="python -m core",
    help="Moral and representational bias in text embeddings, from the command line.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

P = ParamSpec("P")

EncoderOption = Annotated[
    list[str] | None, typer.Option("--encoder", help=f"One of {', '.join(catalog.NAMES)}; may be repeated.")
]
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


@app.callback()
def _root() -> None:
    """Keep subcommands named even while there is only one; print any phrase, whatever the console's code page."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


@app.command()
@reports_errors
def score(
    actions: Annotated[
        list[str] | None,
        typer.Argument(metavar="ACTION…", help="Phrases to score, each “action” or “action: context; context”."),
    ] = None,
    file: Annotated[
        str | None, typer.Option("--file", help="A text file, one “action: context; context” per line; - reads stdin.")
    ] = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
    as_csv: CsvOption = False,
) -> None:
    """Score phrases: moral bias, place among the published Dos and Don'ts, position on the moral axis."""
    if as_json and as_csv:
        raise typer.BadParameter("choose one of --json and --csv")
    phrases = _phrases(actions or [], file)
    cache_dir = catalog.default_cache_dir()
    results = []
    for name in dict.fromkeys(encoder or [catalog.DEFAULT]):
        loaded = catalog.load(name, cache_dir, progress=_progress)
        compass = compasses.calibrate(loaded, cache_dir)
        results.append((compass, compasses.score(loaded, compass, phrases.texts)))
    if as_json:
        documents = [
            {"encoder": records.encoder_record(compass), "scores": records.score_records(compass, scores)}
            for compass, scores in results
        ]
        _print_json(documents if len(documents) > 1 else documents[0])
    else:
        rows = [row for compass, scores in results for row in records.score_rows(compass, scores)]
        _print_csv(rows) if as_csv else _print_score_table(rows)


@app.command()
@reports_errors
def encoders(as_json: JsonOption = False) -> None:
    """List the encoders of this installation."""
    rows = [{"name": item.name, "title": item.title, "summary": item.summary} for item in catalog.CATALOG]
    if as_json:
        _print_json(rows)
    else:
        for row in rows:
            typer.echo(f"{row['name']:<10}{row['title']}: {row['summary']}")


def _phrases(actions: Sequence[str], file: str | None) -> PhraseList:
    text = "\n".join(actions)
    if file is not None:
        text = f"{text}\n{_read(file)}" if text else _read(file)
    phrases = parse_lines(text)
    if not phrases.phrases:
        raise InputError(
            expected="at least one phrase", got="none", remedy='name one, as in: score "kill time", or use --file'
        )
    if phrases.blank:
        typer.echo(f"moralscope: {phrases.blank} blank line(s) ignored", err=True)
    if phrases.duplicates:
        typer.echo(f"moralscope: repeated and kept once: {', '.join(phrases.duplicates)}", err=True)
    return phrases


def _read(file: str) -> str:
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise InputError(
            expected="a readable file", got=f"{error.strerror}: {file}", remedy="check its name"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(
            expected="text in UTF-8", got=f"byte {error.object[error.start]:#04x}", remedy="save the file as UTF-8"
        ) from error


def _progress(share: float, what: str) -> None:
    typer.echo(f"moralscope: {what} ({share:.0%})", err=True)


def _print_json(document: Any) -> None:
    typer.echo(json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False))


def _print_csv(rows: Sequence[dict[str, Any]]) -> None:
    writer = csv.DictWriter(sys.stdout, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows([{key: records.safe_cell(value) for key, value in row.items()} for row in rows])


def _print_score_table(rows: Sequence[dict[str, Any]]) -> None:
    width = max(len(row["action"]) for row in rows) + 2
    typer.echo(f"{'encoder':<10}{'phrase':<{width}}{'bias':>8}  {'95 % interval':<18}{'rank':<11}axis")
    for row in rows:
        interval = f"[{row['bias_low']:+.3f}, {row['bias_high']:+.3f}]"
        place = f"{row['rank']} of {row['of']}"
        typer.echo(
            f"{row['encoder']:<10}{row['action']:<{width}}{row['bias']:>+8.3f}  {interval:<18}{place:<11}"
            f"{row['axis_position']:+.2f} [{row['axis_low']:+.2f}, {row['axis_high']:+.2f}]"
        )
    typer.echo("\nbias: nearer to “yes” (+) or “no” (−); axis: Do side (+), Don't side (−). Neither is a judgement.")


import core.cli_association  # noqa: E402, F401  (registers its commands with the helpers above)
