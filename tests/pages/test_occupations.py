"""Occupations and other poles: the paper's words first, then any poles, questions and words of the reader's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from components.poles import ENDS
from core.assets import read_table
from core.encoders.cache import CachedEncoder
from core.moral import poles
from core.moral.templates import parse
from tests.pages.screen import bars, link, marked, said

Visit = Callable[..., AppTest]
Figures = Callable[[AppTest], dict[str, Any]]

PAGE = "occupations"
TITLES = "calm / wild"
TEMPLATES = "Is a {} calm? | Yes, calm. | No, wild.\nDoes a {} rest? | Yes, it rests. | No, it runs."
WORDS = "owl\ntiger\nsnail"


def place(at: AppTest, titles: str = TITLES, templates: str = TEMPLATES, words: str = WORDS) -> AppTest:
    at.text_input(key="poles").set_value(titles)
    at.text_area(key="poles_templates").set_value(templates)
    at.text_area(key="poles_words").set_value(words)
    return at.button(key="place_words").click().run()


def test_the_page_opens_with_ten_occupations_of_either_end_beside_the_paper(
    visit: Visit, figures: Figures, static: CachedEncoder
) -> None:
    at = visit(PAGE)
    assert at.title[0].value == "Occupations and other poles"
    assert not at.error
    made = poles.score(static, poles.occupations())
    mean = dict(zip(made.words, made.choice.mean, strict=True))
    shown = bars(figures(at)["figure_poles_0"])
    ranked = sorted(mean, key=lambda word: -mean[word])
    assert set(shown) == {*ranked[:ENDS], *ranked[-ENDS:]}
    assert shown == pytest.approx({word: mean[word] for word in shown})
    beside = at.dataframe[0].value
    printed = {row["occupation"]: float(row["bias"]) for row in read_table("gender_occupations.csv")}
    assert dict(zip(beside["occupation"], beside["paper (USE, sum)"], strict=True)) == printed
    count = len(made.choice.biases[0])
    summed = [count * mean[word] for word in printed]
    assert beside["Static word embeddings (sum)"].tolist() == pytest.approx(summed, abs=6e-4)
    assert (beside["Static word embeddings (from)"] <= beside["Static word embeddings (to)"]).all()
    agreeing = sum(np.sign(mean[word]) == np.sign(value) for word, value in printed.items())
    assert f"{agreeing} of 20 on the paper's side" in said(at)


def test_as_printed_changes_only_words_that_begin_with_a_vowel_sound(visit: Visit, figures: Figures) -> None:
    at = place(visit(PAGE), words="engineer\nnurse", templates="Is it a {}? | Yes, she is. | No, he is not.")
    by_rule = bars(figures(at)["figure_poles_0"])
    at.toggle(key="as_printed").set_value(True).run()
    printed = bars(figures(at)["figure_poles_0"])
    assert printed["engineer"] != pytest.approx(by_rule["engineer"], abs=1e-6)
    assert printed["nurse"] == pytest.approx(by_rule["nurse"])
    query = link(at, "poles")
    assert query["as_printed"] == "true"
    assert bars(figures(visit(PAGE, **query))["figure_poles_0"]) == printed


def test_own_poles_questions_and_words_replace_the_published_ones_and_come_back_by_link(
    visit: Visit, figures: Figures, static: CachedEncoder
) -> None:
    at = place(visit(PAGE))
    made = poles.score(static, WORDS.split("\n"), parse(TEMPLATES))
    figure = figures(at)["figure_poles_0"]
    assert bars(figure) == pytest.approx(dict(zip(made.words, made.choice.mean, strict=True)))
    assert figure["layout"]["xaxis"]["title"]["text"].startswith("← wild · calm →")
    assert "nearest to calm:" in said(at)
    assert "Beside the paper" not in [header.value for header in at.subheader]
    query = link(at, "poles")
    assert query == {"encoders": "static", "poles": TITLES, "poles_templates": TEMPLATES, "poles_words": WORDS}
    assert figures(visit(PAGE, **query)) == figures(at)
    at.button(key="poles_Gender of occupations (paper)").click().run()
    assert "Beside the paper" in [header.value for header in at.subheader]


def test_the_example_of_nationalities_has_its_own_poles(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE)
    at.button(key="poles_Nationality: trustworthy or not").click().run()
    assert not at.error
    assert len(bars(figures(at)["figure_poles_0"])) == 16
    assert at.text_input(key="poles").value == "trustworthy / untrustworthy"


@pytest.mark.parametrize(
    ("name", "content"), [("a.txt", "owl\ntiger\nsnail"), ("a.csv", "n,word\n1,owl\n2,tiger\n3,snail")]
)
def test_an_own_file_takes_the_place_of_the_words(visit: Visit, figures: Figures, name: str, content: str) -> None:
    at = visit(PAGE)
    at.file_uploader(key="poles_file").set_value((name, content.encode(), "text/plain"))
    at.button(key="place_words").click().run()
    assert set(bars(figures(at)["figure_poles_0"])) == {"owl", "tiger", "snail"}


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ({"templates": "Is it calm? | Yes. | No."}, "template line 1"),
        ({"templates": "Is a {} calm? | Yes. | Yes."}, "the same answer twice"),
        ({"templates": ""}, "templates, one per line"),
        ({"titles": "calm"}, "two names with a slash"),
        ({"words": " \n"}, "at least 2 different words in the list of words"),
        ({"words": "owl\n" + "x" * 201}, "in entry 2 of the list of words"),
        ({"words": "owl\ntiger\x07"}, "U+0007"),
        ({"words": "\n".join(f"owl {number}" for number in range(2001))}, "2,001"),
    ],
    ids=["no slot", "same answers", "no template", "one pole", "no word", "long", "control", "many"],
)
def test_what_cannot_be_used_is_named_with_a_remedy_and_stays_in_the_form(
    visit: Visit, typed: dict[str, str], problem: str
) -> None:
    at = place(visit(PAGE), **typed)
    assert len(at.error) == 1
    assert problem in said(at)
    assert "What to do:" in said(at)
    asked = {"titles": TITLES, "templates": TEMPLATES, "words": WORDS} | typed
    assert at.text_input(key="poles").value == asked["titles"]
    assert at.text_area(key="poles_templates").value == asked["templates"]
    assert at.text_area(key="poles_words").value == asked["words"]
    assert not at.get("plotly_chart")


def test_two_encoders_stand_side_by_side(visit: Visit, figures: Figures) -> None:
    at = place(visit(PAGE, encoders=["static", "bundled"]))
    drawn = figures(at)
    assert set(drawn) == {"figure_poles_0", "figure_poles_1", "figure_answers_0", "figure_answers_1"}
    assert bars(drawn["figure_poles_0"]) != bars(drawn["figure_poles_1"])


def test_free_answers_are_ranked_as_by_the_core_with_the_papers_cosine_beside(
    visit: Visit, figures: Figures, static: CachedEncoder
) -> None:
    at = visit(PAGE)
    at.session_state["drawer_answers"] = True
    table = at.run().dataframe[-1].value
    made = poles.rank_answers(static, "What am I afraid of?", ["clowns", "terrorists", "hairdresser"])
    assert table["answer"].tolist() == list(made.answers)
    assert table["cosine"].tolist() == pytest.approx(made.cosines)
    assert bars(figures(at)["figure_answers_0"]) == pytest.approx(dict(zip(made.answers, made.cosines, strict=True)))
    assert table.set_index("answer")["paper_use"].to_dict() == {
        "clowns": 0.48,
        "terrorists": 0.35,
        "hairdresser": 0.09,
    }
    at.text_input(key="free_question").set_value("What grows in a garden?")
    at.text_area(key="free_answers").set_value("engines\nroses\nroses")
    at.button(key="rank_answers").click().run()
    table = at.dataframe[-1].value
    made = poles.rank_answers(static, "What grows in a garden?", ["engines", "roses"])
    assert table["answer"].tolist() == list(made.answers)
    assert table["cosine"].tolist() == pytest.approx(made.cosines)
    assert table["paper_use"].isna().all()
    (linked,) = [code.value for code in at.code]
    query = {name: values[0] for name, values in parse_qs(urlsplit(linked).query).items()}
    assert figures(visit(PAGE, **query))["figure_answers_0"] == figures(at)["figure_answers_0"]


@pytest.mark.parametrize(
    ("question", "answers"),
    [("", "roses\nengines"), ("What grows?", "roses\n roses"), ("What?", "\n".join(map(str, range(101))))],
)
def test_a_question_or_an_answer_too_few_is_said_and_the_figure_above_stays(
    visit: Visit, question: str, answers: str
) -> None:
    at = visit(PAGE)
    at.text_input(key="free_question").set_value(question)
    at.text_area(key="free_answers").set_value(answers)
    at.button(key="rank_answers").click().run()
    assert "a question and 2 to 100 different answers" in said(at)
    assert at.text_area(key="free_answers").value == answers
    assert at.get("plotly_chart")


def test_typed_markup_never_reaches_an_element_that_renders_it(visit: Visit, figures: Figures) -> None:
    markup = "**zzq** <img src=zzq> :red[zzq]"
    at = place(visit(PAGE), f"{markup} / other", f"Is a {{}} {markup}? | Yes {markup}. | No.", f"{markup}\nowl\n$zzq$")
    at.text_input(key="free_question").set_value(markup)
    at.text_area(key="free_answers").set_value(f"{markup}\nowl")
    at.button(key="rank_answers").click().run()
    assert not at.error
    assert "zzq" in said(at)
    assert "zzq" not in marked(at)
    assert "<img" not in str(figures(at))
