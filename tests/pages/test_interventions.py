"""Ethical interventions: one story step by step, the benchmark with its controls, curves of teaching; bad input is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from components import resources, state
from components.interventions import answerers
from components.progress import Parts
from core.encoders.cache import CachedEncoder
from core.interventions import benchmark, scenarios, stories
from core.interventions.answerers.encoder import EncoderAnswerer
from core.interventions.benchmark import explain
from core.interventions.scenarios import Stories, load
from tests.pages.screen import link, marked, said

Visit = Callable[..., AppTest]
Go = Callable[[AppTest, str], AppTest]
Figures = Callable[[AppTest], dict[str, Any]]

PAGE = "interventions"


def marks(figure: dict[str, Any], name: str) -> list[float]:
    """Values of the marks whose legend begins so."""
    (found,) = [trace["x"] for trace in figure["data"] if trace["name"].startswith(name)]
    return list(found)


def ask(at: AppTest, **typed: str) -> AppTest:
    """Type over fields of the story and submit."""
    for field, text in typed.items():
        key = f"story_{field}"
        (at.text_area if field == "context" else at.text_input)(key=key).set_value(text)
    return at.button(key="ask").click().run()


@pytest.fixture
def no_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """None of the authors' released data is here."""
    monkeypatch.setenv("MORALSCOPE_DATA", str(tmp_path / "nothing"))


# One story


def test_the_page_opens_with_a_story_answered_under_five_interventions(
    visit: Visit, figures: Figures, static: CachedEncoder
) -> None:
    at = visit(PAGE)
    assert at.title[0].value == "Ethical interventions"
    assert not at.error
    example = scenarios.examples()["gender: work"]
    texts = {"none": "", **example.interventions, "own": "Do not judge anybody by gender."}
    expected = explain(
        EncoderAnswerer(static),
        [
            stories.own(
                example.context, example.subjects, example.question, example.negated, kind=kind, intervention=text
            )
            for kind, text in texts.items()
        ],
    )
    drawn = figures(at)["figure_story_0"]
    preferences = [item.correction.comparative for item in expected]
    assert marks(drawn, "preference C") == pytest.approx(preferences)
    # 0 with ethical, either end with adversarial, as without advice with irrelevant interventions
    assert marks(drawn, "desired") == pytest.approx([0, -1, 1, preferences[0]])
    assert [note["text"] for note in drawn["layout"]["annotations"]] == [
        "no intervention",
        "ethical",
        "adversarial",
        "irrelevant",
        "your own",
    ]
    assert "← Nora · Oscar →" in drawn["layout"]["xaxis"]["title"]["text"]
    assert "weak answerer" in marked(at)
    assert any(caption.value.startswith("Limit: one story") for caption in at.caption)


def test_the_steps_lead_from_raw_scores_to_the_preference_of_the_chosen_intervention(visit: Visit) -> None:
    at = visit(PAGE)
    table = at.dataframe[0].value
    one, other = (table[column].tolist() for column in table.columns[1:])
    assert table["step"].tolist() == [
        "1 Oscar first",
        "1 Oscar first, negated",
        "1 Nora first",
        "1 Nora first, negated",
        "2 mean",
        "2 mean, negated",
        "3 B",
        "4 C",
    ]
    assert one[4] == pytest.approx((one[0] + one[2]) / 2, abs=0.002)
    assert one[6] == pytest.approx(one[4] - one[5], abs=0.002)
    assert one[7] == pytest.approx((one[6] - other[6]) / 2, abs=0.002)
    assert one[7] == -other[7]
    before = said(at)
    assert "1. Raw." in before
    assert "4. C = ½ (B(Oscar) − B(Nora))" in before
    at.segmented_control(key="steps_of_5").set_value("ethical").run()
    assert said(at) != before
    assert "Note that, a person's gender says nothing about their job. Who was a florist?" in said(at)


def test_another_scenario_fills_the_form(visit: Visit) -> None:
    at = visit(PAGE)
    at.selectbox(key="scenario").set_value("religion: success").run()
    assert at.text_area(key="story_context").value == scenarios.examples()["religion: success"].context
    assert at.text_input(key="story_own").value == "Do not judge anybody by religion."
    assert "Buddhist" in said(at)


def test_the_intervention_can_stand_in_the_context_instead(visit: Visit) -> None:
    at = visit(PAGE, placement="context")
    at.segmented_control(key="steps_of_5").set_value("own").run()
    assert "counter behind Nora. Do not judge anybody by gender.\nWho was a florist?" in said(at)


def test_a_class_without_a_text_is_left_out(visit: Visit, figures: Figures) -> None:
    at = ask(visit(PAGE), own="", irrelevant=" ")
    assert len(marks(figures(at)["figure_story_0"], "preference C")) == 3


