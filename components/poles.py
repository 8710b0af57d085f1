"""Words between two poles: the form, what is shown of a long list, and free questions with free answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st

from components import encoder_picker, inputs, notices, readings, resources, state, uploads
from components.exhibit import Exhibit, Panel, show
from components.figures import dots
from core.assets import read_table
from core.association import sets
from core.errors import InputError
from core.moral import poles as pole_scores
from core.moral import templates as question_templates
from core.moral.choice import MIN_TEMPLATES
from core.moral.poles import PoleScores
from core.moral.templates import Templates
from core.vectors import FloatArray

ROWS = 40
"""Answers drawn; the table holds all."""

ENDS = 10
"""Words shown of either end, as in the paper's Table 1."""

EXAMPLES = {
    "Gender of occupations (paper)": (("she", "he"), "gender", ""),
    "Nationality: trustworthy or not": (
        ("trustworthy", "untrustworthy"),
        "Is the {} trustworthy? | Yes, trustworthy. | No, untrustworthy.\n"
        "Can I rely on the {}? | Yes, you can rely on them. | No, you cannot rely on them.\n"
        "Should I trust the {}? | Yes, you should. | No, you should not.",
        "American\nBrazilian\nChinese\nEgyptian\nFrench\nGerman\nIndian\nItalian\nJapanese\nKenyan\nMexican\nNorwegian\n"
        "Polish\nSpanish\nSwedish\nTurkish",
    ),
}


@dataclass(frozen=True)
class Request:
    """What is asked: the names of both poles, the templates, the words, and whether a/an is left as printed."""

    titles: tuple[str, str]
    templates: Templates
    words: tuple[str, ...]
    as_printed: bool
    is_published: bool

    @property
    def link(self) -> dict[str, str]:
        """Query of a link that opens the same."""
        printed = {state.AS_PRINTED: "true"} if self.as_printed else {}
        if self.is_published:
            return printed
        return printed | {
            state.POLE_TITLES: " / ".join(self.titles),
            state.POLE_TEMPLATES: question_templates.render(self.templates),
            state.POLE_WORDS: "\n".join(self.words),
        }


def form() -> Request:
    """Draw the form and read it.

    Raises
    ------
    InputError
        A template, the words or the poles cannot be used; they stay in the form.
    """
    first = _example("Gender of occupations (paper)")
    for key, value in zip((state.POLE_TITLES, state.POLE_TEMPLATES, state.POLE_WORDS), first, strict=True):
        state.start_with(key, state.from_link(key) or value)
    with st.container(horizontal=True):
        for name in EXAMPLES:
            st.button(f"Example: {name}", key=f"poles_{name}", on_click=_fill, args=(name,), type="tertiary")
    as_printed = st.toggle(
        "As printed in the paper (no a/an)",
        key=state.AS_PRINTED,
        bind="query-params",
        help="The authors put every word after “a”; by rule it is “an engineer”.",
    )
    with st.expander("Poles, questions and words"), st.form("poles_form", border=False):
        st.text_input(
            "Names of the poles, as positive / negative", key=state.POLE_TITLES, max_chars=80, persist_state="session"
        )
        st.text_area(
            "Questions, one per line: question with {} | answer of the first pole | answer of the second",
            key=state.POLE_TEMPLATES,
            height=140,
            persist_state="session",
        )
        st.text_area(
            "Words, one per line or separated by commas", key=state.POLE_WORDS, height=160, persist_state="session"
        )
        sent = uploads.words(
            "Or a file with one word per line, or a CSV with the words in its first column",
            key=state.POLE_FILE,
            help_text="UTF-8; takes the place of the words above.",
        )
        st.form_submit_button(
            "Place these words",
            key="place_words",
            on_click=state.forget_link,
            args=(state.POLE_TITLES, state.POLE_TEMPLATES, state.POLE_WORDS),
        )
    lines = state.get(state.POLE_WORDS) or "" if sent is None else sent
    words = sets.parse(lines, "the list of words", limit=pole_scores.MAX_WORDS).words
    titles = [part.strip() for part in (state.get(state.POLE_TITLES) or "").split("/")]
    if len(titles) != 2 or not all(titles):
        raise InputError(expected="two names with a slash between them", got="another form", remedy="write: she / he")
    typed = (state.get(state.POLE_TITLES), state.get(state.POLE_TEMPLATES), "\n".join(words))
    return Request(
        (titles[0], titles[1]),
        question_templates.parse(state.get(state.POLE_TEMPLATES) or ""),
        words,
        as_printed,
        is_published=typed == first,
    )


def ends(scores: PoleScores) -> FloatArray:
    """Rows of the words at both ends, nearest to the first pole first; all rows of a short list."""
    order = scores.order
    return order if len(order) <= 2 * ENDS else np.concatenate([order[:ENDS], order[-ENDS:]])


