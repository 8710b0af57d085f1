"""The only place that caches: encoders and what is computed from them, shared by all sessions."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from components import models, progress
from components.progress import Parts
from core import datasets
from core.encoders import catalog, memory, registry
from core.encoders.cache import CachedEncoder, Vectors
from core.encoders.health import Health, check
from core.encoders.memory import Pool
from core.encoders.protocol import Progress
from core.errors import EncoderError, InputError, MoralscopeError
from core.interventions import benchmark as benchmarks
from core.interventions import released
from core.interventions.answerers import catalog as answerers
from core.interventions.answerers.encoder import EncoderAnswerer
from core.interventions.answerers.protocol import Answerer
from core.interventions.answerers.published import PublishedAnswerer
from core.interventions.benchmark import Accuracy, Benchmark
from core.interventions.released import Released, Specified
from core.interventions.stories import StorySet
from core.knowledge import harms, reliability
from core.knowledge import typical as typical_words
from core.knowledge.audited import MANIFEST
from core.knowledge.generation import Generator, generate
from core.knowledge.generation import load as load_generator
from core.knowledge.harms import Harms
from core.knowledge.masking import mentions
from core.knowledge.polarity import catalog as classifiers
from core.knowledge.polarity.catalog import open_classifier
from core.knowledge.polarity.protocol import Classifier, classify
from core.knowledge.reliability import Ratings, Reliability
from core.knowledge.sources import beliefs, open_source, own, release
from core.knowledge.sources.own import Content
from core.knowledge.sources.source import PUBLISHED, Source
from core.knowledge.typical import TypicalWord
from core.moral import compass as compasses
from core.moral import poles as pole_scores
from core.moral import study as studies
from core.moral import survey as surveys
from core.moral.compass import Compass, PhraseScores
from core.moral.directions import Variant
from core.moral.poles import PoleScores
from core.moral.published import Published
from core.moral.seeds import Seeds
from core.moral.study import Comparison, People, Study
from core.moral.survey import Survey
from core.moral.templates import Templates, published
from core.vectors import FloatArray

T = TypeVar("T")

QUICK = 400
"""Sentences that are encoded without a progress bar: about a second of work."""

WAIT = 0.2
"""Seconds between two looks at what somebody else is making."""


class Slot(Generic[T]):
    """A place for one value that is slow to make. Whoever comes first makes it, the others wait.

    The value is made outside of Streamlit's cached functions, so that its maker may draw a progress bar, and whoever
    waits draws the same; if the maker is stopped, the slot stays empty and the next one starts again.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._value: T | None = None
        self._latest = (0.0, "Waiting")

    @property
    def filled(self) -> bool:
        """Whether the value is there already."""
        return self._value is not None

    def get(self, make: Callable[[Progress], T], report: Progress) -> T:
        """Return the value, making it first where there is none; `report` hears of it, whoever makes it."""

        def noted(share: float, what: str) -> None:
            self._latest = (share, what)
            report(share, what)

        while not self._lock.acquire(timeout=WAIT):
            report(*self._latest)
        try:
            if self._value is None:
                self._value = make(noted)
            return self._value
        finally:
            self._lock.release()


@st.cache_resource(max_entries=1, show_spinner=False)
def _pool() -> Pool:
    """Loaded encoders of all sessions, within their budget of memory."""
    return Pool(memory.budget())


@st.cache_resource(max_entries=1, show_spinner=False)
def _vectors() -> Vectors:
    """Embeddings of all encoders and sessions."""
    return Vectors()


@st.cache_resource(max_entries=64, show_spinner=False)
def _encoder_slot(key: str) -> Slot[CachedEncoder]:
    """An encoder without its weights, which live in the pool."""
    return Slot()


@st.cache_resource(max_entries=16, show_spinner=False)
def _compass_slot(key: str, templates: Templates) -> Slot[Compass]:
    return Slot()


@st.cache_resource(max_entries=32, show_spinner=False)
def _study_slot(key: str, seeds: Seeds, kind: str, templates: Templates) -> Slot[Study]:
    return Slot()


