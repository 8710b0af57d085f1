"""The registry file says which encoders there are; what is wrong in it is named, and no secret repeated."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.encoders import registry
from core.encoders.registry import Spec
from core.errors import EncoderError

HERE = Path("/etc/some/moralscope.toml")


def test_names_specs_and_options_are_read() -> None:
    found = registry.parse(
        b'default = "glove"\n'
        b'[encoders.glove]\nspec = "words:v/glove.txt"\nlimit = 1000\ntitle = "GloVe"\nsummary = "Words."\n'
        b'[encoders.fast]\nspec = "bundled"\nprecision = "bf16"\n'
        b'[encoders."b.1"]\nspec = "st:sentence-transformers/all-mpnet-base-v2"\n'
        b'[encoders.far]\nspec = "endpoint:http://localhost:8080/v1#some/model"\n'
        b'[encoders.use]\nspec = "use:https://tfhub.dev/google/universal-sentence-encoder/4"\n',
        HERE,
    )
    assert found.default == "glove"
    assert [(item.name, item.spec) for item in found.encoders] == [
        ("glove", Spec("words", "/etc/some/v/glove.txt", 1000)),
        ("fast", Spec("bundled", precision="bf16")),
        ("b.1", Spec("st", "sentence-transformers/all-mpnet-base-v2")),
        ("far", Spec("endpoint", "http://localhost:8080/v1#some/model")),
        ("use", Spec("use", "https://tfhub.dev/google/universal-sentence-encoder/4")),
    ]
    assert (found.encoders[0].title, found.encoders[0].summary) == ("GloVe", "Words.")
    assert (found.encoders[1].title, found.encoders[1].summary) == ("fast", registry.SUMMARIES["bundled"])


def test_models_that_write_or_label_text_are_read_with_folders_beside_the_file_first(tmp_path: Path) -> None:
    (tmp_path / "tiny").mkdir()
    found = registry.parse(
        b'[models.stories]\nspec = "text:tiny"\ntitle = "Tiny"\n[models.regardv3]\nspec = "labels:sasha/regardv3"\n',
        tmp_path / "moralscope.toml",
    )
    assert found.encoders == ()
    assert found.models == (
        registry.Model("stories", "text", str(tmp_path / "tiny"), "Tiny"),
        registry.Model("regardv3", "labels", "sasha/regardv3", "regardv3"),
    )


def test_an_empty_file_registers_nothing() -> None:
    assert registry.parse(b"", HERE) == registry.Registry()


def test_a_folder_beside_the_file_goes_before_a_public_name(tmp_path: Path) -> None:
    (tmp_path / "org" / "model").mkdir(parents=True)
    assert registry.parse_spec("st:org/model", tmp_path).target == str(tmp_path / "org" / "model")
    assert registry.parse_spec("st:org/other", tmp_path).target == "org/other"
    assert registry.parse_spec("st:./other", tmp_path).target == str(tmp_path / "other")
    assert registry.parse_spec("words:~/v.txt", tmp_path).target == str(Path("~/v.txt").expanduser())


BAD = {
    "[encoders": "a TOML file in UTF-8",
    "default = 'no'": r"bundled or static \(default in moralscope.toml\), got 'no'",
    "default = 3": "got 3",
    "encoders = 3": "a whole number",
    "models = 3": r"tables \[models.NAME\]",
    "models.x = 3": r"a table \(\[models.x\]",
    "models.x = {}": r"a spec \(\[models.x\] in moralscope.toml\), got none",
    "models.x.spec = 'st:gpt2'": "text:NAME-OR-PATH or qa:NAME-OR-PATH or labels:NAME-OR-PATH",
    "models.x.spec = 'text:'": "text:NAME-OR-PATH or qa:NAME-OR-PATH or labels:NAME-OR-PATH",
    "models.X.spec = 'text:gpt2'": "small letters",
    "models.x = {spec = 'text:gpt2', limit = 3}": "only spec, title",
    "encoders.x = 3": r"a table \(\[encoders.x\]",
    "encoder.x.spec = 'static'": r"only default, encoders, models \(moralscope.toml\), got encoder",
    "encoders.x.spec = 3": "spec as text",
    "encoders.x = {}": r"a spec \(\[encoders.x\] in moralscope.toml\), got none",
    "encoders.X.spec = 'static'": "small letters",
    "encoders.'<b>'.spec = 'static'": "small letters",
    "encoders.bundled.spec = 'static'": "other than those of the bundled",
    "encoders.x.spec = 'pickle:/x'": "got 'pickle'",
    "encoders.x.spec = 'st:'": "st without something",
    "encoders.x.spec = 'static:x'": "static with something",
    "encoders.x = {spec = 'static', limit = 3}": "limit only for words",
    "encoders.x = {spec = 'words:x', limit = 0}": "positive limit",
    "encoders.x = {spec = 'words:x', limit = true}": "limit as a whole number.*true or false",
    "encoders.x = {spec = 'words:x', precision = 'bf16'}": "precision only for bundled or st",
    "encoders.x = {spec = 'bundled', precision = 'int8'}": "f32 or bf16",
    "encoders.x.spec = 'endpoint:localhost:80#m'": "with http or https",
    "encoders.x.spec = 'endpoint:file:///etc/passwd#m'": "with http or https",
    "encoders.x.spec = 'endpoint:http://localhost/v1'": "endpoint:URL#MODEL",
    "encoders.x.spec = 'endpoint:http://localhost:99999#m'": "with http or https",
}


@pytest.mark.parametrize("text", BAD)
def test_what_is_wrong_is_named(text: str) -> None:
    with pytest.raises(EncoderError, match=BAD[text]):
        registry.parse(text.encode(), HERE)


@pytest.mark.parametrize(
    "text",
    [
        "encoders.x = {spec = 'endpoint:http://localhost/v1#m', key = 'sk-secret'}",
        "encoders.x = {spec = 'endpoint:https://me:sk-secret@localhost/v1#m'}",
        "encoders.x = {spec = 'endpoint:https://localhost/v1?key=sk-secret#m'}",
        "encoders.x = {spec = 'endpoints:https://me:sk-secret@localhost#m'}",
        "key = 'sk-secret'",
    ],
)
def test_a_secret_in_the_file_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(EncoderError) as caught:
        registry.parse(text.encode(), HERE)
    assert "sk-secret" not in str(caught.value)


def test_the_file_is_that_of_the_variable_or_of_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MORALSCOPE_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    assert registry.find() == registry.Registry()
    Path("moralscope.toml").write_text("encoders.here.spec = 'static'")
    assert [item.name for item in registry.find().encoders] == ["here"]
    (tmp_path / "other.toml").write_text("encoders.there.spec = 'static'")
    monkeypatch.setenv("MORALSCOPE_CONFIG", str(tmp_path / "other.toml"))
    assert [item.name for item in registry.find().encoders] == ["there"]
    monkeypatch.setenv("MORALSCOPE_CONFIG", str(tmp_path / "no.toml"))
    with pytest.raises(EncoderError, match="MORALSCOPE_CONFIG"):
        registry.find()


def test_a_changed_file_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "moralscope.toml"
    monkeypatch.setenv("MORALSCOPE_CONFIG", str(file))
    for number, name in enumerate(("one", "two")):
        file.write_text(f"encoders.{name}.spec = 'static'")
        os.utime(file, ns=(number, number))
        assert [item.name for item in registry.find().encoders] == [name]


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MORALSCOPE_CONFIG", str(tmp_path))
    with pytest.raises(EncoderError, match="a readable file"):
        registry.find()
    (tmp_path / "large.toml").write_bytes(b"#" * (registry.MAX_BYTES + 1))
    monkeypatch.setenv("MORALSCOPE_CONFIG", str(tmp_path / "large.toml"))
    with pytest.raises(EncoderError, match="at most 1,000,000 bytes"):
        registry.find()