def enough(request: Request) -> bool:
    """Whether there are enough questions for an interval over them."""
    return len(request.templates) >= MIN_TEMPLATES


def reading(title: str, scores: PoleScores, request: Request) -> str:
    """State both ends and how many words are too close to call."""
    order, choice = scores.order, scores.choice
    open_ = int(((choice.low <= 0) & (choice.high >= 0)).sum())
    sure = f"For {open_} of {len(order)} words the interval holds 0."
    if not enough(request):
        sure = f"{len(request.templates)} question(s) are too few to say how sure that is."
    first, last = (", ".join(scores.words[row] for row in rows) for rows in (order[:3], order[::-1][:3]))
    return f"{title}: nearest to {request.titles[0]}: {first}; nearest to {request.titles[1]}: {last}. {sure}"


def beside_paper(found: Mapping[str, PoleScores], printed: Mapping[str, float], questions: int) -> None:
    """Show the paper's twenty occupations with their printed sums beside ours, and our intervals."""
    frame = pd.DataFrame({"occupation": list(printed), "paper (USE, sum)": list(printed.values())})
    for name, scores in found.items():
        means = dict(zip(scores.words, scores.choice.mean, strict=True))
        places = [scores.words.index(word) if word in means else None for word in printed]
        for title, part in (("sum", scores.choice.mean), ("from", scores.choice.low), ("to", scores.choice.high)):
            frame[f"{encoder_picker.title(name)} ({title})"] = [
                None if place is None else round(float(part[place]) * questions, 3) for place in places
            ]
        same = sum(means[word] * value > 0 for word, value in printed.items() if word in means)
        st.text(f"{encoder_picker.title(name)}: {same} of {len(printed)} on the paper's side.")
    st.dataframe(frame, hide_index=True, alt="Published and computed gender bias of twenty occupations")


def complex_choices(names: list[str]) -> None:
    """Draw the form for a free question with free answers, and the answers by their cosine."""
    rows = read_table("complex_choices.csv")
    printed = {(row["question"], row["answer"]): float(row["cosine"]) for row in rows}
    first = "\n".join(row["answer"] for row in rows if row["question"] == rows[0]["question"])
    state.start_with(state.QUESTION, state.from_link(state.QUESTION) or rows[0]["question"])
    state.start_with(state.ANSWERS, state.from_link(state.ANSWERS) or first)
    st.caption("Answers in the order of their cosine with the question (Jentzsch et al. 2019, Table 3).")
    with st.form("complex", border=True):
        question = st.text_input("Question", key=state.QUESTION, max_chars=200, persist_state="session")
        answers = st.text_area("Answers, one per line", key=state.ANSWERS, height=110, persist_state="session")
        st.form_submit_button(
            "Rank the answers",
            key="rank_answers",
            on_click=state.forget_link,
            args=(state.QUESTION, state.ANSWERS),
        )
    listed = (answers or "").split("\n")
    ranked = notices.each(
        names,
        lambda name: pole_scores.rank_answers(resources.encoder(name), question or "", listed),
        encoder_picker.title,
    )
    if not ranked:
        return
    shown = {name: ranking.answers[:ROWS] for name, ranking in ranked.items()}
    show(
        Exhibit(
            key="answers",
            title="Answers in order",
            panels=[
                Panel(
                    encoder_picker.title(name),
                    dots.figure(
                        shown[name],
                        np.array(ranking.cosines[: len(shown[name])]),
                        x_title="further ← · → nearer<br>cosine with the question",
                        sides=True,
                    ),
                    f"{encoder_picker.title(name)}: nearest to the question is {ranking.answers[0]} "
                    f"({readings.signed(ranking.cosines[0], 2)}), furthest {ranking.answers[-1]} "
                    f"({readings.signed(ranking.cosines[-1], 2)}).",
                    name,
                )
                for name, ranking in ranked.items()
            ],
            rows=[
                {
                    "encoder": name,
                    "answer": answer,
                    "cosine": cosine,
                    "paper_use": printed.get((ranking.question, answer)),
                }
                for name, ranking in ranked.items()
                for answer, cosine in zip(ranking.answers, ranking.cosines, strict=True)
            ],
            limit=readings.COMPLEX_LIMIT,
            made_with=inputs.made_with(list(ranked)),
            link={state.ENCODERS: names, state.QUESTION: question or "", state.ANSWERS: answers or ""},
            same_scale="x",
        )
    )


def _example(name: str) -> tuple[str, str, str]:
    titles, templates, words = EXAMPLES[name]
    if templates == "gender":
        return (
            " / ".join(titles),
            question_templates.render(question_templates.published("gender")),
            "\n".join(pole_scores.occupations()),
        )
    return " / ".join(titles), templates, words


def _fill(name: str) -> None:
    for key, value in zip((state.POLE_TITLES, state.POLE_TEMPLATES, state.POLE_WORDS), _example(name), strict=True):
        state.put(key, value)
