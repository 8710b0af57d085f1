"""Knowledge harms: what the page shows of a source, down to the statement, and what it says where something is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from components import exhibit, resources
from components.knowledge import mitigation as mitigation_view
from components.knowledge.statements import Point
from core.knowledge import generation, harms
from core.knowledge.polarity.protocol import classify
from core.knowledge.polarity.sentiment import Sentiment
from core.knowledge.polarity.transformers import Transformer
from core.knowledge.sources import open_source
from tests import tiny_models
from tests.pages.screen import link, marked, numbers, said

Visit = Callable[..., AppTest]
Go = Callable[[AppTest, str], AppTest]
Figures = Callable[[AppTest], dict[str, Any]]

PAGE = "knowledge"
TRIPLES = b"head,relation,tail\nteacher,IsA,kind helper\nteacher,HasA,terrible temper\nbaker,AtLocation,bakery\nsofa,IsA,thing\n"
WORDY = b"statement\n" + b"".join(
    text * 30
    for text in (
        b"the teacher is a horrible liar\n",
        b"the teacher has wonderful friends\n",
        b"the teacher sits in a room\n",
    )
)
"""Words stand out in its negative and in its positive statements."""


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


def with_column(at: AppTest, column: str) -> list[Any]:
    return [found.value for found in at.dataframe if column in found.value.columns]


def in_numbers(at: AppTest) -> Any:
    (found,) = with_column(at, "negative_over_targets")
    return found


def table(at: AppTest) -> Any:
    """The table of statements."""
    (found,) = with_column(at, "masked")
    return found


@pytest.fixture
def click(monkeypatch: pytest.MonkeyPatch) -> Callable[[AppTest, str, str], AppTest]:
    """Click on a point of a figure: AppTest cannot, so the chart answers as the browser does."""
    clicked: dict[str, str] = {}
    draw = exhibit.st.plotly_chart

    def drawn_(figure: Any, *, key: str, **options: Any) -> Any:
        draw(figure, key=key, **options)
        points = [{"customdata": clicked[key]}] if key in clicked else []
        return {"selection": {"points": points}}

    monkeypatch.setattr(exhibit.st, "plotly_chart", drawn_)

    def click_(at: AppTest, figure: str, point: str) -> AppTest:
        clicked[f"figure_{figure}"] = point
        return at.run()

    return click_


def send(at: AppTest, content: bytes, name: str = "mine.csv") -> AppTest:
    return at.file_uploader(key="knowledge_file").set_value((name, content, "text/plain")).run()


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
    assert {Point.read(key).target: value for key, value in shown.items()} == pytest.approx(
        {
            name: made.negative[place]
            for place, name in enumerate(source.statements.targets.names)
            if made.n[place] >= 10
        }
    )
    table = in_numbers(at)
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
    assert set(in_numbers(at)["source"]) == {"demo", "encoder:static"}


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


# Every point leads to its statements


@pytest.mark.parametrize(
    ("view", "figure"),
    [
        ("overview", "overgeneralization_0"),
        ("overview", "overgeneralization_1"),
        ("overview", "representation_0"),
        ("targets", "regions_0"),
        ("targets", "target_0"),
        ("mitigation", "mitigation_0_0"),
    ],
)
def test_every_point_of_every_figure_leads_to_the_statements_that_it_counts(
    open_page: Visit,
    figures: Figures,
    click: Callable[[AppTest, str, str], AppTest],
    view: str,
    figure: str,
) -> None:
    at = open_page(view=view, classifiers=["sentiment", "keywords"], target="farmer")
    traces = figures(at)[f"figure_{figure}"]["data"]
    assert all(len(trace["customdata"]) == len(numbers(trace["y"])) for trace in traces)
    values = "y" if view == "overview" else "x"
    key = max(
        (value, key) for trace in traces for value, key in zip(numbers(trace[values]), trace["customdata"], strict=True)
    )[1]
    point = Point.read(key)
    at = click(at, figure, key)
    assert at.selectbox(key="target").value == point.target
    found = table(at)
    source = open_source("demo").statements.frame
    mine = source[source["target"] == point.target]
    if not point.labels:
        assert len(found) == len(mine)
    assert len(found) > 0
    assert set(found["target"]) == {point.target}
    for _, row in found.iterrows():
        by = [row[name] for name in ("sentiment", "keywords") if point.classifier in (name, "any classifier")]
        assert not point.labels or set(by) & set(point.labels)
        assert point.word in row["statement"].lower()


@pytest.mark.parametrize("figure", ["words_0", "words_1", "words_2", "words_3"])
def test_every_word_leads_to_the_statements_that_hold_it(
    open_page: Visit, figures: Figures, click: Callable[[AppTest, str, str], AppTest], figure: str
) -> None:
    at = send(open_page(sources="own file", view="targets"), WORDY)
    trace, *_ = [
        trace for trace in figures(at)[f"figure_{figure}"]["data"] if trace["customdata"] and len(trace["customdata"])
    ]
    point = Point.read(trace["customdata"][0])
    found = table(click(at, figure, trace["customdata"][0]))
    assert len(found) == 30
    assert found["statement"].str.contains(point.word).all()
    assert set(found["sentiment"]) == set(point.labels)


def test_a_point_of_a_box_leads_to_as_many_statements_as_it_counts(
    open_page: Visit, figures: Figures, click: Callable[[AppTest, str, str], AppTest]
) -> None:
    at = open_page(classifiers=["sentiment", "keywords"])
    (_, keywords) = figures(at)["figure_overgeneralization_0"]["data"]
    shares = numbers(keywords["y"])
    place = int(np.argmax(shares))
    target = Point.read(keywords["customdata"][place]).target
    at = click(at, "overgeneralization_0", keywords["customdata"][place])
    held = int((open_source("demo").statements.frame["target"] == target).sum())
    assert len(table(at)) == pytest.approx(shares[place] * held / 100)


def test_a_second_point_counts_and_a_choice_after_it_stays(
    open_page: Visit, figures: Figures, click: Callable[[AppTest, str, str], AppTest]
) -> None:
    at = open_page()
    first, second = (figures(at)[f"figure_overgeneralization_{side}"]["data"][0]["customdata"] for side in (0, 1))
    at = click(click(at, "overgeneralization_0", first[3]), "overgeneralization_1", second[5])
    assert at.selectbox(key="target").value == Point.read(second[5]).target
    at.selectbox(key="target").set_value("Nigerian").run()
    assert set(table(at)["target"]) == {"Nigerian"}


# How far to trust the classifiers stands beside every plot


def cards(at: AppTest) -> list[Any]:
    return with_column(at, "labels by")


def test_every_plot_has_a_reliability_card_and_counts_say_what_limits_them(open_page: Visit) -> None:
    for view, plots in (("overview", 1), ("targets", 3), ("mitigation", 1)):
        at = send(open_page(view=view, sources="own file", classifiers=["sentiment", "keywords"]), WORDY)
        assert len(cards(at)) == plots
        assert ("What limits this number" in marked(at)) == (view == "overview")
        for card in cards(at):
            rows = card.set_index("labels by")
            assert rows.loc["sentiment of the paper", "agree, %"] == "83.1"
            assert rows.loc["sentiment of the paper", "negative: P / R / F1"] == "0.531 / 0.264 / 0.353"
            assert rows.index[-1] == "always “neutral”"
        assert "Fleiss' κ = 0.38" in marked(at)


@pytest.mark.data
def test_the_card_is_measured_where_the_released_ratings_are_here(
    open_page: Visit, monkeypatch: pytest.MonkeyPatch, data: Path
) -> None:
    monkeypatch.setenv("MORALSCOPE_DATA", str(data))
    (card,) = cards(open_page(classifiers=["sentiment", "keywords"]))
    rows = card.set_index("labels by")
    assert rows.loc["sentiment", "agree, %"].startswith("81.3 (")
    assert rows.loc["sentiment", "negative: P / R / F1"] == "0.53 / 0.27 / 0.35"
    assert rows.loc["always “neutral”", "agree, %"].startswith("80.6 (")
    assert rows.loc["keywords", "κ with people"]


# Links


def test_a_link_holds_every_filter_of_the_statements_and_the_words(open_page: Visit) -> None:
    at = open_page(view="targets", sources=["demo", "encoder:static"], classifiers=["sentiment", "keywords"])
    at.toggle(key="every_target").set_value(True)
    at.pills(key="labels").set_value(["neutral"])
    at.selectbox(key="labelled_by").set_value("keywords")
    at.selectbox(key="words_from").set_value("encoder:static")
    at.selectbox(key="words_by").set_value("keywords")
    at.text_input(key="containing").set_value("is").run()
    query = link(at, "target")
    assert {name: query[name] for name in ("every_target", "labels", "labelled_by", "words_from", "words_by")} == {
        "every_target": "true",
        "labels": "neutral",
        "labelled_by": "keywords",
        "words_from": "encoder:static",
        "words_by": "keywords",
    }
    again = open_page(**query)
    assert again.selectbox(key="words_from").value == "encoder:static"
    assert again.selectbox(key="words_by").value == "keywords"
    assert again.text_input(key="containing").value == "is"
    assert len(table(again)) > 0
    assert table(again).equals(table(at))


def test_a_link_keeps_that_no_label_is_chosen(open_page: Visit) -> None:
    at = open_page(view="targets")
    at.pills(key="labels").set_value([]).run()
    import urllib.parse

    at.session_state["drawer_target"] = True
    (address,) = [code.value for code in at.run().code]
    values = urllib.parse.parse_qs(urlsplit(address).query, keep_blank_values=True)["labels"]
    again = open_page(view="targets", labels=values)
    assert again.pills(key="labels").value == []
    assert table(again).equals(table(at))


def test_what_was_typed_is_in_no_address(open_page: Visit) -> None:
    at = open_page(view="targets")
    at.text_input(key="containing").set_value("zzq").run()
    assert "zzq" not in str(at.query_params)


# Models that the registry file names


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A registry file that names a tiny writer of each kind, a tiny classifier, and a model that is not here."""
    folder = tmp_path_factory.mktemp("registry")
    tiny_models.causal(folder / "gpt")
    tiny_models.sequence(folder / "t5")
    tiny_models.classifier(folder / "labels")
    (folder / "moralscope.toml").write_text(
        '[models.gpt]\nspec = "text:gpt"\ntitle = "Tiny GPT"\n[models.t5]\nspec = "text:t5"\n'
        '[models.three]\nspec = "labels:labels"\n[models.gone]\nspec = "labels:./nowhere"\n',
        encoding="utf-8",
    )
    monkeypatch.setenv("MORALSCOPE_CONFIG", str(folder / "moralscope.toml"))
    monkeypatch.setattr(generation, "NEW_TOKENS", 4)
    monkeypatch.setattr(generation.load, "__kwdefaults__", {**generation.load.__kwdefaults__, "new_tokens": 4})
    return folder


