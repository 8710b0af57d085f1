"""Type phrases, read scores; whatever is typed is shown as typed."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

Open = Callable[..., Page]
Score = Callable[..., None]
PAGE = "/moral_choice?encoders=static"


def said(page: Page, text: str) -> None:
    expect(page.get_by_test_id("stText").filter(has_text=text).first).to_be_visible()


def follow(page: Page, name: str) -> None:
    """Go to another page by the menu, which keeps the session."""
    page.get_by_test_id("stSidebarNavLink").filter(has_text=name).click()
    expect(page.locator("h1")).to_have_text(name)


def test_a_typed_phrase_gets_a_score_a_place_in_each_figure_and_stays_out_of_the_address(
    open_page: Open, score: Score
) -> None:
    page = open_page(PAGE)
    score(page, "help friends")
    said(page, "“help friends”: nearer ")
    for key in ("figure_bias_0", "figure_axis_0"):
        expect(page.locator(f".st-key-{key} .annotation-text", has_text="help friends")).to_be_visible()
    expect(page.locator(".st-key-figure_bias_0 [role=figure]")).to_have_attribute(
        "aria-label", re.compile("“help friends” at ")
    )
    expect(page.locator(".st-key-figure_context_0")).to_have_count(0)
    assert "help" not in page.url


def test_contexts_make_a_heatmap_with_a_number_in_each_cell(open_page: Open, score: Score) -> None:
    page = open_page(PAGE)
    score(page, "help: friends; a thief\neat: meat", reads="“eat meat”")
    figure = page.locator(".st-key-figure_context_0")
    expect(figure.locator(".heatmap-label")).to_have_count(5)  # two bare actions and three contexts
    for name in ("help", "eat", "friends", "a thief", "meat", "(no context)"):
        expect(figure.locator(".xtick, .ytick").filter(has_text=re.compile(f"^{re.escape(name)}$"))).to_be_visible()
    page.locator(".st-key-heatmap").get_by_text("effect", exact=True).click()
    expect(figure.locator(".heatmap-label")).to_have_count(3)
    expect(page).to_have_url(re.compile("heatmap=effect"))


def test_a_table_cell_can_be_edited_and_is_still_there_after_a_visit_to_another_page(
    open_page: Open, settled: Callable[[Page], None]
) -> None:
    page = open_page(PAGE)
    page.locator(".st-key-write_as").get_by_text("Table", exact=True).click()
    page.get_by_test_id("stDataFrame").click(position={"x": 100, "y": 50})
    page.keyboard.press("Enter")
    editor = page.locator(".gdg-input")
    editor.fill("help")
    page.keyboard.press("Enter")
    expect(editor).to_have_count(0)
    changed = page.get_by_test_id("stText").filter(has_text="“help people”")
    for _ in range(20):  # the grid hands an edit to its form a moment after it was made
        page.locator(".st-key-score button").click()
        settled(page)
        if changed.count():
            break
    follow(page, "Methods")
    follow(page, "Moral choice")
    said(page, "“help people”")


def test_the_sum_stands_in_the_address_and_survives_a_reload(open_page: Open, settled: Callable[[Page], None]) -> None:
    page = open_page(PAGE)
    page.locator(".st-key-unit").get_by_text("sum", exact=True).click()
    expect(page).to_have_url(re.compile("unit=sum"))
    title = page.locator(".st-key-figure_bias_0 .xtitle", has_text="sum over 10 templates")
    expect(title).to_have_count(1)
    page.reload()
    settled(page)
    expect(title).to_have_count(1)


MARKUP = "<img src=x onerror=window.ran=1> <script>window.ran=1</script> **bold** [here](http://127.0.0.1:9) :red[x]"


@pytest.mark.parametrize("typed", [f"{MARKUP}\n{MARKUP}", f"{MARKUP}\x07"], ids=["scored", "refused"])
def test_typed_markup_is_shown_as_typed_and_nothing_of_it_runs(open_page: Open, typed: str) -> None:
    page = open_page(PAGE)
    page.on("dialog", lambda dialog: pytest.fail("a dialog opened"))
    page.locator(".st-key-phrases_lines textarea").fill(typed)
    page.locator(".st-key-score button").click()
    action, _, context = MARKUP.partition(":")  # the first colon ends the action
    said(page, "What to do:" if "\x07" in typed else f"{action.strip()} {context.strip()}")
    if "\x07" not in typed:
        page.locator(".st-key-drawer_bias summary").click()
        expect(page.locator(".st-key-download_bias_CSV button")).to_be_visible()
        expect(page.locator(".st-key-figure_axis_0 .annotation-text", has_text="<img src=x").first).to_be_visible()
    assert page.evaluate("window.ran") is None
    main = page.get_by_test_id("stMain")
    for injected in ("img[src=x]", "a[href*='127.0.0.1:9']", "strong:text-is('bold')", "script"):
        expect(main.locator(injected)).to_have_count(0)
    expect(page.locator(".st-key-phrases_lines textarea")).to_have_value(typed)


def test_what_cannot_be_used_is_said_and_stays_in_the_form(open_page: Open, score: Score) -> None:
    page = open_page(PAGE)
    long = "x" * 201
    page.locator(".st-key-phrases_lines textarea").fill(long)
    page.locator(".st-key-score button").click()
    expect(page.get_by_test_id("stAlert")).to_be_visible()
    said(page, "Expected: at most 200 characters")
    expect(page.locator(".st-key-phrases_lines textarea")).to_have_value(long)
    expect(page.get_by_test_id("stPlotlyChart")).to_have_count(0)
    score(page, "smile")
    expect(page.get_by_test_id("stAlert")).to_have_count(0)


def test_a_shared_link_opens_with_its_phrases_and_forgets_them_when_others_are_scored(
    open_page: Open, score: Score
) -> None:
    page = open_page("/moral_choice?encoders=static&phrases=help%3A+friends%3B+%3Cb%3Ethieves%3C%2Fb%3E")
    said(page, "“help <b>thieves</b>”")
    expect(page.locator(".st-key-phrases_lines textarea")).to_have_value("help: friends; <b>thieves</b>")
    score(page, "smile")
    expect(page).to_have_url(re.compile(r"/moral_choice\?encoders=static$"))


@pytest.mark.parametrize(
    ("start", "number", "encoders"),
    [("/", 0, ["bundled"]), ("/?encoders=static", 1, ["bundled", "static"]), ("/?encoders=static", 2, ["bundled"])],
)
def test_a_tour_opens_moral_choice_with_its_encoders_and_its_scores(
    open_page: Open, settled: Callable[[Page], None], start: str, number: int, encoders: list[str]
) -> None:
    page = open_page(start)
    page.locator("[class*=st-key-tour_] button:visible").nth(number).click()
    expect(page.locator("h1")).to_have_text("Moral choice")
    expect(page.locator(".st-key-encoders [data-tag]")).to_have_text(encoders)
    expect(page.locator("[class*=st-key-figure_bias_] .main-svg:visible").first).to_be_visible()
    settled(page)
    expect(page.locator("[class*=st-key-figure_bias_]")).to_have_count(len(encoders))
    expect(page.get_by_test_id("stException")).to_have_count(0)


def test_two_readers_see_neither_phrases_nor_report_of_each_other(open_page: Open, score: Score) -> None:
    one, other = open_page(PAGE), open_page(PAGE)
    score(one, "water my neighbour's roses")
    one.locator(".st-key-drawer_bias summary").click()
    one.locator(".st-key-report_bias button:visible").click()
    follow(one, "Report")
    expect(one.get_by_role("heading", name="Moral bias")).to_be_visible()
    other.reload()
    expect(other.locator(".st-key-phrases_lines textarea")).not_to_have_value(re.compile("roses"))
    expect(other.get_by_text("roses")).to_have_count(0)
    follow(other, "Report")
    expect(other.get_by_text("The report is empty")).to_be_visible()
