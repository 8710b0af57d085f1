"""The entry script: page frame, navigation and what all pages share."""

from pathlib import Path

import streamlit as st

from components import encoder_picker

ASSETS = Path(__file__).resolve().parent.parent / "assets"

# An icon of our own: for a named one, as the menu has, every reader's browser would ask a font server on the internet.
st.set_page_config(page_icon=ASSETS / "icon.svg", layout="wide")
st.html(ASSETS / "style.css")
st.logo(str(ASSETS / "logo.svg"), size="large")

page = st.navigation(
    [
        st.Page(
            "../pages/start.py",
            title="Start",
            icon=":material/home:",
            default=True,
            help="What Moralscope shows, with an example and three tours.",
        ),
        st.Page(
            "../pages/moral_choice.py",
            title="Moral choice",
            icon=":material/balance:",
            url_path="moral_choice",
            help="Type actions with contexts; see where an encoder places them between yes and no.",
        ),
        st.Page(
            "../pages/moral_axis.py",
            title="Moral axis",
            icon=":material/linear_scale:",
            url_path="moral_axis",
            help="What the first component of moral questions really is: the evidence, and what people say.",
        ),
        st.Page(
            "../pages/associations.py",
            title="Word associations",
            icon=":material/hub:",
            url_path="associations",
            help="Association tests, verb extraction, and association against moral bias.",
        ),
        st.Page(
            "../pages/occupations.py",
            title="Occupations and poles",
            icon=":material/badge:",
            url_path="occupations",
            help="Gender bias of occupations, and any words between any two poles.",
        ),
        st.Page(
            "../pages/knowledge.py",
            title="Knowledge harms",
            icon=":material/groups:",
            url_path="knowledge",
            help="Overgeneralization and disparity in knowledge bases, per target, down to the statement.",
        ),
        st.Page(
            "../pages/interventions.py",
            title="Ethical interventions",
            icon=":material/campaign:",
            url_path="interventions",
            help="Does a model that answers questions take advice? One story step by step, and the benchmark.",
        ),
        st.Page(
            "../pages/encoders.py",
            title="Encoders",
            icon=":material/compare_arrows:",
            url_path="encoders",
            help="What each encoder is, what it can and cannot, and which has the better compass.",
        ),
        st.Page(
            "../pages/report.py",
            title="Report",
            icon=":material/description:",
            url_path="report",
            help="What you put aside in this session, as one file.",
        ),
        st.Page(
            "../pages/methods.py",
            title="Methods",
            icon=":material/menu_book:",
            url_path="methods",
            help="What every number means, where it comes from, and what it cannot say.",
        ),
        st.Page(
            "../pages/data.py",
            title="Data",
            icon=":material/database:",
            url_path="data",
            help="The released data of the papers: what is here, its licence, and how to fetch it.",
        ),
    ]
)

st.set_page_config(page_title=f"{page.title} · Moralscope")

with st.sidebar:
    encoder_picker.show()

page.run()
