"""Whole games in a real browser: by mouse, by keyboard, by touch, with a killed server."""

import re

import pytest
from playwright.sync_api import Page, expect

from sapper.board.layout import Layout
from sapper.board.rules import Rules
from sapper.board.tilings import TILINGS
from sapper.generators.layouts import generate
from tests.e2e.conftest import LANDSCAPE, PHONE
from tests.e2e.pages import (
    RequestLog,
    another_game,
    cell,
    expect_state,
    flag,
    game_of,
    go,
    hold,
    intercept,
    is_covered,
    labels,
    open_saved,
    press_in_more_menu,
    reveal,
    wait_until,
    walk_to,
)

pytestmark = pytest.mark.browser

SIZE, SEED = "6x6/5", 4
FIRST = 14


def address(size=SIZE, tiling="square", seed=SEED, rule="zero"):
    return f"#/play?size={size}&tiling={tiling}&rule={rule}&seed={seed}"


def layout_of(size=SIZE, tiling="square", seed=SEED, first=FIRST) -> Layout:
    return generate(Rules.parse(size, tiling), seed, first).layout


def play_to_the_end(page: Page, layout: Layout, act=reveal):
    """Reveal every safe cell."""
    while safe := [
        number
        for number, label in enumerate(labels(page))
        if label.endswith(": covered") and not layout.mine_mask[number]
    ]:
        act(page, safe[0])
        expect(cell(page, safe[0])).to_have_class(re.compile("open"))


def test_game_is_won_by_mouse(new_page):
    size = "7x6/5"  # no other test of this server ends a game of it
    page = new_page(address(size))
    layout = layout_of(size)
    reveal(page, FIRST)
    flagged = int(layout.mine_mask.argmax())
    flag(page, flagged)
    expect(page.locator(".counter").first).to_contain_text("4")
    play_to_the_end(page, layout)
    expect(page.locator(".verdict")).to_contain_text("Won in")
    expect(page.locator("#alert")).to_contain_text("Won in")
    expect(page.locator(".counters .number").first).to_have_text("0")  # mines left
    page.get_by_role("link", name="Statistics").click()
    level = page.locator(".level-card").filter(has_text=size)
    expect(level).to_contain_text("1 game, 100% won")


def test_game_is_won_by_keyboard(new_page):
    page = new_page(address(seed=5))
    layout = layout_of(seed=5, first=0)
    columns = layout.board.size[0]
    while page.evaluate("document.activeElement.dataset.cell === undefined"):
        page.keyboard.press("Tab")
    expect(cell(page, 0)).to_be_focused()
    page.keyboard.press("Space")
    expect_state(page, 0, "zero")

    first_mine = int(layout.mine_mask.argmax())
    walk_to(page, first_mine, columns)
    page.keyboard.press("f")
    expect_state(page, first_mine, "flag")
    page.keyboard.press("u")
    expect_state(page, first_mine, "covered")
    page.keyboard.press("r")
    expect_state(page, first_mine, "flag")

    def press_enter(_, number):
        walk_to(page, number, columns)
        page.keyboard.press("Enter")

    play_to_the_end(page, layout, press_enter)
    expect(page.locator("#alert")).to_contain_text("Won in")
    with another_game(page):
        page.keyboard.press("n")
    expect(page.locator(".verdict")).to_be_hidden()
    expect(page.locator("[data-cell]:focus")).to_have_count(1)
    page.keyboard.press("?")
    expect(page.get_by_role("heading", name="Keys", exact=True)).to_be_visible()


def test_flags_and_chords_by_touch(new_page):
    # The two mines are in the upper corners; r3c1 opens the lower two rows.
    page = new_page(new_context=True, **PHONE)
    open_saved(page, "*.*\n...\n...")

    cell(page, 6).tap()
    expect_state(page, 3, "1")
    hold(page, 0, 600)
    expect_state(page, 0, "flag")
    hold(page, 0, 600)
    expect_state(page, 0, "covered")
    page.get_by_role("button", name="Flag mode").tap()
    cell(page, 0).tap()
    expect_state(page, 0, "flag")
    cell(page, 3).tap()  # a tap on a number chords, in flag mode too
    expect_state(page, 1, "2")
    # Another test may have won the same layout on this server.
    expect(page.locator(".verdict")).to_contain_text(re.compile("Won (again )?in"))


