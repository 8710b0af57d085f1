"""The command on interventions: its JSON, its table, and an answer in words to every bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from core.cli import app
from core.encoders import catalog
from core.encoders.cache import CachedEncoder
from tests.tiny_models import question_answering


@pytest.fixture(autouse=True)
def _loaded_once(
    monkeypatch: pytest.MonkeyPatch, bundled: CachedEncoder, static: CachedEncoder, tmp_path: Path
) -> None:
    loaded, load = {"bundled": bundled, "static": static}, catalog.load
    monkeypatch.setattr(catalog, "load", lambda name, *rest, **more: loaded.get(name) or load(name, *rest, **more))
    monkeypatch.setenv("MORALSCOPE_DATA", str(tmp_path / "no data"))


@pytest.fixture
def question_file(tmp_path: Path) -> str:
    """One story with scores, one that lacks its other order."""

    def entry(attribute: str, *names: str) -> dict[str, Any]:
        context = f"{names[0]} met {names[1]}."
        answers = [
            {"text": name, "answer_start": context.index(name), "start-end-score": [score, score]}
            for name, score in zip(names, (0.75, 0.25) if names[0] == "Ann" else (0.5, 0.5), strict=True)
        ]
        questions: list[dict[str, Any]] = [
            {"question": f"Who {word} {attribute}?", "answers": answers} for word in ("did", "did not")
        ]
        questions[1]["answers"] = [answer | {"start-end-score": [0.5, 0.5]} for answer in answers]
        key = f"ann|bob|0|work|{attribute}|{attribute}|ethical_work-0"
        return {"paragraphs": [{"key": key, "context": context, "intervention": "ethical", "qas": questions}]}

    path = tmp_path / "questions.json"
    entries = [entry("pay", "Ann", "Bob"), entry("pay", "Bob", "Ann"), entry("win", "Ann", "Bob")]
    path.write_text(json.dumps({"data": entries}), encoding="utf-8")
    return str(path)


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["interventions", *arguments])


def read(*arguments: str) -> Any:
    done = call(*arguments, "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_a_domain_is_measured_by_class_subject_attribute_and_theme() -> None:
    found = read("--domain", "religion", "--answerer", "encoder:static")
    assert list(found) == [
        *("domain", "answerer", "complete", "stories", "classes", "subjects", "attributes", "themes", "missing")
    ]
    assert list(found["classes"]) == ["none", "ethical", "adversarial", "irrelevant"]
    for kind, row in found["classes"].items():
        assert {"mu", "eta", "delta", "epsilon", "theta4", "n", "interval"} <= set(row)
        low, high = row["interval"]
        assert 0 <= low <= row["mu"] <= high <= 1
        assert row["delta"] == pytest.approx(0, abs=1e-6), f"a bag of words has no position ({kind})"
    assert [row["subject"] for row in found["subjects"]][:2] == ["Atheist", "Buddhist"]
    assert (found["complete"], found["stories"]) == (True, {"done": 2688, "of": 2688})


def test_several_answerers_and_encoders_are_measured_one_after_the_other(question_file: str) -> None:
    found = read("--file", question_file, "--answerer", "published", "--encoder", "static", "--encoder", "static")
    assert [one["answerer"]["name"] for one in found] == ["published", "encoder:static"]
    assert found[0]["classes"]["ethical"]["mu"] != found[1]["classes"]["ethical"]["mu"]


def test_an_encoder_answers_where_nobody_else_is_named() -> None:
    assert read("--domain", "country", "--items", "10")["answerer"]["name"] == "encoder:bundled"


def test_themes_can_be_chosen() -> None:
    found = read("--domain", "religion", "--answerer", "encoder:static", "--theme", "rude", "--theme", "crime")
    assert [row["theme"] for row in found["themes"]] == ["rude", "crime"]
    assert found["stories"]["of"] == 2688 // 2


def test_entries_that_repeat_others_are_reported(question_file: str) -> None:
    document = json.loads(Path(question_file).read_text(encoding="utf-8"))
    document["data"].append(document["data"][0])
    Path(question_file).write_text(json.dumps(document), encoding="utf-8")
    (note,) = read("--file", question_file)["notes"]
    assert note.startswith("1 entry repeats another and is counted once")
    assert f"{note}.\n" in call("--file", question_file).stdout


def test_an_own_intervention_stands_beside_the_others() -> None:
    found = read("--domain", "gender", "--answerer", "encoder:static", "--own", "Be fair", "--items", "50")
    assert list(found["classes"])[-1] == "own"
    assert [row["n"] for row in found["classes"].values()] == [50] * 5


def test_an_intervention_in_the_context_is_another_question() -> None:
    one, other = (
        read("--domain", "gender", "--answerer", "encoder:static", "--items", "50", "--placement", where)["classes"]
        for where in ("question", "context")
    )
    assert one["none"] == other["none"]
    assert one["ethical"]["mu"] != other["ethical"]["mu"]


def test_a_file_with_scores_is_answered_by_them(question_file: str) -> None:
    found = read("--file", question_file)
    assert found["answerer"]["name"] == "published"
    # Ann has 0.75 and 0.5, Bob 0.25 and 0.5, for the negation all 0.5: C = ½ (0.125 + 0.125)
    assert found["classes"]["ethical"]["mu"] == pytest.approx(0.125)
    assert found["classes"]["ethical"]["n"] == 1
    assert found["missing"] == {"count": 1, "named": ["ann | bob | 0 | win | ethical"]}


def test_the_table_says_what_was_left_out(question_file: str) -> None:
    done = call("--file", question_file)
    assert done.exit_code == 0
    assert "ethical         0.125" in done.stdout
    assert "     θ4" in done.stdout
    assert "No interval: subjects are drawn, and there are fewer than 3.\n" in done.stdout
    assert "1 stories lack an answer and are left out:\n  ann | bob | 0 | win | ethical" in done.stdout
    assert "Neither is a judgement" in done.stdout


def test_specified_questions_are_counted_against_chance(tmp_path: Path) -> None:
    def question(text: str) -> dict[str, Any]:
        return {"question": text, "ans0": {"text": "Rob"}, "ans1": {"text": "Eve"}}

    entry = {"context": "Rob met Eve. Rob had paid.", "q0": question("Who paid?"), "q1": question("Who never paid?")}
    path = tmp_path / "specified.json"
    path.write_text(json.dumps({"male|female|Rob|Eve|0|None|paid|paid": entry}), encoding="utf-8")
    found = read("--file", str(path), "--answerer", "encoder:static")
    assert (found["classes"], found["subjects"]) == ({}, [])
    assert found["specified"] == {
        **{"n": 1, "correct": 1, "accuracy": 1.0, "interval": found["specified"]["interval"]},
        **{"chance": 0.5, "same_on_negation": 1.0},
    }
    refused = call("--file", str(path), "--answerer", "published")
    assert "questions that nobody has scored" in refused.stderr
    assert "name such a file" in refused.stderr
    assert "1 of 1 questions, 100.0%" in call("--file", str(path), "--answerer", "encoder:static").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--domain", "weather"], "a domain (gender, religion, ethnicity, country, unqover:gender"),
        (["--domain", "unqover:religion"], "python -m core data get unqover"),
        (["--domain", "gender", "--own", "x" * 5000], "at most 500 characters in the intervention, got 5,000"),
        (["--domain", "gender", "--answerer", "oracle"], "an answerer named encoder"),
        (["--domain", "gender", "--answerer", "published"], "a released file for the published scores"),
        (["--domain", "gender", "--answerer", "qa:no/such"], "no such folder, and no such model in the local cache"),
        (["--file", "no such file"], "a readable file, got No such file"),
        (["--file", "data/underspecified/religion/addedbias_noniid_dev_squad.json"], "python -m core data get"),
        (["--file", __file__], "a JSON file"),
        (["--file", __file__, "--own", "Be fair."], "use --domain"),
        (["--file", __file__, "--items", "5"], "a domain for --own, --placement, --items or --theme, got a file"),
        (["--file", __file__, "--theme", "poverty"], "use --domain"),
        (
            ["--domain", "religion", "--theme", "weather"],
            "themes of religion (poverty, success, rude, crime), got weather",
        ),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else None,
)
def test_what_cannot_be_asked_is_answered_in_words(arguments: list[str], said: str) -> None:
    done = call(*arguments)
    assert done.exit_code == 1
    assert done.stdout == ""
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--domain", "gender", "--file", "x"],
        ["--domain", "gender", "--placement", "nowhere"],
        ["--domain", "gender", "--items", "0"],
    ],
)
def test_a_wrong_call_is_told_apart_from_wrong_input(arguments: list[str]) -> None:
    assert call(*arguments).exit_code == 2


def test_teaching_measures_the_model_as_it_is_first(question_file: str, tmp_path: Path) -> None:
    folder, out = question_answering(tmp_path / "model"), tmp_path / "out"
    arguments = ["finetune", str(folder), "--train", question_file, "--sizes", "0,1", "--out", str(out)]
    done = CliRunner().invoke(app, [*arguments, "--test", question_file, "--epochs", "1"])
    assert done.exit_code == 0, done.stderr
    assert f"     0 stories, {question_file}: μ ethical " in done.stdout
    assert f"     1 stories, {question_file}: μ ethical " in done.stdout
    results = json.loads((out / "results.json").read_text())
    assert [row["size"] for row in results["runs"]] == [0, 1]
    assert results["domain"] == "questions"


def test_ordinary_questions_that_are_left_out_are_named(question_file: str, tmp_path: Path) -> None:
    qas = [
        {"id": key, "question": "Who paid?", "answers": [{"text": text, "answer_start": 0}]}
        for key, text in (("one", "Ann"), ("two", ""))
    ]
    squad = tmp_path / "squad.json"
    squad.write_text(json.dumps({"data": [{"paragraphs": [{"context": "Ann paid.", "qas": qas}]}]}))
    folder, out = question_answering(tmp_path / "model"), tmp_path / "out"
    arguments = ["finetune", str(folder), "--train", question_file, "--sizes", "0", "--out", str(out)]
    done = CliRunner().invoke(app, [*arguments, "--test", question_file, "--squad", str(squad)])
    assert done.exit_code == 0, done.stderr
    assert "1 of the ordinary questions left out: two: its answer is empty" in done.stderr


@pytest.mark.parametrize(
    ("sizes", "code", "said"),
    [("0,some", 2, "whole numbers"), ("0,64", 1, "sizes from 0 to 1"), ("-1", 1, "sizes from 0 to 1")],
)
def test_sizes_that_make_no_sense_are_answered_in_words(
    sizes: str, code: int, said: str, question_file: str, tmp_path: Path
) -> None:
    arguments = [
        "finetune",
        str(tmp_path),
        "--train",
        question_file,
        f"--sizes={sizes}",
        "--out",
        str(tmp_path / "out"),
    ]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == code
    assert said in done.stderr
