"""Moral axis: the evidence for the axis, the reader's own seeds and survey, and what is said where something is missing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core import datasets
from core.datasets import DataFile, Dataset
from core.encoders.cache import CachedEncoder
from core.moral import study as studies
from core.moral.published import table9
from core.moral.seeds import parse, published
from core.moral.survey import PUBLISHED, SURVEYS
from tests.loopback import address_of_nobody, serving
from tests.pages.screen import numbers, open_drawer, said

Visit = Callable[..., AppTest]
Go = Callable[[AppTest, str], AppTest]
Figures = Callable[[AppTest], dict[str, Any]]

PAGE = "moral_axis"
VOTES = b"action,yes,no\nsing,9,1\nlie to a friend,2,8\nrest,5,5\ngreet,7,0\nburn a book,1,9\n"
ABOVE = ["variance_0", "variance_1", "map_0", "strip_0", "stability_0", "turns_0", "paper_0"]
"""The figures that need no survey."""


@pytest.fixture(autouse=True)
def directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty data directory."""
    monkeypatch.setenv("MORALSCOPE_DATA", str(tmp_path))
    return tmp_path


def drawn(at: AppTest) -> list[str]:
    return [chart.key.removeprefix("figure_") for chart in at.get("plotly_chart")]


def edit_seeds(at: AppTest, edited: dict[int, dict[str, Any]], deleted: Sequence[int] = ()) -> AppTest:
    key = at.data_editor[0].key
    at.session_state[key] = {"edited_rows": edited, "added_rows": [], "deleted_rows": list(deleted)}
    return at.button(key="use_seeds").click().run()


def send(at: AppTest, content: bytes, name: str = "votes.csv") -> AppTest:
    return at.file_uploader(key="survey_file").set_value((name, content, "text/csv")).run()


# What the page shows


def test_the_page_opens_with_everything_that_needs_no_data(visit: Visit) -> None:
    at = visit(PAGE)
    assert at.title[0].value == "Moral axis"
    assert drawn(at) == ABOVE
    assert [header.value for header in at.header] == [
        "Does anything stand out?",
        "The map",
        "How stable is it?",
        "Against the paper",
        "Against people",
        "Could another direction do better?",
    ]
    assert not at.error
    assert not at.warning


def test_the_figures_show_the_numbers_of_the_core(visit: Visit, figures: Figures, static: CachedEncoder) -> None:
    shown = figures(visit(PAGE))
    made = studies.study(static, published())
    bars, noise = shown["figure_variance_0"]["data"]
    assert numbers(bars["y"]) == pytest.approx(made.axis.variance_explained[:10])
    assert numbers(noise["y"]) == pytest.approx(made.axis.random_line[:10])
    seeds, phrases = shown["figure_map_0"]["data"]
    assert list(seeds["customdata"]) == list(published().actions)
    np.testing.assert_allclose(
        np.column_stack([numbers(seeds["x"]), numbers(seeds["y"])]), made.axis.plane(made.axis.seeds), atol=1e-9
    )
    assert list(phrases["customdata"]) == ["kill", "kill people", "kill time", "kill a killer"]
    assert numbers(shown["figure_strip_0"]["data"][2]["x"]) == pytest.approx(numbers(phrases["x"]))
    assert numbers(shown["figure_stability_0"]["data"][0]["x"]) == pytest.approx(
        sorted(made.axis.position(made.axis.seeds), reverse=True)
    )
    atomic = shown["figure_paper_0"]["data"][0]
    assert numbers(atomic["x"]) == pytest.approx(table9("bert", "atomic").positions)


def test_the_four_cases_of_the_papers_figure_3_stand_side_by_side_for_two_encoders(
    visit: Visit, figures: Figures
) -> None:
    at = visit(PAGE, encoders=["static", "bundled"])
    shown = figures(at)
    variance = [shown[f"figure_variance_{index}"] for index in range(4)]
    assert len({tuple(numbers(figure["data"][0]["y"])) for figure in variance}) == 4
    assert len({tuple(figure["layout"]["yaxis"]["range"]) for figure in variance}) == 1
    for key in ("map", "strip", "stability", "paper"):
        assert shown[f"figure_{key}_0"] != shown[f"figure_{key}_1"]
    assert "MiniLM sentence encoder against BERT (Sentence-BERT large): atomic: r = 0.95" in said(at)
    assert "travel to Germany" in said(at)


