"""A served app and a real browser, each started once; every test reads in a browser context of its own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)

PATIENCE = 60_000
"""Milliseconds before an expectation fails: generous, since a busy machine is not a defect."""

START = 120
"""Seconds that a server may take until it listens."""

Open = Callable[..., Page]


@contextmanager
def served(log: Path) -> Iterator[str]:
    """Serve the app as `make run` does, on a free port; yields its address, and stops it in the end."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        "app.py",
        "--server.address=127.0.0.1",
        f"--server.port={port}",
    ]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            _wait_until_it_listens(process, port, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(20)


def _wait_until_it_listens(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Knock without sending a request: the first one is left to the test."""
    for _ in range(START * 10):
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.1)
            break
    pytest.fail(f"the server did not start:\n{log.read_text(encoding='utf-8', errors='replace')[-2000:]}")


@pytest.fixture(scope="session")
def serve() -> Callable[[Path], Any]:
    """For the tests that need a server of their own."""
    return served


@pytest.fixture(scope="session")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the shared server writes."""
    return tmp_path_factory.mktemp("served") / "log"


@pytest.fixture(scope="session")
def server(cache_dir: Path, log: Path) -> Iterator[str]:
    """Address of the server that all tests share but those that need a fresh one."""
    with served(log) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = os.environ.get("MORALSCOPE_CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
    )
    if path is None:
        reason = "Browser tests need Chromium: install it, or set MORALSCOPE_CHROMIUM to its path."
        if os.environ.get("MORALSCOPE_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Open]:
    """Open an address in a new browser context, wait for the page, and see in the end that no other host was asked."""
    contexts, strangers = [], []

    def note(url: str, home: str) -> None:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https", "ws", "wss") and parts.netloc != urlsplit(home).netloc:
            strangers.append(url)

    def open_(path: str, *, at: str | None = None, **options: Any) -> Page:
        home = at or request.getfixturevalue("server")
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda asked: note(asked.url, home))
        page.goto(f"{home}{path}")
        settle(page)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert strangers == []


def settle(page: Page) -> None:
    """Wait until a page stands there, no script runs, and every figure is drawn."""
    expect(page.locator("h1").first).to_be_visible()
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator("[data-stale=true]")).to_have_count(0)
    expect(page.locator("[data-testid=stMain] [data-testid=stSkeleton]")).to_have_count(0)


@pytest.fixture(scope="session")
def settled() -> Callable[[Page], None]:
    return settle


@pytest.fixture(scope="session")
def score() -> Callable[[Page, str], None]:
    """Type phrases over those in the form, submit, and wait for the last one's reading."""

    def score_(page: Page, text: str, *, reads: str | None = None) -> None:
        page.locator(".st-key-phrases_lines textarea").fill(text)
        page.locator(".st-key-score button").click()
        expect(page.get_by_test_id("stText").filter(has_text=reads or f"“{text}”").first).to_be_visible()
        settle(page)

    return score_
