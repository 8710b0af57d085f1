"""The launcher: ``streamlit run app.py``. The page frame is `components/shell.py`.

That script is the entry, not this one: with a folder called `pages` beside the entry script, Streamlit would take that
folder for its own older kind of multipage app, and the first request could not be a deep link.
"""

import streamlit as st

from components import server

app = st.App("components/shell.py", lifespan=server.preload, middleware=server.MIDDLEWARE)
