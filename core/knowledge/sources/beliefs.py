"""What an encoder believes: the completions of a relation that it places nearest to each target.

For each target and relation, candidates are ranked by the cosine between the opening ("teacher can") and the completion
("can teach"); the `k` nearest become statements. Ours: a measured subject that needs no download. Nearness is association,
not assertion: words that often stand beside a target come first, whether they say something of it or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from types import MappingProxyType

import numpy as np

from core.association.lexicon import frequent_verbs
from core.encoders.cache import CachedEncoder
from core.knowledge.sources.source import Collector, Source, Table
from core.knowledge.targets import Targets, key, published
from core.vectors import check, unit

WORDS = MappingProxyType({"HasProperty": "is", "CapableOf": "can"})
"""Words of the relations that are asked about. Not those of `core.knowledge.relations`: "capable" would count as praise."""

CANDIDATES = 1000
"""Candidates of each relation, the most frequent ones. Ours: about what a well-read list of traits or deeds holds."""

NEAREST = 10
"""Statements of each target and relation; as many as COMeT's beams in the release."""

AUXILIARY = frozenset({"be", "have", "do", "will", "can", "shall", "may", "must"})
"""Verbs that say nothing by themselves after "can"."""

ING_SHARE = 0.05
"""How often the form in -ing must occur for each bare form. Ours: keeps *teach* and *lie*, drops *people* and *class*."""


@dataclass(frozen=True)
class Belief:
    """The nearest completions of one relation.

    Parameters
    ----------
    relation : str
        A key of `WORDS`.
    completions : tuple of str
        c candidates.
    nearest : ndarray of int, shape (t, k)
        Places of the k nearest candidates of each target, nearest first.
    """

    relation: str
    completions: tuple[str, ...]
    nearest: np.ndarray[tuple[int, int], np.dtype[np.intp]]


def read(
    encoder: CachedEncoder,
    *,
    targets: Targets | None = None,
    wanted: Sequence[str] = tuple(WORDS),
    k: int = NEAREST,
    progress: Callable[[float, str], None] | None = None,
) -> Source:
    """The statements that an encoder ranks nearest, each distinct text encoded once.

    Parameters
    ----------
    encoder : CachedEncoder
        The subject.
    targets : Targets, optional
        The published ones if not given.
    wanted : sequence of str, optional
        Relations, keys of `WORDS`.
    k : int, optional
        Statements of each target and relation.
    progress : callable, optional
        Told the share done.
    """
    asked = targets or published()
    found, rows = Collector(asked), []
    for belief in rank(encoder, asked, wanted, k=k, progress=progress):
        words = WORDS[belief.relation]
        for code, places in enumerate(belief.nearest.tolist()):
            for place in places:
                text = f"{asked.names[code]} {words} {belief.completions[place]}"
                rows.append((text, asked.names[code], belief.relation))
                found.add(len(rows) - 1, [code], text, relation=belief.relation)
    return found.source(
        f"encoder:{encoder.name}",
        f"What the encoder {encoder.name} places near each target",
        f"Ranked by {encoder.provenance.model}; candidates are frequent English words.",
        Table(("statement", "target", "relation"), rows),
    )


def rank(
    encoder: CachedEncoder,
    targets: Targets,
    wanted: Sequence[str],
    *,
    k: int = NEAREST,
    progress: Callable[[float, str], None] | None = None,
) -> list[Belief]:
    """Rank the candidates of each relation for each target; ties go to the more frequent candidate."""
    openings = {name: [f"{key(target)} {WORDS[name]}" for target in targets.names] for name in wanted}
    completions = {name: [f"{WORDS[name]} {word}" for word in candidates(name)] for name in wanted}
    texts = list(dict.fromkeys(text for name in wanted for text in (*openings[name], *completions[name])))
    vectors = unit(check(encoder.encode(texts, progress=progress), count=len(texts)))
    row = {text: place for place, text in enumerate(texts)}
    made = []
    for name in wanted:
        asked, offered = ([row[text] for text in side[name]] for side in (openings, completions))
        order = np.argsort(-(vectors[asked] @ vectors[offered].T), axis=1, kind="stable")
        made.append(Belief(name, candidates(name), order[:, :k]))
    return made


@cache
def candidates(relation: str) -> tuple[str, ...]:
    """What may complete a relation: verbs for what one can do, adjectives for how one is; most frequent first.

    Examples
    --------
    >>> candidates("CapableOf")[:3], "kind" in candidates("HasProperty")
    (('say', 'go', 'make'), True)
    """
    return tuple(islice(_verbs() if relation == "CapableOf" else _adjectives(), CANDIDATES))


def _verbs() -> Iterator[str]:
    """Verbs that are used as verbs: the form in -ing is not rare beside the bare form, which may be a noun's, too."""
    from lemminflect import getInflection
    from wordfreq import get_frequency_dict

    known = get_frequency_dict("en")
    for verb in frequent_verbs():
        if known.get(getInflection(verb, "VBG")[0], 0.0) >= ING_SHARE * known.get(verb, 0.0) and verb not in AUXILIARY:
            yield verb


def _adjectives() -> Iterator[str]:
    """Adjectives that form an adverb in -ly: what one can be, rather than where one is from or what one is made of."""
    from lemminflect import getAllLemmas
    from wordfreq import get_frequency_dict, iter_wordlist

    known = get_frequency_dict("en")
    for word in iter_wordlist("en"):
        if word.isascii() and word.isalpha() and len(word) > 2 and _adverb(word) in known:
            kinds = getAllLemmas(word)
            if word in kinds.get("ADJ", ()) and "ADV" not in kinds:
                yield word


def _adverb(adjective: str) -> str:
    for ending, adverb in (("y", "ily"), ("le", "ly"), ("ic", "ically")):
        if adjective.endswith(ending):
            return adjective.removesuffix(ending) + adverb
    return f"{adjective}ly"
