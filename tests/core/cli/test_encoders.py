"""The command line takes names and specs, lists what there is, and prints the health of an encoder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from core import datasets
from core.association import lexicon, sets
from core.cli import app
from core.encoders import catalog
from core.encoders.cache import CachedEncoder
from core.encoders.sentence_transformer import OFFERS
from core.errors import AssetError


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


@pytest.fixture
def no_survey(monkeypatch: pytest.MonkeyPatch) -> None:
    def require(path: str, directory: Path) -> Path:
        raise AssetError(expected=path, got="nothing", remedy="fetch it")

    monkeypatch.setattr(datasets, "require", require)


@pytest.fixture
def vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A spec of random vectors for the words of one test without one of them, and for some verbs."""
    words = {word for test in sets.published()[:1] for kept in test.sets for word in kept.words} - {"gladiola"}
    words |= {word for kept in sets.general() for word in kept.words} | set(lexicon.frequent_verbs()[:200])
    rng = np.random.default_rng(1)
    rows = [f"{word} " + " ".join(f"{number:.4f}" for number in rng.normal(size=6)) for word in sorted(words)]
    (tmp_path / "v.txt").write_text("\n".join(rows) + "\n")
    monkeypatch.chdir(tmp_path)
    return "words:v.txt"


def test_the_encoders_are_listed_for_people_and_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "moralscope.toml").write_text(
        'encoders.far = {spec = "endpoint:http://127.0.0.1:9/v1#m", title = "Far"}'
    )
    monkeypatch.chdir(tmp_path)
    listed = json.loads(call("encoders", "--json").stdout)
    shown = call("encoders").stdout
    assert [row["name"] for row in listed] == [*catalog.NAMES, "far"]
    ends = ["title", "summary", "spec", "sends_to", "weak_for_sentences"]
    assert list(listed[0]) == ["name", "model", "revision", "dimension", "licence", *ends]
    assert list(listed[2]) == ["name", *ends]
    assert [row["sends_to"] for row in listed] == [None, None, "127.0.0.1:9"]
    assert all(row["summary"] in shown for row in listed)
    assert all(f"st:{offer.name}" in shown for offer in OFFERS)


@pytest.mark.usefixtures("no_survey")
def test_the_health_of_an_encoder_is_printed_and_as_json(static: CachedEncoder, cache_dir: Path) -> None:
    document = json.loads(call("encoders", "--check", "static", "--json").stdout)
    assert list(document) == [
        "encoder",
        "yes_no",
        "negation",
        "weat",
        "variance_explained",
        "random_line",
        "people",
        "texts_per_second",
        "concerns",
    ]
    assert document["weat"]["r"] == pytest.approx(0.345, abs=0.005)
    assert document["people"] == {"mcm": None, "axis": None}
    assert document["texts_per_second"] > 0
    shown = call("encoders", "--check", "static").stdout
    assert "r = +0.345 [+0.160, +0.507]" in shown
    assert "python -m core data get mort" in shown


@pytest.mark.data
def test_with_the_survey_the_card_says_how_far_people_agree() -> None:
    people = json.loads(call("encoders", "--check", "bundled", "--json").stdout)["people"]
    assert people["mcm"]["r"] == pytest.approx(0.383, abs=0.005)
    assert people["axis"]["r"] == pytest.approx(0.732, abs=0.005)


def test_a_spec_is_an_encoder_and_what_it_lacks_is_left_out(vectors: str) -> None:
    tested = call("weat", "--test", "flowers", "--encoder", vectors, "--json")
    assert json.loads(tested.stdout)["missing"] == ["gladiola"]
    assert "words:v.txt: no vector for gladiola\n" in tested.stderr
    result = call("verbs", "--encoder", vectors, "--top", "3", "--json")
    assert len(json.loads(result.stdout)["dos"]) == 3
    assert "verbs have no vector" in result.stderr


@pytest.mark.usefixtures("no_survey")
def test_an_encoder_that_cannot_be_used_does_not_take_the_cards_of_the_others(
    static: CachedEncoder, cache_dir: Path
) -> None:
    failing = ["words:no.txt", "oracle", "endpoint:http://me:pw-secret@h#m"]
    asked = [part for name in [failing[0], "static", *failing[1:]] for part in ("--check", name)]
    shown = call("encoders", *asked)
    assert shown.exit_code == 1
    assert shown.stdout.startswith("static: ")
    assert [line.split(": Expected ")[0] for line in shown.stderr.splitlines()] == [
        "moralscope: words:no.txt",
        "moralscope: oracle",
        "moralscope: endpoint",
    ]
    written = call("encoders", *asked, "--json")
    document = json.loads(written.stdout)
    assert written.exit_code == 1
    assert [card["encoder"]["name"] for card in document["cards"]] == ["static"]
    assert [failed["encoder"] for failed in document["errors"]] == ["words:no.txt", "oracle", "endpoint"]
    assert all(failed["error"].startswith("Expected ") for failed in document["errors"])
    assert written.stderr == shown.stderr
    assert "pw-secret" not in written.stderr + written.stdout
    alone = call("encoders", "--check", "words:no.txt", "--json")
    assert (alone.exit_code, alone.stdout) == (1, "")


@pytest.mark.usefixtures("no_survey")
def test_a_file_that_knows_only_the_words_of_the_templates_is_named_with_the_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["should", "i", "is", "it", "okay", "to", "do", "you", "think", "yes", "no", "not", "a"]
    (tmp_path / "v.txt").write_text("".join(f"{word} {row}.5 1.0\n" for row, word in enumerate(words)))
    monkeypatch.chdir(tmp_path)
    result = call("encoders", "--check", "words:v.txt")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "of the 65 seed actions" in result.stderr
    assert "0 and 0 anchors known to words:v.txt" in result.stderr


@pytest.mark.parametrize("spec", ["words:no.txt", "st:nobody/no-model", "oracle:x", "endpoint:http://me:pw-secret@h#m"])
def test_a_spec_that_cannot_be_loaded_is_a_sentence_and_exit_code_one(spec: str) -> None:
    result = call("score", "kill time", "--encoder", spec)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("moralscope: Expected ")
    assert "pw-secret" not in result.stderr


def test_the_default_of_the_registry_is_used(vectors: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("moralscope.toml").write_text('default = "mine"\nencoders.mine = {spec = "words:v.txt"}\n')
    asked: list[Any] = []
    load = catalog.load
    monkeypatch.setattr(catalog, "load", lambda name, *rest, **more: asked.append(name) or load(name, *rest, **more))
    call("weat", "--test", "flowers")
    assert asked == ["mine"]
