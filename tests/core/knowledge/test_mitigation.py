"""Filtering: what goes, what stays, and what it costs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.errors import InputError
from core.knowledge.mitigation import mitigate, write
from core.knowledge.sources import open_source
from core.knowledge.sources.dumps import Dump
from core.knowledge.sources.own import cut, read
from core.knowledge.sources.release import read_conceptnet
from core.knowledge.sources.source import Folder, Lines, Source, Table

TRIPLES = "doctor RelatedTo nurse\ndoctor IsA person\npoet IsA fool\ncat IsA animal\nnurse IsA person\n"
"""Five records, of which the first gives two statements and the fourth none: doctor, nurse, doctor, poet, nurse."""


@pytest.fixture
def source(tmp_path: Path) -> Source:
    (tmp_path / "triples").write_text(TRIPLES, encoding="utf-8")
    return read_conceptnet(tmp_path / "triples")


def test_a_record_goes_as_a_whole_when_one_of_its_statements_is_not_neutral(source: Source) -> None:
    found = mitigate(source, {"stub": np.array([0, -1, 0, 0, 0], dtype=np.int8)})
    assert found.keep.tolist() == [False, False, True, True, True]
    assert found.records.tolist() == [False, True, True, True, True]


def test_the_cost_is_counted_in_statements_records_and_targets(source: Source) -> None:
    found = mitigate(source, {"stub": np.array([0, 0, 0, -1, 2], dtype=np.int8)})
    assert (found.statements, found.statements_lost, found.records_lost) == (5, 2, 2)
    assert (found.targets, found.targets_lost) == (3, 1)


def test_any_classifier_drops_and_each_is_measured(source: Source) -> None:
    labels = {
        "one": np.array([0, 0, 1, 0, 0], dtype=np.int8),
        "other": np.array([0, 0, 0, -1, 0], dtype=np.int8),
    }
    found = mitigate(source, labels)
    assert found.keep.tolist() == [True, True, False, False, True]
    # By "one", before: doctor 1 of 2 neutral, nurse 2 of 2, poet 1 of 1.
    assert found.before["one"].covered_mean == pytest.approx((50 + 100 + 100) / 3)
    assert found.after["one"].covered_mean == 100
    # All 329 targets: three have statements.
    assert found.before["one"].neutral_mean == pytest.approx(250 / 329)
    assert found.after["other"].neutral_mean == pytest.approx(200 / 329)


def test_what_is_left_is_written_in_the_format_of_the_source(source: Source, tmp_path: Path) -> None:
    found = mitigate(source, {"stub": np.array([1, 1, 0, -1, 0], dtype=np.int8)})
    write(source, found, tmp_path / "left")
    assert (tmp_path / "left").read_text(encoding="utf-8") == "doctor IsA person\ncat IsA animal\nnurse IsA person\n"


@pytest.mark.parametrize(
    ("name", "content"), [("mine.csv", b"statement\npoets write\n"), ("a.TAB", b"text\npoets write\n")]
)
def test_a_file_is_written_under_the_ending_that_it_had(name: str, content: bytes) -> None:
    assert read(cut(content, name)).original.ending == Path(name).suffix


def test_every_source_knows_the_ending_of_its_files(source: Source, tmp_path: Path) -> None:
    assert source.original.ending == ".txt"
    assert open_source("demo").original.ending == ".csv"
    assert Table(("a",), [], "\t").ending == ".tsv"
    assert Folder({"one": Lines(())}).ending == ""
    assert Dump(tmp_path / "dump-5.7.0.csv.gz", np.array([1])).ending == ".csv.gz"
    assert Dump(tmp_path / "dump.tsv", np.array([1])).ending == ".tsv"


def test_filtering_again_loses_nothing(source: Source, tmp_path: Path) -> None:
    labels = np.array([0, 0, 0, -1, 0], dtype=np.int8)
    first = mitigate(source, {"stub": labels})
    write(source, first, tmp_path / "left")
    again = mitigate(read_conceptnet(tmp_path / "left"), {"stub": labels[first.keep]})
    assert (again.statements_lost, again.before) == (0, first.after)


def test_everything_may_go_and_no_number_is_undefined() -> None:
    source = read(cut(b"statement\npoets write\n", "mine.csv"))
    found = mitigate(source, {"stub": np.array([1], dtype=np.int8)})
    assert (found.targets_lost, found.after["stub"].neutral_mean, found.after["stub"].covered_mean) == (1, 0, 0)


def test_without_a_classifier_nothing_can_be_filtered(source: Source) -> None:
    with pytest.raises(InputError, match="at least one classifier"):
        mitigate(source, {})


def test_a_place_that_cannot_be_written_is_named(source: Source, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    found = mitigate(source, {"stub": np.zeros(5, dtype=np.int8)})
    with pytest.raises(InputError, match="choose another place"):
        write(source, found, tmp_path / "file" / "below")


def test_over_one_or_two_targets_with_statements_nothing_is_claimed_of_others() -> None:
    source = read(cut(b"statement\npoets write\nteachers teach\n", "mine.csv"))
    found = mitigate(source, {"stub": np.array([1, 0], dtype=np.int8)}).before["stub"]
    assert (found.interval_neutral_mean, found.interval_covered_mean, found.interval_negative) == (None, None, None)
