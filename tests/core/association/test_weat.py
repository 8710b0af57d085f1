"""The word test against exhaustive enumeration, hand-made vectors, laws, and the scores of another library."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.association import weat
from core.association.lexicon import as_frequent_as
from core.association.sets import WordSet, WordTest, find
from core.errors import InputError
from core.vectors import FloatArray, unit

sides = st.integers(4, 6)
seeds = st.integers(0, 2**32 - 1)


def cosines(seed: int, first: int = 5, second: int = 5, positive: int = 3, negative: int = 3) -> FloatArray:
    """Cosines of random target words with random attribute words."""
    rng = np.random.default_rng(seed)
    targets, attributes = rng.standard_normal((first + second, 6)), rng.standard_normal((positive + negative, 6))
    return unit(targets) @ unit(attributes).T


def enumerated(values: Sequence[float], first: int) -> tuple[float, float]:
    """One- and two-sided p by a plain loop over every partition, unequal sizes by mean differences."""

    def difference(members: Sequence[int]) -> float:
        inside = [values[place] for place in members]
        outside = [value for place, value in enumerate(values) if place not in members]
        return sum(inside) / len(inside) - sum(outside) / len(outside)

    observed = difference(range(first))
    found = [difference(members) for members in combinations(range(len(values)), first)]
    at_least = sum(value >= observed - 1e-9 for value in found)
    as_far = sum(abs(value) >= abs(observed) - 1e-9 for value in found)
    return at_least / len(found), as_far / len(found)


def test_association_is_the_mean_cosine_with_a_minus_the_mean_cosine_with_b() -> None:
    words = np.array([[2.0, 0.0], [0.0, 5.0], [1.0, 1.0]])
    positive, negative = np.array([[1.0, 0.0], [3.0, 4.0]]), np.array([[0.0, -1.0]])
    # cos with A: (1 + 0.6) / 2, (0 + 0.8) / 2, (1 + 1.4) / 2√2; with B: 0, -1, -1/√2
    expected = [0.8, 0.4 + 1, 1.2 / sqrt(2) + 1 / sqrt(2)]
    np.testing.assert_allclose(weat.association(words, positive, negative), expected, atol=1e-12)


def test_words_on_the_axes_give_the_largest_effect_and_the_smallest_p() -> None:
    # Every word of X points at A, every word of Y at B, which are at right angles: s = ±1.
    similarity = np.array([[1.0, 1.0, 0.0, 0.0]] * 4 + [[0.0, 0.0, 1.0, 1.0]] * 4)
    found = weat.evaluate(similarity, 4, 2)
    assert found.statistic == 8
    assert found.effect == 2
    assert found.significance == weat.Significance(1 / 70, 2 / 70, True, 70)
    np.testing.assert_array_equal(found.attributes, [1, 1, -1, -1])


def test_effect_size_by_hand_in_both_kinds_of_deviation() -> None:
    values = np.array([3.0, 5.0, 1.0, 3.0])  # means 4 and 2; squared deviations from 3 sum to 8
    assert weat.effect_size(values, 2) == pytest.approx(2 / sqrt(8 / 4))
    assert weat.effect_size(values, 2, ddof=1) == pytest.approx(2 / sqrt(8 / 3))


@given(seed=seeds, first=sides, second=sides, ties=st.booleans())
def test_the_exact_p_is_that_of_every_partition_counted_one_by_one(
    seed: int, first: int, second: int, ties: bool
) -> None:
    values = np.random.default_rng(seed).standard_normal(first + second)
    values = values.round() if ties else values
    found = weat.significance(values, first)
    assert found.exact
    assert found.partitions == comb(first + second, first)
    assert (found.one_sided, found.two_sided) == pytest.approx(enumerated(values.tolist(), first), abs=1e-12)


def test_all_12870_partitions_of_eight_and_eight_words_are_counted() -> None:
    values = np.random.default_rng(7).standard_normal(16)
    found = weat.significance(values, 8)
    assert (found.exact, found.partitions) == (True, 12_870)
    assert (found.one_sided, found.two_sided) == pytest.approx(enumerated(values.tolist(), 8))


def test_nine_and_nine_words_are_drawn_and_no_p_is_zero() -> None:
    values = np.array([1.0] * 9 + [-1.0] * 9)
    found = weat.significance(values, 9)
    assert (found.exact, found.partitions) == (False, weat.DRAWS)
    # Every draw has the two sizes: with replacement, a draw of nine equal words would be no rarity.
    assert found.one_sided == 1 / (weat.DRAWS + 1)
    assert 0 < found.two_sided <= 2 / (weat.DRAWS + 1)


def test_drawn_partitions_agree_with_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(3).standard_normal(12) + np.array([0.4] * 6 + [0.0] * 6)
    exact = weat.significance(values, 6)
    monkeypatch.setattr(weat, "MAX_PARTITIONS", 0)
    drawn = weat.significance(values, 6)
    assert not drawn.exact
    assert 0.02 < exact.one_sided < 0.5
    for one, other in ((drawn.one_sided, exact.one_sided), (drawn.two_sided, exact.two_sided)):
        assert one == pytest.approx(other, abs=4 * sqrt(other * (1 - other) / weat.DRAWS))


def test_drawing_in_several_parts_gives_as_many_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weat, "_CELLS", 70_000)
    values = np.random.default_rng(3).standard_normal(40)
    found = weat.significance(values, 20, draws=10_000)
    assert found.partitions == 10_000
    assert weat.significance(values, 20, draws=10_000) == found  # the same seed, the same draws


@given(seed=seeds, size=sides)
def test_swapping_the_targets_turns_every_sign_and_keeps_the_two_sided_p(seed: int, size: int) -> None:
    similarity = cosines(seed, size, size)
    one = weat.evaluate(similarity, size, 3)
    other = weat.evaluate(np.roll(similarity, size, axis=0), size, 3)
    assert one.significance is not None
    assert other.significance is not None
    assert other.effect == pytest.approx(-one.effect)
    assert other.statistic == pytest.approx(-one.statistic)
    assert other.significance.two_sided == one.significance.two_sided
    assert one.significance.one_sided + other.significance.one_sided >= 1  # ties, the observed one too, count in both
    np.testing.assert_allclose(other.attributes, -one.attributes, atol=1e-12)


@given(seed=seeds, size=sides)
def test_swapping_the_attributes_turns_every_sign_and_swapping_both_turns_none(seed: int, size: int) -> None:
    similarity = cosines(seed, size, size)
    one = weat.evaluate(similarity, size, 3)
    turned = weat.evaluate(np.roll(similarity, 3, axis=1), size, 3)
    both = weat.evaluate(np.roll(similarity, (size, 3), axis=(0, 1)), size, 3)
    assert one.significance is not None
    assert both.significance is not None
    assert (turned.effect, turned.statistic) == pytest.approx((-one.effect, -one.statistic))
    assert (both.effect, both.statistic) == pytest.approx((one.effect, one.statistic))
    assert both.significance == one.significance


@given(seed=seeds, size=st.integers(2, 8))
def test_the_effect_of_equal_sets_stays_within_two_and_is_twice_a_correlation(seed: int, size: int) -> None:
    similarity = cosines(seed, size, size)
    found = weat.evaluate(similarity, size, 3)
    membership = [1.0] * size + [0.0] * size
    assert abs(found.effect) <= 2 + 1e-12
    assert found.effect == pytest.approx(2 * np.corrcoef(membership, found.associations)[0, 1])
    sample = weat.evaluate(similarity, size, 3, ddof=1)
    assert sample.effect == pytest.approx(found.effect * sqrt((2 * size - 1) / (2 * size)))


@given(seed=seeds)
def test_targets_and_attributes_tell_of_the_same_difference(seed: int) -> None:
    found = weat.evaluate(cosines(seed), 5, 3)
    by_targets = found.associations[:5].mean() - found.associations[5:].mean()
    by_attributes = found.attributes[:3].mean() - found.attributes[3:].mean()
    assert by_targets == pytest.approx(by_attributes)


@given(seed=seeds)
def test_leaving_a_word_out_is_the_test_without_that_word(seed: int) -> None:
    similarity = cosines(seed, 4, 5, 3, 2)
    found = weat.evaluate(similarity, 4, 3)
    assert found.without.shape == (4 + 5 + 3 + 2,)
    for place, effect in enumerate(found.without):
        if place < 9:
            rest = weat.evaluate(np.delete(similarity, place, axis=0), 4 - (place < 4), 3)
        else:
            kept = np.delete(similarity, place - 9, axis=1)
            scores = kept[:, : 3 - (place < 12)].mean(axis=1) - kept[:, 3 - (place < 12) :].mean(axis=1)
            assert effect == pytest.approx(float(weat.effect_size(scores, 4)))
            continue
        assert effect == pytest.approx(rest.effect)


@pytest.mark.parametrize(("first", "second"), [(2, 2), (3, 3), (3, 9), (4, 3)])
def test_below_four_words_a_side_there_is_no_p(first: int, second: int) -> None:
    assert weat.evaluate(cosines(1, first, second), first, 3).significance is None


def test_four_words_a_side_have_a_p() -> None:
    assert weat.evaluate(cosines(1, 4, 4), 4, 3).significance is not None


@pytest.mark.parametrize("noise", [0.0, 1e-9])
def test_associations_without_spread_are_a_named_error_and_never_nan(noise: float) -> None:
    similarity = np.full((8, 4), 0.3) + noise * np.arange(32).reshape(8, 4)
    with pytest.raises(InputError, match=r"the same association for all of them.*Remedy: use other target words"):
        weat.evaluate(similarity, 4, 2)


@pytest.mark.parametrize(("first", "positive"), [(1, 2), (3, 2), (2, 1), (2, 2), (4, 2), (0, 2)])
def test_a_set_of_one_word_is_refused(first: int, positive: int) -> None:
    with pytest.raises(InputError, match="at least 2 words in each set"):
        weat.evaluate(cosines(1, 2, 2, 2, 1), first, positive)


def test_the_length_of_a_vector_does_not_matter() -> None:
    rng = np.random.default_rng(5)
    words, attributes = rng.standard_normal((6, 4)), rng.standard_normal((4, 4))
    stretched = words * rng.uniform(0.1, 10, size=(6, 1))
    np.testing.assert_allclose(
        weat.association(stretched, attributes[:2], attributes[2:] * 9),
        weat.association(words, attributes[:2], attributes[2:]),
        atol=1e-12,
    )


def test_the_null_band_of_normal_noise_is_that_of_a_correlation() -> None:
    # d = 2r for equal sets, and r of noise follows Student's t: 95 % of |d| stay below 0.995 with 8 + 8 words.
    t = stats.t.ppf(0.975, 14)
    expected = 2 * t / sqrt(14 + t**2)
    pool = stats.norm.ppf((np.arange(5000) + 0.5) / 5000)
    low, high = weat.null_band(pool, 8, 8, draws=20_000)
    assert (low, high) == pytest.approx((-expected, expected), abs=0.03)


def test_noise_alone_reaches_an_effect_of_0_8_in_one_draw_of_eight() -> None:
    noise = np.random.default_rng(0).standard_normal((40_000, 16))
    share = (np.abs(weat.effect_size(noise, 8)) >= 0.8).mean()
    assert 0.12 <= share <= 0.13


def test_the_null_band_draws_no_word_twice() -> None:
    # From four words, two and two, every draw is a partition of all four: d is one of the six possible values.
    pool = np.array([4.0, 2.0, 1.0, -3.0])
    possible = {round(float(weat.effect_size(pool[list(order)], 2)), 9) for order in _orders(4)}
    low, high = weat.null_band(pool, 2, 2, draws=500)
    assert {round(low, 9), round(high, 9)} == {min(possible), max(possible)}


def _orders(count: int) -> list[tuple[int, ...]]:
    return [
        (*members, *(place for place in range(count) if place not in members))
        for members in combinations(range(count), count // 2)
    ]


def test_every_order_of_two_of_three_words_is_drawn_equally_often() -> None:
    drawn = weat._distinct(3, 2, 6000, seed=1)
    orders, counts = np.unique(drawn, axis=0, return_counts=True)
    assert orders.tolist() == [[0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]
    assert stats.chisquare(counts).pvalue > 0.001


def test_too_few_words_for_a_null_band_are_refused() -> None:
    with pytest.raises(InputError, match="at least 6 words to draw from, got 5"):
        weat.null_band(np.arange(5.0), 3, 3)


def test_holm_by_hand() -> None:
    # 4 × 0.005, 3 × 0.01, 2 × 0.03, and 0.04 may not be less than the one before it
    adjusted = weat.holm(np.array([0.01, 0.04, 0.03, 0.005]))
    np.testing.assert_allclose(adjusted, [0.03, 0.06, 0.06, 0.02])
    np.testing.assert_allclose(weat.holm(np.array([0.5, 0.6])), [1.0, 1.0])


@given(p=st.lists(st.floats(1e-6, 1), min_size=1, max_size=12))
def test_holm_never_lowers_a_p_and_lies_between_none_and_bonferroni(p: list[float]) -> None:
    values = np.array(p)
    adjusted = weat.holm(values)
    assert (adjusted >= values - 1e-15).all()
    assert (adjusted <= np.minimum(1, values * len(p)) + 1e-15).all()
    assert (np.diff(adjusted[np.argsort(values)]) >= 0).all()


def test_a_run_embeds_the_words_and_evaluates_their_cosines(letters: Any) -> None:
    test = find("6")
    outcome = weat.run(letters, test)
    targets = letters.encode([*test.x.words, *test.y.words])
    attributes = letters.encode([*test.a.words, *test.b.words])
    expected = weat.evaluate(unit(targets) @ unit(attributes).T, 8, 8)
    assert outcome.test == test
    assert outcome.missing == ()
    assert outcome.weat.effect == pytest.approx(expected.effect)
    assert outcome.weat.significance == expected.significance
    noise = letters.encode(as_frequent_as([*test.x.words, *test.y.words]))
    pool = weat.association(noise, attributes[:8], attributes[8:])
    assert outcome.null_band == weat.null_band(pool, 8, 8)


def test_words_outside_a_vocabulary_are_left_out_and_named(letters: Any) -> None:
    test = WordTest(
        "own",
        WordSet("X", ("one", "two", "three", "four", "five")),
        WordSet("Y", ("six", "seven", "eight", "nine", "ten")),
        WordSet("A", ("sun", "sea")),
        WordSet("B", ("fog", "ice")),
    )
    known = {word for words in test.sets for word in words.words} - {"five"}
    outcome = weat.run(letters, test, vocabulary=known)
    assert outcome.missing == ("five",)
    assert outcome.test.x.words == ("one", "two", "three", "four")
    assert len(outcome.weat.associations) == 9
    assert outcome.null_band is None  # the vocabulary holds no other words
    assert "five" not in letters.asked
    with pytest.raises(InputError, match=r"40% missing: four, five"):
        weat.run(letters, test, vocabulary=known - {"four"})


@pytest.mark.data
@pytest.mark.parametrize(
    ("test", "sample", "population"),
    [("flowers", 1.539, 1.555), ("instruments", 1.628, 1.645), ("male names", 1.890, 1.952), ("math", 0.966, 0.998)],
)
def test_the_effects_of_word2vec_are_the_known_ones(
    data: Path, letters_kind: Any, test: str, sample: float, population: float
) -> None:
    vectors = _word_vectors(data / "dccuchile/wefe/wefe/datasets/data/weat_w2v____old.txt")

    class FileEncoder(letters_kind):  # type: ignore[misc]
        def encode(self, texts: Sequence[str]) -> FloatArray:
            return np.array([vectors[text] for text in texts])

    for ddof, expected in ((1, sample), (0, population)):
        outcome = weat.run(FileEncoder(), find(test), vocabulary=vectors, ddof=ddof)
        assert outcome.weat.effect == pytest.approx(expected, abs=0.0006)
        assert outcome.missing == (("axe",) if test == "instruments" else ())


def _word_vectors(path: Path) -> dict[str, FloatArray]:
    """Vectors of a word2vec text file: a header, then a word and its numbers a line."""
    lines = path.read_bytes().decode("utf-8").split("\r\n")[1:]
    rows = (line.split(" ") for line in lines if line)
    return {word: np.array(numbers, dtype=np.float32) for word, *numbers in rows}