def test_every_figure_has_an_alternative_text_and_every_section_its_limit(visit: Visit) -> None:
    at = send(visit(PAGE), VOTES)
    charts = at.get("plotly_chart")
    assert drawn(at) == [*ABOVE, "people_0"]
    assert all(chart.proto.alt.startswith("Static word embeddings") for chart in charts)
    limits = [caption.value for caption in at.caption if caption.value.startswith("Limit: ")]
    assert len(limits) == 7
    assert len(set(limits)) == 4


def test_a_point_of_the_map_says_what_the_paper_prints(visit: Visit, figures: Figures) -> None:
    seeds, phrases = figures(visit(PAGE))["figure_map_0"]["data"]
    assert seeds["hovertext"][0] == "smile: paper&#x27;s BERT +7.44"
    assert phrases["hovertext"][1] == "kill people: paper&#x27;s BERT −8.95"


def test_a_phrase_that_the_paper_does_not_have_is_shown_with_the_nearest_that_it_has(
    visit: Visit, figures: Figures
) -> None:
    at = visit(PAGE)
    at.text_area(key="phrases_lines").set_value("smile warmly").run()
    hover = figures(at)["figure_map_0"]["data"][1]["hovertext"][0]
    assert hover == "smile warmly: nearest in the paper: “smile”, BERT +7.44"


def test_the_map_shows_the_layers_that_are_chosen_and_says_so_where_none_is(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE)
    at.pills(key="layers").set_value(["contexts", "phrases"]).run()
    contexts, phrases = figures(at)["figure_map_0"]["data"]
    assert len(contexts["customdata"]) == 56
    assert phrases["name"] == "your phrases"
    at.pills(key="layers").set_value([]).run()
    assert "Nothing to draw" in at.info[0].value
    assert "map_0" not in drawn(at)


def test_the_published_encoder_to_compare_with_can_be_changed(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE)
    at.segmented_control(key="paper").set_value("use").run()
    assert numbers(figures(at)["figure_paper_0"]["data"][1]["x"]) == pytest.approx(table9("use", "context").positions)
    assert "against Universal Sentence Encoder" in said(at)


def test_another_representation_changes_the_axis_and_has_no_templates_to_leave_out(
    visit: Visit, figures: Figures
) -> None:
    at = visit(PAGE)
    before = figures(at)["figure_map_0"]
    assert "Without the template" in said(at)
    at.selectbox(key="vectors").set_value("phrase").run()
    assert figures(at)["figure_map_0"] != before
    assert "Without the template" not in said(at)
    assert "variance_2" in drawn(at)  # beside the two of the paper


def test_a_phrase_that_cannot_be_used_is_named_and_stays_in_the_form(visit: Visit) -> None:
    at = visit(PAGE)
    at.text_area(key="phrases_lines").set_value("x" * 201)
    at.button(key="score").click().run()
    assert "at most 200 characters in line 1" in said(at)
    assert at.text_area(key="phrases_lines").value == "x" * 201
    assert drawn(at) == [key for key in ABOVE if key != "strip_0"]  # what needs no phrases stays


def test_a_link_reproduces_the_choices(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE)
    at.selectbox(key="vectors").set_value("differences").run()
    at.segmented_control(key="paper").set_value("use").run()
    (link,) = [code.value for code in open_drawer(at, "paper").code]
    query = {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}
    assert query == {"encoders": "static", "vectors": "differences", "paper": "use"}
    assert figures(visit(PAGE, **query)) == figures(at)


def test_the_table_behind_the_stability_holds_every_seed(visit: Visit) -> None:
    at = open_drawer(visit(PAGE), "stability")
    (table,) = [frame.value for frame in at.dataframe if "cosine_without" in frame.value]
    assert set(table["seed"]) == set(published().actions)
    assert table["position"].is_monotonic_decreasing


def test_the_effect_of_every_template_stands_beside_that_of_seeds(
    visit: Visit, figures: Figures, static: CachedEncoder
) -> None:
    at = open_drawer(visit(PAGE), "turns")
    (table,) = [frame.value for frame in at.dataframe if "refitted" in frame.value]
    made = studies.study(static, published())
    assert sorted(table["cosine"][:10]) == pytest.approx(sorted(made.stability.without_template))
    assert list(table["refitted"][-2:]) == ["without one seed", "seeds drawn anew"]
    assert table["low"].iloc[-2] == pytest.approx(made.stability.without_seed.min())
    assert numbers(figures(at)["figure_turns_0"]["data"][0]["x"]) == pytest.approx(table["cosine"])


