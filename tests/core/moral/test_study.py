"""The evidence for an axis: published figures with the bundled encoder, and the laws that hold for any encoder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import records
from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Provenance
from core.moral import study as studies
from core.moral.choice import answer_vectors, bias, question_vectors
from core.moral.compass import Compass, score
from core.moral.directions import Direction
from core.moral.published import table9
from core.moral.representation import DIFFERENCES, KINDS, PHRASE, represent
from core.moral.seeds import Seeds, parse, published
from core.moral.study import Study, compare, on_axis, people, study, variants, vectors
from core.moral.survey import PUBLISHED, Survey, read
from core.moral.templates import parse as parse_templates
from core.moral.templates import published as published_templates
from core.statistics import pearson, spearman
from core.vectors import FloatArray

VOTES = read(b"action,yes,no\nsing,9,1\nlie to a friend,2,8\nrest,5,5\ngreet,7,0\nburn a book,1,9\nbake,8,1\n")
OTHERWISE = replace(VOTES, yes=VOTES.no, no=VOTES.yes)


class Noise:
    """Gives every text a random direction of its own, the same one each time."""

    name = "noise"
    provenance = Provenance("noise", "1", "MIT", 24, "Python", "made by hand")

    def encode(self, texts: Sequence[str]) -> FloatArray:
        drawn = np.array([np.random.default_rng(list(text.encode())).standard_normal(24) for text in texts])
        return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def made(bundled: CachedEncoder) -> Study:
    return study(bundled, published())


@pytest.fixture(scope="module")
def regional(data: Path) -> Survey:
    return read((data / "ml-research/MoRT_NMI" / PUBLISHED).read_bytes())


def test_the_first_component_explains_what_was_measured_before_and_beats_noise(made: Study) -> None:
    assert made.axis.variance_explained[0] == pytest.approx(0.109, abs=0.001)
    assert made.axis.random_line[0] == pytest.approx(0.030, abs=0.002)
    assert made.axis.beats_random
    assert made.axis.variance_explained[2] > made.axis.random_line[2]  # it is not the only one


def test_no_seed_and_no_template_carries_the_axis_alone(made: Study) -> None:
    assert made.stability.without_seed.shape == (65,)
    assert made.stability.without_template.shape == (10,)
    assert made.stability.without_seed.min() > 0.99
    assert made.stability.without_template.min() > 0.99
    assert np.median(made.stability.bootstrap) == pytest.approx(0.89, abs=0.01)


@pytest.mark.parametrize("paper", ["bert", "use"])
def test_positions_go_with_those_of_table_9(bundled: CachedEncoder, made: Study, paper: str) -> None:
    atomic, context = (compare(bundled, made, table9(paper, kind)) for kind in ("atomic", "context"))
    assert atomic.rho.r >= 0.80
    assert context.r.r >= 0.68
    assert atomic.r == pearson(atomic.theirs, atomic.ours)
    assert context.rho == spearman(context.theirs, context.ours)
    assert (atomic.r.n, context.r.n) == (65, 56)


@pytest.mark.data
def test_people_agree_with_the_axis_more_than_with_the_bias(
    bundled: CachedEncoder, made: Study, regional: Survey
) -> None:
    found = people(bundled, made, regional)
    assert len(regional.actions) == 113
    assert found.axis.r == pytest.approx(0.73, abs=0.005)
    assert found.mcm.r == pytest.approx(0.38, abs=0.005)
    assert found.mcm.high < found.axis.low  # the intervals do not touch


@pytest.mark.data
def test_the_first_component_among_the_variants_agrees_with_people_as_the_axis_does(
    bundled: CachedEncoder, made: Study, regional: Survey
) -> None:
    first = variants(bundled, published(), regional, kinds=["questions"])[0]
    assert (first.method, first.fitted_on) == (studies.PRINCIPAL, "seeds")
    assert first.people is not None
    assert first.people.r == pytest.approx(people(bundled, made, regional).axis.r, abs=1e-6)
    assert first.table9.r == pytest.approx(compare(bundled, made, table9("bert", "context")).r.r, abs=1e-6)


def test_seeds_and_phrases_are_placed_as_the_compass_places_them(
    bundled: CachedEncoder, compass: Compass, made: Study
) -> None:
    wanted = score(bundled, compass, ["kill time", "help a friend"])
    moved_compass, found = on_axis(bundled, made, compass, wanted)
    np.testing.assert_allclose(found.position, wanted.position, atol=1e-6)
    np.testing.assert_allclose(found.position_low, wanted.position_low, atol=1e-5)
    assert moved_compass.seeds == compass.seeds
    assert found.choice is wanted.choice


def test_the_scores_keep_their_bias_and_get_the_position_on_the_axis_of_other_seeds(
    bundled: CachedEncoder, compass: Compass
) -> None:
    other = study(bundled, parse("pay, do\ngive, do\nowe\ntake\nsteal, dont\nrob, dont"), kind=PHRASE)
    plain = score(bundled, compass, ["lend money"])
    moved_compass, found = on_axis(bundled, other, compass, plain)
    assert moved_compass.seeds == other.seeds.actions
    assert found.choice is plain.choice
    np.testing.assert_allclose(found.position, other.axis.position(bundled.encode(["lend money"])))
    assert found.position_low[0] < found.position[0] < found.position_high[0]
    assert abs(found.position[0] - plain.position[0]) > 0.01


def test_editing_a_seed_encodes_its_ten_questions_and_not_650(letters: Any) -> None:
    encoder = CachedEncoder(letters)
    study(encoder, published())
    assert len(letters.asked) == 650
    letters.asked.clear()
    actions = list(published().actions)
    actions[7] = "juggle"
    study(encoder, replace(published(), actions=tuple(actions)))
    assert letters.asked == [template.fill("juggle") for template in published_templates()]


def test_other_anchors_and_a_seed_less_encode_nothing(letters: Any) -> None:
    encoder = CachedEncoder(letters)
    made = study(encoder, published())
    letters.asked.clear()
    turned = study(encoder, replace(published(), do=published().dont, dont=published().do))
    study(encoder, replace(published(), actions=tuple(a for a in published().actions if a != "sit")))
    assert letters.asked == []
    np.testing.assert_allclose(turned.axis.direction, -made.axis.direction)


def test_an_axis_of_differences_costs_the_answers_only(letters: Any) -> None:
    encoder = CachedEncoder(letters)
    study(encoder, published())
    letters.asked.clear()
    made = study(encoder, published(), kind=DIFFERENCES)
    assert len(letters.asked) == 8
    np.testing.assert_array_equal(vectors(encoder, made, ["sit"]), represent(encoder, ["sit"], DIFFERENCES).mean)


def test_own_templates_are_used_throughout(letters: Any) -> None:
    own = parse_templates("Is it fair to {}? | Yes. | No.\nDo people {}? | They do. | They do not.")
    made = study(CachedEncoder(letters), published(), templates=own)
    assert made.stability.without_template.shape == (2,)
    assert len(letters.asked) == 130


def test_about_one_in_twenty_seed_sets_without_meaning_beats_the_random_line() -> None:
    encoder = CachedEncoder(Noise())
    sets = [tuple(f"{number}, seed {seed}" for seed in range(8)) for number in range(100)]
    beaten = sum(study(encoder, Seeds(names, names[:1], names[1:2]), kind=PHRASE).axis.beats_random for names in sets)
    assert 1 <= beaten <= 10


def test_people_are_compared_with_the_mean_bias_and_the_position(letters: Any) -> None:
    encoder = CachedEncoder(letters)
    made = study(encoder, published())
    found = people(encoder, made, VOTES)
    asked = question_vectors(encoder, VOTES.actions, published_templates())
    by_hand = bias(asked, *answer_vectors(encoder, published_templates())).mean(axis=1)
    np.testing.assert_array_equal(found.mcm_scores, by_hand)
    np.testing.assert_allclose(found.axis_scores, made.axis.position(asked.mean(axis=1)), atol=1e-5)
    assert found.mcm == pearson(found.mcm_scores, VOTES.share)
    assert found.axis == pearson(found.axis_scores, VOTES.share)


def test_the_record_of_an_axis_holds_its_numbers_at_full_precision(letters: Any) -> None:
    encoder = CachedEncoder(letters)
    made = study(encoder, published())
    placed = vectors(encoder, made, ["sing"])
    record = json.loads(json.dumps(records.axis_record(made, ["sing"], placed), allow_nan=False))
    assert record["variance_explained"] == made.axis.variance_explained.tolist()
    assert record["random_line"] == list(made.axis.random_line)
    assert record["phrases"] == [
        {
            "action": "sing",
            "position": made.axis.position(placed)[0],
            "raw": made.axis.raw(placed)[0],
            "interval": [end[0] for end in made.axis.interval(placed)],
        }
    ]
    assert [row["action"] for row in record["seeds"]] == list(published().actions)
    assert max(abs(row["position"]) for row in record["seeds"]) == pytest.approx(1)
    assert list(record["stability"]) == ["without_seed", "without_template", "bootstrap"]
    assert record["stability"]["without_seed"]["smile"] == made.stability.without_seed[0]
    assert record["stability"]["without_template"]["Should I {}?"] == made.stability.without_template[1]
    assert record["stability"]["bootstrap"]["median"] == np.median(made.stability.bootstrap)
    assert records.axis_record(study(encoder, published(), kind=PHRASE), [], None)["phrases"] == []


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch) -> list[Direction]:
    """Every direction that `variants` fits, in order."""
    kept: list[Direction] = []
    fit = studies._directions

    def noted(*arguments: Any) -> Iterator[tuple[str, str, Direction]]:
        for method, fitted_on, direction in fit(*arguments):
            kept.append(direction)
            yield method, fitted_on, direction

    monkeypatch.setattr(studies, "_directions", noted)
    return kept


def test_sixty_variants_are_tried_and_each_is_listed_once() -> None:
    told: list[float] = []
    found = variants(CachedEncoder(Noise()), published(), VOTES, progress=lambda share, what: told.append(share))
    assert len({(item.representation, item.method, item.fitted_on) for item in found}) == len(found) == 60
    assert {item.representation for item in found} == {*KINDS, studies.AVERAGE}
    assert told == sorted(told)
    assert len(told) >= len(KINDS)
    assert told[-1] <= 1


def test_the_survey_judges_directions_and_never_makes_one(letters: Any, fitted: list[Direction]) -> None:
    encoder = CachedEncoder(letters)
    kinds = ["questions", PHRASE]
    one = variants(encoder, published(), VOTES, kinds=kinds)
    other = variants(encoder, published(), OTHERWISE, kinds=kinds)
    none = variants(encoder, published(), None, kinds=kinds)
    first, second, third = fitted[:12], fitted[12:24], fitted[24:]
    for direction, again, without in zip(first, second, third, strict=True):
        np.testing.assert_array_equal(direction.direction, again.direction)
        np.testing.assert_array_equal(direction.direction, without.direction)
        assert direction.penalty == again.penalty == without.penalty
    for item, turned, bare in zip(one, other, none, strict=True):
        assert item.people is not None
        assert turned.people is not None
        assert turned.people.r == pytest.approx(-item.people.r)  # the shares were exchanged
        assert replace(item, people=None) == replace(turned, people=None) == bare


def test_the_average_is_that_of_the_scores_over_the_representations(letters: Any, fitted: list[Direction]) -> None:
    encoder = CachedEncoder(letters)
    kinds = ["questions", PHRASE]
    found = variants(encoder, published(), VOTES, kinds=kinds)
    asked = [represent(encoder, VOTES.actions, kind).mean for kind in kinds]
    for index in range(6):
        mean = (fitted[index].score(asked[0]) + fitted[6 + index].score(asked[1])) / 2
        assert found[12 + index].people == pytest.approx(pearson(mean, VOTES.share))
        assert found[12 + index].stability is None  # no direction of its own


def test_seeds_of_which_one_differs_from_all_others_have_variants_too(letters: Any) -> None:
    seeds = Seeds(("aaa", "aaab", "aaba", "abaa", "zzzz zzzz zzzz zzzz"), ("aaa",), ("zzzz zzzz zzzz zzzz",))
    found = variants(CachedEncoder(letters), seeds, VOTES, kinds=[PHRASE])
    assert all(item.stability is None or 0 <= item.stability <= 1 + 1e-9 for item in found)