def test_a_named_model_is_a_source_once_a_reader_starts_it(open_page: Visit, named: Path) -> None:
    for name, title in (("gpt", "Tiny GPT"), ("t5", "t5")):
        at = open_page(sources=["demo", f"model:{name}"])
        assert f"What {title} writes about every target" in said(at)
        assert set(in_numbers(at)["source"]) == {"demo"}  # the page is there meanwhile
        at.button(key="start_jobs").click().run()
        assert not at.error
        assert set(in_numbers(at)["source"]) == {"demo", f"model:{name}"}
        assert not [button for button in at.button if button.key in ("start_jobs", "stop_jobs")]
        again = open_page(sources=["demo", f"model:{name}"])  # of another session: nothing is made again
        assert set(in_numbers(again)["source"]) == {"demo", f"model:{name}"}


def test_a_named_classifier_labels_once_a_reader_starts_it(open_page: Visit, named: Path) -> None:
    at = open_page(classifiers=["sentiment", "model:three"])
    assert set(in_numbers(at)["classifier"]) == {"sentiment"}
    at.button(key="start_jobs").click().run()
    assert set(in_numbers(at)["classifier"]) == {"sentiment", "model:three"}
    source = open_source("demo")
    labels = classify(Transformer(str(named / "labels")), source.statements.frame["masked"])
    made = harms.measure(labels, source.statements.codes, source.statements.targets)
    rows = in_numbers(at).set_index(["classifier", "category"])
    shown = rows.loc[("model:three", "all"), "positive_pooled"]
    assert shown == pytest.approx(made.overall.pooled.positive)
    (card,) = cards(at)
    assert card.set_index("labels by").loc["model:three", "agree, %"] == "not rated"


