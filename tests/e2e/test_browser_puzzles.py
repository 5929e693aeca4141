"""Puzzles: by mouse, by keys, against the clock, and the stored attempts."""

import re

import pytest
from playwright.sync_api import Page, expect

from sapper.generators.puzzles import puzzle as find_puzzle
from sapper.generators.puzzles import puzzle_rules
from tests.e2e.conftest import PHONE
from tests.e2e.pages import cell, go

pytestmark = pytest.mark.browser


def puzzle_of(name):
    tiling, difficulty, seed = name.rsplit("-", 2)
    return find_puzzle(puzzle_rules(difficulty, tiling), int(seed))


def open_puzzle(new_page, name, **options) -> Page:
    page = new_page(f"#/puzzles/{name}", **options)
    expect(page.locator(".task")).to_contain_text("All flags are correct")
    return page


def attempt_link(page: Page, name: str):
    return page.locator(f'.attempts a[href="#/puzzles/{name}"]')


def figure(page: Page, name: str):
    return page.locator(".puzzles-figures div", has_text=name).locator("dd")


def test_wrong_move_is_answered_with_a_counterexample(new_page):
    name = "square-three-5"
    puzzle, page = puzzle_of(name), open_puzzle(new_page, name)
    uncertain = min(set(puzzle.position.frontier.tolist()) - {*puzzle.flag, *puzzle.reveal})
    cell(page, uncertain).click()
    expect(page.locator(".reply.wrong")).to_contain_text("Not certain: here is a layout")
    expect(page.locator(".over-sign.cross")).to_have_count(1)
    expect(cell(page, uncertain)).to_have_attribute(
        "aria-label", re.compile("mine in this example$")
    )
    right = puzzle.reveal[0]
    cell(page, right).click()
    expect(page.locator(".reply.right")).to_contain_text("Right.")
    expect(page.locator(".over-line")).to_have_count(3)
    expect(cell(page, right)).to_have_attribute("aria-label", re.compile("certainly safe$"))
    expect(page.get_by_role("button", name="Show the answer")).to_be_hidden()


def test_puzzle_cannot_be_skipped(new_page):
    page = new_page("#/puzzles", new_context=True)
    expect(page).to_have_url(re.compile(r"#/puzzles/square-\w+-\d+$"))
    given = page.url
    next_button = page.get_by_role("button", name="Next puzzle")
    cell(page, 0).focus()
    page.keyboard.press("n")
    expect(page.locator(".reply")).to_contain_text("answer it first")
    expect(next_button).to_be_hidden()
    go(page, "#/help")
    go(page, "#/puzzles")
    expect(page).to_have_url(given)
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".reply.wrong")).to_contain_text("points.")
    next_button.click()
    expect(page).not_to_have_url(given)


def test_attempt_in_one_window_changes_the_rating_in_the_other(new_page):
    page = new_page("#/puzzles", new_context=True)
    expect(page).to_have_url(re.compile(r"#/puzzles/square-\w+-\d+$"))
    with page.context.new_page() as other:
        other.goto(page.url.partition("#")[0] + "#/puzzles")
        expect(other).to_have_url(page.url)  # the same puzzle, until it is tried
        before = figure(other, "Your rating").text_content()
        page.get_by_role("button", name="Show the answer").click()
        expect(figure(page, "Your rating")).not_to_have_text(before)
        expect(figure(other, "Your rating")).to_have_text(
            figure(page, "Your rating").text_content()
        )
        expect(other.locator(".reply")).to_contain_text("answered this puzzle in another window")
        expect(other.get_by_role("button", name="Next puzzle")).to_be_visible()


