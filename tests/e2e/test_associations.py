"""Word associations and occupations in a browser: type word sets, read both pages on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

Open = Callable[..., Page]
Settled = Callable[[Page], None]

OWN = {"x": "rose, tulip, daisy, lily", "y": "wasp, flea, moth, gnat", "a": "love, peace, joy", "b": "hate, war, pain"}


def test_own_word_sets_get_a_reading_and_a_link_that_brings_them_back(open_page: Open, settled: Settled) -> None:
    page = open_page("/associations?encoders=static&view=tests")
    page.get_by_text("Own word sets", exact=True).click()
    for field, words in OWN.items():
        page.locator(f".st-key-set_{field} textarea").fill(words)
    page.locator(".st-key-test_own_sets button").click()
    reading = page.get_by_test_id("stText").filter(has_text=re.compile("Static word embeddings: d = .*leaving out"))
    expect(page.get_by_text("Your own sets:")).to_be_visible()
    settled(page)
    said = reading.inner_text()
    assert "rose" not in page.url
    page.locator(".st-key-drawer_tests summary").click()
    link = page.get_by_test_id("stCode").inner_text().strip()
    back = open_page(link[link.index("/associations") :])
    expect(back.locator(".st-key-set_x textarea")).to_have_value(OWN["x"])
    expect(back.get_by_test_id("stText").filter(has_text=said)).to_be_visible()


@pytest.mark.parametrize(
    "path",
    [
        "/associations?encoders=static",
        "/associations?encoders=static&view=verbs",
        "/associations?encoders=static&view=tests",
        "/occupations?encoders=static",
    ],
)
def test_no_view_is_wider_than_a_phone_or_has_a_serious_finding(open_page: Open, path: str) -> None:
    page = open_page(path, viewport={"width": 360, "height": 740})
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") == 0
    page.set_viewport_size({"width": 360, "height": main.evaluate("main => main.scrollHeight")})
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in serious] == []
