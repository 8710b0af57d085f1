"""Any sentence-transformers model that is on this machine: run by OpenVINO where that gives the same numbers, else by torch.

Nothing is fetched, no code of a model is run, and weights are read from safetensors only.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from math import prod
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from core.encoders import conversion
from core.encoders.openvino import OpenVinoEncoder, faster
from core.encoders.protocol import Encoder, Progress, Provenance
from core.encoders.registry import EXACT, Spec
from core.errors import EncoderError
from core.vectors import FloatArray, check

FAMILY = frozenset({"bert", "roberta", "xlm-roberta", "camembert", "distilbert", "mpnet", "albert", "electra"})
"""`model_type` of what is converted for OpenVINO: encoders that need no more than token ids and a mask."""

_HIDDEN = re.compile(r"[\x00-\x1f]")
_READ = (".json", ".safetensors", ".txt", ".model")
"""Suffixes of the files that make a model's numbers: by them its revision is computed."""
_COPIES = 2
"""How many times its weights a model needs in memory: once as read, once as a runtime arranges them."""


@dataclass(frozen=True)
class Offer:
    """A public model worth comparing, from its model card on the Hugging Face hub."""

    name: str
    licence: str
    dimension: int
    note: str


OFFERS = (
    Offer(
        "sentence-transformers/bert-large-nli-mean-tokens",
        "Apache-2.0",
        1024,
        "BERT-large trained to tell whether one sentence follows from another; the model of Schramowski et al. (2019); "
        "its authors call it outdated",
    ),
    Offer(
        "sentence-transformers/all-mpnet-base-v2",
        "Apache-2.0",
        768,
        "MPNet trained on a billion pairs of sentences that people wrote next to each other",
    ),
    Offer(
        "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
        "Apache-2.0",
        384,
        "A small model for 50 languages, trained to agree across translations with one trained on paraphrases",
    ),
    Offer(
        "BAAI/bge-small-en-v1.5",
        "MIT",
        384,
        "A small BERT trained for retrieval by contrasting texts that match with texts that do not",
    ),
    Offer(
        "intfloat/e5-small-v2",
        "MIT",
        384,
        "A small BERT trained for retrieval; made for texts that begin with “query: ” or “passage: ”, which is not added here",
    ),
)
"""Models offered by name. Each is used once it is on this machine (``hf download NAME``) and in the registry file."""


class SentenceTransformerEncoder:
    """A sentence-transformers model from a local folder, run by torch. Thread-safe: one call encodes at a time.

    Parameters
    ----------
    name : str
        Short name.
    folder : Path
        The model's folder; nothing is fetched.
    provenance : Provenance
        Shown beside every result; its dimension is that of the model.
    precision : {"f32", "bf16"}
        Of the arithmetic. What bf16 costs is measured and stands in the provenance.
    """

    def __init__(self, name: str, folder: Path, provenance: Provenance, precision: str = EXACT) -> None:
        os.environ["HF_HUB_OFFLINE"] = (
            "1"  # read when the library is imported; without a network it would try for a minute
        )
        import torch
        from sentence_transformers import SentenceTransformer

        self.name = name
        self._lock = Lock()  # tokenizers refuse concurrent changes of their settings ("Already borrowed")
        self._model: Any = SentenceTransformer(
            str(folder),
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"use_safetensors": True, "dtype": torch.float32},
        )
        probes = self._run(conversion.PROBES)
        self.provenance = replace(provenance, dimension=probes.shape[1])
        if precision != EXACT:
            self._model.bfloat16()
            scale = max(1.0, float(np.abs(probes).max()))
            difference = float(np.abs(self._run(conversion.PROBES) - probes).max()) / scale
            self.provenance = faster(self.provenance, precision, difference)

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Embed `texts`, each distinct text once, in batches of similar length."""
        if not texts:
            return np.empty((0, self.provenance.dimension), dtype=np.float32)
        distinct = list(dict.fromkeys(texts))
        row = {text: index for index, text in enumerate(distinct)}
        return check(self._run(distinct), count=len(distinct))[[row[text] for text in texts]]

    def _run(self, texts: Sequence[str]) -> FloatArray:
        with self._lock:  # it sorts by length and pads to the longest of a batch
            vectors = self._model.encode(list(texts), show_progress_bar=False, convert_to_numpy=True)
        return np.asarray(vectors, dtype=np.float32)


def size(spec: Spec) -> int:
    """Bytes of memory that the model needs, from the headers of its weights.

    Raises
    ------
    EncoderError
        It is not on this machine, or not what it should be.
    """
    folder = find(spec.target)
    return _COPIES * 4 * sum(_numbers(path) for path in _files(folder, (".safetensors",)))


def load(name: str, spec: Spec, cache_dir: Path, progress: Progress) -> Encoder:
    """Load a model from its folder, or by its name from the cache of the Hugging Face hub.

    Raises
    ------
    EncoderError
        It is not on this machine, has code of its own, has weights in another format than safetensors, or is damaged.
    """
    folder = find(spec.target)
    digest = _digest(folder)
    made_by = _provenance(spec.target, folder, digest)
    if _converts(folder):
        try:
            converted = conversion.converted_model(folder, digest, cache_dir, progress=progress)
            tokenizer = conversion.tokenizer(converted)
            return OpenVinoEncoder(name, converted, tokenizer, replace(made_by, runtime="OpenVINO"), spec.precision)
        except EncoderError:  # cannot be converted, or gives other numbers: torch is right by definition
            progress(0.0, "Loading with torch")
    try:
        return SentenceTransformerEncoder(name, folder, made_by, spec.precision)
    except Exception as error:  # whatever its modules raise
        first = " ".join(str(error).split())[:200]
        raise _unusable(
            spec.target, "a model that sentence-transformers can load", f"{type(error).__name__}: {first}"
        ) from error


def find(target: str) -> Path:
    """Folder of a model, given by its path or by its name on the Hugging Face hub, checked before anything is loaded.

    Raises
    ------
    EncoderError
        It is not on this machine, is no model, names code of its own, or has weights in another format.
    """
    folder = Path(target)
    if not folder.is_dir():
        folder = _cached(target)
    if not any((folder / name).is_file() for name in ("modules.json", "config.json")):
        raise _unusable(target, "a folder with a model", "neither modules.json nor config.json in it")
    for module in _modules(folder):
        kind = str(module.get("type"))
        if not kind.startswith("sentence_transformers."):
            raise _unusable(
                target, "modules of sentence-transformers", f"{_HIDDEN.sub('', kind)[:60]}, code of its own"
            )
    if any("auto_map" in _json(path) for path in _files(folder, ("config.json",))):
        raise _unusable(target, "a model without code of its own", "auto_map in config.json")
    for part in _folders(folder):
        files = [path.name for path in part.iterdir() if path.is_file()] if part.is_dir() else []
        if any(name.endswith((".bin", ".pt", ".pth", ".ckpt", ".pkl")) for name in files) and not any(
            name.endswith(".safetensors") for name in files
        ):
            raise _unusable(target, "weights in safetensors", "weights in a format that can hold code")
    if not any(True for _ in _files(folder, (".safetensors",))):
        raise _unusable(target, "weights in safetensors", "none")
    return folder


def _cached(target: str) -> Path:
    os.environ["HF_HUB_OFFLINE"] = "1"
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    name = target if "/" in target else f"sentence-transformers/{target}"
    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError, OSError) as error:
        raise EncoderError(
            expected="a folder with a model, or the name of one in this machine's Hugging Face cache",
            got=repr(target[:80]),
            remedy="correct it, or fetch the model once with `hf download NAME`; nothing is fetched from here",
        ) from error


def _converts(folder: Path) -> bool:
    if os.environ.get("MORALSCOPE_RUNTIME") == "torch" or find_spec("openvino") is None:
        return False
    first = next((str(module.get("path", "")) for module in _modules(folder)), "")
    return str(_json(folder / first / "config.json").get("model_type")) in FAMILY


def _modules(folder: Path) -> list[dict[str, Any]]:
    found = _json(folder / "modules.json") if (folder / "modules.json").is_file() else []
    if not (isinstance(found, list) and all(isinstance(module, dict) for module in found)):
        raise _unusable(folder.name, "a list of modules in modules.json", "something else")
    return found


def _folders(folder: Path) -> list[Path]:
    """The model's folder and those of its modules inside it."""
    inside = [(folder / str(module.get("path", ""))).resolve() for module in _modules(folder)]
    if outside := [path for path in inside if not path.is_relative_to(folder.resolve())]:
        raise _unusable(folder.name, "modules inside the model's folder", outside[0].name[:60])
    return list(dict.fromkeys([folder.resolve(), *inside]))


