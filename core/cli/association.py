"""Commands on word associations and on poles: ``weat``, ``verbs``, ``correlate``, ``poles``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from core.association import lexicon, records, scatter, sets
from core.association import verbs as extraction
from core.association import weat as word_tests
from core.cli import shared
from core.cli.shared import EncoderOption, JsonOption
from core.encoders import catalog
from core.encoders.cache import CachedEncoder
from core.moral import poles as pole_scores
from core.moral.compass import REFERENCE_FOLDER
from core.moral.templates import parse

PUBLISHED = "published"
"""Stands for the printed values where an encoder could stand."""

CoordinateHelp = f"{PUBLISHED}, {shared.EncoderHelp}."


def weat(
    test: Annotated[str | None, typer.Option("--test", help="1 to 10, or the start of a title (flowers).")] = None,
    x: Annotated[str | None, typer.Option("--x", help="File with the target words X.")] = None,
    y: Annotated[str | None, typer.Option("--y", help="File with the target words Y.")] = None,
    a: Annotated[str | None, typer.Option("--a", help="File with the attribute words A.")] = None,
    b: Annotated[str | None, typer.Option("--b", help="File with the attribute words B.")] = None,
    ddof: Annotated[int, typer.Option("--ddof", min=0, max=1, help="0: population, 1: sample deviation.")] = 0,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run one of the ten tests of Caliskan et al. (--test), or one on own word sets (--x --y --a --b)."""
    if test is not None and not any((x, y, a, b)):
        chosen = sets.find(test)
    elif test is None and x and y and a and b:
        chosen = sets.check(sets.WordTest(sets.OWN, _word_set(x), _word_set(y), _word_set(a), _word_set(b)))
    else:
        raise typer.BadParameter("give either --test or all of --x, --y, --a and --b")

    def run(loaded: CachedEncoder) -> word_tests.Outcome:
        _keep(loaded, lexicon.noise_words())
        shared.name_unknown(loaded, [word for words in chosen.sets for word in words.words], left_out=True)
        return word_tests.run(loaded, chosen, vocabulary=loaded.vocabulary, ddof=ddof)

    with shared.for_each(encoder, run) as outcomes:
        if as_json:
            shared.print_json(shared.by_encoder({name: records.weat_record(found) for name, found in outcomes.items()}))
            return
        for name, outcome in outcomes.items():
            _print_weat(name, outcome)


