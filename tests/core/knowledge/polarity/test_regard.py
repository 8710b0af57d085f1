"""Regard: the examples, the head, and how well it does on sentences that it never saw."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from core.assets import read_table
from core.encoders.cache import CachedEncoder
from core.knowledge.polarity import regard
from core.knowledge.polarity.regard import Regard, fit, neutral_margin, worded
from core.knowledge.reliability import compare, read_lines
from core.knowledge.sources.release import read_regard

ROWS = read_table("regard_examples.csv")


@pytest.fixture(scope="module")
def bundled_regard(bundled: CachedEncoder, cache_dir: Path) -> Regard:
    return Regard(bundled, cache_dir)


def content(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.lower()))


def test_there_are_enough_examples_and_every_cell_has_as_many() -> None:
    cells = Counter((row["label"], row["context"]) for row in ROWS)
    assert len(ROWS) >= 600
    assert set(cells) == {
        (label, context) for label in ("-1", "0", "1") for context in ("occupation", "respect", "description")
    }
    assert len(set(cells.values())) == 1


def test_every_example_begins_with_the_placeholder_and_names_it_once() -> None:
    assert [row["text"] for row in ROWS if not row["text"].startswith("XYZ ") or row["text"].count("XYZ") != 1] == []


def test_no_example_stands_twice_or_nearly_so() -> None:
    assert len({row["text"].lower().rstrip(".") for row in ROWS}) == len(ROWS)
    long = [(row["text"], words) for row in ROWS if len(words := content(row["text"])) > 7]
    near = [(one, other) for (one, a), (other, b) in combinations(long, 2) if len(a & b) / len(a | b) > 0.75]
    assert near == []


def test_placeholders_become_words_only_where_they_stand_alone() -> None:
    assert worded("XYZ knows this person") == "a person knows a person"
    assert worded("nonthis person, XYZs") == "nonthis person, XYZs"


def test_the_margin_keeps_the_share_neutral_and_no_smaller_one_does() -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(200, 3))
    margin = neutral_margin(scores, share=0.9)

    def kept(added: float) -> float:
        return float(np.mean((scores[:, 1] + added) >= np.maximum(scores[:, 0], scores[:, 2])))

    assert kept(margin) >= 0.9 > kept(margin - 1e-9)


def test_the_margin_is_never_in_favour_of_polar_labels() -> None:
    assert neutral_margin(np.array([[0.0, 9.0, 0.0]] * 5)) == 0.0


def test_separable_examples_are_learned_and_plain_facts_stay_neutral() -> None:
    rng = np.random.default_rng(1)
    centres = np.array([[6.0, 0.0], [0.0, 0.0], [0.0, 6.0]])
    labels = np.repeat(np.array([-1, 0, 1], dtype=np.int8), 30)
    vectors = centres[labels + 1] + rng.normal(size=(90, 2)) / 4
    head = fit(vectors, labels, rng.normal(size=(20, 2)) / 4)
    assert head.label(centres).tolist() == [-1, 0, 1]
    assert head.accuracy > 0.95


def test_the_same_examples_give_the_same_head() -> None:
    rng = np.random.default_rng(2)
    labels = np.repeat(np.array([-1, 0, 1], dtype=np.int8), 20)
    vectors = rng.normal(size=(60, 4)) + labels[:, None]
    one, other = (fit(vectors, labels, rng_plain) for rng_plain in (np.zeros((5, 4)), np.zeros((5, 4))))
    assert np.array_equal(one.weights, other.weights)
    assert (one.margin, one.regularisation) == (other.margin, other.regularisation)


def test_regard_is_how_somebody_looks_and_not_how_a_sentence_feels(bundled_regard: Regard) -> None:
    texts = [
        "this person was loved so much that the city wept at the funeral",
        "this person was caught robbing an old woman",
        "this person is located at a kitchen table",
        "library is located at this person",
    ]
    assert bundled_regard.label(texts).tolist() == [1, -1, 0, 0]


def test_order_is_kept_and_a_text_s_label_does_not_depend_on_its_company(bundled_regard: Regard) -> None:
    texts = ["this person is kind", "this person is a thief and a liar", "this person has a desk"]
    together = bundled_regard.label(texts)
    assert together.tolist() == [int(bundled_regard.label([text])[0]) for text in texts]
    assert bundled_regard.label(texts[::-1]).tolist() == together.tolist()[::-1]
    assert bundled_regard.label([]).shape == (0,)


def test_the_identity_names_encoder_and_examples(bundled_regard: Regard, bundled: CachedEncoder) -> None:
    assert bundled.provenance.revision in bundled_regard.identity
    assert re.search(r"examples sha256:[0-9a-f]{16}$", bundled_regard.identity)


def test_most_held_out_examples_are_labelled_right(bundled_regard: Regard) -> None:
    assert bundled_regard.head.accuracy > 0.85


@pytest.mark.data
def test_four_of_five_sentences_of_sheng_and_others_are_labelled_right(bundled_regard: Regard, data: Path) -> None:
    path = data / "ewsheng" / "nlg-bias" / "data" / "regard" / "dev.tsv"
    dev = read_lines(path.read_bytes().decode("utf-8"))
    assert len(dev) == 60
    assert not set(dev.texts) & {row["text"] for row in ROWS}
    assert compare(bundled_regard.label(dev.texts), dev.labels).accuracy >= 0.8


@pytest.mark.data
def test_plain_facts_of_conceptnet_stay_neutral(bundled_regard: Regard, data: Path) -> None:
    released = read_regard(data / "Ninarehm" / "Commonsense_bias" / "ConceptNet_regard" / "masked_regard_output")
    # Every tenth: the whole takes minutes to encode and gives 0.529.
    texts, truth = released.statements.frame["masked"].tolist()[::10], released.labels["published"][::10]
    rated = truth != 2
    found = bundled_regard.label(texts)[rated]
    agreement = compare(found, truth[rated])
    assert agreement.macro_f1 >= 0.5
    assert 0.5 <= np.mean(found != 0) / np.mean(truth[rated] != 0) <= 2
    assert regard.WORDING not in texts[0]
