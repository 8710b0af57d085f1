"""How far the classifiers agree with people, and what the paper printed beside what the release gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from components import encoder_picker, notices, readings, resources, state, uploads
from components.exhibit import Exhibit, Panel, show
from components.figures import dots
from components.knowledge.labelled import Labelled
from core import datasets
from core.errors import MoralscopeError
from core.knowledge import reliability
from core.knowledge.figures import printed_beside_recomputed
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


def _cards(rated: Ratings, classifiers: Sequence[str]) -> dict[str, Reliability]:
    found = {}
    for name in classifiers:
        labels, known = resources.rated_labels(rated, name, encoder_picker.chosen()[0])
        if known.any():
            found[name] = reliability.compare(labels[known], rated.labels[known])
    return found


def view(found: Sequence[Labelled], made_with: str, limit: str, link: Mapping[str, Any]) -> None:
    """Draw the agreement of every classifier with people, and the printed figures beside the recomputed ones."""
    st.header("How far to trust the classifiers")
    st.caption(
        "People rated statements as prejudice, neutral or favoritism; here every single rating counts, as in the paper (Tables "
        "2 and 3). Most statements are neutral: a classifier must be seen against always saying “neutral”. Kappa is agreement "
        "beyond chance; precision: how many of those it calls so are; recall: how many that are so it finds."
    )
    rated = _rated()
    if rated is not None:
        cards = _cards(rated, list(dict.fromkeys(name for item in found for name in item.labels)))
        if cards:
            _draw(cards, rated, made_with, link)
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


def _draw(cards: Mapping[str, Reliability], rated: Ratings, made_with: str, link: Mapping[str, Any]) -> None:
    rows = [row for name, card in cards.items() for row in _rows(name, card)]
    baseline = next(iter(cards.values())).always_neutral
    names = [*cards, "always “neutral”"]
    agreed = f"{int(rated.items.max()) + 1:,} sentences, {len(rated):,} ratings"
    if (kappa := rated.fleiss()) is not None:
        agreed += f"; agreement of the raters among themselves: Fleiss' κ = {kappa:.2f}"
    st.text(f"{agreed}. {readings.reliability(cards)}")
    values = [card.accuracy for card in cards.values()]
    show(
        Exhibit(
            key="reliability",
            title="Agreement with people",
            panels=[
                Panel(
                    "Agreement",
                    dots.figure(
                        names,
                        100 * np.array([*values, baseline]),
                        low=100 * np.array([*(card.interval[0] for card in cards.values()), baseline]),
                        high=100 * np.array([*(card.interval[1] for card in cards.values()), baseline]),
                        x_title="ratings that agree, % (95 % Wilson interval)",
                    ),
                    readings.reliability(cards),
                )
            ],
            rows=rows,
            limit=readings.RELIABILITY_LIMIT,
            made_with=made_with,
            link=link,
        )
    )
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={
            name: st.column_config.NumberColumn(name.replace("_", " "), format="%.3f")
            for name in rows[0]
            if name not in ("classifier", "class", "n")
        },
        alt="Precision, recall and F1 of each classifier per class",
    )


def _rows(name: str, card: Reliability) -> list[dict[str, Any]]:
    return [
        {
            "classifier": name,
            "n": card.n,
            "agreement": card.accuracy,
            "always_neutral": card.always_neutral,
            "kappa": card.kappa,
            "macro_f1": card.macro_f1,
            "class": NAMES[label],
            "precision": quality.precision,
            "recall": quality.recall,
            "f1": quality.f1,
        }
        for label, quality in card.classes.items()
    ]
