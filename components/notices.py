"""What goes wrong, and what should be known, in words on the screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import streamlit as st

from core.encoders.vocabulary import Unknown
from core.errors import MoralscopeError
from core.moral.compass import Compass
from core.moral.study import Study
from core.text import PhraseList

T = TypeVar("T")

SOME = 20
"""Words named of many."""


@contextmanager
def errors_in_words() -> Iterator[None]:
    """Show an expected error as a sentence and end the page there; the form above keeps what was typed."""
    try:
        yield
    except MoralscopeError as error:
        show_error(error)
        st.stop()


def each(names: Iterable[str], work: Callable[[str], T], title: Callable[[str], str]) -> dict[str, T]:
    """What `work` gives for each name. One that cannot do it is named and left out; where none can, every reason is shown once."""
    found: dict[str, T] = {}
    failed: dict[str, MoralscopeError] = {}
    for name in names:
        try:
            found[name] = work(name)
        except MoralscopeError as error:
            failed[name] = error
    if found:
        for name, problem in failed.items():
            show_error(problem, about=f"{title(name)} is left out.")
    else:
        for problem in {str(problem): problem for problem in failed.values()}.values():
            show_error(problem)
    return found


def show_error(error: MoralscopeError, *, about: str = "") -> None:
    """Show one error, and what it is about. Its parts may hold what somebody typed, so they are shown as text."""
    with st.container(border=True):
        st.error("This could not be done.", icon=":material/error:")
        st.text(
            (f"{about}\n" if about else "")
            + f"Expected: {error.expected}.\nGot: {error.got}.\nWhat to do: {error.remedy}."
        )


def left_out(phrases: PhraseList) -> None:
    """Say what of the input was not scored, and why."""
    if phrases.blank:
        st.caption(f"{phrases.blank} blank {'line was' if phrases.blank == 1 else 'lines were'} ignored.")
    if phrases.duplicates:
        st.caption(f"{len(phrases.duplicates)} repeated and kept once:")
        st.text(", ".join(phrases.duplicates))


def unknown(title: str, found: Unknown) -> None:
    """Say what an encoder of words does not know of what was typed."""
    if found.phrases:
        st.warning(
            "An encoder of words does not know some of these: left out, or numbers that say nothing.",
            icon=":material/help:",
        )
        st.text(f"{title} knows no word of: {some(found.phrases)}.")
    if found.words:
        st.text(f"{title} passes over: {some(found.words)}.")


def some(words: Sequence[str]) -> str:
    """The first of many words, and how many more there are."""
    more = f" and {len(words) - SOME:,} more" if len(words) > SOME else ""
    return ", ".join(words[:SOME]) + more


def plain(text: str) -> str:
    """Text that Streamlit will show as it stands, where it reads Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#!|~$:])", r"\\\1", " ".join(text.split()))


def unknown_encoders(names: list[str], used: str) -> None:
    """Say that a link named encoders that this installation does not have."""
    st.warning("The link names an encoder that this installation does not have.", icon=":material/help:")
    st.text(f"Not known: {', '.join(name[:40] for name in names)}. Used instead: {used}.")


def no_axis(compass: Compass | Study) -> None:
    """Say why no axis is drawn."""
    found, line = compass.axis.variance_explained[0], compass.axis.random_line[0]
    st.warning(
        f"No moral axis for this encoder: the first component explains {found:.1%} of the variance of the seed "
        f"actions, and random vectors reach {line:.1%}. A position on it would mean nothing.",
        icon=":material/block:",
    )
