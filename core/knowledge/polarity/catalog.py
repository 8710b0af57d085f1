"""The classifiers that can be opened by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.encoders import catalog as encoders
from core.encoders.protocol import Encoder
from core.errors import InputError, ModelError
from core.knowledge.polarity.keywords import Keywords
from core.knowledge.polarity.protocol import Classifier
from core.knowledge.polarity.regard import Regard
from core.knowledge.polarity.sentiment import Sentiment
from core.knowledge.sources.source import PUBLISHED


@dataclass(frozen=True)
class Entry:
    """One line of the catalogue: what a reader should know before choosing.

    Parameters
    ----------
    rule : str
        How it decides, in one sentence.
    limit : str
        What it misses, in one sentence.
    source : str
        Where it comes from.
    """

    name: str
    title: str
    rule: str
    limit: str
    source: str


CATALOG = (
    Entry(
        "sentiment",
        "Sentiment (VADER)",
        "Words with a rated feeling, with rules for negation and degree; compound score from ±0.05 on is polar.",
        "It rates how a sentence feels, not how the group looks: “was mourned by the whole town” is negative.",
        "Hutto and Gilbert 2014; package vaderSentiment",
    ),
    Entry(
        "regard",
        "Regard",
        "A logistic head on the chosen sentence encoder, fitted on sentences written for this app.",
        "It has seen few sentences and none of your domain; rare words and irony mislead it.",
        "After Sheng et al. 2019; examples: assets/regard_examples.csv",
    ),
    Entry(
        "keywords",
        "Keywords (Empath)",
        "More words of favourable than of unfavourable Empath categories, or the other way round.",
        "It misses every word that is not listed, and all negation.",
        "Fast et al. 2016; package empath; the categories are this app's choice",
    ),
)

NAMES = tuple(entry.name for entry in CATALOG)

MODEL = Entry(
    "model",
    "A model of transformers",
    "The most probable label of a sequence-classification model on this machine.",
    "It is as good as what it was trained on, which this app cannot know.",
    "Named by whoever runs it",
)
"""What to say of any other name."""


def entry(name: str) -> Entry:
    """The line of the catalogue called `name`; of any other name, `MODEL`.

    Examples
    --------
    >>> entry("keywords").title
    'Keywords (Empath)'
    """
    return next((known for known in CATALOG if known.name == kind(name)), MODEL)


def kind(name: str) -> str:
    """What a classifier is: one of `NAMES`, or the name of a model.

    Examples
    --------
    >>> kind("regard:static"), kind("sentiment"), kind("a/model")
    ('regard', 'sentiment', 'a/model')
    """
    first, colon, _ = name.partition(":")
    return Regard.name if colon and first == Regard.name else name


def on_encoders(names: Iterable[str], chosen: Sequence[str]) -> list[str]:
    """`names`, each once, with *regard* fitted on each of the encoders `chosen`; on the default one it keeps its name.

    Raises
    ------
    InputError
        Encoders are chosen, and no classifier has use for one.

    Examples
    --------
    >>> on_encoders(["regard", "keywords"], ["bundled", "static"])
    ['regard', 'regard:static', 'keywords']
    """
    fitted = [Regard.name if name == encoders.DEFAULT else f"{Regard.name}:{name}" for name in chosen]
    listed = dict.fromkeys(names)
    if fitted and Regard.name not in listed:
        raise InputError(
            expected=f"the classifier {Regard.name} for an encoder",
            got=", ".join(listed),
            remedy="name it, or leave the encoder out",
        )
    return list(
        dict.fromkeys(part for name in listed for part in (fitted if fitted and name == Regard.name else [name]))
    )


def open_classifier(
    name: str, *, load: Callable[[str], Encoder] | None = None, cache_dir: Path | None = None
) -> Classifier:
    """Open a classifier.

    Parameters
    ----------
    name : str
        One of `NAMES`, ``regard:ENCODER``, or the folder or name of a ``transformers`` model.
    load : callable, optional
        Gives the encoder of this name, which *regard* is fitted on; by default the encoders' catalogue, and specs.
    cache_dir : Path, optional
        Where models are kept; by default that of the encoders.

    Raises
    ------
    ModelError, EncoderError
        No such classifier or encoder on this machine, or its labels are not the three.
    InputError
        An empty name, or `core.knowledge.sources.source.PUBLISHED`.

    Examples
    --------
    >>> open_classifier("sentiment").label(["this person is kind"]).tolist()
    [1]
    """
    if not name.strip():
        raise InputError(
            expected="a classifier", got="an empty name", remedy=f"name one of {', '.join(NAMES)}, or a model"
        )
    if name == PUBLISHED:
        raise InputError(
            expected=f"a classifier: {', '.join(NAMES)}, or the name or folder of a model",
            got=f"{name!r}, the labels that came with the source conceptnet-regard",
            remedy=f"name one of these; {name} goes with `python -m core harms conceptnet-regard` and `mitigate` only",
        )
    if name == Sentiment.name:
        return Sentiment()
    if name == Keywords.name:
        return Keywords()
    if kind(name) == Regard.name:
        folder = cache_dir or encoders.default_cache_dir()
        encoder = name.partition(":")[2] or encoders.DEFAULT
        return Regard(load(encoder) if load else encoders.load(encoder, folder, specs=True), folder, name=name)
    from core.knowledge.polarity.transformers import Transformer

    try:
        return Transformer(name)
    except ModelError as error:  # perhaps no model was meant
        raise ModelError(
            expected=f"{', '.join(NAMES)}, or {error.expected}", got=error.got, remedy=error.remedy
        ) from error
