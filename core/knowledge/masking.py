"""Targets in a text: which are named, and the text without their names.

Classifiers see masked text only, so that a word such as *prisoner* or *bride* does not decide by itself how a statement is
rated (Mehrabi et al. 2021, section 3.1). A target is found as whole tokens, the longest first, in any letter case and in
its plural; never inside another word, where the authors' own masking by substring found "man" in "woman".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from core.knowledge.targets import Targets, key, plurals, published

MASK = "this person"
"""What stands for a target, as in the authors' released sentences."""

_APART = "\0"
"""Between texts that are masked together: no word, no space, and in no text that a reader can send."""

_BETWEEN = r"[\s'’\-]+"
"""What may stand between the words of one target: "african_american", "ma'am"."""


class Mentions:
    """Finds and masks the targets of one list.

    Parameters
    ----------
    targets : Targets
        The list; plural forms are those of `core.knowledge.targets.plurals`.

    Examples
    --------
    >>> words = Mentions(Targets(("man", "African", "South African"), ("gender", "origin", "origin")))
    >>> words.find("a south african woman met two men"), words.mask("a South African woman met two Men")
    ((2, 0), 'a this person woman met two this person')
    """

    def __init__(self, targets: Targets) -> None:
        self._codes = {
            _joined(form): code
            for code, name in enumerate(map(key, targets.names))
            for form in (name, *map(key, plurals().get(name, ())))
        }
        self._pattern = re.compile(rf"\b{_any_of(self._codes)}\b")

    def find(self, text: str) -> tuple[int, ...]:
        """Codes of the targets that `text` names, each once, in the order of the text."""
        found = self._pattern.findall(_lower(text))
        return tuple(dict.fromkeys(self._codes[_joined(name)] for name in found))

    def mask(self, text: str) -> str:
        """`text` with `MASK` for every target."""
        parts, end = [], 0
        for match in self._pattern.finditer(_lower(text)):
            parts += [text[end : match.start()], MASK]
            end = match.end()
        return "".join([*parts, text[end:]])

    def mask_all(self, texts: Sequence[str]) -> list[str]:
        """`mask` of each text, all in one go: a target never reaches over the character between them.

        Examples
        --------
        >>> Mentions(Targets(("New Yorker",), ("origin",))).mask_all(["a new yorker", "new", "Yorker"])
        ['a this person', 'new', 'Yorker']
        """
        found = self.mask(_APART.join(texts)).split(_APART)
        return found if len(found) == len(texts) else [self.mask(text) for text in texts]


@cache
def mentions(targets: Targets | None = None) -> Mentions:
    """The finder of a list of targets, by default the published ones; made once.

    Examples
    --------
    >>> mentions().mask("Teachers are people who teach")
    'this person are people who teach'
    """
    return Mentions(targets or published())


def _joined(form: str) -> str:
    return " ".join(re.split(_BETWEEN, form))


def _any_of(forms: Iterable[str]) -> str:
    """A pattern for the longest of `forms` that fits, one letter after the other: several times faster than a list."""
    branches: dict[str, list[str]] = {}
    for form in forms:
        branches.setdefault(form[:1], []).append(form[1:])
    ends = "" in branches
    found = [
        (_BETWEEN if letter == " " else re.escape(letter)) + _any_of(rest)
        for letter, rest in sorted(branches.items())
        if letter
    ]
    if not found:
        return "" if ends else "(?!)"
    return f"(?:{'|'.join(found)})" + "?" * ends


def _lower(text: str) -> str:
    """Lower case, and a space for each ``_``, of the same length: places in it are places in `text`."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := character.lower()) == 1 else character for character in text)
    return lowered.replace("_", " ")
