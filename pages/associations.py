import streamlit as st

from components import encoder_picker, state
from components.associations import scatter, tests, verbs

VIEWS = {"scatter": scatter.view, "verbs": verbs.view, "tests": tests.view}

st.title("Word associations")
st.write(
    "Which words does an encoder put near good and bad ones, and is that more than chance? For a student who has read "
    "Caliskan et al. (2017) and wants to see it, and for a reviewer who asks whether it is significant."
)
encoder_picker.notice()
chosen = st.segmented_control(
    "View",
    list(VIEWS),
    default="scatter",
    key=state.VIEW,
    bind="query-params",
    required=True,
    help="Scatter: association against moral bias. Verbs: extract Dos and Don'ts. Tests: association tests (WEAT).",
)
VIEWS[str(chosen)]()