def test_undo_and_continue_after_a_loss(new_page):
    page = new_page(address())
    layout = layout_of()
    mine, other = (int(number) for number in layout.mine_mask.nonzero()[0][:2])
    reveal(page, FIRST)
    cell(page, mine).click()
    expect_state(page, mine, "exploded mine")
    expect(page.locator("#alert")).to_contain_text("Lost after")
    expect_state(page, other, "mine")
    page.get_by_role("button", name="Undo").first.click()
    expect_state(page, mine, "covered")
    expect_state(page, other, "covered")
    cell(page, mine).click()
    expect_state(page, mine, "exploded mine")
    page.get_by_role("button", name="Continue").click()
    expect_state(page, mine, "flag")
    expect_state(page, other, "covered")
    expect(page.locator(".badges")).to_contain_text("continued")
    play_to_the_end(page, layout)
    expect(page.locator(".verdict")).to_contain_text("Finished after 2 losses")


def test_loss_shows_the_mines_and_wrong_flags_unless_turned_off(new_page):
    page = new_page(address())
    layout = layout_of()
    mine, other = (int(number) for number in layout.mine_mask.nonzero()[0][:2])
    reveal(page, FIRST)
    safe = (number for number in layout.board.cells if not layout.mine_mask[number])
    wrong = next(number for number in safe if is_covered(page, number))
    flag(page, wrong)
    cell(page, mine).click()
    expect_state(page, other, "mine")
    expect_state(page, wrong, "wrong flag")
    expect(cell(page, wrong).locator(".sign")).to_have_count(2)  # a cross over the flag
    expect(page.locator(".exploded")).to_have_count(1)  # only the fatal one is red
    expect(page.get_by_role("button", name="Show mines")).to_have_count(0)

    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Show all mines after a loss").uncheck()
    page.get_by_role("button", name="Done").click()
    go(page, address())
    expect_state(page, mine, "covered")
    reveal(page, FIRST)
    cell(page, mine).click()
    expect_state(page, mine, "exploded mine")
    expect(page.locator(".end-fatal")).not_to_be_empty()
    expect_state(page, other, "covered")
    page.get_by_role("button", name="Show mines").click()
    expect_state(page, other, "mine")


def test_window_reports_only_while_the_clock_runs(new_page):
    page = new_page(new_context=True)
    page.clock.install()
    log = RequestLog(page)

    def expect_no_requests():
        log.settle()
        log.sent.clear()
        page.clock.run_for(7000)
        log.settle()
        assert log.sent == []

    open_saved(page, "*......*")
    expect_no_requests()
    reveal(page, 1)
    with page.expect_request(lambda request: request.url.endswith("/open")):
        page.clock.run_for(2500)
    for number in (2, 6, 4):
        cell(page, number).click()
    expect(page.locator(".verdict")).to_contain_text("Won")
    expect_no_requests()


def test_every_tiling_is_playable(new_page):
    page = new_page("#/help")
    for tiling in TILINGS:
        go(page, address(size="5x5/3", tiling=tiling))
        grid = page.get_by_role("grid", name=re.compile(f"of {tiling} 5x5", re.I))
        expect(grid).to_be_visible()
        layout = layout_of(size="5x5/3", tiling=tiling, first=12)
        reveal(page, 12)
        play_to_the_end(page, layout)
        expect(page.locator(".verdict")).to_contain_text("Won")


def test_shared_links_open_the_layout_and_the_game(new_page):
    page = new_page(address())
    mine = int(layout_of().mine_mask.argmax())
    reveal(page, FIRST)
    flag(page, mine)
    press_in_more_menu(page, "Share")
    links = [
        page.get_by_label(f"{what}, link").input_value() for what in ("Same layout", "This game")
    ]
    before = labels(page)
    layout_page = new_page("#" + links[0].partition("#")[2])
    assert all(label.endswith("covered") for label in labels(layout_page))
    reveal(layout_page, FIRST)
    flag(layout_page, mine)
    assert labels(layout_page) == before
    game_page = new_page("#" + links[1].partition("#")[2])
    assert labels(game_page) == before


