"""Universal Sentence Encoder, or any saved model of TensorFlow that turns texts into vectors, through tensorflow-hub.

A saved model is a program that TensorFlow runs: use those of sources you trust.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tarfile
import warnings
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile, gettempdir
from threading import Lock
from typing import Any

import numpy as np

from core.encoders import batches, memory
from core.encoders.conversion import PROBES
from core.encoders.line import Line, adapter
from core.encoders.protocol import Progress, Provenance
from core.encoders.registry import Spec
from core.errors import EncoderError
from core.vectors import FloatArray, check

NOTE = "A saved model of TensorFlow; how it was trained is for its authors to say"
KNOWN, KNOWN_LICENCE = "universal-sentence-encoder", "Apache-2.0"
KNOWN_NOTE = (
    "The model of Jentzsch et al. (2019); trained on text of Wikipedia, news, question and answer pages and forums, and on "
    "natural language inference (Cer et al. 2018, https://arxiv.org/abs/1803.11175)"
)

ANSWER, WHOLE = 10.0, 3600.0
"""Seconds that a server is given to connect, to begin its answer and to go on with it, and for a whole model. Ours."""

_COPIES = 2
"""How many times its variables a model needs in memory."""
_NOTICES = (b"I0000 ", b"WARNING: All log messages before absl::InitializeLog() is called")
"""How lines begin that TensorFlow 2.21 writes when it is imported, whatever its variables say."""


class UniversalEncoder:
    """A saved model from a folder. Thread-safe: one call encodes at a time.

    Parameters
    ----------
    name : str
        Short name.
    folder : Path
        Holds `saved_model.pb`.
    model : str
        Name of the model for people.

    Raises
    ------
    EncoderError
        TensorFlow cannot load it, or it does not turn texts into vectors.
    """

    def __init__(self, name: str, folder: Path, model: str) -> None:
        self.name = name
        self._lock = Lock()
        try:
            with _quiet():
                with _without_notices():
                    import tensorflow as tf
                    import tensorflow_hub as hub

                loaded: Any = hub.load(str(folder))
            self._constant = tf.constant
            # The object keeps its variables alive: a signature alone does not.
            self._model = loaded
            self._call = (
                loaded
                if callable(loaded)
                else loaded.signatures["default" if "default" in loaded.signatures else "serving_default"]
            )
            probes = self._run(list(PROBES))
        except EncoderError:
            raise
        except Exception as error:  # TensorFlow raises many kinds
            raise _unusable(model, "a saved model that turns texts into vectors", _first_line(error)) from error
        check(probes, count=len(PROBES))
        licence, note = (KNOWN_LICENCE, KNOWN_NOTE) if KNOWN in model else ("not stated", NOTE)
        revision, runtime = f"sha256:{_digest(folder)}", f"TensorFlow {tf.__version__}"
        self.provenance = Provenance(model, revision, licence, probes.shape[1], runtime, note)

    def encode(self, texts: Sequence[str]) -> FloatArray:
        """Embed `texts`, each distinct text once, in batches of similar length."""
        distinct = list(dict.fromkeys(texts))
        row = {text: index for index, text in enumerate(distinct)}
        out = np.empty((len(distinct), self.provenance.dimension), dtype=np.float32)
        if not distinct:
            return out
        for members in batches.plan([len(text) for text in distinct], lanes=1):
            out[members] = self._run([distinct[place] for place in members])
        return check(out, count=len(distinct))[[row[text] for text in texts]]

    def _run(self, texts: list[str]) -> FloatArray:
        with self._lock:
            found: Any = self._call(self._constant(texts))
        if isinstance(found, dict):
            found = found["default"] if "default" in found else next(iter(found.values()))
        return np.asarray(found, dtype=np.float32)


def size(spec: Spec) -> int:
    """Bytes of memory that the model needs, from its files; a handle is fetched first, once."""
    return _COPIES * sum(path.stat().st_size for path in _find(spec.target).rglob("*") if path.is_file())


def load(name: str, spec: Spec, cache_dir: Path, progress: Progress) -> UniversalEncoder:
    """Load a saved model from a folder, or from an address: an archive, as tensorflow-hub asks for it.

    Raises
    ------
    EncoderError
        There is no saved model, the address cannot be reached, or TensorFlow cannot load what is there.
    """
    progress(0.0, "Loading TensorFlow")
    folder = _find(spec.target)
    progress(0.3, "Loading the model")
    model = spec.target.split("?")[0] if "://" in spec.target else folder.name
    return UniversalEncoder(name, folder, model)


def _find(target: str) -> Path:
    """The folder of a saved model, fetched first where `target` is an address."""
    folder = _fetched(target) if "://" in target else Path(target)
    if not (folder / "saved_model.pb").is_file():
        raise _unusable(target, "a folder with saved_model.pb", "none there")
    return folder


def _fetched(target: str) -> Path:
    """Where tensorflow-hub keeps the model of an address. Fetched here: that library waits without end, for any size."""
    kept = Path(os.environ.get("TFHUB_CACHE_DIR") or Path(gettempdir(), "tfhub_modules"))
    folder = kept / hashlib.sha1(target.encode(), usedforsecurity=False).hexdigest()
    if (folder / "saved_model.pb").is_file():
        return folder
    import requests
    import urllib3

    expected = "a saved model at this address"
    try:
        kept.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=kept) as part:
            _fetch(target, Path(part, "model"))
            if Path(part, "model", "saved_model.pb").is_file():
                shutil.rmtree(folder, ignore_errors=True)
                Path(part, "model").rename(folder)
    except (requests.Timeout, urllib3.exceptions.TimeoutError, TimeoutError):
        raise _unusable(target, expected, f"no answer within {ANSWER:g} s, or no end within {WHOLE:g} s") from None
    except (
        requests.RequestException,
        urllib3.exceptions.HTTPError,
        tarfile.TarError,
        EOFError,
        zlib.error,
        OSError,
    ) as error:
        raise _unusable(target, expected, _first_line(error)) from error
    return folder


def _fetch(target: str, folder: Path) -> None:
    """Unpack the archive at an address, which must be small enough to be used."""
    import requests

    limit = memory.budget() // _COPIES
    too_large = _unusable(
        target, f"a saved model of at most {limit / 2**20:,.0f} MB, for which memory is free", "a larger one"
    )
    line = Line()
    with requests.Session() as session, line.open_for(WHOLE):
        session.auth = lambda request: request  # keeps the session from looking for passwords in ~/.netrc
        for scheme in ("http://", "https://"):
            session.mount(scheme, adapter(line))
        with line.open_for(ANSWER):
            response = session.get(
                target,
                params={"tf-hub-format": "compressed"},
                headers={"Accept-Encoding": "identity"},
                stream=True,
                timeout=ANSWER,
            )
        with response:
            response.raise_for_status()
            announced = response.headers.get("Content-Length", "")
            if announced.isdecimal() and float(announced) > limit:
                raise too_large
            unpacked = 0
            with tarfile.open(fileobj=response.raw, mode="r|*") as archive:
                for member in archive:
                    unpacked += member.size
                    if unpacked > limit:
                        raise too_large
                    archive.extract(member, folder, filter="data")


class _quiet(warnings.catch_warnings):  # noqa: N801  # a context manager
    """Without the notices of TensorFlow and of the packages it still uses."""

    def __enter__(self) -> None:
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        super().__enter__()
        warnings.simplefilter("ignore")


@contextmanager
def _without_notices() -> Iterator[None]:
    """Keep what is written to standard error while the block runs, and write it then without `_NOTICES`."""
    sys.stderr.flush()
    with TemporaryFile() as written:
        before = os.dup(2)
        os.dup2(written.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(before, 2)
            written.seek(0)
            for said in written:
                if not said.startswith(_NOTICES):
                    os.write(before, said)
            os.close(before)


def _digest(folder: Path) -> str:
    total = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != "fingerprint.pb":
            with path.open("rb") as handle:
                part = hashlib.file_digest(handle, "sha256").hexdigest()
            total.update(f"{path.relative_to(folder)} {part}\n".encode())
    return total.hexdigest()


def _first_line(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"


def _unusable(target: str, expected: str, got: str) -> EncoderError:
    return EncoderError(
        expected=f"{expected} ({target[-60:]})", got=got, remedy="check the folder or address, or name another one"
    )