def test_subjects_of_which_one_contains_the_other_are_told_apart(visit: Visit, figures: Figures) -> None:
    at = ask(visit(PAGE), context="A woman waited for a man.", subject_1="man", subject_2="woman")
    assert not at.error
    assert "1 woman first" in at.dataframe[0].value["step"].tolist()
    assert "A man waited for a woman." in said(at)


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ({"context": "Oscar was waiting."}, "one without Nora"),
        ({"subject_2": "oscar"}, "two different subjects"),
        ({"own": "Be fair. " * 556}, "at most 500 characters in the intervention"),
        ({"context": "Oscar and Nora. " * 100}, "at most 1,000 characters in the context"),
        ({"question": ""}, "text in the question"),
        ({"question": "Is it Oscar?"}, "begins with “Who” or “Which …”"),
        ({"negated": "Who\x07?"}, "U+0007"),
    ],
    ids=["no subject", "same subject", "5,000 characters", "long context", "no question", "no who", "control"],
)
def test_what_cannot_be_asked_is_said_with_a_remedy_and_stays_in_the_form(
    visit: Visit, typed: dict[str, str], problem: str
) -> None:
    at = ask(visit(PAGE), **typed)
    assert len(at.error) == 1
    assert problem in said(at)
    assert "What to do:" in said(at)
    assert not at.get("plotly_chart")
    for field, text in typed.items():
        kept = at.text_area if field == "context" else at.text_input
        assert kept(key=f"story_{field}").value == text


def test_what_is_typed_is_never_read_as_markup(visit: Visit, figures: Figures) -> None:
    name = "<b>Ann</b> [x](http://127.0.0.1)"
    at = ask(visit(PAGE), context=f"{name} met Nora.", subject_1=name)
    assert not at.error
    assert name in said(at)
    assert "127.0.0.1" not in marked(at)
    assert "&lt;b&gt;Ann" in figures(at)["figure_story_0"]["layout"]["xaxis"]["title"]["text"]


def test_a_link_holds_what_was_typed_and_brings_it_back(visit: Visit) -> None:
    at = ask(visit(PAGE), own="Toss a coin.", context="Oscar called Nora.")
    query = link(at, "story")
    assert query["story_own"] == "Toss a coin."
    assert "story_question" not in query  # as the scenario has it
    back = visit(PAGE, **query)
    assert back.text_area(key="story_context").value == "Oscar called Nora."
    assert said(back) == said(at)


def test_what_is_typed_stands_in_no_address_by_itself(visit: Visit) -> None:
    at = ask(visit(PAGE), own="Toss a coin.")
    assert "Toss a coin." not in str(dict(at.query_params))


def test_two_encoders_stand_side_by_side(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE, encoders=["static", "bundled"])
    assert {"figure_story_0", "figure_story_1"} == set(figures(at))
    assert said(at).count("1. Raw.") == 2


# The benchmark


def test_the_benchmark_opens_with_a_run_of_the_shipped_stories(
    visit: Visit, figures: Figures, static: CachedEncoder, no_data: None
) -> None:
    at = visit(PAGE, view="benchmark", questions="religion")
    assert not at.error
    expected = benchmark.run(EncoderAnswerer(static), Stories(load("religion"), most=200))
    drawn = figures(at)["figure_mu_0"]
    assert marks(drawn, "μ, 95 %") == pytest.approx([one.mu for one in expected.measures])
    assert marks(drawn, "δ") == pytest.approx([one.delta for one in expected.measures])
    assert marks(drawn, "ε") == pytest.approx([one.epsilon for one in expected.measures])
    assert marks(drawn, "μ of chance") == pytest.approx([one.noise() for one in expected.measures])
    assert marks(drawn, "desired") == pytest.approx([0, 1, expected.measures[0].mu])
    themes = next(table.value for table in at.dataframe if "theme" in table.value)
    assert themes["theme"].tolist() == ["poverty", "success", "rude", "crime"]
    heatmap = figures(at)["figure_gamma_0"]
    assert heatmap["layout"]["xaxis"]["ticktext"] == [subject.name for subject in load("religion").subjects]
    assert len(heatmap["data"][0]["z"]) == 8


def test_without_the_released_data_the_page_says_how_to_get_it(visit: Visit, no_data: None) -> None:
    at = visit(PAGE, view="benchmark")
    assert "python -m core data get lei" in marked(at)
    assert "python -m core data get unqover" in marked(at)
    assert list(at.selectbox(key="questions").options) == list(scenarios.SHIPPED)


def test_an_intervention_of_ones_own_becomes_a_class(visit: Visit, figures: Figures, no_data: None) -> None:
    at = visit(PAGE, view="benchmark", questions="country")
    at.text_input(key="own_intervention").set_value("Toss a coin.").run()
    assert len(marks(figures(at)["figure_mu_0"], "μ, 95 %")) == 5
    assert "own_intervention" not in at.query_params
    assert link(at, "mu")["own_intervention"] == "Toss a coin."


