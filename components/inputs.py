"""Forms that several pages share: phrases, templates, unit."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from components import encoder_picker, notices, resources, state
from core.encoders.vocabulary import unknown
from core.moral import representation as representations
from core.moral import templates as question_templates
from core.moral.published import ENCODERS
from core.moral.survey import SURVEYS
from core.moral.templates import Templates
from core.text import MAX_CHARACTERS, MAX_PHRASES, PhraseList, join_rows, parse_lines, parse_rows, split_lines

AS_LINES, AS_TABLE = "Lines", "Table"
MEAN, SUM = "mean", "sum"
SCORE, EFFECT = "score", "effect"

ROWS_SHOWN = 40
"""Phrases in one figure. Ours: two screens of rows."""

EXAMPLES = {
    "kill, in context": "kill: people; time; a killer",
    "eat and travel": "eat: healthy; meat; dirt\ntravel: to the United States; to Germany; by plane",
    "trust and help": "trust: my friend; a machine; a stranger\nhelp: old people; a thief; a machine",
    "everyday": "smile\nread a book\nsleep late\ncheat in an exam\npay taxes\nbreak a promise",
}
"""Phrases one click away: contexts of Schramowski et al. (2019), Table 6, and plain ones of ours."""


def phrases() -> PhraseList:
    """Draw the form for phrases, as lines or as a table, and read it.

    Raises
    ------
    InputError
        What was submitted cannot be used; it stays in the form.
    """
    state.start_with(state.LINES, state.from_link(state.SHARED_PHRASES) or EXAMPLES["kill, in context"])
    state.start_with(state.WRITE_AS, AS_LINES)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        mode = st.segmented_control(
            "Write phrases as",
            [AS_LINES, AS_TABLE],
            key=state.WRITE_AS,
            on_change=_carry_over,
            required=True,
            persist_state="session",
        )
        for name, text in EXAMPLES.items():
            st.button(f"Example: {name}", key=f"example_{name}", on_click=fill, args=(text,), type="tertiary")
    with st.container(border=True):  # not a form: what is typed must outlive a change of page or of the way of writing
        if mode == AS_TABLE:
            rows = _table()
        else:
            st.text_area(
                "Phrases, one action per line; after a colon its contexts, separated by semicolons",
                key=state.LINES,
                height=120,
                placeholder="kill: people; time",
                help=f"At most {MAX_PHRASES} lines and {MAX_CHARACTERS} characters per phrase. "
                "A leading “to” and closing punctuation are dropped; a colon that belongs to the words is written \\\\:.",
                on_change=state.forget_link,
                args=(state.SHARED_PHRASES,),
                persist_state="session",
            )
        st.button("Score", type="primary", on_click=state.forget_link, args=(state.SHARED_PHRASES,), key="score")
    return parse_rows(rows) if mode == AS_TABLE else parse_lines(state.get(state.LINES) or "")


def fill(text: str) -> None:
    """Put `text` into the form, in either way of writing; for examples and tours."""
    state.put(state.LINES, text)
    state.replace_table(split_lines(text))
    state.forget_link(state.SHARED_PHRASES)


def templates() -> Templates:
    """Draw the choice of question templates and read it.

    Raises
    ------
    InputError
        An own template cannot be used; it stays in the form.
    """
    shared = state.from_link(state.SHARED_TEMPLATES)
    state.start_with(state.OWN_TEMPLATES, shared is not None)
    state.start_with(state.TEMPLATES, shared or question_templates.render(question_templates.published()))
    with st.expander("Question templates: how a phrase becomes questions"):
        st.caption(
            "Every phrase goes into each question; its score is how much nearer the question lies to the affirming "
            "answer than to the denying one. The ten published templates are from Jentzsch et al. (2019), Figure 3."
        )
        own = st.toggle("Use my own templates", key=state.OWN_TEMPLATES, persist_state="session")
        with st.form("templates", border=False):
            st.text_area(
                "One per line: question with {} | affirming answer | denying answer",
                key=state.TEMPLATES,
                height=290,
                disabled=not own,
                persist_state="session",
            )
            st.form_submit_button(
                "Use these templates",
                disabled=not own,
                key="use_templates",
                on_click=state.forget_link,
                args=(state.SHARED_TEMPLATES,),
            )
    return question_templates.parse(state.get(state.TEMPLATES) or "") if own else question_templates.published()


def factor(templates: Templates) -> float:
    """Draw the switch between mean and sum over templates; returns what a mean is multiplied by."""
    unit = st.segmented_control(
        "Score over the templates",
        [MEAN, SUM],
        default=MEAN,
        key=state.UNIT,
        bind="query-params",
        required=True,
        help="Jentzsch et al. (2019) print sums over ten templates, Schramowski et al. (2019) means.",
    )
    return float(len(templates)) if unit == SUM else 1.0


def window(count: int) -> range:
    """Choose which phrases the figures show where there are many; the tables hold all. Draws only where needed."""
    if count <= ROWS_SHOWN:
        return range(count)
    pages = -(-count // ROWS_SHOWN)
    page = st.number_input(
        f"Figures show {ROWS_SHOWN} of {count} phrases at a time; part",
        min_value=1,
        max_value=pages,
        key=state.PART,
        help="The tables and files hold all phrases.",
    )
    first = (min(max(int(page), 1), pages) - 1) * ROWS_SHOWN
    return range(first, min(count, first + ROWS_SHOWN))


def heatmap_shows_effect() -> bool:
    """Draw the switch between a phrase's score and what its context changed."""
    chosen = st.segmented_control(
        "Cells show a phrase's score, or the effect of its context",
        [SCORE, EFFECT],
        default=SCORE,
        key=state.HEATMAP,
        bind="query-params",
        required=True,
        help="Effect of a context = score of the action with it, less the score of the bare action.",
    )
    return bool(chosen == EFFECT)


