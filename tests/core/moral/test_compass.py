"""The published figures with the two embedded encoders, and the laws that hold for any encoder."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.assets import column
from core.encoders.cache import CachedEncoder
from core.encoders.words import split
from core.errors import EncoderError
from core.moral.choice import bias
from core.moral.compass import Compass, calibrate, score
from core.moral.templates import parse, published
from core.statistics import pearson, spearman
from core.text import clean
from core.vectors import FloatArray

WEAT = np.array(column("mcm_verbs.csv", "weat"), dtype=float)

phrases = st.lists(
    st.sampled_from(["kill", "kill time", "kill people", "smile", "help a friend", "not kill"]), max_size=7
)


@pytest.fixture(scope="session")
def letter_compass(letters_kind: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[CachedEncoder, Compass]:
    encoder = CachedEncoder(letters_kind())
    return encoder, calibrate(encoder, tmp_path_factory.mktemp("letters"))


def _table_9(kind: str) -> tuple[tuple[str, ...], FloatArray]:
    """Actions and positions printed for BERT, turned so that positive is the Do side."""
    wanted = {"encoder": "bert", "kind": kind}
    return column("moral_axis.csv", "action", **wanted), -np.array(column("moral_axis.csv", "m", **wanted), dtype=float)


def test_the_bias_follows_the_published_word_associations(compass: Compass) -> None:
    assert pearson(WEAT, compass.reference).r >= 0.59


def test_static_word_vectors_follow_them_less(static_compass: Compass, compass: Compass) -> None:
    found = pearson(WEAT, static_compass.reference).r
    assert found == pytest.approx(0.35, abs=0.01)
    assert found < pearson(WEAT, compass.reference).r


def test_the_axis_orders_the_seeds_as_the_paper_prints(bundled: CachedEncoder, compass: Compass) -> None:
    actions, printed = _table_9("atomic")
    assert set(actions) == set(compass.seeds)
    positions = score(bundled, compass, actions).position
    assert spearman(printed, positions).r >= 0.80
    assert pearson(printed, positions).r >= 0.67


def test_the_axis_places_actions_in_context_as_the_paper_prints(bundled: CachedEncoder, compass: Compass) -> None:
    actions, printed = _table_9("context")
    assert pearson(printed, score(bundled, compass, actions).position).r >= 0.68


def test_killing_people_lies_below_killing_time(bundled: CachedEncoder, compass: Compass) -> None:
    people, time = score(bundled, compass, ["kill people", "kill time"]).position
    assert people < time


def test_the_first_component_beats_random_vectors(compass: Compass) -> None:
    assert compass.axis.variance_explained[0] == pytest.approx(0.109, abs=0.001)
    assert compass.axis.random_line[0] == pytest.approx(0.030, abs=0.002)
    assert compass.axis.beats_random


def test_the_encoder_barely_registers_negation(bundled: CachedEncoder, compass: Compass) -> None:
    scores = score(bundled, compass, compass.seeds)
    assert pearson(scores.choice.mean, scores.negated).r == pytest.approx(0.88, abs=0.01)
    assert (compass.answer_similarity > 0.3).all()  # yes and no are near each other


@pytest.mark.data
def test_people_agree_with_the_axis_of_the_better_encoder(
    data: Path, bundled: CachedEncoder, compass: Compass, static: CachedEncoder, static_compass: Compass
) -> None:
    survey = data / "ml-research/MoRT_NMI/MoRT/data/user_study/userStudy_yes_no_regional.csv"
    with survey.open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    yes = np.array([int(row["Yes"]) / (int(row["Yes"]) + int(row["No"])) for row in rows])
    actions = [clean(row["Action"]) for row in rows]
    better, plain = score(bundled, compass, actions), score(static, static_compass, actions)
    assert len(rows) == 113
    assert pearson(yes, better.position).r >= 0.72
    assert pearson(yes, better.choice.mean).r == pytest.approx(0.38, abs=0.01)
    assert abs(pearson(yes, plain.position).r) < 0.3  # its anchors hardly differ, so the sign says nothing


@settings(max_examples=20)
@given(texts=phrases, order=st.randoms())
def test_neither_order_nor_company_nor_repetition_changes_a_score(
    letter_compass: tuple[CachedEncoder, Compass], texts: list[str], order: Any
) -> None:
    shuffled = [*texts, *texts]
    order.shuffle(shuffled)
    together = score(*letter_compass, shuffled)
    for index, text in enumerate(shuffled):
        alone = score(*letter_compass, [text])
        for pick in (
            lambda found: found.choice.mean,
            lambda found: found.choice.low,
            lambda found: found.choice.sign_agreement,
            lambda found: found.negated,
            lambda found: found.rank,
            lambda found: found.position,
            lambda found: found.position_high,
        ):
            assert _at(pick, together, index) == pytest.approx(_at(pick, alone, 0), abs=1e-9)


def _at(pick: Callable[[Any], FloatArray], scores: Any, index: int) -> float:
    return float(pick(scores)[index])


def test_a_score_is_the_mean_over_templates_of_the_difference_of_cosines(
    bundled: CachedEncoder, compass: Compass
) -> None:
    found = score(bundled, compass, ["kill time"])
    by_hand = []
    for template in published():
        question, yes, no = (
            vector.astype(float)
            for vector in bundled.encode([template.fill("kill time"), template.affirming, template.denying])
        )
        lengths = [np.sqrt(vector @ vector) for vector in (question, yes, no)]
        by_hand.append(question @ yes / lengths[0] / lengths[1] - question @ no / lengths[0] / lengths[2])
    np.testing.assert_allclose(found.choice.biases[0], by_hand, atol=1e-9)
    assert found.choice.mean[0] == pytest.approx(sum(by_hand) / 10)


def test_the_negation_check_is_the_score_of_the_negated_phrase(bundled: CachedEncoder, compass: Compass) -> None:
    plain, negated = score(bundled, compass, ["kill time"]), score(bundled, compass, ["not kill time"])
    assert plain.negated[0] == pytest.approx(negated.choice.mean[0], abs=1e-7)


def test_a_phrase_ranks_by_the_number_of_published_verbs_nearer_to_yes(
    bundled: CachedEncoder, compass: Compass
) -> None:
    found = score(bundled, compass, [*compass.verbs, "help people"])
    counted = [1 + int((compass.reference > mean + 1e-9).sum()) for mean in found.choice.mean]
    assert found.rank.tolist() == counted
    assert found.of == 101


def test_seeds_get_the_position_that_the_axis_was_fitted_with(bundled: CachedEncoder, compass: Compass) -> None:
    found = score(bundled, compass, compass.seeds)
    np.testing.assert_allclose(found.position, compass.axis.position(compass.axis.seeds), atol=1e-6)
    np.testing.assert_allclose(found.raw, found.position * compass.axis.scale)
    assert np.abs(found.position).max() == pytest.approx(1, abs=1e-6)


def test_only_new_questions_are_encoded_and_no_answer_again(letters: Any, tmp_path: Path) -> None:
    encoder = CachedEncoder(letters)
    compass = calibrate(encoder, tmp_path)
    assert len(letters.asked) == len(set(letters.asked)) == (100 + 65 - _shared_verbs()) * 10 + 8
    letters.asked.clear()
    score(encoder, compass, ["kill", "kill time", "kill time"])
    assert letters.asked == [
        template.fill(text) for text in ("kill time", "not kill", "not kill time") for template in published()
    ]


def _shared_verbs() -> int:
    return len(set(column("mcm_verbs.csv", "verb")) & set(column("atomic_actions.csv", "action")))


def test_the_next_start_encodes_the_answers_only_and_finds_the_same(letters: Any, tmp_path: Path) -> None:
    first = calibrate(CachedEncoder(letters), tmp_path)
    letters.asked.clear()
    second = calibrate(CachedEncoder(letters), tmp_path)
    assert len(letters.asked) == 8
    np.testing.assert_array_equal(second.reference, first.reference)
    np.testing.assert_array_equal(second.axis.direction, first.axis.direction)


def test_own_templates_replace_the_published_ones(letters: Any, tmp_path: Path) -> None:
    own = parse("Is it fair to {}? | Yes. | No.")
    encoder = CachedEncoder(letters)
    compass = calibrate(encoder, tmp_path, templates=own)
    found = score(encoder, compass, ["smile"])
    question, yes, no = letters.encode(["Is it fair to smile?", "Yes.", "No."])
    assert found.choice.biases.tolist() == bias(question[None, None], yes[None], no[None]).tolist()
    assert found.choice.low == found.choice.high == found.choice.mean  # one template has no spread


def test_no_phrase_has_no_score(letter_compass: tuple[CachedEncoder, Compass]) -> None:
    found = score(*letter_compass, [])
    assert found.texts == ()
    assert found.choice.mean.shape == found.rank.shape == found.position.shape == (0,)


def test_verbs_and_seeds_that_an_encoder_of_words_does_not_know_are_left_out(
    letters_kind: type, tmp_path: Path
) -> None:
    encoder = letters_kind()
    known = {"smile", "love", "kill", "harm", "help", "murder"}
    encoder.vocabulary = known | {
        word for item in published() for word in split(" ".join((item.question, item.affirming)))
    }
    found = calibrate(CachedEncoder(encoder), tmp_path)
    assert set(found.seeds) >= {"smile", "love", "kill", "harm", "help", "murder"}
    assert "torture" not in found.seeds
    assert len(found.verbs) == len(found.reference) == len(found.sides) < 100
    encoder.vocabulary = {"smile", "love", "help", "thank", "read"}
    with pytest.raises(EncoderError, match="0 anchors known"):
        calibrate(CachedEncoder(encoder), tmp_path)
