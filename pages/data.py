import streamlit as st

from components import data_panel, notices

st.title("Data")
st.write(
    "The papers' authors released their data; the app ships none of it, and fetches it for you by address and checksum. "
    "Everything that needs no data works without. The texts hold slurs and stereotypes: that is what they document."
)
with notices.errors_in_words():
    data_panel.show()
st.caption("The same on the command line: python -m core data list | get NAME | verify | path NAME")
