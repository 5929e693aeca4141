"""The evaluation bar: its value, its space, its movement, and the end of its streams."""

import json
from itertools import pairwise

import pytest
from playwright.sync_api import Page, Request, expect

from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE
from tests.e2e.pages import cell, enter_position, intercept, reveal, wait_until

pytestmark = pytest.mark.browser

ENDING = "mines: 4\n#####\n#212#\n#####"
ROUTE = "**/api/analysis/win-chance"


def bar(page: Page):
    return page.get_by_role("meter", name="Win chance")


def test_bar_of_an_end_game_is_exact_and_needs_the_mine_count(new_page):
    page = new_page("#/analyse")
    enter_position(page, ENDING)
    expect(bar(page)).to_have_attribute("aria-valuetext", "77.8% (7/9)")
    expect(bar(page)).to_have_attribute("aria-valuenow", "78")
    expect(page.locator(".evaluation-text")).to_have_text("Win chance 77.8% (7/9)")
    enter_position(page, ENDING.partition("\n")[2])
    expect(bar(page)).to_be_hidden()
    expect(page.locator(".evaluation-text")).to_contain_text("A win chance needs the mine count")


@pytest.mark.parametrize("device", [DESKTOP, PHONE, LANDSCAPE], ids=["desktop", "phone", "wide"])
def test_board_stays_in_place_when_the_bar_appears_in_a_game(new_page, device):
    page = new_page("#/play?size=9x9/10&seed=1", **device)
    reveal(page, 40)
    expect(bar(page)).to_be_hidden()
    before = cell(page, 0).bounding_box()
    page.keyboard.press("o")
    expect(bar(page)).to_be_visible()
    expect(page.locator(".badges")).to_contain_text("helped")
    assert cell(page, 0).bounding_box() == before
    assert not overlaps(page)
    page.keyboard.press("o")
    expect(bar(page)).to_be_hidden()


def overlaps(page: Page) -> bool:
    """Return whether the bar and the board overlap."""
    one, other = bar(page).bounding_box(), page.locator(".viewport").bounding_box()
    return all(
        one[start] < other[start] + other[size] and other[start] < one[start] + one[size]
        for start, size in (("x", "width"), ("y", "height"))
    )


def test_bar_moves_by_at_most_its_interval(new_page):
    page = new_page("#/analyse")
    expect(bar(page)).to_be_visible()
    estimates = [(0.9, 0.8, 1.0), (0.5, 0.45, 0.55), (0.46, 0.45, 0.47)]
    lines = [
        {"value": value, "low": low, "high": high, "exact": False, "fraction": None}
        for value, low, high in estimates
    ]
    page.evaluate(
        """() => {
            window.shares = [];
            const style = document.querySelector(".evaluation").style;
            const set = style.setProperty.bind(style);
            style.setProperty = (name, share) => {
                set(name, share);
                if (name === "--win") window.shares.push(parseFloat(share));
            };
        }"""
    )
    body = "".join(json.dumps(line) + "\n" for line in lines)
    intercept(
        page, ROUTE, lambda route: route.fulfill(content_type="application/x-ndjson", body=body)
    )
    enter_position(page, ENDING)

    def shares() -> list[float]:
        found: list[float] = page.evaluate("window.shares")
        return found

    wait_until(page, lambda: shares()[-1:] == [46.0], "the bar at the last estimate")
    found = shares()
    start = found.index(90.0)
    assert all(abs(a - b) <= 20.001 for a, b in pairwise(found[start:]))


def test_another_position_cancels_the_stream_of_the_last(new_page):
    page = new_page("#/analyse")
    # Estimates of this position take seconds.
    enter_position(page, "\n".join(["board: hexagonal 30x16", "mines: 99", *["#" * 30] * 16]))
    expect(bar(page)).to_be_visible()

    def is_stream(request: Request) -> bool:
        return request.url.endswith("/win-chance") and request.post_data_json["board"][0] == "h"

    with page.expect_event("requestfailed", is_stream):
        enter_position(page, ENDING)
    expect(bar(page)).to_have_attribute("aria-valuetext", "77.8% (7/9)")


def test_watched_game_has_a_bar_that_ends_with_the_result(new_page):
    page = new_page("#/watch?size=9x9/10&seed=4&kind=player&name=careful")
    page.get_by_role("slider", name="Speed").fill("4")
    expect(bar(page)).to_be_hidden()
    page.get_by_role("button", name="Next step").click()
    expect(bar(page)).to_be_visible()
    page.get_by_role("button", name="Run").click()
    expect(page.locator(".verdict")).to_be_visible()
    won = "won" in page.locator(".verdict").get_attribute("class")
    expect(bar(page)).to_have_attribute("aria-valuenow", "100" if won else "0")
