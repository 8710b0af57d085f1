from __future__ import annotations

import pickle

import pytest

from core import errors

KINDS = [errors.InputError, errors.AssetError, errors.EncoderError, errors.ModelError]


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_says_what_was_expected_what_came_and_what_to_do(kind: type[errors.MoralscopeError]) -> None:
    error = kind(expected="a number", got="a word", remedy="type a number")
    assert str(error) == "Expected a number, got a word. Remedy: type a number."
    assert isinstance(error, errors.MoralscopeError)


@pytest.mark.parametrize("kind", KINDS)
def test_an_error_survives_pickling_with_its_kind_and_parts(kind: type[errors.MoralscopeError]) -> None:
    again = pickle.loads(pickle.dumps(kind(expected="a", got="b", remedy="c")))
    assert type(again) is kind
    assert (again.expected, again.got, again.remedy) == ("a", "b", "c")
