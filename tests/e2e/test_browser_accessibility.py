"""Accessibility: the axe audit of every view, and a focus that is never lost."""

import re

import pytest
from playwright.sync_api import Page, expect

from sapper.board.rules import Rules
from sapper.generators.layouts import generate
from tests.e2e.conftest import DESKTOP, LANDSCAPE, PHONE
from tests.e2e.pages import (
    RequestLog,
    audit,
    cell,
    enter_position,
    enter_saved,
    flag,
    game_of,
    go,
    is_covered,
    open_saved,
    reveal,
)
from tests.e2e.test_browser_statistics import import_results

pytestmark = pytest.mark.browser

GAME = "#/play?size=5x5/3&tiling=square&rule=zero&seed=2"
MINES = generate(Rules.parse("5x5/3"), 2, 12).layout.mine_cells.tolist()
# r1c1, r2c1: a certain opening; then a mistake where r1c5 was safe, and the loss.
LOST_GAME = """sapper: game 1
board: square 5x3
layout: r1c4 r3c5
rule: safe

0.000 reveal r1c1
2.500 reveal r2c5
4.000 reveal r3c5
"""


def started(page: Page, tiling: str = "square") -> None:
    go(page, "#/help")
    go(page, GAME.replace("square", tiling))
    expect(page.get_by_role("grid", name=re.compile(f"of {tiling} 5x5", re.I))).to_be_visible()
    reveal(page, 12)
    flag(page, 0)


def helped(page: Page) -> None:
    started(page)
    page.get_by_role("button", name="Probabilities").click()
    for detail in (1, 2, 3):
        page.get_by_role("button", name="Hint", exact=True).click()
        expect(page.locator(".detail-name")).to_contain_text(f"{detail} of 4")
    cell(page, 1).focus()
    expect(page.locator(".values dt").first).to_have_text("mine")


def probabilities(page: Page) -> None:
    go(page, "#/play?size=16x16/40&seed=5")
    expect(page.locator("[data-cell]")).to_have_count(256)
    reveal(page, 120)
    if page.get_by_role("button", name="Probabilities").get_attribute("aria-pressed") == "false":
        page.get_by_role("button", name="Probabilities").click()
    expect(page.locator(".over-label").first).to_be_attached()
    # The extremes of the scale, which this position may not show.
    page.evaluate(
        """() => [1, 99].forEach((step) => {
            const path = document.querySelector(".over-fill").cloneNode();
            path.dataset.probability = step;
            document.querySelector(".overlay").append(path);
        })"""
    )


def new_game(page: Page) -> None:
    page.locator(".choose").click()
    for summary in page.get_by_role("dialog").locator("summary").all():
        summary.click()


def share(page: Page) -> None:
    page.keyboard.press("Escape")
    unfold(page, ".more")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def settings(page: Page) -> None:
    page.keyboard.press("Escape")
    unfold(page, "#menu")
    page.get_by_role("button", name="Settings").click()
    page.get_by_text("Keys in Play").click()


def menu(page: Page) -> None:
    page.keyboard.press("Escape")
    unfold(page, "#menu")


def more(page: Page) -> None:
    page.keyboard.press("Escape")
    unfold(page, ".more")


def unfold(page: Page, opener: str) -> None:
    if page.locator(opener).is_visible():
        page.locator(opener).click()


def lost(page: Page) -> None:
    go(page, GAME)
    game_of(page)
    open_saved(page, "*..\n..*")
    cell(page, 0).click()
    expect(cell(page, 5)).to_have_attribute("aria-label", re.compile("mine"))


def won(page: Page) -> None:
    started(page)
    cell(page, 0).click(button="right")
    for number in range(25):
        if number not in MINES and is_covered(page, number):
            reveal(page, number)
    expect(page.locator(".end-figures")).not_to_contain_text("…")


def watch(page: Page) -> None:
    go(page, "#/watch?size=beginner&seed=7")
    page.get_by_text("Choose a player or a game").click()
    for steps in (1, 2):
        page.get_by_role("button", name="Next step").click()
        expect(page.locator(".log li")).to_have_count(steps)
    page.get_by_role("button", name="Probabilities").click()
    expect(page.locator(".over-fill").first).to_be_attached()


