"""Paper puzzles: made, solved, printed."""

import re

import pytest
from playwright.sync_api import Page, expect

from sapper.board.position import Position
from sapper.board.tilings import tiling
from sapper.generators.paper_puzzles.make import check_paper_puzzle
from tests.e2e.pages import cell, marks_of

pytestmark = pytest.mark.browser


def make(page: Page, seed: str = "7") -> None:
    for label, value in (
        ("Width", "4"),
        ("Height", "3"),
        ("Number of puzzles", "2"),
        ("Seed", seed),
    ):
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_role("button", name="Make puzzles").click()
    expect(page.locator("img.sheet")).to_have_count(1)


def solve(page: Page) -> None:
    make(page)
    page.get_by_role("button", name="Solve on screen").click()
    expect(page.locator("[data-cell]")).to_have_count(12)


def test_paper_puzzle_is_solved_by_keyboard_and_checked(new_page):
    page = new_page("#/print")
    solve(page)
    page.get_by_label("Puzzle", exact=True).select_option("2")
    expect(page.get_by_role("grid", name="Puzzle 2")).to_be_visible()
    position = Position(tiling("square", 4, 3), marks_of(page))
    mines = set(check_paper_puzzle(position).puzzle.mine_cells)
    wrong = min(position.covered.tolist())
    cell(page, wrong).click()
    if wrong in mines:
        cell(page, wrong).click()  # a cross, then a dash
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("status").first).to_contain_text("1 mark is wrong")
    expect(cell(page, wrong)).to_have_attribute("aria-label", re.compile("wrong"))
    for covered in position.covered.tolist():
        cell(page, covered).focus()
        page.keyboard.press("x" if covered in mines else "-")
    expect(page.locator(".note")).to_have_text("Solved: all marks are correct.")
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator('[data-cell][aria-label*="cross"]')).to_have_count(len(mines))
    expect(page.locator(".over-sign.cross")).to_have_count(1)  # all of them in one drawing


def test_worksheet_is_previewed_restyled_shared_and_downloaded(new_page, tmp_path):
    page = new_page("#/print")
    make(page)
    drawn = "image => image.decode().then(() => image.naturalWidth)"
    assert page.locator("img.sheet").evaluate(drawn) > 100
    page.get_by_role("button", name="Show solutions").click()
    expect(page.locator("img.sheet")).to_have_count(2)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download PDF").click()
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert path.name == "puzzles-7.pdf"
    assert path.read_bytes().startswith(b"%PDF-")
    before = page.evaluate("location.hash")
    page.locator("summary").first.click()
    page.get_by_label("Large print").check()
    expect(page.locator("img.sheet")).to_have_count(1)
    assert page.evaluate("location.hash") != before
    page.get_by_label("Task").select_option("proof")
    expect(page.get_by_label("Method")).to_be_hidden()
    page.get_by_role("button", name="Make puzzles").click()
    expect(page.get_by_role("button", name="Solve on screen")).to_have_count(0)
    expect(page.locator(".command-line code")).to_contain_text("--kind proof")
    page.get_by_label("Task").select_option("puzzle")
    page.get_by_role("button", name="Make puzzles").click()
    expect(page.get_by_role("button", name="Solve on screen")).to_have_count(1)
    other = new_page(page.evaluate("location.hash"))
    command = other.get_by_text("--count 2 --seed 7")
    expect(command).to_be_hidden()
    other.get_by_text("For the command line").click()
    expect(command).to_be_visible()
    other.get_by_label("Height").fill("1")
    other.get_by_label("Difficulty").select_option("four")
    other.get_by_role("button", name="Make puzzles").click()
    expect(other.locator(".note.bad, .busy").first).to_be_visible()


def test_marks_are_set_and_undone_by_keys(new_page):
    page = new_page("#/print")
    solve(page)
    covered = page.get_by_role("gridcell", name=re.compile(": covered")).first
    marked = cell(page, int(covered.get_attribute("data-cell")))
    marked.focus()
    for key, label in (("x", "covered, cross$"), ("-", "covered, dash$"), ("Space", "covered$")):
        page.keyboard.press(key)
        expect(marked).to_have_attribute("aria-label", re.compile(label))
    page.keyboard.press("Control+z")
    expect(marked).to_have_attribute("aria-label", re.compile("covered, dash$"))
    marked.click(button="right")
    expect(marked).to_have_attribute("aria-label", re.compile("covered$"))
    page.get_by_role("button", name="Worksheet").click()
    page.keyboard.press("Control+z")  # nothing to undo here
    page.get_by_role("button", name="Solve on screen").click()
    expect(page.locator(".over-sign")).to_have_count(0)