@st.cache_resource(max_entries=16, show_spinner=False)
def _variants_slot(key: str, seeds: Seeds, *survey: tuple[object, ...]) -> Slot[list[Variant]]:
    return Slot()


@st.cache_resource(max_entries=2, show_spinner=False)
def _model_slot(name: str) -> Slot[Answerer]:
    return Slot()


@st.cache_resource(max_entries=6, show_spinner=False)
def _file_slot(path: str) -> Slot[Released | tuple[Specified, ...]]:
    return Slot()


@st.cache_resource(max_entries=24, show_spinner=False)
def _run_slot(answerer: str, *asked: Hashable) -> Slot[Any]:
    return Slot()


def encoder(name: str) -> CachedEncoder:
    """The encoder called `name`, loaded once for all sessions; progress is shown while that happens."""
    return _fill(_encoder_slot(catalog.entry(name).key), lambda report: _load(name, report))


def _load(name: str, report: Progress) -> CachedEncoder:
    cache_dir = catalog.default_cache_dir()
    return catalog.load(name, cache_dir, progress=report, pool=_pool(), vectors=_vectors())


def compass(name: str, templates: Templates) -> Compass:
    """Published phrases scored by the encoder, and its axis; once per encoder and set of templates."""
    loaded, cache_dir = encoder(name), catalog.default_cache_dir()

    def make(progress: Progress) -> Compass:
        return compasses.calibrate(loaded, cache_dir, templates=templates, progress=progress)

    return _fill(_compass_slot(catalog.entry(name).key, templates), make)


def scores(name: str, templates: Templates, texts: Sequence[str]) -> tuple[Compass, PhraseScores]:
    """Score phrases with one encoder; only what no session asked before is encoded."""
    found = compass(name, templates)
    if 2 * len(texts) * len(templates) <= QUICK:
        return found, compasses.score(encoder(name), found, texts)
    with progress.bar() as report:
        return found, compasses.score(encoder(name), found, texts, progress=report)


def study(name: str, seeds: Seeds, kind: str, templates: Templates) -> Study:
    """The evidence for an axis; once per encoder, seeds, representation and templates."""
    loaded = encoder(name)
    return _fill(
        _study_slot(catalog.entry(name).key, seeds, kind, templates),
        lambda report: studies.study(loaded, seeds, kind=kind, templates=templates, progress=report),
    )


def vectors(name: str, made: Study, texts: Sequence[str]) -> FloatArray:
    """Vectors of phrases as the study's seeds were made; progress is shown where they were not asked before."""
    with progress.bar() as report:
        return studies.vectors(encoder(name), made, texts, progress=report)


def compared(name: str, made: Study, paper: Published) -> Comparison:
    """Positions of an encoder beside those of the paper; progress is shown likewise."""
    with progress.bar() as report:
        return studies.compare(encoder(name), made, paper, progress=report)


def people(name: str, made: Study, survey: Survey) -> People:
    """Agreement of an encoder with a survey; progress is shown where its actions were not asked before."""
    with progress.bar() as report:
        return studies.people(encoder(name), made, survey, progress=report)


def variants(name: str, seeds: Seeds, survey: Survey | None) -> list[Variant]:
    """Every way to a direction and what it reached; once per encoder, seeds and survey."""
    loaded = encoder(name)
    asked = (survey.actions, tuple(survey.share)) if survey else ()
    return _fill(
        _variants_slot(catalog.entry(name).key, seeds, *asked),
        lambda report: studies.variants(loaded, seeds, survey, progress=report),
    )


@st.cache_resource(max_entries=16, show_spinner=False)
def _health_slot(key: str, survey: str) -> Slot[Health]:
    return Slot()


def health(name: str) -> Health:
    """The health card of an encoder; once per encoder, with people where the survey is here."""
    loaded, folder = encoder(name), datasets.default_directory()
    place = datasets.locate(surveys.PUBLISHED, folder)
    votes = surveys.read(place.read_bytes()) if place.is_file() else None

    def make(report: Progress) -> Health:
        return check(loaded, catalog.default_cache_dir(), survey=votes, clock=time.perf_counter, progress=report)

    return _fill(_health_slot(catalog.entry(name).key, str(place) if votes else ""), make)


