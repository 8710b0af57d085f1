"""A reader's own file: every format, every defect, and nothing lost without a word."""

from __future__ import annotations

import csv
import io
import json
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.knowledge.sources import open_source
from core.knowledge.sources.own import MAX_BYTES, cut, guess_columns, guess_format, read, refuse_large
from core.knowledge.sources.source import Source

TRIPLES = [("teacher", "IsA", "person"), ("cat", "IsA", "animal"), ("nurse", "RelatedTo", "doctor")]


def write(form: str, columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> bytes:
    if form == "parquet":
        import pyarrow as pa
        import pyarrow.parquet as pq

        sink = io.BytesIO()
        pq.write_table(pa.table({name: [row[place] for row in rows] for place, name in enumerate(columns)}), sink)
        return sink.getvalue()
    if form == "jsonl":
        return "".join(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in rows).encode()
    text = io.StringIO()
    csv.writer(text, delimiter="\t" if form == "tsv" else ",", lineterminator="\n").writerows([columns, *rows])
    return text.getvalue().encode()


def pairs(source: Source) -> list[tuple[str, str]]:
    frame = source.statements.frame
    return list(zip(frame["statement"], frame["target"].astype(object), strict=True))


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_triples_in_every_format_give_the_same_statements(form: str, tmp_path: Path) -> None:
    path = tmp_path / f"mine.{form}"
    path.write_bytes(write(form, ("subject", "relation", "object"), TRIPLES))
    found = open_source(str(path))
    assert pairs(found) == [
        ("teacher is a person", "teacher"),
        ("nurse is related to doctor", "nurse"),
        ("nurse is related to doctor", "doctor"),
    ]
    assert (found.report.rows, found.report.used, found.report.without_target) == (3, 2, 1)
    assert found.statements.targets.names == ("doctor", "teacher", "nurse")


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_what_is_kept_is_written_back_in_the_same_format(form: str, tmp_path: Path) -> None:
    content = write(form, ("subject", "relation", "object"), TRIPLES)
    found = read(cut(content, f"mine.{form}"))
    found.original.write(tmp_path / "all", np.ones(3, dtype=np.bool_))
    found.original.write(tmp_path / "some", np.array([True, True, False]))
    if form != "parquet":
        assert (tmp_path / "all").read_bytes() == content
        assert (tmp_path / "some").read_bytes() == write(form, ("subject", "relation", "object"), TRIPLES[:2])
    again = read(cut((tmp_path / "some").read_bytes(), f"mine.{form}"))
    assert pairs(again) == [("teacher is a person", "teacher")]


def test_sentences_belong_to_every_target_they_name_or_to_the_annotated_one() -> None:
    free = read(cut(b"text\nA nurse helps the doctor\nNobody\n", "mine.csv"))
    assert [target for _, target in pairs(free)] == ["nurse", "doctor"]
    told = read(cut(b"text,topic\nArmies march,army\nA nurse helps,doctor\nA nurse helps,cat\n", "mine.csv"))
    assert pairs(told) == [("Armies march", "army"), ("A nurse helps", "doctor")]
    assert told.report.without_target == 1


def test_columns_may_be_named_by_the_reader() -> None:
    content = cut(b"what,who,number\nwrites books,poet,7\n", "mine.csv")
    found = read(content, {"statement": "what", "target": "who", "id": "number"})
    assert found.statements.frame.loc[0, ["statement", "target", "id"]].tolist() == ["writes books", "poet", "7"]


def test_usual_names_of_columns_are_known() -> None:
    assert guess_columns(["GENERIC SENTENCE", "TERM", "SCORE"]) == {"statement": "GENERIC SENTENCE", "target": "TERM"}
    assert guess_columns(["a", "b"]) == {}


@pytest.mark.parametrize(
    ("content", "mapping"),
    [
        (b"a,b\n1,2\n", None),
        (b"a,b\n1,2\n", {"statement": "c"}),
        (b"a,b\n1,2\n", {"text": "a"}),
        (b"subject,object\nnurse,doctor\n", None),
    ],
)
def test_columns_that_make_no_statement_are_refused_with_their_names(
    content: bytes, mapping: dict[str, str] | None
) -> None:
    with pytest.raises(InputError, match="say which column holds what"):
        read(cut(content, "mine.csv"), mapping)


def test_everything_that_is_left_out_is_counted() -> None:
    content = (
        b"statement,target\n"
        b"poets write,poet\n"
        b"poets write,poet\n"
        b",poet\n"
        b"poets,poet,more\n"
        b"caf\xe9 poets,poet\n"
        b"cats sleep,cat\n"
        b"poets read,\n"
    )
    report = read(cut(content, "mine.csv")).report
    assert (report.rows, report.used, report.repeated, report.empty) == (7, 2, 1, 1)
    assert (report.malformed, report.undecodable, report.without_target) == ((4,), (5,), 2)


def test_a_byte_order_mark_and_crlf_are_no_part_of_a_name() -> None:
    assert pairs(read(cut(b"\xef\xbb\xbfstatement\r\npoets write\r\n", "mine.csv"))) == [("poets write", "poet")]


def test_quotes_belong_to_the_text_of_a_tab_separated_file_and_wrap_cells_of_a_csv() -> None:
    assert pairs(read(cut(b'statement\n"poets" write\n', "mine.tsv")))[0][0] == '"poets" write'
    assert pairs(read(cut(b'statement\n"poets, and\nmore"\n', "mine.csv")))[0][0] == "poets, and\nmore"


def test_lines_that_are_no_json_object_are_counted() -> None:
    content = b'{"statement": "poets write"}\n[1]\nnot json\n\n{"statement": null}\n{"statement": 5}\n'
    found = read(cut(content, "mine.jsonl"))
    assert pairs(found) == [("poets write", "poet")]
    assert (found.report.malformed, found.report.empty, found.report.without_target) == ((2, 3), 1, 1)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"", "mine.csv"),
        (b"statement\n", "mine.csv"),
        (b"", "mine.jsonl"),
        (b"PAR1 not really", "mine.parquet"),
        (b"a\0b", "mine.csv"),
        (b"statement\npoet", "mine.xlsx"),
        (b"cats sleep\nmore", "mine.csv"),
        (b'statement\n"' + b"x" * 200_000 + b"\n", "mine.csv"),
    ],
)
def test_what_is_no_such_file_is_refused_in_words(content: bytes, name: str) -> None:
    with pytest.raises(InputError, match="Remedy"):
        read(cut(content, name))


@given(st.binary(max_size=200), st.sampled_from(["csv", "tsv", "jsonl", "parquet"]))
def test_any_bytes_give_statements_or_an_error_in_words(content: bytes, form: str) -> None:
    with suppress(InputError):
        assert len(read(cut(content, "mine", form)).statements) > 0


def test_a_large_upload_is_refused_by_its_size_alone() -> None:
    refuse_large(MAX_BYTES)
    with pytest.raises(InputError, match=r"2,000 MB.*python -m core harms"):
        refuse_large(2_000_000_000)


def test_an_unknown_format_is_refused() -> None:
    with pytest.raises(InputError, match="a format"):
        cut(b"x", "mine", "xml")
    assert guess_format("MINE.JSONL") == "jsonl"
