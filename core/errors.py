"""Every error that Moralscope raises on purpose.

::

    MoralscopeError
    ├── InputError      what a reader typed, pasted or uploaded
    ├── AssetError      a file that ships with the app, or that was fetched, is missing or damaged
    ├── EncoderError    an encoder is unknown, cannot be loaded, or returned something unusable
    └── ModelError      a language model is unknown, cannot be loaded, or is of another kind

Each carries three sentences: what was expected, what came instead, and what to do about it.
"""

from __future__ import annotations


class MoralscopeError(Exception):
    """An expected failure, in words that a reader can act on.

    Parameters
    ----------
    expected, got, remedy : str
        What was expected, what came instead, and what to do. Sentences without a final full stop.

    Examples
    --------
    >>> print(MoralscopeError(expected="a number", got="a word", remedy="type a number"))
    Expected a number, got a word. Remedy: type a number.
    """

    def __init__(self, *, expected: str, got: str, remedy: str) -> None:
        self.expected, self.got, self.remedy = expected, got, remedy
        super().__init__(f"Expected {expected}, got {got}. Remedy: {remedy}.")

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.expected, self.got, self.remedy)


def _rebuild(kind: type[MoralscopeError], expected: str, got: str, remedy: str) -> MoralscopeError:
    return kind(expected=expected, got=got, remedy=remedy)


class InputError(MoralscopeError):
    """What a reader typed, pasted or uploaded cannot be used."""


class AssetError(MoralscopeError):
    """A file that ships with the app, or that was fetched, is missing or damaged."""


class EncoderError(MoralscopeError):
    """An encoder is unknown, cannot be loaded, or returned something unusable."""


class ModelError(MoralscopeError):
    """A language model is unknown, cannot be loaded, or is of another kind."""