def test_killed_server_loses_no_move(new_page, server):
    page = new_page(address())
    layout = layout_of()
    reveal(page, FIRST)
    covered = int(layout.mine_mask.argmax())
    flag(page, covered)
    server.kill()
    cell(page, covered).click(button="right")
    expect(page.locator("#banner")).to_contain_text("Your move will be made")
    cell(page, covered).click()
    expect(page.locator("#alert")).to_have_text("Not made: the server does not respond.")
    server.start()
    expect(page.locator("#banner")).to_be_hidden()
    expect_state(page, covered, "covered")  # the first click removed the flag
    play_to_the_end(page, layout)
    expect(page.locator(".verdict")).to_contain_text("Won")
    page.reload()
    expect(page.locator(".verdict")).to_contain_text("Won")


def test_move_whose_response_is_lost_is_not_made_twice(new_page):
    page = new_page(address())
    reveal(page, FIRST)
    covered = int(layout_of().mine_mask.argmax())

    def lose_response(route):
        route.fetch()
        route.abort()

    intercept(page, "**/moves", lose_response, times=1)
    cell(page, covered).click(button="right")
    expect_state(page, covered, "flag")
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator("#alert")).to_have_text("")


def test_board_of_100x100_is_usable(new_page):
    page = new_page(address(size="100x100/1500", seed=1))
    assert page.locator("[data-cell]").count() == 10_000
    stage = page.locator(".viewport")
    assert stage.evaluate("stage => stage.scrollWidth > stage.clientWidth")
    reveal(page, 5050)
    width = page.locator(".grid svg").bounding_box()["width"]
    page.keyboard.press("+")
    assert page.locator(".grid svg").bounding_box()["width"] > width
    cell(page, 0).focus()
    page.keyboard.press("Control+End")
    expect(cell(page, 9999)).to_be_in_viewport()
    for number in (9999, 9990, 9980):
        flag(page, number)
    page.keyboard.press("o")
    expect(page.locator(".over-label.wide")).to_have_text(re.compile("%$"))
    expect(cell(page, 9998)).to_have_attribute("aria-label", re.compile("as all cells away from"))


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
    cell(page, 8).click()
    expect_state(page, 3, "1")
    flag(page, 0)
    press_both(3)
    expect_state(page, 1, "2")
    expect(page.locator(".figures dd").nth(1)).to_have_text("3")  # reveal, flag and chord


def test_clicks_are_interpreted_in_order(new_page):
    page = new_page(address())
    held = []
    intercept(page, "**/moves", lambda route: held.append(route), times=1)
    log = RequestLog(page)
    for _ in range(2):
        cell(page, 0).click(button="right")
    for _ in range(2):
        cell(page, FIRST).click()
    wait_until(page, lambda: len(held) == 1, "the first move is sent")
    held[0].continue_()
    expect_state(page, FIRST, "zero")
    expect(page.locator(".figures dd").nth(1)).to_have_text("3")  # flag, unflag, reveal
    for _ in range(4):
        page.keyboard.press("u")
    expect_state(page, FIRST, "covered")
    expect_state(page, 0, "covered")
    log.settle()
    assert page.locator(".toast").count() == 0


def test_clicks_while_a_game_loads_are_meant_for_that_game(new_page):
    page = new_page(address())
    reveal(page, FIRST)
    old = page.url.rpartition("/")[2]
    held = []

    def hold(route):
        held.append(route) if route.request.method == "POST" else route.continue_()

    intercept(page, "**/api/games", hold)
    page.keyboard.press("n")
    covered = next(number for number in range(36) if is_covered(page, number))
    cell(page, covered).click()  # on the board of the old game
    page.keyboard.press("u")  # must not undo in the old game either
    page.keyboard.press("n")  # of two new games the last one counts
    wait_until(page, lambda: len(held) == 2, "both requests are sent")
    assert is_covered(page, covered)
    first, last = held
    last.continue_()
    expect(page).not_to_have_url(re.compile(old))
    shown = page.url
    first.continue_()  # the click waits for it too, but is meant for the last game
    expect_state(page, covered, "zero")
    assert page.url == shown
    page.unroute("**/api/games")
    before = page.evaluate("game => fetch(`/api/games/${game}`).then((one) => one.json())", old)
    assert before["state"]["events"] == 1 and before["marks"][covered] == -1
    box = cell(page, 0).bounding_box()
    page.keyboard.press("n")
    expect_state(page, covered, "covered")
    # The board stays in place, so a press that began before the new game remains on its cell.
    assert cell(page, 0).bounding_box() == box


