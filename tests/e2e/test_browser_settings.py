"""Settings, and controls for fast play: next game, pressing, keys, flags, sounds."""

import json
import re

import pytest
from playwright.sync_api import Page, expect

from sapper.board.rules import Rules
from sapper.board.tilings import TILINGS
from sapper.generators.layouts import generate
from tests.e2e.conftest import PHONE
from tests.e2e.pages import (
    RequestLog,
    another_game,
    cell,
    expect_state,
    game_of,
    go,
    hold,
    middle,
    reveal,
)

pytestmark = pytest.mark.browser

GAME = "#/play?size=6x6/5&seed=4"
FIRST = 14
MINES = [int(n) for n in generate(Rules.parse("6x6/5"), 4, FIRST).layout.mine_mask.nonzero()[0]]


@pytest.fixture
def with_settings(new_page, server):
    """Return a function that opens a page with stored settings; each device has one page."""
    pages: dict[str, Page] = {}

    def open_page(address: str = GAME, device: dict | None = None, **chosen: object) -> Page:
        if str(device) not in pages:
            pages[str(device)] = new_page("#/help", **(device or {}))
        page = pages[str(device)]
        page.evaluate("stored => localStorage.setItem('sapper', stored)", json.dumps(chosen))
        page.goto("about:blank")
        page.goto(server.url + address)
        page.wait_for_selector("[data-cell]")
        return page

    return open_page


def test_f2_and_space_start_the_next_game(new_page):
    page = new_page(GAME)
    reveal(page, FIRST)
    first_game = game_of(page)
    page.keyboard.press("F2")
    expect_state(page, FIRST, "covered")
    listed = page.evaluate("fetch('/api/games').then(answer => answer.json())")["games"]
    assert first_game in [game["id"] for game in listed if not game["finished"]]
    page.evaluate("document.activeElement.blur()")
    with another_game(page):
        page.keyboard.press("Space")
    third = game_of(page)
    cell(page, FIRST).focus()  # on a cell, Space reveals it
    page.keyboard.press("Space")
    expect_state(page, FIRST, "zero")
    assert game_of(page) == third


