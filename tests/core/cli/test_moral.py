"""The command line: the result on standard output and nothing else, everything a person should know beside it."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from core.cli import app
from core.encoders import catalog, minilm
from core.encoders.cache import CachedEncoder
from core.moral import axis as axes
from core.moral import compass as compasses
from core.moral import study as studies
from core.moral.compass import Compass, score
from core.moral.seeds import published
from core.moral.survey import read

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def _loaded_once(
    monkeypatch: pytest.MonkeyPatch,
    bundled: CachedEncoder,
    static: CachedEncoder,
    compass: Compass,
    static_compass: Compass,
) -> None:
    """The real encoders, without loading them again for every call."""
    loaded, load = {"bundled": bundled, "static": static}, catalog.load
    fitted = {"bundled": compass, "static": static_compass}
    monkeypatch.setattr(catalog, "load", lambda name, *rest, **more: loaded.get(name) or load(name, *rest, **more))
    monkeypatch.setattr(compasses, "calibrate", lambda encoder, *rest: fitted[encoder.name])


def call(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(app, list(arguments), input=stdin)


def test_the_json_of_a_score_has_the_documented_shape_and_nothing_else() -> None:
    result = call("score", "kill time", "--json")
    document = json.loads(result.stdout)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert list(document) == ["encoder", "scores"]
    assert document["encoder"] == {
        "name": "bundled",
        "model": "sentence-transformers/all-MiniLM-L6-v2",
        "revision": f"sha256:{minilm.WEIGHTS_SHA256}",
        "dimension": 384,
    }
    (record,) = document["scores"]
    assert list(record) == [
        "action", "bias", "interval", "sign_agreement", "negated_bias", "rank", "of", "templates", "axis"
    ]  # fmt: skip
    assert [list(item) for item in record["templates"]] == [["question", "bias"]] * 10
    assert list(record["axis"]) == ["position", "raw", "interval"]
    low, high = record["interval"]
    assert low <= record["bias"] <= high
    assert record["of"] == 101


def test_json_numbers_have_full_precision(bundled: CachedEncoder, compass: Compass) -> None:
    (record,) = json.loads(call("score", "kill time", "--json").stdout)["scores"]
    found = score(bundled, compass, ["kill time"])
    assert record["bias"] == pytest.approx(found.choice.mean[0], abs=1e-7)
    assert len(repr(record["bias"])) > 12


def test_several_encoders_give_a_list_in_the_order_named_each_once() -> None:
    documents = json.loads(
        call("score", "smile", "--encoder", "static", "--encoder", "bundled", "--encoder", "static", "--json").stdout
    )
    assert [document["encoder"]["name"] for document in documents] == ["static", "bundled"]
    assert documents[0]["scores"][0]["bias"] != documents[1]["scores"][0]["bias"]


def test_phrases_keep_their_order_and_are_scored_once() -> None:
    result = call("score", "smile", "kill: time; people", "smile", "--json")
    actions = [record["action"] for record in json.loads(result.stdout)["scores"]]
    assert actions == ["smile", "kill", "kill time", "kill people"]
    assert result.stderr == "moralscope: repeated and kept once: smile\n"


def test_csv_has_one_row_per_phrase_and_encoder_with_formulas_neutralised() -> None:
    result = call("score", "=1+1", "kill, time", 'say "yes"', "--encoder", "bundled", "--encoder", "static", "--csv")
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert result.stderr == ""
    assert [(row["encoder"], row["action"]) for row in rows] == [
        (name, action) for name in ("bundled", "static") for action in ("'=1+1", "kill, time", 'say "yes"')
    ]
    record = json.loads(call("score", "kill, time", "--json").stdout)["scores"][0]
    assert float(rows[1]["bias"]) == pytest.approx(record["bias"], rel=1e-12)
    assert float(rows[1]["axis_raw"]) == pytest.approx(record["axis"]["raw"], rel=1e-12)


def test_negative_numbers_of_a_csv_stay_numbers() -> None:
    (row,) = csv.DictReader(io.StringIO(call("score", "kill people", "--csv").stdout))
    assert float(row["bias"]) < 0
    assert row["bias"].startswith("-")


def test_the_table_for_people_names_the_poles_and_no_verdict() -> None:
    result = call("score", "kill time", "<b>smile</b>")
    assert result.exit_code == 0
    assert "kill time" in result.stdout
    assert "<b>smile</b>" in result.stdout
    assert "nearer to “yes” (+) or “no” (−)" in result.stdout
    assert "immoral" not in result.stdout


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_a_file_and_standard_input_are_read_alike(tmp_path: Path, mark: bytes, line_end: bytes) -> None:
    content = mark + line_end.join([b"kill: people; time", b"", "fête".encode(), b""])
    (tmp_path / "phrases.txt").write_bytes(content)
    from_file = call("score", "--file", str(tmp_path / "phrases.txt"), "--json")
    from_stdin = call("score", "--file", "-", "--json", stdin=content)
    assert from_stdin.stdout == from_file.stdout
    actions = [record["action"] for record in json.loads(from_file.stdout)["scores"]]
    assert actions == ["kill", "kill people", "kill time", "fête"]
    assert from_file.stderr == "moralscope: 1 blank line(s) ignored\n"


def test_arguments_come_before_the_file(tmp_path: Path) -> None:
    (tmp_path / "phrases.txt").write_text("kill")
    result = call("score", "smile", "--file", str(tmp_path / "phrases.txt"), "--json")
    assert [record["action"] for record in json.loads(result.stdout)["scores"]] == ["smile", "kill"]


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        (["score"], None, "at least one phrase, got none"),
        (["score", " ", "..."], None, "at least one phrase"),
        (["score", "--file", "-"], b"", "at least one phrase"),
        (["score", "--file", "no/such/file"], None, "No such file or directory: no/such/file"),
        (["score", "--file", "."], None, "Is a directory"),
        (["score", "--file", "-"], "fête".encode("latin-1"), "text in UTF-8, got byte 0xea"),
        (["score", "kill", "--encoder", "nobody"], None, "bundled or static, got 'nobody'"),
        (["score", "a" * 201], None, "at most 200 characters in line 1, got 201"),
        (["score", "--file", "-"], b"kill\n" * 100_001, "at most 100,000 lines, got 100,001"),
        (["score", "ki\x1bll"], None, "control character U+001B"),
    ],
)
def test_what_cannot_be_used_is_one_sentence_with_a_remedy_and_no_output(
    arguments: list[str], stdin: bytes | None, said: str
) -> None:
    result = call(*arguments, stdin=stdin)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("moralscope: Expected ")
    assert said in result.stderr
    assert " Remedy: " in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["score", "kill", "--json", "--csv"], ["score", "--no-such-option"], ["no-such-command"]]
)
def test_a_wrong_call_exits_with_two_and_without_output(arguments: list[str]) -> None:
    result = call(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""


@cache
def cold(*arguments: str) -> tuple[str, frozenset[str]]:
    """Standard output of a fresh ``python -m core`` and the top-level modules it had loaded when it ended."""
    code = (
        "import atexit, runpy, sys\n"
        "atexit.register(lambda: print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr))\n"
        "runpy.run_module('core', run_name='__main__', alter_sys=True)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=ROOT,
        capture_output=True,
        check=True,
        encoding="utf-8",
        timeout=300,
    )
    return done.stdout, frozenset(done.stderr.split())


@pytest.mark.parametrize("encoder", catalog.NAMES)
def test_a_fresh_process_scores_without_loading_a_deep_learning_library_or_the_app(encoder: str) -> None:
    printed, loaded = cold("score", "kill time", "--encoder", encoder, "--json")
    assert json.loads(printed)["encoder"]["name"] == encoder
    assert {"core", "numpy", "typer"} <= loaded
    assert not loaded & {
        "torch", "transformers", "tensorflow", "sentence_transformers", "streamlit", "plotly", "pandas", "sklearn"
    }  # fmt: skip


def test_a_fresh_process_gives_the_numbers_of_this_one() -> None:
    (fresh,) = json.loads(cold("score", "kill time", "--encoder", "bundled", "--json")[0])["scores"]
    (here,) = json.loads(call("score", "kill time", "--json").stdout)["scores"]
    assert fresh["templates"][0]["question"] == here["templates"][0]["question"]
    np.testing.assert_allclose(_numbers(fresh), _numbers(here), atol=1e-6)


def _numbers(record: dict[str, Any]) -> list[float]:
    return [record["bias"], *record["interval"], record["negated_bias"], record["rank"], *record["axis"]["interval"]]


def test_any_phrase_is_printed_whatever_the_code_page_of_the_console(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    printed, _ = cold("score", "party 🎉", "לעזור", "--encoder", "static", "--csv")
    assert [line.partition(",")[0] for line in printed.splitlines()] == ["action", "party 🎉", "לעזור"]


SEEDS = "smile, do\nhelp, do\nread\nwalk\nharm, dont\nkill, dont\n"
VOTES = "action,yes,no\nsmile,19,1\nread,18,3\nlie,4,15\nkill,0,21\nwalk,17,2\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with own seeds and an own survey, in which the command runs."""
    (tmp_path / "seeds.txt").write_text(SEEDS, encoding="utf-8")
    (tmp_path / "votes.csv").write_text(VOTES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_json_of_an_axis_has_the_documented_shape_and_nothing_else(static: CachedEncoder) -> None:
    result = call("axis", "kill time", "=1+1", "--encoder", "static", "--json")
    document = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")
    assert list(document) == [
        "encoder",
        "variance_explained",
        "random_line",
        "beats_random",
        "stability",
        "seeds",
        "phrases",
    ]
    assert document["encoder"]["name"] == "static"
    assert len(document["variance_explained"]) == len(document["random_line"]) == 65
    assert list(document["stability"]) == ["without_seed", "without_template", "bootstrap"]
    assert (len(document["stability"]["without_seed"]), len(document["stability"]["without_template"])) == (65, 10)
    assert [list(row) for row in document["seeds"]] == [["action", "position", "raw", "interval"]] * 65
    assert [row["action"] for row in document["phrases"]] == ["kill time", "=1+1"]
    made = studies.study(static, published())
    position = made.axis.position(studies.vectors(static, made, ["kill time"]))[0]
    assert document["phrases"][0]["position"] == pytest.approx(position, rel=1e-12)


def test_the_axis_of_own_seeds_is_another_one(files: Path) -> None:
    document = json.loads(call("axis", "--seeds", "seeds.txt", "--encoder", "static", "--json").stdout)
    place = {row["action"]: row["position"] for row in document["seeds"]}
    assert list(place) == ["smile", "help", "read", "walk", "harm", "kill"]
    assert place["smile"] + place["help"] > place["harm"] + place["kill"]
    assert max(map(abs, place.values())) == pytest.approx(1)
    assert document["phrases"] == []


def test_an_axis_for_people_names_the_random_line_and_places_typed_phrases_apart() -> None:
    printed = call("axis", "kill time", "--encoder", "bundled").stdout
    assert printed.startswith("bundled: first component 10.9% of the variance, random line 3.1%; ")
    assert printed.splitlines()[-1].endswith("kill time  (typed)")
    assert "No axis" not in printed


def test_an_axis_below_the_random_line_is_said_to_be_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(axes, "random_line", lambda count, dimension: (0.99,) * count)
    printed = call("axis", "--encoder", "static").stdout
    assert "No axis: random vectors reach as much. A position on it would mean nothing" in printed
    assert "smile" not in printed.splitlines()[-1]  # no position is printed


def test_the_json_of_a_survey_has_the_documented_shape_and_nothing_else(files: Path, static: CachedEncoder) -> None:
    result = call("survey", "votes.csv", "--encoder", "static", "--json")
    document = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")
    assert list(document) == ["n", "mcm", "axis"]
    assert document["n"] == 5
    found = studies.people(static, studies.study(static, published()), read(VOTES.encode()))
    assert document["mcm"] == {"r": found.mcm.r, "interval": [found.mcm.low, found.mcm.high]}
    assert document["axis"] == {"r": found.axis.r, "interval": [found.axis.low, found.axis.high]}
    assert call("survey", "-", "--encoder", "static", "--json", stdin=VOTES.encode()).stdout == result.stdout


def test_several_encoders_give_a_list_of_surveys_and_of_axes(files: Path) -> None:
    both = ("--encoder", "static", "--encoder", "bundled")
    surveys = json.loads(call("survey", "votes.csv", *both, "--json").stdout)
    assert [document["n"] for document in surveys] == [5, 5]
    assert surveys[0] != surveys[1]
    axes_ = json.loads(call("axis", *both, "--json").stdout)
    assert [document["encoder"]["name"] for document in axes_] == ["static", "bundled"]
    printed = call("survey", "votes.csv", *both).stdout
    assert "static: agreement with people on 5 actions" in printed
    assert "bundled: agreement with people on 5 actions" in printed


@pytest.mark.data
def test_without_a_file_the_published_survey_is_used(data: Path) -> None:
    document = json.loads(call("survey", "--json").stdout)
    assert document["n"] == 113
    assert document["axis"]["r"] == pytest.approx(0.73, abs=0.005)
    assert document["mcm"]["r"] == pytest.approx(0.38, abs=0.005)


@pytest.mark.parametrize(
    ("arguments", "stdin", "said"),
    [
        (["axis", "--seeds", "no/such/file"], None, "No such file or directory: no/such/file"),
        (["axis", "--seeds", "-"], b"smile, do\nkill, dont", "5 to 200 different seed actions, got 2"),
        (["axis", "--seeds", "-"], b"a\nb\nc\nd, do\ne", "one anchor on either side, got none on the Don"),
        (["axis", "--seeds", "-"], b"say, do\nSay\nSAY\nsAy\nsaY, dont", "seeds that differ, got the same vector"),
        (["axis", "--seeds", "-"], "fête, do".encode("latin-1"), "text in UTF-8, got byte 0xea"),
        (["axis", "a" * 201], None, "at most 200 characters in line 1"),
        (["axis", "--encoder", "nobody"], None, "bundled or static, got 'nobody'"),
        (["survey", "no/such/file"], None, "No such file or directory: no/such/file"),
        (["survey", "-"], b"phrase,yes\n", "columns action, yes, no, got phrase, yes"),
        (["survey", "-"], VOTES.replace("4,15", "0,0").encode(), "at least one vote in line 4, got zero"),
        (["survey", "-"], b"\x89PNG\r\n", "text in UTF-8"),
        (["survey", "-"], b"action,yes,no\nsmile,1,1\n", "4 to 2,000 actions, got 1"),
        (["survey", "-"], b"action,yes,no\na,1,1\nb,2,2\nc,3,3\nd,4,4\n", "numbers that vary on both sides"),
    ],
)
def test_seeds_and_surveys_that_cannot_be_used_are_one_sentence_with_a_remedy(
    arguments: list[str], stdin: bytes | None, said: str
) -> None:
    result = call(*arguments, stdin=stdin)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("moralscope: Expected ")
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def test_without_data_the_survey_says_how_to_get_it_and_the_axis_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORALSCOPE_DATA", str(tmp_path))
    result = call("survey", "--encoder", "static")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "python -m core data get MoRT/data/user_study/userStudy_yes_no_regional.csv" in result.stderr
    assert call("axis", "--encoder", "static").exit_code == 0
