"""What leaves the app as a file: complete, inert, and readable without the app or a network."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

Open = Callable[..., Page]
Score = Callable[..., None]
OpenFile = Callable[[Path], Page]

TYPED = '=1+1\nhelp <script>window.ran=1</script><img src=x onerror="window.ran=1">'
PHRASES = TYPED.split("\n")


@pytest.fixture
def open_file(browser: Browser) -> Iterator[OpenFile]:
    """Open a saved page with the network cut off, and see in the end that it asked for nothing."""
    context = browser.new_context(offline=True)
    asked: list[str] = []

    def open_(path: Path) -> Page:
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        return page

    yield open_
    context.close()
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []


def download(page: Page, button: str, folder: Path) -> Path:
    with page.expect_download() as found:
        page.locator(button).click()
    path = folder / found.value.suggested_filename
    found.value.save_as(path)
    return path


def save_svg(page: Page, folder: Path) -> str:
    with page.expect_download() as found:
        page.get_by_role("button", name="Save figure as SVG").first.click()
    path = folder / "figure.svg"
    found.value.save_as(path)
    return path.read_text(encoding="utf-8")


def test_the_three_files_of_a_figure_hold_what_the_page_shows(
    open_page: Open, score: Score, open_file: OpenFile, tmp_path: Path
) -> None:
    page = open_page("/moral_choice?encoders=static")
    score(page, TYPED, reads=f"“{PHRASES[1]}”")
    reading = page.get_by_test_id("stText").filter(has_text="“=1+1”").first.inner_text()
    page.locator(".st-key-drawer_bias summary").click()

    with download(page, ".st-key-download_bias_CSV button", tmp_path).open(encoding="utf-8", newline="") as handle:
        rows = [row for row in csv.DictReader(handle) if row["kind"] == "typed"]
    assert [row["action"] for row in rows] == [f"'{PHRASES[0]}", PHRASES[1]]

    saved_records = json.loads(
        download(page, ".st-key-download_bias_JSON button", tmp_path).read_text(encoding="utf-8")
    )
    records = [record for record in saved_records if record["kind"] == "typed"]
    assert [record["action"] for record in records] == PHRASES
    assert [float(row["bias"]) for row in rows] == [record["bias"] for record in records]
    assert f"by {abs(records[0]['bias']):.3f}" in reading

    saved = open_file(download(page, ".st-key-download_bias_HTML button", tmp_path))
    expect(saved.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    expect(saved.locator(".annotation-text", has_text="=1+1")).to_be_visible()
    expect(saved.get_by_text("Limit: ")).to_be_visible()
    saved.locator("summary").click()
    expect(saved.locator("td", has_text="<script>window.ran=1</script>").first).to_be_visible()
    figure = save_svg(saved, tmp_path)
    assert figure.startswith("<svg")
    assert "=1+1" in figure
    assert saved.evaluate("window.ran") is None
    expect(saved.locator("img[src=x]")).to_have_count(0)


def test_a_report_of_several_figures_is_one_page_that_works_offline(
    open_page: Open, open_file: OpenFile, tmp_path: Path
) -> None:
    page = open_page("/moral_choice?encoders=static")
    for key in ("bias", "context"):
        page.locator(f".st-key-drawer_{key} summary").click()
        page.locator(f".st-key-report_{key} button:visible").click()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Report").click()
    expect(page.locator(".st-key-figure_report_1 .main-svg").first).to_be_visible()
    page.get_by_role("button", name="Download HTML").click(trial=True)
    with page.expect_download() as found:
        page.get_by_role("button", name="Download HTML").click()
    path = tmp_path / found.value.suggested_filename
    found.value.save_as(path)
    saved = open_file(path)
    expect(saved.locator("section")).to_have_count(2)
    expect(
        saved.locator("section .js-plotly-plot .xtitle, section .js-plotly-plot .heatmap-label").first
    ).to_be_visible()
    expect(saved.locator("section").nth(1).locator(".heatmap-label")).to_have_count(4)
    assert save_svg(saved, tmp_path).startswith("<svg")
    link = re.search(r"http://127\.0\.0\.1:\d+/moral_choice\?encoders=static&phrases=\S+", saved.inner_text("body"))
    assert link is not None
    page.locator(".st-key-remove_0 button:visible").click()
    expect(page.locator(".st-key-figure_report_1")).to_have_count(0)
    expect(page.get_by_role("heading", name="Context")).to_be_visible()
