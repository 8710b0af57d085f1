import streamlit as st

from components import encoder_picker, state
from components.interventions import benchmark, few_shot, try_it

VIEWS = {"try": try_it.view, "benchmark": benchmark.view, "few-shot": few_shot.view}

st.title("Ethical interventions")
st.write(
    "Does a model that answers questions take advice? For a class that wants to say “do not judge by gender” and see whether it is heard, "
    "and for a reviewer who wants the controlled benchmark of Zhao et al. (2021): ethical, adversarial and irrelevant interventions, "
    "each with the answer it asks for."
)
encoder_picker.notice()
chosen = st.segmented_control(
    "View",
    list(VIEWS),
    default="try",
    key=state.VIEW,
    bind="query-params",
    required=True,
    help="Try: one story. Benchmark: thousands. Few-shot: what teaching a model changes.",
)
VIEWS[str(chosen)]()
