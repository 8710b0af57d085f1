import numpy as np
import streamlit as st

from components import (
    data_panel,
    encoder_picker,
    inputs,
    notices,
    readings,
    resources,
    seed_editor,
    state,
    uploads,
    variants,
)
from components.exhibit import Exhibit, Panel, show
from components.figures import axis as axis_figure
from components.figures import dots, plane, scales, scatter, variance
from core import datasets
from core.errors import MoralscopeError
from core.moral import representation, survey
from core.moral import seeds as seed_lists
from core.moral import study as studies
from core.moral.published import ENCODERS, KINDS, table9
from core.moral.templates import published
from core.statistics import line
from core.text import PhraseList

st.title("Moral axis")
st.write(
    "Is there really a moral direction in an encoder, and whose? For a class that asks so, and for a reviewer who wants "
    "the evidence before trusting a position. The axis is the first principal component of questions about 65 plain "
    "actions (Schramowski et al. 2019); here are its variance, its stability, and how far the paper and people agree."
)
encoder_picker.notice()

with notices.errors_in_words():
    seeds = seed_editor.show()
    kind = inputs.representation()
    templates = published()
    made = encoder_picker.each(lambda name: resources.study(name, seeds, kind, templates))
    own = seeds != seed_lists.published()
    first = {name: resources.study(name, seed_lists.published(), kind, templates) for name in made} if own else {}
inputs.name_unknown(list(made), seeds.actions)
loaded = {name: resources.encoder(name) for name in made}
title = encoder_picker.title
link = {state.ENCODERS: list(made), state.KIND: kind} | ({state.SHARED_SEEDS: seed_lists.render(seeds)} if own else {})
for name in first:
    st.text(readings.seeds_changed(title(name), made[name], first[name]))
made_with = "; ".join(encoder_picker.made_with(found.provenance, name) for name, found in made.items())
made_with += f"; {len(seeds.actions)} seeds; {representation.TITLES[kind]}"

st.header("Does anything stand out?")
st.caption(
    "Bars: share of the seeds' variance that each component explains. Dashed: what the same analysis of random vectors "
    "reaches in 95 of 100 cases. An axis must rise above it. Paper 2 draws four cases (Figure 3): two encoders, questions "
    "and differences from the rejected answer."
)
with notices.errors_in_words():
    cases = {
        (name, case): resources.study(name, seeds, case, templates)
        for name in made
        for case in dict.fromkeys((representation.QUESTIONS, representation.DIFFERENCES, kind))
    }
highest = max(float(found.axis.variance_explained[0]) for found in cases.values())
show(
    Exhibit(
        key="variance",
        title="Variance explained",
        panels=[
            Panel(
                f"{title(name)}: {representation.TITLES[case]}",
                variance.figure(found.axis.variance_explained, found.axis.random_line, highest=highest),
                readings.variance(f"{title(name)}, {representation.TITLES[case]}", found),
            )
            for (name, case), found in cases.items()
        ],
        rows=[
            {
                "encoder": name,
                "vectors": case,
                "component": number,
                "variance_explained": float(share),
                "random_line": float(random),
            }
            for (name, case), found in cases.items()
            for number, (share, random) in enumerate(
                zip(found.axis.variance_explained, found.axis.random_line, strict=True), start=1
            )
        ],
        limit=readings.VARIANCE_LIMIT,
        made_with=made_with,
        link=link,
    )
)
for name, found in made.items():
    st.markdown(readings.variance(f"**{notices.plain(title(name))}**", found))
with_axis = {name: found for name, found in made.items() if found.axis.beats_random}
for name in made:
    if name not in with_axis:
        st.caption(notices.plain(title(name)))
        notices.no_axis(made[name])
if not with_axis:
    st.stop()

st.header("The map")
st.caption(
    "Seeds and actions in context on the first two components. Labels that would overlap are left to the pointer and the "
    "table. Drag to move, scroll or pinch to zoom."
)
try:
    phrases = inputs.phrases()
