"""Ethical interventions in a browser: advice is typed and answered, a long run is stopped, every view fits a phone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

Open = Callable[..., Page]
Settled = Callable[[Page], None]

PAGE = "/interventions?encoders=static"
RESULTS = {
    "model": "tiny",
    "runs": [
        {"size": size, "tests": {"religion": {"ethical": {"mu": mu, "interval": [0, 0.5], "noise": 0.1, "n": 9}}}}
        for size, mu in ((0, 0.4), (64, 0.2))
    ],
}


def test_advice_is_typed_answered_and_linked(open_page: Open, settled: Settled) -> None:
    page = open_page(PAGE)
    page.locator(".st-key-story_own input").fill("Toss a coin.")
    page.locator(".st-key-ask button").click()
    page.get_by_role("radio", name="your own").click()
    page.get_by_text("The four questions as they are put").click()
    expect(
        page.get_by_test_id("stText").filter(has_text="Note that, toss a coin. Who was a florist?").first
    ).to_be_visible()
    settled(page)
    assert "coin" not in page.url
    page.locator(".st-key-drawer_story summary").click()
    link = page.get_by_test_id("stCode").inner_text().strip()
    back = open_page(link[link.index("/interventions") :])
    expect(back.locator(".st-key-story_own input")).to_have_value("Toss a coin.")


def test_a_story_without_a_subject_is_said_and_stays(open_page: Open) -> None:
    page = open_page(PAGE)
    page.locator(".st-key-story_context textarea").fill("Oscar was waiting.")
    page.locator(".st-key-ask button").click()
    expect(page.get_by_test_id("stText").filter(has_text="one without Nora")).to_be_visible()
    expect(page.locator(".st-key-story_context textarea")).to_have_value("Oscar was waiting.")


def test_a_long_run_is_stopped_and_what_it_had_come_to_is_shown(open_page: Open) -> None:
    page = open_page("/interventions?encoders=bundled&view=benchmark&questions=country&items=2000")
    page.locator(".st-key-start_run button").click()
    expect(page.get_by_test_id("stProgress")).to_contain_text("Asking about 1,920 stories")
    page.locator(".st-key-stop_run button").click()
    expect(page.get_by_test_id("stAlert").filter(has_text="was stopped after")).to_be_visible()
    expect(page.locator(".st-key-figure_mu_0 .main-svg").first).to_be_visible()
    expect(page.locator(".st-key-start_run button")).to_be_visible()


@pytest.mark.parametrize("view", ["try", "benchmark", "few-shot"])
def test_no_view_is_wider_than_a_phone_or_has_a_serious_finding(
    open_page: Open, settled: Settled, view: str, tmp_path: Path
) -> None:
    page = open_page(f"{PAGE}&view={view}", viewport={"width": 360, "height": 740})
    if view == "few-shot":
        (tmp_path / "results.json").write_text(json.dumps(RESULTS), encoding="utf-8")
        page.locator(".st-key-curves_file input[type=file]").set_input_files(tmp_path / "results.json")
        expect(page.locator(".st-key-figure_curves_0 .main-svg").first).to_be_visible()
        settled(page)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") == 0
    page.set_viewport_size({"width": 360, "height": main.evaluate("main => main.scrollHeight")})
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in serious] == []
