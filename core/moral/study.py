"""The evidence for an encoder's moral axis: variance, stability, agreement with the paper and with people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.assets import column
from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Progress, Provenance
from core.encoders.vocabulary import readable
from core.moral import axis as axes
from core.moral import directions, representation
from core.moral.axis import Axis, Stability
from core.moral.choice import answer_vectors, bias, question_vectors
from core.moral.compass import Compass, PhraseScores
from core.moral.directions import Direction, Variant
from core.moral.published import KINDS, Published, table9
from core.moral.representation import QUESTIONS, represent
from core.moral.seeds import Seeds, known
from core.moral.survey import Survey, agreement
from core.moral.templates import Templates, published
from core.statistics import Correlation, pearson, spearman
from core.vectors import FloatArray, unit

PRINCIPAL, MEAN_DIFFERENCE, PROBE = "first principal component", "mean difference", "ridge probe"
AVERAGE = "average"
"""Representation of a variant whose scores are the mean over all representations."""


@dataclass(frozen=True)
class Study:
    """An axis with its evidence, for one encoder, one set of seeds and one representation.

    Parameters
    ----------
    encoder_name, provenance
        Where the vectors come from.
    representation : str
        How phrases become vectors, one of `core.moral.representation.KINDS`.
    templates : tuple of Template
        The question templates.
    seeds : Seeds
        What the axis was fitted to.
    axis : Axis
        The axis.
    stability : Stability
        What leaving out seeds and templates does to it.
    """

    encoder_name: str
    provenance: Provenance
    representation: str
    templates: Templates
    seeds: Seeds
    axis: Axis
    stability: Stability


@dataclass(frozen=True)
class Comparison:
    """Positions of the same actions by us and by a paper; r is Pearson's, rho Spearman's."""

    actions: tuple[str, ...]
    theirs: FloatArray
    ours: FloatArray
    r: Correlation
    rho: Correlation


@dataclass(frozen=True)
class People:
    """Agreement of one encoder with a survey.

    Parameters
    ----------
    survey : Survey
        The votes.
    mcm_scores, axis_scores : ndarray, shape (n,)
        Mean bias and position of each action.
    mcm, axis : Correlation
        Pearson's r of each with the share of Yes.
    """

    survey: Survey
    mcm_scores: FloatArray
    axis_scores: FloatArray
    mcm: Correlation
    axis: Correlation


def study(
    encoder: CachedEncoder,
    seeds: Seeds,
    *,
    kind: str = QUESTIONS,
    templates: Templates | None = None,
    progress: Progress | None = None,
) -> Study:
    """Fit the axis to `seeds` and measure how much it owes to each of them and to each template.

    Only sentences that `encoder` does not remember are computed: another seed costs its questions, not all. Seeds of which
    an encoder of words knows nothing are left out.

    Raises
    ------
    EncoderError
        It knows too few of them.
    """
    templates, seeds = templates or published(), known(encoder, seeds)
    vectors = represent(encoder, seeds.actions, kind, templates=templates, progress=progress)
    fitted = axes.fit(vectors.mean, seeds.do_rows, seeds.dont_rows)
    return Study(
        encoder_name=encoder.name,
        provenance=encoder.provenance,
        representation=kind,
        templates=templates,
        seeds=seeds,
        axis=fitted,
        stability=axes.stability(fitted, vectors.per_template),
    )


def vectors(
    encoder: CachedEncoder, made: Study, texts: Sequence[str], *, progress: Progress | None = None
) -> FloatArray:
    """Vectors of phrases, made the way the study's seeds were; shape (n, d)."""
    return represent(encoder, texts, made.representation, templates=made.templates, progress=progress).mean


def on_axis(
    encoder: CachedEncoder, made: Study, compass: Compass, scores: PhraseScores
) -> tuple[Compass, PhraseScores]:
    """Put the study's axis, and positions on it, in place of those of the published seeds."""
    placed = vectors(encoder, made, scores.texts)
    low, high = made.axis.interval(placed)
    return replace(compass, axis=made.axis, seeds=made.seeds.actions), replace(
        scores,
        position=made.axis.position(placed),
        position_low=low,
        position_high=high,
        raw=made.axis.raw(placed),
    )


def compare(encoder: CachedEncoder, made: Study, paper: Published, *, progress: Progress | None = None) -> Comparison:
    """Compare positions with those of the paper, for the actions of which the encoder knows a word."""
    actions = readable(encoder, paper.actions)
    theirs = paper.positions[np.isin(paper.actions, actions)]
    ours = made.axis.position(vectors(encoder, made, actions, progress=progress))
    return Comparison(actions, theirs, ours, pearson(theirs, ours), spearman(theirs, ours))


def nearest(vectors: FloatArray, known: FloatArray) -> list[int]:
    """Row of the most similar known vector, by cosine, for each of (n, d) vectors.

    Examples
    --------
    >>> nearest(np.array([[2.0, 0.1]]), np.array([[0.0, 1.0], [1.0, 0.0]]))
    [1]
    """
    rows: list[int] = (unit(vectors) @ unit(known).T).argmax(axis=1).tolist()
    return rows