except MoralscopeError as error:  # the rest of the page does not depend on them
    notices.show_error(error)
    phrases = PhraseList((), (), 0, ())
layers = inputs.layers()
context = table9("bert", KINDS[1])
printed = {
    action: position
    for paper in (table9("bert", KINDS[0]), context)
    for action, position in zip(paper.actions, paper.positions, strict=True)
}
with notices.errors_in_words():
    placed = {}
    for name, found in with_axis.items():
        groups = [("seeds", "circle", found.seeds.actions)] if inputs.SEEDS in layers else []
        groups += [("actions in context (paper)", "square", context.actions)] if inputs.CONTEXTS in layers else []
        groups += [("your phrases", "diamond", phrases.texts)] if inputs.PHRASES in layers and phrases.texts else []
        vectors = [resources.vectors(name, found, texts) for _, _, texts in groups]
        known = resources.vectors(name, found, list(printed))
        placed[name] = [
            plane.Group(
                label,
                symbol,
                texts,
                found.axis.plane(of_group),
                [
                    readings.beside_paper(text, list(printed)[row], printed)
                    for text, row in zip(texts, studies.nearest(of_group, known), strict=True)
                ],
            )
            for (label, symbol, texts), of_group in zip(groups, vectors, strict=True)
        ]
with st.container(key=state.WIDE):
    if all(placed.values()):
        show(
            Exhibit(
                key="map",
                title="Map",
                columns=1,
                panels=[
                    Panel(
                        title(name),
                        plane.figure(groups, explained=with_axis[name].axis.variance_explained),
                        readings.axis_map(title(name), groups),
                        name,
                    )
                    for name, groups in placed.items()
                ],
                rows=[
                    {
                        "encoder": name,
                        "kind": group.name,
                        "action": text,
                        "first": float(point[0]),
                        "second": float(point[1]),
                        "table9_bert": printed.get(text),
                    }
                    for name, groups in placed.items()
                    for group in groups
                    for text, point in zip(group.texts, group.positions, strict=True)
                ],
                limit=readings.AXIS_LIMIT,
                made_with=made_with,
                link=link | {state.SHARED_PHRASES: inputs.as_text(phrases), state.LAYERS: layers},
            )
        )
    else:
        st.info("Nothing to draw: choose what the map shows.", icon=":material/layers:")

if phrases.texts:
    st.subheader("Your phrases on the axis")
    with notices.errors_in_words():
        scored = {
            name: studies.on_axis(loaded[name], found, *resources.scores(name, templates, phrases.texts))
            for name, found in with_axis.items()
        }
    shown = inputs.window(len(phrases.texts))
    x_range = scales.union(axis_figure.extent(compass, scores) for compass, scores in scored.values())
    st.caption("The first component alone, with 95 % intervals over the seeds.")
    show(
        Exhibit(
            key="strip",
            title="Phrases on the axis",
            panels=[
                Panel(
                    title(name),
                    axis_figure.figure(compass, scores, shown=shown, x_range=x_range),
                    readings.axis_figure(title(name), scores),
                )
                for name, (compass, scores) in scored.items()
            ],
            rows=[
                {"encoder": name, "action": text, "position": float(at), "low": float(low), "high": float(high)}
                for name, (_, scores) in scored.items()
                for text, at, low, high in zip(
                    scores.texts, scores.position, scores.position_low, scores.position_high, strict=True
                )
            ],
            limit=readings.AXIS_LIMIT,
            made_with=made_with,
            link=link | {state.SHARED_PHRASES: inputs.as_text(phrases)},
        )
    )

st.header("How stable is it?")
st.caption(
    "The axis refitted without each seed, and with the seeds drawn anew; 1 would mean that it does not turn at all. Below, "
    "every seed with the interval of its position over these draws."
)
for name, found in with_axis.items():
    st.text(readings.stability(title(name), found))
