"""Learn: by keyboard, by touch, and with a screen reader."""

import re

import pytest
from playwright.sync_api import Page, expect

from sapper.board.board import Board
from sapper.board.move import Move
from sapper.engine.budget import DEFAULT_BUDGET
from sapper.web.learn.lessons import LESSONS, Lesson
from sapper.web.learn.practice import find_exercise, first_move
from tests.e2e.conftest import PHONE
from tests.e2e.pages import cell, go, intercept, walk_to

pytestmark = pytest.mark.browser


def make_move(page: Page, board: Board, move: Move):
    """Go to a cell with the arrow keys, and reveal or flag it."""
    walk_to(page, move.cell, board.size[0])
    page.keyboard.press("f" if move.action == "flag" else "Space")


def tab_to_the_board(page: Page):
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('[data-cell]')"):
            return
    raise AssertionError("the board cannot be reached with the Tab key")


def practise(page: Page, lesson: Lesson):
    """Find a move of the step in a position from a real game."""
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile(f"{lesson.name}\\?seed="))
    expect(page.locator(".task")).to_contain_text(lesson.ask)
    exercise = find_exercise(lesson, int(page.url.rpartition("=")[2]), DEFAULT_BUDGET.start())
    page.keyboard.press("h")
    expect(page.locator(".over-line")).not_to_have_count(0)
    _, move = first_move(exercise)
    make_move(page, exercise.position.board, move)
    expect(page.locator(".reply.right")).to_contain_text("1 of 3 in a row")


def test_all_lessons_are_completed_by_keyboard(new_page):
    page = new_page("#/learn")
    expect(page.get_by_role("heading", name=LESSONS[0].title)).to_be_visible()
    tab_to_the_board(page)
    for lesson in LESSONS:
        expect(page.get_by_role("heading", name=lesson.title)).to_be_visible()
        for move in lesson.moves:
            with page.expect_response("**/moves"):  # the reply to the move before may be the same
                make_move(page, lesson.position.board, Move.parse(move, lesson.position.board))
            expect(page.locator(".reply.right")).to_contain_text("Right.")
            if move == lesson.moves[-1]:
                expect(page.locator("#status")).to_contain_text("The first board is done")
            else:
                expect(page.locator(".reply")).to_contain_text("There is more to find")
        if lesson in (LESSONS[0], LESSONS[-1]):
            practise(page, lesson)
        page.keyboard.press("l")
    expect(page).to_have_url(re.compile("#/puzzles"))
    go(page, "#/learn/the-game")
    expect(page.locator(".lesson-list .started")).to_have_count(len(LESSONS))


def test_if_the_mine_count_decides_all_covered_cells_are_outlined(new_page):
    lesson = next(lesson for lesson in LESSONS if lesson.name == "counting")
    # Every mine of this position is flagged: no number is needed.
    exercise = find_exercise(lesson, 102113587792433, DEFAULT_BUDGET.start())
    assert first_move(exercise)[0].numbers == ()
    page = new_page("#/learn/counting?seed=102113587792433")
    expect(page.locator("[data-cell]")).to_have_count(len(exercise.position.board))
    page.get_by_role("button", name="Where to look").click()
    expect(page.locator(".reply")).to_contain_text("The number of mines left decides")
    expect(page.locator(".over-line")).to_have_count(len(exercise.position.covered))


def test_wrong_move_is_refuted_before_the_answer_is_shown(new_page):
    page = new_page("#/learn/strategy-3")
    badges, reply = page.locator(".over-badge"), page.locator(".reply.wrong")
    expect(badges).to_have_text(["A", "B"])
    cell(page, 20).click()
    expect(reply).to_contain_text("Not certain: here is a layout that fits every number.")
    expect(cell(page, 20)).to_have_attribute("aria-label", re.compile("mine in this example$"))
    expect(page.locator(".over-line")).to_have_count(0)  # nothing of the answer is shown yet
    cell(page, 4).click()
    expect(reply).to_contain_text("That is certainly a mine:")
    expect(cell(page, 4)).to_have_attribute("aria-label", re.compile("certainly a mine$"))
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator(".reply")).to_contain_text("This cell is a mine.")
    expect(page.locator(".over-line")).to_have_count(2)
    expect(badges).to_have_count(4)
    assert sorted(badges.all_text_contents()) == ["A", "B", "X", "X"]  # two shared cells
    page.get_by_role("button", name="The outlined 2").hover()
    expect(page.locator(".over-highlight")).to_have_count(1)


