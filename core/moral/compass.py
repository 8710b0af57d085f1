"""One encoder's moral compass: what a phrase is compared with, and the scores of phrases against it.

A score says little alone. The compass holds, for one encoder and one set of templates, the published Dos and Don'ts
scored by that encoder and the moral axis fitted to the published seed actions; `score` then places phrases in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.assets import column
from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Progress, Provenance
from core.encoders.vocabulary import readable
from core.errors import EncoderError
from core.moral import axis as axes
from core.moral import seeds as seed_lists
from core.moral.axis import Axis
from core.moral.choice import Choice, answer_vectors, bias, question_vectors, summarise
from core.moral.templates import Templates, published, questions
from core.statistics import rank_among
from core.vectors import FloatArray, cosine

REFERENCE_FOLDER = "reference"
"""Where, below the cache folder, embeddings of the published phrases are kept."""


@dataclass(frozen=True)
class Compass:
    """What phrases are compared with.

    Parameters
    ----------
    encoder_name : str
        Short name of the encoder.
    provenance : Provenance
        Where the encoder comes from.
    templates : tuple of Template
        The q templates behind every number.
    affirming, denying : ndarray, shape (q, d)
        Embedded answers.
    verbs, sides : tuple of str
        Those m of the 100 published verbs that the encoder knows, and the list each is printed in, ``do`` or ``dont``.
    reference : ndarray, shape (m,)
        Their mean biases by this encoder.
    seeds : tuple of str
        The seed actions of the axis.
    axis : Axis
        Fitted to the seeds.
    """

    encoder_name: str
    provenance: Provenance
    templates: Templates
    affirming: FloatArray
    denying: FloatArray
    verbs: tuple[str, ...]
    sides: tuple[str, ...]
    reference: FloatArray
    seeds: tuple[str, ...]
    axis: Axis

    @property
    def answer_similarity(self) -> FloatArray:
        """cos(affirming answer, denying answer) of each template, shape (q,): 1 would leave no room for a score."""
        return cosine(self.affirming, self.denying)


@dataclass(frozen=True)
class PhraseScores:
    """Scores of n phrases by one encoder.

    Parameters
    ----------
    texts : tuple of str
        The phrases.
    choice : Choice
        Moral Choice Machine, positive: nearer to *yes*.
    negated : ndarray, shape (n,)
        Mean bias of "not *phrase*". An encoder that understood negation would give the opposite sign.
    rank : ndarray of int, shape (n,)
        Place among the published Dos and Don'ts, 1 = nearest to *yes*, of `of`.
    of : int
        Number of places.
    position, position_low, position_high, raw : ndarray, shape (n,)
        On the moral axis, with the bootstrap interval over seeds; positive: *Do* side.
    """

    texts: tuple[str, ...]
    choice: Choice
    negated: FloatArray
    rank: FloatArray
    of: int
    position: FloatArray
    position_low: FloatArray
    position_high: FloatArray
    raw: FloatArray


def calibrate(
    encoder: CachedEncoder,
    cache_dir: Path,
    *,
    templates: Templates | None = None,
    progress: Progress | None = None,
) -> Compass:
    """Score the published phrases with `encoder` and fit its axis.

    Parameters
    ----------
    encoder : CachedEncoder
        Embeds everything.
    cache_dir : Path
        Where the embeddings of the published phrases are kept between starts.
    templates : tuple of Template, optional
        Own templates; by default the ten published ones.
    progress : callable, optional
        Told the share done.

    Raises
    ------
    EncoderError
        It knows too few of the published seeds or none of the verbs: the words of the templates alone say nothing.
    """
    templates = templates or published()
    printed = dict(zip(column("mcm_verbs.csv", "verb"), column("mcm_verbs.csv", "side"), strict=True))
    verbs = readable(encoder, tuple(printed))
    chosen = seed_lists.known(encoder, seed_lists.published())
    seeds = chosen.actions
    if {printed[verb] for verb in verbs} != set(printed.values()):
        raise EncoderError(
            expected="an encoder that knows some of the published Dos and some of the Don'ts",
            got=f"{encoder.name}, which knows {len(verbs)} of these {len(printed)} verbs",
            remedy="use a larger file of word vectors, or an encoder that reads any text",
        )
    asked = questions((*verbs, *seeds), templates)
    if templates == published():
        vectors = encoder.encode_kept(asked, cache_dir / REFERENCE_FOLDER, progress=progress)
    else:  # what a reader types is written to no file
        vectors = encoder.encode(asked, progress=progress)
    shaped = vectors.reshape(len(verbs) + len(seeds), len(templates), -1)
    affirming, denying = answer_vectors(encoder, templates)
    fitted = axes.fit(shaped[len(verbs) :].mean(axis=1), chosen.do_rows, chosen.dont_rows)
    return Compass(
        encoder_name=encoder.name,
        provenance=encoder.provenance,
        templates=templates,
        affirming=affirming,
        denying=denying,
        verbs=verbs,
        sides=tuple(printed[verb] for verb in verbs),
        reference=bias(shaped[: len(verbs)], affirming, denying).mean(axis=1),
        seeds=seeds,
        axis=fitted,
    )


def score(
    encoder: CachedEncoder, compass: Compass, texts: Sequence[str], *, progress: Progress | None = None
) -> PhraseScores:
    """Score phrases: bias per template, place among the published verbs, position on the axis.

    Parameters
    ----------
    encoder : CachedEncoder
        The encoder that `compass` was made with.
    compass : Compass
        What to compare with.
    texts : sequence of str
        n phrases.
    progress : callable, optional
        Told the share done.
    """
    negated = [f"not {text}" for text in texts]
    vectors = question_vectors(encoder, [*texts, *negated], compass.templates, progress=progress)
    biases = bias(vectors, compass.affirming, compass.denying)
    choice = summarise(biases[: len(texts)])
    phrases = vectors[: len(texts)].mean(axis=1)
    low, high = compass.axis.interval(phrases)
    return PhraseScores(
        texts=tuple(texts),
        choice=choice,
        negated=biases[len(texts) :].mean(axis=1),
        rank=rank_among(choice.mean, compass.reference),
        of=len(compass.reference) + 1,
        position=compass.axis.position(phrases),
        position_low=low,
        position_high=high,
        raw=compass.axis.raw(phrases),
    )
