"""Sources are opened by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import EncoderError, InputError
from core.knowledge.sources import NAMES, demo, open_source


def test_the_names_are_those_of_the_documentation() -> None:
    assert set(NAMES) == {"demo", "conceptnet", "conceptnet-regard", "genericskb", "comet", "csg"}


@pytest.mark.parametrize("name", ["", "conceptNet", "no/such/file.csv", "encoders:bundled"])
def test_another_name_is_refused_with_the_names(name: str) -> None:
    with pytest.raises(InputError, match="a source \\(demo, conceptnet"):
        open_source(name)


def test_an_unknown_encoder_is_refused() -> None:
    with pytest.raises(EncoderError, match="bundled or static"):
        open_source("encoder:nobody")


def test_a_file_is_read_in_the_format_that_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "poets.data").write_text("who\nPoets write.\n", encoding="utf-8")
    found = open_source(str(tmp_path / "poets.data"), form="csv", mapping={"statement": "who"})
    assert found.statements.frame["target"].tolist() == ["poet"]


def test_the_demonstration_is_read_by_its_target_column(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    rows = [
        {"statement": "Poets read aloud.", "target": "poet", "category": "profession"},
        {"statement": "It has long coasts.", "target": "Norway", "category": "origin"},
        {"statement": "It purrs.", "target": "cat", "category": "animal"},
    ]
    monkeypatch.setattr(demo, "read_table", lambda name: rows)
    found = open_source("demo")
    assert found.statements.frame["target"].tolist() == ["poet", "Norway"]
    assert found.statements.targets.names == ("Norway", "poet")
    assert found.report.without_target == 1
    assert "not evidence" in found.credit
