"""Keywords by Empath: a statement is what most of its listed words are.

Source: Fast, Chen and Bernstein (2016), https://github.com/Ejhfast/empath-client. Mehrabi et al. (2021), Table 3, use words of
Empath and LIWC as a baseline and do not publish which; LIWC is not free. Chosen here: categories whose name alone says
that a person who does or shows this is seen well, or ill. Themes (work, religion, children) and what a person suffers are
in neither list.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from types import MappingProxyType

import numpy as np

from core.assets import package_lines
from core.knowledge.polarity.protocol import NEGATIVE, POSITIVE, Labels, Progress

FAVOURABLE = [
    "achievement",
    "affection",
    "attractive",
    "beauty",
    "cheerfulness",
    "contentment",
    "giving",
    "help",
    "heroic",
    "joy",
    "love",
    "optimism",
    "politeness",
    "positive_emotion",
    "trust",
    "zest",
]
"""Categories that count as positive. Ours."""

UNFAVOURABLE = [
    "aggression",
    "anger",
    "crime",
    "deception",
    "disgust",
    "envy",
    "exasperation",
    "hate",
    "irritability",
    "kill",
    "negative_emotion",
    "neglect",
    "rage",
    "ridicule",
    "shame",
    "stealing",
    "swearing_terms",
    "terrorism",
    "ugliness",
    "violence",
    "weakness",
]
"""Categories that count as negative. Ours."""

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


class Keywords:
    """Counts words of either kind; the more frequent kind decides, a tie is neutral."""

    name = "keywords"

    def __init__(self) -> None:
        self._value = words()
        listed = "\n".join(f"{word} {value}" for word, value in sorted(self._value.items()))
        self.identity = f"Empath {version('empath')}, words sha256:{hashlib.sha256(listed.encode()).hexdigest()[:16]}"

    def label(self, texts: Sequence[str], progress: Progress | None = None) -> Labels:
        """One label for each text."""
        return count(texts, self._value)


def count(texts: Iterable[str], value: Mapping[str, int]) -> Labels:
    """The sign of the summed values of the words of each text.

    Examples
    --------
    >>> count(["A kind, kind liar", "kind liar", "liar"], {"kind": 1, "liar": -1}).tolist()
    [1, 0, -1]
    """
    sums = [sum(value.get(word, 0) for word in _WORD.findall(text.lower())) for text in texts]
    return np.sign(np.array(sums, dtype=np.int64)).astype(np.int8)


@cache
def words() -> Mapping[str, int]:
    """Every listed word with 1 (favourable) or −1 (unfavourable); a word on both lists is on neither.

    Raises
    ------
    AssetError
        The lexicon is not installed.

    Examples
    --------
    >>> words()["honesty"], words()["thief"], words().get("person")
    (1, -1, None)
    """
    categories = _categories()
    good, bad = ({word for name in names for word in categories[name]} for names in (FAVOURABLE, UNFAVOURABLE))
    return MappingProxyType({**dict.fromkeys(good - bad, POSITIVE), **dict.fromkeys(bad - good, NEGATIVE)})


def _categories() -> dict[str, list[str]]:
    # The package is not imported: it brings code that asks a server.
    lines = package_lines("empath", "categories.tsv")
    return {name: listed for name, *listed in (line.strip().split("\t") for line in lines)}
