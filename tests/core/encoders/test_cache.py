from __future__ import annotations

import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.encoders import cache
from core.encoders.cache import CachedEncoder, Vectors

ROW = 27 * 4  # bytes of one vector of the letter encoder
KEPT = ROW + sys.getsizeof("a") + cache.ENTRY_BYTES  # what remembering one letter costs

texts = st.lists(st.text("abc ", max_size=3), max_size=12)


@given(requests=st.lists(texts, max_size=5))
def test_rows_follow_the_texts_and_no_text_is_encoded_twice(letters_kind: Any, requests: list[list[str]]) -> None:
    inner = letters_kind()
    remembered = CachedEncoder(inner)
    for request in requests:
        np.testing.assert_array_equal(remembered.encode(request), letters_kind().encode(request))
    assert max(Counter(inner.asked).values(), default=1) == 1


def test_only_what_is_new_is_encoded_in_the_order_asked(letters: Any) -> None:
    remembered = CachedEncoder(letters)
    remembered.encode(["kill", "smile"])
    remembered.encode(["love", "kill", "help", "love"])
    assert letters.asked == ["kill", "smile", "love", "help"]


def test_what_was_used_longest_ago_is_forgotten_first(letters: Any) -> None:
    remembered = CachedEncoder(letters, Vectors(2 * KEPT))
    for text in ("a", "b", "a", "c", "a", "b"):
        remembered.encode([text])
    assert letters.asked == ["a", "b", "c", "b"]


@given(requests=st.lists(texts, max_size=6), rows=st.integers(1, 4))
def test_the_remembered_vectors_stay_within_the_bound(letters_kind: Any, requests: list[list[str]], rows: int) -> None:
    vectors = Vectors(rows * KEPT)
    remembered = CachedEncoder(letters_kind(), vectors)
    for request in requests:
        assert len(remembered.encode(request)) == len(request)  # larger than the bound is still answered in full
        kept = vectors._rows
        costs = [row.nbytes + sys.getsizeof(text) + cache.ENTRY_BYTES for (_, text), row in kept.items()]
        assert vectors.bytes == sum(costs) <= rows * KEPT
        assert all(row.base is None for row in kept.values())  # a view would hold its whole batch


def test_encoders_share_one_bound_and_one_memory_if_they_give_the_same_numbers(letters: Any, letters_kind: Any) -> None:
    vectors, same, other = Vectors(3 * KEPT), letters_kind(), letters_kind()
    other.provenance = replace(other.provenance, revision="2")
    CachedEncoder(letters, vectors).encode(["a", "b"])
    CachedEncoder(same, vectors).encode(["b", "a"])
    CachedEncoder(other, vectors).encode(["a", "b"])
    assert (letters.asked, same.asked, other.asked) == (["a", "b"], [], ["a", "b"])
    CachedEncoder(letters, vectors).encode(["a"])
    assert letters.asked == ["a", "b"]  # "b" was used longest ago, and had to make room
    CachedEncoder(letters, vectors).encode(["b"])
    assert letters.asked == ["a", "b", "b"]


def test_an_encoder_of_any_text_has_no_vocabulary_and_one_of_words_names_what_it_knows(letters: Any) -> None:
    assert CachedEncoder(letters).vocabulary is None
    assert CachedEncoder(letters).known(["kill", "xyzzy"]) == ("kill", "xyzzy")
    letters.vocabulary = {"kill"}
    assert CachedEncoder(letters).known(["xyzzy", "kill"]) == ("kill",)


def test_writing_into_a_result_does_not_reach_the_memory(letters: Any) -> None:
    remembered = CachedEncoder(letters)
    first = remembered.encode(["kill"])
    first[:] = 7
    assert not (remembered.encode(["kill"]) == 7).any()


def test_no_text_gives_no_rows_of_the_right_width(letters: Any) -> None:
    assert CachedEncoder(letters).encode([]).shape == (0, 27)
    assert letters.asked == []


def test_progress_is_told_before_every_chunk_and_stopping_there_keeps_what_is_done(letters: Any) -> None:
    remembered = CachedEncoder(letters)
    asked = [str(number) for number in range(2 * cache.CHUNK + 1)]
    shares = []

    def stop_at_the_third(share: float, what: str) -> None:
        shares.append(share)
        if len(shares) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        remembered.encode(asked, progress=stop_at_the_third)
    assert shares == [0, cache.CHUNK / len(asked), 2 * cache.CHUNK / len(asked)]
    remembered.encode(asked)
    assert letters.asked == asked


def test_a_finished_request_tells_no_progress(letters: Any) -> None:
    remembered = CachedEncoder(letters)
    remembered.encode(["kill"])
    remembered.encode(["kill"], progress=lambda share, what: pytest.fail("nothing was to be done"))


def test_threads_share_one_memory(letters: Any) -> None:
    remembered = CachedEncoder(letters, Vectors(5 * KEPT))
    requests = [[f"{number % 7}", f"{number % 3} a", "b"] for number in range(200)]
    expected = [type(letters)().encode(request) for request in requests]
    with ThreadPoolExecutor(8) as pool:
        for found, wanted in zip(pool.map(remembered.encode, requests), expected, strict=True):
            np.testing.assert_array_equal(found, wanted)


def test_kept_texts_are_read_from_the_file_by_the_next_start(letters: Any, tmp_path: Path) -> None:
    kept = CachedEncoder(letters).encode_kept(["kill", "smile"], tmp_path / "new")
    next_start = CachedEncoder(letters)
    np.testing.assert_array_equal(next_start.encode_kept(["kill", "smile"], tmp_path / "new"), kept)
    next_start.encode(["smile"])
    assert letters.asked == ["kill", "smile"]


def test_other_texts_another_order_or_another_encoder_make_another_file(letters: Any, tmp_path: Path) -> None:
    asked: tuple[list[str], ...] = (["ab", "c"], ["c", "ab"], ["a", "bc"])
    for request in asked:
        CachedEncoder(letters).encode_kept(request, tmp_path)
    letters.provenance = replace(letters.provenance, revision="2")
    CachedEncoder(letters).encode_kept(asked[0], tmp_path)
    assert len(list(tmp_path.iterdir())) == 4


def test_a_damaged_kept_file_is_made_anew(letters: Any, tmp_path: Path) -> None:
    wanted = CachedEncoder(letters).encode_kept(["kill", "smile"], tmp_path)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    flipped = [bytes([*whole[:at], whole[at] ^ 0x40, *whole[at + 1 :]]) for at in range(0, len(whole), 7)]
    swapped = whole[ROW : 2 * ROW] + whole[:ROW] + whole[2 * ROW :]
    for damaged in (b"", whole[:-1], whole[:ROW], whole + b"\0", swapped, b"PK\3\4" + whole[4:], *flipped):
        file.write_bytes(damaged)
        letters.asked.clear()
        np.testing.assert_array_equal(CachedEncoder(letters).encode_kept(["kill", "smile"], tmp_path), wanted)
        assert letters.asked == ["kill", "smile"]
        assert file.read_bytes() == whole
    assert list(tmp_path.iterdir()) == [file]  # nothing half-written is left


def test_a_folder_that_cannot_be_written_costs_the_file_not_the_result(letters: Any, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file, where a folder is wanted")
    assert CachedEncoder(letters).encode_kept(["kill"], tmp_path / "taken").shape == (1, 27)


def test_it_says_who_is_inside(letters: Any) -> None:
    remembered = CachedEncoder(letters)
    assert (remembered.name, remembered.provenance) == (letters.name, letters.provenance)
