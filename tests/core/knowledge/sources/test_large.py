"""Own files of any size: in blocks they give what they give whole."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from core.errors import InputError
from core.knowledge.sources import large, own
from core.knowledge.sources.stream import Tally
from core.knowledge.targets import published

ROWS = [
    ("a teacher is kind", "1"),
    ('the "doctor", who\nis here', "2"),
    ("nobody is named", "3"),
    ("", "4"),
    ("a nurse met a baker", "5"),
]


def write(path: Path) -> Path:
    table = pd.DataFrame(ROWS * 40, columns=["text", "id"])
    if path.suffix == ".csv":
        table.to_csv(path, index=False)
    elif path.suffix == ".parquet":
        table.to_parquet(path)
    elif path.suffix == ".tsv":
        text = "\n".join("\t".join(cell.replace("\n", " ") for cell in row) for row in [("text", "id"), *ROWS * 40])
        path.write_text(text + "\n\n", encoding="utf-8")
    else:
        lines = [json.dumps({"text": text, "id": name}) for text, name in ROWS] + ['{"id": "no text"}', "not JSON"]
        path.write_text("\n".join(lines * 40), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", own.FORMATS)
def test_blocks_give_what_the_whole_file_gives(tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / f"mine.{form}")
    expected = own.read(own.cut(path.read_bytes(), path.name))
    monkeypatch.setattr(large, "BLOCK", 100)
    monkeypatch.setattr(large, "ROWS", 7)
    found = list(large.read(path).chunks(33))
    assert [text for chunk in found for text in chunk.texts] == expected.statements.frame["statement"].tolist()
    assert [name for chunk in found for name in chunk.ids] == expected.statements.frame["id"].tolist()
    names = [published().names[code] for chunk in found for code in chunk.codes]
    assert names == expected.statements.frame["target"].tolist()
    tally, report = sum((chunk.tally for chunk in found), Tally()), expected.report
    assert (tally.rows, tally.without_target, tally.empty) == (report.rows, report.without_target, report.empty)
    assert (tally.malformed.first, tally.undecodable.first) == (report.malformed.first, report.undecodable.first)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize(
    ("name", "head", "record", "bad"),
    [
        ("mine.csv", b"\r\nstatement,n\r\n", b'"a teacher\r\nreads",1\r\n', b"a,b,c\r\n"),
        ("mine.csv", b'statement,"n\nm"\n', b"a teacher reads,1\n\n", b"caf\xe9,c\n"),
        ("mine.tsv", b"statement\tn\n", b"a teacher reads\t1\n\n", b"a\n"),
        ("mine.jsonl", b"", b'{"statement": "a teacher reads"}\n\n', b"broken\n"),
    ],
)
def test_blocks_name_the_lines_of_the_whole_file(
    tmp_path: Path, mark: bytes, name: str, head: bytes, record: bytes, bad: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = mark + head + 3 * (5 * record + bad)
    (tmp_path / name).write_bytes(content)
    report = own.read(own.cut(content, name)).report
    monkeypatch.setattr(large, "BLOCK", 64)
    tally = sum((chunk.tally for chunk in large.read(tmp_path / name).chunks(4)), Tally())
    assert (tally.malformed.first, tally.undecodable.first) == (report.malformed.first, report.undecodable.first)
    named = (report.malformed.first or report.undecodable.first)[-1]
    assert content.split(b"\n")[named - 1] + b"\n" == bad
    assert (tally.rows, report.rows) == (18, 18)


def test_columns_may_be_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text("a,b\nx,a teacher reads\n", encoding="utf-8")
    (chunk,) = large.read(path, mapping={"statement": "b"}).chunks(9)
    assert chunk.texts == ["a teacher reads"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("mine.csv", b"", "rows in mine.csv, got none"),
        ("mine.csv", b"a,b\n1,2\n", "a column of statements"),
        ("mine.doc", b"a", "a file that ends with"),
        ("mine.parquet", b"no", "cannot be read"),
        ("mine.jsonl", b"no\n", "one JSON object a line"),
        ("mine.csv", b'statement\n"never closed\n' + b"x\n" * 200, "every quotation mark is closed"),
    ],
)
def test_a_file_that_cannot_be_used_is_answered_in_words(
    tmp_path: Path, name: str, content: bytes, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large, "BLOCK", 64)
    monkeypatch.setattr(large, "LONGEST", 128)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=said):
        list(large.read(tmp_path / name).chunks(9))
