from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.encoders import catalog
from core.encoders.cache import CachedEncoder, Vectors
from core.encoders.memory import Pool
from core.errors import EncoderError


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A registry file that names two further encoders, one of them on a server."""
    (tmp_path / "v.txt").write_text("kill 1 0\ntime 0 1\n")
    file = tmp_path / "moralscope.toml"
    file.write_text(
        'default = "mine"\n'
        'encoders.mine = {spec = "words:v.txt", title = "Two words"}\n'
        'encoders.far = {spec = "endpoint:http://127.0.0.1:9/v1#m"}\n'
    )
    monkeypatch.setenv("MORALSCOPE_CONFIG", str(file))
    return file


@pytest.mark.parametrize("name", ["", "Bundled", "<b>bold</b>", "x" * 1000, "st:/tmp", "words:/etc/passwd"])
def test_an_unknown_name_is_refused_with_the_known_ones(name: str, tmp_path: Path) -> None:
    with pytest.raises(EncoderError, match="bundled or static") as caught:
        catalog.load(name, tmp_path)
    assert len(str(caught.value)) < 300  # a long name is cut, not echoed


def test_names_are_distinct_and_hold_the_default() -> None:
    assert len(set(catalog.NAMES)) == len(catalog.NAMES)
    assert catalog.default() == catalog.DEFAULT
    assert catalog.DEFAULT in catalog.NAMES


def test_the_cache_folder_is_the_variable_or_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MORALSCOPE_CACHE", str(tmp_path))
    assert catalog.default_cache_dir() == tmp_path
    monkeypatch.delenv("MORALSCOPE_CACHE")
    assert catalog.default_cache_dir().is_absolute()
    assert "moralscope" in catalog.default_cache_dir().parts


@pytest.mark.parametrize("name", catalog.NAMES)
def test_damaged_weights_stop_every_encoder_before_anything_is_read(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"damaged")
    monkeypatch.setenv("MORALSCOPE_BUNDLED_MODEL", str(tmp_path))
    with pytest.raises(EncoderError, match="--force-reinstall"):
        catalog.load(name, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["model.safetensors"]


@pytest.mark.usefixtures("config")
def test_the_registry_adds_names_and_says_which_is_the_default(tmp_path: Path) -> None:
    assert [item.name for item in catalog.entries()] == ["bundled", "static", "mine", "far"]
    assert catalog.default() == "mine"
    found = catalog.load("mine", tmp_path)
    assert (found.name, catalog.entry("mine").title) == ("mine", "Two words")
    np.testing.assert_array_equal(found.encode(["kill time"]), [[0.5, 0.5]])
    assert found.known(["kill", "xyzzy"]) == ("kill",)


@pytest.mark.usefixtures("config")
def test_an_entry_says_whether_text_leaves_the_machine_and_whether_it_knows_words_only() -> None:
    said = {item.name: (item.sends_to, item.weak_for_sentences) for item in catalog.entries()}
    assert said == {"bundled": ("", False), "static": ("", True), "mine": ("", True), "far": ("127.0.0.1:9", False)}


def test_a_spec_is_loaded_only_where_that_is_allowed(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(config.parent)
    with pytest.raises(EncoderError, match="choose one of these names"):
        catalog.load("words:v.txt", config.parent)
    assert catalog.load("words:v.txt", config.parent, specs=True).name == "words:v.txt"


def test_a_bad_registry_is_an_error_and_not_an_empty_one(config: Path) -> None:
    config.write_text("encoders = 3")
    with pytest.raises(EncoderError, match="correct the registry file"):
        catalog.entries()


@pytest.mark.usefixtures("config")
def test_what_made_room_is_loaded_again_when_it_is_needed_and_not_before(tmp_path: Path, static: CachedEncoder) -> None:
    pool, vectors = Pool(catalog.entry("static").size()), Vectors()
    words = catalog.load("mine", tmp_path, pool=pool, vectors=vectors)
    words.encode(["kill"])
    other = catalog.load("static", tmp_path, pool=pool, vectors=vectors)
    assert [key.split()[0] for key in pool.keys] == ["static"]
    np.testing.assert_array_equal(words.encode(["kill"]), [[1, 0]])  # remembered: nothing is loaded for it
    assert [key.split()[0] for key in pool.keys] == ["static"]
    np.testing.assert_array_equal(words.encode(["time"]), [[0, 1]])
    assert [key.split()[0] for key in pool.keys] == ["mine"]
    np.testing.assert_array_equal(other.encode(["kill"]), static.encode(["kill"]))


def test_the_bundled_encoder_in_less_precision_is_another_encoder(
    config: Path, cache_dir: Path, bundled: CachedEncoder
) -> None:
    config.write_text('encoders.fast = {spec = "bundled", precision = "bf16"}')
    fast = catalog.load("fast", cache_dir)
    assert fast.provenance.runtime == f"{bundled.provenance.runtime}, bf16"
    assert fast.provenance.identity != bundled.provenance.identity
    np.testing.assert_allclose(fast.encode(["kill time"]), bundled.encode(["kill time"]), atol=0.02)
