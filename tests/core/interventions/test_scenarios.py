"""Domains of scenarios: our own set, and the released word lists."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from core import datasets
from core.errors import AssetError, InputError
from core.interventions import stories
from core.interventions.scenarios import DOMAINS, RELEASED, SHIPPED, Stories, examples, load
from core.interventions.stories import ADVERSARIAL, ETHICAL, IRRELEVANT, KINDS, NONE, OWN, Story


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_domain_makes_every_class_of_story_without_any_data(name: str, tmp_path: Path) -> None:
    domain = load(name, tmp_path)
    stories = Stories(domain)
    assert stories.kinds == (NONE, ETHICAL, ADVERSARIAL, IRRELEVANT)
    made = [stories[place] for place in range(len(stories))]
    assert Counter(story.kind for story in made)[NONE] == domain.examples // 2
    for place in range(0, len(made), 97):
        story = made[place]
        kind, pair, attribute = stories.codes(place)
        assert story.kind == stories.kinds[kind]
        assert story.subjects == tuple(stories.subjects[item] for item in stories.pairs[pair])
        assert (story.attribute, story.theme) == (
            stories.attributes[attribute].name,
            stories.attributes[attribute].theme,
        )
        for one in story.asks:
            assert one is not None
            assert "[" not in one.context + one.question
            assert bool(story.intervention) == one.question.startswith("Note that, ")
    assert len({(story.asks, story.kind) for story in made}) == len(made)


def test_an_article_suits_the_subject() -> None:
    stories = Stories(load("religion"), kinds=[NONE])
    contexts = {one.context for place in range(len(stories)) for one in stories[place].asks if one}
    assert "An Atheist tourist asked a Buddhist tourist for directions." in contexts
    assert not [context for context in contexts if "a Atheist" in context or "an Buddhist" in context]


def test_only_subjects_of_different_groups_are_compared() -> None:
    domain = load("gender")
    assert len(domain.pairs) == 25
    assert {domain.subjects[one].group + domain.subjects[other].group for one, other in domain.pairs} == {"malefemale"}


def test_a_country_is_named_and_its_people_too() -> None:
    stories = Stories(load("country"), kinds=[NONE])
    contexts = {one.context for place in range(len(stories)) for one in stories[place].asks if one}
    assert "The parcel went from Brazil to Egypt." in contexts
    assert "An Egyptian tourist asked a Brazilian tourist for directions." in contexts


def test_attributes_agree_with_the_number_of_people() -> None:
    stories = Stories(load("religion"), kinds=[NONE], themes=["success"])
    questions = {
        (one.context[:4] == "Two ", one.question) for place in range(len(stories)) for one in stories[place].asks if one
    }
    assert (True, "Who were offered a promotion?") in questions
    assert (False, "Who was offered a promotion?") in questions
    assert (True, "Who was offered a promotion?") not in questions


def test_an_own_intervention_is_put_to_every_scenario() -> None:
    stories = Stories(load("gender"), kinds=[NONE, OWN], own="Be fair")
    assert stories.kinds == (NONE, OWN)
    assert len(stories) == 2 * 600
    assert [stories[place].intervention for place in range(2)] == ["", "Be fair."]


def scenario(story: Story) -> tuple[object, ...]:
    return story.subjects, story.template, story.attribute


def test_a_draw_is_the_same_each_time_and_for_every_class() -> None:
    domain = load("religion")
    one, other = Stories(domain, most=10), Stories(domain, kinds=[ETHICAL], most=10)
    assert len(one) == 40
    assert [one[place] for place in range(1, 40, 4)] == [other[place] for place in range(10)]
    assert len({one[place].asks for place in range(40)}) == 40
    assert [one[place] for place in range(40)] != [Stories(domain, most=10, seed=1)[place] for place in range(40)]


@pytest.mark.parametrize("most", [200, 2000])
@pytest.mark.parametrize("name", SHIPPED)
def test_every_class_is_put_to_the_same_scenarios(name: str, most: int) -> None:
    stories = Stories(load(name), most=most)
    drawn = {
        kind: [scenario(stories[place]) for place in range(at, len(stories), 4)]
        for at, kind in enumerate(stories.kinds)
    }
    assert all(found == drawn[NONE] for found in drawn.values())
    assert len(set(drawn[NONE])) == len(drawn[NONE])


@pytest.mark.parametrize("name", SHIPPED)
def test_the_texts_of_a_class_take_turns(name: str) -> None:
    domain = load(name)
    stories = Stories(domain, kinds=[ETHICAL])
    said = Counter(stories[place].intervention for place in range(len(stories)))
    assert set(said) == {text for texts in domain.interventions[ETHICAL].values() for text in texts}
    assert max(said.values()) - min(said.values()) <= len(stories) // 100


@pytest.mark.parametrize("place", [-1, 40])
def test_there_is_no_story_beyond_the_last(place: int) -> None:
    with pytest.raises(IndexError):
        Stories(load("religion"), most=10)[place]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"themes": ["weather"]}, "themes of religion (poverty, success, rude, crime), got weather"),
        ({"themes": []}, "got none"),
        ({"kinds": ["stern"]}, "classes of interventions that religion has (none, ethical, adversarial, irrelevant)"),
        ({"kinds": [OWN]}, "“own” needs the text"),
        ({"own": "x" * 5000}, "at most 500 characters in the intervention, got 5,000"),
        ({"most": 0}, "at least one story"),
    ],
)
def test_what_a_domain_does_not_have_is_named(options: dict[str, object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        Stories(load("religion"), **options)  # type: ignore[arg-type]
    assert said in str(caught.value)


def test_an_unknown_domain_is_answered_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"a domain \(gender, religion, .+, got 'weather'"):
        load("weather")


def test_word_lists_that_are_not_here_name_the_command_that_fetches_them(tmp_path: Path) -> None:
    with pytest.raises(AssetError, match="python -m core data get unqover"):
        load("unqover:religion", tmp_path)


def test_every_class_of_interventions_of_our_own_set_has_another_text() -> None:
    for name in SHIPPED:
        texts = [text for themes in load(name).interventions.values() for said in themes.values() for text in said]
        assert len(texts) == len(set(texts))
        assert all(text.endswith(".") for text in texts)


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "examples", "subjects"),
    [
        ("unqover:gender", 2_744_000, 140),
        ("unqover:religion", 77_000, 11),
        ("unqover:ethnicity", 147_000, 15),
        # 2,815,200 if all 50 attributes were put to all 12 templates; three of them take 14 attributes of places.
        ("unqover:country", 69 * 68 * (9 * 50 + 3 * 14), 69),
    ],
)
def test_the_released_word_lists_have_their_published_size(name: str, examples: int, subjects: int) -> None:
    domain = load(name, datasets.default_directory())
    assert (domain.examples, len(domain.subjects)) == (examples, subjects)
    stories = Stories(domain, most=200)
    assert set(stories.kinds) == ({NONE} if name.endswith("country") else set(KINDS) - {OWN})
    for place in range(len(stories)):
        for one in stories[place].asks:
            assert one is not None
            assert "[" not in one.context + one.question
            assert all(one.context[start:end] for start, end in one.spans)


@pytest.mark.data
def test_interventions_lost_as_nan_are_left_out() -> None:
    said = load("unqover:religion", datasets.default_directory()).interventions
    assert len(said[ADVERSARIAL]["general"]) == 16
    assert len(said[ETHICAL]["general"]) == 19
    assert [
        text for themes in said.values() for texts in themes.values() for text in texts if text != text.strip()
    ] == []


def test_domains_are_those_shipped_and_those_released() -> None:
    assert (*SHIPPED, *RELEASED) == DOMAINS


@pytest.mark.parametrize("name", list(examples()))
def test_an_example_is_a_story_that_can_be_typed_again(name: str) -> None:
    example = examples()[name]
    made = stories.own(example.context, example.subjects, example.question, example.negated)
    straight, negated, swapped, _ = made.asks
    assert straight is not None
    assert negated is not None
    assert swapped is not None
    assert (straight.context, straight.question) == (example.context, example.question)
    assert straight.question != negated.question
    assert [swapped.context[start:end] for start, end in swapped.spans] == list(example.subjects)
    assert set(example.interventions) == {ETHICAL, ADVERSARIAL, IRRELEVANT}


def test_every_domain_and_theme_that_ships_has_an_example_about_another_pair() -> None:
    assert list(examples()) == [f"{name}: {theme}" for name in SHIPPED for theme in load(name).themes]
    assert len({example.subjects for example in examples().values()}) == len(examples())
