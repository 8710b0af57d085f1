"""What an encoder of words cannot read of the phrases it is asked about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.encoders.protocol import Encoder
from core.encoders.words import split


@dataclass(frozen=True)
class Unknown:
    """What an encoder does not know, each once and in the order asked; false if there is nothing.

    Parameters
    ----------
    phrases : tuple of str
        Phrases without a single known word: a number for them, alone or in a template, says nothing about them.
    words : tuple of str
        Words that are passed over in the other phrases and are not themselves among `phrases`.
    """

    phrases: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.phrases or self.words)


def unknown(encoder: Encoder, phrases: Sequence[str]) -> Unknown:
    """What `encoder` does not know of `phrases`; nothing where it reads any text.

    Ask about what a reader chose, before it stands in a template: the words of a template are known, so "Is your xyzzy a
    nurse?" has a vector that knows nothing of a xyzzy.

    Parameters
    ----------
    encoder : Encoder
        One of words has a `vocabulary`, which answers ``text in vocabulary``.
    phrases : sequence of str
        Words or phrases.

    Examples
    --------
    >>> class Words:
    ...     vocabulary = {"kill", "time"}
    >>> unknown(Words(), ["kill xyzzy", "time", "xyzzy plugh"])
    Unknown(phrases=('xyzzy plugh',), words=('xyzzy',))
    """
    vocabulary = getattr(encoder, "vocabulary", None)
    if vocabulary is None:
        return Unknown()
    without: dict[str, None] = {}
    passed_over: dict[str, None] = {}
    for phrase in dict.fromkeys(phrases):
        if phrase in vocabulary:
            continue
        found = split(phrase)
        lacking = [word for word in found if word not in vocabulary]
        if len(lacking) == len(found):
            without[phrase] = None
        else:
            passed_over.update(dict.fromkeys(lacking))
    return Unknown(tuple(without), tuple(word for word in passed_over if word not in without))


def readable(encoder: Encoder, phrases: Sequence[str]) -> tuple[str, ...]:
    """Those of `phrases` of which `encoder` knows a word, in order; all where it reads any text.

    Examples
    --------
    >>> class Words:
    ...     vocabulary = {"kill", "time"}
    >>> readable(Words(), ["kill xyzzy", "xyzzy"])
    ('kill xyzzy',)
    """
    without = set(unknown(encoder, phrases).phrases)
    return tuple(phrase for phrase in phrases if phrase not in without)
