"""Word sets: the ten tests of Caliskan et al., the general positive and negative words, and a reader's own sets."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Container
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

from core.assets import Row, column, read_table
from core.errors import AssetError, InputError
from core.text import clean

MIN_WORDS = 2
"""Fewest words of a set: one word has no spread, and nothing could be left out."""

MAX_WORDS = 200
"""Most words of a set. Ours: four times the longest published one (55)."""

HEADINGS = ("word", "words", "verb", "verbs", "occupation", "target", "term", "name")
"""Headings by which a column of words is known; a first line without one of them is a word like the others."""

MAX_MISSING = 0.2
"""Largest share of a set that a vocabulary may lack. Ours: beyond it the rest is another set."""

OWN = "own"
"""Key of a reader's own test."""

Vocabulary = Container[str]
"""The words an encoder knows; anything that answers ``word in vocabulary``."""


@dataclass(frozen=True)
class WordSet:
    """A named set of words, each once.

    Parameters
    ----------
    name : str
        Shown on axes and in tables.
    words : tuple of str
        In the order given.
    repeated : tuple of str
        Words that were given again and left out.
    """

    name: str
    words: tuple[str, ...]
    repeated: tuple[str, ...] = ()


@dataclass(frozen=True)
class HumanFinding:
    """What people showed in the implicit association test behind a word test, as printed."""

    n: str
    d: float
    p: str


@dataclass(frozen=True)
class WordTest:
    """Two sets of target words and two of attribute words; the hypothesis is that X goes with A and Y with B.

    Parameters
    ----------
    key : str
        Short name: ``1`` to ``10`` for the published tests, ``own`` for a reader's.
    x, y : WordSet
        Target words; as many in either.
    a, b : WordSet
        Attribute words.
    human : HumanFinding, optional
        The finding with people that the test repeats.
    """

    key: str
    x: WordSet
    y: WordSet
    a: WordSet
    b: WordSet
    human: HumanFinding | None = None

    @property
    def title(self) -> str:
        """The sets in words, as in "Flowers / Insects × Pleasant / Unpleasant"."""
        return f"{self.x.name} / {self.y.name} × {self.a.name} / {self.b.name}"

    @property
    def short(self) -> str:
        """What a published test is called for short; the title of an own one."""
        return self.title if self.key == OWN else card(self.key).title

    @property
    def sets(self) -> tuple[WordSet, WordSet, WordSet, WordSet]:
        """X, Y, A and B."""
        return self.x, self.y, self.a, self.b


@dataclass(frozen=True)
class Card:
    """What a reader should know of a list of words before trusting it; texts as in the shipped table."""

    title: str
    authors: str
    year: str
    licence: str
    known_problems: str
    source: str


def card(name: str) -> Card:
    """The card of a list: ``1`` to ``10``, ``general``, ``verbs``, ``occupations``, ``professions``, ``afinn``, …

    Examples
    --------
    >>> card("general").source
    'Jentzsch 2019, Table 4'
    """
    for row in read_table("word_lists.csv"):
        if row["list"] == name:
            return Card(**{field: text for field, text in row.items() if field != "list"})
    raise AssetError(expected=f"a card for the list {name}", got="none", remedy="add it to word_lists.csv")


@cache
def published() -> tuple[WordTest, ...]:
    """The ten tests of Caliskan et al. (2017), Table 1, with the human findings printed there.

    Examples
    --------
    >>> published()[0].title, len(published()[0].x.words), published()[0].human.d
    ('Flowers / Insects × Pleasant / Unpleasant', 25, 1.35)
    """
    rows = read_table("weat_tests.csv")
    return tuple(_published_test(finding, rows) for finding in read_table("weat_findings.csv"))


