"""Whole games in a real browser: by mouse, by keyboard, by touch, through a crash."""

import re
import statistics

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import PHONE
from tests.e2e.pages import another_game, measured, open_saved, until

from sapper.board.layout import Layout
from sapper.board.rules import Rules
from sapper.board.tilings import TILINGS
from sapper.generators.layouts import generate

pytestmark = pytest.mark.browser

SIZE, SEED = "6x6/5", 4
FIRST = 14


def address(size=SIZE, tiling="square", seed=SEED, rule="zero"):
    return f"#/play?size={size}&tiling={tiling}&rule={rule}&seed={seed}"


def mines_of(size=SIZE, tiling="square", seed=SEED, first=FIRST) -> Layout:
    return generate(Rules.parse(size, tiling), seed, first).layout


def cell(page: Page, number: int):
    return page.locator(f'[data-cell="{number}"]')


def click(page: Page, number: int, **options):
    cell(page, number).click(**options)


def is_covered(page: Page, number: int) -> bool:
    return "covered" in cell(page, number).get_attribute("class").split()


def expect_state(page: Page, number: int, state: str):
    expect(cell(page, number)).to_have_attribute("aria-label", re.compile(f": {state}$"))


def play_to_the_end(page: Page, layout: Layout, act):
    """Reveal every free cell by *act*, which gets a number."""
    for number in layout.board.cells:
        if not layout.mine_mask[number] and is_covered(page, number):
            act(number)
            expect_state(page, number, r"(\d+|zero)")


def test_a_whole_game_is_won_by_mouse(new_page):
    size = "7x6/5"  # no other test of this server ends a game of it
    page = new_page(address(size))
    layout = mines_of(size)
    click(page, FIRST)
    expect_state(page, FIRST, "zero")
    flagged = int(layout.mine_mask.argmax())
    click(page, flagged, button="right")
    expect_state(page, flagged, "flag")
    expect(page.locator(".counter").first).to_contain_text("4")
    play_to_the_end(page, layout, lambda number: click(page, number))
    expect(page.locator(".verdict")).to_contain_text("Won in")
    expect(page.locator("#alert")).to_contain_text("Won in")
    page.get_by_role("link", name="Statistics").click()
    row = page.get_by_role("row", name=size)
    expect(row.locator("td").nth(1)).to_have_text("1")


def test_a_whole_game_is_won_by_keyboard_alone(new_page):
    page = new_page(address(seed=5))
    layout = mines_of(seed=5, first=0)
    columns = layout.board.size[0]
    while page.evaluate("document.activeElement.dataset.cell === undefined"):
        page.keyboard.press("Tab")
    expect(cell(page, 0)).to_be_focused()
    page.keyboard.press("Space")
    expect_state(page, 0, "zero")

    def go(number):
        now = page.evaluate("Number(document.activeElement.dataset.cell)")
        down, right = number // columns - now // columns, number % columns - now % columns
        for key, steps in (("ArrowDown", down), ("ArrowUp", -down)):
            for _ in range(steps):
                page.keyboard.press(key)
        for key, steps in (("ArrowRight", right), ("ArrowLeft", -right)):
            for _ in range(steps):
                page.keyboard.press(key)
        expect(cell(page, number)).to_be_focused()

    first_mine = int(layout.mine_mask.argmax())
    go(first_mine)
    page.keyboard.press("f")
    expect_state(page, first_mine, "flag")
    page.keyboard.press("u")
    expect_state(page, first_mine, "covered")
    page.keyboard.press("r")
    expect_state(page, first_mine, "flag")

    def reveal(number):
        go(number)
        page.keyboard.press("Enter")

    play_to_the_end(page, layout, reveal)
    expect(page.locator("#alert")).to_contain_text("Won in")
    with another_game(page):
        page.keyboard.press("n")
    expect(page.locator(".verdict")).to_be_hidden()
    expect(page.locator("[data-cell]:focus")).to_have_count(1)
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keys", exact=True)).to_be_visible()


