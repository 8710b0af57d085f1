"""The command on classifiers: ``polarity`` compares one with ratings by people."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from core.cli import shared
from core.cli.knowledge import RegardOption
from core.cli.shared import JsonOption
from core.knowledge import reliability
from core.knowledge.masking import mentions
from core.knowledge.polarity.catalog import NAMES, on_encoders, open_classifier
from core.knowledge.polarity.protocol import NAMES as LABELS
from core.knowledge.reliability import Ratings, Reliability


def polarity(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Lines of label (-1, 0, 1), tab, text, taken as they are; - reads stdin. Or a folder of the release's "
            "ratings (sentences beside mturk_labels), in which targets are masked.",
        ),
    ],
    classifier: Annotated[
        list[str] | None,
        typer.Option("--classifier", help=f"{', '.join(NAMES)} or a model; may be repeated. Default: all three."),
    ] = None,
    encoder: RegardOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare a classifier with ratings by people: accuracy, precision, recall, F1, kappa, and "always neutral"."""
    folder = Path(file).is_dir()
    ratings = (
        reliability.read_folder(Path(file)) if folder else reliability.read_lines(shared.read_text(file), name=file)
    )
    documents = []
    for name in on_encoders(classifier or NAMES, encoder or ()):
        opened = open_classifier(name)
        found = reliability.rate(opened, ratings, prepare=mentions().mask if folder else str)
        documents.append({"classifier": name, "identity": opened.identity, **reliability_record(found, ratings)})
    if as_json:
        shared.print_json(shared.one_or_list(documents))
        return
    for document in documents:
        _print(document)
    typer.echo(
        f"always neutral: {_number(documents[0], 'always_neutral')} of {len(ratings):,} ratings; in brackets: 95 % intervals"
    )


def reliability_record(found: Reliability, ratings: Ratings) -> dict[str, Any]:
    """The numbers as JSON has them."""
    return {
        "n": found.n,
        "accuracy": found.accuracy,
        "macro_f1": found.macro_f1,
        "kappa": found.kappa,
        "always_neutral": found.always_neutral,
        "fleiss_kappa": ratings.fleiss(),
        "classes": {LABELS[kind]: asdict(quality) for kind, quality in found.classes.items()},
        "interval_accuracy": found.interval,
        "interval_always_neutral": found.interval_always_neutral,
        "interval_macro_f1": found.interval_macro_f1,
        "interval_kappa": found.interval_kappa,
    }


def _print(document: dict[str, Any]) -> None:
    typer.echo(
        f"{document['classifier']}: accuracy {_number(document, 'accuracy')}, macro-F1 {_number(document, 'macro_f1')}, "
        f"kappa {_number(document, 'kappa')}"
    )
    for title, quality in document["classes"].items():
        typer.echo(
            f"  {title:<9} precision {_number(quality, 'precision')}  recall {_number(quality, 'recall')}  "
            f"F1 {_number(quality, 'f1')}  ({quality['given']:,} given, {quality['true']:,} by people)"
        )


def _number(record: dict[str, Any], name: str) -> str:
    value, interval = record[name], record[f"interval_{name}"]
    return f"{'–':^20}" if value is None else f"{value:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]"
