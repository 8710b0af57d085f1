"""The health card of an encoder: what to know of it before its scores are read.

Better encoders showed the clearer moral compass in Jentzsch et al. (2019) and Schramowski et al. (2019): the card repeats the
comparison for any encoder, each number with its interval.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.association import scatter
from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Progress, Provenance
from core.errors import InputError
from core.moral import compass as compasses
from core.moral import seeds as seed_lists
from core.moral import study as studies
from core.moral.choice import bias, question_vectors
from core.moral.compass import Compass
from core.moral.survey import Survey
from core.moral.templates import questions
from core.statistics import Correlation, pearson
from core.vectors import FloatArray, cosine

TIMED = 320
"""Sentences that speed is measured on: ten batches."""

WARM = 32
"""Of them go through it once before."""

DEAF = 0.5
"""From this r between scores of phrases and of their negations, a card says so. Ours: half of what one model can reach."""


@dataclass(frozen=True)
class Health:
    """What an encoder can and cannot, on the published phrases. A value is None where it could not be measured.

    Parameters
    ----------
    encoder_name : str
        Short name.
    provenance : Provenance
        Where it comes from.
    yes_no : float
        cos(yes, no); 1 would leave no room for a score.
    negation : Correlation or None
        Pearson's r between the moral bias of the 100 published verbs and of "not *verb*". Near 1: it does not register
        negation; near -1: it does.
    weat : Correlation or None
        Pearson's r between the moral bias of the 100 verbs and their published word associations (word2vec).
    variance_explained, random_line : float
        Of the first component of the moral axis, and what random vectors reach: the axis means something above that.
    people_bias, people_axis : Correlation or None
        Pearson's r of moral bias and of the position on the axis with the share of Yes in a survey.
    texts_per_second : float or None
        Questions of about eight words embedded a second, on this machine.
    """

    encoder_name: str
    provenance: Provenance
    yes_no: float
    negation: Correlation | None
    weat: Correlation | None
    variance_explained: float
    random_line: float
    people_bias: Correlation | None
    people_axis: Correlation | None
    texts_per_second: float | None

    @property
    def concerns(self) -> tuple[str, ...]:
        """What a reader should be told first, in sentences without a final full stop."""
        found = []
        if self.negation and self.negation.r > DEAF:
            found.append(
                f"It barely registers negation: scores of a phrase and of its negation go together (r = {self.negation.r:.2f})"
            )
        if self.weat is None:
            found.append("Its scores of the published verbs do not vary")
        elif self.weat.low <= 0:
            found.append("Its scores of the published verbs are not related to their published word associations")
        if self.variance_explained <= self.random_line:
            found.append("It has no moral axis: the first component explains no more than that of random vectors")
        return tuple(found)


def check(
    encoder: CachedEncoder,
    cache_dir: Path,
    *,
    survey: Survey | None = None,
    clock: Callable[[], float] | None = None,
    progress: Progress | None = None,
) -> Health:
    """Examine an encoder on the published phrases.

    Parameters
    ----------
    encoder : CachedEncoder
        Embeds everything.
    cache_dir : Path
        Where the embeddings of the published phrases are kept between starts.
    survey : Survey, optional
        What people say; without it agreement is not measured.
    clock : callable, optional
        Gives seconds, such as `time.perf_counter`; without it speed is not measured.
    progress : callable, optional
        Told the share done.

    Raises
    ------
    EncoderError
        It knows too few of the published actions: the words of the templates alone make no axis.
    """
    compass = compasses.calibrate(encoder, cache_dir, progress=progress)
    printed = scatter.published_points()
    negated = question_vectors(encoder, [f"not {verb}" for verb in compass.verbs], compass.templates, progress=progress)
    yes, no = encoder.encode(["yes", "no"])
    people = _people(encoder, survey, progress) if survey else None
    return Health(
        encoder_name=encoder.name,
        provenance=encoder.provenance,
        yes_no=float(cosine(yes, no)),
        negation=_related(compass.reference, bias(negated, compass.affirming, compass.denying).mean(axis=1)),
        weat=_related(compass.reference, printed.weat[np.isin(printed.verbs, compass.verbs)]),
        variance_explained=float(compass.axis.variance_explained[0]),
        random_line=compass.axis.random_line[0],
        people_bias=people.mcm if people else None,
        people_axis=people.axis if people else None,
        texts_per_second=_speed(encoder, compass, clock) if clock else None,
    )


def _related(one: FloatArray, other: FloatArray) -> Correlation | None:
    try:
        return pearson(one, other)
    except InputError:  # one of them does not vary
        return None


def _people(encoder: CachedEncoder, survey: Survey, progress: Progress | None) -> studies.People | None:
    try:
        return studies.people(encoder, studies.study(encoder, seed_lists.published()), survey, progress=progress)
    except InputError:
        return None


def _speed(encoder: CachedEncoder, compass: Compass, clock: Callable[[], float]) -> float:
    """Of the encoder itself: what is remembered costs next to nothing, and says nothing."""
    asked = questions(compass.verbs, compass.templates)[:TIMED]
    encoder.inside.encode(asked[-WARM:])
    began = clock()
    encoder.inside.encode(asked)
    return len(asked) / max(clock() - began, 1e-9)
