"""What can be put to an answerer: the shipped scenarios, and the authors' released data where it is here."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from components import notices, resources, state
from core import datasets
from core.interventions import scenarios
from core.interventions.released import Released, Specified
from core.interventions.stories import Placement, StorySet

SETS = ("lei", "unqover")

THEMES = "themes"
"""In a link: the themes that were chosen."""

ITEMS = (200, 500, 1_000, 2_000)
"""Stories of each class that can be asked for; the first takes seconds."""


@dataclass(frozen=True)
class Asked:
    """What is put, and what makes it, as a key and for a link."""

    stories: StorySet | tuple[Specified, ...]
    key: tuple[str | int, ...]
    source: str
    link: dict[str, str]


def pick() -> Asked:
    """Draw the choice of questions and, for scenarios, how many, with which intervention, and where it stands.

    Raises
    ------
    MoralscopeError
        An intervention that cannot be used, or a file that is not as released.
    """
    here = {**dict.fromkeys(_domains()), **{file_name(path): path for path in files()}}
    chosen = str(
        st.selectbox(
            "Questions",
            list(here),
            key=state.QUESTIONS,
            bind="query-params",
            help="gender, religion, ethnicity, country: our own scenarios. unqover: the word lists of Li et al. (2020). lei: the released "
            "files of Zhao et al. (2021), whole.",
        )
    )
    _say_what_lacks()
    if chosen not in scenarios.SHIPPED:
        st.caption("The authors wrote stereotypes on purpose, to measure them: some of their sentences are insulting.")
    link = {state.QUESTIONS: chosen}
    if path := here[chosen]:
        st.caption("A released file holds its own interventions.")
        read = resources.questions(path)
        for note in read.notes if isinstance(read, Released) else ():
            st.text(f"{note}.")
        return Asked(read, (path,), f"LEI, {path}", link)
    domain = scenarios.load(chosen, datasets.default_directory())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        items = st.select_slider(
            "Stories of each class",
            ITEMS,
            key=state.ITEMS,
            bind="query-params",
            help="Every class is put to the same stories, drawn from all of the domain, the same ones every time; where there are fewer, all are put.",
        )
        where = placement()
    themes = _themes(domain)
    shared = state.from_link(state.BENCHMARK_OWN)
    state.start_with(state.BENCHMARK_OWN, shared or "")
    own = st.text_input(
        "An intervention of your own, put to every story (optional)",
        key=state.BENCHMARK_OWN,
        persist_state="session",
        on_change=state.forget_link,
        args=(state.BENCHMARK_OWN,),
    ).strip()
    made = scenarios.Stories(domain, own=own, placement=where, themes=themes or None, most=int(items))
    link |= {state.ITEMS: str(items), state.PLACEMENT: where} | ({state.BENCHMARK_OWN: own} if own else {})
    link |= {THEMES: ",".join(themes)} if themes else {}
    return Asked(made, (chosen, int(items), where, own, *themes), f"{domain.source}, {chosen}", link)


def placement() -> Placement:
    """Draw the choice of where interventions stand."""
    chosen = st.segmented_control(
        "Interventions stand before the question, or in the context",
        ["question", "context"],
        default="question",
        key=state.PLACEMENT,
        bind="query-params",
        required=True,
        help="The paper writes context; its released data puts “Note that, …” before the question.",
    )
    return "context" if chosen == "context" else "question"


def _themes(domain: scenarios.Domain) -> list[str]:
    """Draw the choice of themes where there are several; none chosen means all. One that a link asks for may be unknown."""
    asked = [theme for theme in (state.from_link(THEMES) or "").split(",") if theme]
    if unknown := [theme for theme in asked if theme not in domain.themes]:
        st.warning(
            notices.plain(
                f"{domain.name} has no theme {', '.join(unknown)[:80]}; its themes are {', '.join(domain.themes)}."
            ),
            icon=":material/filter_alt_off:",
        )
    if len(domain.themes) < 2:
        return []
    key = f"{THEMES}_{domain.name}"
    if asked:
        state.start_with(key, [theme for theme in asked if theme in domain.themes])
    return st.multiselect(
        "Themes",
        domain.themes,
        key=key,
        placeholder="All themes",
        persist_state="session",
        on_change=state.forget_link,
        args=(THEMES,),
    )


def _domains() -> list[str]:
    """Domains that can be made here: all shipped ones, and those of the released lists that are present."""
    directory = datasets.default_directory()
    lists = datasets.inspect(datasets.find("unqover"), directory).complete
    released = [
        name for name in scenarios.SHIPPED if name == "country" or _is_here(f"interventions/{name}_interventions.json")
    ]
    return [*scenarios.SHIPPED, *(f"unqover:{name}" for name in released if lists)]


def files(part: str = "") -> list[str]:
    """Paths of the released question files that are here; of one part, ``underspecified`` or ``specified``."""
    listed = [file.path for file in datasets.find("lei").files if file.path.startswith(f"data/{part}")]
    return [path for path in listed if _is_here(path)]


def file_name(path: str) -> str:
    """Short name of a released question file.

    Examples
    --------
    >>> file_name("data/underspecified/religion/addedbias_noniid_dev_squad.json"), file_name("data/specified/x.json")
    ('lei: religion, development', 'lei: specified')
    """
    if "/underspecified/" not in path:
        return "lei: specified"
    _, _, domain, name = path.split("/")
    return f"lei: {domain}, {'development' if '_dev_' in name else 'test'}"


def _is_here(path: str) -> bool:
    return datasets.inspect(datasets.find(path), datasets.default_directory()).complete


def _say_what_lacks() -> None:
    directory = datasets.default_directory()
    lacking = [name for name in SETS if not datasets.inspect(datasets.find(name), directory).complete]
    if lacking:
        commands = " and ".join(f"“python -m core data get {name}”" for name in lacking)
        st.caption(f"Some of the released stories are not here: fetch them on the page Data, or by {commands}.")
