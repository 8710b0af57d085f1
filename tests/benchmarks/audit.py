"""`audit_scan`, `audit_vader`, `audit_regard`: what the batch audit costs beside the least that it must do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from core.knowledge import audit, workers
from core.knowledge.audited import open_audit
from core.knowledge.polarity.regard import Regard
from core.knowledge.sources import open_stream
from core.knowledge.targets import published
from core.knowledge.workers import HERE, Workers
from tests.benchmarks.figures import ROOT, bundled, quiet, report, seconds, take_turns
from tests.benchmarks.texts import statements

LINES, STATEMENTS, ROUNDS = 3_000_000, 100_000, 5

SCAN = """
import sys
from pathlib import Path
from time import perf_counter
from core.knowledge.sources.dumps import read
stream = read(Path(sys.argv[1]))
started = perf_counter()
found = sum(len(chunk) for chunk in stream.chunks(5000))
took = perf_counter() - started
most = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(took, int(most) / 1024, found)
"""
"""Filters a dump in a process of its own: seconds, most MiB resident, statements."""

Figure = tuple[str, float, str, str]


def scan(folder: Path) -> Iterator[Figure]:
    """Filter a dump to the targets' English rows, beside decompressing it and counting its lines."""
    maker, path = Path(os.environ.get("MORALSCOPE_DATA", ".")) / "make_conceptnet_like.py", folder / "dump.csv.gz"
    if not maker.is_file():
        print("audit_scan was not measured: MORALSCOPE_DATA has no make_conceptnet_like.py", file=sys.stderr)
        return
    names = folder / "targets.txt"
    names.write_text("\n".join(published().names), encoding="utf-8")
    made = [sys.executable, str(maker), str(path), "--lines", str(LINES), "--malformed", "24", "--targets", str(names)]
    subprocess.run(made, check=True, stdout=subprocess.DEVNULL)
    ours, theirs, sizes, found = [], [], [], ""
    for _ in range(ROUNDS):
        command = [sys.executable, "-c", SCAN, str(path)]
        done = subprocess.run(command, env=quiet, cwd=ROOT, check=True, capture_output=True, text=True)
        took, size, found = done.stdout.split()
        ours.append(float(took))
        sizes.append(float(size))
        theirs.append(
            seconds(
                lambda: subprocess.run(f"gzip -dc '{path}' | wc -l", shell=True, check=True, stdout=subprocess.DEVNULL)
            )
        )
    against = (
        f"fastest of {ROUNDS}: {int(found):,} statements of {LINES:,} lines in {min(ours):.2f} s / gzip -dc | wc -l"
    )
    yield "audit_scan", min(ours) / min(theirs), "x", f"{against} {min(theirs):.2f} s; at most 0.6 asked"
    yield "audit_scan_memory", max(sizes), "MiB", "most resident of its process; under 600 asked at any file size"


def sentences(path: Path, count: int) -> Path:
    """A file as GenericsKB-Best with `count` statements of 7 to 25 words."""
    names = published().names
    rows = [
        f"Own\t{names[place % len(names)]}\t\t{text[:-1]} and the {names[place % len(names)]}.\t1.0\n"
        for place, text in enumerate(statements(count))
    ]
    path.write_text("SOURCE\tTERM\tQUANTIFIER\tGENERIC SENTENCE\tSCORE\n" + "".join(rows), encoding="utf-8")
    return path


class Audits:
    """Audits of one file by one classifier, each into a new directory."""

    def __init__(self, path: Path, classifier: str, opening: workers.Opening = workers.opened) -> None:
        self._stream, self._classifier, self._opening = open_stream(str(path)), classifier, opening
        self.folder, self._count = path.parent, 0

    def run(self, chosen: Workers = HERE) -> Path:
        """Where the result is."""
        self._count += 1
        directory = self.folder / f"{self._classifier}-{self._count}"
        audit.run(self._stream, [self._classifier], directory, workers=chosen, opening=self._opening)
        return directory


class Lasting(Executor):
    """Workers that have started and opened their classifiers, and stay for the next audit."""

    def __init__(self, chosen: Workers, classifier: str) -> None:
        self._executor = chosen.start()
        work = partial(workers.label, workers.opened, (classifier,), ["thank you"] * 20_000)
        for warmed in [self._executor.submit(work) for _ in range(3 * chosen.count)]:
            warmed.result()

    def submit(self, *args: Any, **kwargs: Any) -> Any:
        """Pass on."""
        return self._executor.submit(*args, **kwargs)


def sentiment(folder: Path) -> Iterator[Figure]:
    """An audit by VADER beside bare VADER on the distinct texts, and two workers beside one."""
    from distributed.deploy.subprocess import SubprocessCluster
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    rate = SentimentIntensityAnalyzer().polarity_scores
    audits = Audits(sentences(folder / "sentences.tsv", STATEMENTS), "sentiment")
    texts = open_audit(audits.run()).statements.frame["masked"].unique().tolist()
    ours, bare = take_turns(audits.run, lambda: [rate(text) for text in texts], rounds=ROUNDS)
    yield (
        "audit_vader",
        min(bare) / min(ours),
        "x",
        f"fastest of {ROUNDS}: bare VADER on {len(texts):,} distinct texts {min(bare):.2f} s / audit of {STATEMENTS:,} "
        f"statements {min(ours):.2f} s; at least 0.9 asked",
    )
    with workers.processes(2) as chosen:
        lasting = Lasting(chosen, "sentiment")
        yield from _two("processes", audits, Workers(lambda: lasting, 2))
    nannies = {"n_workers": 2, "threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": ":0"}
    with SubprocessCluster(**nannies) as two:
        two.wait_for_workers(2)
        with workers.cluster(two.scheduler_address) as chosen:
            lasting = Lasting(chosen, "sentiment")
            yield from _two("dask", audits, Workers(lambda: lasting, 2))


def _two(kind: str, audits: Audits, chosen: Workers) -> Iterator[Figure]:
    one, two = take_turns(audits.run, lambda: audits.run(chosen), rounds=ROUNDS)
    against = (
        f"fastest of {ROUNDS}: one worker, in this process {min(one):.2f} s / two that have started {min(two):.2f} s"
    )
    yield f"audit_vader_{kind}", min(one) / min(two), "x", f"{against}; at least 1.7 asked"


def regard(folder: Path) -> Iterator[Figure]:
    """An audit by regard beside the bare encoder on the distinct texts."""
    count, rounds = STATEMENTS // 25, 3
    encoder = bundled()
    classifier = Regard(encoder)
    audits = Audits(sentences(folder / "fewer.tsv", count), "regard", lambda name: classifier)
    texts = open_audit(audits.run()).statements.frame["masked"].unique().tolist()
    ours, bare = take_turns(audits.run, lambda: encoder.encode(texts), rounds=rounds)
    yield (
        "audit_regard",
        min(bare) / min(ours),
        "x",
        f"fastest of {rounds}: bare encoder on {len(texts):,} distinct texts {min(bare):.2f} s / audit of {count:,} "
        f"statements {min(ours):.2f} s; at least 0.85 asked",
    )


def figures() -> Iterator[Figure]:
    """Every figure of this file."""
    for measured in (scan, sentiment, regard):
        with TemporaryDirectory() as folder:
            yield from measured(Path(folder))


if __name__ == "__main__":
    for figure in figures():
        report(*figure)