def learn(page: Page) -> None:
    go(page, "#/learn/strategy-1")
    page.get_by_role("button", name="Where to look").click()
    cell(page, 7).click(button="right")
    expect(page.locator(".reply.right")).to_be_visible()


def puzzle(page: Page) -> None:
    go(page, "#/puzzles/square-three-5")
    cell(page, 10).click()
    expect(page.locator(".reply.wrong")).to_contain_text("Not certain: here is a layout")
    for summary in page.locator("summary").all():
        summary.click()


def statistics(page: Page) -> None:
    import_results(page)
    go(page, "#/statistics")
    page.get_by_text("As a table").first.click()


def proof(page: Page) -> None:
    go(page, "#/analyse")
    enter_position(page, "board: hexagonal 4x3\nmines: 3\n####\n#.#F\n####\n")
    page.locator('[data-over="certain-safe"]').first.click()
    expect(page.locator(".why")).to_be_visible()


def contradiction(page: Page) -> None:
    enter_position(page, "2##\n1##\n#.1\n")


def best_guess(page: Page) -> None:
    enter_position(page, "mines: 5\n#1###\n#####\n#####\n")
    expect(page.locator("p.guess")).to_be_visible()


def worksheet_options(page: Page) -> None:
    go(page, "#/print")
    expect(page.locator("summary")).not_to_have_count(0)
    for summary in page.locator("summary").all():
        summary.click()


def worksheet(page: Page) -> None:
    for label, value in (("Width", "4"), ("Height", "3"), ("Number of puzzles", "2")):
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_role("button", name="Make puzzles").first.click()
    expect(page.locator("img.sheet")).to_have_count(1)


def paper_puzzle(page: Page) -> None:
    page.get_by_role("button", name="Solve on screen").click()
    expect(page.locator("[data-cell]")).to_have_count(12)


def review(page: Page) -> None:
    go(page, "#/review")
    file = {"name": "game.txt", "mimeType": "text/plain", "buffer": LOST_GAME.encode()}
    page.set_input_files("input[type=file]", file)
    expect(page.locator(".why")).to_be_visible()


def end_of_review(page: Page) -> None:
    page.get_by_role("slider", name="Move", exact=True).press("End")
    expect(page.locator(".step-count")).to_have_text("End")


def reviewed_games(page: Page) -> None:
    go(page, "#/review")
    expect(page.get_by_role("table")).to_be_visible()


def help_view(page: Page) -> None:
    go(page, "#/help")
    expect(page.locator("h1")).to_have_text("Help")


def profile(page: Page) -> None:
    go(page, "#/profile")
    expect(page.locator("h1")).to_have_text("Profile")


def torus(page: Page) -> None:
    started(page, "torus")


def hexagonal(page: Page) -> None:
    started(page, "hexagonal")


def high_contrast(page: Page) -> None:
    go(page, GAME)
    game_of(page)
    settings(page)
    page.get_by_label("High contrast").check()
    page.get_by_label("Colour-blind friendly").check()
    page.get_by_role("button", name="Done").click()
    helped(page)


# They follow each other on one page; most have another layout on a phone.
PLAYING = (helped, new_game, share, settings, menu, more, probabilities, lost, won)
VIEWS = (watch, learn, puzzle, statistics, proof, contradiction, best_guess, worksheet_options)
MORE_VIEWS = (worksheet, paper_puzzle, review, end_of_review, reviewed_games)
ONLY_DESKTOP = (torus, hexagonal, help_view, profile)
IN_LANDSCAPE = (helped, settings, menu, more, lost, watch)
EVERY_STATE = {
    "desktop": (DESKTOP, (*PLAYING, *VIEWS, *MORE_VIEWS, *ONLY_DESKTOP, high_contrast)),
    "phone": (PHONE, (*PLAYING, *VIEWS, *MORE_VIEWS, high_contrast)),
    "landscape": (LANDSCAPE, IN_LANDSCAPE),
}