def _files(folder: Path, suffixes: tuple[str, ...]) -> Iterator[Path]:
    for part in _folders(folder):
        if part.is_dir():
            yield from sorted(path for path in part.iterdir() if path.name.endswith(suffixes) and path.is_file())


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise _unusable(path.parent.name, f"readable JSON in {path.name}", str(error)[:120]) from error


def _numbers(path: Path) -> int:
    """How many numbers a safetensors file holds, from its header (https://huggingface.co/docs/safetensors)."""
    whole = path.stat().st_size
    try:
        with path.open("rb") as handle:
            length = int.from_bytes(handle.read(8), "little")
            header = json.loads(handle.read(length if length < whole else 0))
        header.pop("__metadata__", None)
        end = max((tensor["data_offsets"][1] for tensor in header.values()), default=0)
        count = sum(prod(map(int, tensor["shape"])) for tensor in header.values())
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise _unusable(path.parent.name, f"a safetensors header in {path.name}", "something else") from error
    if 8 + length + end > whole:
        raise _unusable(path.parent.name, f"{8 + length + end:,} bytes in {path.name}", f"{whole:,}: it is not whole")
    return count


def _digest(folder: Path) -> str:
    total = hashlib.sha256()
    for path in _files(folder, _READ):
        with path.open("rb") as handle:
            part = hashlib.file_digest(handle, "sha256").hexdigest()
        total.update(f"{path.relative_to(folder.resolve())} {part}\n".encode())
    return total.hexdigest()


def _provenance(target: str, folder: Path, digest: str) -> Provenance:
    name = Path(target).name if Path(target).is_dir() else target
    known = next((offer for offer in OFFERS if offer.name.rpartition("/")[2] == name.rpartition("/")[2]), None)
    note = known.note if known else "How it was trained is for its authors to say; look for the README in its folder"
    licence = known.licence if known else _licence(folder)
    return Provenance(name, f"sha256:{digest}", licence, known.dimension if known else 0, "torch", note)


def _licence(folder: Path) -> str:
    """What the head of the model card says."""
    try:
        card = (folder / "README.md").read_text(encoding="utf-8", errors="replace")[:20_000]
    except OSError:
        return "not stated"
    head = card.split("\n---", 1)[0] if card.startswith("---") else ""
    found = re.search(r"^license:[ \t]*[\"']?([\w.+-]{1,40})", head, flags=re.MULTILINE)
    return found[1] if found else "not stated"


def _unusable(target: str, expected: str, got: str) -> EncoderError:
    return EncoderError(
        expected=f"{expected} ({target[-60:]})", got=got, remedy="fetch the model again, or name another one"
    )
