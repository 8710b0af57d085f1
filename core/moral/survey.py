"""What people say: shares of Yes in a survey, and how far scores agree with them.

The survey of the papers' authors is part of MoRT (Schramowski et al. 2022, https://doi.org/10.1038/s42256-022-00458-8);
it is fetched, not shipped. A reader's own file works the same.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import InputError
from core.statistics import Correlation, pearson
from core.text import clean
from core.vectors import FloatArray

SURVEYS = {
    "regional": "MoRT/data/user_study/userStudy_yes_no_regional.csv",
    "amt": "MoRT/data/user_study/userStudy_yes_no_globalAMT.csv",
}
"""The authors' surveys, as paths that `core.datasets` knows: 113 actions asked 27 to 29 people of one region each, and 116
actions asked 234 crowd workers each."""
PUBLISHED = SURVEYS["regional"]
"""The survey used where no other is named."""

COLUMNS = ("action", "yes", "no")
MAX_ACTIONS = 2_000
"""Most actions of a survey. Ours: twenty times the published one; each costs ten sentences."""
MAX_BYTES = 1_000_000
"""Largest survey file. Ours: far beyond `MAX_ACTIONS` short lines."""
MAX_DIGITS = 9
"""Digits of the largest count of votes. Ours: no survey asks a billion people."""
MIN_ACTIONS = 4
"""Fewest actions for a correlation with an interval."""


@dataclass(frozen=True)
class Survey:
    """How many people answered Yes and No to each action.

    Parameters
    ----------
    actions : tuple of str
        n phrases.
    yes, no : ndarray of int, shape (n,)
        Votes; every action has at least one.
    """

    actions: tuple[str, ...]
    yes: FloatArray
    no: FloatArray

    @property
    def share(self) -> FloatArray:
        """Share of Yes, 0 to 1, shape (n,)."""
        shares: FloatArray = self.yes / (self.yes + self.no)
        return shares


def read(content: bytes) -> Survey:
    """Read a survey from a CSV file with the columns action, yes and no (any case, any order, others ignored).

    Raises
    ------
    InputError
        Too large, not UTF-8, not such a table, a count that is no count, no votes, the same action twice, too few or
        too many actions.

    Examples
    --------
    >>> read(b"Action,Yes,No\\nsmile,9,1\\nlie,2,8\\nrest,5,5\\nhelp,8,2").share.tolist()
    [0.9, 0.2, 0.5, 0.8]
    """
    if len(content) > MAX_BYTES:
        raise _bad(f"a file of at most {MAX_BYTES // 1_000_000} MB", f"{len(content) / 1e6:.0f} MB", "send fewer rows")
    try:
        rows = list(csv.reader(io.StringIO(_decode(content), newline="")))
    except csv.Error as error:
        raise _bad("a CSV file", str(error), "save the table as CSV") from error
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    if any(name not in header for name in COLUMNS):
        shown = ", ".join(cell[:20] for cell in header[:6]) or "an empty file"
        raise _bad("a CSV file with the columns action, yes, no", shown, "name the columns in the first line")
    places = [header.index(name) for name in COLUMNS]
    filled = [(number, row) for number, row in enumerate(rows[1:], start=2) if any(cell.strip() for cell in row)]
    if not MIN_ACTIONS <= len(filled) <= MAX_ACTIONS:
        raise _bad(f"{MIN_ACTIONS} to {MAX_ACTIONS:,} actions", f"{len(filled):,}", "send a file within these limits")
    return _survey([_row(row, places, number) for number, row in filled])


@dataclass(frozen=True)
class Disagreement:
    """A phrase that scores place elsewhere than people, as distance from the common line in standard deviations."""

    action: str
    share: float
    score: float
    distance: float


def agreement(scores: FloatArray, survey: Survey) -> Correlation:
    """Pearson's r between scores and the share of Yes, with its 95 % interval."""
    return pearson(scores, survey.share)


def disagreements(scores: FloatArray, shares: FloatArray, actions: Sequence[str], *, top: int) -> list[Disagreement]:
    """Name the `top` phrases furthest from the line that relates scores to shares, the furthest first.

    Positive distance: the scores put the phrase higher than people would let expect.

    Examples
    --------
    >>> found = disagreements(np.array([1.0, 2, 3, 0]), np.array([0.1, 0.2, 0.3, 0.4]), ["a", "b", "c", "d"], top=1)
    >>> found[0].action
    'c'
    """
    slope, base = np.polyfit(shares, scores, 1)
    residual = scores - (base + slope * shares)
    distance = residual / (residual.std() or 1.0)
    order = np.argsort(-np.abs(distance), kind="stable")[:top]
    return [Disagreement(actions[row], float(shares[row]), float(scores[row]), float(distance[row])) for row in order]


def _survey(rows: Sequence[tuple[str, int, int]]) -> Survey:
    actions = tuple(action for action, _, _ in rows)
    if len(set(actions)) < len(actions):
        twice = next(action for action in actions if actions.count(action) > 1)
        raise _bad("each action once", f"“{twice}” more than once", "add its votes up")
    return Survey(actions, np.array([yes for _, yes, _ in rows]), np.array([no for _, _, no in rows]))


def _row(row: Sequence[str], places: Sequence[int], number: int) -> tuple[str, int, int]:
    cells = [row[place].strip() if place < len(row) else "" for place in places]
    action = clean(cells[0], where=f"line {number}")
    if not action or not all(cell.isascii() and cell.isdigit() and len(cell) <= MAX_DIGITS for cell in cells[1:]):
        raise _bad(f"an action and two counts in line {number}", ", ".join(cells)[:60], "write whole numbers of votes")
    yes, no = int(cells[1]), int(cells[2])
    if yes + no == 0:
        raise _bad(f"at least one vote in line {number}", "zero", "leave out actions that nobody voted on")
    return action, yes, no


def _decode(content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        got = f"byte {content[error.start]:#04x} at position {error.start}"
        raise _bad("text in UTF-8", got, "save the file as CSV in UTF-8") from error
    if "\0" in text:
        raise _bad("a text file", "a file with zero bytes", "save the table as CSV")
    return text


def _bad(expected: str, got: str, remedy: str) -> InputError:
    return InputError(expected=expected, got=got, remedy=remedy)
