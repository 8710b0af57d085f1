"""Word association against moral bias, verb by verb."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from components import encoder_picker, inputs, list_cards, notices, readings, resources, state
from components.exhibit import Exhibit, Panel, show
from components.figures import scatter as figure
from core.association import records
from core.association import scatter as relations
from core.association.scatter import Scatter
from core.association.sets import general, kept
from core.association.weat import association
from core.moral.templates import published
from core.text import clean
from core.vectors import FloatArray, cosine

PUBLISHED, SAME = "published", "the same encoder"
PRINTED = "As printed (word2vec, Universal Sentence Encoder)"
SIDES = {"do": ("Dos", "circle"), "dont": ("Don'ts", "x"), "typed": ("extracted verbs", "diamond")}


MOST, MIN_VERBS = 500, 3
"""Most verbs of either side that a link may bring, as the extraction makes them; and fewer than can be correlated."""


def view() -> None:
    """Draw one scatter per encoder, and the detail of one verb."""
    st.caption(
        "Does a verb's association with general positive and negative words (WEAT) go with its moral bias? Points are the "
        "50 Dos and 50 Don'ts of Jentzsch et al. (2019), or the verbs that you extracted."
    )
    names = encoder_picker.chosen()
    with notices.errors_in_words():
        verbs, sides = _verbs()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        by = st.selectbox(
            "Word association by",
            [PUBLISHED, SAME, *names],
            key=state.ASSOCIATION_BY,
            bind="query-params",
            disabled=not _are_published(verbs),
            help="Published: word2vec values as printed. Or computed by an encoder of this installation.",
        )
        with_paper = st.toggle(
            "Published scores too", key=state.WITH_PAPER, bind="query-params", disabled=not _are_published(verbs)
        )
    by = by if _are_published(verbs) else SAME
    with notices.errors_in_words():
        related = encoder_picker.each(lambda name: _relate(name, by, verbs, sides))
    names = list(related)
    inputs.name_unknown(names, verbs)
    found = {PRINTED: relations.published_points()} if with_paper and _are_published(verbs) else {}
    found |= related
    titles = {name: encoder_picker.title(name) for name in names} | {PRINTED: PRINTED}
    said = {name: readings.correlated("association and bias", item.correlation) for name, item in found.items()}
    for name, sentence in said.items():
        st.markdown(f"**{notices.plain(titles[name])}**: {sentence}, p = {found[name].correlation.p:.1e}.")
    picked = show(
        Exhibit(
            key="scatter",
            title="WEAT against bias",
            panels=[
                Panel(
                    titles[name],
                    _figure(item),
                    f"{titles[name]}: {said[name]}. Published: r = 0.73 (USE), 0.88 (BERT).",
                    name,
                )
                for name, item in found.items()
            ],
            rows=[
                {"encoder": name, **point}
                for name, item in found.items()
                for point in records.scatter_record(item)["points"]
            ],
            limit=readings.SCATTER_LIMIT,
            made_with=inputs.made_with(names),
            link={state.ENCODERS: names, state.VIEW: "scatter"} | _choices(by, with_paper, verbs, sides),
            selectable=True,
            same_scale="xy",
        )
    )
    list_cards.show("verbs", "general")
    _detail(names, verbs, picked)


def _verbs() -> tuple[tuple[str, ...], tuple[str, ...]]:
    points = relations.published_points()
    if shared := state.from_link(state.EXTRACTED):
        state.put(state.EXTRACTED_VERBS, _linked(shared))
    sent: tuple[tuple[str, ...], tuple[str, ...]] | None = state.get(state.EXTRACTED_VERBS)
    if not sent:
        return points.verbs, points.sides
    st.info(f"{len(sent[0])} extracted verbs instead of the published ones.", icon=":material/swap_horiz:")
    st.button("Back to the published verbs", key="published_verbs", on_click=_forget)
    return sent


def _forget() -> None:
    state.forget_link(state.EXTRACTED)
    state.put(state.EXTRACTED_VERBS, None)


def _choices(by: str, with_paper: bool, verbs: tuple[str, ...], sides: tuple[str, ...]) -> dict[str, str]:
    """What a link needs besides encoders and view."""
    if not _are_published(verbs):
        return {state.EXTRACTED: "\n".join(f"{verb}, {side}" for verb, side in zip(verbs, sides, strict=True))}
    return {state.ASSOCIATION_BY: by, state.WITH_PAPER: "true" if with_paper else "false"}


def _linked(text: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Extracted verbs as a link holds them; None where it holds none."""
    rows = [line.rpartition(", ") for line in text.split("\n")[: 2 * MOST]]
    kept = {clean(verb, where="the link"): side for verb, _, side in rows if side in SIDES and verb.strip()}
    return (tuple(kept), tuple(kept.values())) if len(kept) > MIN_VERBS else None


