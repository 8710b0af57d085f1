"""Any text classifier of ``transformers`` whose labels are negative, neutral and positive, from this machine only."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any

import numpy as np

from core.encoders import batches
from core.errors import ModelError
from core.knowledge.polarity.protocol import NAMES, Labels, Progress
from core.models import open_model
from core.vectors import FloatArray

MAX_TOKENS = 512
"""Longer texts are cut, to this or to what the model takes. Ours: what BERT takes."""

_ORDER = tuple(NAMES)
"""What ``LABEL_0``, ``LABEL_1``, … mean: negative, neutral, positive and, if there is a fourth, other."""


class Transformer:
    """A sequence-classification model. Thread-safe: one call labels at a time.

    Parameters
    ----------
    name : str
        Folder, or name in the local cache of ``transformers``; nothing is fetched. Weights are read as safetensors only,
        and no code of the model is run.

    Raises
    ------
    ModelError
        It is not here, is damaged, is of another kind, or its labels are not the three (or four).
    """

    def __init__(self, name: str) -> None:
        self._opened = open_model(name, "text classification")
        self._meaning = meaning(self._opened.model.config.id2label)
        self.name, self.identity = name, f"{name} sha256:{_fingerprint(self._opened.model)}"
        self._lock = Lock()  # tokenizers refuse concurrent changes of their settings ("Already borrowed")

    def label(self, texts: Sequence[str], progress: Progress | None = None) -> Labels:
        """One label for each text."""
        labels = np.zeros(len(texts), dtype=np.int8)
        if not texts:
            return labels
        with self._lock:
            encoded = self._opened.tokenizer(
                list(texts), truncation=True, max_length=min(MAX_TOKENS, self._opened.limit)
            )
            done = 0
            for rows in batches.plan([len(ids) for ids in encoded["input_ids"]], lanes=1):
                if progress:
                    progress(done / len(texts))
                labels[rows] = self._meaning[self._scores(encoded, rows).argmax(axis=1)]
                done += len(rows)
        return labels

    def _scores(self, encoded: Any, rows: Sequence[int] | FloatArray) -> FloatArray:
        import torch

        batch = {key: [values[row] for row in rows] for key, values in encoded.items()}
        with torch.inference_mode():
            inputs = self._opened.tokenizer.pad(batch, return_tensors="pt").to(self._opened.device)
            scores: FloatArray = self._opened.model(**inputs).logits.cpu().numpy()
        return scores


def meaning(names: Mapping[int, str]) -> Labels:
    """Our label for each output of a model, by the name it gives to it.

    Raises
    ------
    ModelError
        Anything but negative, neutral, positive and perhaps other, each once, by name or as ``LABEL_0`` and so on.

    Examples
    --------
    >>> meaning({0: "Positive", 1: "negative", 2: "neutral"}).tolist()
    [1, -1, 0]
    >>> meaning({0: "LABEL_0", 1: "LABEL_1", 2: "LABEL_2", 3: "LABEL_3"}).tolist()
    [-1, 0, 1, 2]
    """
    listed = [str(names[place]).strip().lower() for place in sorted(names)]
    numbered = dict(zip((f"label_{place}" for place in range(len(_ORDER))), _ORDER, strict=True))
    for known in ({title: label for label, title in NAMES.items()}, numbered):
        if len(listed) in (3, 4) and set(listed) == set(list(known)[: len(listed)]):
            return np.array([known[title] for title in listed], dtype=np.int8)
    raise ModelError(
        expected="a classifier with the labels negative, neutral, positive (and perhaps other), or LABEL_0 to LABEL_2 "
        "(or LABEL_3) in this order",
        got=", ".join(re.sub(r"\s+", " ", title) for title in listed)[:200],
        remedy="choose a model of sentiment or regard with these labels, or set id2label in its config.json",
    )


def _fingerprint(model: Any) -> str:
    """A hash of everything that decides a label: settings and weights."""
    settings = {key: value for key, value in model.config.to_dict().items() if not key.startswith("_")}
    digest = hashlib.sha256(repr(sorted(settings.items())).encode())
    for key, tensor in sorted(model.state_dict().items()):
        digest.update(key.encode())
        digest.update(tensor.contiguous().cpu().numpy().tobytes())
    return digest.hexdigest()[:16]
