"""What several tests need: a small encoder made by hand, the real one, loaded once, and small models, built once."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from core.encoders import catalog
from core.encoders.cache import CachedEncoder
from core.encoders.protocol import Provenance
from core.moral.compass import Compass, calibrate
from core.vectors import FloatArray
from tests import tiny_models

# No deadline, because a test never depends on how busy the machine is; the same examples every time.
settings.register_profile("moralscope", deadline=None, max_examples=50, derandomize=True)
settings.load_profile("moralscope")

# A run in the background is deaf to Ctrl-C, and so would be the processes that tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


class LetterEncoder:
    """Counts the letters of a text, and notes what it was asked; a last component of 1 keeps vectors from zero."""

    name = "letters"
    provenance = Provenance("letter counts", "1", "MIT", len(ALPHABET) + 1, "Python", "made by hand")

    def __init__(self) -> None:
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> FloatArray:
        self.asked.extend(texts)
        counts = [Counter(text.lower()) for text in texts]
        rows = [[*(count[letter] for letter in ALPHABET), 1] for count in counts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), len(ALPHABET) + 1)


@pytest.fixture(scope="session")
def letters_kind() -> type[LetterEncoder]:
    """For property tests, which need a new one for each example."""
    return LetterEncoder


@pytest.fixture
def letters() -> LetterEncoder:
    return LetterEncoder()


@pytest.fixture(scope="session")
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """`$MORALSCOPE_CACHE` where it is set, else a folder of this test run; processes started by a test share it.

    The user's own cache is not touched, and a run without the variable converts the bundled model for real, once.
    """
    folder = Path(os.environ.get("MORALSCOPE_CACHE") or tmp_path_factory.mktemp("moralscope-cache"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MORALSCOPE_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="session")
def bundled(cache_dir: Path) -> CachedEncoder:
    return catalog.load("bundled", cache_dir)


@pytest.fixture(scope="session")
def static(cache_dir: Path) -> CachedEncoder:
    return catalog.load("static", cache_dir)


@pytest.fixture(scope="session")
def compass(bundled: CachedEncoder, cache_dir: Path) -> Compass:
    return calibrate(bundled, cache_dir)


@pytest.fixture(scope="session")
def static_compass(static: CachedEncoder, cache_dir: Path) -> Compass:
    return calibrate(static, cache_dir)


@pytest.fixture(scope="session")
def data() -> Path:
    """The authors' released data, which is not part of the repository; tests that ask for it are marked `data`."""
    return Path(os.environ["MORALSCOPE_DATA"])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs the authors' released data where that data is not."""
    if os.environ.get("MORALSCOPE_DATA"):
        return
    needing = [item for item in items if item.get_closest_marker("data")]
    config.hook.pytest_deselected(items=needing)
    items[:] = [item for item in items if item not in needing]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say loudly what did not run, and why."""
    skipped = Counter(report.longrepr[2] for report in terminalreporter.stats.get("skipped", []))
    if skipped:
        terminalreporter.section("NOT EVERYTHING WAS TESTED", sep="!", red=True, bold=True)
        for reason, count in skipped.items():
            terminalreporter.write_line(f"{count} test(s) did not run. {reason}")


@pytest.fixture(scope="session")
def qa_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.question_answering(tmp_path_factory.mktemp("qa"))


@pytest.fixture(scope="session")
def masked_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.masked(tmp_path_factory.mktemp("masked"))


@pytest.fixture(scope="session")
def causal_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.causal(tmp_path_factory.mktemp("causal"))


@pytest.fixture(scope="session")
def sequence_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.sequence(tmp_path_factory.mktemp("sequence"))
