"""A saved model of TensorFlow that the tests make: from a folder, and from a server on loopback as a handle."""

from __future__ import annotations

import io
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from core.encoders import catalog, universal
from core.encoders.registry import Spec
from core.encoders.universal import UniversalEncoder
from core.errors import EncoderError
from tests import models
from tests.embedding_server import vector
from tests.loopback import Source, address_of_nobody, serving

HANDLE = "letters/1"


def silent(share: float, what: str) -> None:
    """Progress that nobody looks at."""


def load(target: object) -> UniversalEncoder:
    return universal.load("use", Spec("use", str(target)), Path(), silent)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return models.saved_model(tmp_path_factory.mktemp("saved") / "letters")


@pytest.fixture(scope="module")
def encoder(folder: Path) -> UniversalEncoder:
    return load(folder)


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TFHUB_CACHE_DIR", str(tmp_path / "tfhub"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def archive(folder: Path) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as packed:
        for path in sorted(folder.rglob("*")):
            packed.add(path, path.relative_to(folder).as_posix(), recursive=False)
    return content.getvalue()


def test_texts_become_the_vectors_of_the_model(encoder: UniversalEncoder) -> None:
    texts = [f"{'abc' * (number % 7)} {number}" for number in range(70)] + ["kill", "", "kill"]
    found = encoder.encode(texts)
    np.testing.assert_array_equal(found, [vector(text) for text in texts])
    assert found.dtype == np.float32
    assert encoder.encode([]).shape == (0, 9)


def test_provenance_names_the_model_and_the_hash_of_its_files(encoder: UniversalEncoder, folder: Path) -> None:
    made_by = encoder.provenance
    assert (made_by.model, made_by.dimension) == ("letters", 9)
    assert made_by.runtime.startswith("TensorFlow ")
    assert made_by.revision == f"sha256:{universal._digest(folder)}"
    assert universal.size(Spec("use", str(folder))) > 1000


def test_a_model_with_only_a_signature_gives_the_same(tmp_path: Path, encoder: UniversalEncoder) -> None:
    other = load(models.saved_model(tmp_path / "signature", callable_itself=False))
    np.testing.assert_array_equal(other.encode(["abba", "kill"]), encoder.encode(["abba", "kill"]))


def test_eight_threads_at_once_get_what_one_gets(encoder: UniversalEncoder) -> None:
    requests = [[f"{number} abc" * number, "kill"] for number in range(1, 17)]
    with ThreadPoolExecutor(8) as pool:
        for found, request in zip(pool.map(encoder.encode, requests), requests, strict=True):
            np.testing.assert_array_equal(found, [vector(text) for text in request])


def test_a_handle_is_fetched_once_and_gives_the_same(
    folder: Path, encoder: UniversalEncoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving({f"{HANDLE}?tf-hub-format=compressed": archive(folder)}) as source:
        monkeypatch.delenv("TFHUB_CACHE_DIR")
        first = catalog.load(f"use:{source.address}/{HANDLE}", tmp_path, specs=True)
        second = load(f"{source.address}/{HANDLE}")
        assert asked(source) == 1
    np.testing.assert_array_equal(first.encode(["abba"]), second.encode(["abba"]))
    assert first.provenance.revision == encoder.provenance.revision
    assert len(list((tmp_path / "tfhub").iterdir())) >= 1
    assert first.provenance.model == f"{source.address}/{HANDLE}"


def asked(source: Source) -> int:
    return len(source.requests)


def test_an_address_without_a_model_and_one_without_a_server_are_errors() -> None:
    with serving({f"{HANDLE}?tf-hub-format=compressed": b"no archive"}) as source:
        for path in (HANDLE, "other/1"):
            with pytest.raises(EncoderError, match="a saved model at this address"):
                load(f"{source.address}/{path}")
    with pytest.raises(EncoderError, match="a saved model at this address"):
        load(f"{address_of_nobody()}/{HANDLE}")


def test_a_folder_that_is_no_model_is_an_error_before_tensorflow_is_asked(tmp_path: Path) -> None:
    for target in (tmp_path, tmp_path / "no"):
        with pytest.raises(EncoderError, match=r"a folder with saved_model\.pb"):
            universal.size(Spec("use", str(target)))


def test_a_damaged_model_and_one_of_something_else_are_errors(tmp_path: Path) -> None:
    (tmp_path / "saved_model.pb").write_bytes(b"damaged")
    with pytest.raises(EncoderError, match="a saved model that turns texts into vectors"):
        load(tmp_path)
    with pytest.raises(EncoderError, match="a saved model that turns texts into vectors"):
        load(models.saved_model(tmp_path / "numbers", texts=False))
