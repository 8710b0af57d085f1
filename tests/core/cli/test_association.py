"""The commands on associations: exact shapes, and an answer in words to every bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from core.association import scatter, sets, weat
from core.cli import app
from core.encoders import catalog
from core.encoders.cache import CachedEncoder
from core.moral.poles import occupations


@pytest.fixture(autouse=True)
def _loaded_once(monkeypatch: pytest.MonkeyPatch, bundled: CachedEncoder, static: CachedEncoder) -> None:
    loaded, load = {"bundled": bundled, "static": static}, catalog.load
    monkeypatch.setattr(catalog, "load", lambda name, *rest, **more: loaded.get(name) or load(name, *rest, **more))


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Four word files, by the option that reads them."""
    words = {
        "x": "rose\ntulip\nlily\ndaisy\n",
        "y": "flea, moth, gnat, wasp",
        "a": "love; peace; Love",
        "b": "word\nfilth\nabuse\npoison\n",
    }
    for name, text in words.items():
        (tmp_path / f"{name}.{'csv' if name == 'b' else 'txt'}").write_text(text, encoding="utf-8")
    return {f"--{name}": str(tmp_path / f"{name}.{'csv' if name == 'b' else 'txt'}") for name in words}


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def with_files(files: dict[str, str], *arguments: str) -> Result:
    return call("weat", *(part for pair in files.items() for part in pair), "--encoder", "static", *arguments)


def document(result: Result) -> Any:
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_the_json_of_a_word_test_has_the_documented_shape_and_nothing_else(bundled: CachedEncoder) -> None:
    found = document(call("weat", "--test", "math", "--json"))
    assert list(found) == ["s", "d", "ddof", "p_one_sided", "p_two_sided", "exact", "null_band", "words", "missing"]
    outcome = weat.run(bundled, sets.find("7"))
    assert outcome.weat.significance is not None
    assert found["d"] == pytest.approx(outcome.weat.effect, abs=1e-6)
    assert found["p_one_sided"] == outcome.weat.significance.one_sided
    assert (found["ddof"], found["exact"]) == (0, True)
    low, high = found["null_band"]
    assert -1.2 < low < -0.8 < 0.8 < high < 1.2
    assert [item["set"] for item in found["words"]] == [role for role in "XYAB" for _ in range(8)]
    assert all(list(item) == ["word", "set", "s", "d_without"] for item in found["words"])
    targets = [item["s"] for item in found["words"][:16]]
    assert found["s"] == pytest.approx(sum(targets[:8]) - sum(targets[8:]))


def test_a_test_on_own_files_reads_lists_and_tables_and_names_what_it_left_out(files: dict[str, str]) -> None:
    result = with_files(files, "--ddof", "1", "--json")
    found = document(result)
    assert result.stderr == "moralscope: a: repeated and kept once: Love\n"
    assert [item["word"] for item in found["words"]] == [
        "rose", "tulip", "lily", "daisy", "flea", "moth", "gnat", "wasp", "love", "peace", "filth", "abuse", "poison"
    ]  # fmt: skip
    assert found["ddof"] == 1
    assert found["d"] > 0


def test_below_four_words_a_side_the_p_is_null(files: dict[str, str]) -> None:
    Path(files["--x"]).write_text("rose, tulip, lily", encoding="utf-8")
    Path(files["--y"]).write_text("flea, moth, gnat", encoding="utf-8")
    found = document(with_files(files, "--json"))
    assert (found["p_one_sided"], found["p_two_sided"], found["exact"]) == (None, None, None)
    assert "no p: fewer than 4 words a side" in with_files(files).stdout


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("y", "flea, moth, gnat", "as many words in x as in y, got 4 and 3. Remedy: remove 1 from x, or add 1 to y"),
        ("y", "flea, moth, gnat, Rose", "both hold rose"),
        ("a", "love", "at least 2 different words in a, got love"),
        ("a", "\n".join(map(str, range(100_000))), "at most 200 words in a, got 100,000"),
        ("b", "word\nlove\nfilth\n", "a and b without a word in common"),
    ],
)
def test_sets_that_cannot_be_tested_are_answered_in_words(
    files: dict[str, str], name: str, text: str, said: str
) -> None:
    Path(files[f"--{name}"]).write_text(text, encoding="utf-8")
    result = with_files(files)
    assert (result.exit_code, result.stdout) == (1, "")
    assert said in result.stderr


