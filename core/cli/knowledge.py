"""Commands about knowledge: overgeneralization and disparity, and filtering."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from core.cli import shared
from core.cli.shared import JsonOption
from core.errors import InputError
from core.knowledge import audited, mitigation, records, sources
from core.knowledge import harms as measures
from core.knowledge.audited import Manifest
from core.knowledge.sources import dumps, own
from core.knowledge.sources.source import PUBLISHED, Report, Source

SourceArgument = Annotated[
    str,
    typer.Argument(
        metavar="SOURCE",
        help=f"{', '.join(sources.NAMES)}, encoder:NAME, model:NAME, the path of a file, or the directory of an audit.",
    ),
]
ClassifierOption = Annotated[
    list[str] | None,
    typer.Option(
        "--classifier",
        help=f"sentiment, regard (or regard:ENCODER), keywords, {PUBLISHED} or a model; may be repeated. Default: sentiment.",
    ),
]
RegardOption = Annotated[
    list[str] | None,
    typer.Option("--encoder", help=f"What regard is fitted on: {shared.EncoderHelp}; may be repeated."),
]
FormatOption = Annotated[
    str | None, typer.Option("--format", help=f"Format of a file: {', '.join(own.FORMATS)}. Default: by its name.")
]
ColumnOption = Annotated[
    list[str] | None,
    typer.Option("--column", help=f"ROLE=NAME for a column of a file; roles are {', '.join(own.ROLES)}."),
]


def harms(
    source: SourceArgument,
    classifier: ClassifierOption = None,
    encoder: RegardOption = None,
    form: FormatOption = None,
    column: ColumnOption = None,
    as_released: Annotated[
        bool, typer.Option("--as-released", help="Average over the authors' list, in which one target stands twice.")
    ] = False,
    distinct: Annotated[bool, typer.Option("--distinct", help="Count a repeated statement once.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure how polarised the statements about each target are, and how unevenly."""
    opened = _open(source, form, column)
    statements = opened.statements
    keep = ~statements.repeated if distinct else np.ones(len(statements), dtype=np.bool_)
    measured = {
        name: measures.measure(labels[keep], statements.codes[keep], statements.targets, as_released=as_released)
        for name, labels in _label(source, opened, classifier, encoder).items()
    }
    document = {
        "source": opened.name,
        "statements": int(keep.sum()),
        "targets": len(statements.targets),
        "classifiers": {name: records.harms_record(found) for name, found in measured.items()},
    }
    if as_json:
        shared.print_json(document)
    else:
        _print_harms(opened, document)


