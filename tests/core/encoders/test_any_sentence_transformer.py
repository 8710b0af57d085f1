"""Any sentence-transformers model on this machine: OpenVINO where it gives torch's numbers, and never code or a pickle."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.encoders import catalog, conversion, minilm, sentence_transformer
from core.encoders.protocol import Encoder
from core.encoders.registry import Spec
from core.encoders.sentence_transformer import SentenceTransformerEncoder
from core.errors import EncoderError
from tests import models

TEXTS = ["Should I kill time?", "help my friend", "no", "smile " * 90, "", "no"]


def silent(share: float, what: str) -> None:
    """Progress that nobody looks at."""


def load(folder: Path, cache: Path, **options: Any) -> Encoder:
    return sentence_transformer.load("mine", Spec("st", str(folder), **options), cache, silent)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return models.sentence_transformer(tmp_path_factory.mktemp("models") / "tiny", pooling="cls")


@pytest.fixture(scope="module")
def converted(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder in which the model is converted already."""
    cache = tmp_path_factory.mktemp("converted")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("MORALSCOPE_RUNTIME", raising=False)
        assert load(whole, cache).provenance.runtime == "OpenVINO"
    return cache


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole, tmp_path / "tiny")


@pytest.fixture
def torch_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MORALSCOPE_RUNTIME", "torch")


def test_a_model_of_the_bert_family_gives_the_numbers_of_torch_by_openvino(whole: Path, converted: Path) -> None:
    fast = load(whole, converted)
    exact = SentenceTransformerEncoder("mine", whole, fast.provenance)
    assert fast.provenance.runtime == "OpenVINO"
    assert fast.encode(TEXTS).shape == (len(TEXTS), 8)
    np.testing.assert_allclose(fast.encode(TEXTS), exact.encode(TEXTS), atol=2e-6)
    assert np.linalg.norm(exact.encode(["no"])) > 1.5  # not of unit length: the model's own modules decide


