"""The card repeats known numbers, admits what it cannot measure, and says first what matters most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.encoders import health
from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Provenance
from core.moral.survey import Survey
from core.vectors import FloatArray

SURVEY = Survey(
    ("help old people", "kill people", "smile", "steal money", "read a book"),
    np.array([9, 0, 8, 1, 9]),
    np.array([1, 10, 2, 9, 1]),
)


class Constant:
    """Gives every text nearly the same vector."""

    name = "constant"
    provenance = Provenance("constant", "1", "MIT", 3, "Python", "made by hand")

    def encode(self, texts: Sequence[str]) -> FloatArray:
        return np.tile(np.array([1.0, 2.0, 3.0], dtype=np.float32), (len(texts), 1))


class Opposite:
    """Knows yes from no, what people do from what they do not, and that "not" turns it round."""

    name = "opposite"
    provenance = Provenance("opposite", "1", "MIT", 9, "Python", "made by hand")

    def encode(self, texts: Sequence[str]) -> FloatArray:
        rows = np.zeros((len(texts), 9), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            words = text.lower().replace(",", " ").replace(".", " ").replace("?", " ").split()
            letters = sum(map(ord, "".join(word for word in words if word != "not")))
            row[:2] = {"yes": (1, 0), "no": (0, 1)}.get(words[0], (0, 0))
            if words[0] not in ("yes", "no"):
                side = (letters % 17 - 8) / 8 * (-1 if "not" in words else 1)
                row[:3] = 1 + side, 1 - side, letters % 7
        return rows + np.float32(1e-3)


def test_the_bundled_encoder_has_the_numbers_that_are_known_of_it(bundled: CachedEncoder, cache_dir: Path) -> None:
    card = health.check(bundled, cache_dir)
    assert card.weat is not None
    assert card.negation is not None
    assert card.weat.r == pytest.approx(0.597, abs=0.005)
    assert card.negation.r == pytest.approx(0.92, abs=0.01)
    assert card.yes_no == pytest.approx(0.733, abs=0.005)
    assert card.variance_explained > card.random_line
    assert len(card.concerns) == 1
    assert "negation" in card.concerns[0]


def test_without_a_survey_and_a_clock_agreement_and_speed_are_not_measured(letters: Any, tmp_path: Path) -> None:
    card = health.check(CachedEncoder(letters), tmp_path)
    assert (card.people_bias, card.people_axis, card.texts_per_second) == (None, None, None)


def test_agreement_is_with_the_survey_given(letters: Any, tmp_path: Path) -> None:
    card = health.check(CachedEncoder(letters), tmp_path, survey=SURVEY)
    turned = health.check(CachedEncoder(letters), tmp_path, survey=replace(SURVEY, yes=SURVEY.no, no=SURVEY.yes))
    assert card.people_bias is not None
    assert turned.people_bias is not None
    assert card.people_bias.n == 5
    assert card.people_bias.r == pytest.approx(-turned.people_bias.r)


def test_speed_is_that_of_the_encoder_and_not_of_what_is_remembered(letters: Any, tmp_path: Path) -> None:
    def ticks() -> Iterator[float]:
        yield from (10.0, 12.0)

    clock = ticks()
    encoder = CachedEncoder(letters)
    health.check(encoder, tmp_path)
    letters.asked.clear()
    card = health.check(encoder, tmp_path, clock=lambda: next(clock))
    assert card.texts_per_second == health.TIMED / 2
    assert len(letters.asked) == health.TIMED + health.WARM


def test_an_encoder_that_understands_negation_is_not_accused(tmp_path: Path) -> None:
    card = health.check(CachedEncoder(Opposite()), tmp_path)
    assert card.negation is not None
    assert card.negation.r < -0.9
    assert not any("negation" in concern for concern in card.concerns)


def test_what_does_not_vary_is_said_and_never_nan(tmp_path: Path) -> None:
    class Nearly(Constant):
        def encode(self, texts: Sequence[str]) -> FloatArray:
            rows = super().encode(texts)
            for row, text in zip(rows, texts, strict=True):
                if text.split()[0] not in ("Yes,", "No,", "yes", "no") and "not" not in text.split():
                    row[2] += 0.001 * (len(text) % 5)
            return rows

    card = health.check(CachedEncoder(Nearly()), tmp_path, survey=SURVEY)
    assert (card.weat, card.negation, card.people_bias) == (None, None, None)
    assert "Its scores of the published verbs do not vary" in card.concerns