# Seeds of one's own


def test_own_seeds_are_set_against_the_published_ones_and_travel_by_link(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE)
    assert "with that of the published" not in said(at)
    edit_seeds(at, {7: {"action": "juggle, slowly"}})
    assert "your 65 seeds turn the axis to |cos| = " in said(at)
    assert "with the published seeds 0." in said(at)
    at = open_drawer(at, "stability")
    (link,) = [code.value for code in at.code]
    query = {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}
    assert "juggle, slowly," in query["seeds"].split("\n")
    again = visit(PAGE, **query)
    assert again.data_editor[0].value["action"].iloc[7] == "juggle, slowly"
    assert figures(again)["figure_stability_0"] == figures(at)["figure_stability_0"]
    again.button(key="reset_seeds").click().run()
    assert again.data_editor[0].value["action"].iloc[7] != "juggle, slowly"


def test_a_link_with_seeds_that_make_no_axis_is_answered_in_words(visit: Visit) -> None:
    at = visit(PAGE, seeds="smile, maybe\nkill, dont\na\nb\nc")
    assert "“do”, “dont” or nothing as the anchor of seed 1" in said(at)
    at.button(key="reset_seeds").click().run()
    assert not at.error


def test_another_seed_changes_the_axis_at_once_and_reset_is_one_click(
    visit: Visit, figures: Figures, static: CachedEncoder
) -> None:
    at = visit(PAGE)
    before = figures(at)
    edit_seeds(at, {7: {"action": "juggle"}})
    seeds = parse("\n".join(_lines({7: "juggle"})))
    made = studies.study(static, seeds)
    after = figures(at)
    assert list(after["figure_map_0"]["data"][0]["customdata"]) == list(seeds.actions)
    assert numbers(after["figure_map_0"]["data"][0]["x"]) == pytest.approx(made.axis.position(made.axis.seeds))
    assert numbers(after["figure_strip_0"]["data"][2]["x"]) == pytest.approx(
        made.axis.position(studies.vectors(static, made, ["kill", "kill people", "kill time", "kill a killer"]))
    )
    at.button(key="reset_seeds").click().run()
    assert figures(at) == before


def test_own_seeds_survive_a_visit_to_another_page_until_they_are_reset(visit: Visit, go: Go, figures: Figures) -> None:
    at = visit(PAGE)
    before = figures(at)
    edit_seeds(at, {7: {"action": "juggle"}})
    edited = figures(at)
    at = go(go(at, "report"), PAGE)
    assert at.data_editor[0].value["action"].iloc[7] == "juggle"
    assert figures(at) == edited != before
    at.button(key="reset_seeds").click().run()
    assert figures(go(go(at, "report"), PAGE)) == before


def test_exchanged_anchors_turn_the_map(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE)
    before = numbers(figures(at)["figure_map_0"]["data"][0]["x"])
    sides = dict(zip(at.data_editor[0].value["action"], at.data_editor[0].value["anchor"], strict=True))
    assert (sides["smile"], sides["kill"], sides["cheer"]) == ("Do", "Don't", "")
    turned = {"Do": "Don't", "Don't": "Do", "": ""}
    edit_seeds(at, {row: {"anchor": turned[side]} for row, side in enumerate(sides.values())})
    assert numbers(figures(at)["figure_map_0"]["data"][0]["x"]) == pytest.approx([-x for x in before])


@pytest.mark.parametrize(
    ("edited", "deleted", "expected"),
    [
        ({}, range(4, 65), "5 to 200 different seed actions"),
        ({row: {"anchor": None} for row in range(65)}, (), "at least one anchor on either side"),
        ({row: {"action": "smile", "anchor": None} for row in range(65)}, (), "5 to 200 different seed actions"),
        ({3: {"action": "x" * 201}}, (), "at most 200 characters in seed 4"),
        ({0: {"action": "kill", "anchor": "Do"}}, (), "“kill” as do and as dont"),
        (
            {row: {"action": word} for row, word in enumerate(("kill", "Kill", "KILL", "kILL"))}
            | {4: {"action": "kiLL", "anchor": "Don't"}},
            range(5, 65),
            "the same vector for all",
        ),
    ],
)
def test_seeds_that_make_no_axis_are_named_kept_and_reset_in_one_click(
    visit: Visit, edited: dict[int, dict[str, Any]], deleted: Sequence[int], expected: str
) -> None:
    at = edit_seeds(visit(PAGE), edited, deleted)
    assert len(at.error) == 1
    assert expected in said(at)
    assert "What to do:" in said(at)
    assert drawn(at) == []
    kept = at.session_state[at.data_editor[0].key]
    assert (kept["edited_rows"], kept["deleted_rows"]) == (edited, list(deleted))
    at.button(key="reset_seeds").click().run()
    assert not at.error
    assert drawn(at) == ABOVE


