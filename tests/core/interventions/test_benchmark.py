"""Runs: what is counted, reported, stopped, and looked up afterwards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from core import datasets
from core.interventions import records
from core.interventions.answerers.catalog import open_answerer
from core.interventions.answerers.encoder import asked_sentence
from core.interventions.benchmark import PART, Benchmark, ask, explain, places_of, run, run_specified
from core.interventions.released import SPECIFIED, Specified, read
from core.interventions.scenarios import RELEASED, SHIPPED, Stories, load
from core.interventions.stories import Ask, Span, Story, own
from core.vectors import FloatArray


class Favourite:
    """Gives one name all the score, whatever is asked, unless the question says never; notes how much it was asked."""

    name, identity = "favourite", "made by hand"

    def __init__(self, name: str, *, reads: bool = True) -> None:
        self._favourite, self._reads, self.asked = name, reads, 0

    def answer(
        self, contexts: Sequence[str], questions: Sequence[str], spans: Sequence[tuple[Span, Span]]
    ) -> FloatArray:
        self.asked += len(contexts)
        rows = []
        for context, question, both in zip(contexts, questions, spans, strict=True):
            likes = [float(context[start:end] == self._favourite) for start, end in both]
            if sum(likes) == 0:
                likes = [0.5, 0.5]
            rows.append(likes[::-1] if self._reads and "never" in question else likes)
        return np.array(rows).reshape(len(contexts), 2)


def test_a_favourite_has_a_preference_of_one_and_shares_it_with_nobody() -> None:
    stories = Stories(load("gender"))
    found = run(Favourite("Clara"), stories)
    assert found.complete
    clara = found.subjects.index("Clara")
    for one in found.measures:
        np.testing.assert_allclose(one.gamma[clara], 1)
        # five names are compared with Clara among five others each, the other female names with none of them
        others = {subject: one.gamma[place] for place, subject in enumerate(found.subjects)}
        np.testing.assert_allclose(others["Daniel"], -1 / 5)
        np.testing.assert_allclose(others["Julia"], 0)
        assert one.mu == pytest.approx((1 + 5 / 5) / 10)
        assert (one.delta, one.epsilon, one.theta4) == (0, 0, pytest.approx(5 / 25))


class Deaf:
    """Reads no intervention: scores by names and the question alone."""

    name, identity = "deaf", "made by hand"

    def answer(
        self, contexts: Sequence[str], questions: Sequence[str], spans: Sequence[tuple[Span, Span]]
    ) -> FloatArray:
        rows = []
        for context, question, both in zip(contexts, questions, spans, strict=True):
            plain = asked_sentence(question)
            rows.append([crc32(f"{context}|{plain}|{context[start:end]}".encode()) / 2**32 for start, end in both])
        return np.array(rows).reshape(len(contexts), 2)


def figures(found: Benchmark) -> set[tuple[float, ...]]:
    return {(one.mu, one.eta, one.delta, one.epsilon, one.theta4, one.n, *one.interval()) for one in found.measures}


@pytest.mark.parametrize("most", [200, 2000])
@pytest.mark.parametrize("name", SHIPPED)
def test_classes_do_not_differ_for_an_answerer_that_ignores_interventions(name: str, most: int) -> None:
    found = run(Deaf(), Stories(load(name), most=most))
    assert len(found.kinds) == 4
    assert len(figures(found)) == 1
    assert len({repr(one.gamma.tolist()) for one in found.measures}) == 1


@pytest.mark.data
@pytest.mark.parametrize("most", [200, 2000])
@pytest.mark.parametrize("name", RELEASED)
def test_nor_do_they_on_the_released_word_lists(name: str, most: int) -> None:
    assert len(figures(run(Deaf(), Stories(load(name, datasets.default_directory()), most=most)))) == 1


@pytest.mark.parametrize("said", ["", "Be fair."])
def test_a_stopped_run_has_put_the_same_scenarios_to_every_class(said: str) -> None:
    told = list[float]()
    found = run(
        Deaf(),
        Stories(load("religion"), own=said),
        progress=lambda share, what: told.append(share),
        should_stop=lambda: len(told) == 3,
    )
    assert not found.complete
    assert len(figures(found)) == 1


def test_every_story_is_asked_four_questions_once() -> None:
    answerer, stories = Favourite("Clara"), Stories(load("gender"), most=PART)
    assert run(answerer, stories).done == len(stories) == 4 * PART
    assert answerer.asked == 4 * len(stories)


def test_progress_is_told_and_a_stop_leaves_the_figures_of_what_was_put() -> None:
    stories, told = Stories(load("gender"), kinds=["none"]), list[float]()
    stopped = run(
        Favourite("Clara"), stories, progress=lambda share, what: told.append(share), should_stop=lambda: len(told) == 2
    )
    assert told == [0, PART / 600]
    assert (stopped.done, stopped.of, stopped.complete) == (2 * PART, 600, False)
    assert stopped.measures[0].n == 2 * PART
    assert run(Favourite("Clara"), stories, should_stop=lambda: True).measures[0].n == 0


def test_themes_share_out_the_stories() -> None:
    found = run(Favourite("Hindu"), Stories(load("religion")))
    assert tuple(found.themes) == ("poverty", "success", "rude", "crime")
    for place, one in enumerate(found.measures):
        assert sum(measures[place].n for measures in found.themes.values()) == one.n


def test_what_stands_behind_a_figure_can_be_asked_again() -> None:
    stories = Stories(load("religion"))
    places = places_of(stories, kind="ethical", subject="Hindu", attribute="interrupted everybody")
    assert len(places) == 6 * 4  # other subjects, templates
    answered = explain(Favourite("Hindu"), [stories[place] for place in places[:3]])
    for item in answered:
        assert "Hindu" in item.story.subjects
        assert item.correction.comparative == (1 if item.story.subjects[0] == "Hindu" else -1)


def test_a_story_of_ones_own_is_asked_under_every_class() -> None:
    kinds = {"none": "", "ethical": "Be fair.", "own": "Never mind."}
    stories = [
        own("Ann met Bob.", ("Ann", "Bob"), "Who paid?", "Who never paid?", kind=kind, intervention=said)
        for kind, said in kinds.items()
    ]
    assert ask(Favourite("Ann", reads=False), stories).shape == (2, 2, 2, 3)


def test_an_unanswered_story_stays_in_its_place() -> None:
    whole = own("Ann met Bob.", ("Ann", "Bob"), "Who paid?", "Who never paid?")
    half = Story(whole.subjects, "", "", "", "none", "", (*whole.asks[:3], None))
    scores = ask(Favourite("Ann"), [half, whole, half])
    assert np.isnan(scores).all(axis=(0, 1, 2)).tolist() == [True, False, True]
    assert np.isnan(ask(Favourite("Ann"), [half])).all()


def questions() -> list[Specified]:
    spans = ((0, 3), (8, 11))
    return [
        Specified(
            str(place),
            Ask("Ann met Bob.", "Who paid?", spans, place % 2),
            Ask("Ann met Bob.", "Who never paid?", spans),
        )
        for place in range(10)
    ]


def test_accuracy_is_the_share_of_supported_subjects_with_its_interval() -> None:
    found = run_specified(Favourite("Ann"), questions())
    assert (found.correct, found.accuracy, found.same_on_negation) == (5, 0.5, 0.0)
    assert found.interval == pytest.approx((0.2366, 0.7634), abs=1e-4)  # Wilson (1927) for 5 of 10
    assert run_specified(Favourite("Ann", reads=False), questions()).same_on_negation == 1


def test_a_tie_is_not_right() -> None:
    assert run_specified(Favourite("Eve"), questions()).correct == 0


def test_records_hold_what_json_can_hold_also_where_nothing_was_answered() -> None:
    nothing = run(Favourite("Clara"), Stories(load("gender")), should_stop=lambda: True)
    record = records.benchmark_record(nothing)
    assert record["classes"]["ethical"]["mu"] is None
    assert record["classes"]["ethical"]["interval"] == [None, None]
    assert record["subjects"][0]["classes"]["none"] == {"mu": None, "gamma": None, "n": 0}
    assert record["attributes"] == []
    assert records.accuracy_record(run_specified(Favourite("Ann"), []))["specified"]["accuracy"] is None


def test_a_record_names_figures_by_class_subject_attribute_and_theme() -> None:
    record = records.benchmark_record(run(Favourite("Clara"), Stories(load("gender"))))
    assert set(record["classes"]) == {"none", "ethical", "adversarial", "irrelevant"}
    ethical = record["classes"]["ethical"]
    assert set(ethical) == {
        *("mu", "eta", "delta", "epsilon", "theta4", "n", "interval", "delta_interval", "epsilon_interval"),
        *("note", "noise", "desired", "missing"),
    }
    assert (ethical["desired"], record["classes"]["adversarial"]["desired"]) == (0.0, 1.0)
    clara = next(row for row in record["subjects"] if row["subject"] == "Clara")
    assert clara["classes"]["none"] == {"mu": 1.0, "gamma": 1.0, "n": 120}
    assert len(record["attributes"]) == 4 * 10 * 8
    assert [row["theme"] for row in record["themes"]] == ["work"]


@pytest.mark.data
def test_a_baseline_that_counts_names_solves_the_specified_set(cache_dir: Path) -> None:
    content = datasets.require(SPECIFIED, datasets.default_directory()).read_bytes()
    found = read(content)
    assert isinstance(found, tuple)
    for item in found:
        words = re.findall(r"\w+", item.question.context)
        named = [words.count(item.question.context[start:end]) for start, end in item.question.spans]
        assert named[item.question.wanted] == 1 + named[1 - item.question.wanted]
    result = run_specified(open_answerer("encoder:static", cache_dir), found)
    assert result.of == 5432
    # Every context names the supported subject once more than the other: the set does not need a reader.
    assert result.accuracy > 0.99
    assert result.same_on_negation > 0.99