def remembering(name: str, texts: Sequence[str]) -> CachedEncoder:
    """The encoder called `name`, with those of `texts` it knows encoded already; progress is shown meanwhile."""
    loaded = encoder(name)
    with progress.bar() as report:
        loaded.encode(loaded.known(texts), progress=report)
    return loaded


def poles(name: str, words: Sequence[str], templates: Templates, *, as_printed: bool) -> PoleScores:
    """Words between two poles by one encoder."""
    with progress.bar() as report:
        return pole_scores.score(encoder(name), words, templates, as_printed=as_printed, progress=report)


@st.cache_resource(max_entries=6, show_spinner=False)
def _source_slot(name: str) -> Slot[Source]:
    return Slot()


@st.cache_resource(max_entries=24, show_spinner=False)
def _labels_slot(key: str, classifier: str) -> Slot[NDArray[np.int8]]:
    return Slot()


@st.cache_resource(max_entries=6, show_spinner=False)
def vocabulary(key: str, _source: Source) -> tuple[str, ...]:
    """Distinct masked statements of a source: the background of its typical words."""
    return tuple(dict.fromkeys(_source.statements.frame["masked"]))


@st.cache_resource(max_entries=2, show_spinner=False)
def own_table(name: str, content: bytes) -> Content:
    """A reader's file cut into columns and rows, once."""
    return own.cut(content, name)


@st.cache_resource(max_entries=64, show_spinner=False)
def measured(key: str, classifier: str, as_released: bool, _made: Source, _labels: Any) -> Harms:
    """The measures of a labelled source; key and names say which."""
    statements = _made.statements
    return harms.measure(_labels, statements.codes, statements.targets, as_released=as_released)


@st.cache_resource(max_entries=256, show_spinner=False)
def typical(
    key: str, classifier: str, target: str, label: int, top: int, _made: Source, _labels: Any
) -> tuple[tuple[TypicalWord, ...], int]:
    """Words typical of a target's statements with one label, and how many these are; the rest says which labels."""
    inside = np.flatnonzero(_made.statements.codes == _made.statements.targets.code(target))
    masked = _made.statements.frame["masked"].iloc[inside].tolist()
    one, others = typical_words.split(masked, _labels[inside], label)
    return typical_words.typical(one, others, vocabulary(key, _made), top=top), len(one)


def audits() -> dict[str, Path]:
    """The batch audits that whoever runs this server offers: directories in ``$MORALSCOPE_AUDITS``, by name."""
    offered = os.environ.get("MORALSCOPE_AUDITS")
    found = sorted(Path(offered).glob(f"*/{MANIFEST}")) if offered else []
    return {f"audit:{path.parent.name}": path.parent for path in found}


def source(name: str) -> Source:
    """A source of statements by name, read once for all sessions; progress is shown where it is slow."""
    kind, _, of = name.partition(":")
    if kind == "encoder":
        return _fill(_source_slot(name), lambda report: beliefs.read(encoder(of), progress=report))
    return _fill(_source_slot(name), lambda report: open_source(name, progress=report))


class _Writer:
    """A model that remembers what it wrote, so that a run which was cut off goes on where it was."""

    def __init__(self, opened: Generator, name: str) -> None:
        self._opened, self.name = opened, name
        self._written: dict[str, str] = {}

    def write(self, prompts: Sequence[str]) -> list[str]:
        """One continuation for each prompt; a batch is written whole, as its texts depend on each other."""
        if any(prompt not in self._written for prompt in prompts):
            self._written.update(zip(prompts, self._opened.write(prompts), strict=True))
        return [self._written[prompt] for prompt in prompts]


@st.cache_resource(max_entries=1, show_spinner=False)
def _writer(target: str, title: str) -> _Writer:
    with _without_folder(target):
        return _Writer(load_generator(target), title)


def has_written(target: str) -> bool:
    """Whether what the model `target` writes is there."""
    return _source_slot(f"model:{target}").filled


