"""The command ``audit``: classify the statements of a source of any size."""

from __future__ import annotations

import signal
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from time import monotonic
from typing import Annotated

import typer

from core.cli import shared
from core.cli.knowledge import (
    ClassifierOption,
    ColumnOption,
    FormatOption,
    RegardOption,
    SourceArgument,
    mapping,
    only_for_files,
    say_unusable,
)
from core.errors import InputError
from core.knowledge import audit as batches
from core.knowledge import sources, workers
from core.knowledge.audited import MANIFEST, Manifest, is_audit, read_manifest
from core.knowledge.polarity.catalog import on_encoders

INTERRUPTED = 128 + signal.SIGINT
"""Exit code of a process that Ctrl-C ended, as shells have it."""

EVERY = 2.0
"""Seconds between two notes on progress. Ours."""


def audit(
    source: SourceArgument,
    out: Annotated[Path, typer.Option("--out", help="Directory for the Parquet parts and their manifest.")],
    classifier: ClassifierOption = None,
    encoder: RegardOption = None,
    count: Annotated[int, typer.Option("--workers", min=1, help="Processes on this machine.")] = 1,
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", help="A Dask scheduler (tcp://host:8786) instead of --workers.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the audit in --out.")] = False,
    form: FormatOption = None,
    column: ColumnOption = None,
) -> None:
    """Classify every statement of a source in chunks, on several processes or a cluster, and keep the result.

    A file may be the full dump of ConceptNet 5.7 (.csv.gz) or GenericsKB-Best (.tsv), of any size.
    """
    if scheduler and count > 1:
        raise typer.BadParameter("give either --workers or --scheduler")
    try:
        only_for_files(source, form, column)
        names = classifier or (list(read_manifest(out).classifiers) if resume and is_audit(out) else ["sentiment"])
        names = on_encoders(names, encoder or ())
        stream = sources.open_stream(source, form=form, mapping=mapping(column), progress=shared.progress)
        with _workers(count, scheduler) as chosen:
            done = batches.run(stream, names, out, workers=chosen, resume=resume, progress=_Notes())
    except KeyboardInterrupt:
        _notice(f"interrupted; what was written to {out} stays. Run the same command again with --resume to go on")
        raise typer.Exit(INTERRUPTED) from None
    _print(done, out)


class _Notes:
    """Says on standard error how far an audit is, how fast it goes and how long it may take."""

    def __init__(self) -> None:
        self._begun = self._said = monotonic()
        self._first: batches.Progress | None = None

    def __call__(self, done: batches.Progress) -> None:
        now = monotonic()
        if self._first is None or done.statements == self._first.statements:
            self._first, self._begun = done, now
        elif now - self._said >= EVERY:
            self._said = now
            took = now - self._begun
            rate = (done.statements - self._first.statements) / took
            left = took * (1 - done.share) / max(done.share - self._first.share, 1e-6)
            _notice(
                f"{done.statements:,} statements, {done.texts:,} texts classified ({done.share:.0%}); "
                f"{rate:,.0f} statements a second, about {_duration(left)} left"
            )


def _workers(count: int, scheduler: str | None) -> AbstractContextManager[workers.Workers]:
    if scheduler:
        return workers.cluster(scheduler)
    return workers.processes(count) if count > 1 else nullcontext(workers.HERE)


def _print(done: Manifest, out: Path) -> None:
    say_unusable(done)
    typer.echo(
        f"{done.title}: {done.statements:,} statements, {done.texts:,} distinct masked texts; of {done.rows:,} records "
        f"{done.without_target:,} name no target, {done.skipped:,} lead elsewhere, {done.empty:,} are empty"
    )
    typer.echo(done.credit)
    typer.echo(f"Written to {out}: {len(done.parts):,} part(s) and {MANIFEST}.")
    if done.ended is not None:
        raise InputError(
            expected=f"a whole file {done.source}",
            got=f"one that is damaged or cut off in line {done.ended:,}",
            remedy=f"{out} holds the audit of the lines before it; for the rest, fetch the file again and audit it anew",
        )


def _duration(seconds: float) -> str:
    """Seconds as a reader says them.

    Examples
    --------
    >>> _duration(42), _duration(200), _duration(9000)
    ('42 s', '3 min', '2.5 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _notice(text: str) -> None:
    typer.echo(f"moralscope: {text}", err=True)