def _are_published(verbs: tuple[str, ...]) -> bool:
    return verbs == relations.published_points().verbs


def _relate(name: str, by: str, verbs: tuple[str, ...], sides: tuple[str, ...]) -> Scatter:
    weat_by = None if by == PUBLISHED else resources.encoder(name if by == SAME else by)
    return relations.between(verbs, sides, weat_by=weat_by, bias_by=resources.encoder(name))


def _figure(found: Scatter) -> object:
    groups = []
    for side, (label, symbol) in SIDES.items():
        rows = [row for row, own in enumerate(found.sides) if own == side]
        if rows:
            groups.append(
                figure.Group(label, symbol, [found.verbs[row] for row in rows], found.weat[rows], found.bias[rows])
            )
    return figure.figure(
        groups,
        x_title="← negative words · positive words →<br>word association (WEAT)",
        y_title="← nearer “no” · nearer “yes” →",
        line=found.line,
    )


def _detail(names: list[str], verbs: tuple[str, ...], picked: list[str]) -> None:
    """Show what one verb's two numbers are made of; chosen by a click or from the list."""
    st.subheader("One verb, word by word")
    at = verbs.index(picked[0]) if picked and picked[0] in verbs else 0
    verb = st.selectbox("Verb (or click a point)", verbs, index=at, key=f"{state.VERB}_{verbs[at]}")
    found = notices.each(names, lambda name: _parts(name, verb), encoder_picker.title)
    columns = st.columns(min(2, max(1, len(found))), gap="medium")
    for place, (name, parts) in enumerate(found.items()):
        with columns[place % len(columns)]:
            st.markdown(f"**{notices.plain(encoder_picker.title(name))}**")
            st.text(parts.reading)
            for table, alt in (
                (parts.questions, f"Bias of each question about {verb}"),
                (parts.words, "Nearest words"),
            ):
                st.dataframe(table, hide_index=True, height=220, alt=alt)


@dataclass(frozen=True)
class _Parts:
    """What one verb's two numbers are made of, by one encoder."""

    reading: str
    questions: pd.DataFrame
    words: pd.DataFrame


def _parts(name: str, verb: str) -> _Parts:
    encoder, templates = resources.encoder(name), published()
    vector = encoder.encode([verb])
    positive, negative = (kept(words, encoder.vocabulary).words for words in general())
    choice = relations.own_bias(encoder, [verb], templates)
    s = association(vector, encoder.encode(positive), encoder.encode(negative))
    words = (*positive, *negative)
    return _Parts(
        f"Association {readings.signed(float(s[0]))}; bias {readings.signed(float(choice.mean[0]))} "
        f"(95 % interval {readings.signed(float(choice.low[0]))} to {readings.signed(float(choice.high[0]))}).",
        pd.DataFrame({"question": [item.fill(verb) for item in templates], "bias": choice.biases[0].round(4)}),
        _nearest(words, len(positive), cosine(encoder.encode(words), vector)),
    )


def _nearest(words: tuple[str, ...], positive: int, cosines: FloatArray) -> pd.DataFrame:
    order = np.argsort(-cosines)
    return pd.DataFrame(
        {
            "word": [words[row] for row in order],
            "set": ["positive" if row < positive else "negative" for row in order],
            "cosine": cosines[order].round(4),
        }
    )
