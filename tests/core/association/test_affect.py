from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core import assets
from core.assets import column
from core.association import affect
from core.errors import AssetError


def test_the_check_of_the_paper_is_met() -> None:
    found = affect.validate(column("mcm_verbs.csv", "verb", side="do"), column("mcm_verbs.csv", "verb", side="dont"))
    assert (found.all.dos.mean, found.all.donts.mean) == pytest.approx((1.12, -0.90))
    assert (found.all.dos.sd, found.all.donts.sd) == pytest.approx((1.24, 1.22), abs=0.005)
    assert (found.all.dos.n, found.all.donts.n) == (50, 50)
    assert found.all.t == pytest.approx(8.12, abs=0.005)
    assert found.all.p is not None
    assert found.all.p < 0.0001
    assert found.rated is not None
    assert (found.rated.dos.mean, found.rated.donts.mean) == pytest.approx((2.33, -2.37), abs=0.005)
    assert (found.rated.dos.n, found.rated.donts.n) == (24, 19)
    assert found.rated.t == pytest.approx(23.27, abs=0.005)


def test_student_t_by_hand() -> None:
    # means 2 and −2, sample variances 2 and 2: t = 4 / √(2 · (1/2 + 1/2))
    found = affect.compare(np.array([1.0, 3.0]), np.array([-3.0, -1.0]))
    assert found.t == pytest.approx(4 / np.sqrt(2))
    assert found.dos == affect.Valence(2.0, 1.0, 2)


@pytest.mark.parametrize("dos", [[2.0, 2.0], [2.0]])
def test_what_does_not_vary_has_no_t_and_raises_no_warning(dos: list[float]) -> None:
    found = affect.compare(np.array(dos), np.array([-1.0, -1.0]))
    assert (found.t, found.p) == (None, None)
    assert found.dos.mean == 2


def test_one_side_without_spread_still_has_a_t() -> None:
    assert affect.compare(np.array([2.0, 2.0]), np.array([-1.0, -3.0])).t == pytest.approx(4.0)


def test_an_unrated_verb_counts_as_neutral_and_is_left_out_of_the_second_comparison() -> None:
    found = affect.validate(["smile", "stroll"], ["stroll", "purl"])
    assert found.all.dos == affect.Valence(1.0, 1.0, 2)
    assert found.all.donts.mean == 0
    assert found.rated is None


def test_valences_are_those_of_edition_165_from_minus_5_to_5() -> None:
    valences = set(affect.afinn().values())
    assert (min(valences), max(valences)) == (-5, 5)
    assert affect.afinn()["murder"] == -2
    with pytest.raises(TypeError):
        affect.afinn()["smile"] = -5.0  # type: ignore[index]


def test_a_lexicon_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(assets, "find_spec", lambda name: None)
    monkeypatch.chdir(tmp_path)
    affect.afinn.cache_clear()
    try:
        with pytest.raises(AssetError, match=r"the word list .* of the package afinn"):
            affect.afinn()
    finally:
        affect.afinn.cache_clear()
