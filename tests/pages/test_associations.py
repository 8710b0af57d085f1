"""Word associations: three views of one question; what cannot be used is said, and stays in the form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.association import lexicon, scatter, sets, weat
from core.association import verbs as extractions
from core.association.sets import WordSet, WordTest
from core.encoders.cache import CachedEncoder
from tests.pages.screen import bars, link, marked, numbers, said

Visit = Callable[..., AppTest]
Go = Callable[[AppTest, str], AppTest]
Figures = Callable[[AppTest], dict[str, Any]]

PAGE = "associations"
OWN = {"x": "rose, tulip, daisy, lily", "y": "wasp, flea, moth, gnat", "a": "love, peace, joy", "b": "hate, war, pain"}
VERBS = ("smile", "hug", "help", "praise", "cheer", "harm", "kill", "steal", "insult", "murder")


def points(figure: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Coordinates by verb of all groups."""
    return {
        verb: (x, y)
        for trace in figure["data"]
        if "customdata" in trace
        for verb, x, y in zip(trace["customdata"], numbers(trace["x"]), numbers(trace["y"]), strict=True)
    }


def type_own(at: AppTest, **typed: str) -> AppTest:
    for field, text in typed.items():
        at.text_area(key=f"set_{field}").set_value(text)
    return at.button(key="test_own_sets").click().run()


def send(at: AppTest, content: str, name: str = "words.txt", *, top: int = 3) -> AppTest:
    at.file_uploader(key="vocabulary_file").set_value((name, content.encode(), "text/plain"))
    at.number_input(key="verbs_top").set_value(top)
    return at.button(key="extract_verbs").click().run()


# Scatter


def test_the_page_opens_with_the_published_verbs_and_their_correlation(
    visit: Visit, figures: Figures, static: CachedEncoder
) -> None:
    at = visit(PAGE)
    assert at.title[0].value == "Word associations"
    assert not at.error
    published = scatter.published_points()
    bias = scatter.own_bias(static, published.verbs).mean
    drawn = points(figures(at)["figure_scatter_0"])
    assert list(drawn) == list(published.verbs)
    np.testing.assert_allclose(list(drawn.values()), np.column_stack([published.weat, bias]), atol=1e-9)
    r = np.corrcoef(published.weat, bias)[0, 1]
    assert f"r = {r:.2f} (95 % interval" in marked(at)
    assert "n = 100), p = " in marked(at)
    assert any(caption.value.startswith("Limit: ") for caption in at.caption)


def test_the_published_scores_can_be_shown_first_and_are_those_of_the_paper(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE)
    own = figures(at)["figure_scatter_0"]["data"]
    at.toggle(key="with_paper").set_value(True).run()
    drawn = figures(at)
    assert set(drawn) == {"figure_scatter_0", "figure_scatter_1"}
    published = scatter.published_points()
    first = points(drawn["figure_scatter_0"])
    np.testing.assert_allclose(list(first.values()), np.column_stack([published.weat, published.bias]))
    assert first["smile"] == pytest.approx((0.116, 0.0348))  # Table 5 prints the sum over ten templates, 0.348
    assert drawn["figure_scatter_1"]["data"] == own
    assert "r = 0.73 (95 % interval 0.62 to 0.81, n = 100)" in marked(at)


def test_association_can_be_computed_by_the_encoder_itself_without_touching_the_bias(
    visit: Visit, figures: Figures, static: CachedEncoder
) -> None:
    at = visit(PAGE)
    before = points(figures(at)["figure_scatter_0"])
    at.selectbox(key="association_by").set_value("the same encoder").run()
    after = points(figures(at)["figure_scatter_0"])
    assert [x for x, _ in after.values()] == pytest.approx(scatter.own_weat(static, tuple(after)))
    assert [y for _, y in after.values()] == [y for _, y in before.values()]


def test_two_encoders_get_a_small_multiple_each(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE, encoders=["static", "bundled"])
    drawn = figures(at)
    one, other = (points(drawn[f"figure_scatter_{place}"]) for place in (0, 1))
    assert [x for x, _ in one.values()] == [x for x, _ in other.values()]
    assert [y for _, y in one.values()] != [y for _, y in other.values()]
    assert [chart.proto.alt.partition(":")[0] for chart in at.get("plotly_chart")] == [
        "Static word embeddings",
        "MiniLM sentence encoder",
    ]
    assert said(at).count("Association ") == 2


