"""Word embedding association tests: the ten published ones, and a reader's own word sets."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from components import encoder_picker, inputs, list_cards, notices, readings, resources, state, uploads
from components.exhibit import Exhibit, Panel, show
from components.figures import dots, effects
from core.association import lexicon, records, sets, weat
from core.association.sets import WordTest
from core.association.weat import Outcome
from core.errors import InputError

OWN = "own word sets"
COLUMNS = {
    "encoder": "encoder",
    "test": "test",
    "n": "n",
    "d": "d",
    "null_low": "noise from",
    "null_high": "noise to",
    "p_one_sided": "p one-sided",
    "p": "p two-sided",
    "p_holm": "p (Holm)",
    "people_d": "d of people",
}
"""Columns of the table on the page, with their headings."""

FIELDS = (("x", "Target words X"), ("y", "Target words Y"), ("a", "Attribute words A"), ("b", "Attribute words B"))


def view() -> None:
    """Draw all tests of one page against their null bands, then one of them word by word."""
    st.caption(
        "Does one set of target words go more with one set of attribute words than another? d is the difference in "
        "standard deviations, as in Caliskan et al. (2017). Grey: the 95 % band of d for random words of the same "
        "frequency and number: inside it, d says nothing."
    )
    tests, own = list(sets.published()), None
    try:
        if own := _own():
            tests.append(own)
    except InputError as error:  # the published tests stand all the same
        notices.show_error(error)
    with notices.errors_in_words():
        found = encoder_picker.each(lambda name: _run(name, tests))
    if not any(found.values()):
        st.stop()
    found = {name: outcomes for name, outcomes in found.items() if outcomes}
    rows = [row for name, outcomes in found.items() for row in _rows(name, list(outcomes.values()))]
    show(
        Exhibit(
            key="tests",
            title="Association tests",
            panels=[
                Panel(
                    encoder_picker.title(name),
                    effects.figure(list(outcomes.values())),
                    _reading(name, list(outcomes.values())),
                    name,
                )
                for name, outcomes in found.items()
            ],
            rows=rows,
            limit=readings.WEAT_LIMIT,
            made_with=inputs.made_with(list(found)),
            link={state.ENCODERS: list(found), state.VIEW: "tests"} | _own_link(own),
        )
    )
    st.caption(
        "p: permutation test, for the stated direction (one-sided) and for either (two-sided); Holm: the two-sided p adjusted "
        "for all tests of this page, per encoder. Noise: the 95 % band of d for random words."
    )
    st.dataframe(
        pd.DataFrame(rows)[list(COLUMNS)],
        hide_index=True,
        column_config={
            "test": st.column_config.TextColumn(width="medium"),
            **{
                name: st.column_config.NumberColumn(title, format="%.2g" if name[0] == "p" else "%.2f", width="small")
                for name, title in COLUMNS.items()
                if name not in ("encoder", "test", "n")
            },
        },
        alt="Effect sizes, null bands and p values of all tests",
    )
    _detail(tests, found, _own_link(own))


def _run(name: str, tests: list[WordTest]) -> dict[str, Outcome]:
    """Every test that an encoder knows the words of, by its key; what it cannot do is said and left out."""
    encoder, found, failed = resources.remembering(name, lexicon.noise_words()), {}, {}
    for test in tests:
        try:
            found[test.key] = weat.run(encoder, test, vocabulary=encoder.vocabulary)
        except InputError as error:
            failed[test.key] = error
    if failed:
        which = f"test {', '.join(failed)}" if len(failed) == 1 else f"tests {', '.join(failed)}"
        notices.show_error(
            next(iter(failed.values())), about=f"{encoder_picker.title(name)}: left out: {which}. The first:"
        )
    return found


def _own() -> WordTest | None:
    for field, _ in FIELDS:
        state.start_with(state.own_set(field), state.from_link(state.own_set(field)) or "")
    with st.expander("Own word sets", expanded=any(state.get(state.own_set(field)) for field, _ in FIELDS)):
        st.caption(
            "Words separated by commas, semicolons or line breaks. X and Y must not share a word and be equally many; "
            "with fewer than four words a side no p is printed."
        )
        file = "A file of all four sets (CSV with the columns set and word; set is x, y, a or b)"
        sent = uploads.fresh(file, key=state.OWN_SETS, help_text="UTF-8. Its words go into the fields below.")
        if sent is not None:
            for field, words in sets.read_sets(uploads.text(sent)).items():
                state.put(state.own_set(field), ", ".join(words))
        with st.form("own_sets", border=False):
            columns = st.columns(2)
            for place, (field, label) in enumerate(FIELDS):
                columns[place % 2].text_area(label, key=state.own_set(field), height=90, persist_state="session")
            st.form_submit_button(
                "Test these sets",
                key="test_own_sets",
                on_click=state.forget_link,
                args=tuple(state.own_set(field) for field, _ in FIELDS),
            )
    typed = {field: state.get(state.own_set(field)) or "" for field, _ in FIELDS}
    if not any(text.strip() for text in typed.values()):
        return None
    x, y, a, b = (sets.parse(typed[field], label) for field, label in FIELDS)
    return sets.check(WordTest(sets.OWN, x, y, a, b))


def _own_link(own: WordTest | None) -> dict[str, str]:
    if own is None:
        return {}
    return {state.own_set(field): ", ".join(words.words) for (field, _), words in zip(FIELDS, own.sets, strict=True)}


def _rows(name: str, outcomes: list[Outcome]) -> list[dict[str, object]]:
    p = [item.weat.significance.two_sided if item.weat.significance else np.nan for item in outcomes]
    known = ~np.isnan(p)
    adjusted = np.full(len(p), np.nan)
    adjusted[known] = weat.holm(np.array(p)[known])
    return [
        {
            "encoder": name,
            "test": f"{item.test.key}: {item.test.title}",
            "n": f"{len(item.test.x.words)} + {len(item.test.y.words)}",
            "d": item.weat.effect,
            "null_low": item.null_band[0] if item.null_band else None,
            "null_high": item.null_band[1] if item.null_band else None,
            "p_one_sided": item.weat.significance.one_sided if item.weat.significance else None,
            "p": None if np.isnan(value) else float(value),
            "p_holm": None if np.isnan(holm) else float(holm),
            "exact": item.weat.significance.exact if item.weat.significance else None,
            "people_d": item.test.human.d if item.test.human else None,
            "left_out": ", ".join(item.missing),
        }
        for item, value, holm in zip(outcomes, p, adjusted, strict=True)
    ]


def _detail(tests: list[WordTest], found: dict[str, dict[str, Outcome]], own_link: dict[str, str]) -> None:
    st.subheader("One test, word by word")
    place = st.selectbox(
        "Test",
        range(len(tests)),
        index=_first(tests),
        format_func=lambda row: f"{tests[row].key}: {tests[row].title}",
        key=f"{state.TEST}_{len(tests)}",
    )
    test = tests[place]
    if test.human:
        st.text(
            f"People in the implicit association test behind it: d = {test.human.d}, p {test.human.p}, n = {test.human.n}."
        )
    outcomes = {name: known[test.key] for name, known in found.items() if test.key in known}
    if not outcomes:
        st.caption("None of these encoders knows its words.")
        return
    st.caption(_hits(outcomes))
    if test.key == sets.OWN:
        st.caption("Your own sets: " + ", ".join(f"{words.name} ({len(words.words)})" for words in test.sets) + ".")
    else:
        list_cards.show(test.key)
    panels, rows = [], []
    for name, outcome in outcomes.items():
        record = records.weat_record(outcome)
        words = record["words"]
        rows += [{"encoder": name, **word} for word in words]
        targets = sorted((word for word in words if word["set"] in "XY"), key=lambda word: -word["s"])
        panels.append(
            Panel(
                encoder_picker.title(name),
                dots.figure(
                    [f"{word['word']} ({word['set']})" for word in targets],
                    np.array([word["s"] for word in targets]),
                    x_title=f"← {test.b.name} · {test.a.name} →<br>association s(w, A, B)",
                    sides=True,
                ),
                _without(name, outcome, words),
                name,
            )
        )
    show(
        Exhibit(
            key="words",
            title="Words of one test",
            panels=panels,
            spoken=True,
            rows=rows,
            limit=readings.WEAT_LIMIT,
            made_with=inputs.made_with(list(outcomes)),
            link={state.ENCODERS: list(found), state.VIEW: "tests", state.TEST: test.key} | own_link,
            same_scale="x",
        )
    )


def _first(tests: list[WordTest]) -> int:
    """The test of a link; else a reader's own, else the first."""
    keys = [test.key for test in tests]
    linked = state.from_link(state.TEST)
    if linked in keys:
        return keys.index(linked)
    return len(keys) - 1 if keys[-1] == sets.OWN else 0


