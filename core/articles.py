"""A or an: which article a word takes, by its sound."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inflect import engine

_CORRECTED = ("usher",)
"""Words that take "an" and for which the library says "a". Found by comparing it with the CMU Pronouncing Dictionary on
3,248 frequent nouns in a, e, i, o, u, h and y; the other five that differ are names and abstract nouns."""

_BEFORE_SLOT = re.compile(r"\b(a)n?(?=\s+\{\})", re.IGNORECASE)


@lru_cache(maxsize=4096)
def article(text: str) -> str:
    """The indefinite article of a word or phrase, ``a`` or ``an``.

    Examples
    --------
    >>> [article(word) for word in ("nurse", "umpire", "university teacher", "hourly worker", "usher")]
    ['a', 'an', 'a', 'an', 'an']
    """
    return "an" if _engine().a(text).startswith("an ") else "a"


def agree(question: str, text: str) -> str:
    """A question whose "a {}" or "an {}" suits the text that will fill the slot.

    Examples
    --------
    >>> agree("Is your cousin a {}", "actor")
    'Is your cousin an {}'
    >>> agree("Was the {} here today", "actor")
    'Was the {} here today'
    """
    return _BEFORE_SLOT.sub(lambda found: found[1] + article(text)[1:], question)


@cache
def _engine() -> engine:
    import inflect

    made = inflect.engine()
    for word in _CORRECTED:
        made.defan(word)
    return made
