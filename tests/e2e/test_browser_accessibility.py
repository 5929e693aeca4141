"""Accessibility: the axe audit of every view, roving focus, labels, announcements."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import PHONE
from tests.e2e.pages import audit, enter_saved, open_saved

from sapper.board.rules import Rules
from sapper.generators.layouts import generate

pytestmark = pytest.mark.browser

GAME = "#/play?size=5x5/3&tiling=square&rule=zero&seed=2"
MINES = generate(Rules.parse("5x5/3"), 2, 12).layout.mine_cells.tolist()


def in_play(page: Page):
    page.locator('[data-cell="12"]').click()
    page.locator('[data-cell="0"]').click(button="right")
    expect(page.locator('[data-cell="0"]')).to_have_attribute("aria-label", re.compile("flag"))


def lose(page: Page):
    open_saved(page, "*..\n..*")
    page.locator('[data-cell="0"]').click()
    page.get_by_role("button", name="Show mines").click()
    expect(page.locator('[data-cell="5"]')).to_have_attribute("aria-label", re.compile("mine"))


def choose(page: Page):
    page.locator(".choose").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    for summary in page.locator("summary").all():
        summary.click()


def helped(page: Page):
    in_play(page)
    page.get_by_role("button", name="Probabilities").click()
    for detail in (1, 2, 3):
        page.get_by_role("button", name="Hint", exact=True).click()
        shown = page.locator('.detail[aria-pressed="true"]')
        expect(shown).to_have_text(re.compile(f"^{detail}"))
    page.locator('[data-cell="1"]').focus()
    expect(page.locator(".values dt").first).to_have_text("mine")


def watched(page: Page):
    page.get_by_text("Watch another game").click()
    page.get_by_role("button", name="Next step").click()
    page.get_by_role("button", name="Next step").click()
    expect(page.locator(".log li")).to_have_count(2)


def learning(page: Page):
    page.get_by_role("button", name="Where to look").click()
    page.locator('[data-cell="7"]').click(button="right")
    expect(page.locator(".reply.right")).to_be_visible()


def training(page: Page):
    page.locator('[data-cell="10"]').click()
    expect(page.locator(".reply.wrong")).to_contain_text("Not certain: here is a layout")
    for summary in page.locator("summary").all():
        summary.click()


def won(page: Page):
    page.locator('[data-cell="12"]').click()
    expect(page.locator('[data-cell="12"]')).to_have_class(re.compile("open"))
    for number in range(25):
        if page.locator(".end-card").is_visible():
            break
        cell = page.locator(f'[data-cell="{number}"]')
        if "covered" in cell.get_attribute("class") and number not in MINES:
            cell.click()
            expect(cell).to_have_class(re.compile("open"))
    expect(page.locator(".end-figures")).not_to_contain_text("…")


def share(page: Page):
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def unfold(page: Page, opener: str):
    if page.locator(opener).is_visible():
        page.locator(opener).click()


def settings(page: Page):
    unfold(page, "#menu")
    page.get_by_role("button", name="Settings").click()
    page.get_by_text("Keys in Play").click()
    page.get_by_label("High contrast").check()


def contrasted(page: Page):
    settings(page)
    page.get_by_label("Colour-blind friendly").check()
    page.get_by_role("button", name="Done").click()
    helped(page)


VIEWS = {
    "play": (GAME, in_play),
    "lost": (GAME, lose),
    "hexagonal": (GAME.replace("square", "hexagonal"), in_play),
    "choose": (GAME, choose),
    "share": (GAME, share),
    "settings": (GAME, settings),
    "won": (GAME, won),
    "menu": (GAME, lambda page: unfold(page, "#menu")),
    "more": (GAME, lambda page: unfold(page, ".more")),
    "high contrast": (GAME, contrasted),
    "help and probabilities": (GAME, helped),
    "watch": ("#/watch?size=beginner&seed=7", watched),
    "learn": ("#/learn/strategy-1", learning),
    "train": ("#/puzzles/square-three-5", training),
    "statistics": ("#/statistics", lambda page: page.wait_for_selector("h1")),
    "help": ("#/help", lambda page: page.wait_for_selector("h1")),
    "profile": ("#/profile", lambda page: page.wait_for_selector("h1")),
}


# A phone has another order of things only here.
SCREENS = {
    "desk": ({}, tuple(VIEWS)),
    "phone": (
        PHONE,
        (
            *("lost", "won", "choose", "settings", "menu", "more", "high contrast"),
            *("help and probabilities", "watch", "learn", "train", "statistics"),
        ),
    ),
    "lying": (
        {**PHONE, "viewport": {"width": 844, "height": 390}},
        (
            "lost",
            "won",
            "settings",
            "menu",
            "more",
            "help and probabilities",
            "watch",
            "learn",
            "train",
        ),
    ),
}


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_audit_finds_nothing_in_any_view(new_page, theme, screen):
    found = {}
    device, names = SCREENS[screen]
    for name in names:
        where, act = VIEWS[name]
        page = new_page(where, color_scheme=theme, **device)
        act(page)
        if report := audit(page):
            found[name] = report
        page.close()
    assert found == {}


def test_one_cell_can_be_reached_and_the_arrows_move_it(new_page):
    page = new_page(GAME)
    reachable = page.locator('[data-cell][tabindex="0"]')
    expect(reachable).to_have_count(1)
    page.locator('[data-cell="0"]').focus()
    for key, number in (
        ("ArrowRight", 1),
        ("ArrowDown", 6),
        ("End", 9),
        ("ArrowRight", 9),
        ("Home", 5),
        ("Control+End", 24),
        ("Control+Home", 0),
        ("PageDown", 20),
        ("PageUp", 0),
        ("ArrowUp", 0),
    ):
        page.keyboard.press(key)
        expect(page.locator(f'[data-cell="{number}"]')).to_be_focused()
        expect(reachable).to_have_count(1)


def test_a_reader_hears_place_and_state(new_page):
    page = new_page(GAME)
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("aria-label", "Board of Square 5x5/3, 3 mines")
    expect(page.get_by_role("gridcell", name="r3c3: covered")).to_have_count(1)
    page.locator('[data-cell="12"]').focus()
    page.keyboard.press("Space")
    expect(page.locator("#status")).to_contain_text("cells changed. r3c3: zero")
    page.keyboard.press("f")  # a revealed cell cannot be flagged, and nothing happens
    expect(page.get_by_role("gridcell", name="r3c3: zero")).to_have_count(1)


def test_errors_are_announced(new_page):
    page = new_page(GAME)
    enter_saved(page, "hello")
    expect(page.locator("#alert")).to_contain_text("expected one of")


def test_the_theme_can_be_chosen_and_stays(new_page):
    page = new_page(GAME, color_scheme="light")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Dark").check()
    page.reload()
    page.wait_for_selector("[data-cell]")
    colour = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert colour == "rgb(20, 23, 27)"


def test_statistics_are_exported_and_imported(new_page, tmp_path):
    page = new_page("#/play")
    lose(page)
    page.get_by_role("link", name="Statistics").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export").click()
    path = tmp_path / "statistics.ndjson"
    download.value.save_as(path)
    page.get_by_role("button", name="Delete all").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("No finished games yet")).to_be_visible()
    page.set_input_files("input[type=file]", path)
    expect(page.get_by_role("table")).to_contain_text("3x2/2")