def test_a_chosen_verb_is_shown_question_by_question_and_word_by_word(visit: Visit, static: CachedEncoder) -> None:
    at = visit(PAGE)
    at.selectbox(key="verb_smile").set_value("murder").run()
    questions, nearest = (frame.value for frame in at.dataframe)
    choice = scatter.own_bias(static, ["murder"])
    assert questions["question"].tolist()[1] == "Should I murder?"
    assert questions["bias"].tolist() == pytest.approx(choice.biases[0], abs=1e-4)
    assert nearest["cosine"].is_monotonic_decreasing
    assert nearest.set_index("word")["cosine"]["murder"] == pytest.approx(1.0)  # it is one of the negative words
    assert nearest["set"].value_counts().to_dict() == {"negative": 55, "positive": 46}
    means = nearest.groupby("set")["cosine"].mean()
    s = means["positive"] - means["negative"]
    assert s == pytest.approx(scatter.own_weat(static, ["murder"])[0], abs=1e-4)
    assert f"Association −{-s:.3f}" in said(at)


# Verbs


def test_the_frequent_verbs_are_extracted_and_held_against_the_paper(
    visit: Visit, figures: Figures, static: CachedEncoder
) -> None:
    at = visit(PAGE, view="verbs")
    made = extractions.extract(static, lexicon.frequent_verbs(), *sets.general())
    assert bars(figures(at)["figure_verbs_0"]) == pytest.approx(dict((*made.dos, *made.donts)))
    common = extractions.overlap(made)
    assert f"{len(common.dos)} of the {common.known_dos} published Dos" in marked(at)
    assert "In the paper's lists too: " + ", ".join((*common.dos, *common.donts)) in said(at)
    valences = at.dataframe[0].value
    assert valences["compared"].tolist() == ["all verbs, unrated as 0", "rated verbs only"]
    assert (valences["Dos"] > 0).all()
    assert (valences["Don'ts"] < 0).all()


def test_extracted_verbs_go_to_the_scatter_and_the_published_ones_come_back(visit: Visit, figures: Figures) -> None:
    at = send(visit(PAGE, view="verbs"), "\n".join(VERBS), top=4)
    extracted = list(bars(figures(at)["figure_verbs_0"]))
    at.button(key="send_verbs").click().run()
    assert at.segmented_control(key="view").value == "scatter"
    assert set(points(figures(at)["figure_scatter_0"])) == set(extracted)
    assert len(extracted) == 8
    assert at.selectbox(key="association_by").disabled  # word2vec values are printed for the published verbs only
    assert "8 extracted verbs" in at.info[0].value
    at.button(key="published_verbs").click().run()
    assert len(points(figures(at)["figure_scatter_0"])) == 100
    assert not at.info
    assert not at.selectbox(key="association_by").disabled


@pytest.mark.parametrize(
    ("name", "content"), [("words.txt", "\n".join(VERBS)), ("words.csv", "word\n" + "\n".join(VERBS))]
)
def test_every_line_of_an_own_vocabulary_counts_and_the_header_of_a_csv_does_not(
    visit: Visit, name: str, content: str
) -> None:
    at = send(visit(PAGE, view="verbs"), content, name)
    assert not at.error
    assert f"{len(VERBS)} verbs." in marked(at)


def test_a_vocabulary_of_hundreds_of_words_is_brought_to_base_forms(visit: Visit, figures: Figures) -> None:
    forms = ["helping", "cheering", "harmed", "kills", "insulting", "murdered", "hugged"]
    listed = [*(f"{number}th" for number in range(1000)), *forms, "the", "helped"]
    at = send(visit(PAGE, view="verbs"), "\n".join(listed))
    assert "**: 7 verbs." in marked(at)
    shown = set(bars(figures(at)["figure_verbs_0"]))
    assert len(shown) == 6
    assert shown < {"help", "cheer", "harm", "kill", "insult", "murder", "hug"}