def long_press(page: Page, number: int):
    box = cell(page, number).bounding_box()
    point = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.wait_for_timeout(600)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


def test_flags_and_chords_by_touch(new_page):
    # The two mines are in the upper corners; r3c1 opens the lower two rows.
    page = new_page(**PHONE)
    open_saved(page, "*.*\n...\n...")

    cell(page, 6).tap()
    expect_state(page, 3, "1")
    long_press(page, 0)
    expect_state(page, 0, "flag")
    long_press(page, 0)
    expect_state(page, 0, "covered")
    page.get_by_role("button", name="Flag mode").tap()
    cell(page, 0).tap()
    expect_state(page, 0, "flag")
    cell(page, 3).tap()  # a tap on a number chords, in flag mode too
    expect_state(page, 1, "2")
    # Another test may have won the same layout on this server.
    expect(page.locator(".verdict")).to_contain_text(re.compile("Won (again )?in"))


def test_swapped_actions_flag_with_the_left_button(new_page):
    page = new_page(address())
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Places a flag").check()
    page.get_by_role("button", name="Done").click()
    click(page, 0)
    expect_state(page, 0, "flag")
    click(page, FIRST, button="right")
    expect_state(page, FIRST, "zero")


def test_undo_and_continue_after_a_loss(new_page):
    page = new_page(address())
    layout = mines_of()
    mine, other = (int(number) for number in layout.mine_mask.nonzero()[0][:2])
    click(page, FIRST)
    expect_state(page, FIRST, "zero")
    click(page, mine)
    expect_state(page, mine, "exploded mine")
    expect(page.locator("#alert")).to_contain_text("Lost after")
    expect_state(page, other, "covered")
    page.get_by_role("button", name="Undo").first.click()
    expect_state(page, mine, "covered")
    click(page, mine)
    expect_state(page, mine, "exploded mine")
    page.get_by_role("button", name="Continue").click()
    expect_state(page, mine, "flag")
    expect(page.locator(".badges")).to_contain_text("continued")
    play_to_the_end(page, layout, lambda number: click(page, number))
    expect(page.locator(".verdict")).to_contain_text("Finished after 2 losses")


def test_the_mines_are_shown_when_asked_for(new_page):
    page = new_page(address())
    layout = mines_of()
    click(page, FIRST)
    expect_state(page, FIRST, "zero")
    mine, other = (int(number) for number in layout.mine_mask.nonzero()[0][:2])
    wrong = next(n for n in layout.board.cells if not layout.mine_mask[n] and is_covered(page, n))
    click(page, wrong, button="right")
    click(page, mine)
    page.get_by_role("button", name="Show mines").click()
    expect_state(page, other, "mine")
    expect_state(page, wrong, "wrong flag")


@pytest.mark.parametrize("tiling", TILINGS)
def test_every_tiling_is_playable(new_page, tiling):
    page = new_page(address(size="5x5/3", tiling=tiling))
    layout = mines_of(size="5x5/3", tiling=tiling, first=12)
    click(page, 12)
    expect_state(page, 12, "zero")
    play_to_the_end(page, layout, lambda number: click(page, number))
    expect(page.locator(".verdict")).to_contain_text("Won")


def test_a_shared_game_opens_the_same_thing(new_page):
    page = new_page(address())
    mine = int(mines_of().mine_mask.argmax())
    click(page, FIRST)
    expect_state(page, FIRST, "zero")
    click(page, mine, button="right")
    expect_state(page, mine, "flag")
    page.get_by_role("button", name="Share").click()
    links = [
        page.get_by_label(f"{what}, link").input_value() for what in ("Same layout", "This game")
    ]
    labels = "cells => cells.map(cell => cell.getAttribute('aria-label'))"
    before = page.locator("[data-cell]").evaluate_all(labels)

    deal_page = new_page("#" + links[0].partition("#")[2])
    assert all(
        label.endswith("covered") for label in deal_page.locator("[data-cell]").evaluate_all(labels)
    )
    click(deal_page, FIRST)
    expect_state(deal_page, FIRST, "zero")
    click(deal_page, mine, button="right")
    expect_state(deal_page, mine, "flag")
    assert deal_page.locator("[data-cell]").evaluate_all(labels) == before

    game_page = new_page("#" + links[1].partition("#")[2])
    assert game_page.locator("[data-cell]").evaluate_all(labels) == before


