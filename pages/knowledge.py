import streamlit as st

from components import encoder_picker, inputs, readings, state
from components.knowledge import mitigation, overview, picker, targets, trust

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
found = picker.pick()
if not found:
    st.stop()
view = st.segmented_control(
    "View",
    list(VIEWS),
    default="overview",
    key=state.VIEW,
    bind="query-params",
    required=True,
    help="Overview: boxes and counts. Targets: regions, one target, statements. Mitigation: what a filter changes. Trust: how "
    "often the classifiers agree with people.",
)
link = {state.ENCODERS: encoder_picker.chosen(), **picker.link(), state.VIEW: str(view)}
limit = f"{readings.KNOWLEDGE_LIMIT} {trust.note(list(dict.fromkeys(name for item in found for name in item.labels)))}"
VIEWS[str(view)](found, inputs.made_with(encoder_picker.chosen()[:1]), limit, link)
