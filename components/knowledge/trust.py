"""How far the classifiers agree with people, and what the paper printed beside what the release gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import models, notices, readings, resources, state, uploads
from components.exhibit import Exhibit, Panel, show
from components.figures import dots
from components.knowledge import picker
from components.knowledge.jobs import Job
from components.knowledge.labelled import Labelled
from core import datasets
from core.errors import MoralscopeError
from core.knowledge import reliability
from core.knowledge.figures import printed_beside_recomputed
from core.knowledge.polarity import catalog
from core.knowledge.polarity.protocol import NAMES
from core.knowledge.reliability import Ratings, Reliability

RATINGS = "mturk_labels/ConceptNet"
"""Folder of the released ratings of people, within the data set commonsense-bias."""


def ratings() -> Ratings | None:
    """The released ratings, where they are here."""
    folder = datasets.locate("commonsense-bias", datasets.default_directory()) / RATINGS
    return resources.ratings(str(folder)) if (folder / "sentences").is_file() else None


def note(classifiers: Sequence[str]) -> str:
    """One line on the classifiers' agreement with people, for below every figure."""
    rated = ratings()
    if rated is None:
        return readings.PRINTED_RELIABILITY
    cards = _cards(rated, classifiers)
    return readings.reliability(cards) if cards else readings.PRINTED_RELIABILITY


def _waits(rated: Ratings, name: str) -> bool:
    return picker.is_slow(name) and not resources.has_rated(rated, models.opens(name))


def _cards(rated: Ratings, classifiers: Sequence[str], *, at_once: bool = False) -> dict[str, Reliability]:
    """The agreement of every classifier that has labelled these ratings or is quick; of all `at_once`."""
    found = {
        name: resources.agreement(rated, models.opens(name))
        for name in classifiers
        if at_once or not _waits(rated, name)
    }
    return {name: card for name, card in found.items() if card is not None}


def jobs(classifiers: Sequence[str]) -> list[Job]:
    """The labels of rated sentences that are slow to make and not made yet."""
    rated = ratings()
    return [
        Job(
            f"Labels by {name} of sentences that people rated",
            partial(resources.rated_labels, rated, models.opens(name)),
            models.starts(name),
        )
        for name in classifiers
        if rated is not None and _waits(rated, name)
    ]


def card(classifiers: Sequence[str]) -> None:
    """Draw how far classifiers agree with people, for beside a figure; without any, what limits a number of statements."""
    if not classifiers:
        st.caption(MATCHING)
        return
    rated = ratings()
    if rated is None:
        title, rows = _printed(classifiers)
    else:
        cards = _cards(rated, classifiers)
        kappa = rated.fleiss()
        title = f"How far to trust the labels: against {len(rated):,} ratings of ConceptNet statements by people" + (
            f", whose agreement among themselves is Fleiss' κ = {kappa:.2f}" if kappa is not None else ""
        )
        rows = [
            {"labels by": name, "agree, %": "not compared yet"} if _waits(rated, name) else _line(name, cards.get(name))
            for name in classifiers
        ]
        always = reliability.compare(np.zeros_like(rated.labels), rated.labels, rated.items)
        rows.append({"labels by": "always “neutral”", "agree, %": _agrees(always)})
    st.caption(
        f"{title}. P: precision, how many of those it calls so are; R: recall, how many that are so it finds; F1: their harmonic mean. View trust has the intervals."
    )
    st.dataframe(
        pd.DataFrame(rows).fillna("–"),
        hide_index=True,
        alt=f"{title}: agreement, precision, recall and F1 of each classifier",
    )


MATCHING = (
    "No classifier takes part here. What limits this number is how statements find their target: by the name as a whole word or "
    "term, so that other meanings of the word count and statements that use another name do not."
)

SIDES = {-1: "negative", 1: "positive"}


def _line(name: str, found: Reliability | None) -> dict[str, str]:
    if found is None:
        return {"labels by": name, "agree, %": "not rated"}
    return {
        "labels by": name,
        "agree, %": _agrees(found),
        **{
            f"{side}: P / R / F1": " / ".join(
                "–" if value is None else f"{value:.2f}"
                for value in (found.classes[label].precision, found.classes[label].recall, found.classes[label].f1)
            )
            for label, side in SIDES.items()
        },
        "macro-F1": f"{found.macro_f1:.2f}",
        "κ with people": "–" if found.kappa is None else f"{found.kappa:.2f}",
    }


