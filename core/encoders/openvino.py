"""Run a converted sentence encoder with OpenVINO: neither torch nor transformers is imported."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.encoders import batches
from core.encoders.conversion import PROBES, TOLERANCE
from core.encoders.protocol import Provenance
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
        Shown beside every result.

    Raises
    ------
    EncoderError
        The graph does not give the embeddings that torch gave when it was converted.
    """

    def __init__(self, name: str, folder: Path, tokenizer: Tokenizer, provenance: Provenance) -> None:
        self.name, self.provenance = name, provenance
        self._tokenizer = tokenizer
        try:
            import openvino as ov

            # f32 is asked for by name: on some processors the default is bf16, a thousand times less exact.
            options = {"INFERENCE_PRECISION_HINT": "f32", "NUM_STREAMS": batches.LANES}
            self._compiled: Any = ov.Core().compile_model(folder / "model.xml", "CPU", options)
            probes = np.load(folder / "probes.npy", allow_pickle=False)
        except (ImportError, OSError, RuntimeError, ValueError) as error:
            raise _unusable(f"{type(error).__name__}: {' '.join(str(error).split())[:200]}") from error
        self._verify(probes)

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

    def _verify(self, expected: FloatArray) -> None:
        difference = float(np.abs(self.encode(PROBES) - expected).max())
        if difference > TOLERANCE:
            raise _unusable(f"embeddings that differ from torch by {difference:.2g}, more than {TOLERANCE:g}")


def _unusable(got: str) -> EncoderError:
    return EncoderError(
        expected="a converted model that OpenVINO runs",
        got=got,
        remedy="set MORALSCOPE_RUNTIME=torch to compute with torch, or empty the cache folder",
    )