def people(encoder: CachedEncoder, made: Study, survey: Survey, *, progress: Progress | None = None) -> People:
    """Compare bias and position with what people say of the actions of which the encoder knows a word."""
    rows = np.isin(survey.actions, actions := readable(encoder, survey.actions))
    survey = Survey(actions, survey.yes[rows], survey.no[rows])
    asked = question_vectors(encoder, survey.actions, made.templates, progress=progress)
    mcm = bias(asked, *answer_vectors(encoder, made.templates)).mean(axis=1)
    position = made.axis.position(vectors(encoder, made, survey.actions))
    return People(survey, mcm, position, agreement(mcm, survey), agreement(position, survey))


def variants(
    encoder: CachedEncoder,
    seeds: Seeds,
    survey: Survey | None,
    *,
    kinds: Sequence[str] = representation.KINDS,
    progress: Progress | None = None,
) -> list[Variant]:
    """Every way to a direction in every representation, with what it reached; in a fixed order, none left out.

    The seeds' sides are those of their own first component; the survey is used only to judge.
    """
    context = table9("bert", KINDS[1])
    needed = (*seeds.actions, *context.actions, *(survey.actions if survey else ()), *_training_texts())
    scores: dict[tuple[str, str], list[tuple[FloatArray, FloatArray, float]]] = {}
    found = []
    for index, kind in enumerate(kinds):
        part = _part(progress, index, len(kinds), representation.TITLES[kind])
        represent(encoder, needed, kind, progress=part)  # all at once, so that progress is smooth; remembered below
        embed = _embedder(encoder, kind)
        asked = embed(survey.actions) if survey else np.empty((0, encoder.provenance.dimension))
        in_context = embed(context.actions)
        for method, fitted_on, direction in _directions(embed, seeds):
            scored = direction.score(asked), direction.score(in_context), direction.stability
            scores.setdefault((method, fitted_on), []).append(scored)
            found.append(_variant(kind, method, fitted_on, survey, *scored))
    for (method, fitted_on), parts in scores.items():
        people_scores, context_scores = (np.mean(part, axis=0) for part in list(zip(*parts, strict=True))[:2])
        found.append(_variant(AVERAGE, method, fitted_on, survey, people_scores, context_scores, None))
    return found


def _variant(
    kind: str,
    method: str,
    fitted_on: str,
    survey: Survey | None,
    people_scores: FloatArray,
    context_scores: FloatArray,
    stability: float | None,
) -> Variant:
    return Variant(
        representation=kind,
        method=method,
        fitted_on=fitted_on,
        people=agreement(people_scores, survey) if survey else None,
        table9=pearson(context_scores, table9("bert", KINDS[1]).positions),
        stability=stability,
    )


def _embedder(encoder: CachedEncoder, kind: str) -> Callable[[Sequence[str]], FloatArray]:
    return lambda texts: represent(encoder, texts, kind).mean


def _part(progress: Progress | None, index: int, count: int, what: str) -> Progress | None:
    """Progress of one of `count` equal parts."""
    return progress and (lambda share, _: progress((index + share) / count, what))


def _training_texts() -> tuple[str, ...]:
    """What directions are fitted to besides the seeds."""
    return (
        *column("mcm_verbs.csv", "verb"),
        *column("association_sets.csv", "word"),
        *table9("bert", KINDS[0]).actions,
    )


def _directions(embed: Callable[[Sequence[str]], FloatArray], seeds: Seeds) -> Iterator[tuple[str, str, Direction]]:
    """Each way to a direction: its name, what it is fitted on, the direction."""
    vectors = embed(seeds.actions)
    axis = axes.fit(vectors, seeds.do_rows, seeds.dont_rows)
    yield PRINCIPAL, "seeds", directions.principal(axis, axes.stability(axis, vectors[:, None]))
    yield (
        MEAN_DIFFERENCE,
        "seeds, by their own first component",
        directions.mean_difference(vectors, axis.raw(vectors) > 0),
    )
    verbs = embed(column("mcm_verbs.csv", "verb"))
    is_do = np.array(column("mcm_verbs.csv", "side")) == "do"
    yield MEAN_DIFFERENCE, "published Dos and Don'ts", directions.mean_difference(verbs, is_do)
    yield PROBE, "published Dos and Don'ts", directions.probe(verbs, np.where(is_do, 1.0, -1.0))
    is_positive = np.array(column("association_sets.csv", "set")) == "positive"
    words = embed(column("association_sets.csv", "word"))
    yield PROBE, "positive and negative words", directions.probe(words, np.where(is_positive, 1.0, -1.0))
    printed = table9("bert", KINDS[0])
    yield PROBE, "BERT positions of the 65 seeds (Table 9)", directions.probe(embed(printed.actions), printed.positions)
