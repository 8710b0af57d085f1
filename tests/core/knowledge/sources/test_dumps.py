"""The full dumps: the right rows, every broken line by its number, and nothing lost of a file that is cut off."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.knowledge.sources import dumps, open_stream, own
from core.knowledge.sources.source import Unusable
from core.knowledge.sources.stream import Chunk, Tally, from_source
from core.knowledge.targets import Targets, published

SOME = Targets(("teacher", "African American", "ma'am"), ("profession", "origin", "gender"))


def edge(relation: str, start: str, end: str, extra: str = '{"weight": 1.0}') -> bytes:
    return f"/a/[/r/{relation}/,{start}/,{end}/]\t/r/{relation}\t{start}\t{end}\t{extra}".encode()


GOOD = [
    edge("IsA", "/c/en/teacher", "/c/en/person/n"),
    edge("IsA", "/c/en/teacher_of_art", "/c/en/person"),  # another term that begins with one
    edge("RelatedTo", "/c/fr/teacher", "/c/en/teacher"),  # not English
    edge("ExternalURL", "/c/en/teacher", "http://example.org/teacher"),
    edge("Desires", "/c/en/teacher/n/wn/act", "/c/en/african_american"),
    edge("dbpedia/genre", "/c/en/teacher", "/c/en/school"),
    edge("RelatedTo", "/c/en/chalk", "/c/en/teacher/n", '{"surfaceText": "[[chalk]] … [[teacher]]", "weight": 2.0}'),
]
BROKEN = [
    b"",
    b"/a/[x]\t/r/IsA",
    GOOD[0] + b"\tleft over",
    b"no tabs at all",
    GOOD[0][:-3],
    edge("IsA", "/c/en/teacher", "/c/en/x", "[1]"),
    b"teacher\tIsA\tteacher\tperson\t{}",
]


def whole(path: Path, targets: Targets = SOME) -> tuple[list[tuple[str, int, str | None, str]], Tally]:
    rows, tally = [], Tally()
    for block in dumps.conceptnet(path, targets):
        found = block.found
        rows += zip(found.texts, found.codes, found.relations, found.ids, strict=True)
        tally += block.tally
    return rows, tally


def test_rows_between_english_terms_that_equal_a_target_are_found(tmp_path: Path) -> None:
    path = tmp_path / "assertions.csv.gz"
    path.write_bytes(gzip.compress(b"\n".join(GOOD) + b"\n"))
    rows, tally = whole(path)
    assert rows == [
        ("teacher is a person", 0, "IsA", "1"),
        ("teacher desires african american", 0, "Desires", "5"),
        ("teacher desires african american", 1, "Desires", "5"),
        ("chalk is related to teacher", 0, "RelatedTo", "7"),
    ]
    assert tally == Tally(rows=7, without_target=3, skipped=1)


def test_every_broken_line_is_named_and_the_lines_around_it_are_read(tmp_path: Path) -> None:
    path = tmp_path / "assertions.csv"
    lines = [line for pair in zip(BROKEN, GOOD, strict=True) for line in pair]
    lines.insert(3, "/a/[faüx]".encode("latin-1") + GOOD[0])
    path.write_bytes(b"\n".join(lines) + b"\n")
    rows, tally = whole(path)
    assert [row[3] for row in rows] == ["2", "11", "11", "15"]
    assert (tally.malformed.first, tally.undecodable.first) == ((1, 3, 6, 8, 10, 12, 14), (4,))
    assert tally.rows == 15


def test_a_last_line_without_a_line_feed_counts(tmp_path: Path) -> None:
    path = tmp_path / "assertions.csv"
    path.write_bytes(GOOD[1] + b"\n" + GOOD[0])
    rows, tally = whole(path)
    assert ([row[3] for row in rows], tally.rows, tally.ended) == (["2"], 2, None)


def test_a_file_of_several_gzip_members_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "assertions.csv.gz"
    path.write_bytes(gzip.compress(GOOD[0] + b"\n" + GOOD[6][:9]) + gzip.compress(GOOD[6][9:] + b"\n"))
    assert [row[3] for row in whole(path)[0]] == ["1", "2"]


@pytest.mark.parametrize("damage", ["cut off", "garbage after it", "garbage in it"])
def test_a_damaged_gzip_is_read_up_to_the_line_that_is_named(tmp_path: Path, damage: str) -> None:
    engine = zlib.compressobj(wbits=31)
    sound = engine.compress(b"\n".join(GOOD) + b"\n") + engine.flush(zlib.Z_FULL_FLUSH)
    rest = engine.compress(GOOD[0] * 9) + engine.flush()
    packed = {
        "cut off": sound + rest[:-12],
        "garbage after it": gzip.compress(b"\n".join(GOOD) + b"\n") + b"garbage, not gzip",
        "garbage in it": sound + b"\xff" * 40,
    }[damage]
    path = tmp_path / "assertions.csv.gz"
    path.write_bytes(packed)
    rows, tally = whole(path)
    assert [row[3] for row in rows] == ["1", "5", "5", "7"]
    assert (tally.rows, tally.ended) == (7, 8)


@given(
    st.lists(st.sampled_from([*GOOD, *BROKEN, b"\xff\t\xfe", "/c/en/\u0085".encode()]), max_size=40),
    st.integers(30, 400),
)
def test_where_the_file_is_cut_into_blocks_does_not_matter(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], block: int
) -> None:
    path = tmp_path_factory.mktemp("blocks") / "assertions.csv"
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    expected = whole(path)
    assert expected[1].rows == len(lines)
    numbers = [number for number, line in enumerate(lines, start=1) if line in BROKEN]
    assert [number for number in expected[1].malformed.first if lines[number - 1] in BROKEN] == numbers
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dumps, "BLOCK", block)
        assert whole(path) == expected


GENERICS = (
    "source\tterm\tquantifier\tGENERIC SENTENCE\tSCORE\n"
    "Waterloo\tteacher\t{'number': 'most'}\tMost teachers teach \"well\".\t0.5\n"
    "Waterloo\taardvark\t\tAardvarks dig.\t0.5\n"
    "TupleKB\tTeacher\t\t \t1.0\n"
    "TupleKB\tAfrican_American\ttoo\tmany\tcells\there\n"
    "TupleKB\tafrican american\t\tAfrican Americans vote.\t1.0\n"
)


def chunks(path: Path, size: int = 100) -> list[Chunk]:
    stream = dumps.read(path)
    assert stream is not None
    return list(stream.chunks(size))


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_sentences_of_genericskb_belong_to_their_annotated_topic(
    tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "GenericsKB-Best.tsv"
    path.write_bytes(pack(GENERICS.encode()))
    (chunk,) = chunks(path)
    assert chunk.shown == chunk.texts == ['Most teachers teach "well".', "African Americans vote."]
    assert [published().names[code] for code in chunk.codes] == ["teacher", "African American"]
    assert (chunk.ids, chunk.relations, chunk.masked) == (["2", "6"], [None, None], None)
    assert chunk.tally == Tally(rows=5, without_target=1, empty=1, malformed=Unusable.of([5]))


def test_columns_of_genericskb_are_found_by_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.tsv"
    path.write_bytes(b"GENERIC SENTENCE\tTERM\nBakers bake.\tbaker\n")
    (chunk,) = chunks(path)
    assert (chunk.texts, chunk.codes) == (["Bakers bake."], [published().code("baker")])


def test_chunks_hold_as_many_statements_as_asked_and_every_count_once(tmp_path: Path) -> None:
    path = tmp_path / "assertions.csv"
    path.write_bytes(b"\n".join([*GOOD, *BROKEN] * 5) + b"\n")
    found = chunks(path, 7)
    assert [len(chunk) for chunk in found] == [7, 7, 6]
    assert sum((chunk.tally for chunk in found), Tally()).malformed == chunks(path)[0].tally.malformed
    assert [chunk.share for chunk in found][-1] == 1.0


@pytest.mark.parametrize("content", [b"", b"statement\nteachers teach\n", b"\x1f\x8bnot gzip", b"\0\1\2"])
def test_another_file_is_no_dump(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert dumps.read(path) is None


def test_a_file_that_is_not_there_is_answered_in_words(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        dumps.read(tmp_path / "none.csv.gz")


def test_a_source_in_memory_can_be_read_in_chunks() -> None:
    source = own.read(own.cut(b"statement\na teacher reads\nx\na nurse runs\na baker and a cook\n", "mine.csv"))
    stream = from_source(source)
    found = list(stream.chunks(3))
    assert [chunk.texts for chunk in found] == [
        ["a teacher reads", "a nurse runs", "a baker and a cook"],
        ["a baker and a cook"],
    ]
    assert [chunk.masked for chunk in found][1] == ["a this person and a this person"]
    assert [chunk.tally for chunk in found] == [Tally(rows=4, without_target=1), Tally()]
    assert stream.identity == from_source(source).identity != from_source(replace(source, name="other")).identity


def test_content_of_a_source_makes_its_identity(tmp_path: Path) -> None:
    def identity(text: str) -> str:
        (tmp_path / "mine.csv").write_text(f"statement\n{text}\n", encoding="utf-8")
        return open_stream(str(tmp_path / "mine.csv")).identity

    assert identity("a teacher teaches") != identity("a teacher sleeps")
    assert identity("a teacher teaches") == identity("a teacher teaches")
