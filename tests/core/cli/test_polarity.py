"""The command that compares classifiers with people."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from core.cli import app

LINES = "0\tXYZ has a house\n1\tXYZ is kind\n-1\tXYZ is a cruel liar\n1\tXYZ waits for the bus\n"


def call(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["polarity", *arguments], input=stdin)


def test_the_json_has_the_documented_shape() -> None:
    result = call("-", "--classifier", "sentiment", "--json", stdin=LINES.encode())
    document = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")
    assert list(document) == [
        "classifier", "identity", "n", "accuracy", "macro_f1", "kappa", "always_neutral", "fleiss_kappa", "classes",
        "interval_accuracy", "interval_always_neutral", "interval_macro_f1", "interval_kappa",
    ]  # fmt: skip
    assert (document["classifier"], document["n"], document["accuracy"], document["always_neutral"]) == (
        "sentiment", 4, 0.75, 0.25
    )  # fmt: skip
    assert list(document["classes"]) == ["negative", "neutral", "positive"]
    positive = document["classes"]["positive"]
    assert list(positive) == [
        "precision", "recall", "f1", "given", "true", "interval_precision", "interval_recall", "interval_f1"
    ]  # fmt: skip
    assert [positive[name] for name in ("precision", "recall", "f1", "given", "true")] == [1.0, 0.5, 2 / 3, 1, 2]
    assert positive["interval_recall"] == pytest.approx([0.0945, 0.9055], abs=1e-4)  # Wilson for 1 of 2
    assert document["fleiss_kappa"] is None


def test_several_classifiers_give_a_list_in_the_order_named_each_once(tmp_path: Path) -> None:
    (tmp_path / "rated.tsv").write_text(LINES)
    names = ["keywords", "sentiment", "keywords"]
    result = call(str(tmp_path / "rated.tsv"), *(part for name in names for part in ("--classifier", name)), "--json")
    assert [document["classifier"] for document in json.loads(result.stdout)] == ["keywords", "sentiment"]


def test_targets_are_masked_in_a_folder_of_the_release_and_people_compared(tmp_path: Path) -> None:
    (tmp_path / "sentences").write_text("prisoner has a desk\n" * 3)
    (tmp_path / "mturk_labels").write_text("2\n2\n2\n")
    document = json.loads(call(str(tmp_path), "--classifier", "keywords", "--json").stdout)
    assert document["accuracy"] == 1.0
    lines = tmp_path / "rated.tsv"
    lines.write_text("0\tprisoner has a desk\n")
    assert json.loads(call(str(lines), "--classifier", "keywords", "--json").stdout)["accuracy"] == 0.0


def test_the_table_for_people_names_the_line_to_beat() -> None:
    result = call("-", "--classifier", "sentiment", stdin=LINES.encode())
    assert "sentiment: accuracy 0.750 [0.301, 0.954]" in result.stdout  # Wilson for 3 of 4
    assert result.stdout.endswith("always neutral: 0.250 [0.046, 0.699] of 4 ratings; in brackets: 95 % intervals\n")


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        (["no/such/file"], None, "No such file or directory"),
        (["-"], b"", "got no line"),
        (["-"], b"0\tfine\nkind\n", "in line 2"),
        (["-", "--classifier", "no/such"], LINES.encode(), "called no/such"),
        (["-", "--classifier", "published"], LINES.encode(), "a classifier: sentiment, regard, keywords, or"),
        (["-", "--classifier", "regard", "--encoder", "nobody"], LINES.encode(), "got 'nobody'"),
        ([".", "--classifier", "sentiment"], None, "sentences"),
    ],
)
def test_what_cannot_be_used_is_one_sentence_and_no_output(
    arguments: list[str], stdin: bytes | None, said: str
) -> None:
    result = call(*arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (1, "")
    assert said in result.stderr
    assert result.stderr.startswith("moralscope: Expected ")
    assert result.stderr.count("\n") == 1