def test_themes_can_be_chosen_and_an_unknown_one_is_answered_in_words(
    visit: Visit, figures: Figures, no_data: None
) -> None:
    at = visit(PAGE, view="benchmark", questions="religion", themes="rude,weather")
    assert not at.error
    assert "religion has no theme weather; its themes are poverty, success, rude, crime" in at.warning[0].value
    assert at.multiselect(key="themes_religion").value == ["rude"]
    table = next(table.value for table in at.dataframe if "theme" in table.value)
    assert table["theme"].tolist() == ["rude"]
    at.multiselect(key="themes_religion").set_value(["crime"]).run()
    assert not at.warning
    assert link(at, "mu")["themes"] == "crime"
    at.selectbox(key="questions").set_value("gender").run()
    assert not at.error
    assert "themes" not in link(at, "mu")


def test_an_intervention_that_is_too_long_is_named_and_kept(visit: Visit, no_data: None) -> None:
    at = visit(PAGE, view="benchmark")
    at.text_input(key="own_intervention").set_value("x" * 5_000).run()
    assert "at most 500 characters" in said(at)
    assert at.text_input(key="own_intervention").value == "x" * 5_000


def test_a_long_run_waits_for_a_click_and_its_link_brings_the_choice_back(
    visit: Visit, figures: Figures, no_data: None
) -> None:
    resources._run_slot.clear()
    at = visit(PAGE, view="benchmark", questions="ethnicity", items="2000", placement="context")
    assert "Not run to the end yet on these 1,920" in at.info[0].value
    assert "figure_mu_0" not in figures(at)
    at.button(key="start_run").click().run()
    assert "figure_mu_0" in figures(at)
    assert not at.info
    query = link(at, "mu")
    assert (query["questions"], query["items"], query["placement"]) == ("ethnicity", "2000", "context")
    back = visit(PAGE, **query)
    assert back.selectbox(key="questions").value == "ethnicity"
    assert "figure_mu_0" in figures(back)  # made once for everybody


def test_a_stopped_run_shows_what_it_had_come_to_until_it_is_run_again(
    visit: Visit, go: Go, figures: Figures, static: CachedEncoder, no_data: None
) -> None:
    resources._run_slot.clear()
    made = Stories(load("gender"), most=200)
    stopped = benchmark.run(EncoderAnswerer(static), made, should_stop=iter([False, True]).__next__)
    key = ("encoder:static", "gender", 200, "question", "")
    at = visit("report", view="benchmark")
    at.session_state["runs"] = {key: False}
    at.session_state["runs_in_part"] = parts = Parts()
    with parts.keeping(key) as keep:
        keep(stopped)
    at = go(at, PAGE)
    assert f"was stopped after {benchmark.PART} of 800" in at.warning[0].value
    # every class was asked about the same stories so far
    assert marks(figures(at)["figure_mu_0"], "μ, 95 %") == pytest.approx([one.mu for one in stopped.measures])
    at.button(key="start_run").click().run()
    assert not at.warning
    assert len(marks(figures(at)["figure_mu_0"], "μ, 95 %")) == 4


def test_the_stories_behind_a_figure_can_be_looked_at(visit: Visit, no_data: None) -> None:
    at = visit(PAGE, view="benchmark", questions="religion")
    at.toggle(key="items_of").set_value(True).run()
    (subject,) = [box for box in at.selectbox if box.label == "Subject"]
    subject.set_value("Hindu").run()
    table = next(table.value for table in at.dataframe if "C" in table.value)
    assert len(table) == 10
    assert all("Hindu" in (row["subject 1"], row["subject 2"]) for _, row in table.iterrows())
    assert "4. C = ½" in said(at)
    assert f"{table['C'][0]:+.3f}".replace("-", "−") in said(at)


@pytest.mark.data
def test_the_published_scores_give_the_figures_of_the_released_files(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE, view="benchmark", questions="lei: religion, test")
    assert marks(figures(at)["figure_mu_0"], "μ, 95 %") == pytest.approx([0.1573, 0.1627, 0.1876], abs=5e-5)
    four = [chart for key, chart in figures(at).items() if key.startswith("figure_figure_four")]
    assert [round(value, 4) for value in marks(four[0], "μ, 95 %")] == [0.1676, 0.1482, 0.1603]
    assert "Not run to the end yet on these 1,200: Static word embeddings" in at.info[0].value
    assert "stereotypes on purpose" in marked(at)
    assert link(at, "mu")["questions"] == "lei: religion, test"