def test_a_graph_that_gives_other_numbers_is_not_used(
    whole: Path, converted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(conversion.TOLERANCES, "f32", -1.0)
    assert load(whole, converted).provenance.runtime == "torch"


@pytest.mark.parametrize("runtime", ["OpenVINO", "torch"])
def test_less_precision_is_used_only_when_asked_for_and_says_what_it_costs(
    runtime: str, whole: Path, converted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MORALSCOPE_RUNTIME", runtime)
    exact, fast = load(whole, converted), load(whole, converted, precision="bf16")
    assert (exact.provenance.runtime, fast.provenance.runtime) == (runtime, f"{runtime}, bf16")
    assert "bf16" not in exact.provenance.note
    assert "differ from those in f32 by up to" in fast.provenance.note
    assert exact.provenance.identity != fast.provenance.identity
    np.testing.assert_allclose(fast.encode(TEXTS), exact.encode(TEXTS), atol=0.1)


@pytest.mark.usefixtures("torch_only")
def test_another_architecture_is_run_by_torch(tmp_path: Path) -> None:
    found = load(models.sentence_transformer(tmp_path / "other", family="gpt2"), tmp_path)
    assert (found.provenance.runtime, found.provenance.dimension) == ("torch", 8)
    assert np.isfinite(found.encode(TEXTS[:4])).all()


def test_only_the_bert_family_is_converted(folder: Path) -> None:
    assert sentence_transformer._converts(folder)
    change(folder / "config.json", model_type="gpt2")
    assert not sentence_transformer._converts(folder)


def test_provenance_names_the_model_its_hash_and_its_licence(whole: Path, converted: Path, folder: Path) -> None:
    (folder / "README.md").write_text("---\ntags: [a]\nlicense: mit\n---\nlicense: none\n")
    mine, same = load(whole, converted).provenance, load(folder, converted).provenance
    assert (same.model, same.licence, mine.licence) == ("tiny", "mit", "not stated")
    assert mine.revision == same.revision  # the text about a model is no part of it
    assert "/" not in same.model  # where it lies on this machine is nobody's business
    change(folder / "1_Pooling" / "config.json", pooling_mode="mean")
    assert sentence_transformer._digest(folder) != sentence_transformer._digest(whole)


@pytest.mark.usefixtures("torch_only")
def test_the_bundled_weights_as_a_spec_give_the_bundled_numbers(bundled: Encoder, tmp_path: Path) -> None:
    found = catalog.load(f"st:{minilm.model_dir()}", tmp_path, specs=True)
    np.testing.assert_allclose(found.encode(TEXTS), bundled.encode(TEXTS), atol=1e-6)


def test_a_name_that_is_not_on_this_machine_is_an_error_at_once_and_nothing_is_fetched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    for name in ("bert-large-nli-mean-tokens", "nobody/no-such-model", "a b", "../..", "https://example.org/model"):
        with pytest.raises(EncoderError, match=r"hf download|neither modules\.json"):
            load(Path(name), tmp_path)


def change(path: Path, **values: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def own_module(folder: Path) -> None:
    (folder / "evil.py").write_text("raise SystemExit('code of the model was run')")
    modules = json.loads((folder / "modules.json").read_text())
    (folder / "modules.json").write_text(
        json.dumps([*modules, {"idx": 2, "name": "2", "path": "", "type": "evil.Evil"}])
    )


def outside(folder: Path) -> None:
    modules = json.loads((folder / "modules.json").read_text())
    modules[1]["path"] = "../.."
    (folder / "modules.json").write_text(json.dumps(modules))


def pickled(folder: Path) -> None:
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")


def cut(folder: Path) -> None:
    content = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(content[:-8])


UNUSABLE: dict[str, tuple[Callable[[Path], object], str]] = {
    "no model": (lambda folder: [shutil.rmtree(folder), folder.mkdir()], "neither modules.json nor config.json"),
    "code in a module": (own_module, "evil.Evil, code of its own"),
    "code in the configuration": (
        lambda folder: change(folder / "config.json", auto_map={"AutoModel": "evil.Evil"}),
        "auto_map",
    ),
    "a module elsewhere": (outside, "inside the model's folder"),
    "pickled weights": (pickled, "a format that can hold code"),
    "no weights": (lambda folder: (folder / "model.safetensors").unlink(), "weights in safetensors.*none"),
    "weights cut off": (cut, "it is not whole"),
    "weights of another kind": (lambda folder: (folder / "model.safetensors").write_bytes(b"x" * 99), "header"),
    "no JSON": (lambda folder: (folder / "modules.json").write_text("{"), "readable JSON in modules.json"),
    "no list": (lambda folder: (folder / "modules.json").write_text('{"a": 1}'), "a list of modules"),
}


@pytest.mark.parametrize("kind", UNUSABLE)
def test_what_cannot_be_used_is_named_before_anything_is_loaded(kind: str, folder: Path) -> None:
    damage, said = UNUSABLE[kind]
    damage(folder)
    with pytest.raises(EncoderError, match=said):
        sentence_transformer.size(Spec("st", str(folder)))


@pytest.mark.usefixtures("torch_only")
def test_a_model_that_cannot_be_built_is_an_error_in_words(folder: Path, tmp_path: Path) -> None:
    change(folder / "config.json", model_type="no such type")
    with pytest.raises(EncoderError, match="a model that sentence-transformers can load"):
        load(folder, tmp_path)


def test_a_model_of_ten_gigabytes_is_refused_on_a_machine_of_four(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = 2_500_000_000
    header = json.dumps({"w": {"dtype": "F32", "shape": [rows, 1], "data_offsets": [0, 4 * rows]}}).encode()
    with (folder / "model.safetensors").open("wb") as handle:
        handle.write(len(header).to_bytes(8, "little") + header)
        handle.truncate(8 + len(header) + 4 * rows)  # holes: it takes no room on the disk
    monkeypatch.delenv("MORALSCOPE_MEMORY_MB", raising=False)
    monkeypatch.setattr("core.encoders.memory.machine_bytes", lambda: 4 << 30)
    with pytest.raises(EncoderError, match=r"fits into 2,048 MB of memory, got one that needs about 19,073 MB"):
        catalog.load(f"st:{folder}", tmp_path, specs=True)


def test_the_offered_models_are_public_names_with_their_facts() -> None:
    names = [offer.name for offer in sentence_transformer.OFFERS]
    assert "sentence-transformers/bert-large-nli-mean-tokens" in names
    assert len(set(names)) == len(names)
    assert all(offer.licence and offer.dimension and offer.note for offer in sentence_transformer.OFFERS)
