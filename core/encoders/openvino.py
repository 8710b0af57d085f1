"""Run a converted sentence encoder with OpenVINO: neither torch nor transformers is imported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.encoders import batches
from core.encoders.conversion import PROBES, TOLERANCES
from core.encoders.protocol import Provenance
from core.encoders.registry import EXACT
from core.errors import EncoderError
from core.vectors import FloatArray, check

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class OpenVinoEncoder:
    """A converted model and its tokenizer. Thread-safe: every call has infer requests of its own.

    Parameters
    ----------
    name : str
        Short name.
    folder : Path
        Holds `model.xml`, `model.bin` and `probes.npy` (see `core.encoders.conversion`).
    tokenizer : tokenizers.Tokenizer
        Set to cut and not to pad; never changed afterwards.
    provenance : Provenance
        Shown beside every result; its dimension is that of the model.
    precision : {"f32", "bf16"}
        Of the arithmetic. What bf16 costs is measured and stands in the provenance.

    Raises
    ------
    EncoderError
        The graph does not give the embeddings that torch gave when it was converted.
    """

    def __init__(
        self, name: str, folder: Path, tokenizer: Tokenizer, provenance: Provenance, precision: str = EXACT
    ) -> None:
        self.name = name
        self._tokenizer = tokenizer
        try:
            import openvino as ov

            # f32 is asked for by name: on some processors the default is bf16, a thousand times less exact.
            options = {"INFERENCE_PRECISION_HINT": precision, "NUM_STREAMS": batches.LANES}
            self._compiled: Any = ov.Core().compile_model(folder / "model.xml", "CPU", options)
            probes = np.load(folder / "probes.npy", allow_pickle=False)
        except (ImportError, OSError, RuntimeError, ValueError) as error:
            raise _unusable(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}") from error
        self.provenance = replace(provenance, dimension=probes.shape[1])
        self._verify(probes, precision)

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Embed `texts` in length-sorted batches, each distinct text once."""
        distinct = list(dict.fromkeys(texts))
        row = {text: index for index, text in enumerate(distinct)}
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(distinct)]
        out = np.empty((len(distinct), self.provenance.dimension), dtype=np.float32)

        # No callback: one that still waits for the interpreter's lock while the model is let go of never ends.
        lanes: list[Any] = [self._compiled.create_infer_request() for _ in range(batches.LANES)]
        running: list[Any] = [None] * len(lanes)

        def collect(lane: int) -> None:
            if running[lane] is not None:
                lanes[lane].wait()
                out[running[lane]] = lanes[lane].get_output_tensor(0).data

        for turn, members in enumerate(batches.plan([len(sequence) for sequence in ids])):
            lane = turn % len(lanes)
            collect(lane)
            lanes[lane].start_async(dict(enumerate(batches.pad([ids[i] for i in members]))))
            running[lane] = members
        for lane in range(len(lanes)):
            collect(lane)
        return check(out, count=len(distinct))[[row[text] for text in texts]]

    def _verify(self, expected: FloatArray, precision: str) -> None:
        scale = max(1.0, float(np.abs(expected).max()))
        difference = float(np.abs(self.encode(PROBES) - expected).max()) / scale
        if difference > TOLERANCES[precision]:
            allowed = f"more than {TOLERANCES[precision]:g}"
            raise _unusable(f"embeddings that differ from torch by {difference:.2g}, {allowed}")
        if precision != EXACT:
            self.provenance = faster(self.provenance, precision, difference)


def faster(provenance: Provenance, precision: str, difference: float) -> Provenance:
    """Say of an encoder that it computes with less precision, and what that costs."""
    note = f"computed in {precision}: components of an embedding differ from those in f32 by up to {difference:.1g}"
    return replace(provenance, runtime=f"{provenance.runtime}, {precision}", note=f"{provenance.note}; {note}")


def _unusable(got: str) -> EncoderError:
    return EncoderError(
        expected="a converted model that OpenVINO runs",
        got=got,
        remedy="set MORALSCOPE_RUNTIME=torch to compute with torch, or empty the cache folder",
    )
