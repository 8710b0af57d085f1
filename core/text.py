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

    @property
    def bases(self) -> tuple[int, ...]:
        """For each phrase the index of its bare action, its own where there is none.

        Examples
        --------
        >>> parse_lines("kill: time").bases
        (0, 0)
        """
        bare = {item.action: index for index, item in enumerate(self.phrases) if not item.context}
        return tuple(bare.get(item.action, index) for index, item in enumerate(self.phrases))


def clean(raw: str, *, where: str = "the phrase") -> PhraseText:
    """Return one action as it goes into a question.

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
    return _tidy(re.sub(r"^\s*(?:to\s+)+(?=\S)", "", raw, flags=re.IGNORECASE), where=where)


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
    filled = [(f"line {number}", line) for number, line in enumerate(lines, start=1) if line.strip()]
    if len(filled) > MAX_PHRASES:
        raise _too_many(len(filled), "lines")
    entries: list[_Entry] = []
    for where, line in filled:
        entries.extend((where, action, context) for action, context in _cut(line))
    # A closing line break is how text ends, not a line that somebody left blank.
    return _collect(entries, blank=len(lines) - len(filled) - (len(lines) > 1 and not lines[-1].strip()))


def parse_rows(rows: Iterable[Sequence[str | None]]) -> PhraseList:
    """Read (action, context) rows of a table; each row is one phrase; a bare action that no row holds is put before it.

    Examples
    --------
    >>> parse_rows([("kill", "time"), ("", ""), ("kill", None)]).texts
    ('kill time', 'kill')
    """
    entries = [(f"row {number}", row[0] or "", row[1] or "") for number, row in enumerate(rows, start=1)]
    return _collect(entries, blank=0)


def split_lines(text: str) -> list[tuple[str, str]]:
    """Cut lines into raw (action, context) rows for an editable table, without checking them.

    Examples
    --------
    >>> split_lines("kill: people; time")
    [('kill', 'people'), ('kill', 'time')]
    """
    return [row for line in text.split("\n") if line.strip() for row in _cut(line)]


def join_rows(rows: Iterable[tuple[str, str]]) -> str:
    r"""Write raw rows as lines, one per action.

    Examples
    --------
    >>> join_rows([("kill", "people"), ("kill", "time"), ("smile", "")])
    'kill: people; time\nsmile'
    """
    contexts: dict[str, list[str]] = {}
    for action, context in rows:
        contexts.setdefault(action, []).extend([context] if context else [])
    return "\n".join(f"{action}: {'; '.join(found)}" if found else action for action, found in contexts.items())


def _cut(line: str) -> list[tuple[str, str]]:
    action, _, contexts = line.partition(":")
    return [(action.strip(), part.strip()) for part in contexts.split(";") if part.strip()] or [(action.strip(), "")]


_Entry = tuple[str, str, str]
"""Where it was typed, the action and the context as typed."""


def _collect(entries: Sequence[_Entry], *, blank: int) -> PhraseList:
    """Keep each phrase once, each bare action before its first context; without an action the context is one."""
    phrases: list[Phrase] = []
    for where, raw_action, raw_context in entries:
        action, context = clean(raw_action, where=where), _tidy(raw_context, where=where)
        phrases.append(Phrase(action, context) if action else Phrase(clean(raw_context, where=where)))
        _tidy(phrases[-1].text, where=where)  # the limit holds for both together
    bare = {phrase.action for phrase in phrases if not phrase.context}
    kept: dict[PhraseText, Phrase] = {}
    duplicates: dict[str, None] = {}
    for phrase in phrases:
        if phrase.context and phrase.action not in bare:
            kept.setdefault(phrase.action, Phrase(phrase.action))
        if not phrase.text:
            blank += 1
        elif phrase.text in kept:
            duplicates[phrase.text] = None
        else:
            kept[phrase.text] = phrase
    if len(kept) > MAX_PHRASES:
        raise _too_many(len(kept), "phrases")
    return PhraseList(tuple(kept.values()), blank=blank, duplicates=tuple(duplicates))


def _tidy(raw: str, *, where: str) -> PhraseText:
    for character in raw:
        if unicodedata.category(character) in ("Cc", "Cs") and not character.isspace():
            raise InputError(
                expected=f"printable text in {where}",
                got=f"the control character U+{ord(character):04X}",
                remedy="delete it and submit again",
            )
    text = " ".join(raw.split()).rstrip(" .?!;:,…")
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            expected=f"at most {MAX_CHARACTERS} characters in {where}",
            got=f"{len(text)}",
            remedy="shorten it; the method was made for a verb with a short context",
        )
    return PhraseText(text)


def _too_many(count: int, what: str) -> InputError:
    return InputError(
        expected=f"at most {MAX_PHRASES} {what}",
        got=f"{count:,}",
        remedy="split the list; the command line scores a long list in parts",
    )
