"""Knowledge harms in a browser: past the warning, from a figure to the statements, on a screen of any width."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

Open = Callable[..., Page]
Settled = Callable[[Page], None]

QUICK = "encoders=static&classifiers=sentiment"


def enter(page: Page) -> Page:
    page.locator(".st-key-warning_read button").click()
    expect(page.get_by_text("Fewest statements of a target")).to_be_visible()
    return page


def downloaded(page: Page) -> list[str]:
    """Lines of the file of statements."""
    with page.expect_download() as waiting:
        page.locator(".st-key-download_statements button").click()
    lines = waiting.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("statement,masked,target,category,source,sentiment")
    return lines


def test_from_the_warning_to_a_target_and_its_statements(open_page: Open, settled: Settled) -> None:
    page = open_page(f"/knowledge?{QUICK}")
    expect(page.get_by_text("nobody here endorses them")).to_be_visible()
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(0)
    enter(page)
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(3)
    page.get_by_role("radio", name="targets").click()
    expect(page.get_by_role("heading", name="Between prejudice and favoritism")).to_be_visible()
    settled(page)
    assert len(downloaded(page)) > 1
    page.locator(".st-key-containing input").fill("zzz")
    page.locator(".st-key-containing input").press("Enter")
    expect(page.get_by_text("0 statements.", exact=True)).to_be_visible()
    settled(page)
    assert len(downloaded(page)) == 1


def click(page: Page, mark: str) -> None:
    place = page.locator(mark).last
    place.scroll_into_view_if_needed()
    box = place.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize(("figure", "mark"), [("words_0", ".barlayer .points path"), ("words_2", ".scatterlayer text")])
def test_a_click_on_a_word_leads_to_its_statements(open_page: Open, settled: Settled, figure: str, mark: str) -> None:
    page = enter(open_page(f"/knowledge?{QUICK}&sources=own+file&view=targets&labels=other"))
    rows = (
        "the teacher is a horrible liar\n" * 30 + "the teacher has wonderful friends\n" * 30 + "the teacher sits\n" * 30
    )
    page.locator(".st-key-knowledge_file input[type=file]").set_input_files(
        {"name": "mine.csv", "mimeType": "text/csv", "buffer": f"statement\n{rows}".encode()}
    )
    expect(page.get_by_text("0 statements.", exact=True)).to_be_visible()
    settled(page)
    click(page, f".st-key-figure_{figure} {mark}")
    expect(page.get_by_text("30 statements.", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("view", "figure", "mark"),
    [
        ("overview", "overgeneralization_1", ".boxlayer .points path"),
        ("targets", "target_0", ".scatterlayer .points path"),
        ("mitigation", "mitigation_0_0", ".scatterlayer .points path"),
    ],
)
def test_a_click_on_a_point_or_bar_leads_to_its_statements(
    open_page: Open, settled: Settled, view: str, figure: str, mark: str
) -> None:
    page = enter(open_page(f"/knowledge?{QUICK}&view={view}&target=farmer&labels=other"))
    settled(page)
    expect(page.get_by_text("0 statements.", exact=True)).to_be_visible()
    click(page, f".st-key-figure_{figure} {mark}")
    expect(page.get_by_text("0 statements.", exact=True)).to_have_count(0)
    settled(page)
    assert len(downloaded(page)) > 1


@pytest.mark.parametrize("view", ["overview", "targets", "mitigation", "trust"])
def test_no_view_is_wider_than_a_phone_or_has_a_serious_finding(open_page: Open, settled: Settled, view: str) -> None:
    page = open_page(f"/knowledge?{QUICK}&view={view}", viewport={"width": 360, "height": 740})
    enter(page)
    settled(page)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") == 0
    page.set_viewport_size({"width": 360, "height": main.evaluate("main => main.scrollHeight")})
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    serious = [each for each in found if each["impact"] in ("serious", "critical")]
    assert [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in serious] == []
