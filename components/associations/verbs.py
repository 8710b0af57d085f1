"""From a vocabulary to the verbs that go most with positive and with negative words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from components import encoder_picker, inputs, list_cards, notices, readings, resources, state, uploads
from components.exhibit import Exhibit, Panel, show
from components.figures import dots
from core.assets import column
from core.association import affect, lexicon, sets
from core.association import verbs as extractions
from core.association.affect import Comparison
from core.association.verbs import Extraction, Overlap
from core.errors import InputError
from core.text import clean

MOST_WORDS = 100_000
"""Most words of an own vocabulary. Ours: some seconds to find the verbs among them."""


def view() -> None:
    """Draw the extraction form and, per encoder, both lists with their check."""
    st.caption(
        "Every verb of a vocabulary is compared with general positive and negative words; the top of either end are the "
        "extracted Dos and Don'ts (Jentzsch et al. 2019, section 3.1)."
    )
    with notices.errors_in_words():
        positive, negative, top, vocabulary = _form()
        found = encoder_picker.each(lambda name: _extract(name, vocabulary, positive, negative, top))
    for name, extraction in found.items():
        _check(name, extraction)
    show(
        Exhibit(
            key="verbs",
            title="Extracted verbs",
            panels=[
                Panel(encoder_picker.title(name), _figure(extraction), _reading(name, extraction), name)
                for name, extraction in found.items()
            ],
            rows=[
                {"encoder": name, "side": side, "verb": verb, "weat": weat}
                for name, extraction in found.items()
                for side, verbs in (("do", extraction.dos), ("dont", extraction.donts))
                for verb, weat in verbs
            ],
            limit=readings.VERBS_LIMIT,
            made_with=inputs.made_with(list(found))
            + ("" if vocabulary == lexicon.frequent_verbs() else "; vocabulary of the reader's own"),
            link={state.ENCODERS: list(found), state.VIEW: "verbs", state.TOP: str(top)}
            | _own_sets(positive, negative),
            same_scale="x",
        )
    )
    list_cards.show("general", "verbs", "afinn", "lexicon", "frequencies")
    with st.expander("The published lists"):
        printed = {
            title: column("mcm_verbs.csv", "verb", side=side) for side, title in (("do", "Dos"), ("dont", "Don'ts"))
        }
        st.dataframe(printed, hide_index=True, alt="The 50 Dos and 50 Don'ts of Jentzsch et al. 2019")
    for place, (name, extraction) in enumerate(found.items()):
        st.button(
            f"Send these verbs of {name} to the scatter",
            key=f"send_verbs_{place}" if place else "send_verbs",
            on_click=_send,
            args=(extraction,),
            help="Opens the scatter with the extracted Dos and Don'ts in place of the published ones.",
        )


def _form() -> tuple[sets.WordSet, sets.WordSet, int, tuple[str, ...]]:
    good, bad = sets.general()
    for key, words in ((state.POSITIVE, good), (state.NEGATIVE, bad)):
        state.start_with(key, state.from_link(key) or ", ".join(words.words))
    with st.expander("Vocabulary and word sets"), st.form("verbs", border=False):
        top = st.number_input("Verbs in either list", 1, 500, extractions.TOP, key=state.TOP, bind="query-params")
        st.text_area("Positive words", key=state.POSITIVE, height=110, persist_state="session")
        st.text_area("Negative words", key=state.NEGATIVE, height=110, persist_state="session")
        sent = uploads.words(
            "Vocabulary of your own (text, one word per line)",
            key=state.VOCABULARY,
            help_text="Verbs are picked from it and brought to their base form. Default: the frequent English verbs.",
        )
        st.form_submit_button(
            "Extract", key="extract_verbs", on_click=state.forget_link, args=(state.POSITIVE, state.NEGATIVE)
        )
    positive, negative = (
        sets.parse(state.get(key) or "", name)
        for key, name in ((state.POSITIVE, "positive"), (state.NEGATIVE, "negative"))
    )
    sets.disjoint(positive, negative)
    return positive, negative, int(top), lexicon.frequent_verbs() if sent is None else _verbs(sent)


def _extract(
    name: str, vocabulary: tuple[str, ...], positive: sets.WordSet, negative: sets.WordSet, top: int
) -> Extraction:
    found = extractions.extract(resources.remembering(name, vocabulary), vocabulary, positive, negative, top=top)
    if len(found.verbs) < len(vocabulary):
        st.text(
            f"{encoder_picker.title(name)} has no vector for {len(vocabulary) - len(found.verbs):,} of these verbs."
        )
    return found


def _verbs(sent: str) -> tuple[str, ...]:
    words = lexicon.listed(sent)
    if len(words) > MOST_WORDS:
        raise InputError(
            expected=f"at most {MOST_WORDS:,} words in vocabulary", got=f"{len(words):,}", remedy="shorten the list"
        )
    found = lexicon.verbs(clean(word, where=f"entry {number}") for number, word in enumerate(words, start=1))
    st.caption(f"{len(found.lemmas):,} verbs.")
    for what, left_out in (("Further forms of them, left out", found.merged), ("No verbs, left out", found.others)):
        if left_out:
            st.text(f"{what}: {notices.some(left_out)}.")
    return found.lemmas


def _own_sets(*own: sets.WordSet) -> dict[str, str]:
    """Both word sets for a link, where they are a reader's own."""
    if all(typed.words == words.words for typed, words in zip(own, sets.general(), strict=True)):
        return {}
    return {key: ", ".join(words.words) for key, words in zip((state.POSITIVE, state.NEGATIVE), own, strict=True)}


