"""``python -m core data``: what of the authors' released data is here, and how to get the rest.

The folder is ``$MORALSCOPE_DATA``, else the user's data folder; ``$MORALSCOPE_MIRROR`` replaces the authors' addresses.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from core import datasets
from core.cli.shared import reports_errors
from core.datasets import Status
from core.errors import AssetError

Names = Annotated[list[str], typer.Argument(metavar="NAME…", help="Data sets, or paths of single files of them.")]


def list_(as_json: Annotated[bool, typer.Option("--json", help="Print JSON, file by file.")] = False) -> None:
    """List the data sets: what is here (by size), how large they are, and under which terms."""
    directory = datasets.default_directory()
    statuses = [datasets.inspect(dataset, directory) for dataset in datasets.catalogue().values()]
    if as_json:
        records = [_record(status) for status in statuses]
        typer.echo(json.dumps(records, ensure_ascii=False, indent=2, allow_nan=False))
        return
    width = max(len(status.dataset.name) for status in statuses) + 2
    for status in statuses:
        here = f"{len(status.present)} of {len(status.dataset.files)}"
        size = datasets.size_in_words(status.dataset.bytes)
        typer.echo(f"{status.dataset.name:<{width}}{status.state:<12}{here:<12}{size:<14}{status.dataset.title}")
        typer.echo(f"{'':<{width}}licence: {status.dataset.terms}")


def get(names: Names) -> None:
    """Fetch data sets or single files; what is here already is checked and kept. Prints where it lies."""
    directory = datasets.default_directory()
    wanted = [(name, datasets.find(name)) for name in names]
    for name, dataset in wanted:
        _say(f"{dataset.title}. Licence: {dataset.terms}. Credit: {dataset.credit}")
        try:
            datasets.fetch(dataset, directory, mirror=datasets.default_mirror(), progress=_progress)
        finally:
            if sys.stderr.isatty():
                typer.echo(err=True)
        for file in dataset.files:
            if not file.verified:
                found = datasets.digest(dataset.location(directory) / file.path)
                _say(f"{file.path} came with SHA-256 {found}; {datasets.DOUBTS[file.hash_origin]}")
        typer.echo(datasets.locate(name, directory))


def verify(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAME…", help="What to check; all that was fetched if not given.")
    ] = None,
) -> None:
    """Compare every file with its SHA-256; exit code 1 if one is damaged or missing."""
    directory = datasets.default_directory()
    chosen = [datasets.find(name) for name in names or datasets.catalogue()]
    statuses = [datasets.inspect(dataset, directory, hashes=True) for dataset in chosen]
    if not names:
        statuses = [status for status in statuses if status.state != "missing"]
        if not statuses:
            raise AssetError(
                expected=f"data in {directory}",
                got="none",
                remedy="fetch some with “data get NAME”, or set MORALSCOPE_DATA to the folder that holds it",
            )
    for status in statuses:
        for word, files in (("damaged", status.damaged), ("missing", status.missing)):
            for file in files:
                typer.echo(f"{word}: {status.dataset.folder}/{file.path}")
        for file in status.present:
            if not file.verified:
                _say(f"{file.path}: {datasets.DOUBTS[file.hash_origin]}")
        _say(f"{status.dataset.name}: {len(status.present)} of {len(status.dataset.files)} files are here")
    if not all(status.complete for status in statuses):
        raise typer.Exit(1)


def path(name: Annotated[str, typer.Argument(metavar="NAME", help="A data set, or the path of a file.")]) -> None:
    """Print the folder of a data set (or the place of a file), whether it is there or not."""
    typer.echo(datasets.locate(name, datasets.default_directory()))


def _record(status: Status) -> dict[str, Any]:
    dataset = status.dataset
    files: Sequence[tuple[str, tuple[datasets.DataFile, ...]]] = (
        ("present", status.present),
        ("missing", status.missing),
        ("damaged", status.damaged),
    )
    return {
        "name": dataset.name,
        "title": dataset.title,
        "folder": dataset.folder,
        "licence": dataset.licence,
        "credit": dataset.credit,
        "bytes": dataset.bytes,
        "state": status.state,
        **{word: len(group) for word, group in files},
        "files": [
            {
                "path": file.path,
                "state": word,
                "bytes": file.bytes,
                "sha256": file.sha256 or None,
                "hash": file.hash_origin,
                "rows": file.rows,
                "licence": file.licence,
                "address": file.address,
            }
            for word, group in files
            for file in group
        ],
    }


def _progress(done: int, total: int, path: str) -> None:
    if sys.stderr.isatty():
        share = done / total if total else 1.0
        typer.echo(f"\r\x1b[K{share:5.0%} of {datasets.size_in_words(total)}  {path[-60:]}", nl=False, err=True)


def _say(text: str) -> None:
    typer.echo(f"moralscope: {text}", err=True)


app = typer.Typer(help="List, fetch and check the authors' released data.", no_args_is_help=True, rich_markup_mode=None)
for _name, _command in (("list", list_), ("get", get), ("verify", verify), ("path", path)):
    app.command(name=_name)(reports_errors(_command))
