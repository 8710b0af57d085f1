"""What the tests of the audit share: a classifier that other processes can open, which notes what it was asked.

Settings go through the environment, because workers are other processes: `NOTES` is the file that every text is noted in,
`PAUSE` the seconds that a call takes.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.knowledge import audit
from core.knowledge.sources.dumps import read

NOTES, PAUSE = "MORALSCOPE_TEST_NOTES", "MORALSCOPE_TEST_PAUSE"


class LengthClassifier:
    """Labels a text by its length."""

    def __init__(self, name: str) -> None:
        self.name, self.identity = name, f"length, {name}"

    def label(self, texts: Sequence[str], progress: Callable[[float], None] | None = None) -> NDArray[np.int8]:
        if notes := os.environ.get(NOTES):
            with Path(notes).open("a", encoding="utf-8") as handle:
                handle.write("".join(f"{os.getpid()}\t{text}\n" for text in texts))
        time.sleep(float(os.environ.get(PAUSE, "0")))
        return np.array([(len(text) + len(self.name)) % 4 - 1 for text in texts], dtype=np.int8)


def opened(name: str) -> LengthClassifier:
    return LengthClassifier(name)


def noted(path: Path) -> list[tuple[int, str]]:
    """Process and text of every call so far."""
    lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    return [(int(pid), text) for pid, _, text in (line.partition("\t") for line in lines)]


def content(directory: Path) -> dict[str, bytes]:
    """Every file of a directory."""
    return {path.name: path.read_bytes() for path in sorted(directory.iterdir())}


if __name__ == "__main__":  # An audit that another process kills.
    source, directory, size = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    stream = read(source)
    assert stream is not None
    audit.run(stream, ["a"], directory, size=size, resume="--resume" in sys.argv, opening=opened)
