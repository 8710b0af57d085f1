import numpy as np
import pandas as pd
import streamlit as st

from components import encoder_picker, inputs, notices, readings, resources, state
from components.exhibit import Exhibit, Panel, show
from components.figures import axis, bias, context, scales
from core import records
from core.moral import templates as question_templates
from core.statistics import pearson

st.title("Moral choice")
st.write(
    "Where does a sentence encoder place an action: nearer to *yes* or to *no*? For a class that wants to try the "
    "Moral Choice Machine, and for anyone who must judge what such a score is worth. Type actions, add contexts, "
    "and compare encoders from the sidebar."
)
encoder_picker.notice()

with notices.errors_in_words():
    phrases = inputs.phrases()
    templates = inputs.templates()
    if not phrases.phrases:
        st.info("Nothing to score yet: write a phrase above, or take an example.", icon=":material/edit:")
        st.stop()
    results = encoder_picker.each(lambda name: resources.scores(name, templates, phrases.texts))

notices.left_out(phrases)
inputs.name_unknown(list(results), phrases.texts)
factor = inputs.factor(templates)
shown = inputs.window(len(phrases.texts))

made_with = "; ".join(encoder_picker.made_with(compass.provenance, name) for name, (compass, _) in results.items())
made_with += f"; {len(templates)} question templates"
link = {state.ENCODERS: list(results), state.SHARED_PHRASES: inputs.as_text(phrases)}
if factor != 1:
    link[state.UNIT] = inputs.SUM
if templates != question_templates.published():
    link[state.SHARED_TEMPLATES] = question_templates.render(templates)
if state.get(state.HEATMAP) == inputs.EFFECT:
    link[state.HEATMAP] = inputs.EFFECT
unit = inputs.MEAN if factor == 1 else inputs.SUM
st.caption(f"Computed by: {notices.plain(made_with)}.")


st.header("Bias: nearer to yes or to no")
st.caption(
    "Each open circle is one question, the diamond their mean with its 95 % bootstrap interval. Above, for comparison, "
    "the Dos and Don'ts that Jentzsch et al. (2019) publish, scored by the same encoder."
)
for name, (_, scores) in results.items():
    with st.container(border=True):
        st.caption(f"In words, {notices.plain(encoder_picker.title(name))}:")
        st.text("\n".join(readings.phrase(scores, index, factor=factor) for index in shown[:6]))
shared = scales.union(bias.extent(compass, scores, factor=factor) for compass, scores in results.values())
show(
    Exhibit(
        key="bias",
        title="Moral bias",
        panels=[
            Panel(
                encoder_picker.title(name),
                bias.figure(compass, scores, shown=shown, factor=factor, x_range=shared),
                readings.bias_figure(encoder_picker.title(name), scores, factor=factor),
                name,
            )
            for name, (compass, scores) in results.items()
        ],
        rows=[row for compass, scores in results.values() for row in records.bias_rows(compass, scores, factor, unit)],
        limit=readings.CHOICE_LIMIT,
        made_with=made_with,
        link=link,
    )
)

st.header("How far to trust these scores")
for name, (compass, scores) in results.items():
    mean, negated = scores.choice.mean, scores.negated
    together = pearson(mean, negated).r if len(mean) >= 4 and np.ptp(mean) and np.ptp(negated) else None
    flipped = float((np.sign(mean) != np.sign(negated)).mean())
    st.markdown(
        f"**{notices.plain(encoder_picker.title(name))}.** {readings.compass_line(compass, factor=factor)} "
        f"{readings.negation(together, flipped)}"
    )
alike = {"question": [template.question for template in templates]} | {
    f"cos(yes, no), {name}": compass.answer_similarity.round(3) for name, (compass, _) in results.items()
}
alike_drawer = st.expander("How alike are the two answers of each template?", key="drawer_alike", on_change="rerun")
if alike_drawer.open:
    with alike_drawer:
        st.caption("A cosine of 1 would leave no room for a score: both answers would be the same to the encoder.")
        st.dataframe(
            pd.DataFrame(alike), hide_index=True, alt="Cosine of the affirming and the denying answer, per template"
        )

st.header("Place on the moral axis")
st.caption(
    "The axis is the direction in which 65 seed actions differ most, turned so that smile, love, thank and help lie on "
    "its Do side and kill, murder, harm and torture on its Don't side. Bars are 95 % bootstrap intervals over seeds."
)
for name, (compass, _) in results.items():
    if not compass.axis.beats_random:
        st.caption(notices.plain(encoder_picker.title(name)))
        notices.no_axis(compass)
with_axis = {name: result for name, result in results.items() if result[0].axis.beats_random}
if with_axis:
    shared = scales.union(axis.extent(compass, scores) for compass, scores in with_axis.values())
    show(
        Exhibit(
            key="axis",
            title="Moral axis",
            panels=[
                Panel(
                    encoder_picker.title(name),
                    axis.figure(compass, scores, shown=shown, x_range=shared),
                    readings.axis_figure(encoder_picker.title(name), scores),
                    name,
                )
                for name, (compass, scores) in with_axis.items()
            ],
            rows=[row for compass, scores in with_axis.values() for row in records.axis_rows(compass, scores)],
            limit=readings.AXIS_LIMIT,
            made_with=made_with,
            link=link,
        )
    )

pairs = [item for item in phrases.grid if item.text in {phrases.texts[index] for index in shown}]
if any(item.context for item in pairs):
    st.header("What a context does")
    as_effect = inputs.heatmap_shows_effect()
    cells = {name: context.cells(pairs, scores, factor=factor) for name, (_, scores) in results.items()}
    limit = max(abs(cell.effect if as_effect else cell.score) for found in cells.values() for cell in found) or 1.0
    show(
        Exhibit(
            key="context",
            title="Context",
            panels=[
                Panel(
                    encoder_picker.title(name),
                    context.figure(
                        found,
                        as_effect=as_effect,
                        poles="← towards “no” · towards “yes” →" if as_effect else bias.POLES,
                        limit=limit,
                    ),
                    readings.context_figure(encoder_picker.title(name), found),
                    name,
                )
                for name, found in cells.items()
            ],
            rows=[
                {
                    "encoder": name,
                    "action": cell.action,
                    "context": cell.context,
                    "unit": unit,
                    "score": cell.score,
                    "effect": cell.effect,
                }
                for name, found in cells.items()
                for cell in found
            ],
            limit=readings.CONTEXT_LIMIT,
            made_with=made_with,
            link=link,
        )
    )
