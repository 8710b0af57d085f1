"""How often a classifier agrees with people, and people with each other.

Source of the comparison: Mehrabi et al. (2021), section 2.3, Tables 2 and 3, where each single rating counts. The answer
*always neutral* is the line to beat: on most knowledge bases it agrees with people more often than any classifier.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.errors import InputError
from core.knowledge.polarity.protocol import NAMES, NEGATIVE, NEUTRAL, POSITIVE, Classifier, Labels, classify
from core.statistics import DRAWS, SEED, quantile_interval, wilson
from core.vectors import FloatArray

CLASSES = (NEGATIVE, NEUTRAL, POSITIVE)
"""The classes that people rate. A classifier's *other* agrees with none of them."""

RATERS = 3
"""Ratings of one item in the released files."""

Interval = tuple[float, float]
"""Low and high."""

_RATINGS = {"1": POSITIVE, "2": NEUTRAL, "3": NEGATIVE}
"""The released codes: favoritism, neutral, prejudice."""

_LABELS = {str(label): label for label in NAMES}


@dataclass(frozen=True)
class Quality:
    """How one class is found; a share is None where it would divide by zero.

    Parameters
    ----------
    precision : float or None
        Of what was given this label, the share that people gave it too; in [0, 1].
    recall : float or None
        Of what people gave this label, the share that was found.
    f1 : float or None
        Harmonic mean of both: 2 · hits / (given + true); None only where the class occurs on neither side.
    given, true : int
        How often the classifier and how often people gave it.
    interval_precision, interval_recall : tuple of float or None
        95 % intervals as those of `Reliability`, None with their share.
    interval_f1 : tuple of float or None
        95 % percentile bootstrap interval over items; None with `f1`.
    """

    precision: float | None
    recall: float | None
    f1: float | None
    given: int
    true: int
    interval_precision: Interval | None
    interval_recall: Interval | None
    interval_f1: Interval | None


@dataclass(frozen=True)
class Reliability:
    """Agreement of labels with ratings by people.

    Parameters
    ----------
    n : int
        Ratings compared.
    accuracy : float
        Share that is equal.
    classes : dict
        `Quality` by class: −1, 0, 1.
    macro_f1 : float
        Mean of F1 over the classes; a class that was never found counts 0, one that occurs on neither side not at all.
    kappa : float or None
        Cohen's κ; None where chance alone would agree always.
    always_neutral : float
        Accuracy of the answer that is always neutral.
    interval, interval_always_neutral : tuple of float
        95 % intervals of both accuracies: percentile bootstrap over items where one has several ratings, which are not
        independent; Wilson where every rating stands for itself.
    interval_macro_f1, interval_kappa : tuple of float
        95 % percentile bootstrap intervals over items; None with κ.
    """

    n: int
    accuracy: float
    classes: dict[int, Quality]
    macro_f1: float
    kappa: float | None
    always_neutral: float
    interval: Interval
    interval_always_neutral: Interval
    interval_macro_f1: Interval
    interval_kappa: Interval | None


@dataclass(frozen=True)
class Ratings:
    """Ratings by people.

    Parameters
    ----------
    texts : tuple of str
        One per rating: a text with three ratings stands three times.
    labels : ndarray of int8, shape (n,)
        −1, 0, 1 (or 2, other).
    items : ndarray of int, shape (n,)
        Which ratings are of one item, 0 … items − 1.
    """

    texts: tuple[str, ...]
    labels: Labels
    items: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.texts)

    def fleiss(self) -> float | None:
        """Fleiss' κ of the people with each other; None where items differ in number of ratings, or have only one."""
        table = np.zeros((int(self.items.max()) + 1, len(NAMES)), dtype=np.int64)
        np.add.at(table, (self.items, self.labels - min(NAMES)), 1)
        sizes = table.sum(axis=1)
        return fleiss(table) if sizes.min() == sizes.max() > 1 else None


