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
    """The phrases of one request, in the order typed, with what was left out.

    Parameters
    ----------
    phrases : tuple of Phrase
        Each text once: what is scored.
    grid : tuple of Phrase
        Each pair of action and context once. Two pairs may share a text ("kill time" and "kill" in the context "time").
    blank : int
        Empty entries.
    duplicates : tuple of str
        Texts that were typed again in the same form.
    """

    phrases: tuple[Phrase, ...]
    grid: tuple[Phrase, ...] = ()
    blank: int = 0
    duplicates: tuple[str, ...] = ()

    @property
    def texts(self) -> tuple[PhraseText, ...]:
        """The text of each phrase, in order."""
        return tuple(phrase.text for phrase in self.phrases)


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


def parse_lines(text: str, *, most: int = MAX_PHRASES) -> PhraseList:
    r"""Read one request per line, ``action`` or ``action: context; context``.

    The bare action is always scored too, so that the effect of its contexts has a base. Blank lines are
    ignored and counted, repeated phrases kept once and named. A colon or semicolon that is part of the words is written
    with a backslash before it.

    Parameters
    ----------
    most : int
        Most lines, and most phrases typed (bare actions that are added do not count).

    Raises
    ------
    InputError
        More than `most` lines or phrases, or a line that `clean` refuses.

    Examples
    --------
    >>> parse_lines("kill: people; time\n\nsmile").texts
    ('kill', 'kill people', 'kill time', 'smile')
    """
    lines = text.split("\n")
    filled = [(f"line {number}", line) for number, line in enumerate(lines, start=1) if line.strip()]
    if len(filled) > most:
        raise _too_many(len(filled), "lines", most)
    # Counted before anything is cut: a line may hold any number of contexts.
    if (typed := sum(max(1, line.count(";")) for _, line in filled)) > 2 * most:
        raise _too_many(typed, "phrases", most)
    entries = [(where, action, context) for where, line in filled for action, context in _cut(line)]
    # A closing line break is how text ends, not a line that somebody left blank.
    return _collect(entries, blank=len(lines) - len(filled) - (len(lines) > 1 and not lines[-1].strip()), most=most)


def parse_rows(rows: Iterable[Sequence[str | None]]) -> PhraseList:
    """Read (action, context) rows of a table; each row is one phrase; a bare action that no row holds is put before it.

    Examples
    --------
    >>> parse_rows([("kill", "time"), ("", ""), ("kill", None)]).texts
    ('kill time', 'kill')
    """
    entries = [(f"row {number}", row[0] or "", row[1] or "") for number, row in enumerate(rows, start=1)]
    return _collect(entries, blank=0, most=MAX_PHRASES)


def split_lines(text: str) -> list[tuple[str, str]]:
    """Cut lines into raw (action, context) rows for an editable table, without checking them.

    Examples
    --------
    >>> split_lines("kill: people; time")
    [('kill', 'people'), ('kill', 'time')]
    """
    return [row for line in text.split("\n") if line.strip() for row in _cut(line)]


def join_rows(rows: Iterable[tuple[str, str]]) -> str:
    r"""Write raw rows as lines, one per action: the inverse of `split_lines`.

    Examples
    --------
    >>> join_rows([("kill", "people"), ("kill", "time"), ("smile", "")])
    'kill: people; time\nsmile'
    >>> split_lines(join_rows([("say: hello", "")]))
    [('say: hello', '')]
    """
    contexts: dict[str, list[str]] = {}
    for action, context in rows:
        contexts.setdefault(_escape(action), []).extend([_escape(context)] if context else [])
    return "\n".join(f"{action}: {'; '.join(found)}" if found else action for action, found in contexts.items())


_PART = r"(?:\\[\\:;]|[^{end}])"
"""A character of an action or context: one that does not end it, or an escaped one."""


def _cut(line: str) -> list[tuple[str, str]]:
    found = re.fullmatch(f"({_PART.format(end=':')}*)(?::(.*))?", line, flags=re.DOTALL)
    action, rest = found.groups() if found else (line, None)
    contexts = [_unescape(part) for part in re.findall(f"{_PART.format(end=';')}+", rest or "")]
    return [(_unescape(action), part) for part in contexts if part] or [(_unescape(action), "")]


def _escape(words: str) -> str:
    return re.sub(r"([\\:;])", r"\\\1", words)


def _unescape(words: str) -> str:
    return re.sub(r"\\([\\:;])", r"\1", words).strip()


_Entry = tuple[str, str, str]
"""Where it was typed, the action and the context as typed."""


def _collect(entries: Sequence[_Entry], *, blank: int, most: int) -> PhraseList:
    """Keep each phrase once, each bare action before its first context; without an action the context is one."""
    if len(entries) > most:
        raise _too_many(len(entries), "phrases", most)
    typed: list[Phrase] = []
    for where, raw_action, raw_context in entries:
        action, context = clean(raw_action, where=where), _tidy(raw_context, where=where)
        typed.append(Phrase(action, context) if action else Phrase(clean(raw_context, where=where)))
        _tidy(typed[-1].text, where=where)  # the limit holds for both together
    bare = {phrase.action for phrase in typed if not phrase.context}
    grid: dict[Phrase, None] = {}
    duplicates: dict[str, None] = {}
    for phrase in typed:
        if phrase.context and phrase.action not in bare:
            grid.setdefault(Phrase(phrase.action))
        if not phrase.text:
            blank += 1
        elif phrase in grid:
            duplicates[phrase.text] = None
        else:
            grid[phrase] = None
    kept: dict[PhraseText, Phrase] = {}
    for phrase in grid:
        kept.setdefault(phrase.text, phrase)
    return PhraseList(tuple(kept.values()), tuple(grid), blank=blank, duplicates=tuple(duplicates))


_JOINERS = "\u200c\u200d"
"""Invisible characters that words and emoji of some scripts are written with."""


def printable(raw: str, *, where: str) -> str:
    """Return one line of text, trimmed and with inner space collapsed, without control or invisible characters.

    Raises
    ------
    InputError
        A control or invisible character, which is named.

    Examples
    --------
    >>> printable("  kill   time. ", where="the phrase")
    'kill time.'
    """
    for character in raw:
        category = unicodedata.category(character)
        control = category in ("Cc", "Cs") and character not in "\t\n\r"
        if control or (category == "Cf" and character not in _JOINERS):
            raise InputError(
                expected=f"printable text in {where}",
                got=f"the {'control' if control else 'invisible'} character U+{ord(character):04X}",
                remedy="delete it and submit again",
            )
    return " ".join(raw.split())


def _tidy(raw: str, *, where: str) -> PhraseText:
    text = printable(raw, where=where).rstrip(" .?!;:,…")
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            expected=f"at most {MAX_CHARACTERS} characters in {where}",
            got=f"{len(text)}",
            remedy="shorten it; the method was made for a verb with a short context",
        )
    return PhraseText(text)


def _too_many(count: int, what: str, most: int) -> InputError:
    return InputError(
        expected=f"at most {most:,} {what}",
        got=f"{count:,}",
        remedy="split the list, or score it with the command line, which takes longer ones",
    )
