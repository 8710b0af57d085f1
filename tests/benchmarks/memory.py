"""`served_memory`: the served app after every page was visited."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, Request, build_opener

import psutil

from tests.benchmarks.figures import ROOT, SENTENCE_TRANSFORMER, quiet, report

PATIENCE = 300
"""Seconds that the server may take to start, or a page to come."""

_open = build_opener(ProxyHandler({})).open


@contextmanager
def served(log: Path) -> Iterator[tuple[int, str]]:
    """The app as `make run` serves it, on loopback and with the interface for programs; its process id and address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--server.address=127.0.0.1", f"--server.port={port}", "--server.enableAgentApi=true"]
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", *options],
            cwd=ROOT,
            env=quiet,
            stdout=output,
            stderr=output,
        )
        try:
            _wait(process, f"http://127.0.0.1:{port}/_stcore/health")
            yield process.pid, f"http://127.0.0.1:{port}/_stcore/agent/interact"
        finally:
            process.terminate()
            process.wait(30)


def visit_every_page(address: str) -> int:
    """Open each page in one session; returns how many there are."""
    first = _post(address, {})
    session, pages = first["session_id"], [page["url_path"] for page in first["pages"]]
    for page in [*pages, *pages]:
        _post(address, {"session_id": session, "page": page})
    return len(pages)


def resident(pid: int) -> float:
    """MiB of a process and those it started."""
    process = psutil.Process(pid)
    return sum(part.memory_info().rss for part in (process, *process.children(recursive=True))) / 2**20


def bare() -> float:
    """MiB of a process with sentence-transformers and torch that has encoded one sentence."""
    code = f"{SENTENCE_TRANSFORMER}\nimport psutil\nprint(psutil.Process().memory_info().rss / 2**20)"
    done = subprocess.run([sys.executable, "-c", code], env=quiet, check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])


def _wait(process: subprocess.Popen[bytes], address: str) -> None:
    until = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < until:
        try:
            _open(address, timeout=PATIENCE).close()
            return
        except OSError:
            time.sleep(0.2)
    raise RuntimeError("the app did not start")


def _post(address: str, content: dict[str, Any]) -> dict[str, Any]:
    """One interaction, asked for again until its run is complete."""
    headers = {"Content-Type": "application/json"}
    with _open(Request(address, json.dumps(content).encode(), headers), timeout=PATIENCE) as answer:
        read: dict[str, Any] = json.load(answer)
    return read


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "log") as (pid, address):
        pages = visit_every_page(address)
        ours = resident(pid)
    theirs = bare()
    report(
        "served_memory",
        ours / theirs,
        "x",
        f"resident: app after its {pages} pages {ours:.0f} MiB / bare process with sentence-transformers and torch "
        f"that encoded one sentence {theirs:.0f} MiB",
    )
