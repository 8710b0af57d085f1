"""Encoders: what each is, its health card, and the comparison of compasses."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.encoders import health
from core.encoders.cache import CachedEncoder
from tests.pages.screen import said

Visit = Callable[..., AppTest]
Figures = Callable[[AppTest], dict[str, Any]]


@pytest.fixture(autouse=True)
def directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty data directory."""
    monkeypatch.setenv("MORALSCOPE_DATA", str(tmp_path))
    return tmp_path


def test_every_encoder_is_listed_and_the_chosen_ones_are_compared(
    visit: Visit, static: CachedEncoder, cache_dir: Path
) -> None:
    at = visit("encoders", encoders=["static", "bundled"])
    assert not at.error
    assert list(at.dataframe[0].value["name"]) == ["bundled", "static"]
    assert list(at.dataframe[0].value["text goes to"]) == ["stays here", "stays here"]
    card = health.check(static, cache_dir)
    assert card.weat is not None
    assert f"Static word embeddings: bias and published word associations: r = {card.weat.r:.2f}" in said(at)
    assert "MiniLM sentence encoder: bias and published word associations: r = 0.60" in said(at)
    assert "axis and people: not measured" in said(at)
    assert [chart.key for chart in at.get("plotly_chart")] == ["figure_compass_0", "figure_compass_1"]
    assert all(chart.proto.alt for chart in at.get("plotly_chart"))


def test_the_table_holds_intervals_and_the_random_line(visit: Visit) -> None:
    at = visit("encoders")
    at.session_state["drawer_compass"] = True
    row = at.run().dataframe[-1].value.iloc[0]
    assert row["association_low"] < row["association_r"] < row["association_high"]
    assert 0 < row["random_line"] < row["variance_explained"]


@pytest.mark.data
def test_people_are_asked_where_the_survey_is_here(visit: Visit, monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    monkeypatch.setenv("MORALSCOPE_DATA", str(data))
    assert "axis and people: r = 0.73 (95 % interval 0.63 to 0.81, n = 113)" in said(
        visit("encoders", encoders="bundled")
    )
