"""Everything that touches Streamlit and serves more than one page."""
