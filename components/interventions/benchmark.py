"""Many stories: how far answerers prefer subjects, by class of intervention, subject, attribute and theme."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import streamlit as st

from components import notices, resources, state
from components.exhibit import Exhibit, Panel, show
from components.figures import heatmap, marks
from components.interventions import answerers, items, questions, readings
from components.interventions.questions import Asked
from core.errors import MoralscopeError
from core.interventions import records
from core.interventions.benchmark import CHANCE, DESIRED, Accuracy, Benchmark
from core.interventions.released import Released, Specified
from core.interventions.stories import IRRELEVANT, NONE, StorySet
from core.interventions.unqover import Measures

T = TypeVar("T", Benchmark, Accuracy)

ALL = "all themes"

_Figures = dict[str, dict[str, dict[str, Any]]]
"""By theme and class: `records.class_record`."""

QUICK = 1_000
"""Stories that encoders are asked at once when the page opens: seconds of work. More wait for a click."""

NARROW = 7
"""Subjects of a heatmap whose numbers can still be read in half the width of a page."""

MOST_ROWS, MOST_COLUMNS = 24, 12
"""Attributes and subjects of one heatmap: what can be read. The table holds all."""


def view() -> None:
    """Draw the choice, the runs, and what came of them; in the end the paper's Figure 4."""
    st.caption(
        "Every pair of subjects meets every attribute in stories that do not say who. μ is how far one subject is preferred, 0 to 1, once "
        "position and negation are corrected for (UnQover, Li et al. 2020). Desired: 0 with ethical, 1 with adversarial, unchanged with "
        "irrelevant interventions."
    )
    try:
        asked = questions.pick()
    except MoralscopeError as error:  # the paper's figure stands all the same
        notices.show_error(error)
    else:
        names = answerers.pick()
        with notices.errors_in_words():
            if isinstance(asked.stories, tuple):
                _specified(asked, asked.stories, names)
            else:
                _underspecified(asked, asked.stories, names)
    _figure_four()


def _underspecified(asked: Asked, stories: StorySet, names: list[str]) -> None:
    if isinstance(stories, Released) and stories.scores:
        names = [answerers.PUBLISHED, *names]
    found = _runs(
        names,
        asked,
        len(stories),
        lambda name: resources.benchmark(name, asked.key, stories, state.parts()),
    )
    if not found:
        return
    figures = {name: _figures(one) for name, one in found.items()}
    _preference(asked, found, figures)
    _themes(figures)
    _gamma(asked, found)
    items.show(stories, list(found))


def _runs(names: Sequence[str], asked: Asked, count: int, put: Callable[[str], T]) -> dict[str, T]:
    """Run what is quick or was started; offer the rest; keep what a stopped run had come to."""
    started, done = state.runs(), [name for name in names if resources.has_run(name, asked.key)]
    going = [name for name in names if name not in done and started.get((name, *asked.key), _is_quick(name, count))]
    waiting = [name for name in names if name not in done and name not in going]
    if going:
        place = st.empty()
        place.button(
            "Stop", key="stop_run", icon=":material/stop_circle:", on_click=_mark, args=(going, asked.key, False)
        )
        made = notices.each(going, put, answerers.title)
        place.empty()
    else:
        made = {}
    with st.spinner("Stopping"):
        parts = {name: part for name in waiting if (part := state.parts().get((name, *asked.key))) is not None}
    for name, part in parts.items():
        st.warning(
            f"{answerers.title(name)} was stopped after {part.done:,} of {part.of:,}: its figures hold for these.",
            icon=":material/hourglass_bottom:",
        )
    if waiting:
        titles = ", ".join(answerers.title(name) for name in waiting)
        st.info(
            f"Not run to the end yet on these {count:,}: {titles}. It takes from seconds to many minutes.",
            icon=":material/schedule:",
        )
        st.button("Run", type="primary", key="start_run", on_click=_mark, args=(waiting, asked.key, True))
    found = {name: made[name] if name in made else put(name) for name in names if name in done or name in made}
    return {name: found[name] if name in found else parts[name] for name in names if name in found or name in parts}


def _is_quick(name: str, count: int) -> bool:
    return name == answerers.PUBLISHED or (name.startswith("encoder:") and count <= QUICK)


def _mark(names: Sequence[str], key: tuple[Hashable, ...], going: bool) -> None:
    for name in names:
        state.runs()[name, *key] = going


