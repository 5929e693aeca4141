"""Screen readers and keys on the board: labels, announcements, roving focus."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.pages import cell, flag, go, open_saved, reveal

pytestmark = pytest.mark.browser

# Mines in two corners; a click on r3c1 opens the two rows below them.
LAYOUT = "*.*\n...\n..."


def expect_announced(page: Page, text: str | re.Pattern[str]) -> None:
    expect(page.locator("#status")).to_have_text(text)


@pytest.fixture
def started_game(new_page) -> Page:
    """Return a page with a small game whose first click has revealed six cells."""
    page = new_page()
    open_saved(page, LAYOUT)
    reveal(page, 6)
    expect(cell(page, 4)).to_have_attribute("aria-label", "r2c2: 2")
    return page


def test_games_and_moves_are_announced(started_game):
    page = started_game
    page.reload()
    state = r"^Game: Square 3x3/2, 3 rows, 3 columns, 2 mines\. 2 mines left, [\d.]+ s\.$"
    expect_announced(page, re.compile(state))
    expect(page.get_by_role("grid")).to_have_attribute(
        "aria-label", "Board of Square 3x3/2, 2 mines"
    )
    expect(page.get_by_role("row", name="Row 2", exact=True)).to_have_count(1)
    page.keyboard.press("n")
    expect_announced(page, "New game: Square 3x3/2, 3 rows, 3 columns, 2 mines. ")
    expect(page.get_by_role("gridcell", name="r3c1: covered")).to_have_count(1)
    open_saved(page, LAYOUT)
    cell(page, 6).focus()
    page.keyboard.press("Space")
    expect_announced(page, "6 cells changed. r3c1: zero")
    page.keyboard.press("f")  # a revealed cell cannot be flagged
    expect(page.get_by_role("gridcell", name="r3c1: zero")).to_have_count(1)


def test_keys_read_out_mines_left_neighbours_and_the_last_opening(started_game):
    page = started_game
    page.keyboard.press("w")
    expect_announced(page, "6 cells, numbers 1 2 1.")
    flag(page, 0)
    page.keyboard.press("w")  # a flag reveals nothing
    expect_announced(page, "6 cells, numbers 1 2 1.")
    page.keyboard.press("l")
    expect_announced(page, re.compile(r"^1 mine left, [\d.]+ s\.$"))
    cell(page, 3).focus()
    page.keyboard.press("v")
    expect_announced(page, "r2c1: 1. Neighbours: 1 covered, 1 flag, numbers 2. Covered: r1c2.")


def test_key_goes_to_the_next_number_with_an_obvious_move(started_game):
    page = started_game
    cell(page, 8).focus()
    page.keyboard.press("j")
    expect_announced(page, "No number has an obvious move.")
    flag(page, 0)
    page.keyboard.press("j")
    expect(cell(page, 3)).to_be_focused()
    expect_announced(page, "r2c1: 1: all its mines are flagged, 1 still covered: chord")
    page.keyboard.press("c")
    expect(cell(page, 1)).to_have_attribute("aria-label", "r1c2: 2")


def test_key_goes_to_highlighted_cells(started_game):
    page = started_game
    cell(page, 8).focus()
    page.keyboard.press("t")
    expect_announced(page, "No cell is highlighted.")
    for detail in (1, 2, 3):
        page.keyboard.press("h")
        expect(page.locator(".detail-name")).to_contain_text(f"{detail} of 4")
    move = page.locator('[data-over^="certain"]')
    expect(move).to_have_count(1)
    page.keyboard.press("t")
    expect(move).to_be_focused()
    page.keyboard.press("t")  # then the numbers that it follows from
    expect(page.locator('[data-over="proof"]').first).to_be_focused()


def test_keys_move_the_focus_and_one_cell_is_in_the_tab_order(new_page):
    page = new_page("#/play?size=5x5/3&seed=2")
    reachable = page.locator('[data-cell][tabindex="0"]')
    cell(page, 0).focus()
    for key, number in (
        *(("ArrowRight", 1), ("ArrowDown", 6), ("End", 9), ("ArrowRight", 9), ("Home", 5)),
        *(("Control+End", 24), ("Control+Home", 0), ("PageDown", 20), ("PageUp", 0)),
    ):
        page.keyboard.press(key)
        expect(cell(page, number)).to_be_focused()
        expect(reachable).to_have_count(1)
    expect(page.locator(".wrapped")).to_have_count(0)
    go(page, "#/play?size=5x4/3&tiling=torus&seed=1")
    wrapped = page.locator(".wrapped .cell")
    expect(wrapped).to_have_count(2 * (5 + 4) + 4)
    cell(page, 0).focus()
    for key, number in (
        *(("ArrowLeft", 4), ("ArrowRight", 0), ("ArrowUp", 15), ("ArrowDown", 0)),
        *(("PageUp", 15), ("End", 19), ("ArrowRight", 15)),
    ):
        page.keyboard.press(key)
        expect(cell(page, number)).to_be_focused()
    page.keyboard.press("f")
    expect(cell(page, 15)).to_have_attribute("aria-label", "r4c1: flag")
    expect(page.locator(".wrapped .flagged")).to_have_count(3)  # a corner has three copies
    width = page.locator(".grid svg").bounding_box()["width"]
    assert width > 5.5 * cell(page, 0).bounding_box()["width"]
    page.keyboard.press("Shift+Tab")  # the copies are not in the tab order
    assert page.evaluate("document.activeElement.closest('.grid')") is None