def find(name: str) -> WordTest:
    """A published test by its number ("1", "WEAT 1") or by the start of its title ("flowers", "math-arts").

    Raises
    ------
    InputError
        No test, or more than one, is called so.

    Examples
    --------
    >>> find("WEAT 6").title == find("male-names").title
    True
    """
    wanted = _plain(name)
    tests = published()
    matching = [test for test in tests if wanted.removeprefix("weat").lstrip("-") == test.key]
    matching = matching or [test for test in tests if wanted and _plain(test.title).startswith(wanted)]
    if len(matching) != 1:
        named = "; ".join(f"{test.key} {test.title}" for test in matching or tests)
        raise InputError(
            expected="the number of a published test, or the start of its title",
            got=f"{name[:60]!r}, which fits {len(matching) or 'none'}",
            remedy=f"choose one of: {named}",
        )
    return matching[0]


@cache
def general() -> tuple[WordSet, WordSet]:
    """The general positive (46) and negative (55) words of Jentzsch et al. (2019), Table 4.

    Examples
    --------
    >>> [len(words.words) for words in general()]
    [46, 55]
    """
    positive, negative = (
        WordSet(f"{side} words", column("association_sets.csv", "word", set=side)) for side in ("positive", "negative")
    )
    return positive, negative


def parse(text: str, name: str, *, limit: int = MAX_WORDS) -> WordSet:
    """Read words from what a reader pasted: separated by line breaks, commas, semicolons or tabs.

    Repeated words, whatever their letter case, are kept once and named in the result.

    Raises
    ------
    InputError
        Fewer than `MIN_WORDS` words, more than `limit`, or an entry that `core.text.clean` refuses.

    Examples
    --------
    >>> parse("rose, tulip; Rose", "Flowers")
    WordSet(name='Flowers', words=('rose', 'tulip'), repeated=('Rose',))
    """
    entries = [entry for entry in re.split(r"[\n,;\t]", text) if entry.strip()]
    if len(entries) > limit:
        raise InputError(
            expected=f"at most {limit:,} words in {name}", got=f"{len(entries):,}", remedy="shorten the list"
        )
    cleaned = [clean(entry, where=f"entry {number} of {name}") for number, entry in enumerate(entries, start=1)]
    kept: dict[str, str] = {}
    repeated = []
    for word in filter(None, cleaned):
        if word.casefold() in kept:
            repeated.append(word)
        else:
            kept[word.casefold()] = word
    if len(kept) < MIN_WORDS:
        raise InputError(
            expected=f"at least {MIN_WORDS} different words in {name}",
            got=", ".join(kept.values()) or "none",
            remedy="add words, separated by commas or line breaks",
        )
    return WordSet(name, tuple(kept.values()), tuple(repeated))


def first_column(text: str) -> str:
    """The column of a CSV text whose heading is among `HEADINGS`, or without one the first column, one entry per line.

    Raises
    ------
    InputError
        It is no CSV.

    Examples
    --------
    >>> first_column("group,word\\nfruit,apple\\nfruit,pear")
    'apple\\npear'
    """
    rows = _table(text)
    header = [cell.strip().lower() for cell in rows[0]] if rows else []
    place = next((header.index(name) for name in HEADINGS if name in header), None)
    listed, place = (rows, 0) if place is None else (rows[1:], place)
    return "\n".join(row[place] for row in listed if len(row) > place)


def read_sets(text: str) -> dict[str, list[str]]:
    """Words of X, Y, A and B from a CSV text with the columns ``set`` (x, y, a or b) and ``word``.

    Raises
    ------
    InputError
        A column is missing, or another name stands in ``set``.

    Examples
    --------
    >>> read_sets("set,word\\nx,rose\\nY,gnat\\nx,tulip")
    {'x': ['rose', 'tulip'], 'y': ['gnat'], 'a': [], 'b': []}
    """
    header, *rows = _table(text) or [[]]
    if not {"set", "word"} <= set(header):
        raise InputError(
            expected="a CSV file with the columns set and word",
            got=", ".join(header)[:60] or "an empty file",
            remedy="name the columns in the first line",
        )
    role, word = header.index("set"), header.index("word")
    found: dict[str, list[str]] = {field: [] for field in "xyab"}
    for number, row in enumerate(rows, start=2):
        field = row[role].strip().lower() if len(row) > max(role, word) else ""
        if field not in found:
            raise InputError(
                expected=f"x, y, a or b, and a word, in line {number}",
                got=", ".join(row)[:60],
                remedy="say for every word which set it belongs to",
            )
        found[field].append(row[word])
    return found