def test_words_that_the_encoder_cannot_tell_apart_are_a_named_error_and_never_nan(
    files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CachedEncoder, "encode", lambda self, texts: self.inside.encode(["same"] * len(texts)))
    result = with_files(files, "--json")
    assert result.exit_code == 1
    assert "the same association" in result.stderr
    assert "NaN" not in result.stdout


@pytest.mark.parametrize("arguments", [[], ["--test", "1", "--x", "f"], ["--x", "f"], ["--test", "1", "--ddof", "2"]])
def test_a_wrong_call_has_exit_code_2(arguments: list[str]) -> None:
    assert call("weat", *arguments).exit_code == 2


def test_an_unknown_test_and_an_unknown_encoder_are_answered_with_the_names() -> None:
    assert "choose one of: 1 Flowers / Insects" in call("weat", "--test", "birds").stderr
    assert "an encoder named bundled or static" in call("weat", "--test", "1", "--encoder", "other").stderr


def test_a_word_test_in_words_names_deviation_partitions_and_noise() -> None:
    text = call("weat", "--test", "9").stdout
    assert text.startswith("bundled: Mental disease / Physical disease × Temporary / Permanent\nd = ")
    assert "(population deviation)" in text
    assert "(all 924 partitions)" in text
    assert "in 95 % of draws" in text


def test_the_json_of_a_verb_extraction_has_the_documented_shape_and_nothing_else() -> None:
    found = document(call("verbs", "--top", "5", "--encoder", "static", "--json"))
    assert list(found) == ["dos", "donts", "afinn", "overlap"]
    assert [list(item) for item in (*found["dos"], *found["donts"])] == [["verb", "weat"]] * 10
    assert list(found["afinn"]) == ["all", "rated"]
    assert list(found["afinn"]["all"]) == ["dos", "donts", "t", "p"]
    assert list(found["afinn"]["all"]["dos"]) == ["mean", "sd", "n"]
    assert list(found["overlap"]) == ["dos", "donts", "opposite", "known_dos", "known_donts"]
    assert [item["weat"] for item in found["dos"]] == sorted((item["weat"] for item in found["dos"]), reverse=True)
    assert [item["weat"] for item in found["donts"]] == sorted(item["weat"] for item in found["donts"])


def test_a_vocabulary_file_is_reduced_to_its_verbs(tmp_path: Path) -> None:
    path = tmp_path / "vocabulary.txt"
    path.write_text("4 2\nsmiled 0.1 0.2\nsmiles 0.1 0.3\nthe 1 1\nmurdering 0.1 0.9\n", encoding="utf-8")
    result = call("verbs", "--vocabulary", str(path), "--top", "1", "--json")
    found = document(result)
    assert (found["dos"][0]["verb"], found["donts"][0]["verb"]) == ("smile", "murder")
    assert result.stderr == "moralscope: 2 verbs; 1 further forms of them and 2 other words left out\n"


def test_own_sets_change_the_extraction(tmp_path: Path) -> None:
    paths = [tmp_path / "warm.txt", tmp_path / "cold.txt"]
    for path, text in zip(paths, ("fire, sun, heat", "ice, snow, frost"), strict=True):
        path.write_text(text, encoding="utf-8")
    arguments = ["--top", "20", "--encoder", "static", "--positive", str(paths[0]), "--negative", str(paths[1])]
    found = document(call("verbs", *arguments, "--json"))
    assert {"heat", "sunbathe"} <= {item["verb"] for item in found["dos"]}
    assert {"ice", "freeze"} <= {item["verb"] for item in found["donts"]}


def test_verbs_in_words_name_both_lists_and_what_is_published() -> None:
    lines = call("verbs", "--top", "3").stdout.splitlines()
    assert lines[0] == "bundled"
    assert lines[1].startswith("Dos: enjoy +0.1")
    assert lines[2].startswith("Don'ts: ")
    assert lines[3].startswith("AFINN: Dos +")
    assert lines[4].startswith("Also published: ")


def test_the_json_of_a_correlation_has_the_documented_shape_and_the_published_values() -> None:
    found = document(call("correlate", "--bias", "published", "--json"))
    assert list(found) == ["r", "interval", "p", "n", "points"]
    assert found["r"] == pytest.approx(0.7275, abs=5e-5)
    assert found["interval"][0] < found["r"] < found["interval"][1]
    assert found["n"] == len(found["points"]) == 100
    assert found["points"][0] == {"verb": "smile", "side": "do", "weat": 0.116, "bias": pytest.approx(0.0348)}


