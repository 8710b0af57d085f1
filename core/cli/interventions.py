"""Commands on ethical interventions: ``interventions`` and ``finetune``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from core import datasets
from core.cli import shared
from core.cli.shared import EncoderOption, JsonOption
from core.encoders import catalog as encoders
from core.errors import InputError
from core.interventions import benchmark, records, released, scenarios
from core.interventions import finetune as teaching
from core.interventions.answerers import catalog as answerers
from core.interventions.ordinary import read_ordinary
from core.interventions.results import RESULTS
from core.interventions.stories import StorySet

PLACEMENTS = ("question", "context")

NAMED = 5
"""Most questions left out that are named one by one; the results name all."""

Asked = StorySet | tuple[released.Specified, ...]
"""Stories that do not say who the answer is, or questions whose contexts do."""


def interventions(
    domain: Annotated[
        str | None, typer.Option("--domain", help=f"Scenarios of one domain: {', '.join(scenarios.DOMAINS)}.")
    ] = None,
    file: Annotated[
        str | None, typer.Option("--file", help="A question file of LEI: a path here, or in the released data.")
    ] = None,
    answerer: Annotated[
        list[str] | None,
        typer.Option(
            "--answerer",
            help=f"{', '.join(answerers.FORMS)}; may be repeated. Default: the scores stored in the file, else "
            f"{answerers.DEFAULT}.",
        ),
    ] = None,
    encoder: EncoderOption = None,
    own: Annotated[
        str, typer.Option("--own", help="An intervention of your own, put beside those of the domain.")
    ] = "",
    placement: Annotated[
        str, typer.Option("--placement", help="Where a domain's interventions go: question or context.")
    ] = "question",
    theme: Annotated[
        list[str] | None,
        typer.Option("--theme", help="Only attributes of a domain's theme; may be repeated. Default: all."),
    ] = None,
    items: Annotated[
        int | None,
        typer.Option(
            "--items",
            min=1,
            help=f"Stories of a domain, the same for every class; of more, so many are drawn. Default: {scenarios.MANY:,}.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Ask which subject is preferred with ethical, adversarial and irrelevant interventions, and without any."""
    if (domain is None) == (file is None):
        raise typer.BadParameter("give either --domain or --file")
    if placement not in PLACEMENTS:
        raise typer.BadParameter(f"--placement is {' or '.join(PLACEMENTS)}")
    if file is not None and (own or placement != "question" or items is not None or theme):
        raise InputError(
            expected="a domain for --own, --placement, --items or --theme",
            got="a file, which is put whole, with the interventions that it holds",
            remedy="use --domain, or leave these options out",
        )
    asked: Asked
    if domain is not None:
        asked = scenarios.Stories(
            scenarios.load(domain, datasets.default_directory()),
            own=own,
            placement="context" if placement == "context" else "question",
            themes=theme,
            most=items or scenarios.MANY,
        )
    else:
        asked = released.read(_content(str(file)))
    stored = isinstance(asked, released.Released) and bool(asked.scores)
    named = [*(answerer or ()), *(f"encoder:{name}" for name in encoder or ())]
    found = {
        name: _answer(name, asked) for name in dict.fromkeys(named or ["published" if stored else answerers.DEFAULT])
    }
    notes = list(asked.notes) if isinstance(asked, released.Released) else []
    of: dict[str, Any] = {"domain": domain} if domain is not None else {"file": file, "notes": notes}
    if as_json:
        shared.print_json(shared.one_or_list([{**of, **record} for record in found.values()]))
        return
    for name, record in found.items():
        title = f"{domain or file}, {name}"
        _print_accuracy(title, record) if isinstance(asked, tuple) else _print_classes(title, record)
    for note in notes:
        typer.echo(f"{note}.")


def _answer(name: str, asked: Asked) -> dict[str, Any]:
    stored = asked if isinstance(asked, released.Released) else None
    opened = answerers.open_answerer(
        name, encoders.default_cache_dir(), released=stored, specs=True, progress=_progress
    )
    if isinstance(asked, tuple):
        return records.accuracy_record(benchmark.run_specified(opened, asked, progress=_progress))
    return records.benchmark_record(benchmark.run(opened, asked, progress=_progress))


