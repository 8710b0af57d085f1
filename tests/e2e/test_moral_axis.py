"""The axis page in a real browser: names that can be read, phones, files of the reader's own, and fetching."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from core.moral.survey import PUBLISHED
from tests.loopback import serving

pytestmark = pytest.mark.browser

Open = Callable[..., Page]
PAGE = "/moral_axis?encoders=static"


@pytest.mark.parametrize("width", [700, 1280, 1920])
def test_no_two_names_on_the_map_of_121_actions_overlap(open_page: Open, width: int) -> None:
    page = open_page(f"{PAGE}&layers=seeds&layers=contexts", viewport={"width": width, "height": 900})
    figure = page.locator(".st-key-figure_map_0")
    expect(figure.locator(".point")).to_have_count(121)
    boxes = figure.locator(".textpoint text").evaluate_all(
        """texts => texts.filter(text => text.textContent.trim()).map(text => {
            const box = text.getBoundingClientRect();
            return [text.textContent, box.left, box.top, box.right, box.bottom];
        })"""
    )
    assert len(boxes) > 30
    assert [
        (a[0], b[0])
        for a, b in itertools.combinations(boxes, 2)
        if min(a[3], b[3]) - max(a[1], b[1]) > 1 and min(a[4], b[4]) - max(a[2], b[2]) > 1
    ] == []


def test_a_phone_gets_the_strip_in_place_of_the_map(open_page: Open) -> None:
    page = open_page(PAGE, viewport={"width": 360, "height": 740})
    expect(page.locator(".st-key-figure_strip_0 .main-svg").first).to_be_visible()
    expect(page.locator(".st-key-figure_map_0")).not_to_be_visible()


def test_a_survey_of_ones_own_is_sent_and_a_bad_one_is_named(open_page: Open, tmp_path: Path) -> None:
    page = open_page(PAGE)
    sender = page.locator(".st-key-survey_file input[type=file]")
    (tmp_path / "bad.csv").write_bytes(b"action;yes;no\nsing;9;1\n")
    sender.set_input_files(tmp_path / "bad.csv")
    expect(page.get_by_test_id("stText").filter(has_text="columns action, yes, no")).to_be_visible()
    (tmp_path / "good.csv").write_bytes(b"action,yes,no\nsing,9,1\nlie,2,8\nrest,5,5\ngreet,7,0\nburn a book,1,9\n")
    page.locator(".st-key-survey_file button[aria-label^=Remove]").click()
    sender.set_input_files(tmp_path / "good.csv")
    expect(page.get_by_test_id("stText").filter(has_text="n = 5)").first).to_be_visible()
    expect(page.locator(".st-key-figure_people_0 .point")).to_have_count(5)


@pytest.mark.data
def test_the_released_survey_is_fetched_by_a_button_and_shown(
    open_page: Open,
    serve: Callable[[Path], Any],
    data: Path,
    cache_dir: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = f"ml-research/MoRT_NMI/{PUBLISHED}"
    with serving({path: (data / path).read_bytes()}) as source:
        monkeypatch.setenv("MORALSCOPE_MIRROR", source.address)
        monkeypatch.setenv("MORALSCOPE_DATA", str(tmp_path / "data"))
        monkeypatch.setenv("NO_PROXY", ",".join(filter(None, [os.environ.get("NO_PROXY"), "127.0.0.1"])))
        with serve(tmp_path / "log") as address:
            page = open_page(PAGE, at=address)
            page.get_by_role("button", name="Fetch the survey").click()
            expect(page.get_by_test_id("stText").filter(has_text="n = 113)").first).to_be_visible()
            expect(page.locator(".st-key-figure_people_0 .point")).to_have_count(113)
            expect(page.locator(".st-key-figure_people_0 [role=figure]")).to_have_attribute(
                "aria-label", re.compile("axis and people: r = ")
            )
    assert [asked for asked, _ in source.requests] == [path]