def test_either_coordinate_may_come_from_an_encoder(static: CachedEncoder) -> None:
    assert document(call("correlate", "--json"))["r"] == pytest.approx(0.60, abs=0.005)
    printed = scatter.published_points()
    found = document(call("correlate", "--weat", "static", "--bias", "published", "--json"))
    own = scatter.relate(printed.verbs, printed.sides, scatter.own_weat(static, printed.verbs), printed.bias)
    assert found["r"] == pytest.approx(own.correlation.r, abs=1e-6)
    assert call("correlate", "--bias", "published").stdout.startswith(
        "published: r = 0.727, 95 % interval [0.620, 0.808], p = 1e-17"
    )


def test_several_encoders_give_one_correlation_each() -> None:
    found = document(call("correlate", "--encoder", "bundled", "--encoder", "static", "--json"))
    assert [item["encoder"] for item in found] == ["bundled", "static"]
    assert [item["r"] for item in found] == pytest.approx([0.60, 0.35], abs=0.005)


def test_poles_place_the_published_occupations_by_default() -> None:
    found = document(call("poles", "--json"))
    assert list(found) == ["encoder", "scores"]
    assert {record["word"] for record in found["scores"]} == set(occupations())
    biases = [record["bias"] for record in found["scores"]]
    assert biases == sorted(biases, reverse=True)
    first = found["scores"][0]
    assert list(first) == ["word", "bias", "interval", "sign_agreement", "templates"]
    assert [list(item) for item in first["templates"]] == [["question", "bias"]] * 4
    assert first["interval"][0] <= first["bias"] <= first["interval"][1]


def test_poles_take_own_templates_and_words_and_print_articles_as_asked(tmp_path: Path) -> None:
    templates, words = tmp_path / "templates.txt", tmp_path / "words.csv"
    templates.write_text("Is it a {}? | It is warm. | It is cold.\n", encoding="utf-8")
    words.write_text("place,word\nnorth,icy day\nsouth,sunny day\n", encoding="utf-8")
    arguments = ["poles", "--templates", str(templates), "--words", str(words), "--encoder", "static"]
    asked = {
        record["word"]: record["templates"][0]["question"] for record in document(call(*arguments, "--json"))["scores"]
    }
    assert asked == {"icy day": "Is it an icy day?", "sunny day": "Is it a sunny day?"}
    printed = document(call(*arguments, "--as-printed", "--json"))["scores"]
    assert {record["templates"][0]["question"] for record in printed} == {"Is it a icy day?", "Is it a sunny day?"}
    lines = call(*arguments).stdout.splitlines()
    assert lines[0] == "static"
    assert len(lines) == 3
    assert all("too few templates" in line for line in lines[1:])  # one question gives no interval
    assert printed[0]["interval"] is None


@pytest.mark.parametrize("command", [["weat", "--test", "flowers"], ["verbs", "--top", "3"], ["poles"]])
def test_several_encoders_give_a_list_with_their_names(command: list[str]) -> None:
    both = ("--encoder", "static", "--encoder", "bundled")
    found = document(call(*command, *both, "--json"))
    assert [item["encoder"] for item in found] == ["static", "bundled"]
    one = document(call(*command, "--encoder", "static", "--json"))
    assert {key: value for key, value in found[0].items() if key != "encoder"} == {
        key: value for key, value in one.items() if key != "encoder"
    }


def test_a_template_without_a_slot_is_answered_in_words(tmp_path: Path) -> None:
    path = tmp_path / "templates.txt"
    path.write_text("Is it warm? | yes | no\n", encoding="utf-8")
    result = call("poles", "--templates", str(path))
    assert result.exit_code == 1
    assert "template line 1" in result.stderr


def test_one_encoder_that_cannot_be_used_leaves_the_others_results_standing() -> None:
    done = call("weat", "--test", "flowers", "--encoder", "nobody", "--encoder", "static", "--json")
    assert done.exit_code == 1
    assert [item["encoder"] for item in one_or_more(done)] == ["static"]
    assert "moralscope: nobody: Expected an encoder" in done.stderr


def one_or_more(done: Result) -> list[dict[str, Any]]:
    found = json.loads(done.stdout)
    return found if isinstance(found, list) else [{"encoder": "static", **found}]