def test_a_named_model_that_is_not_here_is_an_error_in_words_and_the_rest_stays(open_page: Visit, named: Path) -> None:
    at = open_page(classifiers=["sentiment", "model:gone"])
    at.button(key="start_jobs").click().run()
    assert len(at.error) == 1
    assert "What to do:" in said(at)
    assert "overgeneralization_0" in drawn(at)
    assert str(named) not in said(at) + marked(at)


def test_a_started_model_labels_what_another_wrote_without_being_asked_again(open_page: Visit, named: Path) -> None:
    at = open_page(sources=["demo", "model:gpt"], classifiers=["sentiment", "model:three"])
    at.button(key="start_jobs").click().run()
    assert len(in_numbers(at).groupby(["source", "classifier"])) == 4
    assert not [button for button in at.button if button.key in ("start_jobs", "stop_jobs")]
    assert "What Tiny GPT writes about each target" in said(at)
    assert str(named) not in said(at) + marked(at)


def test_work_that_was_cut_off_goes_on_where_it_was() -> None:
    asked: list[list[str]] = []

    class Slow:
        name = identity = "slow"

        def write(self, prompts: list[str]) -> list[str]:
            asked.append(list(prompts))
            return [f"{prompt}!" for prompt in prompts]

        def label(self, texts: list[str], progress: Any = None) -> Any:
            asked.append(list(texts))
            return np.zeros(len(texts), dtype=np.int8)

    writer, labeller = resources._Writer(Slow(), "slow"), resources._Labeller(Slow())
    assert writer.write(["a", "b"]) == writer.write(["a", "b"]) == ["a!", "b!"]
    assert asked == [["a", "b"]]
    asked.clear()
    texts = [f"{number:04}" for number in range(resources.PART + 1)]

    def stop(share: float) -> None:
        if share:
            raise RuntimeError

    with pytest.raises(RuntimeError):
        labeller.label(texts, stop)
    assert len(labeller.label(texts)) == len(texts)
    assert [len(part) for part in asked] == [resources.PART, 1]