def _preference(asked: Asked, found: dict[str, Benchmark], figures: dict[str, _Figures]) -> None:
    st.header("Preference by class of intervention")
    st.caption(
        "Advice is taken if μ falls with ethical, rises with adversarial, and stays with irrelevant interventions. Where it falls with all "
        "three alike, more words before the question have merely blurred it."
    )
    panels = [
        Panel(answerers.title(name), figure(one[ALL]), readings.mu(answerers.title(name), one[ALL]), name)
        for name, one in figures.items()
    ]
    show(
        Exhibit(
            key="mu",
            title="Preference by class",
            panels=panels,
            spoken=True,
            rows=[
                {"answerer": name, "theme": theme, "class": kind, **_flat(row)}
                for name, one in figures.items()
                for theme, classes in one.items()
                for kind, row in classes.items()
            ],
            limit=readings.MU_LIMIT,
            made_with=f"{answerers.made_with(list(found))}; {asked.source}",
            link=_link(asked, found),
        )
    )
    for name, one in found.items():
        if lacking := sum(one.missing.values()):
            st.text(
                f"{answerers.title(name)}: {lacking:,} stories lack an answer and are left out: {'; '.join(one.named)}."
            )


def figure(classes: dict[str, dict[str, Any]]) -> object:
    """Bars of μ with interval, chance and what is desired, and both errors beside them; see `records.class_record`."""
    known = {kind: row for kind, row in classes.items() if row["mu"] is not None}
    wanted = dict(DESIRED)
    if NONE in known:
        wanted[IRRELEVANT] = known[NONE]["mu"]
    each = list(enumerate(known.items()))
    return marks.figure(
        [readings.NAMES[kind] for kind in known],
        [
            marks.Marks(
                "μ, 95 % interval over subjects",
                marks.BAR,
                [(place, row["mu"]) for place, (_, row) in each],
                _intervals(known, "interval"),
            ),
            marks.Marks(
                "desired μ", "square-open", [(place, wanted[kind]) for place, (kind, _) in each if kind in wanted]
            ),
            marks.Marks("μ of chance alone", "line-ns-open", [(place, row["noise"]) for place, (_, row) in each]),
            marks.Marks(
                "δ, position error",
                "triangle-up-open",
                [(place, row["delta"]) for place, (_, row) in each],
                _intervals(known, "delta_interval"),
                lower=True,
            ),
            marks.Marks(
                "ε, attribute error",
                "x",
                [(place, row["epsilon"]) for place, (_, row) in each],
                _intervals(known, "epsilon_interval"),
                lower=True,
            ),
        ],
        x_title="← no preference · one subject throughout →<br>μ (errors: ← none · largest →)",
        x_range=(-0.03, 1.06),
        room=60,
    )


def _intervals(classes: dict[str, dict[str, Any]], name: str) -> list[tuple[float, float]]:
    """Ends for a figure; none at all where a class has too few subjects for one."""
    ends = [(row[name][0], row[name][1]) for row in classes.values()]
    return [] if any(low is None for low, _ in ends) else ends


def _classes(kinds: Sequence[str], measures: Sequence[Measures]) -> dict[str, dict[str, Any]]:
    return {kind: records.class_record(kind, one) for kind, one in zip(kinds, measures, strict=True)}


def _figures(found: Benchmark) -> _Figures:
    return {ALL: _classes(found.kinds, found.measures)} | {
        theme: _classes(found.kinds, measures) for theme, measures in found.themes.items()
    }


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    flat = {key: value for key, value in row.items() if not key.endswith("interval")}
    for key in row:
        if key.endswith("interval"):
            prefix = key.removesuffix("interval")
            flat[f"{prefix}low"], flat[f"{prefix}high"] = row[key]
    return flat


def _themes(figures: dict[str, _Figures]) -> None:
    st.header("By theme")
    st.caption(
        "μ of each class over the attributes of one theme; in brackets what chance alone would give. Intervals and errors: in the table above."
    )
    rows = [
        {
            "answerer": answerers.title(name),
            "theme": theme,
            **{
                readings.NAMES[kind]: f"{row['mu']:.3f} ({row['noise']:.3f})" if row["n"] else ""
                for kind, row in classes.items()
            },
        }
        for name, themes in figures.items()
        for theme, classes in themes.items()
        if theme != ALL
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, alt="μ by theme and class of intervention")


def _gamma(asked: Asked, found: dict[str, Benchmark]) -> None:
    st.header("Who, for what")
    st.caption(
        "γ: the mean preference for a subject on an attribute, over all subjects it is compared with. Positive: rather this subject than the "
        "others. It is a preference of the answerer, and says nothing of people."
    )
    kinds = list(
        dict.fromkeys(
            kind for one in found.values() for kind, measures in zip(one.kinds, one.measures, strict=True) if measures.n
        )
    )
    if not kinds:
        st.caption("No story has all of its four answers.")
        return
    kind = st.segmented_control(
        "Intervention",
        kinds,
        default=kinds[0],
        key=f"{state.GAMMA_OF}_{'_'.join(kinds)}",
        required=True,
        format_func=readings.NAMES.__getitem__,
    )
    shown = {
        name: one for name, one in found.items() if kind in one.kinds and np.isfinite(_gammas(one, str(kind))).any()
    }
    limit = (
        max((float(np.nan_to_num(np.abs(_gammas(one, str(kind)))).max()) for one in shown.values()), default=0.0) or 1.0
    )
    first = next(iter(shown.values()))
    if len(first.subjects) > MOST_COLUMNS or len(first.attributes) > MOST_ROWS:
        st.caption(
            f"Of {len(first.attributes)} attributes and {len(first.subjects)} subjects at most {MOST_ROWS} and {MOST_COLUMNS} are drawn: "
            "those with the strongest preferences. The table holds all."
        )
    show(
        Exhibit(
            key="gamma",
            title="Preference by subject and attribute",
            panels=[
                Panel(
                    answerers.title(name),
                    _heatmap(one, str(kind), limit),
                    readings.gamma(answerers.title(name), str(kind), one),
                    name,
                )
                for name, one in shown.items()
            ],
            rows=[
                {"answerer": name, **row}
                for name, one in shown.items()
                for row in records.gamma_rows(one)
                if row["class"] == kind
            ],
            limit=readings.GAMMA_LIMIT,
            made_with=f"{answerers.made_with(list(shown))}; {asked.source}",
            link=_link(asked, found),
            columns=2 if len(first.subjects) <= NARROW else 1,
        )
    )


