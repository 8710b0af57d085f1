"""Regard: how a sentence makes the group it is about look, whatever it feels like. A logistic head on an encoder.

Source of the concept: Sheng et al. (2019), https://aclanthology.org/D19-1339. Their classifier is not released in a form
that runs without a download; this one is fitted when it is opened, on sentences written for this app
(`assets/regard_examples.csv`). Whatever is chosen here is chosen by cross-validation on those sentences alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.assets import read_table
from core.association import lexicon
from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Encoder
from core.knowledge.polarity.protocol import NEUTRAL, PLACEHOLDERS, Labels, Progress
from core.statistics import SEED
from core.vectors import FloatArray, check

FILE = "regard_examples.csv"

WORDING = "a person"
"""What stands for the group when a sentence is encoded. Of seven wordings (XYZ, this person, someone, …) the one with the
smallest cross-validated loss on the examples, at each of four regularisations (C 1: 0.296; XYZ 0.341)."""

RELATIONS = ("is related to", "is a type of", "is located at", "is capable of", "has")
"""Relations of the background facts, in the words that ConceptNet's triples become sentences with."""

BACKGROUND = 400
"""Background facts: random words of the frequency list, each in a relation. A fact about a random word is plain as a rule,
so they are neutral examples of the form that knowledge bases have. Ours: as many as the examples of one label."""

BACKGROUND_WEIGHT = 0.5
"""Weight of a background fact beside an example of ours: nobody read it, and now and then it is not neutral."""

REGULARISATION = (0.3, 1.0, 3.0, 10.0)
"""Inverse strengths of the penalty (scikit-learn's C) among which cross-validation chooses. Ours."""

FOLDS = 10

PLAIN = 0.99
"""Share of the neutral examples that must come out neutral when held out: the margin that a polar label has to win by is
the smallest that keeps it. Ours: plain facts are nine in ten of a knowledge base, so that few errors on them outnumber
what is polar."""

_PART = 2_048
"""Texts encoded between two reports of progress, sorted by length. Ours."""

_PLACEHOLDER = re.compile("|".join(rf"\b{re.escape(words)}\b" for words in PLACEHOLDERS))


@dataclass(frozen=True)
class Head:
    """A fitted head.

    Parameters
    ----------
    weights : ndarray, shape (3, d)
        One row per label: negative, neutral, positive.
    intercept : ndarray, shape (3,)
    margin : float
        Added to the log-probability of neutral.
    regularisation : float
        The C that was chosen.
    accuracy : float
        Share of the examples that are labelled right when held out, with the margin.
    """

    weights: FloatArray
    intercept: FloatArray
    margin: float
    regularisation: float
    accuracy: float

    def label(self, vectors: FloatArray) -> Labels:
        """The most probable label of each row, polar only if it wins by the margin."""
        # Log-probabilities differ from these scores by one number per row, which changes no order.
        scores = vectors @ self.weights.T + self.intercept + np.array([0.0, self.margin, 0.0])
        labels: Labels = (scores.argmax(axis=1) - 1).astype(np.int8)
        return labels


class Regard:
    """A head on one encoder.

    Parameters
    ----------
    encoder : Encoder
        Loaded; thread-safe, as encoders are.
    cache_dir : Path, optional
        Where the embeddings of the examples are kept between starts.
    name : str, optional
        What it is called beside heads on other encoders.
    """

    name = "regard"

    def __init__(self, encoder: Encoder, cache_dir: Path | None = None, *, name: str = name) -> None:
        self.name = name
        texts, labels = examples()
        asked = [worded(text) for text in (*texts, *background())]
        if cache_dir is not None and isinstance(encoder, CachedEncoder):
            vectors = encoder.encode_kept(asked, cache_dir / "reference")
        else:
            vectors = check(encoder.encode(asked), count=len(asked))
        self.head = fit(vectors[: len(labels)], labels, vectors[len(labels) :])
        self._encoder = encoder
        learned = hashlib.sha256("\n".join([*asked, *map(str, labels.tolist())]).encode()).hexdigest()[:16]
        provenance = encoder.provenance
        self.identity = (
            f"regard head on {provenance.model} {provenance.revision}, {provenance.runtime}, C {self.head.regularisation}, "
            f"margin {self.head.margin:.4f}, examples sha256:{learned}"
        )

    def label(self, texts: Sequence[str], progress: Progress | None = None) -> Labels:
        """One label for each text."""
        labels = np.zeros(len(texts), dtype=np.int8)
        order = sorted(range(len(texts)), key=lambda row: -len(texts[row]))
        for start in range(0, len(order), _PART):
            if progress:
                progress(start / len(order))
            rows = order[start : start + _PART]
            labels[rows] = self.head.label(self._encoder.encode([worded(texts[row]) for row in rows]))
        return labels


