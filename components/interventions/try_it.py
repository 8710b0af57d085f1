"""One story: what an answerer prefers without advice, and with four kinds of it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from components import notices, resources, state
from components.exhibit import Exhibit, Panel, show
from components.figures import marks, rows
from components.interventions import answerers, questions, readings, steps
from core.interventions import benchmark, scenarios, stories
from core.interventions.benchmark import Answered
from core.interventions.stories import ADVERSARIAL, ETHICAL, IRRELEVANT, NONE, OWN, Placement, Story

KINDS = {
    ETHICAL: "Ethical: asks for no preference",
    ADVERSARIAL: "Adversarial: asks for the opposite",
    IRRELEVANT: "Irrelevant: advice about something else",
    OWN: "Your own",
}

LABELS = (
    (state.STORY_SUBJECTS[0], "First subject"),
    (state.STORY_SUBJECTS[1], "Second subject"),
    (state.STORY_QUESTION, "Question, beginning with Who or Which"),
    (state.STORY_NEGATED, "The same question, negated"),
    *((state.said(kind), label) for kind, label in KINDS.items()),
)

FIELDS = (state.STORY_CONTEXT, *(key for key, _ in LABELS))
"""What can be typed; in a link only where it differs from the scenario."""


def view() -> None:
    """Draw the form, the preference under each intervention, and the four steps behind one of them."""
    st.caption(
        "The story does not say who, so a reader without prejudice prefers nobody. Does the answer move when somebody says so "
        "before the question?"
    )
    names = answerers.pick()
    with notices.errors_in_words():
        made = _form()
        found = notices.each(names, lambda name: benchmark.explain(resources.answerer(name), made), answerers.title)
    if not found:
        st.stop()
    names = list(found)
    panels = [
        Panel(answerers.title(name), _figure(answered), _reading(name, answered), name)
        for name, answered in found.items()
    ]
    show(
        Exhibit(
            key="story",
            title="Preference in one story",
            panels=panels,
            spoken=True,
            rows=[row for name, answered in found.items() for row in _rows(name, answered)],
            limit=readings.STORY_LIMIT,
            made_with=answerers.made_with(names),
            link=answerers.link(names) | {state.VIEW: "try", **_choices()},
        )
    )
    _desired(found[names[0]])
    _steps(found)


def _form() -> list[Story]:
    """The story under each class of interventions that was written."""
    examples = scenarios.examples()
    chosen = st.selectbox(
        "Scenario",
        list(examples),
        key=state.SCENARIO,
        bind="query-params",
        on_change=_fill,
        help="Fills the form below, where everything can be changed.",
    )
    for key, text in zip(FIELDS, _texts(chosen), strict=True):
        shared = state.from_link(key)
        state.start_with(key, text if shared is None else shared)
    with st.form("story"):
        st.text_area("Context, with two subjects", key=state.STORY_CONTEXT, height=70, persist_state="session")
        for fields in (LABELS[:2], LABELS[2:4], LABELS[4:6], LABELS[6:]):
            for column, (key, label) in zip(st.columns(2), fields, strict=True):
                column.text_input(label, key=key, persist_state="session")
        placement = questions.placement()
        st.form_submit_button("Ask", type="primary", key="ask", on_click=state.forget_link, args=FIELDS)
    return _stories(placement)


def _stories(placement: Placement) -> list[Story]:
    context, one, other, question, negated, *said = (state.get(key) or "" for key in FIELDS)
    texts = {NONE: ""} | {kind: text for kind, text in zip(KINDS, said, strict=True) if text.strip()}
    return [
        stories.own(context, (one, other), question, negated, kind=kind, intervention=text, placement=placement)
        for kind, text in texts.items()
    ]


def _texts(name: str) -> tuple[str, ...]:
    """The fields of a shipped scenario, with a sentence to start from for the reader's own intervention."""
    example = scenarios.examples()[name]
    said = (
        *(example.interventions.get(kind, "") for kind in list(KINDS)[:3]),
        f"Do not judge anybody by {name.partition(':')[0]}.",
    )
    return (example.context, *example.subjects, example.question, example.negated, *said)


def _fill() -> None:
    for key, text in zip(FIELDS, _texts(state.get(state.SCENARIO)), strict=True):
        state.put(key, text)
    state.forget_link(*FIELDS)


def _choices() -> dict[str, str]:
    """Scenario and placement, and every field that differs from the scenario."""
    scenario = state.get(state.SCENARIO)
    typed = {
        key: state.get(key) or ""
        for key, text in zip(FIELDS, _texts(scenario), strict=True)
        if (state.get(key) or "") != text
    }
    return {state.SCENARIO: scenario, state.PLACEMENT: state.get(state.PLACEMENT), **typed}


def _figure(answered: list[Answered]) -> object:
    one, other = (rows.label(subject) for subject in answered[0].story.subjects)
    none = answered[0].correction.comparative
    wanted = [(row, value) for row, item in enumerate(answered) for value in readings.targets(item.story.kind, none)]
    return marks.figure(
        [readings.NAMES[item.story.kind] for item in answered],
        [
            marks.Marks(
                "preference C", marks.BAR, [(row, item.correction.comparative) for row, item in enumerate(answered)]
            ),
            marks.Marks("desired", "square-open", wanted),
        ],
        x_title=f"← {other} · {one} →<br>comparative preference C",
        x_range=(-1.1, 1.1),
    )


def _reading(name: str, answered: list[Answered]) -> str:
    found = {item.story.kind: item.correction.comparative for item in answered}
    return readings.story(answerers.title(name), answered[0].story.subjects, found)


def _rows(name: str, answered: list[Answered]) -> list[dict[str, Any]]:
    none = answered[0].correction.comparative
    return [
        {
            "answerer": name,
            "class": item.story.kind,
            "intervention": item.story.intervention,
            "subject_1": item.story.subjects[0],
            "subject_2": item.story.subjects[1],
            "C": item.correction.comparative,
            "desired": readings.desired(item.story.kind, none),
            "B_1": float(item.correction.bias[0]),
            "B_2": float(item.correction.bias[1]),
            "delta": item.correction.position_error,
            "epsilon": item.correction.attribute_error,
            **{
                f"S{subject + 1}_{order}_{question}": float(item.correction.scores[at, asked, subject])
                for at, order in enumerate(("straight", "swapped"))
                for asked, question in enumerate(("question", "negated"))
                for subject in (0, 1)
            },
        }
        for item in answered
    ]


def _desired(answered: list[Answered]) -> None:
    st.header("What the advice asks for")
    st.text(
        "\n".join(
            f"{readings.NAMES[item.story.kind].capitalize()}: {readings.desired(item.story.kind)}." for item in answered
        )
    )


def _steps(found: dict[str, list[Answered]]) -> None:
    st.header("From four answers to one preference, step by step")
    kinds = [item.story.kind for item in next(iter(found.values()))]
    chosen = st.segmented_control(
        "Intervention",
        kinds,
        default=NONE,
        key=f"{state.STEPS_OF}_{len(kinds)}",
        required=True,
        format_func=readings.NAMES.__getitem__,
    )
    place = kinds.index(str(chosen))
    columns = st.columns(min(2, len(found)), gap="medium")
    for number, (name, answered) in enumerate(found.items()):
        with columns[number % len(columns)]:
            steps.show(answerers.title(name), answered[place])
    steps.asked(next(iter(found.values()))[place])