def test_seeds_whose_first_component_noise_would_reach_get_a_warning_instead_of_an_axis(visit: Visit) -> None:
    words = {0: ("smile", "Do"), 1: ("kill", "Don't"), 2: ("paint", ""), 3: ("read", ""), 4: ("fish", "")}
    edited = {row: {"action": action, "anchor": side} for row, (action, side) in words.items()}
    at = edit_seeds(visit(PAGE), edited, range(5, 65))
    assert "No moral axis for this encoder" in at.warning[0].value
    assert drawn(at) == ABOVE[:2]
    assert [header.value for header in at.header] == ["Does anything stand out?"]


def test_markup_in_a_seed_is_shown_as_text(visit: Visit, figures: Figures) -> None:
    typed = "<b>smile</b> [x](y)"
    at = edit_seeds(visit(PAGE), {3: {"action": typed}})
    assert not at.error
    formatted = [*at.markdown, *at.caption, *at.header, *at.subheader, *at.info, *at.warning]
    assert not [element for element in formatted if typed in element.value]
    shown = figures(at)
    assert "&lt;b&gt;smile&lt;/b&gt; [x](y)" in shown["figure_stability_0"]["data"][0]["text"]
    assert typed in shown["figure_map_0"]["data"][0]["customdata"]


def _lines(changed: dict[int, str]) -> list[str]:
    side = {**dict.fromkeys(published().do, "do"), **dict.fromkeys(published().dont, "dont")}
    actions = [changed.get(row, action) for row, action in enumerate(published().actions)]
    return [f"{action}, {side.get(action, '')}" for action in actions]


# People


def test_without_data_the_page_says_what_is_missing_and_how_to_get_it(visit: Visit) -> None:
    at = visit(PAGE)
    assert "The survey of people is not here" in at.info[0].value
    assert "python -m core data get mort" in at.info[0].value
    assert at.button(key="fetch_survey")
    assert at.file_uploader(key="survey_file")
    assert "people_0" not in drawn(at)


def test_a_survey_of_ones_own_is_compared_with_axis_and_bias(
    visit: Visit, figures: Figures, static: CachedEncoder
) -> None:
    at = send(visit(PAGE), VOTES)
    assert not at.error
    points = figures(at)["figure_people_0"]["data"][0]
    assert list(points["customdata"]) == ["sing", "lie to a friend", "rest", "greet", "burn a book"]
    assert numbers(points["x"]) == pytest.approx([0.9, 0.2, 0.5, 1.0, 0.1])
    made = studies.study(static, published())
    assert numbers(points["y"]) == pytest.approx(
        made.axis.position(studies.vectors(static, made, points["customdata"])), abs=1e-6
    )
    assert "axis and people: r = " in said(at)
    assert "n = 5); moral bias and people: r = " in said(at)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"phrase,votes\nsing,3\n", "columns action, yes, no"),
        (VOTES.replace(b"5,5", b"0,0"), "at least one vote in line 4"),
        (b"action,yes,no\n" + b"".join(b"%d,1,0\n" % number for number in range(100_000)), "100,000"),
        (b"\x89PNG\r\n\x1a\n\0\0", "text in UTF-8"),
        ("action,yes,no\nfête,1,2\n".encode("cp1252"), "text in UTF-8"),
        (b"x" * 50_000_000, "50 MB"),
        (b"action,yes,no\na,1,1\nb,2,2\nc,3,3\nd,4,4\n", "numbers that vary on both sides"),
    ],
    ids=["columns", "no votes", "rows", "image", "encoding", "size", "constant"],
)
def test_a_survey_that_cannot_be_used_is_named_and_all_above_stays(visit: Visit, content: bytes, expected: str) -> None:
    at = send(visit(PAGE), content)
    assert len(at.error) == 1
    assert expected in said(at)
    assert "What to do:" in said(at)
    assert drawn(at) == ABOVE
    at = send(at, VOTES)
    assert not at.error
    assert "people_0" in drawn(at)


