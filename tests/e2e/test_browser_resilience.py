"""Resilience: a server that stops, a locked database, several windows, typing."""

import re
import sqlite3

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.pages import TEXT, Questions, enter_position

from sapper.board.rules import Rules
from sapper.generators.layouts import generate

pytestmark = pytest.mark.browser

GAME = "#/play?size=6x6/5&seed=4"
FIRST = 14
ONE, OTHER = generate(Rules.parse("6x6/5"), 4, FIRST).layout.mine_cells.tolist()[:2]


def cell(page: Page, number: int):
    return page.locator(f'[data-cell="{number}"]')


def go(page: Page, view: str) -> None:
    page.evaluate("view => { location.hash = `#/${view}`; }", view)


@pytest.mark.parametrize("view", ["play", "watch", "statistics", "analyse", "learn", "print"])
def test_a_view_that_was_opened_while_the_server_was_away_comes_back(new_page, server, view):
    page = new_page("#/help")
    expect(page.get_by_role("heading", level=1)).to_have_text("Help")
    server.kill()
    try:
        go(page, view)
        expect(page.locator("#banner")).to_have_text("The server does not respond. Trying again …")
        expect(page.get_by_text("This page cannot be shown: the server")).to_be_visible()
    finally:
        server.start()
    expect(page.locator("#banner")).to_be_hidden()
    board = page.locator("[data-cell]").first
    there = {"statistics": page.locator(".empty, .table").first, "print": page.locator(".print")}
    expect(there.get(view, board)).to_be_visible()
    expect(page.get_by_text("This page cannot be shown")).to_have_count(0)


def test_who_leaves_while_the_server_is_away_is_not_called_back(new_page, server):
    page = new_page("#/help")
    expect(page.get_by_role("heading", level=1)).to_have_text("Help")
    server.kill()
    try:
        go(page, "statistics")
        expect(page.locator("#banner")).to_be_visible()
        go(page, "help")
        expect(page.locator("#banner")).to_be_hidden()
    finally:
        server.start()
    page.wait_for_timeout(1500)
    expect(page.get_by_role("heading", level=1)).to_have_text("Help")


def test_a_view_that_was_left_while_it_opened_does_not_take_the_address_back(new_page):
    page = new_page("#/help")
    expect(page.get_by_role("heading", level=1)).to_have_text("Help")
    held = []
    holds, questions = True, Questions(page)
    page.route("**/api/**", lambda route: held.append(route) if holds else route.continue_())
    opening = ("play", "analyse", "watch", "learn", "puzzles")
    for view in opening:
        with page.expect_request("**/api/**"):
            go(page, view)
    go(page, "help")
    expect(page.get_by_role("heading", level=1)).to_have_text("Help")
    holds = False
    assert len(held) == len(opening)
    for route in held:
        route.continue_()
    questions.answered()
    assert page.url.endswith("#/help")
    expect(page.get_by_role("heading", level=1)).to_have_text("Help")


def test_a_file_that_another_program_holds_is_said_and_the_game_goes_on(new_page, server):
    page = new_page(GAME)
    cell(page, FIRST).click()
    expect(cell(page, FIRST)).to_have_class(re.compile("open"))
    with sqlite3.connect(server.folder / "games.sqlite", isolation_level=None) as other:
        other.execute("begin exclusive")
        cell(page, ONE).click(button="right")
        expect(page.locator(".toast")).to_contain_text("another program uses it")
        expect(page.locator("#alert")).to_contain_text("another program uses it")
        expect(cell(page, ONE)).to_have_attribute("aria-label", re.compile(": covered"))
        other.execute("rollback")
    cell(page, ONE).click(button="right")
    expect(cell(page, ONE)).to_have_attribute("aria-label", re.compile(": flag"))


def test_a_stale_window_catches_up_and_says_what_happened(new_page):
    one = new_page(GAME)
    cell(one, FIRST).click()
    expect(cell(one, FIRST)).to_have_class(re.compile("open"))
    two = new_page("#" + one.url.partition("#")[2])  # another browser
    expect(cell(two, FIRST)).to_have_class(re.compile("open"))
    cell(two, ONE).click(button="right")
    expect(cell(two, ONE)).to_have_attribute("aria-label", re.compile(": flag"))
    cell(one, OTHER).click(button="right")
    expect(cell(one, ONE)).to_have_attribute("aria-label", re.compile(": flag"))
    expect(one.locator("#alert")).to_contain_text("a move: flag r")
    expect(cell(one, OTHER)).to_have_attribute("aria-label", re.compile(": covered"))


def test_another_window_of_the_browser_follows_at_once(new_page):
    one = new_page(GAME)
    cell(one, FIRST).click()
    expect(cell(one, FIRST)).to_have_class(re.compile("open"))
    two = one.context.new_page()
    two.goto(one.url)
    expect(cell(two, FIRST)).to_have_class(re.compile("open"))
    cell(two, ONE).click(button="right")
    expect(cell(one, ONE)).to_have_attribute("aria-label", re.compile(": flag"))
    expect(one.locator("#alert")).to_have_text("The game was continued in another window.")
    expect(two.locator("#alert")).not_to_contain_text("continued")


# Typing in Analyse.


@pytest.fixture
def analyse(new_page) -> Page:
    page = new_page("#/analyse")
    enter_position(page, "mines: 2\n1##\n###\n")
    return page


def test_a_text_that_is_not_read_yet_outlives_leaving_the_field_and_late_answers(analyse):
    page = analyse
    held = []
    page.route("**/api/position", lambda route: held.append(route))
    with page.expect_request("**/api/position"):
        page.get_by_label(TEXT).fill("mines: 3\n1##\n###\n###\n")
    with page.expect_response("**/api/analysis"):
        page.get_by_label(
            "Treat flags as mines"
        ).check()  # leaves the field, and asks for another answer
    expect(page.locator('.answer[aria-busy="false"] .headline')).to_be_visible()
    expect(page.get_by_label(TEXT)).to_have_value("mines: 3\n1##\n###\n###\n")
    held[0].continue_()
    expect(page.locator("[data-cell]")).to_have_count(9)
    expect(page.get_by_label(TEXT)).to_have_value("mines: 3\n1##\n###\n###\n")


def test_a_text_that_cannot_be_read_stays_to_be_mended_until_the_board_is_edited(analyse):
    page = analyse
    page.get_by_label(TEXT).fill("mines: 2\n1#\n###\n")
    expect(page.locator("#text-problem")).to_be_visible()
    page.locator("[data-cell]").nth(5).focus()
    expect(page.get_by_label(TEXT)).to_have_value("mines: 2\n1#\n###\n")
    page.keyboard.press("1")
    expect(page.get_by_label(TEXT)).to_have_value("mines: 2\n1##\n##1\n")
    expect(page.locator("#text-problem")).to_be_hidden()


def test_a_size_that_is_being_typed_is_not_overwritten(analyse):
    page = analyse
    held = []
    page.route("**/api/boards/square/4x2*", lambda route: held.append(route))
    with page.expect_request("**/api/boards/square/4x2*"):
        page.get_by_label("Width").fill("4")
        page.get_by_label("Height").focus()
    page.get_by_label("Height").press_sequentially("7")
    typed = page.get_by_label("Height").input_value()
    held[0].continue_()
    expect(page.locator("[data-cell]")).to_have_count(8)
    expect(page.get_by_label("Height")).to_have_value(typed)
