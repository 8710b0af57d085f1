"""A sentence-transformers model as an OpenVINO graph: converted once, kept on disk, checked whenever it is opened.

Conversion needs torch and sentence-transformers. It runs in a process of its own (``python -m
core.encoders.conversion SOURCE TARGET``), so that neither the app nor the command line ever loads them for it.

A converted model is a folder named after the hash of the weights and the version of the runtime. It is
written elsewhere and moved into place whole; a folder that fails its own checksums is made anew.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import zlib
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.encoders.protocol import Progress
from core.encoders.registry import EXACT, FAST
from core.errors import EncoderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PROBES = (
    "Should I help my friend?",
    "Yes, you should.",
    "No, it is not.",
    "a longer statement about a library, a hospital and the people who work there every day",
)
"""Sentences whose torch embeddings are kept beside the graph, to compare with whenever it is opened. Ours."""

TOLERANCES = {EXACT: 1e-5, FAST: 5e-2}
"""Largest accepted difference of an embedding's component from torch, where the largest is 1. Measured: 3e-7 in f32, 2e-3 in bf16."""

_FILES = ("model.xml", "model.bin", "probes.npy", "tokenizer.json")
_MANIFEST = "manifest.json"


def converted_model(source: Path, weights_sha256: str, cache_dir: Path, *, progress: Progress) -> Path:
    """Return the folder of the converted model, converting first where there is none that is whole.

    Parameters
    ----------
    source : Path
        Folder of a sentence-transformers model, checked.
    weights_sha256 : str
        Names the folder of the converted model, together with the version of the runtime.
    cache_dir : Path
        Where converted models are kept.

    Raises
    ------
    EncoderError
        The conversion failed (the message holds its last line), or `cache_dir` cannot be written to.
    """
    target = cache_dir / "openvino" / f"{weights_sha256[:16]}-{version('openvino')}"
    if is_whole(target):
        return target
    progress(0.0, "Preparing the model; this happens once")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix="converting-", dir=target.parent))
    except OSError as error:
        raise EncoderError(
            expected="a folder for the converted model",
            got=f"{error.strerror}: {target.parent}",
            remedy="set MORALSCOPE_CACHE to a folder that can be written to",
        ) from error
    try:
        _run_conversion(source, fresh, progress)
        if target.exists() and not is_whole(target):
            shutil.rmtree(target)
        try:
            fresh.replace(target)
        except OSError:
            if not is_whole(target):  # else another process was first, with the same content
                raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    for other in target.parent.glob(f"{weights_sha256[:16]}-*"):  # of another version of the runtime
        if other != target:
            shutil.rmtree(other, ignore_errors=True)
    return target


def is_whole(folder: Path) -> bool:
    """Whether `folder` holds every file of a converted model with the checksum noted when it was written."""
    try:
        noted = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        return all(noted[name] == _checksum(folder / name) for name in _FILES)
    except (OSError, ValueError, KeyError, TypeError):
        return False


def tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of a converted model, set once to cut at the model's limit and never to pad."""
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(folder / "tokenizer.json"))


def _checksum(path: Path) -> int:
    """CRC-32: against damage, not against malice; what is checked is our own file in the user's own folder."""
    total = 0
    with path.open("rb") as handle:
        while block := handle.read(1 << 22):
            total = zlib.crc32(block, total)
    return total


def _run_conversion(source: Path, target: Path, progress: Progress) -> None:
    root = Path(__file__).resolve().parents[2]
    environment = {
        **os.environ,
        "HF_HUB_OFFLINE": "1",
        "TOKENIZERS_PARALLELISM": "false",
        "PYTHONPATH": os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH")))),
    }
    command = [sys.executable, "-W", "ignore", "-m", "core.encoders.conversion", str(source), str(target)]
    with tempfile.TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
        with process:
            assert process.stdout is not None  # PIPE above
            try:
                for line in process.stdout:
                    share, _, what = line.strip().partition(" ")
                    if share.replace(".", "", 1).isdigit():
                        progress(float(share), what)
            except BaseException:  # whoever waits was stopped: so is the work
                process.kill()
                raise
        if process.returncode:
            errors.seek(0)
            last = (errors.read().strip().splitlines() or ["no message"])[-1]
            raise EncoderError(
                expected="a conversion of the model",
                got=f"exit code {process.returncode}: {last[:300]}",
                remedy="install the requirements again, or set MORALSCOPE_RUNTIME=torch",
            )


def _convert(source: Path, target: Path) -> None:
    """Trace the model from token ids to embeddings, save as f32, note checksums, tokenizer and probe embeddings."""
    _say(0.05, "Loading torch")
    sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # its converter reports home otherwise
    import openvino as ov
    import torch
    from sentence_transformers import SentenceTransformer

    from core.encoders.batches import pad

    class Embedder(torch.nn.Module):  # type: ignore[misc]  # torch is not followed: it is loaded here only
        """All modules of the model as one graph: hidden states, their pooling, and whatever comes after."""

        def __init__(self, model: torch.nn.Module) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            return self.model({"input_ids": input_ids, "attention_mask": attention_mask})["sentence_embedding"]

    _say(0.4, "Reading the weights")
    options = {"use_safetensors": True, "dtype": torch.float32}
    model = SentenceTransformer(
        str(source), device="cpu", local_files_only=True, trust_remote_code=False, model_kwargs=options
    ).eval()
    words = model.tokenizer.backend_tokenizer
    words.no_padding()
    words.enable_truncation(model.max_seq_length)
    ids, mask = map(torch.from_numpy, pad([text.ids for text in words.encode_batch(list(PROBES))]))
    words.save(str(target / "tokenizer.json"))
    _say(0.5, "Converting the graph")
    with torch.no_grad():
        graph = ov.convert_model(Embedder(model), example_input={"input_ids": ids, "attention_mask": mask})
    _say(0.9, "Saving")
    ov.save_model(graph, target / "model.xml", compress_to_fp16=False)
    np.save(target / "probes.npy", model.encode(list(PROBES), show_progress_bar=False))
    (target / _MANIFEST).write_text(json.dumps({name: _checksum(target / name) for name in _FILES}), encoding="utf-8")
    _say(1.0, "Done")


def _say(share: float, what: str) -> None:
    print(share, what, flush=True)


if __name__ == "__main__":
    _convert(Path(sys.argv[1]), Path(sys.argv[2]))