def test_keyboard_answers_puzzles_and_rating_streak_and_history_follow(new_page):
    page = new_page("#/puzzles")
    expect(page).to_have_url(re.compile(r"#/puzzles/square-\w+-\d+$"))
    name = page.url.rpartition("/")[2]
    puzzle = puzzle_of(name)
    before = figure(page, "Your rating").text_content()
    streak = int(figure(page, "Streak").text_content().partition(",")[0])
    flag, target = bool(puzzle.flag), (puzzle.flag or puzzle.reveal)[0]
    cell(page, target).focus()
    page.keyboard.press("f" if flag else "Enter")
    expect(page.locator(".reply.right")).to_contain_text("points.")
    expect(page.locator("#status")).to_contain_text("Right.")
    expect(figure(page, "Your rating")).not_to_have_text(before)
    expect(figure(page, "Streak")).to_have_text(re.compile(rf"^{streak + 1}\b"))
    page.keyboard.press("n")
    expect(page).not_to_have_url(re.compile(name))
    expect(page.locator(".reply")).to_have_text("")
    page.keyboard.press("s")
    expect(page.locator(".reply.wrong")).to_contain_text("One answer:")
    expect(figure(page, "Streak")).to_have_text(re.compile(r"^0, best \d"))
    page.keyboard.press("n")
    expect(page.locator(".reply")).to_have_text("")
    page.keyboard.press("s")
    expect(page.locator(".reply.wrong")).to_contain_text("One answer:")
    # The lists are loaded after the answer.
    expect(attempt_link(page, page.url.rpartition("/")[2])).to_have_count(1)
    page.get_by_text(re.compile("^History")).click()
    expect(page.get_by_role("figure").filter(has_text="Your rating over")).to_be_visible()
    expect(attempt_link(page, name)).to_have_accessible_name(re.compile("^right: "))
    attempt_link(page, name).click()
    expect(page).to_have_url(re.compile(name))
    expect(page.locator(".reply")).to_contain_text("You have tried this puzzle before: right")


def test_puzzle_is_lost_when_the_time_is_up(new_page):
    page = open_puzzle(new_page, "square-one-22", new_context=True)
    page.clock.install()
    page.get_by_label("Against the clock").check()
    expect(figure(page, "Time")).to_have_text(re.compile(r"^\d:\d\d$"))
    page.clock.fast_forward(150_000)
    expect(page.locator(".reply.wrong")).to_contain_text("Time is up. One answer:")
    expect(figure(page, "Time")).to_be_hidden()


def test_board_shape_difficulty_and_daily_puzzle_can_be_chosen(new_page):
    page = open_puzzle(new_page, "square-one-23")
    page.get_by_label("Board shape").select_option("hexagonal")
    expect(page).to_have_url(re.compile("#/puzzles/hexagonal-"))
    page.get_by_label("Difficulty").select_option("two")
    expect(page).to_have_url(re.compile("#/puzzles/hexagonal-two-"))
    expect(page.locator(".task")).to_contain_text("Difficulty: two numbers")
    page.get_by_text("Daily puzzles, 0 of 5 tried").click()
    page.get_by_role("link", name=re.compile("^Torus")).click()
    expect(page).to_have_url(re.compile(r"#/puzzles/torus-\w+-20\d{6}$"))
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".reply.wrong")).to_be_visible()
    expect(page.get_by_text("Daily puzzles, 1 of 5 tried")).to_be_visible()


def test_puzzle_is_solved_by_touch_on_a_phone(new_page):
    name = "square-one-25"
    puzzle, page = puzzle_of(name), open_puzzle(new_page, name, **PHONE)
    box = page.locator(".grid svg").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    assert box["y"] + box["height"] <= 844
    page.get_by_role("button", name="Flag mode").click()
    target = (puzzle.flag or puzzle.reveal)[0]
    if not puzzle.flag:
        page.get_by_role("button", name="Flag mode").click()
    cell(page, target).tap()
    expect(page.locator(".reply.right")).to_contain_text("Right.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 844, "height": 390})  # landscape
    for shown in (page.locator(".grid svg"), page.get_by_role("button", name="Next puzzle")):
        expect(shown).to_be_in_viewport(ratio=1)