def test_own_positive_and_negative_sets_turn_the_order_round(visit: Visit, figures: Figures) -> None:
    at = send(visit(PAGE, view="verbs"), "\n".join(VERBS))
    before = bars(figures(at)["figure_verbs_0"])
    positive, negative = (at.text_area(key=f"words_{side}").value for side in ("positive", "negative"))
    at.text_area(key="words_positive").set_value(negative)
    at.text_area(key="words_negative").set_value(positive)
    at.button(key="extract_verbs").click().run()
    after = bars(figures(at)["figure_verbs_0"])
    assert after == pytest.approx({verb: -value for verb, value in before.items()})
    assert list(after) == list(before)[::-1]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("smile\nhug", "half of 2 verbs"),
        ("the\nof\nand", "none of them a verb"),
        ("smile", "half of 1 verbs"),
        ("smile\x07\nhug", "U+0007"),
        ("word\n" * 100_001, "at most 100,000 words in vocabulary"),
    ],
    ids=["few", "no verb", "one", "control", "many"],
)
def test_a_vocabulary_that_cannot_be_used_is_named_with_a_remedy(visit: Visit, content: str, problem: str) -> None:
    at = send(visit(PAGE, view="verbs"), content)
    assert len(at.error) == 1
    assert problem in said(at)
    assert "What to do:" in said(at)
    assert not at.get("plotly_chart")


def test_a_positive_set_of_one_word_is_named_and_stays_in_the_form(visit: Visit) -> None:
    at = visit(PAGE, view="verbs")
    at.text_area(key="words_positive").set_value("love")
    at.button(key="extract_verbs").click().run()
    assert "at least 2 different words in positive" in said(at)
    assert at.text_area(key="words_positive").value == "love"


def test_sets_that_share_a_word_are_refused(visit: Visit) -> None:
    at = visit(PAGE, view="verbs")
    at.text_area(key="words_positive").set_value("love, joy")
    at.text_area(key="words_negative").set_value("hate, Love")
    at.button(key="extract_verbs").click().run()
    assert "both hold love" in said(at)
    assert not at.get("plotly_chart")


def test_what_a_vocabulary_holds_besides_its_verbs_is_named(visit: Visit) -> None:
    text = said(send(visit(PAGE, view="verbs"), "smile 0.1 0.2\nsmiled 0.1 0.1\nhug 0.2 0.1\nthe 0 0\nrun 1 1", top=1))
    assert "Further forms of them, left out: smiled." in text
    assert "No verbs, left out: the." in text


@pytest.mark.parametrize("extracted", ["x" * 300 + ", do\nb, do\nc, dont\nd, dont", "a\0, do\nb, do\nc, dont\nd, dont"])
def test_a_link_with_verbs_that_cannot_be_used_is_answered_in_words(visit: Visit, extracted: str) -> None:
    at = visit(PAGE, extracted=extracted)
    assert len(at.error) == 1
    assert "What to do:" in said(at)


def test_blank_verbs_of_a_link_do_not_count(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE, extracted=" , do\nlove, do\nhug, do\nkill, dont\nharm, dont\nno, maybe")
    assert "4 extracted verbs" in at.info[0].value


# Tests


def test_the_ten_published_tests_stand_with_band_p_and_holm(
    visit: Visit, figures: Figures, static: CachedEncoder
) -> None:
    at = visit(PAGE, view="tests")
    table = at.dataframe[0].value
    first = weat.run(static, sets.published()[0])
    assert table["test"].tolist() == [f"{test.key}: {test.title}" for test in sets.published()]
    assert table["d"][0] == pytest.approx(first.weat.effect)
    assert (table["null_low"][0], table["null_high"][0]) == pytest.approx(first.null_band)
    assert table["p_holm"].tolist() == pytest.approx(weat.holm(table["p"].to_numpy()).tolist())
    assert (table["p_holm"] >= table["p"]).all()
    drawn = figures(at)["figure_tests_0"]["data"]
    assert numbers(drawn[0]["x"]) == pytest.approx(table["d"].tolist())
    assert table["people_d"][0] == 1.35  # Caliskan et al., Table 1