def written(target: str, title: str) -> Source:
    """What a text-generation model that the registry file names writes about each target; once for all sessions."""

    def make(report: Progress) -> Source:
        report(0.0, "Opening the model")
        return generate(_writer(target, title), progress=report)

    return _fill(_source_slot(f"model:{target}"), make)


class _Labeller:
    """A classifier that remembers its labels, for the same reason."""

    def __init__(self, opened: Classifier) -> None:
        self._opened, self.name, self.identity = opened, opened.name, opened.identity
        self._known: dict[str, int] = {}

    def label(self, texts: Sequence[str], progress: Callable[[float], None] | None = None) -> NDArray[np.int8]:
        """One label for each text; `PART` of them at a time."""
        new = sorted((text for text in texts if text not in self._known), key=len)
        for start in range(0, len(new), PART):
            if progress:
                progress(start / len(new))
            part = new[start : start + PART]
            self._known.update(zip(part, self._opened.label(part).tolist(), strict=True))
        return np.array([self._known[text] for text in texts], dtype=np.int8)


PART = 256
"""Texts that a model labels before it can be stopped. Ours: some seconds."""


@st.cache_resource(max_entries=2, show_spinner=False)
def _labeller(target: str) -> _Labeller:
    with _without_folder(target):
        return _Labeller(open_classifier(target))


@contextmanager
def _without_folder(target: str) -> Iterator[None]:
    """Say what is wrong with a model without where it lies: that is not for readers, and stands in the log."""
    try:
        yield
    except MoralscopeError as error:
        _report_to_log(0.0, str(error))
        parts = [
            text.replace(target, Path(target).name).replace(target[:80], Path(target).name)
            for text in (error.expected, error.got, error.remedy)
        ]
        raise EncoderError(expected=parts[0], got=parts[1], remedy=parts[2]) from error


def has_labels(key: str, classifier: str) -> bool:
    """Whether `labels` has them already."""
    return _labels_slot(key, classifier).filled


def labels(key: str, made: Source, classifier: str) -> NDArray[np.int8]:
    """Labels of a source's statements by a classifier, each distinct masked text once; shape (n,)."""

    def make(report: Progress) -> NDArray[np.int8]:
        return _label(classifier, made.statements.frame["masked"].tolist(), report)

    return _fill(_labels_slot(key, classifier), make)


@st.cache_resource(max_entries=2, show_spinner=False)
def ratings(folder: str) -> Ratings:
    """Released ratings of people."""
    return reliability.read_folder(Path(folder))


@st.cache_resource(max_entries=16, show_spinner=False)
def _rated_slot(texts: int, classifier: str) -> Slot[NDArray[np.int8]]:
    return Slot()


def has_rated(rated: Ratings, classifier: str) -> bool:
    """Whether `rated_labels` has them already."""
    return _rated_slot(hash(rated.texts), classifier).filled


def agreement(rated: Ratings, classifier: str) -> Reliability | None:
    """How a classifier agrees with people; None where it has no label for their sentences."""
    labels, known = rated_labels(rated, classifier)
    if not known.any():
        return None
    what = hash((rated.texts, rated.labels.tobytes()))
    return _agreement(what, classifier, rated, labels, known)


@st.cache_resource(max_entries=32, show_spinner=False)
def _agreement(what: int, classifier: str, _rated: Ratings, _labels: Any, _known: Any) -> Reliability:
    return reliability.compare(_labels[_known], _rated.labels[_known], _rated.items[_known])