def test_a_link_loads_no_model_that_the_registry_file_does_not_name(
    open_page: Visit, named: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(resources, "load_generator", opened.append)
    monkeypatch.setattr(resources, "open_classifier", opened.append)
    for asked in (str(named / "labels"), f"model:{named / 'labels'}", "model:gpt2"):
        at = open_page(sources=["demo", asked], classifiers=asked)
        assert asked not in str(at.multiselect(key="sources").value)
        assert asked not in str(at.multiselect(key="classifiers").value)
        assert not [button for button in at.button if button.key == "start_jobs"]
    assert [name for name in opened if name not in ("sentiment", "regard")] == []


# Mitigation and trust


def test_filtering_leaves_only_neutral_statements_and_says_what_it_cost(open_page: Visit) -> None:
    at = open_page(view="mitigation")
    (before_after,) = with_column(at, "after")
    after = before_after.set_index("measure")["after"]
    assert after["neutral statements, mean over targets, %"] == 100
    assert after["disparity of negative shares (D_O−)"] == 0
    assert before_after.set_index("measure")["after, 95 %"]["disparity of negative shares (D_O−)"] == "0.00 to 0.00"
    assert "statements go" in said(at)
    assert at.get("download_button")


def test_two_sources_of_one_kind_are_filtered_side_by_side_into_files_of_their_own(open_page: Visit) -> None:
    at = open_page(view="mitigation", sources=["encoder:static", "encoder:bundled"], encoders=["static", "bundled"])
    assert not at.exception
    assert [key for key in drawn(at) if key.startswith("mitigation")] == ["mitigation_0_0", "mitigation_1_0"]
    labels = [found.proto.label for found in at.get("download_button") if "own format" in found.proto.label]
    assert len(set(labels)) == 2
    assert "static" in labels[0]
    assert "bundled" in labels[1]


def test_what_filtering_takes_from_a_target_has_an_interval(open_page: Visit, figures: Figures) -> None:
    (shares,) = figures(open_page(view="mitigation"))["figure_mitigation_0_0"]["data"]
    values = np.array(numbers(shares["x"]))
    above, below = (np.array(numbers(shares["error_x"][side])) for side in ("array", "arrayminus"))
    assert (values + above <= 100).all()
    assert (values - below > 0).all()
    assert ((above + below) > 5).all()  # of a dozen statements each


def test_what_is_left_of_a_file_keeps_its_ending(open_page: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    names = []
    draw = mitigation_view.st.download_button
    monkeypatch.setattr(
        mitigation_view.st,
        "download_button",
        lambda *given, file_name, **options: names.append(file_name) or draw(*given, file_name=file_name, **options),
    )
    send(open_page(sources=["demo", "own file"], view="mitigation"), TRIPLES.replace(b"\n", b"\r\n"), "crlf.csv")
    assert [name for name in names if "filtered" in name][-2:] == [
        "moralscope-filtered-1-demo.csv",
        "moralscope-filtered-2-own-file.csv",
    ]


def test_without_the_released_ratings_the_printed_agreement_is_shown(open_page: Visit) -> None:
    at = open_page(view="trust")
    assert "83.1 %" in said(at)
    assert "reliability_0" not in drawn(at)
    (printed,) = with_column(at, "recomputed")
    assert {"printed", "recomputed", "note"} <= set(printed.columns)


def test_ratings_of_ones_own_are_compared_with_always_neutral(
    open_page: Visit, figures: Figures, click: Callable[[AppTest, str, str], AppTest]
) -> None:
    at = open_page(view="trust")
    content = b"1\tthe teacher is wonderful\n0\tthe teacher is at home\n0\tthe teacher is happy\n-1\tthe baker is a horrible liar\n"
    at.file_uploader(key="ratings_file").set_value(("ratings.txt", content, "text/plain")).run()
    (points,) = figures(at)["figure_reliability_0"]["data"]
    assert numbers(points["x"]) == pytest.approx([75.0, 50.0])
    (differing,) = with_column(at, "people")
    assert differing.to_dict("records") == [
        {"sentence": "the teacher is happy", "people": "neutral", "sentiment": "positive"}
    ]
    at = click(at, "reliability_0", points["customdata"][1])
    (differing,) = with_column(at, "people")
    assert differing["people"].tolist() == ["positive", "negative"]
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
    assert in_numbers(at)["statements"].iloc[-1] == 3
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
    assert link(at, "mitigation_0")["filter_by"] == "keywords"


def test_regard_of_two_encoders_stands_side_by_side(open_page: Visit) -> None:
    at = open_page(encoders=["static", "bundled"], classifiers="regard")
    assert list(at.selectbox(key="labelled_by").options)[-2:] == ["regard:static", "regard"]


def test_the_way_for_a_larger_file_stands_beside_the_upload(open_page: Visit) -> None:
    at = open_page(sources="own file")
    assert "Files over 200 MB" in marked(at)
    assert "python -m core audit FILE --out DIR" in marked(at)


def test_a_point_names_the_targets_that_it_covers(open_page: Visit, figures: Figures) -> None:
    rows = "".join(f"the {name} is good {number}\n" for name in ("teacher", "baker", "nurse") for number in range(12))
    at = send(open_page(sources="own file", view="targets"), f"statement\n{rows}".encode())
    (points,) = [trace for trace in figures(at)["figure_regions_0"]["data"] if len(trace["text"]) > 1]
    hover = dict(zip((Point.read(key).target for key in points["customdata"]), points["text"], strict=True))
    assert set(hover) == {"teacher", "baker", "nurse"}
    for name, text in hover.items():
        covered = text.partition("at the same place: ")[2]
        assert set(covered.split(", ")) == set(hover) - {name}


def test_the_regions_state_their_thresholds(open_page: Visit, figures: Figures) -> None:
    layout = figures(open_page(view="targets"))["figure_regions_0"]["layout"]
    assert f"(dashed: {layout['shapes'][0]['x0']:.1f} %)" in layout["xaxis"]["title"]["text"]
    assert f"(dashed: {layout['shapes'][1]['y0']:.1f} %)" in layout["yaxis"]["title"]["text"]


def test_only_words_that_stand_out_are_drawn_and_without_any_the_page_says_so(
    open_page: Visit, figures: Figures
) -> None:
    few = "statement\nthe teacher is a horrible liar\nthe teacher is a horrible driver\nthe teacher sits\n"
    at = send(open_page(sources="own file", view="targets", minimum="1"), few.encode())
    assert not [key for key in drawn(at) if key.startswith("words")]
    assert "No word stands out in the negative statements (2 of them)" in marked(at)
    rows = "the teacher is a horrible liar\n" * 30 + "the teacher sits in the old garden\n" * 90
    at = send(at, f"statement\n{rows}".encode())
    shown = figures(at)
    bars = [
        trace for key, chart in shown.items() if "words" in key for trace in chart["data"] if trace["type"] == "bar"
    ]
    assert bars
    assert all(value >= 2 for trace in bars for value in numbers(trace["x"]))


def test_the_page_counts_every_broken_line_and_names_the_first(open_page: Visit) -> None:
    at = send(open_page(sources="own file"), b"statement\nteachers teach\n" + b"a,b\n" * 1_500)
    assert "1,500 malformed" in said(at)
    assert "first lines: 3, 4, 5" in said(at)