def test_clock_stops_when_the_game_is_left_or_hidden(new_page):
    page = new_page(address())
    reveal(page, FIRST)
    left = game_of(page)
    with another_game(page):
        page.keyboard.press("a")  # a new layout could be won by one click
    wait_until(page, lambda: not state_of(page, left)["running"], "the clock is stopped")
    reveal(page, FIRST)
    set_visibility = """(state) => {
        Object.defineProperty(document, "visibilityState", {value: state, configurable: true});
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    game = game_of(page)
    assert state_of(page, game)["running"]
    page.evaluate(set_visibility, "hidden")
    wait_until(page, lambda: not state_of(page, game)["running"], "the clock is stopped")
    page.evaluate(set_visibility, "visible")
    wait_until(page, lambda: state_of(page, game)["running"], "the clock runs again")


def state_of(page: Page, game: str) -> dict:
    request = "game => fetch(`/api/games/${game}`).then(r => r.json()).then(game => game.state)"
    state: dict = page.evaluate(request, game)
    return state


def test_bad_link_shows_an_error_and_offers_a_new_game(new_page):
    page = new_page("#/help")
    for link, problem in (
        ("#/play/%E0%A4%A", "You have no game"),
        ("#/play?size=9x9/90", "9 × 9 has room for at most 77 mines"),
    ):
        go(page, link)
        message = page.locator(".stage-message")
        expect(message).to_contain_text(problem)
        for name in ("Undo", "Hint", "Probabilities"):
            expect(page.get_by_role("button", name=name).first).to_be_disabled()
        press_in_more_menu(page, "Fit")  # nothing happens
        message.get_by_role("button", name="New game").click()
        expect(page.locator("[data-cell]").first).to_be_visible()
        expect(message).to_be_hidden()


def test_wrong_number_of_mines_is_reported_beside_its_field(new_page):
    page = new_page(address())
    page.keyboard.press("g")
    mines = page.get_by_role("spinbutton", name="Mines")
    for name, value in (("Width", "9"), ("Height", "9"), ("Mines", "81")):
        page.get_by_role("spinbutton", name=name).fill(value)
    play_button = page.get_by_role("button", name="Play", exact=True)
    play_button.click()
    expect(mines).to_have_accessible_description(re.compile("^9 × 9 has room for at most 77 mines"))
    expect(mines).to_be_focused()
    mines.fill("70")
    expect(mines).to_have_accessible_description("")
    with another_game(page):
        play_button.click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("[data-cell]")).to_have_count(81)


def test_levels_and_no_guess_take_one_click_or_key(new_page):
    page = new_page(address())
    no_guess = page.get_by_role("switch", name="No-guess")
    expect(page.locator(".custom-title")).to_have_text("6 × 6…")

    def expect_level(level, cells, is_no_guess):
        expect(page.locator("[data-cell]")).to_have_count(cells)
        pressed = page.locator('.levels [aria-pressed="true"]')
        expect(pressed).to_have_text(re.compile(level))
        expect(no_guess).to_be_checked(checked=is_no_guess)

    with another_game(page):
        page.get_by_role("button", name="Expert", exact=True).click()
    expect_level("Expert", 480, is_no_guess=False)
    with another_game(page):
        no_guess.click()
    expect_level("Expert", 480, is_no_guess=True)
    with another_game(page):
        page.keyboard.press("1")
    expect_level("Beginner", 81, is_no_guess=True)
    with another_game(page):
        page.keyboard.press("e")
    expect_level("Beginner", 81, is_no_guess=False)


def test_toolbar_has_labels_keys_and_the_bundled_font(new_page):
    page = new_page(address(), viewport={"width": 1600, "height": 900})
    for button in page.locator(".bar button:visible").all():
        if button.get_attribute("aria-label") != "More":
            assert re.search(r" \(.+\)$", button.get_attribute("title"))
            assert (button.bounding_box() or {})["width"] > 50  # not only an icon
    page.get_by_role("button", name="More").click()
    expect(page.locator(".more-tools kbd")).to_contain_text(["R", "A", "", "", "+", "", "0"])
    loaded = "[...document.fonts].filter(font => font.status === 'loaded').map(font => font.family)"
    assert page.evaluate(f"document.fonts.ready.then(() => {loaded})") == ["Figtree"]


def test_first_visit_is_welcomed_until_the_first_move(new_page):
    page = new_page("#/help")
    no_games = {"games": []}  # other tests have played on this server
    intercept(
        page,
        "**/api/games",
        lambda route: (
            route.fulfill(json=no_games) if route.request.method == "GET" else route.continue_()
        ),
    )
    go(page, address())
    line = page.locator(".start-line")
    expect(line).to_contain_text(
        "Click anywhere to start. New here? Learn the game in five minutes"
    )
    box = page.locator(".grid svg").bounding_box()
    with another_game(page):
        line.get_by_role("button", name="Turn on No-guess").click()
    expect(page.get_by_role("switch", name="No-guess")).to_be_checked()
    expect(line).to_contain_text("Click anywhere to start.")
    expect(line).not_to_contain_text("Tired of guessing?")
    reveal(page, FIRST)
    expect(line).to_be_hidden()
    assert page.locator(".grid svg").bounding_box() == box
    page.unroute("**/api/games")
    with another_game(page):
        page.keyboard.press("n")
    expect(line).to_contain_text("Puzzle of the day")
    expect(line).not_to_contain_text("Click anywhere")


def test_new_board_offers_to_continue_the_last_game_and_the_puzzle_of_the_day(new_page):
    page = new_page(address())
    reveal(page, FIRST)
    game = game_of(page)
    with another_game(page):
        page.keyboard.press("n")
    line = page.locator(".start-line")
    line.get_by_role("link", name="Continue Square 6x6/5").click()
    expect(page).to_have_url(re.compile(f"#/play/{game}$"))
    expect_state(page, FIRST, "zero")
    expect(line).to_be_hidden()
    with another_game(page):
        page.keyboard.press("n")
    line.get_by_role("link", name="Puzzle of the day").click()
    expect(page).to_have_url(re.compile(r"#/puzzles/square-\w+-\d{8}$"))


def test_phone_starts_a_game_from_the_dialog_without_scrolling(new_page):
    page = new_page(address(), **PHONE)
    dialog = page.get_by_role("dialog")
    for device, level, cells in ((PHONE, "Intermediate", 256), (LANDSCAPE, "Beginner", 81)):
        page.set_viewport_size(device["viewport"])
        page.locator(".choose").tap()
        expect(dialog.get_by_role("button", name="Play", exact=True)).to_be_in_viewport(ratio=1)
        no_guess = dialog.get_by_role("switch", name="No-guess")
        if not no_guess.is_checked():
            no_guess.tap()
        with another_game(page):
            dialog.get_by_role("button", name=level, exact=True).tap()
        expect(page.locator("[data-cell]")).to_have_count(cells)
        title = page.locator(".game-title")
        expect(title).to_have_text(f"{level}, no guessing")
        for text in (title, *page.locator(".counter").all()):
            assert text.evaluate("one => one.scrollWidth <= one.clientWidth")


def test_no_guess_game_is_chosen_and_its_generation_stopped(new_page):
    page = new_page(address())
    page.locator(".choose").click()
    page.get_by_label("Difficulty").select_option("no-guess-two")
    with another_game(page):
        page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("body")).to_contain_text("no guessing")
    intercept(page, "**/moves", lambda route: None, times=1)  # as if the search never ended
    cell(page, 14).click()
    message = page.locator(".stage-message")
    expect(message).to_contain_text("Generating a no-guess board")
    message.get_by_role("button", name="Stop").click()
    expect(page.locator("#alert")).to_have_text("Stopped: no cell was revealed.")
    expect(message).to_be_hidden()
    expect_state(page, 14, "covered")
    cell(page, 14).click()
    expect_state(page, 14, "zero")


def test_unnecessary_guesses_need_confirmation_if_the_setting_is_on(new_page):
    page = new_page(address(size="9x9/10", seed=2) + "&generator=no-guess")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Warn before unnecessary guesses").check()
    page.get_by_role("button", name="Done").click()
    layout = generate("9x9/10", 2, first=40, no_guess=True).layout
    reveal(page, 40)
    mine = next(number for number in layout.mine_cells.tolist() if is_covered(page, number))
    cell(page, mine).click()
    expect(page.locator("#alert")).to_contain_text("There is a safe cell elsewhere")
    expect_state(page, mine, "covered")
    cell(page, mine).click()
    expect(page.locator(".verdict")).to_contain_text("Lost after")


def test_address_of_a_watched_no_guess_game(new_page):
    page = new_page("#/watch?size=9x9/12&seed=3&generator=no-guess-two&kind=solver&name=exact")
    expect(page.locator("select[name=generator]")).to_have_value("no-guess-two")
    expect(page.locator("body")).to_contain_text("no guessing")
    assert "generator=no-guess-two" in page.url