def _hits(outcomes: dict[str, Outcome]) -> str:
    """How much of each set the vocabulary of each encoder holds."""
    parts = []
    for name, outcome in outcomes.items():
        used, missing = outcome.test.sets, outcome.missing
        held = ", ".join(f"{role} {len(words.words)}" for role, words in zip("XYAB", used, strict=True))
        parts.append(f"{encoder_picker.title(name)}: {held} words, {len(missing) or 'none'} left out")
    return "In the vocabulary: " + "; ".join(parts) + ". A sentence encoder reads any word, rare ones in pieces."


def _without(name: str, outcome: Outcome, words: list[dict[str, object]]) -> str:
    low, high = float(outcome.weat.without.min()), float(outcome.weat.without.max())
    weakest = words[int(outcome.weat.without.argmin())]["word"]
    return (
        f"{encoder_picker.title(name)}: d = {readings.signed(outcome.weat.effect, 2)}; leaving out one word gives "
        f"{readings.signed(low, 2)} to {readings.signed(high, 2)} (lowest without “{weakest}”)."
    )


def _reading(name: str, outcomes: list[Outcome]) -> str:
    outside = [
        item.test.key
        for item in outcomes
        if item.null_band and not item.null_band[0] <= item.weat.effect <= item.null_band[1]
    ]
    bandless = [item.test.key for item in outcomes if item.null_band is None]
    return (
        f"{encoder_picker.title(name)}: {len(outside)} of {len(outcomes)} tests lie outside the band of random words"
        + (f" (tests {', '.join(outside)})." if outside else ".")
        + (f" No band for {', '.join(bandless)}: too few words as frequent as theirs." if bandless else "")
    )
