import plotly.io as pio
import streamlit as st

from components import state
from components.figures import export
from core.report import to_html, to_json

st.title("Report")
st.write(
    "What you put aside with “Add to report” on the other pages, as one file: for a hand-out, a review, or the notes "
    "of a class. It is kept for this session only and leaves the server with nobody but you."
)
items = state.report()
if not items:
    st.info(
        "The report is empty: open the drawer under a figure and choose “Add to report”.", icon=":material/note_add:"
    )
    st.page_link("../pages/moral_choice.py", label="Go to Moral choice", icon=":material/balance:")
    st.stop()


def whole_html() -> str:
    figures = [export.to_html(pio.from_json(item.figure)) for item in items]
    return to_html(items, figures, script=export.plotly_script())


with st.container(horizontal=True):
    st.download_button(
        "Download HTML", whole_html, "moralscope-report.html", "text/html", on_click="ignore", type="primary"
    )
    st.download_button(
        "Download JSON", lambda: to_json(items), "moralscope-report.json", "application/json", on_click="ignore"
    )
    st.button("Empty the report", on_click=state.on_report, args=(list.clear,))

for index, item in enumerate(items):
    with st.container(border=True):
        st.header(item.title)
        st.text(item.reading)
        st.plotly_chart(pio.from_json(item.figure), key=f"figure_report_{index}", alt=item.reading)
        st.caption(item.limit)
        st.text(item.made_with)
        st.button(
            "Remove",
            key=f"remove_{index}",
            on_click=state.on_report,
            args=(lambda found, at=index: found.pop(at),),
            help=f"Takes “{item.title}” out of the report.",
        )
