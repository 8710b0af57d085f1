"""Word vectors are read as they stand in the file, and a file that is damaged says where."""

from __future__ import annotations

import gzip
import pickle
import struct
from pathlib import Path

import numpy as np
import pytest

from core.association import sets
from core.association.weat import run
from core.encoders import words
from core.encoders.cache import CachedEncoder
from core.encoders.registry import Spec
from core.encoders.words import WordVectors
from core.errors import EncoderError, InputError

VECTORS = {"kill": [1.0, 0.0, 2.0], "time": [0.0, 1.0, 0.0], "Paris": [3.0, 3.0, 3.0], "ice_cream": [0.0, 0.0, 5.0]}


def silent(share: float, what: str) -> None:
    """Progress that nobody looks at."""


def as_text(vectors: dict[str, list[float]], *, header: bool) -> bytes:
    lines = [f"{len(vectors)} {len(next(iter(vectors.values())))}"] if header else []
    return "\n".join([*lines, *(" ".join([word, *map(str, row)]) for word, row in vectors.items()), ""]).encode()


def as_binary(vectors: dict[str, list[float]]) -> bytes:
    rows = [word.encode() + b" " + struct.pack(f"<{len(row)}f", *row) + b"\n" for word, row in vectors.items()]
    return f"{len(vectors)} {len(next(iter(vectors.values())))}\n".encode() + b"".join(rows)


def load(path: Path, content: bytes, limit: int | None = None) -> WordVectors:
    path.write_bytes(content)
    return words.load("mine", Spec("words", str(path), limit), path.parent, silent)


