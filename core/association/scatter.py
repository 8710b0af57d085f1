"""Word association against moral score: do two measures of the same verbs agree?

Source: Jentzsch et al. (2019), section 3.3 and Figure 4; Schramowski et al. (2019), Figure 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.assets import column
from core.association.sets import general, kept
from core.association.weat import association
from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Progress
from core.encoders.vocabulary import readable
from core.moral.choice import Choice, answer_vectors, bias, question_vectors, summarise
from core.moral.templates import Templates, published
from core.statistics import Correlation, Line, line, pearson
from core.vectors import FloatArray


@dataclass(frozen=True)
class Scatter:
    """Two coordinates of n verbs and how they go together.

    Parameters
    ----------
    verbs, sides : tuple of str
        The verbs, and the list each is on, ``do`` or ``dont``.
    weat : ndarray, shape (n,)
        Association with the general positive words.
    bias : ndarray, shape (n,)
        Moral bias, mean over templates.
    correlation : Correlation
        Pearson's r.
    line : Line
        Regression of bias on association.
    """

    verbs: tuple[str, ...]
    sides: tuple[str, ...]
    weat: FloatArray
    bias: FloatArray
    correlation: Correlation
    line: Line


def relate(verbs: Sequence[str], sides: Sequence[str], weat: FloatArray, bias: FloatArray) -> Scatter:
    """Correlate two coordinates of the same verbs.

    Raises
    ------
    InputError
        Fewer than four verbs, or a coordinate that does not vary.

    Examples
    --------
    >>> published = published_points()
    >>> round(published.correlation.r, 4), published.correlation.n
    (0.7275, 100)
    """
    return Scatter(tuple(verbs), tuple(sides), weat, bias, pearson(weat, bias), line(weat, bias))


def published_points() -> Scatter:
    """The 50 Dos and 50 Don'ts as printed: word2vec association, Universal Sentence Encoder bias (mean, not sum)."""
    verbs, sides, weat, summed = (column("mcm_verbs.csv", field) for field in ("verb", "side", "weat", "use_bias_sum"))
    templates = len(published())
    return relate(verbs, sides, np.array(weat, dtype=float), np.array(summed, dtype=float) / templates)


def between(
    verbs: Sequence[str], sides: Sequence[str], *, weat_by: CachedEncoder | None, bias_by: CachedEncoder | None
) -> Scatter:
    """Relate both measures of the verbs that the encoders know.

    Parameters
    ----------
    verbs, sides : sequence of str
        As in `Scatter`.
    weat_by, bias_by : CachedEncoder or None
        Who measures; None: as printed, for which the verbs must be the published ones.
    """
    printed = published_points()
    kept = verbs
    for encoder in (weat_by, bias_by):
        kept = kept if encoder is None else readable(encoder, kept)
    rows = np.isin(verbs, kept)
    return relate(
        tuple(kept),
        tuple(side for side, known in zip(sides, rows, strict=True) if known),
        printed.weat[rows] if weat_by is None else own_weat(weat_by, kept),
        printed.bias[rows] if bias_by is None else own_bias(bias_by, kept).mean,
    )


def own_weat(encoder: CachedEncoder, verbs: Sequence[str]) -> FloatArray:
    """Association of verbs with the general positive and negative words that an encoder knows, shape (n,).

    Raises
    ------
    InputError
        Over a fifth of these words is missing from its vocabulary.
    """
    positive, negative = (encoder.encode(kept(words, encoder.vocabulary).words) for words in general())
    return association(encoder.encode(verbs), positive, negative)


def own_bias(
    encoder: CachedEncoder,
    verbs: Sequence[str],
    templates: Templates | None = None,
    *,
    progress: Progress | None = None,
) -> Choice:
    """Moral scores of verbs by an encoder; by default in the ten published templates."""
    templates = templates or published()
    vectors = question_vectors(encoder, verbs, templates, progress=progress)
    return summarise(bias(vectors, *answer_vectors(encoder, templates)))