def mitigate(
    source: SourceArgument,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            help="Where to write what is left, in the source's own format; of an audit without --original, its table "
            "of statements and labels as CSV.",
        ),
    ],
    classifier: ClassifierOption = None,
    encoder: RegardOption = None,
    form: FormatOption = None,
    column: ColumnOption = None,
    original: Annotated[
        Path | None,
        typer.Option(
            "--original", help="The full dump that an audit is of, to write what is left of it in its format."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write a knowledge base without the statements that are not neutral, and say what changes and what it costs."""
    for there in (Path(source), original):
        if there and there.exists() and out.exists() and out.samefile(there):
            raise InputError(
                expected="another file for what is left", got="the source itself", remedy="name another --out"
            )
    opened = _open(source, form, column)
    if audited.is_audit(Path(source)):
        if original:
            opened = dumps.audited(opened, original, audited.read_manifest(Path(source)).identity)
        else:
            typer.echo(
                f"moralscope: {out} is a CSV table of the audit's statements and labels; for the format of the dump that was "
                "audited, name that by --original",
                err=True,
            )
    elif original:
        raise InputError(
            expected="the directory of an audit for --original", got=f"the source {source!r}", remedy="leave it out"
        )
    found = mitigation.mitigate(opened, _label(source, opened, classifier, encoder))
    mitigation.write(opened, found, out)
    document = {"source": opened.name, "out": str(out), **records.mitigation_record(found)}
    if as_json:
        shared.print_json(document)
    else:
        _print_mitigation(document)


def _open(source: str, form: str | None, column: list[str] | None) -> Source:
    only_for_files(source, form, column)
    opened = sources.open_source(source, form=form, mapping=mapping(column), progress=shared.progress)
    report = opened.report
    if report.ended is not None:
        typer.echo(f"moralscope: the source breaks off at line {report.ended:,}; this is a part of it", err=True)
    say_unusable(report)
    return opened


def say_unusable(found: Report | Manifest) -> None:
    """Say on standard error how many lines were left out, and the first of them."""
    for what, lines in (("undecodable", found.undecodable), ("malformed", found.malformed)):
        if lines.count:
            listed = ", ".join(map(str, lines.first[:5])) + (", …" if lines.count > 5 else "")
            typer.echo(f"moralscope: {lines.count:,} {what} line(s) left out: {listed}", err=True)


def only_for_files(source: str, form: str | None, column: list[str] | None) -> None:
    """Refuse options that would be ignored.

    Raises
    ------
    InputError
        ``--format`` or ``--column`` for a source that is no file.
    """
    given = [name for name, value in (("--format", form), ("--column", column)) if value]
    if given and (source in sources.NAMES or not Path(source).is_file()):
        raise InputError(
            expected=f"a file for {' and '.join(given)}",
            got=f"the source {source!r}",
            remedy=f"leave out {' and '.join(given)}, or name a file",
        )


def mapping(column: list[str] | None) -> dict[str, str] | None:
    """Column by role, as ``--column`` gives it.

    Raises
    ------
    InputError
        A role that there is not, or no name.

    Examples
    --------
    >>> mapping(["statement=text"])
    {'statement': 'text'}
    """
    pairs = [item.partition("=") for item in column or []]
    for role, sign, name in pairs:
        if role not in own.ROLES or not name:
            raise InputError(
                expected=f"--column ROLE=NAME with a role of {', '.join(own.ROLES)}",
                got=repr(role + sign + name),
                remedy="write for example --column statement=text for a column called text",
            )
    return {role: name for role, _, name in pairs} or None


def _label(
    source: str, opened: Source, classifier: list[str] | None, encoder: list[str] | None
) -> dict[str, NDArray[np.int8]]:
    """Labels of all statements by classifier; each distinct text is labelled once."""
    from core.knowledge.polarity.catalog import on_encoders, open_classifier
    from core.knowledge.polarity.protocol import classify

    wanted = on_encoders(classifier or opened.labels or ["sentiment"], encoder or ())
    if PUBLISHED in wanted and PUBLISHED not in opened.labels:
        raise InputError(
            expected="a source with published labels", got=opened.name, remedy="use the source conceptnet-regard"
        )
    absent = [name for name in wanted if name not in opened.labels]
    if absent and audited.is_audit(Path(source)):
        raise InputError(
            expected=f"a --classifier of the audit in {source}: {', '.join(opened.labels)}",
            got=repr(absent[0]),
            remedy="choose one of these, or audit the source again with this classifier into another directory",
        )
    texts = opened.statements.frame["masked"].tolist()
    return {
        name: opened.labels[name] if name in opened.labels else classify(open_classifier(name), texts)
        for name in wanted
    }


def _print_harms(opened: Source, document: dict[str, Any]) -> None:
    report = opened.report
    typer.echo(
        f"{opened.title}: {document['statements']:,} statements about {document['targets']} targets; of {report.rows:,} "
        f"records {report.without_target:,} name no target, {report.skipped:,} lead elsewhere, {report.empty:,} are empty"
    )
    typer.echo(f"{opened.credit} In brackets: 95 % intervals, – over too few targets.")
    for name, found in document["classifiers"].items():
        overall, disparity = found["overall"], found["disparity"]
        typer.echo(
            f"\n{name}: {_sure(overall, 'over_targets')} % polarised (mean over targets), "
            f"{_sure(overall, 'pooled')} % of statements"
        )
        typer.echo(
            f"  disparity: representation {_sure(disparity, 'representation', 0)}, "
            f"negative {_sure(disparity, 'negative')}, positive {_sure(disparity, 'positive')}"
        )
        for category, part in found["categories"].items():
            typer.echo(
                f"  {category:<12}{part['targets']:>4} targets{part['statements']:>9,} statements   "
                f"negative {_sure(part['negative'], 'over_targets')} %   positive {_sure(part['positive'], 'over_targets')} %"
            )
        worst = sorted(found["per_target"], key=lambda row: -row["interval_negative"][0])[:5]
        for row in worst:
            low, high = row["interval_negative"]
            typer.echo(f"  {row['target']}: {row['negative']:.1f} % negative [{low:.1f}, {high:.1f}], n = {row['n']}")


def _print_mitigation(document: dict[str, Any]) -> None:
    cost = document["cost"]
    typer.echo(
        f"{document['out']}: {cost['statements_lost']:,} of {cost['statements']:,} statements and "
        f"{cost['targets_lost']} of {cost['targets']} targets lost; in brackets: 95 % intervals"
    )
    for name, before in document["before"].items():
        sides = (before, document["after"][name])
        typer.echo(f"{name}, before → after:")
        for title, field, unit, digits in _CHANGES:
            typer.echo(f"  {title}: {' → '.join(_sure(side, field, digits) for side in sides)}{unit}")


_CHANGES = (
    ("neutral mean", "neutral_mean", " %", 2),
    ("neutral mean over targets with statements", "covered_mean", " %", 2),
    ("neutral variance", "neutral_variance", "", 2),
    ("disparity in representation", "representation", "", 0),
    ("disparity of negative", "negative", "", 2),
    ("disparity of positive", "positive", "", 2),
)


def _sure(record: dict[str, Any], field: str, digits: int = 2) -> str:
    """A number with its 95 % interval, or a dash where there is none."""
    interval = record[f"interval_{field}"]
    ends = ", ".join(f"{end:,.{digits}f}" for end in interval) if interval else "–"
    return f"{record[field]:,.{digits}f} [{ends}]"
