"""Torch computes where OpenVINO has no wheel; it is also what OpenVINO is compared with."""

from __future__ import annotations

import importlib.util
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.assets import column
from core.encoders import catalog, minilm
from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Encoder
from core.moral.templates import published, questions

TEXTS = [
    *questions(("kill time", "kill people", "smile"), published()),
    *column("context_actions.csv", "phrase")[:14],
    "",
    "🎉",
    "לעזור לחבר",
    "<b>kill</b>",
    "A librarian reads to the children while rain falls on the old roof, and nobody wants to go home before the end.",
    "time " * 300,
]


@pytest.fixture(scope="module")
def torch_encoder(cache_dir: Path) -> Encoder:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MORALSCOPE_RUNTIME", "torch")
        return catalog.entry("bundled").load(cache_dir, lambda share, what: None)


def test_torch_is_used_when_asked_for_and_says_so(torch_encoder: Encoder) -> None:
    assert torch_encoder.provenance.runtime == "torch"
    assert torch_encoder.provenance.revision == f"sha256:{minilm.WEIGHTS_SHA256}"


def test_openvino_and_torch_embed_fifty_texts_alike(torch_encoder: Encoder, bundled: CachedEncoder) -> None:
    assert bundled.provenance.runtime == "OpenVINO"
    assert len(set(TEXTS)) == 50
    assert np.abs(bundled.encode(TEXTS) - torch_encoder.encode(TEXTS)).max() <= 1e-6


def test_rows_follow_the_texts_with_repetitions(torch_encoder: Encoder) -> None:
    kill, smile, again = torch_encoder.encode(["kill", "smile", "kill"])
    np.testing.assert_array_equal(kill, again)
    assert not np.allclose(kill, smile, atol=0.01)


def test_no_text_gives_no_rows(torch_encoder: Encoder) -> None:
    assert torch_encoder.encode([]).shape == (0, minilm.DIMENSION)


def test_eight_threads_at_once_get_what_one_gets(torch_encoder: Encoder) -> None:
    requests = [TEXTS[start : start + 4] for start in range(0, 32, 4)]
    alone = [torch_encoder.encode(request) for request in requests]
    with ThreadPoolExecutor(8) as pool:
        for found, wanted in zip(pool.map(torch_encoder.encode, requests), alone, strict=True):
            np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_torch_is_used_where_openvino_is_not_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    known = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "openvino" else known(name))
    monkeypatch.delenv("MORALSCOPE_RUNTIME", raising=False)
    loaded: list[Any] = []
    monkeypatch.setattr(
        "core.encoders.sentence_transformer.SentenceTransformerEncoder", lambda *given: loaded.append(given)
    )
    catalog.entry("bundled").load(tmp_path, lambda share, what: None)
    ((name, folder, provenance, precision),) = loaded
    assert (name, folder, provenance.runtime, precision) == ("bundled", minilm.model_dir(), "torch", "f32")
    assert list(tmp_path.iterdir()) == []  # nothing is converted