def test_a_server_killed_in_the_middle_of_a_game_loses_nothing(new_page, server):
    page = new_page(address())
    layout = mines_of()
    click(page, FIRST)
    expect_state(page, FIRST, "zero")
    covered = int(layout.mine_mask.argmax())
    click(page, covered, button="right")
    expect_state(page, covered, "flag")
    server.kill()
    click(page, covered, button="right")
    expect(page.locator("#banner")).to_contain_text("does not respond")
    server.start()
    expect(page.locator("#banner")).to_be_hidden()
    expect_state(page, covered, "flag")  # the click while the server was away did not happen
    play_to_the_end(page, layout, lambda number: click(page, number))
    expect(page.locator(".verdict")).to_contain_text("Won")
    page.reload()
    expect(page.locator(".verdict")).to_contain_text("Won")


def test_a_click_on_expert_is_painted_soon(new_page, log_time):
    page = new_page(address(size="expert", seed=3))
    layout = generate(Rules.parse("expert"), 3, 235).layout
    click(page, 235)
    expect_state(page, 235, "zero")
    free = [n for n in layout.board.cells if not layout.mine_mask[n]]
    for number in free[:: len(free) // 25]:
        if is_covered(page, number):
            click(page, number)
            expect_state(page, number, r"(\d+|zero)")
    times = measured(page, "click to paint", 16)
    log_time("click to paint on Expert, median", statistics.median(times))


def test_a_board_of_100x100_is_usable(new_page, log_time):
    page = new_page(address(size="100x100/1500", seed=1))
    assert page.locator("[data-cell]").count() == 10_000
    stage = page.locator(".window")
    assert stage.evaluate("stage => stage.scrollWidth > stage.clientWidth")
    click(page, 5050)
    expect_state(page, 5050, "zero")
    width = page.locator(".grid svg").bounding_box()["width"]
    page.keyboard.press("+")
    assert page.locator(".grid svg").bounding_box()["width"] > width
    cell(page, 0).focus()
    page.keyboard.press("Control+End")
    expect(cell(page, 9999)).to_be_in_viewport()
    for number in (9999, 9990, 9980):
        click(page, number, button="right")
        expect_state(page, number, "flag")
    times = measured(page, "click to paint", 4)
    log_time("click to paint on 100x100, median", statistics.median(times))


def test_both_buttons_chord_and_never_reveal(new_page):
    page = new_page()
    open_saved(page, "*.*\n...\n...")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Click to chord").uncheck()
    page.get_by_role("button", name="Done").click()

    def press_both(number: int):
        cell(page, number).hover()
        for button in ("left", "right"):
            page.mouse.down(button=button)
        for button in ("right", "left"):
            page.mouse.up(button=button)

    press_both(6)
    click(page, 8)
    expect_state(page, 3, "1")
    click(page, 0, button="right")
    expect_state(page, 0, "flag")
    press_both(3)
    expect_state(page, 1, "2")
    expect(page.locator(".figures dd").nth(1)).to_have_text("3")  # reveal, flag and chord


def test_a_second_click_means_what_it_means_after_the_first(new_page):
    page = new_page(address())

    def slowly(route):
        page.wait_for_timeout(150)
        route.continue_()

    page.route("**/moves", slowly)
    for _ in range(2):
        click(page, 0, button="right")
    for _ in range(2):
        click(page, FIRST)
    expect_state(page, FIRST, "zero")
    expect(page.locator(".figures dd").nth(1)).to_have_text("3")  # flag, unflag, reveal
    for _ in range(4):
        page.keyboard.press("u")
    expect_state(page, FIRST, "covered")
    expect_state(page, 0, "covered")
    page.wait_for_timeout(800)
    assert page.locator(".toast").count() == 0


def test_what_is_clicked_while_a_game_is_on_its_way_is_meant_for_that_game(new_page):
    page = new_page(address())
    click(page, FIRST)
    expect_state(page, FIRST, "zero")
    old = page.url.rpartition("/")[2]
    held = []

    def hold(route):
        held.append(route) if route.request.method == "POST" else route.continue_()

    page.route("**/api/games", hold)
    page.keyboard.press("n")
    covered = next(number for number in range(36) if is_covered(page, number))
    click(page, covered)  # on the board of the old game
    page.keyboard.press("u")  # which is not taken back either
    page.keyboard.press("n")  # and of two new games the last one counts
    until(page, lambda: len(held) == 2, "both questions have come this far")
    assert is_covered(page, covered)
    first, last = held
    last.continue_()
    expect(page).not_to_have_url(re.compile(old))
    shown = page.url
    first.continue_()  # the click has waited for it, and is meant for the other all the same
    expect_state(page, covered, "zero")
    assert page.url == shown
    page.unroute("**/api/games")
    before = page.evaluate("game => fetch(`/api/games/${game}`).then((one) => one.json())", old)
    assert before["state"]["events"] == 1 and before["marks"][covered] == -1
    box = cell(page, 0).bounding_box()
    page.keyboard.press("n")
    expect_state(page, covered, "covered")
    # The board itself stays: who holds a cell down while the next game comes, still holds it.
    assert cell(page, 0).bounding_box() == box


def test_the_clock_of_a_game_that_was_left_stops(new_page):
    page = new_page(address())
    click(page, FIRST)
    expect_state(page, FIRST, "zero")
    left = page.url.rpartition("/")[2]
    with another_game(page):
        page.keyboard.press("n")
    until(page, lambda: not state_of(page, left)["running"], "the clock is stopped")
    stood = state_of(page, left)["milliseconds"]
    page.wait_for_timeout(300)
    assert state_of(page, left)["milliseconds"] == stood


def state_of(page: Page, game: str) -> dict:
    found = "game => fetch(`/api/games/${game}`).then(r => r.json()).then(game => game.state)"
    state: dict = page.evaluate(found, game)
    return state


def test_the_clock_stops_while_the_page_is_hidden(new_page):
    page = new_page(address())
    click(page, FIRST)
    expect_state(page, FIRST, "zero")
    turn = """(state) => {
        Object.defineProperty(document, "visibilityState", {value: state, configurable: true});
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    game = page.url.rpartition("/")[2]
    assert state_of(page, game)["running"]
    page.evaluate(turn, "hidden")
    until(page, lambda: not state_of(page, game)["running"], "the clock is stopped")
    page.evaluate(turn, "visible")
    until(page, lambda: state_of(page, game)["running"], "the clock goes on")


def test_an_address_that_was_cut_off_is_reported(new_page):
    page = new_page("#/play/%E0%A4%A", wait=False)
    expect(page.locator(".verdict")).to_contain_text("Cannot open this game")
    for name in ("Undo", "Hint", "Probabilities", "Share", "Fit"):  # of what? Nothing happens
        page.get_by_role("button", name=name).first.click()
    page.get_by_role("button", name="New game").first.click()
    expect(page.locator("[data-cell]").first).to_be_visible()
    expect(page.locator(".verdict")).to_be_hidden()


def test_a_view_that_answers_late_does_not_cover_the_next(new_page):
    page = new_page(address())

    def slowly(route):
        page.wait_for_timeout(400)
        route.continue_()

    page.route("**/api/statistics", slowly)
    page.get_by_role("link", name="Statistics").click()
    page.get_by_role("link", name="Help").click()
    page.wait_for_timeout(1000)
    expect(page.get_by_role("heading", level=1)).to_have_text("Help")
