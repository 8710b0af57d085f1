"""The actions that an axis is fitted to, and those among them that say which way it points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.assets import column
from core.encoders.protocol import Encoder
from core.encoders.vocabulary import readable
from core.errors import EncoderError, InputError
from core.moral.axis import DO_ANCHORS, DONT_ANCHORS, MIN_SEEDS
from core.text import clean

DO, DONT = "do", "dont"

MAX_SEEDS = 200
"""Most seeds of an axis. Ours: three times the published ones; the bootstrap holds 300 matrices of seeds by seeds."""


@dataclass(frozen=True)
class Seeds:
    """Seed actions in order, and which of them are anchors.

    Parameters
    ----------
    actions : tuple of str
        Distinct phrases.
    do, dont : tuple of str
        The anchors of either side, each also among `actions`.
    """

    actions: tuple[str, ...]
    do: tuple[str, ...]
    dont: tuple[str, ...]

    @property
    def do_rows(self) -> list[int]:
        """Rows of the *Do* anchors."""
        return [self.actions.index(anchor) for anchor in self.do]

    @property
    def dont_rows(self) -> list[int]:
        """Rows of the *Don't* anchors."""
        return [self.actions.index(anchor) for anchor in self.dont]


def published() -> Seeds:
    """The 65 atomic actions of Schramowski et al. (2019), Table 5, with the anchors of `core.moral.axis`.

    Examples
    --------
    >>> len(published().actions), published().dont
    (65, ('kill', 'murder', 'harm', 'torture'))
    """
    return Seeds(column("atomic_actions.csv", "action"), DO_ANCHORS, DONT_ANCHORS)


def known(encoder: Encoder, seeds: Seeds) -> Seeds:
    """Those seeds of which `encoder` knows a word; all where it reads any text.

    Raises
    ------
    EncoderError
        Too few for an axis, or no anchor on one side.
    """
    actions = readable(encoder, seeds.actions)
    do, dont = (tuple(anchor for anchor in side if anchor in actions) for side in (seeds.do, seeds.dont))
    if len(actions) < MIN_SEEDS or not (do and dont):
        raise EncoderError(
            expected=f"an encoder that knows at least {MIN_SEEDS} of the {len(seeds.actions)} seed actions, and an anchor on "
            "either side",
            got=f"{len(actions)} actions, {len(do)} and {len(dont)} anchors known to {encoder.name}",
            remedy="use a larger file of word vectors, or an encoder that reads any text",
        )
    return Seeds(actions, do, dont)


def from_rows(rows: Iterable[Sequence[str | None]]) -> Seeds:
    """Read (action, anchor) rows; the anchor is ``do``, ``dont`` or empty. Blank and repeated actions are left out.

    Raises
    ------
    InputError
        Another word as anchor, too few seeds, too many, or no anchor on one side.

    Examples
    --------
    >>> rows = [("smile", "do"), ("walk", ""), ("read", None), ("kill", "dont"), ("harm", "dont")]
    >>> from_rows(rows).do_rows
    [0]
    """
    sides: dict[str, str] = {}
    for number, row in enumerate(rows, start=1):
        action = clean(row[0] or "", where=f"seed {number}")
        side = (row[1] or "").strip().lower().replace("'", "").replace("’", "")
        if side not in ("", DO, DONT):
            raise InputError(
                expected=f"“do”, “dont” or nothing as the anchor of seed {number}",
                got=repr(side[:40]),
                remedy="say for the clearest seeds on which side they lie and leave the others empty; in a list, end an "
                "action that holds a comma with a comma",
            )
        if action and {side, sides.get(action)} == {DO, DONT}:
            raise InputError(
                expected="each seed on one side", got=f"“{action}” as do and as dont", remedy="decide for one of them"
            )
        if action:
            sides[action] = sides.get(action) or side
    if not MIN_SEEDS <= len(sides) <= MAX_SEEDS:
        raise InputError(
            expected=f"{MIN_SEEDS} to {MAX_SEEDS} different seed actions",
            got=f"{len(sides):,}",
            remedy="list actions that people agree on, or go back to the published ones",
        )
    do, dont = (tuple(action for action, found in sides.items() if found == side) for side in (DO, DONT))
    if not do or not dont:
        raise InputError(
            expected="at least one anchor on either side",
            got="none" if not do and not dont else f"none on the {'Do' if not do else 'Don’t'} side",
            remedy="mark a seed everybody would call good as “do” and one everybody would call bad as “dont”",
        )
    return Seeds(tuple(sides), do, dont)


def parse(text: str) -> Seeds:
    """Read one seed per line, ``action`` or ``action, do`` or ``action, dont``.

    Examples
    --------
    >>> parse("smile, do\\nwalk\\nread\\nsleep\\nkill, dont").dont
    ('kill',)
    """
    return from_rows(split(text))


def split(text: str) -> list[tuple[str, str]]:
    """Lines of `parse` as (action, anchor) rows, unchecked."""
    rows = (line.rpartition(",") if "," in line else (line, "", "") for line in text.replace("\r\n", "\n").split("\n"))
    return [(action, side.strip()) for action, _, side in rows]


def render(seeds: Seeds) -> str:
    """Write seeds the way `parse` reads them.

    Examples
    --------
    >>> render(published()).split("\\n")[:2]
    ['smile, do', 'cheer,']
    """
    sides = {**dict.fromkeys(seeds.do, DO), **dict.fromkeys(seeds.dont, DONT)}
    return "\n".join(f"{action}, {sides.get(action, '')}".strip() for action in seeds.actions)
