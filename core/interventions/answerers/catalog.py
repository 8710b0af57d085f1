"""The answerers that this installation offers, by name."""

from __future__ import annotations

from pathlib import Path

from core.encoders import catalog as encoders
from core.encoders.protocol import Progress
from core.errors import ModelError
from core.interventions.answerers.encoder import EncoderAnswerer
from core.interventions.answerers.protocol import Answerer
from core.interventions.answerers.published import PublishedAnswerer
from core.interventions.released import Released
from core.models import open_model

DEFAULT = "encoder"

FORMS = ("encoder", *(f"encoder:{name}" for name in encoders.NAMES), "qa:MODEL", "text:MODEL", "published")
"""What an answerer may be called; MODEL is the name of a repository in the local cache of transformers, or a folder."""


def open_answerer(
    name: str,
    cache_dir: Path,
    *,
    released: Released | None = None,
    specs: bool = False,
    progress: Progress = lambda share, what: None,
) -> Answerer:
    """Open an answerer by name.

    Parameters
    ----------
    name : str
        One of `FORMS`.
    cache_dir : Path
        Where converted encoders are kept.
    released : Released, optional
        The file whose scores ``published`` gives.
    specs : bool
        Also take a spec for an encoder, such as ``encoder:words:PATH``: never for a server.

    Raises
    ------
    ModelError
        Unknown name, a model that is not here or not of this kind, ``published`` without a file that stores scores.
    EncoderError
        Unknown encoder.
    """
    kind, _, source = name.partition(":")
    if kind == "encoder":
        return EncoderAnswerer(encoders.load(source or encoders.DEFAULT, cache_dir, progress=progress, specs=specs))
    if kind == "qa" and source:
        from core.interventions.answerers.extractive import ExtractiveAnswerer

        return ExtractiveAnswerer(open_model(source, "question answering"))
    if kind == "text" and source:
        from core.interventions.answerers.generative import GenerativeAnswerer

        return GenerativeAnswerer(open_model(source, "text generation"))
    if name == "published" and released is not None:
        return PublishedAnswerer(released)
    if name == "published":
        raise ModelError(
            expected="a released file for the published scores, one of stories that do not say who",
            got="questions that nobody has scored",
            remedy="name such a file with --file, or choose another answerer",
        )
    raise ModelError(
        expected=f"an answerer named {', '.join(FORMS)}", got=repr(name[:80]), remedy="choose one of these forms"
    )
