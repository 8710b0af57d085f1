"""Who answers: the encoders of the sidebar, and the models that the operator offers."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components import encoder_picker, models, resources, state
from core.encoders import registry

PUBLISHED = "published"

WEAK = (
    "A sentence encoder reads no question: it says whose statement lies nearer to the context. It is a weak answerer, here because "
    "it needs no further model."
)


def pick() -> list[str]:
    """Names of the chosen answerers; draws the choice of models where the operator offers any."""
    names = [f"encoder:{name}" for name in encoder_picker.chosen()]
    offered = models.offered(registry.QA, registry.TEXT)
    if not offered:
        st.caption(f"Answered by the encoders of the sidebar. {WEAK}")
        return names
    further = st.multiselect(
        "Models beside the encoders of the sidebar",
        list(offered),
        key=state.ANSWERERS,
        bind="query-params",
        help="Models that find the answer in the context, or write it. The first question opens the model, which takes a while.",
    )
    st.caption(WEAK)
    return [*names, *further]


def title(name: str) -> str:
    """Name of an answerer for people."""
    kind, _, source = name.partition(":")
    if kind == "encoder":
        return encoder_picker.title(source)
    if name == PUBLISHED:
        return "RoBERTa-large (stored scores)"
    known = models.offered(registry.QA, registry.TEXT)
    return known[name].title if name in known else name


def made_with(names: Sequence[str]) -> str:
    """Where the numbers of answerers come from, in one line."""
    return "; ".join(_made_with(name) for name in names)


def link(names: Sequence[str]) -> dict[str, str | Sequence[str]]:
    """What a link needs to bring the same answerers back."""
    encoders = [source for kind, _, source in (name.partition(":") for name in names) if kind == "encoder"]
    further = [name for name in names if name.startswith(models.PREFIX)]
    found: dict[str, str | Sequence[str]] = {state.ENCODERS: encoders or encoder_picker.chosen()}
    return found | ({state.ANSWERERS: further} if further else {})


def _made_with(name: str) -> str:
    kind, _, source = name.partition(":")
    if kind == "encoder":
        return encoder_picker.made_with(resources.encoder(source).provenance, source)
    if name == PUBLISHED:
        return "scores of RoBERTa-large fine-tuned on SQuAD, stored by Zhao et al. (2021), Apache-2.0"
    return resources.answerer(name).identity
