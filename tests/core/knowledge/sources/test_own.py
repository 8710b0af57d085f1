"""A reader's own file: every format, every defect, and nothing lost without a word."""

from __future__ import annotations

import csv
import io
import json
import re
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

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
    assert (report.rows, report.used, report.repeated, report.empty) == (7, 2, 1, 2)
    assert (report.malformed.first, report.undecodable.first, report.without_target) == ((5,), (6,), 1)


def test_a_byte_order_mark_and_crlf_are_no_part_of_a_name() -> None:
    assert pairs(read(cut(b"\xef\xbb\xbfstatement\r\npoets write\r\n", "mine.csv"))) == [("poets write", "poet")]


def test_quotes_belong_to_the_text_of_a_tab_separated_file_and_wrap_cells_of_a_csv() -> None:
    assert pairs(read(cut(b'statement\n"poets" write\n', "mine.tsv")))[0][0] == '"poets" write'
    assert pairs(read(cut(b'statement\n"poets, and\nmore"\n', "mine.csv")))[0][0] == "poets, and\nmore"


def test_lines_that_are_no_json_object_are_counted() -> None:
    content = b'{"statement": "poets write"}\n[1]\nnot json\n\n{"statement": null}\n{"statement": 5}\n'
    found = read(cut(content, "mine.jsonl"))
    assert pairs(found) == [("poets write", "poet")]
    assert (found.report.malformed.first, found.report.empty, found.report.without_target) == ((2, 3), 1, 1)


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
        (b"x" * 200_000 + b"\npoets write\n", "mine.csv"),
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


def test_bad_rows_are_named_by_the_line_in_which_an_editor_shows_them() -> None:
    content = (
        b'\xef\xbb\xbf\r\nstatement,target\r\n"poets\r\nwrite",poet\r\n\r\npoets,poet,more\r\ncaf\xe9 poets,poet\r\n'
    )
    report = read(cut(content, "mine.csv")).report
    assert (report.rows, report.malformed.first, report.undecodable.first) == (3, (6,), (7,))
    lines = b'\n{"statement": "poets write"}\n\nbroken\n'
    assert read(cut(lines, "mine.jsonl")).report.malformed.first == (4,)
    tabs = b"statement\ttarget\n\npoets write\tpoet\npoets\n"
    assert read(cut(tabs, "mine.tsv")).report.malformed.first == (4,)


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
@pytest.mark.parametrize("length", [200_000, 131_073])
def test_a_row_with_an_endless_cell_is_named_and_the_rest_is_read(form: str, length: int) -> None:
    rows = [("poets write",), ("nurse " + "x" * (length - 6),), ("bakers bake",)]
    found = read(cut(write(form, ("statement",), rows), f"mine.{form}"))
    assert [target for _, target in pairs(found)] == ["poet", "baker"]
    line = {"csv": 3, "tsv": 3, "jsonl": 2, "parquet": 2}[form]
    assert (found.report.rows, found.report.malformed.first) == (3, (line,))
    longest = write(form, ("statement",), [("nurse " + "x" * (131_072 - 6),)])
    assert read(cut(longest, f"mine.{form}")).report.malformed.first == ()


def test_after_an_endless_cell_of_many_lines_reading_goes_on_behind_its_last_one() -> None:
    content = b'statement,target\n"' + b"so on\n" * 30_000 + b'",poet\npoets write,poet\n'
    found = read(cut(content, "mine.csv"))
    assert pairs(found) == [("poets write", "poet")]
    assert (found.report.rows, found.report.malformed.first) == (2, (2,))


@pytest.mark.parametrize("more", [1, 20_000])
def test_a_quotation_mark_that_is_never_closed_costs_its_own_line_only(more: int) -> None:
    content = b'statement,target\n"poets write,poet\n' + b"nurses read,nurse\n" * more
    found = read(cut(content, "mine.csv"))
    assert (len(found.statements), found.report.malformed.first) == (more, (2,))


