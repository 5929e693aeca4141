"""Resilience: a server that stops, a locked database, several windows, typing."""

import re
import sqlite3

import pytest
from playwright.sync_api import Page, expect

from sapper.board.rules import Rules
from sapper.generators.layouts import generate
from tests.e2e.pages import TEXT, RequestLog, cell, enter_position, flag, go, intercept, reveal

pytestmark = pytest.mark.browser

GAME = "#/play?size=6x6/5&seed=4"
FIRST = 14
MINE, OTHER_MINE = generate(Rules.parse("6x6/5"), 4, FIRST).layout.mine_cells.tolist()[:2]


def test_views_opened_while_the_server_is_down_appear_when_it_is_back(new_page, server):
    first = new_page("#/help")
    ready = {view: "[data-cell]" for view in ("play", "watch", "analyse", "learn")}
    ready |= {"statistics": ".statistics", "print": ".print"}
    pages = {view: first.context.new_page() for view in ready}
    for page in pages.values():
        page.goto(server.url + "#/help")
        expect(page.get_by_role("heading", level=1)).to_have_text("Help")
    server.kill()
    try:
        for view, page in pages.items():
            go(page, f"#/{view}")
            banner = "The server does not respond. Trying again …"
            expect(page.locator("#banner")).to_have_text(banner)
            expect(page.get_by_text("This page cannot be shown: the server")).to_be_visible()
        go(first, "#/statistics")
        expect(first.locator("#banner")).to_be_visible()
        go(first, "#/help")  # the view was left, so it must not open when the server is back
        expect(first.locator("#banner")).to_be_hidden()
    finally:
        server.start()
    for view, page in pages.items():
        expect(page.locator("#banner")).to_be_hidden()
        expect(page.locator(ready[view]).first).to_be_visible()
        expect(page.get_by_text("This page cannot be shown")).to_have_count(0)
    expect(first.get_by_role("heading", level=1)).to_have_text("Help")


def test_view_left_while_loading_does_not_change_the_address(new_page):
    page = new_page("#/help")
    expect(page.get_by_role("heading", level=1)).to_have_text("Help")
    held_routes = []
    is_holding = True
    intercept(
        page,
        "**/api/**",
        lambda route: held_routes.append(route) if is_holding else route.continue_(),
    )
    log = RequestLog(page)
    opening = ("play", "analyse", "watch", "learn", "puzzles", "statistics")
    for view in opening:
        with page.expect_request("**/api/**"):
            go(page, f"#/{view}")
    go(page, "#/help")
    expect(page.get_by_role("heading", level=1)).to_have_text("Help")
    is_holding = False
    assert len(held_routes) >= len(opening)
    for route in held_routes:
        route.continue_()
    log.settle()
    assert page.url.endswith("#/help")
    expect(page.get_by_role("heading", level=1)).to_have_text("Help")


def test_locked_database_is_reported_and_the_game_continues(new_page, server):
    page = new_page(GAME)
    reveal(page, FIRST)
    with sqlite3.connect(server.folder / "games.sqlite", isolation_level=None) as other:
        other.execute("begin exclusive")
        cell(page, MINE).click(button="right")
        expect(page.locator(".toast")).to_contain_text("another program uses it")
        expect(page.locator("#alert")).to_contain_text("another program uses it")
        expect(cell(page, MINE)).to_have_attribute("aria-label", re.compile(": covered"))
        other.execute("rollback")
    flag(page, MINE)


def test_stale_window_is_updated_with_a_message(new_page):
    one = new_page(GAME)
    reveal(one, FIRST)
    two = new_page("#" + one.url.partition("#")[2])  # another browser
    expect(cell(two, FIRST)).to_have_class(re.compile("open"))
    flag(two, MINE)
    cell(one, OTHER_MINE).click(button="right")
    expect(cell(one, MINE)).to_have_attribute("aria-label", re.compile(": flag"))
    expect(one.locator("#alert")).to_contain_text("a move: flag r")
    expect(cell(one, OTHER_MINE)).to_have_attribute("aria-label", re.compile(": covered"))


def test_another_window_of_the_browser_is_updated_at_once(new_page):
    one = new_page(GAME)
    reveal(one, FIRST)
    two = one.context.new_page()
    two.goto(one.url)
    expect(cell(two, FIRST)).to_have_class(re.compile("open"))
    cell(two, MINE).click(button="right")
    expect(cell(one, MINE)).to_have_attribute("aria-label", re.compile(": flag"))
    expect(one.locator("#alert")).to_have_text("The game was continued in another window.")
    expect(two.locator("#alert")).not_to_contain_text("continued")


# Typing in Analyse.


@pytest.fixture
def analyse(new_page) -> Page:
    page = new_page("#/analyse")
    enter_position(page, "mines: 2\n1##\n###\n")
    return page


def test_unread_text_survives_leaving_the_field_and_late_responses(analyse):
    page = analyse
    held_routes = []
    intercept(page, "**/api/position", lambda route: held_routes.append(route))
    with page.expect_request("**/api/position"):
        page.get_by_label(TEXT).fill("mines: 3\n1##\n###\n###\n")
    with page.expect_response("**/api/analysis"):
        page.get_by_label("Treat flags as mines").check()  # leaves the field
    expect(page.locator('.answer[aria-busy="false"] .headline')).to_be_visible()
    expect(page.get_by_label(TEXT)).to_have_value("mines: 3\n1##\n###\n###\n")
    held_routes[0].continue_()
    expect(page.locator("[data-cell]")).to_have_count(9)
    expect(page.get_by_label(TEXT)).to_have_value("mines: 3\n1##\n###\n###\n")


def test_unreadable_text_stays_until_the_board_is_edited(analyse):
    page = analyse
    page.get_by_label(TEXT).fill("mines: 2\n1#\n###\n")
    expect(page.locator("#text-problem")).to_be_visible()
    page.locator("[data-cell]").nth(5).focus()
    expect(page.get_by_label(TEXT)).to_have_value("mines: 2\n1#\n###\n")
    page.keyboard.press("1")
    expect(page.get_by_label(TEXT)).to_have_value("mines: 2\n1##\n##1\n")
    expect(page.locator("#text-problem")).to_be_hidden()


def test_size_being_typed_is_not_overwritten(analyse):
    page = analyse
    held_routes = []
    intercept(page, "**/api/boards/square/4x2*", lambda route: held_routes.append(route))
    with page.expect_request("**/api/boards/square/4x2*"):
        page.get_by_label("Width").fill("4")
        page.get_by_label("Height").focus()
    page.get_by_label("Height").press_sequentially("7")
    typed = page.get_by_label("Height").input_value()
    held_routes[0].continue_()
    expect(page.locator("[data-cell]")).to_have_count(8)
    expect(page.get_by_label("Height")).to_have_value(typed)
