"""Knowledge harms: what the page shows of a source, down to the statement, and what it says where something is wrong."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.knowledge import harms
from core.knowledge.polarity.protocol import classify
from core.knowledge.polarity.sentiment import Sentiment
from core.knowledge.sources import open_source

Visit = Callable[..., AppTest]
Go = Callable[[AppTest, str], AppTest]
Figures = Callable[[AppTest], dict[str, Any]]

PAGE = "knowledge"
TRIPLES = b"head,relation,tail\nteacher,IsA,kind helper\nteacher,HasA,terrible temper\nbaker,AtLocation,bakery\nsofa,IsA,thing\n"


@pytest.fixture(autouse=True)
def directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty data directory."""
    monkeypatch.setenv("MORALSCOPE_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def open_page(visit: Visit) -> Visit:
    """Open the page and go on past its warning."""

    def open_(**query: str | list[str]) -> AppTest:
        return visit(PAGE, **{"classifiers": "sentiment", **query}).button(key="warning_read").click().run()

    return open_


def drawn(at: AppTest) -> list[str]:
    return sorted(chart.key.removeprefix("figure_") for chart in at.get("plotly_chart"))


def said(at: AppTest) -> str:
    return "\n".join(element.value for element in at.text)


def marked(at: AppTest) -> str:
    """All text that is read as markup."""
    kinds = ("markdown", "caption", "header", "subheader", "title", "info", "warning", "error", "success")
    return "\n".join(str(element.value) for kind in kinds for element in at.get(kind))


def numbers(values: Any) -> list[float]:
    """Coordinates of a trace, which Plotly may have packed."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), dtype=values["dtype"]).tolist()
    return list(values)


def send(at: AppTest, content: bytes, name: str = "mine.csv") -> AppTest:
    return at.file_uploader(key="knowledge_file").set_value((name, content, "text/plain")).run()


def link(at: AppTest, key: str) -> dict[str, Any]:
    at.session_state[f"drawer_{key}"] = True
    (found,) = [code.value for code in at.run().code]
    return {name: values if len(values) > 1 else values[0] for name, values in parse_qs(urlsplit(found).query).items()}


# The warning


def test_nothing_is_shown_before_the_warning_is_read_and_it_comes_once_a_session(visit: Visit, go: Go) -> None:
    at = visit(PAGE)
    assert len(at.warning) == 1
    assert drawn(at) == []
    assert not at.dataframe
    at.button(key="warning_read").click().run()
    assert not at.warning
    assert "overgeneralization_0" in drawn(at)
    at = go(go(at, "methods"), PAGE)
    assert not at.warning
    assert drawn(at)


# Overview


def test_the_demo_set_is_there_at_once_and_says_what_it_is(open_page: Visit, figures: Figures) -> None:
    at = open_page()
    assert not at.error
    assert drawn(at) == ["overgeneralization_0", "overgeneralization_1", "representation_0"]
    assert "not evidence" in marked(at)
    source = open_source("demo")
    labels = classify(Sentiment(), source.statements.frame["masked"])
    made = harms.measure(labels, source.statements.codes, source.statements.targets)
    (negative,) = figures(at)["figure_overgeneralization_0"]["data"]
    shown = dict(zip(negative["customdata"], numbers(negative["y"]), strict=True))
    assert shown == pytest.approx(
        {
            name: made.negative[place]
            for place, name in enumerate(source.statements.targets.names)
            if made.n[place] >= 10
        }
    )
    table = at.dataframe[0].value
    overall = table[table["category"] == "all"].iloc[0]
    assert overall["negative_over_targets"] == pytest.approx(made.overall.over_targets.negative)
    assert overall["negative_pooled"] == pytest.approx(made.overall.pooled.negative)
    assert overall["D_R"] == pytest.approx(made.overall.representation)


def test_every_figure_has_an_alternative_text_and_the_limit_names_how_far_classifiers_agree(open_page: Visit) -> None:
    for view in ("overview", "targets", "mitigation"):
        at = open_page(view=view)
        assert all(chart.proto.alt for chart in at.get("plotly_chart"))
        limits = [caption.value for caption in at.caption if caption.value.startswith("Limit: ")]
        assert any("people's ratings agree with sentiment in 83.1 %" in text for text in limits)


def test_categories_and_the_fewest_statements_narrow_what_is_drawn(open_page: Visit, figures: Figures) -> None:
    at = open_page(categories="religion")
    (box,) = figures(at)["figure_overgeneralization_0"]["data"]
    assert set(box["x"]) == {"religion"}
    at.number_input(key="minimum").set_value(1000).run()
    assert len(figures(at)["figure_overgeneralization_0"]["data"][0]["customdata"]) == 0
    assert "have fewer than 1000 statements" in said(at)
    assert not at.error


def test_two_sources_stand_side_by_side_and_an_encoder_is_one_without_any_download(open_page: Visit) -> None:
    at = open_page(sources=["demo", "encoder:static"])
    assert [key for key in drawn(at) if key.startswith("overgeneralization")] == [
        f"overgeneralization_{place}" for place in range(4)
    ]
    assert set(at.dataframe[0].value["source"]) == {"demo", "encoder:static"}


def test_a_release_that_is_not_here_is_named_with_the_way_to_get_it(open_page: Visit) -> None:
    at = open_page(sources=["conceptnet", "demo"])
    assert len(at.error) == 1
    assert "python -m core data get " in said(at)
    assert "overgeneralization_0" in drawn(at)  # of the demo set


def test_without_a_source_a_classifier_or_a_category_the_page_says_what_to_choose(open_page: Visit) -> None:
    at = open_page()
    at.multiselect(key="sources").set_value([]).run()
    assert "Choose at least one source" in at.info[0].value
    assert drawn(at) == []


# Targets


def test_a_target_is_shown_with_its_intervals_words_and_statements(open_page: Visit, figures: Figures) -> None:
    at = open_page(view="targets", target="Nigerian")
    source = open_source("demo")
    labels = classify(Sentiment(), source.statements.frame["masked"])
    made = harms.measure(labels, source.statements.codes, source.statements.targets)
    place = source.statements.targets.code("Nigerian")
    (shares,) = figures(at)["figure_target_0"]["data"]
    assert numbers(shares["x"]) == pytest.approx([made.negative[place], made.positive[place]])
    low, high = made.interval_negative[place]
    assert f"({low:.1f} to {high:.1f})" in said(at)
    table = at.dataframe[-1].value
    assert set(table["target"]) == {"Nigerian"}
    assert set(table["sentiment"]) <= {"negative", "positive"}
    assert {"statement", "masked"} <= set(table.columns)
    assert not table["masked"].str.contains("Nigerian").any()


def test_statements_are_filtered_by_label_text_and_target(open_page: Visit) -> None:
    at = open_page(view="targets")
    at.toggle(key="every_target").set_value(True)
    at.pills(key="labels").set_value(["neutral"]).run()
    neutral = at.dataframe[-1].value
    assert set(neutral["sentiment"]) == {"neutral"}
    word = neutral["statement"].iloc[0].split()[-1].strip(".")
    at.text_input(key="containing").set_value(word.upper()).run()
    assert at.dataframe[-1].value["statement"].str.contains(word, case=False).all()


def test_thresholds_are_medians_until_the_reader_sets_others(open_page: Visit, figures: Figures) -> None:
    at = open_page(view="targets")
    before = figures(at)["figure_regions_0"]["layout"]["shapes"]
    at.toggle(key="own_thresholds").set_value(True).run()
    at.number_input(key="negative_from").set_value(33.0).run()
    after = figures(at)["figure_regions_0"]["layout"]["shapes"]
    assert after[0]["x0"] == 33.0 != before[0]["x0"]
    assert "negative above 33.0 %" in said(at)


def test_a_link_opens_the_same_target_with_the_same_thresholds(open_page: Visit, figures: Figures) -> None:
    at = open_page(view="targets", categories=["religion", "gender"], minimum="12")
    at.toggle(key="own_thresholds").set_value(True).run()
    query = link(at, "target")
    again = open_page(**query)
    assert figures(again)["figure_regions_0"] == figures(at)["figure_regions_0"]
    assert again.selectbox(key="target").value == at.selectbox(key="target").value


# Mitigation and trust


def test_filtering_leaves_only_neutral_statements_and_says_what_it_cost(open_page: Visit) -> None:
    at = open_page(view="mitigation")
    table = at.dataframe[0].value.set_index("measure")
    after = table["after"]
    assert after["neutral statements, mean over targets, %"] == 100
    assert after["disparity of negative shares (D_O−)"] == 0
    assert "statements go" in said(at)
    assert at.get("download_button")


def test_without_the_released_ratings_the_printed_agreement_is_shown(open_page: Visit) -> None:
    at = open_page(view="trust")
    assert "83.1 %" in said(at)
    assert "reliability_0" not in drawn(at)
    printed = at.dataframe[-1].value
    assert {"printed", "recomputed", "note"} <= set(printed.columns)


def test_ratings_of_ones_own_are_compared_with_always_neutral(open_page: Visit, figures: Figures) -> None:
    at = open_page(view="trust")
    content = b"1\tthe teacher is wonderful\n0\tthe teacher is at home\n0\tthe teacher is happy\n-1\tthe baker is a horrible liar\n"
    at.file_uploader(key="ratings_file").set_value(("ratings.txt", content, "text/plain")).run()
    assert numbers(figures(at)["figure_reliability_0"]["data"][0]["x"]) == pytest.approx([75.0, 50.0])
    at.file_uploader(key="ratings_file").set_value(("ratings.txt", b"5\tx\n", "text/plain")).run()
    assert "in line 1" in said(at)


@pytest.mark.data
def test_the_released_ratings_are_used_where_they_are_here(
    open_page: Visit, monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    monkeypatch.setenv("MORALSCOPE_DATA", str(data))
    at = open_page(view="trust", sources="conceptnet-regard", classifiers=["sentiment", "published"])
    assert "sentiment agrees with 81.3% of people's ratings" in said(at)
    assert "published agrees with 73." in said(at)
    assert "Always saying neutral would agree with 80.6%" in said(at)
    assert "Fleiss' κ = 0.36" in said(at)


# A reader's own file


def test_a_file_of_triples_is_read_with_what_was_left_out_and_its_columns_may_be_named(open_page: Visit) -> None:
    at = open_page(sources="own file")
    assert "Send a file" in marked(at)
    at = send(at, TRIPLES)
    assert "3 statements from 3 of 4 records; 1 name no target" in said(at)
    at.number_input(key="minimum").set_value(1).run()
    assert at.dataframe[0].value["statements"].iloc[-1] == 3
    at = send(at, TRIPLES.replace(b"head,relation,tail", b"a,b,c"))
    assert "say which column holds what" in said(at)
    for role, column in (("subject", "a"), ("relation", "b"), ("object", "c")):
        (box,) = [box for box in at.selectbox if box.label == f"Column: {role}"]
        box.set_value(column)
    at.run()
    assert "3 statements from 3 of 4 records" in said(at)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("mine.csv", b"statement\nsofas are soft\n", "none does"),
        ("mine.csv", b"", "rows below the names of columns"),
        ("mine.csv", b"a\x00b\n", "zero bytes"),
        ("mine.jsonl", b"[1]\n", "one JSON object a line"),
        ("mine.parquet", b"no", "Parquet"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_a_remedy(
    open_page: Visit, name: str, content: bytes, problem: str
) -> None:
    at = send(open_page(sources="own file"), content, name)
    assert len(at.error) == 1
    assert problem in said(at)
    assert "What to do:" in said(at)


def test_markup_in_a_file_is_shown_as_text(open_page: Visit, figures: Figures) -> None:
    markup = "<img src=zzq> **zzq** [zzq](http://127.0.0.1/zzq)"
    rows = "".join(f"the teacher is a horrible {markup}\n" for _ in range(12))
    at = send(open_page(sources="own file", view="targets"), f"statement\n{rows}".encode(), "zzq <b>.csv")
    assert not at.error
    assert "zzq" in str(at.dataframe[-1].value["statement"].iloc[0])
    assert "<img" not in json.dumps(figures(at))
    assert "src=zzq" not in marked(at)
    assert "<b>" not in marked(at)


def test_a_source_without_a_target_of_the_chosen_categories_is_left_out_in_words(open_page: Visit) -> None:
    at = send(open_page(sources="own file", categories="origin"), TRIPLES)
    assert "no target in the chosen categories" in "\n".join(element.value for element in at.info)
    assert drawn(at) == []


def test_the_link_of_the_filter_holds_what_it_filters_by(open_page: Visit) -> None:
    at = open_page(view="mitigation", classifiers=["sentiment", "keywords"])
    at.multiselect(key="filter_by").set_value(["keywords"]).run()
    assert link(at, "mitigation_demo")["filter_by"] == "keywords"
