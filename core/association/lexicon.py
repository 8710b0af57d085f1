"""English words: which are verbs, of which lemma, and how frequent.

Verbs and lemmas: NIH SPECIALIST Lexicon, through ``lemminflect`` (https://github.com/bjascob/LemmInflect).
Frequencies: ``wordfreq`` (https://github.com/rspeer/wordfreq; its data end in 2021). Both bring their data along;
nothing is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice

import numpy as np

from core.errors import InputError
from core.statistics import SEED

VERBS = 6000
"""Verbs of the default vocabulary. Ours: nearly all of the 6,076 that the frequency list holds in an inflected form."""

BANDS = tuple(step / 2 for step in range(4, 12))
"""Lower edges of the frequency bands of the noise words, half a unit wide. Zipf scale: log10 of uses per billion words.
Ours: all but the rarest words of Caliskan et al. lie between 2 and 6."""

WORDS_PER_BAND = 500
"""Noise words drawn from each band. Ours: several times the largest word set, and few enough to encode in seconds."""

_SPELLINGS = (
    (re.compile(r"(?<=.{3})ise$"), "ize"),
    (re.compile(r"yse$"), "yze"),
    (re.compile(r"our"), "or"),
    (re.compile(r"(?<=.{3})ll$"), "l"),
)
"""Where British and American verbs differ. Ours, read against the lexicon: joins spellings of one verb and no two verbs
("prise" is too short for the rule to make it "prize")."""


@dataclass(frozen=True)
class Verbs:
    """The verbs of a list of words.

    Parameters
    ----------
    lemmas : tuple of str
        Each verb once, in the order in which the list first holds a form of it.
    merged : tuple of str
        Words left out because another form or spelling of their verb came first.
    others : tuple of str
        Words that are no verb of the lexicon.
    """

    lemmas: tuple[str, ...]
    merged: tuple[str, ...]
    others: tuple[str, ...]


def spelling(verb: str) -> str:
    """A verb in one spelling, so that British and American variants compare equal.

    Examples
    --------
    >>> spelling("brutalise"), spelling("savour") == spelling("savor"), spelling("prise")
    ('brutalize', True, 'prise')
    """
    for british, american in _SPELLINGS:
        verb = british.sub(american, verb)
    return verb


def listed(text: str) -> list[str]:
    """The words of a vocabulary file: entries separated by line breaks, commas or semicolons, the first word of each.

    Of a file of word vectors these are its words, and of a list of phrases their first words.

    Examples
    --------
    >>> listed("smile 0.1 0.2\\nhelp 0.3 0.1\\n\\nrun; walk")
    ['smile', 'help', 'run', 'walk']
    """
    return [entry.split()[0] for entry in re.split(r"[\n,;]", text) if entry.strip()]


def verbs(words: Iterable[str]) -> Verbs:
    """The verbs among `words` as lemmas, one spelling each.

    Raises
    ------
    InputError
        No word is a form of a verb.

    Examples
    --------
    >>> verbs(["smiled", "the", "smiles", "helping"])
    Verbs(lemmas=('smile', 'help'), merged=('smiles',), others=('the',))
    """
    found: dict[str, str] = {}
    merged, others = [], []
    for word in dict.fromkeys(words):
        known, lemmas = len(found), _lemmas(word)
        for lemma in lemmas:
            found.setdefault(spelling(lemma), lemma)
        if not lemmas:
            others.append(word)
        elif len(found) == known:
            merged.append(word)
    if not found:
        raise InputError(
            expected="a vocabulary with English verbs",
            got=f"{len(others):,} word(s), none of them a verb of the lexicon",
            remedy="give English words, one per line",
        )
    return Verbs(tuple(found.values()), tuple(merged), tuple(others))


@cache
def frequent_verbs(count: int = VERBS) -> tuple[str, ...]:
    """The `count` most frequent English verbs, by their most frequent inflected form.

    The bare form is not counted: "people" is a verb of the lexicon, but only "peopled" is used as one.

    Examples
    --------
    >>> frequent_verbs(5)
    ('be', 'have', 'will', 'can', 'say')
    """
    from wordfreq import iter_wordlist

    found: dict[str, str] = {}
    for word in iter_wordlist("en"):
        for lemma in _lemmas(word):
            if lemma != word:
                found.setdefault(spelling(lemma), lemma)
        if len(found) >= count:
            break
    return tuple(islice(found.values(), count))


@cache
def noise_words() -> tuple[str, ...]:
    """English words of any kind, drawn evenly from all bands of frequency: what a word set is compared with.

    Examples
    --------
    >>> len(noise_words()) == len(set(noise_words())) > 3000
    True
    """
    rng = np.random.default_rng(SEED)
    banded: dict[int, list[str]] = {band: [] for band in range(len(BANDS))}
    for word, zipf in _zipf().items():
        band = int((zipf - BANDS[0]) // 0.5)
        if band in banded and word.isalpha() and word.isascii():
            banded[band].append(word)
    return tuple(
        word
        for words in banded.values()
        for word in rng.choice(words, size=min(WORDS_PER_BAND, len(words)), replace=False).tolist()
    )


def as_frequent_as(words: Sequence[str]) -> tuple[str, ...]:
    """The noise words within the range of frequency of `words`, without these.

    Words that the frequency list does not hold do not widen the range; if it holds fewer than two of them, or they
    are all equally frequent, every noise word counts.

    Examples
    --------
    >>> "the" in as_frequent_as(["aster", "tulip", "rose"])
    False
    """
    zipf, used = _zipf(), {word.lower() for word in words}
    known = {zipf[word] for word in used & zipf.keys()}
    low, high = (min(known), max(known)) if len(known) > 1 else (0.0, np.inf)
    return tuple(word for word in noise_words() if low <= zipf[word] <= high and word not in used)


def _lemmas(word: str) -> tuple[str, ...]:
    """The verbs that `word` may be a form of, most usual first; none for a word that is no verb."""
    from lemminflect import getAllLemmas

    return tuple(lemma for lemma in getAllLemmas(word.lower(), upos="VERB").get("VERB", ()) if lemma.isalpha())


@cache
def _zipf() -> dict[str, float]:
    from wordfreq import get_frequency_dict

    return {word: float(np.log10(share)) + 9 for word, share in get_frequency_dict("en").items()}
