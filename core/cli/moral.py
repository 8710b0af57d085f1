"""Commands on phrases: ``score``, ``axis`` and ``survey``."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from core import datasets, records
from core.cli import shared
from core.cli.shared import CsvOption, EncoderOption, JsonOption
from core.encoders import catalog
from core.encoders.cache import CachedEncoder
from core.errors import InputError
from core.moral import compass as compasses
from core.moral import seeds as seed_lists
from core.moral import study as studies
from core.moral import survey as surveys
from core.moral.compass import Compass
from core.text import PhraseList, parse_lines

MAX_LINES = 100_000
"""Most phrases of one call. Ours: about an hour and a half of work for the bundled encoder."""

PART = 500
"""Phrases scored at a time, so that memory does not grow with the list."""


class Which(StrEnum):
    """The authors' surveys by name."""

    REGIONAL = "regional"
    AMT = "amt"


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

    def scores(loaded: CachedEncoder) -> tuple[Compass, list[dict[str, Any]]]:
        shared.name_unknown(loaded, phrases.texts)
        compass = compasses.calibrate(loaded, cache_dir)
        parts = [phrases.texts[start : start + PART] for start in range(0, len(phrases.texts), PART)]
        scored = [records.score_records(compass, compasses.score(loaded, compass, part)) for part in parts]
        return compass, [record for part in scored for record in part]

    with shared.for_each(encoder, scores) as results:
        if as_json:
            documents = [
                {"encoder": records.encoder_record(compass.encoder_name, compass.provenance), "scores": scores}
                for compass, scores in results.values()
            ]
            shared.print_json(shared.one_or_list(documents))
        else:
            rows = [
                records.flat(compass.encoder_name, record) for compass, scores in results.values() for record in scores
            ]
            shared.print_csv(rows) if as_csv else _print_score_table(rows)


def axis(
    phrases: Annotated[list[str] | None, typer.Argument(metavar="PHRASE…", help="Phrases to place.")] = None,
    encoder: EncoderOption = None,
    seeds: Annotated[
        str | None, typer.Option("--seeds", help="A file of own seeds, “action, do|dont or nothing” per line.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Fit the moral axis: variance explained against random vectors, stability, seeds, and phrases on it."""
    chosen = seed_lists.parse(shared.read_text(seeds)) if seeds is not None else seed_lists.published()
    texts = _phrases(phrases, None).texts if phrases else ()

    def fit(loaded: CachedEncoder) -> dict[str, Any]:
        shared.name_unknown(loaded, chosen.actions, left_out=True)
        shared.name_unknown(loaded, texts)
        made = studies.study(loaded, chosen)
        vectors = studies.vectors(loaded, made, texts) if texts else None
        return records.axis_record(made, texts, vectors)

    with shared.for_each(encoder, fit) as documents:
        if as_json:
            shared.print_json(shared.one_or_list(list(documents.values())))
        else:
            for document in documents.values():
                _print_axis(document)


def survey(
    file: Annotated[
        str | None,
        typer.Argument(metavar="FILE", help="CSV with columns action, yes, no; default: the MoRT survey."),
    ] = None,
    which: Annotated[
        Which, typer.Option("--which", help="Of the MoRT surveys: one region, or crowd workers (AMT).")
    ] = Which.REGIONAL,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare scores with what people say: r of the bias and of the axis with the share of Yes."""
    path = file or str(datasets.require(surveys.SURVEYS[which.value], datasets.default_directory()))
    votes = surveys.read(shared.read_bytes(path))

    def agree(loaded: CachedEncoder) -> dict[str, Any]:
        shared.name_unknown(loaded, votes.actions, left_out=True)
        found = studies.people(loaded, studies.study(loaded, seed_lists.published()), votes)
        return {
            "n": len(found.survey.actions),
            "mcm": records.correlation(found.mcm),
            "axis": records.correlation(found.axis),
        }

    with shared.for_each(encoder, agree) as documents:
        if as_json:
            shared.print_json(shared.by_encoder(documents))
            return
        for name, document in documents.items():
            typer.echo(f"{name}: agreement with people on {document['n']} actions (Pearson r, 95 % interval)")
            for key, title in (("mcm", "moral bias"), ("axis", "moral axis")):
                low, high = document[key]["interval"]
                typer.echo(f"  {title}: {document[key]['r']:+.3f} [{low:+.3f}, {high:+.3f}]")


def _phrases(actions: Sequence[str], file: str | None) -> PhraseList:
    text = "\n".join(actions)
    if file is not None:
        text = f"{text}\n{shared.read_text(file)}" if text else shared.read_text(file)
    phrases = parse_lines(text, most=MAX_LINES)
    if not phrases.phrases:
        raise InputError(
            expected="at least one phrase", got="none", remedy='name one, as in: score "kill time", or use --file'
        )
    if phrases.blank:
        typer.echo(f"moralscope: {phrases.blank} blank line(s) ignored", err=True)
    if phrases.duplicates:
        typer.echo(f"moralscope: repeated and kept once: {', '.join(phrases.duplicates)}", err=True)
    return phrases


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


def _print_axis(document: dict[str, Any]) -> None:
    name, explained = document["encoder"]["name"], document["variance_explained"]
    stability = document["stability"]
    typer.echo(
        f"{name}: first component {explained[0]:.1%} of the variance, random line {document['random_line'][0]:.1%}; "
        f"|cos| with the axis without one seed at least {min(stability['without_seed'].values()):.3f}"
    )
    if explained[0] <= document["random_line"][0]:
        typer.echo(
            "  No axis: random vectors reach as much. A position on it would mean nothing; --json has the numbers."
        )
        return
    for title in ("seeds", "phrases"):
        for row in sorted(document[title], key=lambda found: -found["position"]):
            low, high = row["interval"]
            typed = "" if title == "seeds" else "  (typed)"
            typer.echo(f"  {row['position']:+.3f}  [{low:+.3f}, {high:+.3f}]  {row['action']}{typed}")
