import streamlit as st

from components import encoder_picker, inputs, readings, state
from components.knowledge import jobs, mitigation, overview, picker, statements, targets, trust

VIEWS = {"overview": overview.view, "targets": targets.view, "mitigation": mitigation.view, "trust": trust.view}

st.title("Knowledge harms")
st.write(
    "Does a knowledge base, a data set or a model speak worse of some groups than of others? For whoever must say so and show "
    "the sentences: overgeneralization (how polarised the statements about a group are) and disparity (how unevenly so), after "
    "Mehrabi et al. (2021), down to every statement."
)
encoder_picker.notice()
if not picker.warned():
    st.stop()
found, waiting = picker.pick()
place = st.container()
if found:
    view = st.segmented_control(
        "View",
        list(VIEWS),
        default="overview",
        key=state.VIEW,
        bind="query-params",
        required=True,
        help="Overview: boxes and counts. Targets: regions, one target, typical words. Mitigation: what a filter changes. "
        "Trust: how often the classifiers agree with people. Every view ends with the statements.",
    )
    classifiers = list(dict.fromkeys(name for item in found for name in item.labels))
    waiting += trust.jobs(classifiers)
    link = {state.ENCODERS: encoder_picker.chosen(), **picker.link(), **statements.link(), state.VIEW: str(view)}
    limit = f"{readings.KNOWLEDGE_LIMIT} {trust.note(classifiers)}"
    VIEWS[str(view)](found, inputs.made_with(encoder_picker.chosen()), limit, link)
jobs.do(place, waiting)
