"""A saved model of TensorFlow that the tests make: from a folder, and from a server on loopback as a handle."""

from __future__ import annotations

import io
import socket
import subprocess
import sys
import tarfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
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


def listening(begin: bytes, then: bytes = b"") -> Iterator[str]:
    """A server that accepts, says something at once, then one byte at a time, and never ends."""
    stop = threading.Event()

    def answer(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.sendall(begin)
            while not stop.wait(0.05):
                connection.sendall(then)

    def accept() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}"
        stop.set()


@pytest.mark.parametrize(
    ("begin", "then"),
    [
        (b"", b""),
        (b"HTTP/1.1 200 OK\r\nX-Slow: ", b"x"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n", b""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n", b"x"),
    ],
)
def test_a_server_that_never_answers_is_given_up_and_nothing_is_kept(
    begin: bytes, then: bytes, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(universal, "ANSWER", 0.5)
    monkeypatch.setattr(universal, "WHOLE", 1.0)
    with contextmanager(listening)(begin, then) as address:
        began = time.monotonic()
        with pytest.raises(EncoderError, match=r"a saved model at this address.*no answer within 0\.5 s"):
            universal.size(Spec("use", f"{address}/{HANDLE}"))
        assert time.monotonic() - began < 20  # it would never end
    assert list((tmp_path / "tfhub").iterdir()) == []


@pytest.mark.parametrize("announced", [True, False])
def test_a_model_larger_than_memory_is_refused_before_or_while_it_comes_and_nothing_is_kept(
    announced: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as packed:
        for name in ("saved_model.pb", "variables"):
            member = tarfile.TarInfo(name)
            member.size = 700_000  # zeros: the archive itself is small
            packed.addfile(member, io.BytesIO(bytes(member.size)))
    monkeypatch.setenv("MORALSCOPE_MEMORY_MB", "2")
    body = content.getvalue() + bytes(3_000_000) * announced
    with (
        serving({f"{HANDLE}?tf-hub-format=compressed": body}, announces_length=announced) as source,
        pytest.raises(EncoderError, match=r"at most 1 MB, for which memory is free .* a larger one"),
    ):
        universal.size(Spec("use", f"{source.address}/{HANDLE}"))
    assert list((tmp_path / "tfhub").iterdir()) == []


def test_an_archive_that_ends_too_early_holds_no_model_or_leaves_its_folder_is_refused_and_nothing_is_kept(
    folder: Path, tmp_path: Path
) -> None:
    outside = io.BytesIO()
    with tarfile.open(fileobj=outside, mode="w:gz") as packed:
        packed.add(folder / "saved_model.pb", "../saved_model.pb")
    for body in (archive(folder)[:2000], archive(folder / "variables"), outside.getvalue()):
        with (
            serving({f"{HANDLE}?tf-hub-format=compressed": body}, announces_length=False) as source,
            pytest.raises(EncoderError, match=r"a saved model at this address|a folder with saved_model"),
        ):
            load(f"{source.address}/{HANDLE}")
        assert list((tmp_path / "tfhub").iterdir()) == []


def test_an_address_of_another_kind_is_an_error() -> None:
    with pytest.raises(EncoderError, match="a saved model at this address"):
        universal.size(Spec("use", "gs://bucket/model.tar.gz"))


def test_tensorflow_says_nothing_on_standard_error_and_what_others_say_comes_through(folder: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from core.encoders import universal; from core.encoders.registry import Spec\n"
        f"universal.load('use', Spec('use', {str(folder)!r}), Path(), lambda share, what: None).encode(['abba'])\n"
        "with universal._without_notices(): os.write(2, b'I0000 a notice\\nan error\\n')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=300)
    assert done.stderr == "an error\n"


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