def verbs(
    top: Annotated[int, typer.Option("--top", min=1, help="Verbs of either list.")] = extraction.TOP,
    vocabulary: Annotated[
        str | None,
        typer.Option("--vocabulary", help="A text file; the first word of each line counts. Default: frequent verbs."),
    ] = None,
    positive: Annotated[str | None, typer.Option("--positive", help="File with own positive words.")] = None,
    negative: Annotated[str | None, typer.Option("--negative", help="File with own negative words.")] = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Extract the verbs of a vocabulary that go most with positive and with negative words."""
    good, bad = sets.general()
    good, bad = _word_set(positive) if positive else good, _word_set(negative) if negative else bad
    sets.disjoint(good, bad)
    words = _verbs_in(vocabulary) if vocabulary else lexicon.frequent_verbs()

    def extract(loaded: CachedEncoder) -> dict[str, Any]:
        known = _keep(loaded, words)
        if len(known) < len(words):
            _notice(f"{loaded.name}: {len(words) - len(known):,} of {len(words):,} verbs have no vector")
        return records.verbs_record(extraction.extract(loaded, words, good, bad, top=top))

    with shared.for_each(encoder, extract) as documents:
        if as_json:
            shared.print_json(shared.by_encoder(documents))
            return
        for name, record in documents.items():
            _print_verbs(name, record)


def correlate(
    weat_by: Annotated[str, typer.Option("--weat", help=f"Word associations: {CoordinateHelp}")] = PUBLISHED,
    bias_by: Annotated[str | None, typer.Option("--bias", help=f"Moral scores: {CoordinateHelp}")] = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Correlate word association and moral bias of the published 50 Dos and 50 Don'ts; --encoder is --bias, repeated."""
    printed = scatter.published_points()
    scored_by = dict.fromkeys([*([bias_by] if bias_by else ()), *(encoder or ())] or [catalog.default()])
    encoders = {name: shared.load(name) for name in dict.fromkeys((weat_by, *scored_by)) if name != PUBLISHED}
    for loaded in encoders.values():
        shared.name_unknown(loaded, printed.verbs, left_out=True)
    found = {
        name: scatter.between(printed.verbs, printed.sides, weat_by=encoders.get(weat_by), bias_by=encoders.get(name))
        for name in scored_by
    }
    if as_json:
        shared.print_json(shared.by_encoder({name: records.scatter_record(item) for name, item in found.items()}))
        return
    for name, r in ((name, item.correlation) for name, item in found.items()):
        typer.echo(f"{name}: r = {r.r:.3f}, 95 % interval [{r.low:.3f}, {r.high:.3f}], p = {r.p:.2g}, n = {r.n}")


def poles(
    templates: Annotated[
        str | None,
        typer.Option("--templates", help="File of “question with {} | one pole | other pole” lines. Default: she, he."),
    ] = None,
    words: Annotated[
        str | None,
        typer.Option(
            "--words", help="File of words; of a .csv the column “word”, else the first. Default: occupations."
        ),
    ] = None,
    as_printed: Annotated[bool, typer.Option("--as-printed", help="Do not choose between a and an.")] = False,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Place words between any two poles by question and answer, as occupations between she and he."""
    asked = parse(shared.read_text(templates)) if templates else None
    chosen = _word_set(words, limit=pole_scores.MAX_WORDS).words if words else pole_scores.occupations()

    def place(loaded: CachedEncoder) -> list[dict[str, Any]]:
        shared.name_unknown(loaded, chosen)
        return records.pole_records(pole_scores.score(loaded, chosen, asked, as_printed=as_printed))

    with shared.for_each(encoder, place) as found:
        if as_json:
            shared.print_json(shared.one_or_list([{"encoder": name, "scores": rows} for name, rows in found.items()]))
            return
        for name, rows in found.items():
            typer.echo(name)
            width = max(len(row["word"]) for row in rows) + 2
            for row in rows:
                ends = (
                    f"[{row['interval'][0]:+.3f}, {row['interval'][1]:+.3f}]"
                    if row["interval"]
                    else "too few templates"
                )
                typer.echo(f"{row['word']:<{width}}{row['bias']:>+8.3f}  {ends}")


def _keep(encoder: CachedEncoder, words: tuple[str, ...]) -> tuple[str, ...]:
    """Embed those words of a vocabulary that the encoder knows, or take them from the last time; returns them."""
    known = encoder.known(words)
    encoder.encode_kept(known, catalog.default_cache_dir() / REFERENCE_FOLDER)
    return known


def _word_set(file: str, *, limit: int = sets.MAX_WORDS) -> sets.WordSet:
    text, name = shared.read_text(file), Path(file).stem
    found = sets.parse(sets.first_column(text) if file.lower().endswith(".csv") else text, name, limit=limit)
    if found.repeated:
        _notice(f"{name}: repeated and kept once: {', '.join(found.repeated)}")
    return found


def _verbs_in(file: str) -> tuple[str, ...]:
    found = lexicon.verbs(lexicon.listed(shared.read_text(file)))
    left_out = f"{len(found.merged):,} further forms of them and {len(found.others):,} other words left out"
    _notice(f"{len(found.lemmas):,} verbs; {left_out}")
    return found.lemmas


def _notice(text: str) -> None:
    typer.echo(f"moralscope: {text}", err=True)


def _print_weat(name: str, outcome: word_tests.Outcome) -> None:
    result, found, band = outcome.weat, outcome.weat.significance, outcome.null_band
    typer.echo(f"{name}: {outcome.test.title}")
    kind = "population" if result.ddof == 0 else "sample"
    typer.echo(f"d = {result.effect:+.3f} ({kind} deviation), S = {result.statistic:+.3f}")
    if found:
        counted = f"{'all' if found.exact else 'random'} {found.partitions:,} partitions"
        typer.echo(f"p = {found.one_sided:.2g} one-sided, {found.two_sided:.2g} two-sided ({counted})")
    else:
        typer.echo(f"no p: fewer than {word_tests.MIN_SIDE} words a side")
    if band:
        typer.echo(f"random words as frequent as these: d from {band[0]:+.2f} to {band[1]:+.2f} in 95 % of draws")
    else:
        typer.echo("no noise band: the vocabulary holds too few words as frequent as these")
    typer.echo("Compare d only with tests by the same encoder.")


def _print_verbs(name: str, record: dict[str, Any]) -> None:
    typer.echo(name)
    for side, title in (("dos", "Dos"), ("donts", "Don'ts")):
        typer.echo(f"{title}: " + ", ".join(f"{row['verb']} {row['weat']:+.3f}" for row in record[side]))
    dos, donts = record["afinn"]["all"]["dos"], record["afinn"]["all"]["donts"]
    typer.echo(
        f"AFINN: Dos {dos['mean']:+.2f} (sd {dos['sd']:.2f}), Don'ts {donts['mean']:+.2f} (sd {donts['sd']:.2f})"
    )
    shared = record["overlap"]
    typer.echo(f"Also published: {', '.join((*shared['dos'], *shared['donts'])) or 'none'}")
