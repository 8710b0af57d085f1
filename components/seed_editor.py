"""The seeds and anchors of an axis, as a reader edits them."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from components import state
from core.moral import seeds as seed_lists
from core.moral.seeds import DO, DONT, Seeds

_SIDES = {DO: "Do", DONT: "Don't", "": ""}


def show() -> Seeds:
    """Draw the editor, closed at first, and read it.

    Raises
    ------
    InputError
        The table makes no axis; it stays as it is.
    """
    first = _rows(seed_lists.published())
    if shared := state.from_link(state.SHARED_SEEDS):
        state.put(state.SEEDS_EDITED, [(action, _SIDES.get(side, side)) for action, side in seed_lists.split(shared)])
    if state.get(state.versioned(state.SEEDS)) is None:  # a new editor, or one whose edits were dropped with its page
        state.replace(state.SEEDS, state.get(state.SEEDS_EDITED))
    rows = state.rows(state.SEEDS) or first
    with st.expander("Seeds and anchors: what the axis is made of"):
        st.caption(
            "The axis is the direction in which the seed actions differ most. Anchors only say which end is called Do and "
            "which Don't. The published seeds are Table 5 of Schramowski et al. (2019)."
        )
        with st.form("seeds", border=False):
            edited = st.data_editor(
                pd.DataFrame(rows, columns=["action", "anchor"], dtype="object"),
                key=state.versioned(state.SEEDS),
                num_rows="dynamic",
                hide_index=True,
                height=320,
                column_config={
                    "action": st.column_config.TextColumn("Seed action"),
                    "anchor": st.column_config.SelectboxColumn("Anchor (may be empty)", options=list(_SIDES.values())),
                },
                alt="Editable table of seed actions and their anchors",
            )
            st.form_submit_button(
                "Use these seeds", key="use_seeds", on_click=state.forget_link, args=(state.SHARED_SEEDS,)
            )
        st.button("Back to the published seeds", key="reset_seeds", on_click=_reset)
    cells = [(_text(action), _text(anchor)) for action, anchor in edited.itertuples(index=False)]
    state.put(state.SEEDS_EDITED, cells)
    return seed_lists.published() if cells == first else seed_lists.from_rows(cells)


def _reset() -> None:
    state.forget_link(state.SHARED_SEEDS)
    state.put(state.SEEDS_EDITED, None)
    state.replace(state.SEEDS, None)


def _rows(seeds: Seeds) -> list[tuple[str, str]]:
    side = {**dict.fromkeys(seeds.do, DO), **dict.fromkeys(seeds.dont, DONT)}
    return [(action, _SIDES[side.get(action, "")]) for action in seeds.actions]


def _text(cell: object) -> str:
    return cell if isinstance(cell, str) else ""
