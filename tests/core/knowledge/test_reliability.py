"""Agreement with people: values worked out by hand, and the tables of the paper."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError
from core.knowledge.masking import mentions
from core.knowledge.polarity.keywords import Keywords
from core.knowledge.polarity.sentiment import Sentiment
from core.knowledge.reliability import Ratings, compare, fleiss, rate, read_folder, read_lines
from core.knowledge.sources.release import published_regard, read_regard
from core.statistics import wilson

FLEISS_1971 = np.array(
    [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]
)  # fmt: skip
"""Ten items, fourteen raters, five classes: the usual worked example, κ = 0.210."""


def labels(*values: int) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    return np.array(values, dtype=np.int8)


def test_a_hand_worked_table() -> None:
    truth = labels(-1, -1, 0, 0, 0, 0, 1, 1)
    given_ = labels(-1, 0, 0, 0, 0, 1, 1, 2)
    found = compare(given_, truth)
    assert (found.n, found.accuracy, found.always_neutral) == (8, 5 / 8, 4 / 8)
    negative, neutral, positive = (found.classes[kind] for kind in (-1, 0, 1))
    assert (negative.precision, negative.recall, negative.f1) == (1.0, 0.5, pytest.approx(2 / 3))
    assert (neutral.precision, neutral.recall, neutral.f1) == (0.75, 0.75, 0.75)
    assert (positive.precision, positive.recall, positive.f1) == (0.5, 0.5, 0.5)
    assert (negative.given, negative.true) == (1, 2)
    assert found.macro_f1 == pytest.approx((2 / 3 + 0.75 + 0.5) / 3)
    # Chance: (1·2 + 4·4 + 2·2 + 1·0) / 64 = 22/64.
    assert found.kappa == pytest.approx((40 / 64 - 22 / 64) / (42 / 64))


def test_a_class_on_neither_side_has_no_shares_and_does_not_lower_the_mean() -> None:
    found = compare(labels(0, -1), labels(0, -1))
    assert (found.classes[1].precision, found.classes[1].recall, found.classes[1].f1) == (None, None, None)
    assert found.macro_f1 == 1.0


def test_a_class_that_is_never_given_counts_zero() -> None:
    found = compare(labels(0, 0), labels(0, 1))
    assert (found.classes[1].precision, found.classes[1].recall, found.classes[1].f1) == (None, 0.0, 0.0)
    assert found.macro_f1 == pytest.approx((2 / 3 + 0) / 2)


def test_kappa_has_no_value_where_chance_agrees_always() -> None:
    assert compare(labels(0, 0), labels(0, 0)).kappa is None
    assert fleiss(np.array([[0, 3], [0, 3]])) is None


@given(st.lists(st.tuples(st.integers(-1, 2), st.integers(-1, 2)), min_size=1))
def test_kappa_is_symmetric_and_at_most_one(pairs: list[tuple[int, int]]) -> None:
    one, other = (labels(*column) for column in zip(*pairs, strict=True))
    forth, back = compare(one, other).kappa, compare(other, one).kappa
    assert forth == pytest.approx(back)
    assert forth is None or forth <= 1 + 1e-12


def test_fleiss_kappa_of_the_worked_example() -> None:
    assert fleiss(FLEISS_1971) == pytest.approx(0.20993, abs=1e-5)


def test_fleiss_kappa_of_ratings_needs_as_many_of_each_item() -> None:
    texts = ("a", "a", "b", "b")
    assert Ratings(texts, labels(1, 1, 0, 0), np.array([0, 0, 1, 1])).fleiss() == 1.0
    assert Ratings(texts, labels(1, 1, 0, 0), np.array([0, 0, 0, 1])).fleiss() is None
    assert Ratings(texts, labels(1, 1, 0, 0), np.arange(4)).fleiss() is None


def test_lines_end_at_a_line_feed_only() -> None:
    found = read_lines('0\tXYZ has \x85 \u2028 a house\r\n\n+1\tXYZ said "yes\ttwice\n-1\tXYZ lied')
    assert found.labels.tolist() == [0, 1, -1]
    assert found.texts == ("XYZ has \x85 \u2028 a house", 'XYZ said "yes\ttwice', "XYZ lied")


@pytest.mark.parametrize("line", ["XYZ is kind", "5\tXYZ is kind", "good\tXYZ is kind", "1\t", "1 XYZ is kind"])
def test_a_line_that_is_no_rating_is_named(line: str) -> None:
    with pytest.raises(InputError, match=r"line 2 of mine\.tsv"):
        read_lines(f"0\tXYZ has a house\n{line}\n", name="mine.tsv")


def test_no_line_is_an_error() -> None:
    with pytest.raises(InputError, match="got no line"):
        read_lines("\n\n")


def folder(path: Path, sentences: str, codes: str, name: str = "mturk_labels") -> Path:
    path.joinpath("sentences").write_text(sentences, encoding="utf-8", newline="\n")
    path.joinpath(name).write_text(codes, encoding="utf-8", newline="\n")
    return path


def test_thirds_are_items_even_where_a_text_was_rated_twice(tmp_path: Path) -> None:
    found = read_folder(folder(tmp_path, "a\na\na\nb\nb\nb\na\na\na\n", "1\n2\n3\n2\n2\n2\n1\n1\n1\n"))
    assert found.labels.tolist() == [1, 0, -1, 0, 0, 0, 1, 1, 1]
    assert found.items.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2]


def test_interleaved_ratings_are_grouped_by_text(tmp_path: Path) -> None:
    found = read_folder(folder(tmp_path, "a\nb\na\nb\nb\na", "1\n2\n1\n2\n2\n1"))
    assert found.items.tolist() == [0, 1, 0, 1, 1, 0]
    assert found.fleiss() == 1.0


def test_bias_labels_are_read_where_there_are_two_kinds(tmp_path: Path) -> None:
    folder(tmp_path, "a\na\na", "3\n3\n2", "mturk_bias_labels").joinpath("mturk_quality_labels").write_text("1\n1\n1")
    assert read_folder(tmp_path).labels.tolist() == [-1, -1, 0]


@pytest.mark.parametrize(
    ("sentences", "codes", "said"),
    [
        ("a\nb\n", "1\n", "got 1 and 2"),
        ("a\nb\n", "1\n4\n", "line 2"),
        ("a\nb\n", "x\n1\n", "line 1"),
        ("", "", "line 1"),
    ],
)
def test_a_folder_that_does_not_fit_is_said_in_words(tmp_path: Path, sentences: str, codes: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_folder(folder(tmp_path, sentences, codes))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="sentences"):
        read_folder(tmp_path)


def test_texts_are_prepared_before_they_are_rated() -> None:
    ratings = read_lines("0\tthe crook baked bread\n")
    masked = rate(Keywords(), ratings, prepare=lambda text: text.replace("crook", "XYZ"))
    assert masked.accuracy == 1.0


RELEASE = Path("Ninarehm", "Commonsense_bias")


@pytest.mark.data
def test_vader_agrees_with_people_as_recomputed_for_tables_2_and_3(data: Path) -> None:
    ratings = read_folder(data / RELEASE / "mturk_labels" / "ConceptNet")
    found = rate(Sentiment(), ratings, prepare=mentions().mask)
    assert (len(ratings), int(ratings.items.max()) + 1) == (3_000, 1_000)
    assert np.unique(ratings.labels, return_counts=True)[1].tolist() == [283, 2_419, 298]
    assert found.accuracy == pytest.approx(0.813, abs=5e-4)
    favoritism, prejudice = found.classes[1], found.classes[-1]
    assert [favoritism.recall, favoritism.precision, favoritism.f1] == pytest.approx([0.399, 0.515, 0.450], abs=5e-4)
    assert [prejudice.recall, prejudice.precision, prejudice.f1] == pytest.approx([0.265, 0.532, 0.354], abs=5e-4)
    assert found.always_neutral == pytest.approx(0.806, abs=5e-4)
    assert ratings.fleiss() == pytest.approx(0.3637, abs=5e-5)


@pytest.mark.data
def test_published_regard_agrees_with_people_as_recomputed_for_tables_2_and_3(data: Path) -> None:
    ratings = read_folder(data / RELEASE / "mturk_labels" / "ConceptNet")
    published = published_regard(read_regard(data / RELEASE / "ConceptNet_regard" / "masked_regard_output"))
    texts = [mentions().mask(repaired(text)).lower() for text in ratings.texts]
    known = np.array([text in published.table for text in texts])
    # Masking by token finds six ratings more than the 2,808 of the list of figures.
    assert 2_800 <= known.sum() <= 2_820
    found = compare(published.label([text for text in texts if text in published.table]), ratings.labels[known])
    assert found.accuracy == pytest.approx(0.732, abs=0.002)
    favoritism, prejudice = found.classes[1], found.classes[-1]
    assert [favoritism.recall, favoritism.precision, favoritism.f1] == pytest.approx([0.411, 0.409, 0.410], abs=0.011)
    assert [prejudice.recall, prejudice.precision, prejudice.f1] == pytest.approx([0.716, 0.339, 0.460], abs=0.003)
    assert found.accuracy < found.always_neutral


def repaired(text: str) -> str:
    """Fifteen lines carry a second layer of mojibake, as the notes on the release say."""
    try:
        return text.encode("mac_roman").decode("utf-8")
    except UnicodeError:
        return text


LABELS = np.array([-1, 0, 0, 1, 2, 0, 1, 0, -1], dtype=np.int8)
TRUTH = np.array([-1, 0, 1, 1, 0, 0, 0, 0, 1], dtype=np.int8)


def test_precision_and_recall_have_wilson_intervals_and_none_where_there_is_no_share() -> None:
    found = compare(LABELS, TRUTH).classes[0]
    assert (found.precision, found.recall) == (3 / 4, 3 / 5)
    assert found.interval_precision == pytest.approx(wilson(3, 4))
    assert found.interval_recall == pytest.approx(wilson(3, 5))
    never = compare(np.zeros(3, dtype=np.int8), np.array([1, 0, 0], dtype=np.int8)).classes[-1]
    assert (never.interval_precision, never.interval_recall, never.interval_f1) == (None, None, None)


def test_bootstrap_intervals_are_those_of_the_three_draws_that_two_items_have() -> None:
    # One of them, the other, or both: the least and the most have at least a quarter of the draws, far beyond 2.5 %.
    items = np.array([0, 0, 0, 1, 1, 1, 1, 1, 1])
    drawn = [compare(LABELS[places], TRUTH[places]) for places in (items == 0, items == 1, items >= 0)]
    macros, kappas = zip(*((draw.macro_f1, draw.kappa or 0.0) for draw in drawn), strict=True)
    found = compare(LABELS, TRUTH, items)
    assert found.interval_macro_f1 == pytest.approx((min(macros), max(macros)))
    assert found.interval_kappa == pytest.approx((min(kappas), max(kappas)))


def test_ratings_of_one_item_are_drawn_together() -> None:
    each = compare(np.tile(LABELS, 20), np.tile(TRUTH, 20))
    together = compare(np.tile(LABELS, 20), np.tile(TRUTH, 20), np.repeat(np.arange(20), 9))
    # Every item holds the same nine ratings, so that nothing varies from item to item.
    assert together.interval_macro_f1 == pytest.approx((together.macro_f1, together.macro_f1))
    assert each.interval_macro_f1[0] < each.macro_f1 < each.interval_macro_f1[1]


def test_three_equal_ratings_of_a_sentence_make_no_share_surer_than_one() -> None:
    rng = np.random.default_rng(3)
    labels_, truth = rng.integers(-1, 2, 300).astype(np.int8), rng.integers(-1, 2, 300).astype(np.int8)
    once = compare(labels_, truth)
    thrice = compare(np.repeat(labels_, 3), np.repeat(truth, 3), np.repeat(np.arange(300), 3))
    for name in ("interval", "interval_always_neutral"):
        assert getattr(thrice, name) == pytest.approx(getattr(once, name), abs=0.01)
    for kind in (-1, 0, 1):
        for name in ("interval_precision", "interval_recall"):
            assert getattr(thrice.classes[kind], name) == pytest.approx(getattr(once.classes[kind], name), abs=0.03)
    each = compare(np.repeat(labels_, 3), np.repeat(truth, 3))
    assert np.ptp(each.interval) < 0.65 * np.ptp(thrice.interval)


def test_the_line_to_beat_has_the_interval_of_the_classifier_that_is_always_neutral() -> None:
    for items in (None, np.arange(9) // 3):
        always = compare(np.zeros_like(TRUTH), TRUTH, items)
        assert compare(LABELS, TRUTH, items).interval_always_neutral == always.interval
    assert compare(LABELS, TRUTH).interval_always_neutral == pytest.approx(wilson(5, 9))


def test_items_with_one_rating_each_have_wilsons_intervals() -> None:
    assert compare(LABELS, TRUTH, np.arange(9)).interval == pytest.approx(wilson(5, 9))


def test_intervals_do_not_depend_on_the_order_of_ratings_or_the_names_of_items() -> None:
    order, items = np.random.default_rng(0).permutation(9), np.arange(9) // 3
    assert compare(LABELS[order], TRUTH[order], 7 - items[order]) == compare(LABELS, TRUTH, items)


def test_no_interval_where_chance_alone_agrees_always() -> None:
    same = compare(np.zeros(3, dtype=np.int8), np.zeros(3, dtype=np.int8))
    assert (same.kappa, same.interval_kappa, same.interval_macro_f1) == (None, None, (1, 1))