def compare(labels: Labels, truth: Labels, items: NDArray[np.intp] | None = None) -> Reliability:
    """Compare labels with the ratings of the same texts.

    Parameters
    ----------
    labels, truth : ndarray of int8, shape (n,)
        One of −1, 0, 1, 2 each.
    items : ndarray of int, shape (n,), optional
        Which ratings are of one item, which the bootstrap draws together; each by itself if not given.

    Raises
    ------
    InputError
        No rating, or another number of labels.

    Examples
    --------
    >>> found = compare(np.array([-1, 0, 0, 1], dtype=np.int8), np.array([-1, 0, -1, 0], dtype=np.int8))
    >>> found.accuracy, found.always_neutral, found.classes[-1].recall, found.classes[1].precision
    (0.5, 0.5, 0.5, 0.0)
    """
    if len(labels) != len(truth) or not len(truth):
        raise InputError(
            expected="one label for each rating, and at least one",
            got=f"{len(labels)} and {len(truth)}",
            remedy="give a file with ratings",
        )
    table = _table(labels, truth)
    drawn = _draw(_cells(labels, truth), items)
    f1, drawn_f1, kappa = _f1(table), _f1(drawn), _kappa(table)
    # The table itself, and after it those of the draws, if ratings are not independent.
    alone = items is None or len(np.unique(items)) == len(items)
    tables = table[None] if alone else np.concatenate([table[None], drawn])
    hits, given, true = np.diagonal(tables, axis1=1, axis2=2), tables.sum(axis=2), tables.sum(axis=1)
    n = tables.sum(axis=(1, 2))
    return Reliability(
        n=len(truth),
        accuracy=float(np.mean(labels == truth)),
        classes={
            kind: _quality(hits[:, place], given[:, place], true[:, place], f1[place], drawn_f1[:, place])
            for place, kind in enumerate(CLASSES)
        },
        macro_f1=float(_macro(f1)),
        kappa=_number(kappa),
        always_neutral=float(np.mean(truth == NEUTRAL)),
        interval=_sure(hits.sum(axis=1), n),
        interval_always_neutral=_sure(true[:, CLASSES.index(NEUTRAL)], n),
        interval_macro_f1=_spread(_macro(drawn_f1)),
        interval_kappa=None if np.isnan(kappa) else _spread(_kappa(drawn)),
    )


def rate(
    classifier: Classifier,
    ratings: Ratings,
    *,
    prepare: Callable[[str], str] = str,
    progress: Callable[[float], None] | None = None,
) -> Reliability:
    """Compare a classifier with people, `prepare` (such as masking) done to each text first."""
    labels = classify(classifier, [prepare(text) for text in ratings.texts], progress)
    return compare(labels, ratings.labels, ratings.items)


def fleiss(table: NDArray[np.int64]) -> float | None:
    """Fleiss' κ (1971) of m ratings per item.

    Parameters
    ----------
    table : ndarray of int, shape (items, classes)
        How many raters gave each class; every row sums to the same m > 1.

    Returns
    -------
    float or None
        None if all ratings are of one class.

    Examples
    --------
    >>> fleiss(np.array([[3, 0], [0, 3]])), fleiss(np.array([[3, 0], [3, 0]]))
    (1.0, None)
    """
    raters = table[0].sum()
    by_item: FloatArray = ((table**2).sum(axis=1) - raters) / (raters * (raters - 1))
    shares = table.sum(axis=0) / table.sum()
    chance = float(shares @ shares)
    return None if chance == 1 else float((by_item.mean() - chance) / (1 - chance))


def read_lines(text: str, *, name: str = "the file") -> Ratings:
    r"""Read ``label TAB text`` lines, labels −1, 0, 1 (or 2); a line ends at a line feed only.

    Raises
    ------
    InputError
        A line without tab or with another label (it is named), or no line.

    Examples
    --------
    >>> found = read_lines("0\tXYZ has a house\n1\tXYZ is kind\n")
    >>> found.texts, found.labels.tolist()
    (('XYZ has a house', 'XYZ is kind'), [0, 1])
    """
    texts, labels = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        label, tab, sentence = line.removesuffix("\r").partition("\t")
        found = _LABELS.get(label.strip().removeprefix("+"))
        if found is None or not tab or not sentence.strip():
            raise InputError(
                expected=f"“label, tab, text” with a label of −1, 0, 1 or 2 in line {number} of {name}",
                got=repr(line[:60]),
                remedy="mend this line",
            )
        texts.append(sentence)
        labels.append(found)
    if not texts:
        raise InputError(expected=f"ratings in {name}", got="no line", remedy="give lines of label, tab, text")
    return Ratings(tuple(texts), np.array(labels, dtype=np.int8), np.arange(len(texts), dtype=np.intp))


def read_folder(folder: Path, *, group: Literal["thirds", "text"] | None = None) -> Ratings:
    """Read a folder as the authors released them: ``sentences`` beside ``mturk_labels`` (or ``mturk_bias_labels``).

    Parameters
    ----------
    folder : Path
        Line i of one file belongs to line i of the other; 1 favoritism, 2 neutral, 3 prejudice.
    group : {"thirds", "text"}, optional
        What makes an item: three lines after one another, or all lines of one text. By default thirds where every three
        lines have one text, as in all but GenericsKB, whose ratings are interleaved.

    Raises
    ------
    InputError
        A file is missing, the two differ in length, or a rating is none of the three.
    """
    sentences = _lines(folder, "sentences")
    codes = _lines(folder, "mturk_bias_labels" if (folder / "mturk_bias_labels").is_file() else "mturk_labels")
    if len(sentences) != len(codes) or not sentences:
        raise InputError(
            expected=f"as many ratings as sentences in {folder.name}",
            got=f"{len(codes):,} and {len(sentences):,}",
            remedy="fetch the folder again",
        )
    wrong = next((place for place, code in enumerate(codes) if code.strip() not in _RATINGS), None)
    if wrong is not None:
        raise InputError(
            expected=f"a rating of 1, 2 or 3 in line {wrong + 1} of {folder.name}",
            got=repr(codes[wrong][:20]),
            remedy="fetch the folder again",
        )
    labels = np.array([_RATINGS[code.strip()] for code in codes], dtype=np.int8)
    thirds = len(sentences) % RATERS == 0 and all(
        sentences[place] == sentences[place - place % RATERS] for place in range(len(sentences))
    )
    if group == "thirds" or (group is None and thirds):
        items = np.arange(len(sentences), dtype=np.intp) // RATERS
    else:
        place: dict[str, int] = {}
        items = np.array([place.setdefault(text, len(place)) for text in sentences], dtype=np.intp)
    return Ratings(tuple(sentences), labels, items)