def made_up() -> dict[str, Dataset]:
    """A catalogue in which the surveys are those of this file."""
    chant = VOTES.replace(b"sing", b"chant").replace(b"\n", b"\r\n")
    files = tuple(
        DataFile(path, len(votes), hashlib.sha256(votes).hexdigest(), "computed", 5, "MIT", "http://127.0.0.1:9")
        for path, votes in ((PUBLISHED, VOTES), (SURVEYS["amt"], chant))
    )
    return {"mort": Dataset("mort", "Votes", "owner/votes", "MIT", "Written for this test.", files)}


@pytest.fixture
def catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(datasets, "catalogue", made_up)
    monkeypatch.setattr(datasets, "BACKOFF", ())


@pytest.mark.usefixtures("catalogue")
def test_the_survey_is_fetched_on_request_and_shown_at_once(
    visit: Visit, figures: Figures, monkeypatch: pytest.MonkeyPatch, directory: Path
) -> None:
    at = visit(PAGE)
    with serving({f"owner/votes/{PUBLISHED}": VOTES}) as source:
        monkeypatch.setenv("MORALSCOPE_MIRROR", source.address)
        assert source.requests == []  # nothing is fetched unasked
        at.button(key="fetch_survey").click().run()
    assert len(source.requests) == 1
    assert (directory / "owner/votes" / PUBLISHED).read_bytes() == VOTES
    assert list(figures(at)["figure_people_0"]["data"][0]["customdata"])[:2] == ["sing", "lie to a friend"]
    assert not at.info


@pytest.mark.usefixtures("catalogue")
def test_a_server_that_lies_about_the_survey_is_named_and_nothing_is_kept(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, directory: Path
) -> None:
    at = visit(PAGE)
    with serving({f"owner/votes/{PUBLISHED}": VOTES[::-1]}) as source:
        monkeypatch.setenv("MORALSCOPE_MIRROR", source.address)
        at.button(key="fetch_survey").click().run()
    assert len(at.error) == 1
    assert PUBLISHED in said(at)
    assert [path for path in directory.rglob("*") if path.is_file()] == []
    assert drawn(at) == ABOVE


@pytest.mark.usefixtures("catalogue")
def test_a_server_that_is_down_is_said_in_words(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MORALSCOPE_MIRROR", address_of_nobody())
    at = visit(PAGE)
    at.button(key="fetch_survey").click().run()
    assert "no connection" in said(at)
    assert drawn(at) == ABOVE
    assert at.button(key="fetch_survey")


@pytest.mark.usefixtures("catalogue")
def test_the_survey_of_crowd_workers_is_a_choice(visit: Visit, figures: Figures, directory: Path) -> None:
    place = directory / "owner/votes" / SURVEYS["amt"]
    place.parent.mkdir(parents=True)
    place.write_bytes(VOTES.replace(b"sing", b"chant").replace(b"\n", b"\r\n"))
    at = visit(PAGE)
    assert "people_0" not in drawn(at)
    at.segmented_control(key="survey").set_value("amt").run()
    assert list(figures(at)["figure_people_0"]["data"][0]["customdata"])[:2] == ["chant", "lie to a friend"]


@pytest.mark.data
def test_the_released_survey_is_used_where_it_is_here(
    visit: Visit, monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    monkeypatch.setenv("MORALSCOPE_DATA", str(data))
    at = visit(PAGE, encoders="bundled")
    assert "axis and people: r = 0.73 (95 % interval 0.63 to 0.81, n = 113)" in said(at)
    assert "moral bias and people: r = 0.38" in said(at)
    assert not at.info


def test_the_other_directions_are_tried_on_request_and_all_are_listed(
    visit: Visit, figures: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = partial(studies.variants, kinds=["phrase"])
    monkeypatch.setattr(studies, "variants", tried)
    at = send(visit(PAGE), VOTES)
    assert len(at.header) == 6
    assert len(at.dataframe) == 1  # the seeds
    at.toggle(key="variants_wanted").set_value(True).run()
    table = at.dataframe[-1].value
    assert len(table) == 12
    assert any("12 variants" in element.value for element in at.markdown)
    assert table["r_people"].is_monotonic_decreasing
    assert {"r_table9_context", "stability", "low", "high"} <= set(table.columns)
    assert table["stability"].isna().sum() == 6  # averages have no direction
    points = figures(at)["figure_variants_static_0"]["data"]
    assert sorted(value for trace in points for value in numbers(trace["y"])) == pytest.approx(
        sorted(table["r_people"])
    )
    assert set(table["vectors"]) == {"the bare phrase", "average of all vectors"}
