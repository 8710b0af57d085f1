"""The only place that reads and writes session state and the address."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import streamlit as st

from components.progress import Parts
from core.report import ReportItem

# Bound to the address, so that a link carries them: choices, never what somebody typed.
ENCODERS = "encoders"
UNIT = "unit"
HEATMAP = "heatmap"

KIND = "vectors"
PAPER = "paper"
SURVEY = "survey"
VIEW = "view"
LAYERS = "layers"

# Kept for the session, on the server only.
WRITE_AS = "write_as"
LINES = "phrases_lines"
TABLE = "phrases_table"
TEMPLATES = "templates_lines"
OWN_TEMPLATES = "templates_own"
PART = "figure_part"

# In a link that a reader made on purpose with the Link button.
SHARED_PHRASES = "phrases"
SHARED_TEMPLATES = "templates"
SHARED_SEEDS = "seeds"

SEEDS = "seeds_table"
SEEDS_EDITED = "seeds_edited"
OWN_SURVEY = "survey_file"
VARIANTS = "variants_wanted"
ASSOCIATION_BY = "association_by"
WITH_PAPER = "with_paper"
EXTRACTED, EXTRACTED_VERBS = "extracted", "extracted_verbs"
VERB = "verb"
TEST, OWN_SETS = "test", "own_sets_file"
TOP = "verbs_top"
POSITIVE, NEGATIVE = "words_positive", "words_negative"
VOCABULARY = "vocabulary_file"
AS_PRINTED = "as_printed"
POLE_FILE = "poles_file"
QUESTION, ANSWERS = "free_question", "free_answers"

WARNED = "content_warning_read"
SOURCES, CLASSIFIERS, CATEGORIES, MINIMUM = "sources", "classifiers", "categories", "minimum"
OWN_KNOWLEDGE, OWN_COLUMNS = "knowledge_file", "knowledge_column"
OWN_LIMITS, LIMIT_NEGATIVE, LIMIT_POSITIVE = "own_thresholds", "negative_from", "positive_from"
TARGET, WORDS_FROM, WORDS_BY = "target", "words_from", "words_by"
EVERY_TARGET, LABELS, CONTAINING, LABELLED_BY = "every_target", "labels", "containing", "labelled_by"
FILTER_BY, OWN_RATINGS = "filter_by", "ratings_file"

# Typed, and in a link only on request.
POLE_TITLES, POLE_TEMPLATES, POLE_WORDS = "poles", "poles_templates", "poles_words"

# Interventions: choices, and below them what is typed.
SCENARIO, PLACEMENT, ANSWERERS = "scenario", "placement", "answerers"
QUESTIONS, ITEMS = "questions", "items"
STEPS_OF = "steps_of"
GAMMA_OF, ITEMS_OF = "gamma_of", "items_of"
CURVES_FILE, TAUGHT_ON = "curves_file", "taught_on"
STORY_CONTEXT, STORY_QUESTION, STORY_NEGATED = "story_context", "story_question", "story_negated"
STORY_SUBJECTS = ("story_subject_1", "story_subject_2")
BENCHMARK_OWN = "own_intervention"

# Containers that the style sheet knows.
WIDE = "wide_screens_only"

_REPORT = "report_items"
_RUNS = "runs"
_PARTS = "runs_in_part"
_TABLE_ROWS = "phrases_table_rows"
_TABLE_VERSION = "phrases_table_version"
_ASKED = "asked_encoders"


def start_with(key: str, value: Any) -> None:
    """Give a widget its first value, before the widget is made."""
    st.session_state.setdefault(key, value)


def put(key: str, value: Any) -> None:
    """Set a widget's value from a callback."""
    st.session_state[key] = value


def get(key: str, default: Any = None) -> Any:
    """Read a widget's value."""
    return st.session_state.get(key, default)


def is_new(key: str, value: Any) -> bool:
    """Whether `value` differs from that of the last call for `key`."""
    before = st.session_state.get(f"{key}_before")
    st.session_state[f"{key}_before"] = value
    return bool(value != before)