def rated_labels(rated: Ratings, classifier: str) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Labels of rated sentences with every target masked, and which have one; a value per single rating."""

    def make(report: Progress) -> NDArray[np.int8]:
        masked = [mentions().mask(text) for text in rated.texts]
        if classifier == PUBLISHED:
            found = release.published_regard(open_source("conceptnet-regard", progress=report))
            return np.array([found.table.get(text.lower(), NO_LABEL) for text in masked], dtype=np.int8)
        return _label(classifier, masked, report)

    slot = _rated_slot(hash(rated.texts), classifier)
    labels = _fill(slot, make)
    return labels, labels != NO_LABEL


def _label(classifier: str, masked: Sequence[str], report: Progress) -> NDArray[np.int8]:
    if classifiers.kind(classifier) in classifiers.NAMES:
        opened = open_classifier(classifier, load=encoder, cache_dir=catalog.default_cache_dir())
    else:
        report(0.0, "Opening the model")
        opened = _labeller(classifier)
    return classify(opened, masked, lambda share: report(share, f"Labelling by {classifier}"))


NO_LABEL = 9
"""Stands where the published labels have no such sentence."""


def questions(path: str) -> Released | tuple[Specified, ...]:
    """A released question file, read once for all sessions."""

    def make(report: Progress) -> Released | tuple[Specified, ...]:
        report(0.0, "Reading the questions")
        return released.read(datasets.require(path, datasets.default_directory()).read_bytes())

    return _fill(_file_slot(path), make)


def answerer(name: str, stored: Released | None = None) -> Answerer:
    """An answerer by name, over the encoder that the other pages use; a model is opened once for all sessions.

    Parameters
    ----------
    stored : Released, optional
        The file whose scores ``published`` gives.
    """
    kind, _, source = name.partition(":")
    if kind == "encoder":
        return EncoderAnswerer(encoder(source))
    if stored is not None and name == "published":
        return PublishedAnswerer(stored)

    def make(report: Progress) -> Answerer:
        report(0.0, "Opening the model")
        if name not in (offered := models.offered(registry.QA, registry.TEXT)):
            raise InputError(
                expected="a model of the registry file", got=repr(name[:60]), remedy="choose one of those offered"
            )
        model = offered[name]
        with _without_folder(model.target):
            return answerers.open_answerer(f"{model.kind}:{model.target}", catalog.default_cache_dir())

    return _fill(_model_slot(name), make)


def has_run(name: str, asked: Sequence[Hashable]) -> bool:
    """Whether what `asked` names has been put to an answerer, by any session."""
    return _run_slot(name, *asked).filled


def benchmark(name: str, asked: Sequence[Hashable], stories: StorySet, parts: Parts) -> Benchmark:
    """Put stories to an answerer; once for all sessions.

    Parameters
    ----------
    asked : sequence
        What makes these stories, as a key.
    parts : Parts
        Gets what a run that is cut off had come to, under `name` and `asked`.
    """
    opened = answerer(name, stories if isinstance(stories, Released) else None)
    return _run(name, asked, parts, lambda **watched: benchmarks.run(opened, stories, **watched))


def accuracy(name: str, asked: Sequence[Hashable], stories: Sequence[Specified], parts: Parts) -> Accuracy:
    """Put specified questions to an answerer, likewise."""
    opened = answerer(name)
    return _run(name, asked, parts, lambda **watched: benchmarks.run_specified(opened, stories, **watched))


def _run(name: str, asked: Sequence[Hashable], parts: Parts, put: Callable[..., T]) -> T:
    slot: Slot[T] = _run_slot(name, *asked)
    with parts.keeping((name, *asked)) as keep:
        return _fill(slot, lambda report: progress.stoppable(put, report, keep))


def _fill(slot: Slot[T], make: Callable[[Progress], T]) -> T:
    if slot.filled:
        return slot.get(make, _report_to_log)
    with progress.bar() as report:
        return slot.get(make, report)


def preload() -> None:
    """Load the default encoder and its compass before anybody asks; what goes wrong is said on the page that asks."""
    cache_dir = catalog.default_cache_dir()
    try:
        chosen = catalog.entry(catalog.default())
        if chosen.sends_to:  # nobody agreed to that yet
            return
        slot = _encoder_slot(chosen.key)
        loaded = slot.get(lambda report: _load(chosen.name, report), _report_to_log)
        _compass_slot(chosen.key, published()).get(
            lambda report: compasses.calibrate(loaded, cache_dir, progress=report), _report_to_log
        )
    except MoralscopeError as error:
        _report_to_log(0.0, str(error))


def _report_to_log(share: float, what: str) -> None:
    print(f"moralscope: {what} ({share:.0%})", file=sys.stderr, flush=True)  # noqa: T201
