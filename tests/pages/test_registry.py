"""Encoders of a registry file on the pages: words that they do not know, scales, and those that cannot be used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.association import lexicon, sets
from core.moral.templates import published, render
from tests.pages.screen import marked, said

Visit = Callable[..., AppTest]
Figures = Callable[[AppTest], dict[str, Any]]

TITLE = "![Mine](http://127.0.0.1:9/i.png) <b>*"


@pytest.fixture(autouse=True)
def registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nothing_loaded: None) -> None:
    """A file of word vectors, one that is cut off, and a server that nobody has agreed to."""
    sentences = f"{render(published())} {render(published('gender'))}"
    known = dict.fromkeys(
        [
            *"".join(letter if letter.isalpha() else " " for letter in sentences.lower()).split(),
            *(word for words in sets.general() for word in words.words),
            *lexicon.frequent_verbs()[:200],
            *("nurse", "clerk", "guard"),
        ]
    )
    rng = np.random.default_rng(0)
    lines = [" ".join([word, *(f"{value:.3f}" for value in rng.normal(size=8))]) for word in known]
    (tmp_path / "words.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "broken.bin").write_bytes(b"3 4\na 12")
    (tmp_path / "moralscope.toml").write_text(
        f"""
[encoders.mine]
spec = "words:words.txt"
title = "{TITLE}"

[encoders.broken]
spec = "words:broken.bin"

[encoders.far]
spec = "endpoint:http://127.0.0.1:9#model"
title = "Far"
""",
        encoding="utf-8",
    )
    monkeypatch.setenv("MORALSCOPE_CONFIG", str(tmp_path / "moralscope.toml"))


def test_an_encoder_that_cannot_be_used_leaves_the_results_of_others_standing(visit: Visit, figures: Figures) -> None:
    for page, figure in (
        ("encoders", "figure_compass_0"),
        ("moral_choice", "figure_bias_0"),
        ("occupations", "figure_poles_0"),
        ("start", "figure_start_0"),
        ("interventions", "figure_story_0"),
        ("associations", "figure_scatter_0"),
        ("moral_axis", "figure_variance_0"),
    ):
        at = visit(page, encoders=["static", "broken"])
        assert figure in figures(at)
        assert "broken is left out" in said(at)
        assert len(at.error) == 1


def test_answers_that_one_encoder_does_not_know_are_ranked_by_the_others(visit: Visit, figures: Figures) -> None:
    at = visit("occupations", encoders=["static", "mine"])
    assert "figure_answers_0" in figures(at)
    assert "is left out" in said(at)


def test_seeds_and_verbs_without_a_vector_are_left_out_of_the_axis_and_named(visit: Visit) -> None:
    at = visit("moral_axis", encoders="mine")
    assert "knows no word of: " in said(at)


def test_without_any_usable_encoder_the_page_says_why_and_ends(visit: Visit, figures: Figures) -> None:
    at = visit("encoders", encoders="broken")
    assert len(at.error) == 1
    assert figures(at) == {}


def test_words_that_an_encoder_does_not_know_are_named_beside_the_numbers(visit: Visit) -> None:
    at = visit("occupations", encoders="mine", poles_words="nurse\nzzqqx\nclerk guard\nguard qqzzx")
    assert "knows no word of: zzqqx." in said(at)
    assert "passes over: qqzzx." in said(at)
    assert "say nothing" in at.warning[0].value
    assert not visit("occupations", encoders="static", poles_words="nurse\nzzqqx").warning


def test_verbs_without_a_vector_are_left_out_and_counted(visit: Visit, figures: Figures) -> None:
    at = visit("associations", view="verbs", encoders="mine", top="20")
    assert "has no vector for 5," in said(at)
    assert "figure_verbs_0" in figures(at)


def test_a_test_whose_words_are_lacking_is_left_out_by_name(visit: Visit, figures: Figures) -> None:
    at = visit("associations", view="tests", encoders=["static", "mine"])
    assert "left out: tests 1, 2" in said(at)
    assert "figure_tests_0" in figures(at)


@pytest.mark.parametrize(("page", "axes"), [("occupations", ("poles", "x")), ("associations", ("verbs", "x"))])
def test_figures_of_encoders_beside_each_other_have_one_scale(
    visit: Visit, figures: Figures, page: str, axes: tuple[str, str]
) -> None:
    drawn = figures(visit(page, encoders=["static", "mine"], view="verbs", top="20"))
    ranges = [drawn[f"figure_{axes[0]}_{place}"]["layout"][f"{axes[1]}axis"]["range"] for place in range(2)]
    assert ranges[0] == ranges[1]


def test_a_title_of_the_file_is_never_markup(visit: Visit) -> None:
    for page in ("occupations", "methods", "start"):
        text = marked(visit(page, encoders=["static", "mine"]))
        assert "![Mine]" not in text
        assert "<b>" not in text


def test_a_server_that_nobody_agreed_to_is_named_as_left_out(visit: Visit, figures: Figures) -> None:
    at = visit("moral_choice", encoders=["static", "far"])
    assert "until you agree" in at.info[0].value
    assert "Far" in said(at)
    assert "figure_bias_1" not in figures(at)