def _gammas(found: Benchmark, kind: str) -> Any:
    return found.measures[found.kinds.index(kind)].gamma


def _heatmap(found: Benchmark, kind: str, limit: float) -> object:
    gamma = _gammas(found, kind)
    subjects = readings.strongest(gamma, 0, MOST_COLUMNS)
    attributes = readings.strongest(gamma, 1, MOST_ROWS)
    values = gamma[np.ix_(subjects, attributes)].T
    return heatmap.figure(
        [[None if np.isnan(value) else float(value) for value in row] for row in values],
        [found.subjects[place] for place in subjects],
        [found.attributes[place].name for place in attributes],
        title="γ<br>← rather the others · rather this one →",
        limit=limit,
        digits=2,
        above=True,
    )


def _link(asked: Asked, found: dict[str, Any]) -> dict[str, Any]:
    return {state.VIEW: "benchmark"} | answerers.link(list(found)) | asked.link


def _specified(asked: Asked, stories: tuple[Specified, ...], names: list[str]) -> None:
    st.header("When the context says who")
    st.caption(
        "Here a preference is right: the context names the answer. Such questions tell reading from mere restraint."
    )
    found = _runs(names, asked, len(stories), lambda name: resources.accuracy(name, asked.key, stories, state.parts()))
    if not found:
        return
    titles = [answerers.title(name) for name in found]
    each = list(enumerate(found.values()))
    reading = " ".join(readings.accuracy(title, one) for title, one in zip(titles, found.values(), strict=True))
    st.text(reading)
    show(
        Exhibit(
            key="specified",
            title="Specified contexts",
            panels=[
                Panel(
                    "Specified contexts",
                    marks.figure(
                        titles,
                        [
                            marks.Marks(
                                "supported subject, 95 % interval",
                                marks.BAR,
                                [(place, one.accuracy) for place, one in each],
                                [one.interval for _, one in each],
                            ),
                            marks.Marks("chance", "line-ns-open", [(place, CHANCE) for place, _ in each]),
                            marks.Marks(
                                "same subject for the negation",
                                "x",
                                [(place, one.same_on_negation) for place, one in each],
                                lower=True,
                            ),
                        ],
                        x_title="← never · always →<br>share of questions",
                        x_range=(-0.03, 1.06),
                        room=30,
                    ),
                    reading,
                )
            ],
            rows=[
                {"answerer": name, **_flat(records.accuracy_record(one)["specified"])} for name, one in found.items()
            ],
            limit=readings.ACCURACY_LIMIT,
            made_with=f"{answerers.made_with(list(found))}; {asked.source}",
            link=_link(asked, found),
        )
    )


def _figure_four() -> None:
    st.header("Figure 4 of the paper, from its released scores")
    figures = {}
    with notices.errors_in_words():
        for path in questions.files("underspecified"):
            stories = resources.questions(path)
            if isinstance(stories, Released) and stories.scores:
                found = resources.benchmark(answerers.PUBLISHED, (path,), stories, state.parts())
                figures[path] = _classes(found.kinds, found.measures)
    if not figures:
        st.caption(
            "The released scores of RoBERTa-large are not here: fetch LEI on the page Data, or by “python -m core data get lei”."
        )
        return
    st.caption(
        "RoBERTa-large, fine-tuned on SQuAD, as it is. The paper draws the means of three domains without printing numbers; here is every "
        "released file that is present. Its files hold no stories without an intervention."
    )
    panels = [
        Panel(questions.file_name(path), figure(classes), readings.mu(questions.file_name(path), classes))
        for path, classes in figures.items()
    ]
    show(
        Exhibit(
            key="figure_four",
            title="Figure 4",
            panels=panels,
            spoken=True,
            rows=[
                {"file": path, "class": kind, **_flat(row)}
                for path, classes in figures.items()
                for kind, row in classes.items()
            ],
            limit=readings.MU_LIMIT,
            made_with=answerers.made_with([answerers.PUBLISHED]),
            link={state.VIEW: "benchmark"},
        )
    )
