"""The figures of Mehrabi et al. (2021): what the paper prints, and what the released data gives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.assets import read_table
from core.knowledge.figures import measure_release, printed_beside_recomputed, recompute
from core.knowledge.masking import mentions
from core.knowledge.sources.release import open_release, published_regard

RATINGS = "Ninarehm/Commonsense_bias/mturk_labels/ConceptNet"
FIGURES = {row.figure: row for row in printed_beside_recomputed()}
COUNTS = {"conceptnet_triples", "human_ratings_conceptnet", "human_items_conceptnet", "comet_relations", "comet_beams"}
FROM_RATINGS = {name for name in FIGURES if name.startswith(("agreement", "conceptnet_regard", "conceptnet_sentiment"))}


def vader(texts: Sequence[str]) -> NDArray[np.int8]:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    rate = SentimentIntensityAnalyzer().polarity_scores
    compound = {text: rate(text)["compound"] for text in dict.fromkeys(texts)}
    return np.array([(compound[text] >= 0.05) - (compound[text] <= -0.05) for text in texts], dtype=np.int8)


@pytest.fixture(scope="module")
def fresh(data: Path) -> dict[str, float]:
    return recompute(measure_release(data, vader))


STORED = sorted(set(FIGURES) - COUNTS - FROM_RATINGS - {"kappa_conceptnet"})


@pytest.mark.data
@pytest.mark.parametrize("name", STORED)
def test_the_released_data_gives_the_figure_to_the_digits_that_are_stored(name: str, fresh: dict[str, float]) -> None:
    stored = next(row["recomputed"] for row in read_table("knowledge_figures.csv") if row["figure"] == name)
    digits = len(stored.partition(".")[2])
    assert f"{fresh[name]:.{digits}f}" == stored


@pytest.mark.data
def test_every_figure_that_is_computed_is_stored(fresh: dict[str, float]) -> None:
    assert sorted(fresh) == STORED


@pytest.mark.data
def test_figures_computed_now_take_the_place_of_stored_ones(fresh: dict[str, float]) -> None:
    rows = {row.figure: row.recomputed for row in printed_beside_recomputed(fresh)}
    assert rows["comet_nsv"] == fresh["comet_nsv"]
    assert rows["kappa_conceptnet"] == FIGURES["kappa_conceptnet"].recomputed


@pytest.mark.data
def test_sizes_of_the_released_files(data: Path) -> None:
    assert open_release("conceptnet", data).report.rows == FIGURES["conceptnet_triples"].recomputed
    comet = open_release("comet", data).statements.frame
    per_relation = comet[comet["target"] == "Muslim"]["relation"].value_counts()
    assert len(per_relation) == FIGURES["comet_relations"].recomputed
    assert set(per_relation) == {FIGURES["comet_beams"].recomputed}


@pytest.mark.data
def test_agreement_with_people_comes_out_as_stored(data: Path) -> None:
    folder = data / RATINGS
    sentences = (folder / "sentences").read_text(encoding="utf-8").rstrip("\n").split("\n")
    human = 2 - np.array((folder / "mturk_labels").read_text(encoding="utf-8").split(), dtype=np.int8)
    assert (
        len(human) == FIGURES["human_ratings_conceptnet"].recomputed == 3 * FIGURES["human_items_conceptnet"].recomputed
    )
    masked = [mentions().mask(text) for text in sentences]
    _compare("sentiment", human, vader(masked), tolerance=0.004)
    table = published_regard(open_release("conceptnet-regard", data)).table
    found = np.array([text.lower() in table for text in masked])
    labels = np.array([table.get(text.lower(), 0) for text in masked], dtype=np.int8)
    assert abs(int(found.sum()) - 2808) <= 30
    _compare("regard", human[found], labels[found], tolerance=0.012)


def _compare(kind: str, human: NDArray[np.int8], machine: NDArray[np.int8], *, tolerance: float) -> None:
    assert (human == machine).mean() == pytest.approx(
        FIGURES[f"agreement_conceptnet_{kind}"].recomputed / 100, abs=tolerance
    )
    for side, label in (("favoritism", 1), ("prejudice", -1)):
        both = ((human == label) & (machine == label)).sum()
        recall, precision = both / (human == label).sum(), both / (machine == label).sum()
        f1 = 2 * recall * precision / (recall + precision)
        for name, value in (("recall", recall), ("precision", precision), ("f1", f1)):
            assert value == pytest.approx(FIGURES[f"conceptnet_{kind}_{side}_{name}"].recomputed, abs=tolerance), name


def test_a_figure_stands_with_the_printed_words_and_its_source() -> None:
    row = FIGURES["disparity_conceptnet_pos_regard"]
    assert (row.printed, row.recomputed, row.source) == ("3.74", 3.174, "Mehrabi 2021, Table 4")
    assert "misprint" in row.note


def test_no_figure_is_listed_twice() -> None:
    assert len(FIGURES) == len(printed_beside_recomputed()) == 64
