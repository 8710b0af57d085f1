"""Readable and usable by everybody: any width, both themes, a keyboard alone, a screen reader."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

Open = Callable[..., Page]
Score = Callable[..., None]

PAGES = (
    "/",
    "/moral_choice?encoders=static&encoders=bundled",
    "/interventions?encoders=static",
    "/interventions?encoders=static&view=benchmark",
    "/report",
    "/methods",
)
WIDTHS = (360, 1280, 1920)
BACKGROUND = {"light": "rgb(255, 255, 255)", "dark": "rgb(16, 22, 28)"}
TEXT_CONTRAST = 4.5
"""WCAG 2.2, success criterion 1.4.3, level AA."""


def show_whole(page: Page, width: int) -> None:
    """Make the window as high as the page, so that nothing is hidden from a check."""
    page.set_viewport_size({"width": width, "height": 900})
    height = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
    page.set_viewport_size({"width": width, "height": height})


def overflow(page: Page) -> int:
    """Pixels by which the page stays wider than its window, once tables had time to follow a change of width."""
    for _ in range(30):
        wider = int(
            page.evaluate(
                """() => Math.max(...[document.documentElement, document.querySelector("[data-testid=stMain]")]
                    .map(box => box.scrollWidth - box.clientWidth))"""
            )
        )
        if wider == 0:
            break
        page.wait_for_timeout(100)
    return wider


def findings(page: Page) -> list[str]:
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{page.url}: {each['id']}: {node['html'][:200]} {node['failureSummary']}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("path", PAGES)
def test_no_page_has_a_serious_finding_or_is_wider_than_its_window(open_page: Open, path: str) -> None:
    page = open_page(path)
    if "moral_choice" in path:
        page.locator(".st-key-drawer_bias summary").click()
        expect(page.locator(".st-key-download_bias_CSV button")).to_be_visible()
        page.locator(".st-key-report_bias button:visible").click()
    found = []
    for scheme, colour in BACKGROUND.items():
        page.emulate_media(color_scheme=scheme)
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", colour)
        for width in WIDTHS:
            show_whole(page, width)
            assert overflow(page) == 0
            found += findings(page)
    assert found == []


def test_a_filled_report_has_no_serious_finding(open_page: Open) -> None:
    page = open_page("/moral_choice?encoders=static")
    page.locator(".st-key-drawer_bias summary").click()
    page.locator(".st-key-report_bias button:visible").click()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Report").click()
    expect(page.locator(".st-key-figure_report_0 .main-svg").first).to_be_visible()
    show_whole(page, 1280)
    assert findings(page) == []


def test_the_longest_word_does_not_widen_a_phone_page(open_page: Open, score: Score) -> None:
    page = open_page("/moral_choice?encoders=static", viewport={"width": 360, "height": 740})
    score(page, "w" * 200)
    page.locator(".st-key-drawer_bias summary").click()
    expect(page.locator(".st-key-download_bias_CSV button")).to_be_visible()
    assert overflow(page) == 0


def test_a_phrase_that_cannot_be_used_is_said_without_a_serious_finding(open_page: Open) -> None:
    page = open_page("/moral_choice?encoders=static", color_scheme="dark")
    page.locator(".st-key-phrases_lines textarea").fill("x" * 201)
    page.locator(".st-key-score button").click()
    expect(page.get_by_test_id("stAlert")).to_be_visible()
    assert findings(page) == []


def luminance(colour: str) -> float:
    """Relative luminance (WCAG 2.2) of an opaque ``rgb(…)``."""
    channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_contrast_of_black_on_white_is_twenty_one() -> None:
    assert contrast("rgb(0, 0, 0)", "rgb(255, 255, 255)") == pytest.approx(21)


@pytest.mark.parametrize("scheme", BACKGROUND)
def test_every_text_in_every_figure_is_readable_in_both_themes(open_page: Open, scheme: str) -> None:
    page = open_page("/moral_choice?encoders=static", color_scheme=scheme)
    expect(page.get_by_test_id("stApp")).to_have_css("background-color", BACKGROUND[scheme])
    expect(page.locator(".heatmap-label")).to_have_count(4)
    texts: list[dict[str, Any]] = page.locator(".js-plotly-plot svg text").evaluate_all(
        """texts => texts.filter(text => text.textContent.trim()).map(text => {
            const {fill, stroke} = getComputedStyle(text);
            return {words: text.textContent, fill, outline: stroke === "none" ? null : stroke};
        })"""
    )
    assert len(texts) > 20
    assert sum(text["outline"] is not None for text in texts) == 4  # the numbers on coloured cells
    behind = BACKGROUND[scheme]
    assert [text for text in texts if contrast(text["fill"], text["outline"] or behind) < TEXT_CONTRAST] == []
    lines = page.locator(".js-plotly-plot path.xzl").evaluate_all(
        "lines => lines.map(line => getComputedStyle(line).stroke)"
    )
    assert len(lines) == 2  # the border between the poles, in both figures of rows
    assert all(contrast(line, behind) >= TEXT_CONTRAST for line in lines)


def focused(page: Page, inside: str) -> bool:
    return bool(page.evaluate("inside => document.activeElement.closest(inside) !== null", inside))


def tab_to(page: Page, target: str) -> None:
    for _ in range(60):
        page.keyboard.press("Tab")
        if focused(page, target):
            return
    pytest.fail(f"no number of Tab presses reaches {target}")


@pytest.mark.parametrize("submit", ["Control+Enter", "Tab Enter"])
def test_a_keyboard_alone_is_enough_to_type_score_and_open_the_drawer(open_page: Open, submit: str) -> None:
    page = open_page("/moral_choice?encoders=static")
    tab_to(page, ".st-key-phrases_lines textarea")
    page.keyboard.press("Control+a")
    page.keyboard.type("help friends")
    for key in submit.split():
        page.keyboard.press(key)
    expect(page.get_by_test_id("stText").filter(has_text="“help friends”")).to_be_visible()
    tab_to(page, ".st-key-drawer_bias summary")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-download_bias_CSV button")).to_be_visible()
    tab_to(page, ".st-key-download_bias_CSV button")
    with page.expect_download() as found:
        page.keyboard.press("Enter")
    assert found.value.suggested_filename == "moralscope-bias.csv"
