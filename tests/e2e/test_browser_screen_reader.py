"""Screen readers: announcements, keys that move the focus, and a focus that is never lost."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import PHONE
from tests.e2e.pages import Questions, audit, open_saved

pytestmark = pytest.mark.browser

# Mines in two corners; a click on r3c1 opens the two rows below them.
LAYOUT = "*.*\n...\n..."
GAME = "#/play?size=6x6/5&seed=4"


def cell(page: Page, number: int):
    return page.locator(f'[data-cell="{number}"]')


def says(page: Page, text: str) -> None:
    expect(page.locator("#status")).to_have_text(text)


@pytest.fixture
def begun(new_page) -> Page:
    """Return a page with a small game whose first click has revealed six cells."""
    page = new_page()
    open_saved(page, LAYOUT)
    cell(page, 6).click()
    expect(cell(page, 4)).to_have_attribute("aria-label", "r2c2: 2")
    return page


def test_a_new_game_is_announced_and_an_old_one_with_its_state(begun):
    begun.reload()
    heard = re.compile(
        r"^Game: Square 3x3/2, 3 rows, 3 columns, 2 mines\. 2 mines left, [\d.]+ s\.$"
    )
    expect(begun.locator("#status")).to_have_text(heard)
    begun.keyboard.press("n")
    says(begun, "New game: Square 3x3/2, 3 rows, 3 columns, 2 mines. ")


def test_keys_say_the_mines_left_the_neighbours_and_what_was_opened(begun):
    page = begun
    page.keyboard.press("w")
    says(page, "6 cells, numbers 1 2 1.")
    cell(page, 0).focus()
    page.keyboard.press("f")
    expect(cell(page, 0)).to_have_attribute("aria-label", "r1c1: flag")
    page.keyboard.press("w")  # a flag opens nothing
    says(page, "6 cells, numbers 1 2 1.")
    page.keyboard.press("l")
    expect(page.locator("#status")).to_have_text(re.compile(r"^1 mine left, [\d.]+ s\.$"))
    cell(page, 3).focus()
    page.keyboard.press("v")
    says(page, "r2c1: 1. Neighbours: 1 covered, 1 flag, numbers 2. Covered: r1c2.")


def test_a_key_jumps_to_the_next_number_with_something_to_do(begun):
    page = begun
    cell(page, 8).focus()
    page.keyboard.press("j")  # nothing is flagged, and nothing is plain yet
    says(page, "No number has an obvious move.")
    cell(page, 0).focus()
    page.keyboard.press("f")
    expect(cell(page, 0)).to_have_attribute("aria-label", "r1c1: flag")
    page.keyboard.press("j")
    expect(cell(page, 3)).to_be_focused()
    says(page, "r2c1: 1: all its mines are flagged, 1 still covered: chord")
    page.keyboard.press("c")
    expect(cell(page, 1)).to_have_attribute("aria-label", "r1c2: 2")


def test_a_key_jumps_to_what_help_points_at(begun):
    page = begun
    cell(page, 8).focus()
    page.keyboard.press("t")
    says(page, "No cell is highlighted.")
    for detail in (1, 2, 3):
        page.keyboard.press("h")
        shown = page.locator('.detail[aria-pressed="true"]')
        expect(shown).to_have_text(re.compile(f"^{detail}"))
    pointed = page.locator('[data-over^="certain"]')
    expect(pointed).to_have_count(1)
    page.keyboard.press("t")
    expect(pointed).to_be_focused()
    page.keyboard.press("t")  # and on, to the numbers that it follows from
    expect(page.locator('[data-over="proof"]').first).to_be_focused()


def test_the_skip_link_lands_on_the_board_and_keeps_the_address(new_page):
    page = new_page(GAME)
    address = page.url
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(cell(page, 0)).to_be_focused()
    assert page.url == address


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_torus_goes_round_and_looks_like_it(new_page, theme):
    page = new_page("#/play?size=5x4/3&tiling=torus&seed=1", color_scheme=theme)
    cell(page, 0).focus()
    for key, number in (
        *(("ArrowLeft", 4), ("ArrowRight", 0), ("ArrowUp", 15), ("ArrowDown", 0)),
        *(("PageUp", 15), ("End", 19), ("ArrowRight", 15)),
    ):
        page.keyboard.press(key)
        expect(cell(page, number)).to_be_focused()
    beyond = page.locator(".wrapped .cell")
    expect(beyond).to_have_count(2 * (5 + 4) + 4)
    page.keyboard.press("f")
    expect(cell(page, 15)).to_have_attribute("aria-label", "r4c1: flag")
    expect(page.locator(".wrapped .flagged")).to_have_count(3)  # a corner is seen from three sides
    corner = page.locator(".grid svg").bounding_box()
    assert corner["width"] > 5.5 * cell(page, 0).bounding_box()["width"]
    page.keyboard.press("Shift+Tab")  # the copies are no stops
    assert page.evaluate("document.activeElement.closest('.grid')") is None
    assert audit(page) == ""


def test_a_square_board_has_nothing_beyond_its_sides(new_page):
    page = new_page(GAME)
    expect(page.locator(".wrapped")).to_have_count(0)


# The focus.

LOST = "document.activeElement === null || document.activeElement === document.body"
# Who presses this leaves the page, or opens the system's own window for a file.
OUTSIDE = re.compile("Import|Export|Download|Open a file|Print|Choose a file")


def buttons(page: Page) -> list[str]:
    """Return the names of everything that can be pressed."""
    return page.evaluate(
        """() => [...document.querySelectorAll("button, summary, nav a")]
            .filter(one => !one.disabled && one.checkVisibility())
            .map(one => [one.getAttribute("aria-label") ?? one.textContent.trim(), one])
            .map(([name]) => name)"""
    )


def press(page: Page, name: str, turn: int) -> bool:
    """Press the button of a name by keyboard, if it is there; of several, in turn."""
    found = page.evaluate(
        """([name, turn]) => {
            const all = [...document.querySelectorAll("button, summary, nav a")]
                .filter(one => !one.disabled && one.checkVisibility())
                .filter(one => (one.getAttribute("aria-label") ?? one.textContent.trim()) === name);
            const one = all[turn % Math.max(1, all.length)];
            one?.focus();
            return one !== undefined && document.activeElement === one;
        }""",
        [name, turn],
    )
    if found:
        page.keyboard.press("Enter")
    return found


VIEWS = {
    "play": GAME,
    "analyse": "#/analyse",
    "watch": "#/watch?size=beginner&seed=7",
    "print": "#/print",
    "learn": "#/learn/strategy-1",
    "puzzles": "#/puzzles",
    "review": "#/review",
    "statistics": "#/statistics",
    "help": "#/help",
}


# A phone has other things to fold away only in play.
@pytest.mark.parametrize("view, device", [*((view, {}) for view in VIEWS), ("play", PHONE)])
def test_the_focus_never_falls_to_the_body(new_page, view, device):
    page = new_page(VIEWS[view], **device)
    questions = Questions(page)
    page.wait_for_selector("h1", state="attached")
    questions.answered()
    lost = []
    for turn, name in enumerate(buttons(page)):
        if OUTSIDE.search(name) or not press(page, name, turn):
            continue
        questions.answered()
        if page.evaluate(LOST):
            lost.append(name)
        if page.locator("dialog[open]").count():
            page.keyboard.press("Escape")
            page.wait_for_timeout(60)
            if page.evaluate(LOST):
                lost.append(f"{name}, closed")
        if f"#/{view}" not in page.url:
            page.goto(page.url.partition("#")[0] + VIEWS[view])
            questions.answered()
    assert lost == []


def test_the_focus_comes_back_to_the_board_from_what_closes(begun):
    page = begun
    page.get_by_role("button", name="Probabilities").click()
    page.get_by_role("button", name="Close help").focus()
    page.keyboard.press("Enter")
    expect(cell(page, 6)).to_be_focused()
    cell(page, 0).click()
    page.locator(".end-card").get_by_role("button", name="New game").focus()
    page.keyboard.press("Enter")
    expect(cell(page, 0)).to_be_focused()
