"""From what a reader types to validated phrases.

A phrase is an action ("kill") with an optional context ("time"). The text is data: it is trimmed and
checked here, and never interpreted as markup anywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NewType

from core.errors import InputError

MAX_CHARACTERS = 200
"""Longest phrase in characters. Ours: the longest phrase of the two moral papers has 30."""

MAX_PHRASES = 500
"""Most lines, and most phrases, of one request. Ours: a class set, not a corpus."""

PhraseText = NewType("PhraseText", str)
"""Text that went through `clean`: trimmed, single-spaced, within the limits, without control characters."""


@dataclass(frozen=True, order=True)
class Phrase:
    """An action and the context it stands in.

    Examples
    --------
    >>> Phrase(PhraseText("kill"), PhraseText("time")).text
    'kill time'
    """

    action: PhraseText
    context: PhraseText = PhraseText("")

    @property
    def text(self) -> PhraseText:
        """The words that go into a question template."""
        return PhraseText(f"{self.action} {self.context}".strip())


@dataclass(frozen=True)
class PhraseList:
    """The phrases of one request, each once and in the order typed, with what was left out."""

    phrases: tuple[Phrase, ...]
    blank: int = 0
    duplicates: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[PhraseText, ...]:
        """The text of each phrase, in order."""
        return tuple(phrase.text for phrase in self.phrases)


def clean(raw: str, *, where: str = "the phrase") -> PhraseText:
    """Return one action or context as it goes into a question.

    Trimmed, inner space collapsed, a leading "to " and closing punctuation dropped; letter case is kept.

    Parameters
    ----------
    raw : str
        What was typed.
    where : str
        How an error names the place, for example ``"line 3"``.

    Raises
    ------
    InputError
        Over `MAX_CHARACTERS`, or with a control character.

    Examples
    --------
    >>> clean("  to  kill   time?! ")
    'kill time'
    """
    for character in raw:
        if unicodedata.category(character) in ("Cc", "Cs") and not character.isspace():
            raise InputError(
                expected=f"printable text in {where}",
                got=f"the control character U+{ord(character):04X}",
                remedy="delete it and submit again",
            )
    text = re.sub(r"^to\s+(?=\S)", "", " ".join(raw.split()), flags=re.IGNORECASE)
    text = text.rstrip(" .?!;:,…")
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            expected=f"at most {MAX_CHARACTERS} characters in {where}",
            got=f"{len(text)}",
            remedy="shorten it; the method was made for a verb with a short context",
        )
    return PhraseText(text)


def parse_lines(text: str) -> PhraseList:
    """Read one request per line, ``action`` or ``action: context; context``.

    The bare action is always scored too, so that the effect of its contexts has a base. Blank lines are
    ignored and counted, repeated phrases kept once and named.

    Raises
    ------
    InputError
        More than `MAX_PHRASES` lines or phrases, or a line that `clean` refuses.

    Examples
    --------
    >>> parse_lines("kill: people; time\\n\\nsmile").texts
    ('kill', 'kill people', 'kill time', 'smile')
    """
    lines = text.split("\n")
    if len(lines) > MAX_PHRASES and sum(bool(line.strip()) for line in lines) > MAX_PHRASES:
        raise _too_many(sum(bool(line.strip()) for line in lines), "lines")
    rows: list[tuple[str, str]] = []
    for line in lines:
        action, _, contexts = line.partition(":")
        parts = [part for part in contexts.split(";") if part.strip()]
        rows.append((action, ""))
        rows.extend((action, part) for part in parts)
    # A closing line break is how text ends, not a line that somebody left blank.
    blank = sum(not line.strip() for line in lines) - (len(lines) > 1 and not lines[-1].strip())
    return _collect([row for row in rows if row[0].strip() or row[1].strip()], blank=blank)


def parse_rows(rows: Iterable[Sequence[str | None]]) -> PhraseList:
    """Read (action, context) rows of a table; each row is one phrase; a bare action that no row holds is put before it.

    Examples
    --------
    >>> parse_rows([("kill", "time"), ("", ""), ("kill", None)]).texts
    ('kill time', 'kill')
    """
    filled = [((row[0] or ""), (row[1] or "")) for row in rows]
    kept = [row for row in filled if row[0].strip() or row[1].strip()]
    expanded: list[tuple[str, str]] = []
    for action, context in kept:
        if context.strip() and (action, "") not in expanded and (action, "") not in kept:
            expanded.append((action, ""))
        expanded.append((action, context))
    return _collect(expanded, blank=len(filled) - len(kept))


def _collect(rows: Sequence[tuple[str, str]], *, blank: int) -> PhraseList:
    """Clean every row, keep each phrase once; an action without words takes its context as the phrase."""
    kept: dict[PhraseText, Phrase] = {}
    duplicates: dict[str, None] = {}
    for number, (raw_action, raw_context) in enumerate(rows, start=1):
        action = clean(raw_action, where=f"entry {number}")
        context = clean(raw_context, where=f"entry {number}")
        phrase = Phrase(action, context) if action else Phrase(context)
        text = clean(phrase.text, where=f"entry {number}")
        if not text:
            blank += 1
        elif text in kept:
            duplicates[text] = None
        else:
            kept[text] = phrase
    if len(kept) > MAX_PHRASES:
        raise _too_many(len(kept), "phrases")
    return PhraseList(tuple(kept.values()), blank=blank, duplicates=tuple(duplicates))


def _too_many(count: int, what: str) -> InputError:
    return InputError(
        expected=f"at most {MAX_PHRASES} {what}",
        got=f"{count:,}",
        remedy="split the list; the command line scores a long list in parts",
    )
