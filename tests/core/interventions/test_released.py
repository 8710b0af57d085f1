"""Question files: whole ones, halves, and files that are none."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from core import datasets
from core.errors import InputError, ModelError
from core.interventions.answerers.published import PublishedAnswerer
from core.interventions.benchmark import ask, run
from core.interventions.released import RELIGION_DEV, SPECIFIED, Released, Specified, read


def entry(
    context: str, names: tuple[str, str], *, kind: str = "ethical", attribute: str = "paid", wanted: int = -1
) -> dict[str, Any]:
    """One entry as the released files have it; scores are 0.64 and 0.36 of the subject named first and second."""

    def answers(*scores: float) -> list[dict[str, Any]]:
        return [
            {"text": name, "answer_start": context.index(name), "start-end-score": [score, score]}
            for name, score in zip(names, scores, strict=True)
        ]

    key = "|".join(("ann", "bob", "0", "work", attribute, attribute, f"{kind}_work-1"))
    questions = [
        {"id": "1", "question": "Note that, x. Who paid?", "answers": answers(0.64, 0.36), "tomax": wanted},
        {"id": "2", "question": "Note that, x. Who never paid?", "answers": answers(0.16, 0.09), "tomax": 1 - wanted},
    ]
    return {
        "title": "ann-bob",
        "paragraphs": [{"key": key, "context": context, "intervention": kind, "qas": questions}],
    }


ONE, OTHER = entry("Ann met Bob.", ("Ann", "Bob")), entry("Bob met Ann.", ("Bob", "Ann"))


def file(*entries: dict[str, Any]) -> bytes:
    return json.dumps({"version": "1", "data": list(entries)}).encode()


def released(*entries: dict[str, Any]) -> Released:
    found = read(file(*entries))
    assert isinstance(found, Released)
    return found


def test_two_orders_of_a_key_make_one_story_with_its_scores() -> None:
    found = released(ONE, OTHER)
    assert len(found) == 1
    story = found[0]
    assert story.subjects == ("ann", "bob")
    assert (story.attribute, story.theme, story.template, story.kind) == ("paid", "work", "0", "ethical")
    assert [one.context for one in story.asks if one] == ["Ann met Bob."] * 2 + ["Bob met Ann."] * 2
    scores = ask(PublishedAnswerer(found), [story])[..., 0]
    # whoever is named first has 0.64 and 0.16, the other 0.36 and 0.09
    np.testing.assert_allclose(scores, [[[0.64, 0.36], [0.16, 0.09]], [[0.36, 0.64], [0.09, 0.16]]])
    assert (found.kinds, found.subjects, found.pairs) == (("ethical",), ("ann", "bob"), ((0, 1),))


def test_the_order_of_the_entries_does_not_matter() -> None:
    assert released(OTHER, ONE)[0] == released(ONE, OTHER)[0]


def test_a_key_that_stands_four_times_makes_two_stories() -> None:
    again = json.loads(json.dumps([ONE, OTHER]).replace("x.", "y."))
    found = released(ONE, OTHER, *again)
    assert (len(found), found.notes) == (2, ())


def test_an_entry_that_is_repeated_is_counted_once_and_said() -> None:
    found = released(ONE, OTHER, ONE, OTHER, ONE)
    assert len(found) == 1
    assert found.notes == (
        "3 entries repeat others and are counted once, the first: ann|bob|0|work|paid|paid|ethical_work-1",
    )


def scored(score: object) -> dict[str, Any]:
    """The second order of a story, of which one score is another."""
    changed = json.loads(json.dumps(OTHER))
    changed["paragraphs"][0]["qas"][1]["answers"][0]["start-end-score"] = [score, 0.5]
    return dict(changed)


@pytest.mark.parametrize("score", [64, -0.1, float("nan"), float("inf"), 1.0001])
@pytest.mark.filterwarnings("error")
def test_a_stored_score_that_is_no_probability_leaves_its_story_out(score: float) -> None:
    whole = [json.loads(json.dumps(item).replace("paid", "won")) for item in (ONE, OTHER)]
    found = released(ONE, scored(score), *whole)
    result = run(PublishedAnswerer(found), found)
    assert (result.missing, result.measures[0].n) == ({"ethical": 1}, 1)
    assert found.notes[0].startswith("1 stored score is no number from 0 to 1 and is taken for missing, the first: ")


def test_percentages_for_probabilities_are_refused() -> None:
    percent = json.loads(json.dumps([ONE, OTHER]))
    for item in percent:
        for question in item["paragraphs"][0]["qas"]:
            for answer in question["answers"]:
                answer["start-end-score"] = [64, 64]
    with pytest.raises(InputError, match=r"from 0 to 1, got 64 and 64 for Ann in .+ no percentages"):
        released(*percent)


def test_a_lone_question_is_taken_for_neither() -> None:
    half = json.loads(json.dumps(OTHER))
    half["paragraphs"][0]["qas"].pop(0)
    (story,) = released(ONE, half).stories
    assert [one is None for one in story.asks] == [False, False, True, True]


def test_the_wanted_answer_is_turned_from_the_order_of_the_context_to_that_of_the_subjects() -> None:
    found = released(
        entry("Ann met Bob.", ("Ann", "Bob"), kind="adversarial", wanted=1),
        entry("Bob met Ann.", ("Bob", "Ann"), kind="adversarial", wanted=0),
    )
    assert [one.wanted for one in found[0].asks if one] == [1, 0, 1, 0]


def test_a_story_without_its_other_order_is_left_out_and_named() -> None:
    found = released(ONE, OTHER, entry("Ann met Bob.", ("Ann", "Bob"), attribute="won"))
    result = run(PublishedAnswerer(found), found)
    assert result.missing == {"ethical": 1}
    assert result.named == ("ann | bob | 0 | won | ethical",)
    assert result.measures[0].n == 1
    assert result.measures[0].gamma.shape == (2, 2)


@pytest.mark.parametrize("cut", ["question", "answer", "score"])
def test_a_story_that_lacks_a_question_an_answer_or_a_score_is_left_out_and_counted(cut: str) -> None:
    half = json.loads(json.dumps(OTHER))
    questions = half["paragraphs"][0]["qas"]
    if cut == "question":
        questions.pop()
    elif cut == "answer":
        questions[1]["answers"].pop()
    else:
        del questions[1]["answers"][0]["start-end-score"]
    found = released(ONE, half)
    result = run(PublishedAnswerer(found), found)
    assert (len(found), result.missing, result.measures[0].n) == (1, {"ethical": 1}, 0)


def test_a_story_without_any_answer_is_no_crash() -> None:
    bare = json.loads(json.dumps(OTHER))
    for question in bare["paragraphs"][0]["qas"]:
        question["answers"] = []
    assert released(ONE, bare)[0].asks[2:] == (None, None)


def test_a_file_without_scores_is_read_but_has_no_published_answers() -> None:
    bare = json.loads(json.dumps([ONE, OTHER]))
    for item in bare:
        for question in item["paragraphs"][0]["qas"]:
            for answer in question["answers"]:
                del answer["start-end-score"]
    found = released(*bare)
    assert len(found) == 1
    with pytest.raises(ModelError, match="start-end-score"):
        PublishedAnswerer(found)


def specified(**changes: Any) -> bytes:
    def question(text: str) -> dict[str, Any]:
        return {"question": text, "pred": "", "ans0": {"text": "Rob"}, "ans1": {"text": "Robin"}}

    made = {"context": "Rob met Robin. Robin had paid.", "q0": question("Who paid?"), "q1": question("Who never paid?")}
    return json.dumps({"female|male|Rob|Robin|0|None|paid|paid": made | changes}).encode()


def test_a_specified_question_supports_the_name_of_the_group_male_and_its_negation_the_other() -> None:
    (found,) = read(specified())
    assert isinstance(found, Specified)
    assert found.question.spans == ((0, 3), (8, 13))
    assert (found.question.wanted, found.negated.wanted) == (1, 0)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "a JSON file, got Expecting value"),
        (b"[1, 2]", "a list “data”, or an object of entries with “q0” and “q1”, got list without either"),
        (b"{}", "got dict without either"),
        (b'{"data": []}', "got dict without either"),
        (b'{"data": [{"paragraphs": []}]}', "at least one story, got entries without a paragraph"),
        (b'{"data": [1]}', "TypeError ('int' object is not subscriptable) in entry 1"),
        (b'{"a": "q0"}', "in a. Remedy"),
        ("{}".encode("utf-16"), "text in UTF-8, got byte 0xff"),
        (b"[" * 100_000, "a JSON file"),
        (file(entry("Ann met Bob.", ("Ann", "Bob"), kind="stern")), "the intervention stern is none of none, ethical"),
        (
            file({"paragraphs": [{"key": "ann|bob", "context": "x", "intervention": "ethical", "qas": []}]}),
            "one without ann: x",
        ),
        (specified(context="Rob slept."), "one without Robin"),
        (specified(q1={}), "KeyError ('question')"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} bytes",
)
def test_what_is_no_question_file_is_named_with_its_remedy(content: bytes, said: str) -> None:
    with pytest.raises(InputError, match=r"^Expected .+, got .+ Remedy: ") as caught:
        read(content)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 500


def test_an_answer_that_does_not_stand_where_the_file_says_is_named() -> None:
    moved = json.loads(json.dumps(ONE))
    moved["paragraphs"][0]["qas"][0]["answers"][1]["answer_start"] = 0
    with pytest.raises(InputError, match=r"the context has no Bob at 0.+ in entry 2"):
        read(file(OTHER, moved))


@pytest.mark.data
def test_the_released_files_are_whole() -> None:
    directory = datasets.default_directory()
    stories = read(datasets.require(RELIGION_DEV, directory).read_bytes())
    assert isinstance(stories, Released)
    assert (len(stories), len(stories.scores)) == (1200, 4800)
    assert all(None not in story.asks for story in stories.stories)
    questions = read(datasets.require(SPECIFIED, directory).read_bytes())
    assert isinstance(questions, tuple)
    assert len(questions) == 5432
    assert {item.question.wanted for item in questions} == {0, 1}
