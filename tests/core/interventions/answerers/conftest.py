"""Small models, built once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import tiny_models


@pytest.fixture(scope="session")
def qa_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.question_answering(tmp_path_factory.mktemp("qa"))


@pytest.fixture(scope="session")
def masked_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.masked(tmp_path_factory.mktemp("masked"))


@pytest.fixture(scope="session")
def causal_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.causal(tmp_path_factory.mktemp("causal"))


@pytest.fixture(scope="session")
def sequence_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.sequence(tmp_path_factory.mktemp("sequence"))