@pytest.mark.parametrize(
    ("name", "head", "records"),
    [
        ("mine.csv", b"\xef\xbb\xbfstatement,n\r\n", [b'"poets write",1\r\n', b'"nurses\r\nread ""it""",2\r\n', b"bakers bake,3"]),
        ("mine.csv", b"statement\n", [b"poets write\n\n", b"bakers bake\n"]),
        ("mine.tsv", b"statement\tn\r\n", [b'"poets" write\t1\r\n', b"caf\xe9 bakers\t2\r\n", b"nurses read\t3\r\n"]),
        ("mine.jsonl", b"\xef\xbb\xbf", [b'{ "statement":"po\\u0065ts write" }\r\n', b'{"statement": "caf\xc3\xa9 bakers"}\r\n']),
        ("mine.csv", b"statement\r", [b"poets write\r", b"bakers bake\r"]),
    ],
)  # fmt: skip
def test_what_is_kept_is_copied_with_its_mark_line_ends_and_quotes(
    name: str, head: bytes, records: list[bytes], tmp_path: Path
) -> None:
    found = read(cut(head + b"".join(records), name))
    assert len(found.original) == len(records)
    for keep in ([True] * len(records), [False] * len(records), [place % 2 == 0 for place in range(len(records))]):
        found.original.write(tmp_path / "left", np.array(keep))
        kept = [record for record, stays in zip(records, keep, strict=True) if stays]
        assert (tmp_path / "left").read_bytes() == b"".join([head, *kept])


@given(st.lists(st.tuples(st.text(max_size=9), st.text(max_size=9)), min_size=1), st.sampled_from(["\n", "\r\n"]))
def test_any_table_is_copied_byte_by_byte(rows: list[tuple[str, str]], end: str) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=end).writerows([("statement", "target"), ("poets write", "poet"), *rows])
    content = text.getvalue().encode("utf-8", "surrogatepass").replace(b"\0", b"0")
    found = cut(content, "mine.csv")
    with TemporaryDirectory() as folder:
        found.original.write(Path(folder) / "all", np.ones(len(found.rows), dtype=np.bool_))
        assert (Path(folder) / "all").read_bytes() == content


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"statement\ncaf\xe9\n\xff\xfe\n", "2 are not UTF-8, the first in line 2, 3"),
        (b"statement\n" + b"a,b\n" * 7, "7 are malformed, the first in line 2, 3, 4, 5, 6, …"),
        (b"statement,target\npoets write,\nteachers teach,\n", "2 are empty"),
        (b"statement\nsofas are soft\n", "1 name no target"),
        (b"subject,relation,object\npoet,ExternalURL,x\n", "1 lead elsewhere"),
    ],
)
def test_a_file_that_gives_no_statement_says_what_became_of_its_rows(content: bytes, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        read(cut(content, "mine.csv"))


def test_one_column_that_looks_like_several_is_said_to_hold_a_separator() -> None:
    with pytest.raises(InputError, match="save the file as CSV with commas"):
        read(cut(b"statement;target\npoets write;poet\n", "mine.csv"))
    with pytest.raises(InputError) as caught:
        read(cut(b"words\npoets write\n", "mine.csv"))
    assert "separator" not in str(caught.value)


def test_two_columns_of_one_name_are_refused_where_the_name_is_asked_for() -> None:
    with pytest.raises(InputError, match="one column called 'statement', got 2"):
        read(cut(b"statement,statement\npoets write,bakers bake\n", "mine.csv"))
    assert len(read(cut(b"statement,,\npoets write,,\n", "mine.csv")).statements) == 1


def test_a_list_is_no_statement_and_does_no_harm_beside_one() -> None:
    lines = b'{"statement": ["poets write"], "more": 1}\n{"statement": "poets read", "more": [1]}\n'
    found = read(cut(lines, "mine.jsonl"))
    assert found.statements.frame["statement"].tolist() == ["poets read"]
    assert found.report.malformed.first == (1,)
