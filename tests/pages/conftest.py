"""Pages as one reader's session sees them, without a browser. Encoders are the real ones, loaded once for all tests."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ElementTree

from components import resources

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120
"""Seconds before a run counts as hung; the first one may convert the bundled model."""

Visit = Callable[..., AppTest]
Go = Callable[[AppTest, str], AppTest]
Figures = Callable[[AppTest], dict[str, Any]]


@pytest.fixture(autouse=True)
def _no_exception_on_any_run(monkeypatch: pytest.MonkeyPatch, cache_dir: Path) -> None:
    run = ElementTree.run

    def checked(self: ElementTree, *, timeout: float | None = None) -> AppTest:
        at = run(self, timeout=timeout)
        assert not at.exception
        return at

    monkeypatch.setattr(ElementTree, "run", checked)
    # Every session would look through all installed packages for components, which the app does not use.
    monkeypatch.setattr(BidiComponentManager, "discover_and_register_components", lambda self, **options: None)


@pytest.fixture(scope="module", autouse=True)
def _long_lived() -> None:
    """Keep what other tests have loaded out of the collector's way, as the app does."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def go() -> Go:
    """Go on to another page in the same session."""

    def go_(at: AppTest, page: str) -> AppTest:
        return at.switch_page(str(ROOT / "pages" / f"{page}.py")).run()

    return go_


@pytest.fixture
def visit(go: Go) -> Visit:
    """Start a session on a page, as a link with this query does; `static` is the encoder that loads fastest."""

    def visit_(page: str, **query: str | list[str]) -> AppTest:
        at = AppTest.from_file(ROOT / "components" / "shell.py", default_timeout=PATIENCE)
        at.context = {"url": f"http://127.0.0.1:8501/{page}?old=1"}
        at.query_params.update({"encoders": "static", **query})
        at.run()
        return at if page == "start" else go(at, page)

    return visit_


@pytest.fixture
def figures() -> Figures:
    """The figures of a page by key, as the browser gets them."""

    def figures_(at: AppTest) -> dict[str, Any]:
        return {chart.key: json.loads(chart.proto.spec) for chart in at.get("plotly_chart")}

    return figures_


@pytest.fixture
def nothing_loaded() -> Iterator[None]:
    """Encoders are loaded anew during this test, and after it."""

    def clear() -> None:
        resources._pool.clear()
        resources._encoder_slot.clear()
        resources._compass_slot.clear()

    clear()
    yield
    clear()