def _agrees(found: Reliability) -> str:
    low, high = found.interval
    return f"{100 * found.accuracy:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def _printed(classifiers: Sequence[str]) -> tuple[str, list[dict[str, str]]]:
    """What the paper prints of the two classifiers that it has."""
    printed = {figure.figure: figure.printed for figure in printed_beside_recomputed()}
    rows = []
    for name in classifiers:
        kind = catalog.kind(name)
        if f"agreement_conceptnet_{kind}" not in printed:
            rows.append({"labels by": name, "agree, %": "not rated"})
            continue
        rows.append(
            {"labels by": f"{kind} of the paper", "agree, %": printed[f"agreement_conceptnet_{kind}"].rstrip("%")}
            | {
                f"{side}: P / R / F1": " / ".join(
                    printed[f"conceptnet_{kind}_{theirs}_{what}"] for what in ("precision", "recall", "f1")
                )
                for side, theirs in (("negative", "prejudice"), ("positive", "favoritism"))
            }
        )
    rows.append({"labels by": "always “neutral”", "agree, %": "about 81"})
    return (
        "How far to trust the labels: as the paper prints it for ConceptNet, where people's agreement among themselves is "
        f"Fleiss' κ = {float(printed['kappa_conceptnet']):.2f} (the released ratings are not here: page Data)",
        rows,
    )


def view(found: Sequence[Labelled], made_with: str, limit: str, link: Mapping[str, Any]) -> None:
    """Draw the agreement of every classifier with people, and the printed figures beside the recomputed ones."""
    st.header("How far to trust the classifiers")
    st.caption(
        "People rated statements as prejudice, neutral or favoritism; here every single rating counts, as in the paper (Tables "
        "2 and 3). Most statements are neutral: a classifier must be seen against always saying “neutral”. Kappa is agreement "
        "beyond chance; precision: how many of those it calls so are; recall: how many that are so it finds."
    )
    rated, cards, by = _rated(), {}, ""
    if rated is not None:
        classifiers = list(dict.fromkeys(name for item in found for name in item.labels))
        cards = _cards(rated, classifiers, at_once=rated is not ratings())
        if cards:
            by = _draw(cards, rated, made_with, link)
    st.subheader("What the paper prints, and what its released data gives")
    st.caption(
        "Recomputed from the released files. Where the files do not say how a figure was made (masking, words of a relation), "
        "the way nearest to the printed figure was kept: these rows show that it can be reached, not that it was made so."
    )
    st.dataframe(
        [
            {
                "where": figure.where,
                "what": figure.what,
                "printed": figure.printed,
                "recomputed": figure.recomputed,
                "unit": figure.unit,
                "note": figure.note,
            }
            for figure in printed_beside_recomputed()
        ],
        hide_index=True,
        alt="Figures of Mehrabi et al. 2021 as printed and as recomputed",
    )
    if rated is not None and cards:
        _differing(rated, list(cards), by)


def _rated() -> Ratings | None:
    sent = uploads.table(
        "Ratings of your own (“label TAB text”, label −1, 0 or 1)",
        key=state.OWN_RATINGS,
        help_text="UTF-8, a line each.",
    )
    if sent is not None:
        try:
            return reliability.read_lines(uploads.text(sent))
        except MoralscopeError as error:
            notices.show_error(error)
            return None
    rated = ratings()
    if rated is None:
        st.info("The released ratings are not here; the paper prints the agreement below.", icon=":material/download:")
        st.text(readings.PRINTED_RELIABILITY)
        st.page_link("../pages/data.py", label="Go to the data", icon=":material/download:")
    return rated


def _differing(rated: Ratings, names: Sequence[str], by: str) -> None:
    """The rated sentences on which a classifier, or always saying neutral, differs from people."""
    st.header("Statements", anchor="statements")
    labels = {name: resources.rated_labels(rated, models.opens(name))[0] for name in names}
    own = labels.get(by, np.zeros(len(rated), dtype=np.int8))
    differ = (own != rated.labels) & (own != resources.NO_LABEL)
    st.text(f"{int(differ.sum()):,} ratings that differ from {by}")
    st.dataframe(
        pd.DataFrame(
            {
                "sentence": [text for text, differs in zip(rated.texts, differ, strict=True) if differs],
                "people": [NAMES[int(label)] for label in rated.labels[differ]],
                **{name: [NAMES.get(int(label), "–") for label in found[differ]] for name, found in labels.items()},
            }
        ),
        hide_index=True,
        alt=f"Rated sentences whose ratings differ from {by}",
    )