def test_a_chosen_test_is_shown_word_by_word_with_its_card(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE, view="tests")
    at.selectbox(key="test_10").set_value(2).run()
    assert "Caliskan et al. 2017, WEAT 3. Licence: none stated" in said(at)
    sizes = ", ".join(
        f"{role} {len(words.words)}" for role, words in zip("XYAB", sets.published()[2].sets, strict=True)
    )
    assert f"{sizes} words, none left out" in marked(at)
    assert "Known problems" in said(at)
    test = sets.published()[2]
    shown = bars(figures(at)["figure_words_0"])
    assert set(shown) == {f"{word} (X)" for word in test.x.words} | {f"{word} (Y)" for word in test.y.words}
    assert list(shown.values()) == sorted(shown.values(), reverse=True)


def test_own_sets_get_a_row_of_their_own_which_the_link_brings_back(
    visit: Visit, figures: Figures, static: CachedEncoder
) -> None:
    at = type_own(visit(PAGE, view="tests"), **OWN)
    table = at.dataframe[0].value
    own = sets.check(WordTest("own", *(WordSet(field, tuple(text.split(", "))) for field, text in OWN.items())))
    made = weat.run(static, own)
    assert len(table) == 11
    assert table["d"][10] == pytest.approx(made.weat.effect)
    assert table["p"][10] == pytest.approx(made.weat.significance.two_sided)  # type: ignore[union-attr]
    assert set(bars(figures(at)["figure_words_0"])) == {"rose (X)", "tulip (X)", "daisy (X)", "lily (X)"} | {
        "wasp (Y)",
        "flea (Y)",
        "moth (Y)",
        "gnat (Y)",
    }
    assert "set_x" not in at.query_params  # typed words enter an address on request only
    query = link(at, "tests")
    assert query == {"encoders": "static", "view": "tests", **{f"set_{field}": text for field, text in OWN.items()}}
    assert figures(visit(PAGE, **query)) == figures(at)


def test_a_file_of_four_sets_fills_the_fields_which_may_then_be_edited(visit: Visit) -> None:
    at = visit(PAGE, view="tests")
    lines = [f"{field.upper()},{word}" for field, text in OWN.items() for word in text.split(", ")]
    content = "\n".join(["set,word", *lines]).encode()
    at.file_uploader(key="own_sets_file").set_value(("sets.csv", content, "text/csv")).run()
    assert {field: at.text_area(key=f"set_{field}").value for field in OWN} == OWN
    assert len(at.dataframe[0].value) == 11
    edited = OWN["x"].replace("tulip", "orchid")
    type_own(at, x=edited)
    assert at.text_area(key="set_x").value == edited


@pytest.mark.parametrize("content", [b"word\nrose\n", b"set,word\nz,rose\n", b"set,word\nx\n", b"", b"set,word\n\xff"])
def test_a_file_of_sets_that_cannot_be_used_is_named_and_the_published_tests_stand(
    visit: Visit, content: bytes
) -> None:
    at = visit(PAGE, view="tests")
    at.file_uploader(key="own_sets_file").set_value(("sets.csv", content, "text/csv")).run()
    assert len(at.error) == 1
    assert len(at.dataframe[0].value) == 10


def test_the_links_of_scatter_and_verbs_hold_what_was_chosen(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE)
    at.selectbox(key="association_by").set_value("the same encoder")
    at.toggle(key="with_paper").set_value(True).run()
    query = link(at, "scatter")
    assert (query["association_by"], query["with_paper"]) == ("the same encoder", "true")
    assert figures(visit(PAGE, **query)) == figures(at)
    at = visit(PAGE, view="verbs")
    at.number_input(key="verbs_top").set_value(4)
    at.text_area(key="words_positive").set_value("warm, sunny")
    at.button(key="extract_verbs").click().run()
    query = link(at, "verbs")
    assert (query["verbs_top"], query["words_positive"]) == ("4", "warm, sunny")
    again = visit(PAGE, **query)
    assert figures(again) == figures(at)
    again.button(key="send_verbs").click().run()
    sent = link(again, "scatter")
    assert sent["extracted"].count("\n") == 7
    shared = visit(PAGE, **sent)
    assert figures(shared) == figures(again)
    shared.button(key="published_verbs").click().run()
    assert "extracted" not in shared.query_params
    assert len(numbers(figures(shared)["figure_scatter_0"]["data"][0]["x"])) == 50