def test_space_after_a_loss_starts_the_next_game_for_mouse_users(new_page):
    page = new_page(GAME)
    reveal(page, FIRST)
    cell(page, MINES[0]).click()
    expect(page.locator(".end-card")).to_be_visible()
    lost = game_of(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    log = RequestLog(page)
    page.keyboard.press("Space")
    log.settle()
    assert game_of(page) == lost and "POST games" not in log.sent
    cell(page, MINES[0]).click()
    with another_game(page):
        page.keyboard.press("Space")
    expect_state(page, FIRST, "covered")


def test_cell_is_revealed_where_the_mouse_is_released(new_page):
    page = new_page(GAME)
    x, y = middle(page, FIRST)
    page.mouse.move(x, y)
    page.mouse.down()
    expect(cell(page, FIRST)).to_have_class(re.compile("pressed"))
    page.mouse.move(5, 300)
    expect(page.locator(".pressed")).to_have_count(0)
    page.mouse.up()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(5, 300)
    page.mouse.move(*middle(page, 0))
    # The pressed state follows the pointer.
    expect(cell(page, 0)).to_have_class(re.compile("pressed"))
    page.mouse.move(x, y)
    page.mouse.up()
    expect_state(page, FIRST, "zero")
    expect(page.locator(".figures dd").nth(1)).to_have_text("1")


def test_pressed_number_previews_its_chord(new_page):
    page = new_page(GAME)
    reveal(page, FIRST)
    page.keyboard.press("o")
    expect(page.locator(".hint-text").last).not_to_have_text("")
    number = next(
        int(found.get_attribute("data-cell"))
        for found in page.locator("[data-cell].n1, [data-cell].n2").all()
    )
    page.mouse.move(*middle(page, number))
    page.mouse.down()
    pressed = page.locator(".pressed")
    expect(pressed).not_to_have_count(0)
    preview = page.evaluate(
        """() => { const presses = document.querySelector(".presses");
            const overlay = document.querySelector(".overlay");
            return [presses.getAttribute("d").split("M").length - 1,
                Boolean(overlay.compareDocumentPosition(presses) & 4)]; }"""
    )
    assert preview == [pressed.count(), True]  # all cells, above the overlay
    page.mouse.up()
    expect(pressed).to_have_count(0)


def test_clock_can_show_hundredths(with_settings):
    page = with_settings(hundredths=True)
    clock = page.get_by_role("timer")
    expect(clock).to_have_text("0:00.00")
    cell(page, FIRST).click()
    expect(clock).to_have_text(re.compile(r"^0:0\d\.\d\d$"))
    expect(clock).not_to_have_text("0:00.00")


def test_flag_mode_always_flags(with_settings):
    for first, mode, state in (
        ("reveal", False, r"(\d|zero)"),
        ("reveal", True, "flag"),
        ("flag", False, "flag"),
        ("flag", True, "flag"),
    ):
        page = with_settings(first=first, flagMode=mode)
        cell(page, FIRST).click()
        expect_state(page, FIRST, state)
    # With the actions swapped, the right button reveals.
    page = with_settings(first="flag")
    cell(page, FIRST).click(button="right")
    expect_state(page, FIRST, r"(\d|zero)")


def test_question_marks_follow_flags_and_are_stored(with_settings):
    page = with_settings(question=True)
    for state in ("flag", "question mark", "covered", "flag", "question mark"):
        cell(page, 0).click(button="right")
        expect_state(page, 0, state)
    expect(cell(page, 0).locator("text")).to_have_text("?")
    page.evaluate("localStorage.clear()")  # question marks are stored with the game
    page.reload()
    page.wait_for_selector("[data-cell]")
    expect_state(page, 0, "question mark")
    cell(page, 0).click()  # a cell with a question mark can be revealed
    expect_state(page, 0, r"(\d|zero)")


LONG_PRESS = {**PHONE, "new_context": True}  # `hold` replaces the clock of its context


def test_long_press_has_the_chosen_duration(with_settings):
    page = with_settings(device=LONG_PRESS, longPress=900)
    hold(page, FIRST, 500)
    expect_state(page, FIRST, r"(\d|zero)")
    page = with_settings(device=LONG_PRESS, longPress=200)
    hold(page, 0, 500)
    expect_state(page, 0, "flag")


def test_keys_are_chosen_and_shown_in_tooltips(new_page):
    page = new_page(GAME)
    tools = page.locator(".game-tools")
    expect(tools.get_by_role("button", name="Probabilities")).to_have_attribute(
        "title", "Probabilities (O)"
    )
    expect(tools.get_by_role("button", name="New game")).to_have_attribute("title", "New game (N)")
    page.get_by_role("button", name="Settings").click()
    page.get_by_text("Keys in Play").click()
    page.get_by_role("button", name=re.compile("^new game with the same rules")).click()
    page.keyboard.press("f")
    expect(page.locator(".key-map [role=status]")).to_have_text(
        "F is already used: place or remove a flag."
    )
    page.get_by_role("button", name=re.compile("^new game with the same rules")).click()
    page.keyboard.press("x")
    expect(page.get_by_role("button", name="new game with the same rules: X")).to_be_focused()
    page.get_by_role("button", name="Done").click()
    expect(tools.get_by_role("button", name="New game")).to_have_attribute("title", "New game (X)")
    stored = json.loads(page.evaluate("localStorage.getItem('sapper')"))
    assert stored["keys"] == {"new": ["x"]}
    page.reload()
    page.wait_for_selector("[data-cell]")
    before = game_of(page)
    log = RequestLog(page)
    page.keyboard.press("n")
    log.settle()
    assert game_of(page) == before and "POST games" not in log.sent
    with another_game(page):
        page.keyboard.press("x")
    go(page, "#/help")
    row = page.locator('xpath=//dd[text()="new game with the same rules"]/preceding-sibling::dt[1]')
    expect(row.locator("kbd")).to_have_text(["X"])


def test_help_answers_a_search(new_page):
    page = new_page("#/help?q=chord")
    heading = page.get_by_role("heading", name="How do I chord?")
    expect(heading).to_be_visible()
    search = page.get_by_label("Search help")
    for text, question in (
        ("3bv", "What is 3BV?"),
        ("no-guess", "What is no-guess?"),
        ("luck computed", "How is luck computed?"),
    ):
        search.fill(text)
        expect(page.get_by_role("heading", name=question)).to_be_visible()
        expect(heading).to_be_hidden()
    search.fill("xyzzy")
    expect(page.locator(".help-entry:visible")).to_have_count(0)
    expect(page.get_by_role("status").first).to_contain_text("Nothing found")
    search.fill("")
    expect(page.locator(".help-part h2").last).to_have_text("Keys")


def test_rulers_number_rows_and_columns(new_page):
    page = new_page("#/play?size=8x6/5&seed=1")
    middle_of = """(element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    }"""
    for tiling in TILINGS:
        go(page, f"#/play?size=8x6/5&seed=1&tiling={tiling}")
        expect(
            page.get_by_role("grid", name=re.compile(tiling if tiling != "square" else "8x6", re.I))
        ).to_be_visible()
        assert page.locator(".ruler.down .ruler-numbers").inner_text().split() == list("123456")
        cell(page, 19).hover()
        expect(page.locator(".ruler .current").first).to_have_text("4")
        expect(page.locator(".ruler .current").last).to_have_text("3")
        x, y = cell(page, 19).locator(".face").evaluate(middle_of)
        width = cell(page, 19).bounding_box()["width"]
        column, _ = page.locator(".across .current").evaluate(middle_of)
        _, row = page.locator(".down .current").evaluate(middle_of)
        assert abs(column - x) <= 0.6 * width and abs(row - y) < 0.3 * width
    assert page.locator(".rulers").get_attribute("aria-hidden") == "true"
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Row and column numbers").get_by_label("Never").check()
    page.get_by_role("button", name="Done").click()
    expect(page.locator(".rulers")).to_be_hidden()


def test_help_can_be_disabled(with_settings):
    page = with_settings(noHelp=True)
    reveal(page, FIRST)
    tools = page.locator(".game-tools")
    for name in ("Hint", "Probabilities", "Analyse this position"):
        expect(tools.get_by_role("button", name=name)).to_be_hidden()
    log = RequestLog(page)
    for key in ("h", "o"):
        page.keyboard.press(key)
    log.settle()
    assert log.sent == []
    expect(page.locator(".dock .panel")).to_be_hidden()
    expect(page.locator(".figures")).not_to_contain_text("Hints")


def test_appearance_is_chosen_and_stored(new_page):
    page = new_page(GAME)
    face = cell(page, 0).locator(".face")
    style = "face => [getComputedStyle(face).fill, getComputedStyle(face).stroke]"
    colour = (
        "getComputedStyle(document.documentElement).getPropertyValue('--number-3').slice(11, 18)"
    )
    assert face.evaluate(style) == ["rgb(170, 184, 200)", "rgb(170, 184, 200)"]
    assert page.evaluate(colour) == "#bb1f16"
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Classic").check()
    page.get_by_label("Colour-blind friendly").check()
    assert face.evaluate(style) == ["rgb(170, 184, 200)", 'url("#bevel")']
    assert page.evaluate(colour) == "#966002"
    page.get_by_label("Dark").check()
    page.reload()
    page.wait_for_selector("[data-cell]")
    background = "getComputedStyle(document.documentElement).backgroundColor"
    assert page.evaluate(background) == "rgb(20, 23, 28)"


def test_high_contrast_separates_covered_revealed_and_lines(with_settings):
    page = with_settings(tiles="contrast")
    reveal(page, FIRST)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        fill = "face => getComputedStyle(face).fill"
        covered = luminance(page.locator(".cell.covered .face").first.evaluate(fill))
        revealed = luminance(page.locator(".cell.open .face").first.evaluate(fill))
        line = luminance(page.locator(".grid-lines").first.evaluate(fill))
        for one, other in ((covered, revealed), (revealed, line)):
            bright, dim = sorted((one, other), reverse=True)
            assert (bright + 0.05) / (dim + 0.05) >= 3


def luminance(colour: str) -> float:
    """Return the relative luminance of a CSS colour, as WCAG defines it."""
    numbers = [float(number) for number in re.findall(r"[\d.]+", colour)][:3]
    parts = numbers if colour.startswith("color(") else [number / 255 for number in numbers]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


COUNT_TONES = """() => {
    window.tones = 0;
    const plain = window.AudioContext.prototype.createOscillator;
    window.AudioContext.prototype.createOscillator = function () {
        window.tones += 1;
        return plain.call(this);
    };
}"""


def test_sounds_are_off_by_default_and_under_reduced_motion(with_settings):
    for chosen, motion, audible in (
        ({}, "no-preference", False),
        ({"sound": True}, "no-preference", True),
        ({"sound": True}, "reduce", False),
    ):
        page = with_settings(**chosen)
        page.emulate_media(reduced_motion=motion)
        page.evaluate(COUNT_TONES)
        cell(page, 0).click(button="right")
        expect_state(page, 0, "flag")
        cell(page, FIRST).click()
        expect_state(page, FIRST, "zero")
        # Tones for the flag and for the opening.
        assert page.evaluate("window.tones") == (3 if audible else 0)
