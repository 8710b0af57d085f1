"""Models of transformers that the registry file names: what a reader may choose beside what ships, and nothing else."""

from __future__ import annotations

from core.encoders import registry
from core.errors import EncoderError

PREFIX = "model:"


def offered(*kinds: str) -> dict[str, registry.Model]:
    """Models of some of `registry.MODEL_KINDS`, by their name on the pages."""
    try:
        found = registry.find().models
    except EncoderError:  # said at the top of the page, as for encoders
        return {}
    return {f"{PREFIX}{model.name}": model for model in found if model.kind in kinds}


def starts(name: str) -> str:
    """The model whose work a reader starts, where `name` is one; nothing for what ships."""
    return name if name.startswith(PREFIX) else ""


def opens(classifier: str) -> str:
    """What a classifier is opened by: the folder or full name of a model, otherwise its own name."""
    known = offered(registry.LABELS)
    return known[classifier].target if classifier in known else classifier