def _draw(cards: Mapping[str, Reliability], rated: Ratings, made_with: str, link: Mapping[str, Any]) -> str:
    """Draw the agreement and its numbers; returns what was clicked, or the first classifier."""
    rows = [row for name, card in cards.items() for row in _rows(name, card)]
    first = next(iter(cards.values()))
    baseline, (low, high) = first.always_neutral, first.interval_always_neutral
    names = [*cards, "always “neutral”"]
    agreed = f"{int(rated.items.max()) + 1:,} sentences, {len(rated):,} ratings"
    if (kappa := rated.fleiss()) is not None:
        agreed += f"; agreement of the raters among themselves: Fleiss' κ = {kappa:.2f}"
    st.text(f"{agreed}. {readings.reliability(cards)}")
    values = [card.accuracy for card in cards.values()]
    clicked = show(
        Exhibit(
            key="reliability",
            title="Agreement with people",
            panels=[
                Panel(
                    "Agreement",
                    dots.figure(
                        names,
                        100 * np.array([*values, baseline]),
                        low=100 * np.array([*(card.interval[0] for card in cards.values()), low]),
                        high=100 * np.array([*(card.interval[1] for card in cards.values()), high]),
                        x_title="ratings that agree, %<br>(with 95 % interval)",
                        keys=names,
                    ),
                    readings.reliability(cards),
                )
            ],
            rows=rows,
            limit=readings.RELIABILITY_LIMIT,
            made_with=made_with,
            link=link,
            selectable=True,
        )
    )
    st.caption(
        "Click a point: the sentences on which it and people differ stand [at the end of the page](#statements)."
    )
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "classifier": row["classifier"],
                    "class": row["class"],
                    "given": row["given"],
                    "by people": row["by_people"],
                    **{
                        title: _with_interval(row, name)
                        for name, title in (("precision", "precision"), ("recall", "recall"), ("f1", "F1"))
                    },
                    "κ": _with_interval(row, "kappa"),
                    "macro-F1": _with_interval(row, "macro_f1"),
                }
                for row in rows
            ]
        ),
        hide_index=True,
        alt="Precision, recall and F1 of each classifier per class, with 95 % intervals",
    )
    st.caption(
        "95 % intervals: by bootstrap over the rated sentences, as ratings of one sentence go together; where each has one rating, "
        "Wilson's of agreement, precision and recall. "
        "Given: how often the classifier says so; by people: how often people do."
    )
    return clicked[0] if clicked else names[0]


def _ends(name: str, interval: tuple[float, float] | None) -> dict[str, float | None]:
    low, high = interval or (None, None)
    return {f"{name}_low": low, f"{name}_high": high}


def _with_interval(row: Mapping[str, Any], name: str) -> str:
    if row[name] is None:
        return "–"
    return f"{row[name]:.2f} ({row[f'{name}_low']:.2f} to {row[f'{name}_high']:.2f})"


def _rows(name: str, card: Reliability) -> list[dict[str, Any]]:
    return [
        {
            "classifier": name,
            "n": card.n,
            "agreement": card.accuracy,
            **_ends("agreement", card.interval),
            "always_neutral": card.always_neutral,
            **_ends("always_neutral", card.interval_always_neutral),
            "kappa": card.kappa,
            **_ends("kappa", card.interval_kappa),
            "macro_f1": card.macro_f1,
            **_ends("macro_f1", card.interval_macro_f1),
            "class": NAMES[label],
            "given": quality.given,
            "by_people": quality.true,
            "precision": quality.precision,
            **_ends("precision", quality.interval_precision),
            "recall": quality.recall,
            **_ends("recall", quality.interval_recall),
            "f1": quality.f1,
            **_ends("f1", quality.interval_f1),
        }
        for label, quality in card.classes.items()
    ]