def _cells(one: Labels, other: Labels) -> NDArray[np.intp]:
    """The place of each pair of labels in a flat table."""
    return len(NAMES) * (one.astype(np.intp) - min(NAMES)) + other - min(NAMES)


def _table(one: Labels, other: Labels) -> NDArray[np.intp]:
    """How often each pair of labels occurs, in the order of `NAMES`."""
    return np.bincount(_cells(one, other), minlength=len(NAMES) ** 2).reshape(len(NAMES), len(NAMES))


def _draw(cells: NDArray[np.intp], items: NDArray[np.intp] | None) -> NDArray[np.int64]:
    """Tables of agreement of items drawn with replacement, shape (draws, labels, labels).

    Items that add the same to the table are of one kind, and there are few kinds: how often each is drawn is enough.
    """
    size = len(NAMES) ** 2
    if items is None:
        kinds, often = np.eye(size, dtype=np.int64), np.bincount(cells, minlength=size)
    else:
        places, rows = np.unique(items, return_inverse=True)
        each = np.bincount(rows * size + cells, minlength=len(places) * size).reshape(-1, size)
        kinds, often = np.unique(each, axis=0, return_counts=True)
    drawn = np.random.default_rng(SEED).multinomial(often.sum(), often / often.sum(), size=DRAWS) @ kinds
    return drawn.reshape(-1, len(NAMES), len(NAMES))


def _f1(table: NDArray[np.int64]) -> FloatArray:
    """F1 of each of `CLASSES`, NaN where it occurs on neither side; `table` (…, given, true) of all labels."""
    hits = np.diagonal(table, axis1=-2, axis2=-1)
    both = table.sum(axis=-1) + table.sum(axis=-2)
    return np.where(both > 0, 2 * hits / np.maximum(both, 1), np.nan)[..., : len(CLASSES)]


def _macro(f1: FloatArray) -> FloatArray:
    there = ~np.isnan(f1)
    mean: FloatArray = np.where(there, f1, 0).sum(axis=-1) / np.maximum(there.sum(axis=-1), 1)
    return mean


def _kappa(table: NDArray[np.int64]) -> FloatArray:
    """Cohen's κ of a table (…, one, other), NaN where chance alone agrees always."""
    n = table.sum(axis=(-2, -1))
    agreement = np.trace(table, axis1=-2, axis2=-1) / n
    chance = (table.sum(axis=-1) * table.sum(axis=-2)).sum(axis=-1) / n**2
    return np.where(chance == 1, np.nan, (agreement - chance) / np.where(chance == 1, 1, 1 - chance))


def _quality(
    hits: NDArray[np.int64], given: NDArray[np.int64], true: NDArray[np.int64], f1: float, drawn: FloatArray
) -> Quality:
    return Quality(
        precision=float(hits[0] / given[0]) if given[0] else None,
        recall=float(hits[0] / true[0]) if true[0] else None,
        f1=_number(f1),
        given=int(given[0]),
        true=int(true[0]),
        interval_precision=_sure(hits, given) if given[0] else None,
        interval_recall=_sure(hits, true) if true[0] else None,
        interval_f1=_spread(drawn) if given[0] + true[0] else None,
    )


def _number(value: float | FloatArray) -> float | None:
    return None if np.isnan(value) else float(value)


def _spread(drawn: FloatArray) -> Interval:
    """Percentile interval of the draws in which the number exists."""
    low, high = quantile_interval(drawn[~np.isnan(drawn)])
    return float(low), float(high)


def _sure(part: NDArray[np.int64], whole: NDArray[np.int64]) -> Interval:
    """Interval of part[0] / whole[0] > 0 by the draws after it, or Wilson's where there are none."""
    if len(whole) > 1:
        return _spread(np.where(whole > 0, part / np.maximum(whole, 1), np.nan)[1:])
    low, high = wilson(int(part[0]), int(whole[0])).tolist()
    return low, high


def _lines(folder: Path, name: str) -> list[str]:
    try:
        text = (folder / name).read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(
            expected=f"the files sentences and mturk_labels in {folder}",
            got=f"{error.strerror}: {name}",
            remedy="name a folder of the release, such as mturk_labels/ConceptNet",
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(
            expected=f"UTF-8 in {name}", got=f"byte {error.object[error.start]:#04x}", remedy="fetch the folder again"
        ) from error
    return text.removesuffix("\n").split("\n")
