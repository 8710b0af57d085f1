from __future__ import annotations

import random
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from core.assets import column
from core.encoders import minilm
from core.encoders.conversion import converted_model
from core.encoders.openvino import OpenVinoEncoder
from core.encoders.protocol import Encoder, Provenance
from core.errors import EncoderError
from core.moral.templates import published, questions


@pytest.fixture(scope="module")
def folder(cache_dir: Path) -> Path:
    return converted_model(
        minilm.model_dir(), minilm.WEIGHTS_SHA256, cache_dir, progress=lambda share, what: print(f"{share:.0%} {what}")
    )


def _load(folder: Path) -> OpenVinoEncoder:
    provenance = Provenance(minilm.MODEL, "", minilm.LICENCE, minilm.DIMENSION, "OpenVINO", "")
    return OpenVinoEncoder("bundled", folder, minilm.tokenizer(minilm.model_dir()), provenance)


@pytest.fixture(scope="module")
def encoder(folder: Path) -> Encoder:
    """Without a cache around it, so that every call computes."""
    return _load(folder)


@pytest.fixture(scope="module")
def asked() -> list[str]:
    mixed = [
        *questions(column("atomic_actions.csv", "action")[:12], published()),
        *column("context_actions.csv", "phrase"),
    ]
    random.Random(1).shuffle(mixed)
    return mixed


def test_embeddings_are_finite_unit_vectors_in_single_precision(encoder: Encoder, asked: list[str]) -> None:
    vectors = encoder.encode(asked)
    assert vectors.shape == (len(asked), minilm.DIMENSION)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)


def test_neither_order_nor_company_nor_repetition_changes_an_embedding(encoder: Encoder, asked: list[str]) -> None:
    together = encoder.encode(asked)
    np.testing.assert_allclose(encoder.encode(asked[::-1])[::-1], together, atol=1e-6)
    np.testing.assert_allclose(encoder.encode([asked[0], asked[1], asked[0]]), together[[0, 1, 0]], atol=1e-6)
    for text, vector in zip(asked[:5], together, strict=False):
        np.testing.assert_allclose(encoder.encode([text])[0], vector, atol=1e-6)


def test_eight_threads_at_once_get_what_one_gets(encoder: Encoder, asked: list[str]) -> None:
    requests = [asked[start : start + 20] for start in range(0, len(asked), 7)]
    alone = [encoder.encode(request) for request in requests]
    with ThreadPoolExecutor(8) as pool:
        for found, wanted in zip(pool.map(encoder.encode, requests), alone, strict=True):
            np.testing.assert_allclose(found, wanted, atol=1e-6)


@pytest.mark.parametrize("text", ["", " ", "🎉", "לעזור", "<b>kill</b>", "\u200b", "time " * 1000])
def test_any_text_has_an_embedding(encoder: Encoder, text: str) -> None:
    assert np.linalg.norm(encoder.encode([text])) == pytest.approx(1, abs=1e-6)


def test_no_text_gives_no_rows(encoder: Encoder) -> None:
    assert encoder.encode([]).shape == (0, minilm.DIMENSION)


def test_a_graph_that_does_not_give_the_embeddings_of_torch_is_refused(folder: Path, tmp_path: Path) -> None:
    for name in ("model.xml", "model.bin"):
        (tmp_path / name).symlink_to(folder / name)
    shutil.copy(folder / "probes.npy", tmp_path)
    assert _load(tmp_path).name == "bundled"
    probes = np.load(folder / "probes.npy")
    probes[0, 0] += 2e-5
    np.save(tmp_path / "probes.npy", probes)
    with pytest.raises(EncoderError, match=r"differ from torch by 2e-05.*MORALSCOPE_RUNTIME=torch"):
        _load(tmp_path)