panels, rows = [], []
for name, found in with_axis.items():
    position = found.axis.position(found.axis.seeds)
    low, high = found.axis.interval(found.axis.seeds)
    order = np.argsort(-position)
    panels.append(
        Panel(
            title(name),
            dots.figure(
                [found.seeds.actions[row] for row in order],
                position[order],
                low=np.minimum(low, position)[order],
                high=np.maximum(high, position)[order],
                x_title=axis_figure.POLES,
                x_range=(-1.1, 1.1),
            ),
            readings.stability(title(name), found),
        )
    )
    rows += [
        {
            "encoder": name,
            "seed": found.seeds.actions[row],
            "position": float(position[row]),
            "low": float(low[row]),
            "high": float(high[row]),
            "cosine_without": float(found.stability.without_seed[row]),
        }
        for row in order
    ]
show(
    Exhibit(
        key="stability",
        title="Seeds and stability",
        panels=panels,
        rows=rows,
        limit=readings.AXIS_LIMIT,
        made_with=made_with,
        link=link,
    )
)

st.subheader("What turns it")
st.caption(
    "|cos| with the axis of all seeds and templates: 1 is the same direction. The axis without each question template; "
    "without one seed (median and range over the seeds); and with the seeds drawn anew (median and 95 % of the draws)."
)
turns = {name: readings.turns(found) for name, found in with_axis.items()}
lowest = min(low for rows in turns.values() for _, _, low, _ in rows)
show(
    Exhibit(
        key="turns",
        title="What turns the axis",
        panels=[
            Panel(
                title(name),
                dots.figure(
                    [what for what, _, _, _ in rows],
                    np.array([value for _, value, _, _ in rows]),
                    low=np.array([low for _, _, low, _ in rows]),
                    high=np.array([high for _, _, _, high in rows]),
                    x_title="← turned · the same →<br>|cos| with the axis of all",
                    x_range=(lowest - 0.02, 1.005),
                ),
                readings.turned(title(name), rows),
                name,
            )
            for name, rows in turns.items()
        ],
        rows=[
            {"encoder": name, "refitted": what, "cosine": value, "low": low, "high": high}
            for name, rows in turns.items()
            for what, value, low, high in rows
        ],
        limit=readings.AXIS_LIMIT,
        made_with=made_with,
        link=link,
    )
)

st.header("Against the paper")
paper = inputs.paper()
with notices.errors_in_words():
    compared = {
        (name, part): resources.compared(name, found, table9(paper, part))
        for name, found in with_axis.items()
        for part in KINDS
    }
    before = {
        (name, part): resources.compared(name, first[name], table9(paper, part)).r for name, part in compared if own
    }
panels = []
for name in with_axis:
    both = [compared[name, part] for part in KINDS]
    theirs, ours = (np.concatenate(values) for values in ([c.theirs for c in both], [c.ours for c in both]))
    actions = [action for comparison in both for action in comparison.actions]
    apart = survey.disagreements(ours, theirs, actions, top=8)
    said = "; ".join(
        f"{readings.correlated(part, compared[name, part].r, before.get((name, part)))}, ρ = "
        f"{readings.signed(compared[name, part].rho.r, 2)} (about {readings.signed(compared[name, part].rho.low, 2)} to "
        f"{readings.signed(compared[name, part].rho.high, 2)})"
        for part in KINDS
    )
    panels.append(
        Panel(
            title(name),
            scatter.figure(
                [
                    scatter.Group(f"{part} actions", symbol, c.actions, c.theirs, c.ours)
                    for part, symbol, c in zip(KINDS, ("circle", "square"), both, strict=True)
                ],
                x_title=f"paper: {ENCODERS[paper]},<br>sign turned",
                y_title="position here",
                line=line(theirs, ours),
                named=[item.action for item in apart],
            ),
            f"{title(name)} against {ENCODERS[paper]}: {said}. {readings.furthest(apart)}",
        )
    )
