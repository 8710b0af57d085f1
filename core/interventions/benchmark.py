"""Put stories to an answerer and measure: preferences by class of intervention, subject, attribute and theme."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.encoders.protocol import Progress
from core.interventions.answerers.protocol import Answerer
from core.interventions.released import Specified
from core.interventions.stories import ADVERSARIAL, ETHICAL, Ask, Attribute, Story, StorySet
from core.interventions.unqover import Correction, Measures, Sums, add_up, correct, measure
from core.statistics import wilson
from core.vectors import FloatArray

PART = 64
"""Most stories answered between two reports of progress (and two chances to stop). Ours: up to 256 questions, which is enough
to fill batches of like length and takes an encoder a second or two; memory does not grow with the number of stories."""

HELD = 256
"""Parts whose scores are held before they are added up. Ours: 8 MB; adding costs as much as there are pairs and attributes."""

NAMED = 20
"""Most incomplete stories that are named one by one; all are counted."""

DESIRED = {ETHICAL: 0.0, ADVERSARIAL: 1.0}
"""The μ that Zhao et al. (2021), section 2.5, want; irrelevant interventions should leave it as it is without any."""

CHANCE = 0.5
"""Share of specified questions that a coin answers rightly."""


_Part = tuple[FloatArray, NDArray[np.intp]]
"""Scores of some stories, and the places of their kind, pair and attribute."""


@dataclass(frozen=True)
class Benchmark:
    """What came of a run.

    Parameters
    ----------
    answerer, identity : str
        Who answered.
    kinds : tuple of str
        Classes of interventions, in the order of `measures`.
    subjects : tuple of str
        Rows of γ.
    attributes : tuple of Attribute
        Columns of γ.
    measures : tuple of Measures
        Of each class.
    themes : mapping
        Theme to the measures of each class over its attributes.
    missing : mapping
        Class to the number of stories that were left out, since they lack one of their four answers.
    named : tuple of str
        The first `NAMED` of them.
    done, of : int
        Stories put, and how many there are: less if the run was stopped.
    """

    answerer: str
    identity: str
    kinds: tuple[str, ...]
    subjects: tuple[str, ...]
    attributes: tuple[Attribute, ...]
    measures: tuple[Measures, ...]
    themes: dict[str, tuple[Measures, ...]]
    missing: dict[str, int]
    named: tuple[str, ...]
    done: int
    of: int

    @property
    def complete(self) -> bool:
        """Whether every story was put."""
        return self.done == self.of


@dataclass(frozen=True)
class Accuracy:
    """How often the supported subject was chosen in specified contexts, beside `CHANCE`.

    In all 5,432 contexts of LEI's released set the supported subject is named once more than the other: counting names
    answers every question, so a high share alone is no sign of reading.

    Parameters
    ----------
    interval : pair of float
        Wilson's 95 % interval of the share.
    same_on_negation : float
        Share of questions with the same subject chosen for the question and for its negation: 1 for an answerer that
        does not read "never".
    done, of : int
        Questions put, and how many there are.
    """

    answerer: str
    identity: str
    correct: int
    accuracy: float
    interval: tuple[float, float]
    same_on_negation: float
    done: int
    of: int


@dataclass(frozen=True)
class Answered:
    """A story with its answers, corrected step by step."""

    story: Story
    correction: Correction


def ask(answerer: Answerer, stories: Sequence[Story]) -> FloatArray:
    """Put stories to an answerer.

    Returns
    -------
    ndarray, shape (2, 2, 2, n)
        Order, question, subject, story; nan throughout for a story that lacks a question or an answer.
    """
    whole = [place for place, story in enumerate(stories) if None not in story.asks]
    scores = np.full((4, 2, len(stories)), np.nan)
    asked = [one for place in whole for one in stories[place].asks if one is not None]
    scores[:, :, whole] = np.moveaxis(_answer(answerer, asked).reshape(-1, 4, 2), 0, 2)
    scores[:, :, np.isnan(scores).any(axis=(0, 1))] = np.nan
    return scores.reshape(2, 2, 2, -1)


def explain(answerer: Answerer, stories: Sequence[Story]) -> list[Answered]:
    """Put a few stories and keep every step of the correction, for a closer look."""
    scores = ask(answerer, stories)
    return [Answered(story, correct(scores[..., place])) for place, story in enumerate(stories)]


def run(
    answerer: Answerer,
    stories: StorySet,
    *,
    progress: Progress = lambda share, what: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Benchmark:
    """Put all stories to an answerer, part by part, and measure.

    Parameters
    ----------
    progress : callable, optional
        Told the share done.
    should_stop : callable, optional
        Asked between parts; True ends the run, whose figures then hold for the part that was put.
    """
    total = _sums(stories, [])
    waiting: list[_Part] = []
    missing, named, done = np.zeros(len(stories.kinds), dtype=np.intp), list[str](), 0
    # Whole scenarios: a run that is stopped has put the same ones to every class.
    size = max(1, PART // len(stories.kinds)) * len(stories.kinds)
    while done < len(stories) and not should_stop():
        progress(done / len(stories), f"Asking about {len(stories):,} stories")
        places = range(done, min(done + size, len(stories)))
        part = [stories[place] for place in places]
        codes = np.array([stories.codes(place) for place in places], dtype=np.intp)
        scores = ask(answerer, part)
        waiting.append((scores, codes))
        if len(waiting) == HELD:
            total, waiting = total + _sums(stories, waiting), []
        lacking = np.isnan(scores[0, 0, 0])
        missing += np.bincount(codes[lacking, 0], minlength=len(missing))
        named += [part[place].label for place in np.flatnonzero(lacking)[: NAMED - len(named)]]
        done += len(part)
    total += _sums(stories, waiting)
    return Benchmark(
        answerer.name,
        answerer.identity,
        stories.kinds,
        stories.subjects,
        stories.attributes,
        measure(total),
        {theme: measure(total.only(columns)) for theme, columns in _themes(stories)},
        {kind: int(count) for kind, count in zip(stories.kinds, missing, strict=True)},
        tuple(named),
        done,
        len(stories),
    )


def run_specified(
    answerer: Answerer,
    questions: Sequence[Specified],
    *,
    progress: Progress = lambda share, what: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Accuracy:
    """Put specified questions and their negations, part by part, and count the right choices; a tie is not right."""
    right = same = done = 0
    while done < len(questions) and not should_stop():
        progress(done / len(questions), f"Asking {len(questions):,} specified questions")
        part = questions[done : done + PART]
        scores = _answer(answerer, [one for item in part for one in (item.question, item.negated)]).reshape(-1, 2, 2)
        wanted = np.array([item.question.wanted for item in part])
        rows = np.arange(len(part))
        right += int((scores[rows, 0, wanted] > scores[rows, 0, 1 - wanted]).sum())
        same += int((scores[:, 0].argmax(axis=1) == scores[:, 1].argmax(axis=1)).sum())
        done += len(part)
    share = right / done if done else float("nan")
    low, high = wilson(right, done).tolist()
    return Accuracy(
        answerer.name,
        answerer.identity,
        right,
        share,
        (low, high),
        same / done if done else float("nan"),
        done,
        len(questions),
    )


def places_of(
    stories: StorySet, *, kind: str | None = None, subject: str | None = None, attribute: str | None = None
) -> list[int]:
    """Places of the stories of one class, with one subject, about one attribute: what stands behind a figure."""
    found = []
    for place in range(len(stories)):
        of_kind, of_pair, of_attribute = stories.codes(place)
        names = [stories.subjects[item] for item in stories.pairs[of_pair]]
        if (
            kind in (None, stories.kinds[of_kind])
            and (subject is None or subject in names)
            and attribute in (None, stories.attributes[of_attribute].name)
        ):
            found.append(place)
    return found


def _answer(answerer: Answerer, asked: Sequence[Ask]) -> FloatArray:
    return answerer.answer(
        [one.context for one in asked], [one.question for one in asked], [one.spans for one in asked]
    )


def _sums(stories: StorySet, parts: Sequence[_Part]) -> Sums:
    scores = np.concatenate([part[0] for part in parts] or [np.empty((2, 2, 2, 0))], axis=3)
    codes = np.concatenate([part[1] for part in parts] or [np.empty((0, 3), dtype=np.intp)])
    return add_up(
        scores,
        *codes.T,
        ends=np.array(stories.pairs, dtype=np.intp).reshape(-1, 2),
        subjects=len(stories.subjects),
        shape=(len(stories.kinds), len(stories.attributes)),
    )


def _themes(stories: StorySet) -> list[tuple[str, NDArray[np.intp]]]:
    names = [attribute.theme for attribute in stories.attributes]
    return [(theme, np.flatnonzero([name == theme for name in names])) for theme in dict.fromkeys(names)]