def as_text(phrases: PhraseList) -> str:
    """Write phrases the way the form reads them, for a link."""
    return join_rows([(item.action, item.context) for item in phrases.phrases])


def _table() -> list[tuple[str, str]]:
    if state.get(state.table_key()) is None:  # a new editor, or one whose edits were dropped with its page
        state.replace_table(state.get(state.TABLE))
    frame = pd.DataFrame(state.table_rows(), columns=["action", "context"], dtype="object")
    edited = st.data_editor(
        frame,
        key=state.table_key(),
        num_rows="dynamic",
        hide_index=True,
        column_config={
            "action": st.column_config.TextColumn("Action", max_chars=MAX_CHARACTERS),
            "context": st.column_config.TextColumn("Context (may be empty)", max_chars=MAX_CHARACTERS),
        },
        alt="Editable table of actions and contexts",
    )
    rows = [(_text(action), _text(context)) for action, context in edited.itertuples(index=False)]
    state.put(state.TABLE, rows)
    return rows


def _carry_over() -> None:
    """Keep what was written when the way of writing changes."""
    if state.get(state.WRITE_AS) == AS_TABLE:
        state.replace_table(split_lines(state.get(state.LINES) or ""))
    else:
        state.put(state.LINES, join_rows(state.get(state.TABLE)))


def _text(cell: object) -> str:
    return cell if isinstance(cell, str) else ""


def tour(lines: str, encoders: list[str]) -> None:
    """Set the form and the encoders before a tour opens its page."""
    fill(lines)
    state.put(state.ENCODERS, encoders)
    state.put(state.OWN_TEMPLATES, False)


def name_unknown(names: Sequence[str], phrases: Sequence[str]) -> None:
    """Say which of `phrases`, before they stand in a question, the encoders `names` do not know."""
    for name in names:
        notices.unknown(encoder_picker.title(name), unknown(resources.encoder(name), phrases))


def made_with(names: Sequence[str]) -> str:
    """Say which encoders made the numbers of a page."""
    return "; ".join(encoder_picker.made_with(resources.encoder(name).provenance, name) for name in names)


SEEDS, CONTEXTS, PHRASES = "seeds", "contexts", "phrases"


def representation() -> str:
    """Draw the choice of how a phrase becomes a vector; returns its kind."""
    return st.selectbox(
        "What is analysed",
        representations.KINDS,
        key=state.KIND,
        bind="query-params",
        help="The paper's axis comes from the mean of a phrase's questions; its Figure 3 a–b from the difference between a "
        "question and the answer it rejects. The others are ours: the bare phrase, and pairs of opposite statements.",
    )


def layers() -> list[str]:
    """Draw the choice of what the map shows."""
    return st.pills(
        "Show",
        [SEEDS, CONTEXTS, PHRASES],
        selection_mode="multi",
        default=[SEEDS, PHRASES],
        key=state.LAYERS,
        bind="query-params",
        help="Seeds: Figure 1 of the paper. Contexts: its 56 actions in context, Figure 4. Phrases: yours, from the form.",
    )


def paper() -> str:
    """Draw the choice of the published encoder to compare with."""
    chosen = st.segmented_control(
        "Published encoder", list(ENCODERS), default="bert", key=state.PAPER, bind="query-params", required=True
    )
    return str(chosen)


def survey() -> str:
    """Draw the choice between the authors' surveys of people; returns the path of its file."""
    chosen = st.segmented_control(
        "Survey",
        list(SURVEYS),
        default="regional",
        key=state.SURVEY,
        bind="query-params",
        required=True,
        help="Regional: 113 actions, 27 to 29 people of one region each. AMT: 116 actions, 234 crowd workers each.",
    )
    return SURVEYS[str(chosen)]


def wants_variants() -> bool:
    """Draw the switch that starts the long comparison."""
    return st.toggle("Try all variants (some minutes the first time)", key=state.VARIANTS, persist_state="session")