FORMS = {
    "vectors.bin": as_binary(VECTORS),
    "binary by another name": as_binary(VECTORS),
    "vectors.txt": as_text(VECTORS, header=True),
    "glove.txt": as_text(VECTORS, header=False),
    "glove.txt.gz": gzip.compress(as_text(VECTORS, header=False)),
    "vectors.bin.gz": gzip.compress(as_binary(VECTORS)),
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_gives_the_same_vectors(name: str, tmp_path: Path) -> None:
    found = load(tmp_path / name, FORMS[name])
    np.testing.assert_array_equal(found.encode(list(VECTORS)), list(VECTORS.values()))
    assert found.encode(["kill"]).dtype == np.float32
    assert (len(found), found.provenance.dimension, found.provenance.model) == (4, 3, name)
    assert found.provenance.revision.startswith("sha256:")


@pytest.fixture
def four(tmp_path: Path) -> WordVectors:
    return load(tmp_path / "vectors.bin", FORMS["vectors.bin"])


def test_a_phrase_is_the_mean_of_its_known_words_and_the_unknown_are_named(four: WordVectors) -> None:
    np.testing.assert_array_equal(four.encode(["kill xyzzy time!", "Should kill"]), [[0.5, 0.5, 1], [1, 0, 2]])
    assert CachedEncoder(four).unknown(["kill xyzzy time!", "ice_cream", "Should kill", "xyzzy"]) == ("xyzzy", "Should")


def test_a_word_is_looked_up_as_written_then_in_small_letters(four: WordVectors) -> None:
    np.testing.assert_array_equal(four.encode(["KILL", "Kill", "ice_cream"]), [[1, 0, 2], [1, 0, 2], [0, 0, 5]])
    assert "paris" not in four  # the file writes it with a capital, and may hold another word in small letters


def test_a_text_is_in_the_vocabulary_if_all_its_words_are(four: WordVectors) -> None:
    assert [text in four for text in ("kill", "kill time", "kill xyzzy", "", "?!", "ice_cream")] == [
        True,
        True,
        False,
        False,
        False,
        True,
    ]


def test_texts_without_a_known_word_are_an_error_that_names_them(four: WordVectors) -> None:
    with pytest.raises(EncoderError, match=r"a word among the 4 of vectors.bin, got none in 'xyzzy', '\?!'"):
        four.encode(["kill", "xyzzy", "?!"])


def test_no_text_gives_no_rows_and_the_table_cannot_be_changed(four: WordVectors) -> None:
    assert four.encode([]).shape == (0, 3)
    with pytest.raises(ValueError, match="read-only"):
        four._table[0] = 0


@pytest.mark.parametrize("name", FORMS)
def test_only_the_first_words_are_read_where_a_limit_says_so(name: str, tmp_path: Path) -> None:
    whole, part = load(tmp_path / name, FORMS[name]), load(tmp_path / name, FORMS[name], limit=2)
    assert [word in part for word in VECTORS] == [True, True, False, False]
    assert part.provenance.revision == f"{whole.provenance.revision}, first 2 words"
    assert words.size(Spec("words", str(tmp_path / name), 2)) == 2 * (3 * 4 + words._WORD_BYTES)


def test_words_that_a_file_lacks_are_left_out_of_a_test_and_named(tmp_path: Path) -> None:
    test = sets.published()[0]
    needed = [word for kept in test.sets for word in kept.words if word != "gladiola"]
    rng = np.random.default_rng(1)
    found = load(tmp_path / "v.txt", as_text({word: rng.normal(size=5).tolist() for word in needed}, header=False))
    assert run(found, test, vocabulary=found.vocabulary).missing == ("gladiola",)
    small = load(tmp_path / "v.txt", as_text({word: rng.normal(size=5).tolist() for word in needed[:40]}, header=False))
    with pytest.raises(InputError, match="in the vocabulary of this encoder"):
        run(small, test, vocabulary=small.vocabulary)


def wrong_line(number: int, line: bytes, *, header: bool) -> bytes:
    lines = as_text({f"word{row}": [1.0, row + 1.0] for row in range(number + 5)}, header=header).split(b"\n")
    lines[number - 1] = line
    return b"\n".join(lines)


BINARY = FORMS["vectors.bin"]
DAMAGED = {
    "a truncated binary": (BINARY[:-4], "ends too early"),
    "a binary cut in a word": (BINARY[:30], "ends too early"),
    "a truncated text": (as_text(VECTORS, header=True)[: -len("ice_cream 0.0 0.0 5.0\n")], "ends too early"),
    "a line too long": (
        wrong_line(70_001, b"word 1 2 3", header=False),
        "2 numbers after the word on line 70,001 .vectors.any., got 3",
    ),
    "a line with one number": (wrong_line(701, b"word 1", header=True), "2 numbers after the word on line 701.* got 1"),
    "an empty line": (wrong_line(9, b"", header=False), "2 numbers after the word on line 9.* got 0"),
    "a word for a number": (wrong_line(701, b"word 1 one", header=True), "a word and numbers on line 701"),
    "nan in text": (
        wrong_line(9, b"odd nan 1", header=False),
        "not a number or infinite for 'odd', word 9; 1 such word",
    ),
    "nan in binary": (
        as_binary({**VECTORS, "odd": [1, float("nan"), 0]}),
        "not a number or infinite for 'odd', word 5",
    ),
    "infinite": (as_binary({**VECTORS, "odd": [1, float("inf"), 0]}), "infinite for 'odd'"),
    "zeros": (as_binary({"odd": [0.0, 0.0, 0.0], **VECTORS}), "zeros for 'odd', word 1"),
    "nothing": (b"", "another kind"),
    "prose": (b"This is a text.\nIt holds no vectors.\n", "another kind"),
    "a pickle": (pickle.dumps({"kill": [1.0]}), "another kind"),
    "no words": (b"0 300\n", "another kind"),
}


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_file_is_an_error_that_names_the_damage(kind: str, tmp_path: Path) -> None:
    content, said = DAMAGED[kind]
    with pytest.raises(EncoderError, match=said):
        load(tmp_path / "vectors.any", content)


@pytest.mark.parametrize("name", ["vectors.bin.gz", "glove.txt.gz"])
def test_a_damaged_compressed_file_is_an_error(name: str, tmp_path: Path) -> None:
    for damaged in (FORMS[name][:-9], FORMS[name][:12], b"no gzip", BINARY):
        with pytest.raises(EncoderError, match="fetch the file again"):
            load(tmp_path / name, damaged)


def test_a_missing_file_and_a_folder_are_errors(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no.bin"):
        with pytest.raises(EncoderError, match="a readable file of word vectors"):
            words.size(Spec("words", str(path)))


def test_a_header_that_promises_more_than_memory_is_seen_before_reading(tmp_path: Path) -> None:
    (tmp_path / "huge.bin").write_bytes(b"9000000000 300\n" + BINARY)
    assert words.size(Spec("words", str(tmp_path / "huge.bin"))) > 10**13