def from_link(key: str) -> str | None:
    """Take what a shared link holds under `key`; once, so that what is typed afterwards is not overwritten."""
    taken = f"{key}_taken"
    if taken in st.session_state:
        return None
    st.session_state[taken] = True
    return st.query_params.get(key)


def forget_link(*keys: str) -> None:
    """Take shared text out of the address, once the reader has submitted text of their own."""
    for key in keys:
        st.query_params.pop(key, None)


def asked_encoders() -> Sequence[str]:
    """Encoders that the address named when the session began, known or not."""
    if _ASKED not in st.session_state:
        st.session_state[_ASKED] = st.query_params.get_all(ENCODERS)
    asked: Sequence[str] = st.session_state[_ASKED]
    return asked


def forget_asked_encoders() -> None:
    """Forget them, once the reader has chosen encoders."""
    st.session_state[_ASKED] = ()


def address() -> str:
    """Address of the current page without its query."""
    return str(st.context.url or "").partition("?")[0]


def agreed(server: str) -> str:
    """Key of the reader's leave to send text to a server."""
    return f"agreed_{server}"


def own_set(field: str) -> str:
    """Key of one of a reader's own word sets (x, y, a or b), typed, and in a link only on request."""
    return f"set_{field}"


def said(kind: str) -> str:
    """Key of the intervention of one class in the form for one story."""
    return f"story_{kind}"


def runs() -> dict[Hashable, bool]:
    """Runs that the reader has started (True) or stopped (False)."""
    found: dict[Hashable, bool] = st.session_state.setdefault(_RUNS, {})
    return found


def parts() -> Parts:
    """What runs that were cut off had come to."""
    found: Parts = st.session_state.setdefault(_PARTS, Parts())
    return found


def versioned(name: str) -> str:
    """Key of the table editor called `name`: a new one whenever its rows are replaced from outside."""
    return f"{name}_{st.session_state.get(f'{name}_version', 0)}"


def replace(name: str, rows: list[tuple[str, str]] | None) -> None:
    """Start the table editor called `name` anew, with `rows` or with its first rows."""
    st.session_state[f"{name}_rows"] = rows
    st.session_state[f"{name}_version"] = st.session_state.get(f"{name}_version", 0) + 1


def rows(name: str) -> list[tuple[str, str]] | None:
    """Rows that the table editor called `name` starts with; None for its first rows."""
    found: list[tuple[str, str]] | None = st.session_state.get(f"{name}_rows")
    return found


def table_key() -> str:
    """Key of the current table editor: a new one whenever its rows are replaced from outside."""
    return f"{TABLE}_{st.session_state.get(_TABLE_VERSION, 0)}"


def table_rows() -> list[tuple[str, str]]:
    """Rows that the table editor starts with; `TABLE` holds them as edited."""
    rows: list[tuple[str, str]] = st.session_state[_TABLE_ROWS]
    return rows


def replace_table(rows: list[tuple[str, str]]) -> None:
    """Start the table editor anew with `rows`."""
    st.session_state[TABLE] = st.session_state[_TABLE_ROWS] = rows
    st.session_state[_TABLE_VERSION] = st.session_state.get(_TABLE_VERSION, 0) + 1


def report() -> list[ReportItem]:
    """What this session has put into its report, in order."""
    items: list[ReportItem] = st.session_state.setdefault(_REPORT, [])
    return items


MOST_ITEMS = 50
"""Most figures in a report, which a session keeps in memory. Ours: far more than a class reads."""


def add_to_report(items: Sequence[ReportItem]) -> None:
    """Put figures into the report from a callback; the oldest give way in a report that is full."""
    kept = report()
    kept.extend(items)
    del kept[:-MOST_ITEMS]


def on_report(change: Callable[[list[ReportItem]], None]) -> None:
    """Change the report from a callback."""
    change(report())