def _check(name: str, extraction: Extraction) -> None:
    dos, donts = ([verb for verb, _ in side] for side in (extraction.dos, extraction.donts))
    checked, common = affect.validate(dos, donts), extractions.overlap(extraction)
    st.markdown(f"**{notices.plain(encoder_picker.title(name))}**: {len(extraction.verbs):,} verbs. {_common(common)}")
    st.text(
        "In the paper's lists too: "
        + (", ".join((*common.dos, *common.donts)) or "none")
        + (f". On the opposite side there: {', '.join(common.opposite)}." if common.opposite else ".")
    )
    rows = [("all verbs, unrated as 0", checked.all), *([("rated verbs only", checked.rated)] if checked.rated else [])]
    st.dataframe(
        pd.DataFrame([_valences(label, item) for label, item in rows]),
        hide_index=True,
        alt="Mean AFINN valence of the extracted Dos and Don'ts",
    )
    st.caption(
        "AFINN rates words from −5 to 5. The paper finds for its lists: Dos 1.12, Don'ts −0.90 (all verbs), 2.33 and −2.37 "
        "(rated verbs only)."
    )


def _common(common: Overlap) -> str:
    return (
        f"{len(common.dos)} of the {common.known_dos} published Dos that this vocabulary holds are among its Dos, "
        f"{len(common.donts)} of {common.known_donts} Don'ts among its Don'ts."
    )


def _valences(label: str, found: Comparison) -> dict[str, object]:
    return {
        "compared": label,
        "Dos": round(found.dos.mean, 2),
        "sd of Dos": round(found.dos.sd, 2),
        "n Dos": found.dos.n,
        "Don'ts": round(found.donts.mean, 2),
        "sd of Don'ts": round(found.donts.sd, 2),
        "n Don'ts": found.donts.n,
        "t": None if found.t is None else round(found.t, 2),
        "p": None if found.p is None else f"{found.p:.1e}",
    }


def _figure(extraction: Extraction) -> object:
    pairs = (*extraction.dos, *extraction.donts[::-1])
    return dots.figure(
        [verb for verb, _ in pairs],
        np.array([weat for _, weat in pairs]),
        x_title="← negative words · positive words →<br>word association (WEAT)",
        sides=True,
    )


def _reading(name: str, extraction: Extraction) -> str:
    dos, donts = ([verb for verb, _ in side[:3]] for side in (extraction.dos, extraction.donts))
    return (
        f"{encoder_picker.title(name)}: nearest to the positive words are {', '.join(dos)}, to the negative words "
        f"{', '.join(donts)}."
    )


def _send(extraction: Extraction) -> None:
    verbs = (*(verb for verb, _ in extraction.dos), *(verb for verb, _ in extraction.donts))
    state.put(state.EXTRACTED_VERBS, (verbs, ("do",) * len(extraction.dos) + ("dont",) * len(extraction.donts)))
    state.put(state.VIEW, "scatter")
