"""Word vectors are read as they stand in the file, and a file that is damaged says where."""

from __future__ import annotations

import gzip
import hashlib
import pickle
import struct
from pathlib import Path

import numpy as np
import pytest

from core.association import sets
from core.association.weat import run
from core.encoders import words
from core.encoders.registry import Spec
from core.encoders.vocabulary import Unknown, unknown
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
    assert unknown(four, ["kill xyzzy time!", "ice_cream", "Should kill", "xyzzy"]) == Unknown(("xyzzy",), ("Should",))


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
LINES = as_text(VECTORS, header=True)
DAMAGED = {
    "decimal commas": (
        LINES.replace(b".", b","),
        "3 numbers after the word on line 2 .* decimal commas instead of points",
    ),
    "decimal commas in one line": (LINES.replace(b"5.0", b"5,0"), "on line 5 .* decimal commas"),
    "decimal commas without a header": (as_text(VECTORS, header=False).replace(b".", b","), "line 1 .* decimal commas"),
    "tabs": (LINES.replace(b" ", b"\t"), "3 numbers after the word on line 2 .* tabs instead of spaces"),
    "tabs without a header": (as_text(VECTORS, header=False).replace(b" ", b"\t"), "line 1 .* tabs instead of spaces"),
    "tabs and decimal commas": (
        LINES.replace(b" ", b"\t").replace(b".", b","),
        "line 2 .* tabs instead of spaces, and decimal commas",
    ),
    "commas": (LINES.replace(b" ", b",").replace(b"4,3", b"4 3"), "line 2 .* commas instead of spaces"),
    "two spaces": (LINES.replace(b"time ", b"time  "), "line 3 .* several spaces in a row"),
    "a word with a space": (
        LINES.replace(b"ice_cream", b"ice cream"),
        "line 5 .* a word with a space in it, 'ice cream'",
    ),
    "a word for a number on the first line": (LINES.replace(b"2.0", b"two", 1), "line 2 .* 'two', which is no number"),
    "an empty line before others": (LINES.replace(b"time", b"\ntime"), "3 numbers after the word on line 3.* got 0"),
    "a truncated binary": (BINARY[:-4], "ends too early"),
    "a binary cut in a word": (BINARY[:30], "ends too early"),
    "a truncated text": (as_text(VECTORS, header=True)[: -len("ice_cream 0.0 0.0 5.0\n")], "ends too early"),
    "a line too long": (
        wrong_line(70_001, b"word 1 2 3", header=False),
        "2 numbers after the word on line 70,001 .vectors.any., got 3",
    ),
    "a line with one number": (wrong_line(701, b"word 1", header=True), "2 numbers after the word on line 701.* got 1"),
    "an empty line": (wrong_line(9, b"", header=False), "2 numbers after the word on line 9.* got 0"),  # not the last
    "a word for a number": (
        wrong_line(701, b"word 1 one", header=True),
        "2 numbers after the word on line 701.* got 'one', which is no number",
    ),
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


TWICE = [("kill", [1.0, 0.0]), ("time", [0.0, 1.0]), ("kill", [9.0, 9.0]), ("Paris", [3.0, 3.0]), ("time", [8.0, 0.0])]


def rows_as_text(rows: list[tuple[str, list[float]]]) -> bytes:
    return "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in rows).encode()


def rows_as_binary(rows: list[tuple[str, list[float]]]) -> bytes:
    return b"".join(word.encode() + b" " + struct.pack(f"<{len(row)}f", *row) + b"\n" for word, row in rows)


REPEATING = {
    "v.bin": b"5 2\n" + rows_as_binary(TWICE),
    "v.txt": b"5 2\n" + rows_as_text(TWICE),
    "glove.txt": rows_as_text(TWICE),
    "v.bin.gz": gzip.compress(b"5 2\n" + rows_as_binary(TWICE)),
}


@pytest.mark.parametrize("name", REPEATING)
def test_of_a_repeated_word_the_first_vector_counts_and_the_provenance_says_how_many_are_left_out(
    name: str, tmp_path: Path
) -> None:
    found = load(tmp_path / name, REPEATING[name])
    np.testing.assert_array_equal(found.encode(["kill", "time", "Paris"]), [[1, 0], [0, 1], [3, 3]])
    assert (len(found), found._table.shape) == (3, (3, 2))
    assert "repeats words: 2 of its vectors are left out" in found.provenance.note
    first = load(tmp_path / name, REPEATING[name], limit=4)
    assert [word in first for word in ("kill", "time", "Paris")] == [True, True, True]
    assert "repeats words: 1 of its vectors" in first.provenance.note
    assert "repeats" not in load(tmp_path / name, REPEATING[name], limit=2).provenance.note


def test_a_limit_counts_repeated_words_too_however_large_the_file(tmp_path: Path) -> None:
    rows = [(f"word{number - number % 2}", [1.0 + number] * 50) for number in range(3000)]
    found = load(tmp_path / "v.bin", b"3000 50\n" + rows_as_binary(rows), limit=2500)
    assert len(found) == 1250
    np.testing.assert_array_equal(found.encode(["word2498"]), [[2499.0] * 50])
    assert "word2500" not in found


def test_a_damaged_vector_of_a_repeated_word_is_named_by_its_place_in_the_file(tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="zeros for 'Rome', word 6; 1 such word"):
        load(tmp_path / "v.txt", rows_as_text([*TWICE, ("Rome", [0.0, 0.0])]))


@pytest.mark.parametrize("name", ["vectors.txt", "glove.txt", "glove.txt.gz"])
def test_a_byte_order_mark_and_empty_lines_at_the_end_change_nothing(name: str, tmp_path: Path) -> None:
    plain = gzip.decompress(FORMS[name]) if name.endswith(".gz") else FORMS[name]
    for content in (b"\xef\xbb\xbf" + plain, plain + b"\n", b"\xef\xbb\xbf" + plain + b" \n\n"):
        found = load(tmp_path / name, gzip.compress(content) if name.endswith(".gz") else content)
        assert len(found) == len(VECTORS)
        np.testing.assert_array_equal(found.encode(list(VECTORS)), list(VECTORS.values()))
        if not name.endswith(".gz"):
            assert found.provenance.revision == f"sha256:{hashlib.sha256(content).hexdigest()}"


def test_numbers_in_binary_form_are_not_taken_for_text_with_a_mistake(tmp_path: Path) -> None:
    content = b"1 2\nkill \n   ,,,?\n"
    assert load(tmp_path / "v.bin", content).encode(["kill"]).shape == (1, 2)
