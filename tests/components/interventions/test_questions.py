"""What can be put is what is here."""

from __future__ import annotations

from pathlib import Path

import pytest

from components.interventions import questions
from core.interventions.released import RELIGION_DEV, RELIGION_TEST, SPECIFIED


def test_without_the_released_data_there_is_no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MORALSCOPE_DATA", str(tmp_path))
    assert questions.files() == []


@pytest.mark.data
def test_released_files_have_short_names_of_their_own() -> None:
    assert {RELIGION_TEST, RELIGION_DEV, SPECIFIED} <= set(questions.files())
    assert SPECIFIED not in questions.files("underspecified")
    names = [questions.file_name(path) for path in questions.files()]
    assert len(set(names)) == len(names)
    assert questions.file_name(RELIGION_TEST) == "lei: religion, test"