show(
    Exhibit(
        key="paper",
        title="Against Table 9",
        panels=panels,
        spoken=True,
        rows=[
            {"encoder": name, "kind": part, "action": action, "paper": float(theirs), "here": float(ours)}
            for (name, part), found in compared.items()
            for action, theirs, ours in zip(found.actions, found.theirs, found.ours, strict=True)
        ],
        limit=readings.PAPER_LIMIT,
        made_with=made_with,
        link=link | {state.PAPER: paper},
        same_scale="xy",
    )
)

st.header("Against people")
st.caption(
    "Share of people who answered Yes when asked about each action, against the position here. The surveys are those of "
    "the authors' later study (MoRT; MIT licence): 113 actions asked 27 to 29 people of one region each, and 116 asked "
    "234 crowd workers each. Your own file works the same."
)
which = inputs.survey()
sent = uploads.table(
    "A survey of your own (CSV)", key=state.OWN_SURVEY, help_text="Columns action, yes, no; counts of votes; UTF-8."
)
votes, asked = None, {}
try:
    content = sent if sent is not None else datasets.require(which, datasets.default_directory()).read_bytes()
    votes = survey.read(content)
    asked = {name: resources.people(name, found, votes) for name, found in with_axis.items()}
    asked_before = {name: resources.people(name, first[name], votes).axis for name in asked if own}
except MoralscopeError as error:
    votes = None
    if sent is not None:
        notices.show_error(error)
    else:
        data_panel.survey_missing(which)

of_survey = {state.SURVEY: state.get(state.SURVEY)} if sent is None else {}
with_survey = made_with + ("" if sent is None else "; a survey of the reader's own, which no link holds")
if votes is not None:
    panels = []
    for name, agreed in asked.items():
        apart = survey.disagreements(agreed.axis_scores, agreed.survey.share, agreed.survey.actions, top=6)
        panels.append(
            Panel(
                title(name),
                scatter.figure(
                    [
                        scatter.Group(
                            "actions", "circle", agreed.survey.actions, agreed.survey.share, agreed.axis_scores
                        )
                    ],
                    x_title="share of people who say Yes",
                    y_title="position on the axis",
                    line=line(agreed.survey.share, agreed.axis_scores),
                    named=[item.action for item in apart],
                ),
                f"{title(name)}: {readings.correlated('axis and people', agreed.axis, asked_before.get(name))}; "
                f"{readings.correlated('moral bias and people', agreed.mcm)}. {readings.furthest(apart)}",
            )
        )
    show(
        Exhibit(
            key="people",
            title="Against people",
            panels=panels,
            spoken=True,
            rows=[
                {"encoder": name, "action": action, "share": float(share), "axis": float(at), "bias": float(score)}
                for name, agreed in asked.items()
                for action, share, at, score in zip(
                    agreed.survey.actions, agreed.survey.share, agreed.axis_scores, agreed.mcm_scores, strict=True
                )
            ],
            limit=readings.PEOPLE_LIMIT if sent is None else readings.OWN_SURVEY_LIMIT,
            made_with=with_survey,
            link=link | of_survey,
            same_scale="xy",
        )
    )

st.header("Could another direction do better?")
st.caption(
    "The paper's axis is found without labels. Other ways: the mean difference of Dos and Don'ts, and a ridge probe, fitted "
    "to seeds, published verbs, or published positions, never to the survey; and other vectors for a phrase, such as the "
    "difference of two framings. All that were tried are listed, not only the best: with this many tries on one survey, the "
    "top of the table is partly luck. Stability: mean |cos| when one training item is left out, its sides and the probe's "
    "penalty kept; an average of scores has no direction of its own."
)
if not inputs.wants_variants():
    st.stop()
for name in with_axis:
    variants.show(name, seeds, votes, made_with=with_survey, link=link | of_survey)
