"""The very first request of a fresh server may be a link to any page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

MENU = (
    "Start",
    "Moral choice",
    "Moral axis",
    "Word associations",
    "Occupations and poles",
    "Knowledge harms",
    "Ethical interventions",
    "Encoders",
    "Report",
    "Methods",
    "Data",
)


def test_a_deep_link_as_first_request_shows_its_page_its_menu_and_its_encoder(
    serve: Callable[[Path], Any], open_page: Callable[..., Page], cache_dir: Path, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with serve(log) as address:
        page = open_page("/moral_choice?encoders=static", at=address)
        expect(page).to_have_title("Moral choice · Moralscope")
        expect(page.locator("h1")).to_have_text("Moral choice")
        links = page.get_by_test_id("stSidebarNavLink")
        expect(links).to_have_count(len(MENU))
        for link, name in zip(links.all(), MENU, strict=True):
            expect(link).to_contain_text(name)
        expect(page.locator(".st-key-encoders [data-tag]")).to_have_text("static")
        expect(page.locator(".st-key-figure_bias_0 .main-svg").first).to_be_visible()
        expect(page.get_by_text("Page not found")).to_have_count(0)
        page.context.close()
    assert "Traceback" not in log.read_text(encoding="utf-8")