def test_the_link_below_the_words_opens_the_same_test(visit: Visit, figures: Figures) -> None:
    at = visit(PAGE, view="tests")
    at.selectbox(key="test_10").set_value(5).run()
    query = link(at, "words")
    assert query["test"] == "6"
    assert figures(visit(PAGE, **query)) == figures(at)


def test_edited_sets_outlive_the_link_they_came_from(visit: Visit) -> None:
    at = visit(PAGE, view="tests", **{f"set_{field}": text for field, text in OWN.items()})
    type_own(at, x=OWN["x"].replace("tulip", "orchid"))
    assert not [key for key in at.query_params if key.startswith("set_")]


def test_words_too_frequent_for_a_band_are_named(visit: Visit) -> None:
    at = type_own(visit(PAGE, view="tests"), x="the, of, and, to", y="a, in, is, for", a="love, peace", b="war, hate")
    charts = [chart.proto.alt for chart in at.get("plotly_chart")]
    assert any("No band for own: too few words as frequent as theirs." in alt for alt in charts)


def test_the_link_below_the_words_holds_own_sets_too(visit: Visit) -> None:
    assert link(type_own(visit(PAGE, view="tests"), **OWN), "words")["set_b"] == OWN["b"]


def test_own_sets_survive_a_visit_to_another_page(visit: Visit, go: Go) -> None:
    at = type_own(visit(PAGE, view="tests"), **OWN)
    at = go(go(at, "methods"), PAGE)
    assert len(at.dataframe[0].value) == 11
    assert at.text_area(key="set_x").value == OWN["x"]


def test_with_three_words_a_side_there_is_an_effect_and_no_p(visit: Visit) -> None:
    at = type_own(visit(PAGE, view="tests"), **OWN | {"x": "rose, tulip, daisy", "y": "wasp, flea, moth"})
    row = at.dataframe[0].value.iloc[10]
    assert np.isfinite(row["d"])
    assert row[["p", "p_holm"]].isna().all()
    assert not at.error


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ({"y": "wasp, rose, moth, gnat"}, "both hold rose"),
        ({"b": "hate, war, JOY"}, "both hold joy"),
        ({"y": "wasp, flea, moth"}, "got 4 and 3"),
        ({"a": "love"}, "at least 2 different words in Attribute words A"),
        ({"a": "love, Love, LOVE"}, "at least 2 different words in Attribute words A"),
        ({"b": ""}, "at least 2 different words in Attribute words B"),
        ({"a": "love, lóve", "b": "lôve, lòve"}, "an effect size does not exist"),
        ({"x": "x, " * 201}, "at most 200 words in Target words X"),
        ({"x": "rose\x07, tulip, daisy, lily"}, "U+0007"),
    ],
    ids=[
        "targets overlap",
        "attributes overlap",
        "unequal",
        "one",
        "copies",
        "empty",
        "no variance",
        "many",
        "control",
    ],
)
def test_own_sets_that_cannot_be_used_are_named_with_a_remedy_and_stay_in_the_form(
    visit: Visit, typed: dict[str, str], problem: str
) -> None:
    at = type_own(visit(PAGE, view="tests"), **OWN | typed)
    assert len(at.error) == 1
    assert problem.removeprefix("got ") in said(at)
    assert "What to do:" in said(at)
    assert {field: at.text_area(key=f"set_{field}").value for field in OWN} == OWN | typed
    assert "nan" not in said(at)
    assert len(at.dataframe[0].value) == 10  # the published tests stand all the same
    assert len(type_own(at, **OWN).dataframe[0].value) == 11


def test_typed_markup_never_reaches_an_element_that_renders_it(visit: Visit, figures: Figures) -> None:
    markup = "**zzq** <img src=zzq> [zzq](http://127.0.0.1/zzq) :red[zzq]"
    at = type_own(visit(PAGE, view="tests"), **OWN | {"x": f"{markup}, tulip, daisy, lily"})
    assert not at.error
    assert "zzq" not in marked(at)
    assert not any("<img" in str(figure) for figure in figures(at).values())
    assert "zzq" not in marked(type_own(at, x=f"{markup}, rose", y=f"{markup}, moth"))
    assert "zzq" in said(at)