@pytest.mark.parametrize("screen", EVERY_STATE)
def test_axe_finds_no_violation(new_page, screen):
    device, states = EVERY_STATE[screen]
    page = new_page(GAME, **device, reduced_motion="reduce")
    for state in states:
        state(page)
        # A phone has the colours of the desktop.
        assert audit(page, dark_contrast=device is DESKTOP) == [], state
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, state


def test_errors_are_announced(new_page):
    page = new_page(GAME)
    enter_saved(page, "hello")
    alert = page.get_by_role("dialog").get_by_role("alert")
    expect(alert).to_contain_text("Line 1, cell 1: expected one of")


# The focus.

FOCUS_IS_LOST = "document.activeElement === null || document.activeElement === document.body"
# Buttons that leave the page, or open a file dialog of the system.
EXCLUDED = re.compile("Import|Export|Download|Open a file|Print|Choose a file")
BUTTONS = """(scope) => [...document.querySelectorAll("button, summary, nav a")]
    .filter(one => !one.disabled && one.checkVisibility() && one.closest(scope))
    .map(one => one.getAttribute("aria-label") ?? one.textContent.trim())"""
FOCUS = """([name, turn]) => {
    const all = [...document.querySelectorAll("button, summary, nav a")]
        .filter(one => !one.disabled && one.checkVisibility())
        .filter(one => (one.getAttribute("aria-label") ?? one.textContent.trim()) === name);
    const one = all[turn % Math.max(1, all.length)];
    one?.focus();
    return one !== undefined && document.activeElement === one;
}"""
FOCUS_VIEWS = {
    "play": "#/play?size=6x6/5&seed=4",
    "analyse": "#/analyse",
    "watch": "#/watch?size=beginner&seed=7",
    "print": "#/print",
    "learn": "#/learn/strategy-1",
    "puzzles": "#/puzzles",
    "review": "#/review",
    "statistics": "#/statistics",
    "help": "#/help",
}


def press_all(page: Page, view: str, scope: str) -> list[str]:
    """Press every button and link, and return those after which the focus was lost."""
    log = RequestLog(page)
    go(page, FOCUS_VIEWS[view])
    page.wait_for_selector("h1", state="attached")
    log.settle()
    lost = []
    for turn, name in enumerate(page.evaluate(BUTTONS, scope)):
        if EXCLUDED.search(name) or not page.evaluate(FOCUS, [name, turn]):
            continue
        page.keyboard.press("Enter")
        log.settle()
        if page.evaluate(FOCUS_IS_LOST):
            lost.append(f"{view}: {name}")
        if page.locator("dialog[open]").count():
            page.keyboard.press("Escape")
            log.settle()
            if page.evaluate(FOCUS_IS_LOST):
                lost.append(f"{view}: {name}, closed")
        if f"#/{view}" not in page.url:
            go(page, FOCUS_VIEWS[view])
            log.settle()
    return lost


# The header is the same in all views, and only Play has other menus on a phone.
@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_no_button_loses_the_focus(new_page, device):
    # Otherwise Watch plays a whole game, and the test waits for its end.
    page = new_page("#/help", **device, reduced_motion="reduce")
    lost = press_all(page, "play", "body")
    for view in FOCUS_VIEWS if device is DESKTOP else ():
        lost += press_all(page, view, "#view")
    assert lost == []


def test_focus_returns_to_the_board_when_a_panel_closes(new_page):
    page = new_page()
    open_saved(page, "*.*\n...\n...")
    reveal(page, 6)
    page.get_by_role("button", name="Probabilities").click()
    page.get_by_role("button", name="Close help").focus()
    page.keyboard.press("Enter")
    expect(cell(page, 6)).to_be_focused()
    cell(page, 0).click()
    page.locator(".end-card").get_by_role("button", name="New game").focus()
    page.keyboard.press("Enter")
    expect(cell(page, 0)).to_be_focused()


def test_skip_link_focuses_the_board_and_keeps_the_address(new_page):
    page = new_page(GAME)
    address = page.url
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(cell(page, 0)).to_be_focused()
    assert page.url == address