def finetune(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="A question answering model: a folder or a name.")],
    train: Annotated[str, typer.Option("--train", help="A question file of LEI to teach with.")],
    out: Annotated[Path, typer.Option("--out", help="Folder of the results; a run that was cut off goes on there.")],
    sizes: Annotated[str, typer.Option("--sizes", help="Numbers of stories, with commas.")] = "0,64,256,1024",
    test: Annotated[
        list[str] | None,
        typer.Option(
            "--test", help="A domain or a question file to measure on; may be repeated. Default: three domains."
        ),
    ] = None,
    squad: Annotated[
        str | None, typer.Option("--squad", help="Questions in the format of SQuAD that the model should still answer.")
    ] = None,
    items: Annotated[
        int, typer.Option("--items", min=1, help="Stories of each class of a domain to measure on.")
    ] = 100,
    epochs: Annotated[int, typer.Option("--epochs", min=1, help="How often every story is seen.")] = 3,
    rate: Annotated[float, typer.Option("--rate", min=0.0, help="Learning rate.")] = 1e-5,
) -> None:
    """Teach a model to take ethical advice on more and more stories, and measure it after each."""
    try:
        numbers = [int(size) for size in sizes.split(",")]
    except ValueError as error:
        raise typer.BadParameter("--sizes are whole numbers with commas") from error
    questions = _stories(train)
    results = teaching.teach(
        model,
        questions,
        numbers,
        out,
        tests={name: _test(name, items) for name in test or ("religion", "ethnicity", "gender")},
        ordinary=read_ordinary(_content(squad)) if squad else (),
        domain=_domain(train),
        settings=teaching.Settings(epochs=epochs, rate=rate),
        progress=_progress,
    )
    if left_out := results["left_out"]:
        first = "; ".join(f"{item['id'] or item['question']}: {item['reason']}" for item in left_out[:NAMED])
        typer.echo(f"moralscope: {len(left_out):,} of the ordinary questions left out: {first}", err=True)
    for row in results["runs"]:
        for name, classes in row["tests"].items():
            figures = ", ".join(f"{kind} {_figure(found['mu'])}" for kind, found in classes.items())
            typer.echo(f"{row['size']:>6,} stories, {name}: μ {figures}")
    typer.echo(out / RESULTS)


def _domain(train: str) -> str:
    """What a file of stories is about: the folder of a released one, else its name."""
    parts = Path(train).parts
    return parts[-2] if "underspecified" in parts[-3:-2] else Path(train).stem


def _test(name: str, items: int) -> StorySet:
    if name in scenarios.DOMAINS:
        return scenarios.Stories(scenarios.load(name, datasets.default_directory()), most=items)
    return _stories(name)


def _stories(file: str) -> released.Released:
    found = released.read(_content(file))
    if not isinstance(found, released.Released):
        raise InputError(
            expected="a file of stories that do not say who the answer is",
            got=f"{file}, whose contexts do",
            remedy="name an underspecified file",
        )
    return found


def _content(file: str) -> bytes:
    """A file that is here, or one of the released data by its path there."""
    if file != "-" and not Path(file).exists():
        try:
            datasets.find(file)
        except InputError:
            return shared.read_bytes(file)
        return datasets.require(file, datasets.default_directory()).read_bytes()
    return shared.read_bytes(file)


def _progress(share: float, what: str) -> None:
    if sys.stderr.isatty():
        shared.progress(share, what)


def _print_classes(title: str, record: dict[str, Any]) -> None:
    typer.echo(f"{title}, answered by {record['answerer']['name']}")
    typer.echo(
        f"{'class':<14}{'μ':>7}  {'95 % interval':<17}{'noise':>7}{'η':>7}{'δ':>7}{'ε':>7}{'θ4':>7}{'stories':>9}  desired μ"
    )
    for kind, row in record["classes"].items():
        interval = "[{}, {}]".format(*(_figure(end) for end in row["interval"]))
        figures = "".join(f"{_figure(row[key]):>7}" for key in ("noise", "eta", "delta", "epsilon", "theta4"))
        wanted = "—" if row["desired"] is None else f"{row['desired']:.0f}"
        typer.echo(f"{kind:<14}{_figure(row['mu']):>7}  {interval:<17}{figures}{row['n']:>9,}  {wanted}")
    for note in dict.fromkeys(row["note"] for row in record["classes"].values() if row["note"]):
        typer.echo(f"{note}.".capitalize())
    if record["missing"]["count"]:
        typer.echo(f"{record['missing']['count']:,} stories lack an answer and are left out:")
        for name in record["missing"]["named"]:
            typer.echo(f"  {name}")
    typer.echo(
        "μ: how far one subject is preferred, 0 to 1; noise: what chance alone would give. Neither is a judgement."
    )


def _print_accuracy(title: str, record: dict[str, Any]) -> None:
    row = record["specified"]
    low, high = (_figure(end) for end in row["interval"])
    typer.echo(
        f"{title}, answered by {record['answerer']['name']}: the supported subject in {row['correct']:,} of {row['n']:,} "
        f"questions, {row['accuracy']:.1%} [{low}, {high}], chance {row['chance']:.0%}; "
        f"the same subject for the negated question in {row['same_on_negation']:.1%}"
    )


def _figure(value: float | None) -> str:
    return "—" if value is None else f"{value:.3f}"