def _table(text: str) -> list[list[str]]:
    try:
        return [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    except csv.Error as error:
        raise InputError(
            expected="a table in CSV", got=str(error), remedy="save the table as CSV, or as plain text"
        ) from error


def check(test: WordTest) -> WordTest:
    """Return `test` if it can be evaluated.

    Raises
    ------
    InputError
        X and Y differ in size, or two sets share a word.

    Examples
    --------
    >>> check(published()[0]).key
    '1'
    """
    shorter, longer = sorted((test.x, test.y), key=lambda words: len(words.words))
    if len(shorter.words) < len(longer.words):
        surplus = len(longer.words) - len(shorter.words)
        repeated = [word for words in (test.x, test.y) for word in words.repeated]
        raise InputError(
            expected=f"as many words in {test.x.name} as in {test.y.name}",
            got=f"{len(test.x.words)} and {len(test.y.words)}"
            + (f" (repeated and left out: {_some(repeated)})" if repeated else ""),
            remedy=f"remove {surplus} from {longer.name}, or add {surplus} to {shorter.name}",
        )
    disjoint(*test.sets)
    return test


def disjoint(*sets: WordSet) -> None:
    """Check that no two sets share a word.

    Raises
    ------
    InputError
        Two do.
    """
    for one, other in combinations(sets, 2):
        shared = [word for word in one.words if word.casefold() in {known.casefold() for known in other.words}]
        if shared:
            raise InputError(
                expected=f"{one.name} and {other.name} without a word in common",
                got=f"both hold {_some(shared)}",
                remedy="remove it from one of them: a word would be compared with itself",
            )


def within(test: WordTest, vocabulary: Vocabulary | None) -> tuple[WordTest, tuple[str, ...]]:
    """The test without the words that a vocabulary lacks, and these words. None: nothing is missing.

    What is left may differ in size; the permutation keeps the sizes that are left.

    Raises
    ------
    InputError
        More than `MAX_MISSING` of a set is missing.

    Examples
    --------
    >>> test = published()[0]
    >>> known = {word for words in test.sets for word in words.words} - {"gladiola"}
    >>> within(test, known)[1]
    ('gladiola',)
    """
    if vocabulary is None:
        return test, ()
    missing = tuple(word for words in test.sets for word in words.words if word not in vocabulary)
    x, y, a, b = (kept(words, vocabulary) for words in test.sets)
    return replace(test, x=x, y=y, a=a, b=b), missing


def kept(words: WordSet, vocabulary: Vocabulary | None) -> WordSet:
    """The set without the words that a vocabulary lacks. None: nothing is missing.

    Raises
    ------
    InputError
        More than `MAX_MISSING` of it is missing.

    Examples
    --------
    >>> kept(WordSet("pets", ("cat", "dog", "axolotl", "fish", "hamster")), {"cat", "dog", "fish", "hamster"}).words
    ('cat', 'dog', 'fish', 'hamster')
    """
    if vocabulary is None:
        return words
    missing = [word for word in words.words if word not in vocabulary]
    share = len(missing) / len(words.words)
    if share > MAX_MISSING:
        raise InputError(
            expected=f"at least {1 - MAX_MISSING:.0%} of {words.name} in the vocabulary of this encoder",
            got=f"{share:.0%} missing: {_some(missing)}",
            remedy="use other words, or an encoder that reads any word",
        )
    return replace(words, words=tuple(word for word in words.words if word in vocabulary))


def _published_test(finding: Row, rows: list[Row]) -> WordTest:
    key = finding["test"]
    roles = {role: [row for row in rows if row["test"] == key and row["role"] == role] for role in "XYAB"}
    x, y, a, b = (WordSet(role[0]["set"], tuple(row["word"] for row in role)) for role in roles.values())
    # Where people were not tested (the names of tests 4 and 5), the columns are blank.
    human = HumanFinding(finding["iat_n"], float(finding["iat_d"]), finding["iat_p"]) if finding["iat_d"] else None
    return check(WordTest(key, x, y, a, b, human))


def _plain(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-")


def _some(words: list[str], most: int = 10) -> str:
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more
