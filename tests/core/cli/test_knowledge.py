"""The commands on knowledge: exact shapes, and an answer in words to every bad input."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from typer.testing import CliRunner, Result

from core.cli import app
from core.knowledge import sources
from core.knowledge.polarity import catalog
from core.statistics import wilson

TRIPLES = (
    "subject,relation,object\nteacher,IsA,good\nnurse,RelatedTo,teacher\nnurse,IsA,bad\nnurse,IsA,bad\ncat,IsA,good\n"
)


class Stub:
    """Says positive of "good", negative of "bad"; notes what it was asked."""

    asked: list[str]

    def __init__(self) -> None:
        self.asked = []

    def label(self, texts: Sequence[str], progress: object = None) -> NDArray[np.int8]:
        self.asked.extend(texts)
        return np.array([("good" in text) - ("bad" in text) for text in texts], dtype=np.int8)


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Stub:
    made, known = Stub(), catalog.open_classifier
    monkeypatch.setattr(catalog, "open_classifier", lambda name: made if name in ("sentiment", "stub") else known(name))
    return made


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "mine.csv").write_text(TRIPLES, encoding="utf-8")
    return str(tmp_path / "mine.csv")


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def document(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_the_json_of_harms_has_the_documented_shape_and_nothing_else(file: str, stub: Stub) -> None:
    found = document(call("harms", file, "--classifier", "stub", "--json"))
    assert list(found) == ["source", "statements", "targets", "classifiers"]
    assert (found["source"], found["statements"], found["targets"]) == ("mine.csv", 5, 2)
    (measured,) = found["classifiers"].values()
    assert list(measured) == ["overall", "disparity", "categories", "per_target"]
    # teacher: positive, neutral; nurse: neutral, negative, negative.
    # Two targets are too few for a bootstrap.
    assert measured["overall"] == {
        "over_targets": pytest.approx((50 + 200 / 3) / 2),
        "pooled": 60,
        "interval_over_targets": None,
        "interval_pooled": pytest.approx((100 * wilson(3, 5)).tolist()),
    }
    assert measured["disparity"]["representation"] == 0.25
    assert measured["disparity"]["interval_representation"] is None
    assert list(measured["disparity"]) == [
        "representation", "negative", "positive", "interval_representation", "interval_negative", "interval_positive"
    ]  # fmt: skip
    assert list(measured["categories"]) == ["profession"]
    teacher, nurse = sorted(measured["per_target"], key=lambda row: row["n"])
    assert (teacher["target"], teacher["category"], teacher["n"]) == ("teacher", "profession", 2)
    assert (teacher["negative"], teacher["positive"]) == (0, 50)
    assert nurse["interval_negative"] == pytest.approx((100 * wilson(np.array([2]), np.array([3]))[0]).tolist())
    assert list(nurse) == ["target", "category", "n", "negative", "positive", "interval_negative", "interval_positive"]


def test_each_distinct_masked_text_is_labelled_once(file: str, stub: Stub) -> None:
    call("harms", file, "--json")
    assert sorted(stub.asked) == [
        "this person is a bad",
        "this person is a good",
        "this person is related to this person",
    ]


def test_repeated_statements_may_be_counted_once(file: str, stub: Stub) -> None:
    assert document(call("harms", file, "--distinct", "--json"))["statements"] == 4


def test_classifiers_stand_beside_each_other(file: str, stub: Stub) -> None:
    found = document(call("harms", file, "--classifier", "stub", "--classifier", "sentiment", "--json"))
    assert list(found["classifiers"]) == ["stub", "sentiment"]


def test_the_text_output_names_source_credit_and_numbers(file: str, stub: Stub) -> None:
    found = call("harms", file)
    assert found.exit_code == 0
    assert "5 statements about 2 targets; of 5 records 1 name no target" in found.stdout
    assert "58.33 [–] % polarised (mean over targets), 60.00 [23.07, 88.24] % of statements" in found.stdout


def test_columns_of_a_file_are_named_on_the_command_line(tmp_path: Path, stub: Stub) -> None:
    (tmp_path / "mine.txt").write_text("who\twhat\npoet\tis good\n", encoding="utf-8")
    options = ("--format", "tsv", "--column", "statement=what", "--column", "target=who", "--json")
    assert document(call("harms", str(tmp_path / "mine.txt"), *options))["statements"] == 1


def test_records_that_cannot_be_read_are_said_on_standard_error(tmp_path: Path, stub: Stub) -> None:
    (tmp_path / "mine.csv").write_bytes(b"statement\npoets are good\ncaf\xe9\na,b\n")
    found = call("harms", str(tmp_path / "mine.csv"), "--json")
    assert document(found)["statements"] == 1
    assert "1 undecodable line(s) left out: 3" in found.stderr
    assert "1 malformed line(s) left out: 4" in found.stderr


def test_mitigating_writes_what_is_left_and_says_what_it_costs(file: str, stub: Stub, tmp_path: Path) -> None:
    out = tmp_path / "left.csv"
    found = document(call("mitigate", file, "--classifier", "stub", "--out", str(out), "--json"))
    assert out.read_text(encoding="utf-8") == "subject,relation,object\nnurse,RelatedTo,teacher\ncat,IsA,good\n"
    assert list(found) == ["source", "out", "before", "after", "cost"]
    assert found["cost"] == {
        "statements": 5,
        "statements_lost": 3,
        "targets": 2,
        "targets_lost": 0,
        "records": 5,
        "records_lost": 3,
    }
    assert found["before"]["stub"]["neutral_mean"] == pytest.approx((50 + 100 / 3) / 2)
    assert found["after"]["stub"]["neutral_mean"] == 100
    assert found["after"]["stub"]["representation"] == 0
    assert found["before"]["stub"]["interval_neutral_mean"] is None


def test_mitigating_says_it_in_words_too(file: str, stub: Stub, tmp_path: Path) -> None:
    found = call("mitigate", file, "--out", str(tmp_path / "left.csv"))
    assert "3 of 5 statements and 0 of 2 targets lost" in found.stdout
    assert "neutral mean: 41.67 [–] → 100.00 [–] %" in found.stdout


def test_a_file_is_not_replaced_by_what_is_left_of_it(file: str, stub: Stub) -> None:
    found = call("mitigate", file, "--out", file)
    assert (found.exit_code, Path(file).read_text(encoding="utf-8")) == (1, TRIPLES)
    assert "the source itself" in found.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("harms", "nowhere"), "a source (demo, conceptnet"),
        (("harms", "{file}", "--format", "xml"), "a format"),
        (("harms", "{file}", "--column", "statement=nothing"), "say which column holds what"),
        (("harms", "{file}", "--column", "nothing"), "--column ROLE=NAME with a role of statement, subject"),
        (("harms", "{file}", "--column", "foo=bar"), "got 'foo=bar'"),
        (("harms", "demo", "--format", "csv"), "a file for --format, got the source 'demo'"),
        (("mitigate", "demo", "--column", "statement=a", "--out", "x"), "leave out --column"),
        (("harms", "{file}", "--classifier", "published"), "use the source conceptnet-regard"),
        (("mitigate", "{file}", "--out", "{file}/below"), "choose another place"),
    ],
)
def test_bad_input_is_answered_in_words(arguments: tuple[str, ...], words: str, file: str, stub: Stub) -> None:
    found = call(*(part.format(file=file) for part in arguments))
    assert found.exit_code == 1
    assert found.stderr.startswith("moralscope: Expected")
    assert words in found.stderr


@pytest.mark.data
def test_published_labels_give_the_published_figures() -> None:
    found = document(call("harms", "conceptnet-regard", "--classifier", "published", "--as-released", "--json"))
    measured = found["classifiers"]["published"]
    assert measured["overall"]["over_targets"] == pytest.approx(3.345, abs=0.001)
    assert measured["disparity"]["representation"] == pytest.approx(141_539, abs=0.5)
    assert measured["disparity"]["negative"] == pytest.approx(8.742, abs=0.0005)


def test_source_names_of_the_help_are_those_that_open() -> None:
    text = call("harms", "--help").stdout
    assert [name for name in sources.NAMES if name not in text] == []


def test_regard_is_measured_on_every_encoder_that_is_named(file: str) -> None:
    asked = ("--classifier", "regard", "--encoder", "static", "--encoder", "bundled")
    found = document(call("harms", file, *asked, "--json"))
    assert list(found["classifiers"]) == ["regard:static", "regard"]


def test_an_encoder_without_regard_is_not_ignored(file: str) -> None:
    done = call("harms", file, "--encoder", "static")
    assert done.exit_code == 1
    assert "the classifier regard" in done.stderr


def test_what_an_encoder_of_a_spec_believes_is_a_source(tmp_path: Path) -> None:
    done = call("harms", f"encoder:words:{tmp_path / 'none.txt'}")
    assert done.exit_code == 1
    assert "word vectors" in done.stderr