def test_screen_reader_gets_all_of_a_lesson(new_page):
    page = new_page("#/learn/chords")
    expect(page.locator("[data-cell]")).to_have_count(6)
    lesson = next(lesson for lesson in LESSONS if lesson.name == "chords")
    tree = page.locator("main").aria_snapshot()
    for part in (
        'heading "Learn" [level=1]',
        'complementary "Lesson"',
        f'heading "{lesson.title}" [level=2]',
        lesson.teaches,
        'img "The first board with the answer"',
        lesson.task,
        'button "Where to look"',
        'button "Show the answer"',
        'button "Flag mode"',
        'grid "First board of this lesson"',
        'gridcell "r1c1: flag"',
        'gridcell "r1c2: 1"',
        'gridcell "r1c3: covered"',
    ):
        assert part in tree, part
    links = page.get_by_role("navigation", name="Lessons").get_by_role("link")
    assert [name.strip() for name in links.all_inner_texts()]
    expect(links).to_have_count(len(LESSONS))
    current = page.locator('.lesson-list [aria-current="step"]')
    expect(current).to_contain_text(lesson.title)
    page.get_by_role("button", name="Where to look").click()
    expect(page.locator("#status")).to_have_text("Look at A.")
    cell(page, 1).focus()
    expect(cell(page, 1)).to_have_attribute("aria-label", re.compile("look here"))
    page.keyboard.press("Space")  # a chord
    expect(page.locator("#status")).to_contain_text("Right.")
    expect(page.get_by_role("gridcell", name="r2c3: zero")).to_have_count(1)
    expect(page.get_by_role("button", name="Practise")).to_be_visible()


def test_lesson_is_completed_by_touch(new_page):
    page = new_page("#/learn/strategy-1", **PHONE)
    flag_mode = page.get_by_role("button", name="Flag mode")
    flag_mode.tap()
    expect(flag_mode).to_have_attribute("aria-pressed", "true")
    cell(page, 7).tap()
    expect(page.locator(".reply.right")).to_contain_text("There is more to find.")
    for upright in (True, False):
        page.set_viewport_size(
            {"width": 390, "height": 844} if upright else {"width": 844, "height": 390}
        )
        for shown in (*page.locator(".lesson-actions button").all(), page.locator(".reply")):
            expect(shown).to_be_in_viewport(ratio=1)
    cell(page, 8).tap()
    expect(page.locator(".reply.right")).to_contain_text("The first board is done")
    page.get_by_role("button", name="Next lesson").tap()
    title = LESSONS[4].title
    expect(page.get_by_role("heading", name=title)).to_be_visible()


def test_second_move_does_not_cancel_the_first(new_page):
    page = new_page("#/learn/strategy-1")
    held = []
    intercept(page, "**/moves", lambda route: held.append(route), times=1)
    with page.expect_request("**/moves"):
        cell(page, 7).click(button="right")
    cell(page, 8).click(button="right")
    expect(page.locator(".reply")).to_have_text("")
    held[0].continue_()
    expect(page.locator(".reply.right")).to_contain_text("The first board is done")


def test_bad_seed_is_reported_and_the_lesson_is_shown(new_page):
    page = new_page("#/learn/chords?seed=none")
    expect(page.locator("#alert")).to_contain_text("expected a seed")
    expect(page.get_by_role("grid", name="First board of this lesson")).to_be_visible()