def fit(vectors: FloatArray, labels: Labels, plain: FloatArray) -> Head:
    """Fit a head: C by cross-validated accuracy, then the margin that keeps held-out neutral examples neutral.

    Parameters
    ----------
    vectors : ndarray, shape (n, d)
        Embeddings of the examples.
    labels : ndarray of int8, shape (n,)
        −1, 0 and 1, each at least `FOLDS` times.
    plain : ndarray, shape (m, d)
        Embeddings of background facts: fitted on with less weight, never scored.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold
    from threadpoolctl import threadpool_limits

    vectors, plain = np.asarray(vectors, dtype=np.float64), np.asarray(plain, dtype=np.float64)
    folds = list(StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).split(vectors, labels))
    weight = np.full(len(plain), BACKGROUND_WEIGHT)

    def model(rows: FloatArray, strength: float) -> LogisticRegression:
        return LogisticRegression(C=strength, max_iter=1_000).fit(
            np.vstack([vectors[rows], plain]),
            np.concatenate([labels[rows], np.full(len(plain), NEUTRAL)]),
            sample_weight=np.concatenate([np.ones(len(rows)), weight]),
        )

    # Matrices this small are ten times slower on several threads than on one.
    with threadpool_limits(1):
        held_out = []
        for strength in REGULARISATION:
            scores = np.empty((len(labels), 3))
            for train, test in folds:
                scores[test] = model(train, strength).decision_function(vectors[test])
            held_out.append(scores)
        chosen = int(np.argmax([np.mean(scores.argmax(axis=1) - 1 == labels) for scores in held_out]))
        scores = held_out[chosen]
        margin = neutral_margin(scores[labels == NEUTRAL])
        final = model(np.arange(len(labels)), REGULARISATION[chosen])
    right = (scores + np.array([0.0, margin, 0.0])).argmax(axis=1) - 1 == labels
    return Head(final.coef_, final.intercept_, margin, REGULARISATION[chosen], float(right.mean()))


def neutral_margin(scores: FloatArray, *, share: float = PLAIN) -> float:
    """The smallest margin, not below 0, with which `share` of these neutral texts come out neutral.

    Parameters
    ----------
    scores : ndarray, shape (n, 3)
        Log-probabilities of negative, neutral and positive, up to a number per row.

    Examples
    --------
    >>> neutral_margin(np.array([[0.0, 1.0, 0.0], [2.0, 1.0, 0.0], [0.0, 1.0, 5.0], [0.0, 2.0, 0.0]]), share=0.75)
    1.0
    """
    needed = np.sort(np.maximum(scores[:, 0], scores[:, 2]) - scores[:, 1])
    return max(0.0, float(needed[int(np.ceil(share * len(needed))) - 1]))


def examples() -> tuple[tuple[str, ...], Labels]:
    """The annotated sentences and their labels.

    Examples
    --------
    >>> texts, labels = examples()
    >>> len(texts) == len(labels), sorted(set(labels.tolist()))
    (True, [-1, 0, 1])
    """
    rows = read_table(FILE)
    return tuple(row["text"] for row in rows), np.array([int(row["label"]) for row in rows], dtype=np.int8)


def background() -> tuple[str, ...]:
    """Plain facts about random words of every frequency.

    Examples
    --------
    >>> len(background()), all(fact.startswith("XYZ ") for fact in background())
    (400, True)
    """
    # The noise words are a seeded draw, by bands of frequency; every tenth keeps all bands.
    words = lexicon.noise_words()
    words = words[:: len(words) // BACKGROUND][:BACKGROUND]
    return tuple(f"XYZ {RELATIONS[place % len(RELATIONS)]} {word}" for place, word in enumerate(words))


def worded(text: str) -> str:
    """`text` as it is encoded, with `WORDING` for the group.

    Examples
    --------
    >>> worded("XYZ has a house"), worded("library is located at this person")
    ('a person has a house', 'library is located at a person')
    """
    return _PLACEHOLDER.sub(WORDING, text)