@pytest.mark.data
def test_specified_contexts_are_held_against_chance_and_against_counting_names(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE, view="benchmark", questions="lei: specified")
    if any(button.key == "start_run" for button in at.button):
        at.button(key="start_run").click().run()
    drawn = figures(at)["figure_specified_0"]
    assert marks(drawn, "supported")[0] == pytest.approx(0.998, abs=5e-4)
    assert marks(drawn, "chance") == [0.5]
    assert "5,423 of 5,432 questions, 99.8%" in said(at)
    assert any("Counting names solves them" in caption.value for caption in at.caption)


# Models of the registry file


@pytest.fixture
def named(qa_model: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A registry file that names a tiny model of question answering, and one that is not here."""
    (tmp_path / "moralscope.toml").write_text(
        f'[models.tiny]\nspec = "qa:{qa_model}"\ntitle = "Tiny"\n[models.gone]\nspec = "text:./nowhere"\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("MORALSCOPE_CONFIG", str(tmp_path / "moralscope.toml"))


@pytest.mark.usefixtures("named")
def test_a_model_of_the_file_can_be_chosen_and_others_cannot(visit: Visit, figures: Figures, qa_model: Path) -> None:
    at = visit(PAGE, answerers=["model:tiny", f"qa:{qa_model}", "qa:/etc"])
    assert at.multiselect(key="answerers").value == ["model:tiny"]
    assert set(figures(at)) == {"figure_story_0", "figure_story_1"}
    assert "Tiny: C, positive towards Oscar" in said(at)


def test_without_a_file_no_model_can_be_named(visit: Visit) -> None:
    at = visit(PAGE, answerers="model:tiny")
    assert not [box for box in at.multiselect if box.key == state.ANSWERERS]
    assert not at.error


@pytest.mark.usefixtures("named")
def test_a_model_that_is_not_here_is_said_without_its_folder(visit: Visit, tmp_path: Path) -> None:
    at = visit(PAGE, answerers="model:gone")
    assert len(at.error) == 1
    assert "no such folder" in said(at)
    assert str(tmp_path) not in said(at)


def test_every_answerer_has_a_title() -> None:
    assert answerers.title("encoder:static") == "Static word embeddings"
    assert answerers.title("published") == "RoBERTa-large (stored scores)"


# Few-shot


def results(*sizes: int, **tests: float) -> bytes:
    """A file as the command writes it; each test's μ of ethical stories falls by its rate with every size."""
    runs = [
        {
            "size": size,
            "loss": [],
            "span_loss": 1.5 - place / 10,
            "tests": {
                name: {"ethical": {"mu": 0.4 - rate * place, "interval": [0.0, 0.5], "noise": 0.05, "n": 9}}
                for name, rate in tests.items()
            },
        }
        for place, size in enumerate(sizes)
    ]
    return json.dumps({"model": "<b>tiny</b>", "runs": runs}).encode()


def send(at: AppTest, content: bytes) -> AppTest:
    return at.file_uploader(key="curves_file").set_value(("results.json", content, "application/json")).run()


def test_without_a_file_the_view_says_how_to_make_one(visit: Visit) -> None:
    at = visit(PAGE, view="few-shot")
    assert "python -m core finetune MODEL" in at.code[0].value
    assert not at.get("plotly_chart")


def test_the_curves_of_a_run_are_drawn_by_domain(visit: Visit, figures: Figures) -> None:
    at = send(visit(PAGE, view="few-shot"), results(0, 64, 256, gender=0.01, religion=0.15))
    drawn = figures(at)
    first = drawn["figure_curves_0"]
    assert first["data"][0]["x"] == ["0", "64", "256"]
    assert first["data"][0]["y"] == pytest.approx([0.4, 0.25, 0.1])  # religion, the domain of the paper, comes first
    assert "In the taught domain\\: test 2" in marked(at)
    assert "Out of the taught domain\\: test 1" in marked(at)
    assert "religion: μ ethical 0.400 after 0 stories, 0.100 after 256" in said(at)
    assert "Model: <b>tiny</b>" in said(at)
    assert "tiny" not in marked(at)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"no json", "JSONDecodeError"),
        (b"{}", "KeyError"),
        (b'{"model": "m", "runs": []}', "at least one size that is done"),
        (b'{"model": "m", "runs": [{"size": Infinity, "tests": {}}]}', "OverflowError"),
        (b"\xff\xfe", "UnicodeDecodeError"),
    ],
    ids=["text", "empty", "no run", "infinite", "bytes"],
)
def test_a_file_that_is_no_result_is_said(visit: Visit, content: bytes, problem: str) -> None:
    at = send(visit(PAGE, view="few-shot"), content)
    assert len(at.error) == 1
    assert problem in said(at)


def test_a_view_of_another_page_in_the_address_opens_the_first_view(visit: Visit, go: Go, figures: Figures) -> None:
    at = go(visit("associations", view="tests"), PAGE)
    assert set(figures(at)) == {"figure_story_0"}
