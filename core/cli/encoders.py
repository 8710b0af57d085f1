"""The command ``encoders``: what there is to choose from, and the health of some."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from core import datasets, records
from core.cli import shared
from core.cli.shared import JsonOption
from core.encoders import catalog, health
from core.encoders.health import Health
from core.encoders.sentence_transformer import OFFERS
from core.errors import AssetError, MoralscopeError
from core.moral import survey as surveys
from core.moral.survey import Survey
from core.statistics import Correlation


def encoders(
    check: Annotated[
        list[str] | None,
        typer.Option("--check", help=f"Examine one: {shared.EncoderHelp}; may be repeated."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the encoders of this installation, or examine some of them (--check)."""
    if check:
        _check(shared.each_encoder(check), as_json=as_json)
    elif as_json:
        shared.print_json([_row(item) for item in catalog.entries()])
    else:
        items = catalog.entries()
        width = max(len(item.name) for item in items) + 2
        for item in items:
            typer.echo(f"{item.name:<{width}}{item.title}: {item.summary}")
        typer.echo("\nFor moralscope.toml, or --encoder, after `hf download NAME`:")
        for offer in OFFERS:
            typer.echo(f"st:{offer.name} ({offer.licence}, {offer.dimension} dimensions): {offer.note}")


def _check(names: list[str], *, as_json: bool) -> None:
    survey, cache_dir = _survey(), catalog.default_cache_dir()
    cards, errors = [], []
    for name in names:
        try:
            cards.append(health.check(shared.load(name), cache_dir, survey=survey, clock=time.perf_counter))
        except MoralscopeError as error:
            errors.append({"encoder": shared.label(name), "error": str(error)})
    if as_json and cards:
        rows = [records.health_record(card) for card in cards]
        shared.print_json({"cards": rows, "errors": errors} if errors else shared.one_or_list(rows))
    elif not as_json:
        for card in cards:
            _print_card(card, surveyed=survey is not None)
    for failed in errors:
        typer.echo(f"moralscope: {failed['encoder']}: {failed['error']}", err=True)
    if errors:
        raise typer.Exit(1)


def _survey() -> Survey | None:
    """What people say, where that data is."""
    try:
        path = datasets.require(surveys.PUBLISHED, datasets.default_directory())
    except AssetError:
        return None
    return surveys.read(path.read_bytes())


def _row(item: catalog.Entry) -> dict[str, Any]:
    """What is known before loading."""
    made_by = item.provenance
    known = (
        {**records.encoder_record(item.name, made_by), "licence": made_by.licence} if made_by else {"name": item.name}
    )
    return {
        **known,
        "title": item.title,
        "summary": item.summary,
        "spec": str(item.spec),
        "sends_to": item.sends_to or None,
        "weak_for_sentences": item.weak_for_sentences,
    }


def _print_card(card: Health, *, surveyed: bool) -> None:
    made_by = card.provenance
    typer.echo(f"{card.encoder_name}: {made_by.model}, {made_by.dimension} dimensions, {made_by.runtime}")
    typer.echo(f"  {made_by.revision}, licence {made_by.licence}")
    typer.echo(f"  {made_by.note}.")
    typer.echo(f"  cos(yes, no): {card.yes_no:+.3f}")
    typer.echo(f"  phrases and their negations: {_words(card.negation)} (1: does not register negation)")
    typer.echo(f"  moral bias and published word associations: {_words(card.weat)}")
    typer.echo(f"  moral axis: {card.variance_explained:.1%} of the variance, random vectors {card.random_line:.1%}")
    if surveyed:
        typer.echo(f"  people and moral bias: {_words(card.people_bias)}")
        typer.echo(f"  people and moral axis: {_words(card.people_axis)}")
    else:
        typer.echo("  people: not measured, the survey is not here (python -m core data get mort)")
    if card.texts_per_second is not None:
        typer.echo(f"  speed: {card.texts_per_second:,.0f} questions a second")
    for concern in card.concerns:
        typer.echo(f"  ! {concern}.")


def _words(found: Correlation | None) -> str:
    return f"r = {found.r:+.3f} [{found.low:+.3f}, {found.high:+.3f}]" if found else "not measured"
