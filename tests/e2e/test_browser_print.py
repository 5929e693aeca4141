"""Paper puzzles: made, solved, printed; and the audit of Analyse and Print."""

import re

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import PHONE
from tests.e2e.pages import audit, enter_position

from sapper.board.position import Position
from sapper.board.tilings import tiling
from sapper.generators.paper_puzzles.make import check_paper_puzzle

pytestmark = pytest.mark.browser


def make(page: Page, seed: str = "7") -> None:
    for label, value in (
        ("Width", "4"),
        ("Height", "3"),
        ("Number of puzzles", "2"),
        ("Seed", seed),
    ):
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_role("button", name="Make puzzles").first.click()
    expect(page.locator("img.sheet")).to_have_count(1)


def solve(page: Page) -> None:
    make(page)
    page.get_by_role("button", name="Solve on screen").click()
    expect(page.locator("[data-cell]")).to_have_count(12)


def position_of(page: Page) -> Position:
    labels = page.locator("[data-cell]").evaluate_all("all => all.map(one => one.ariaLabel)")
    words = [re.sub(r".*: (\w+).*", r"\1", label) for label in labels]
    marks = [-1 if word == "covered" else 0 if word == "zero" else int(word) for word in words]
    return Position(tiling("square", 4, 3), marks)


def test_a_table_is_solved_on_the_screen_by_keyboard_and_checked(new_page):
    page = new_page("#/print")
    solve(page)
    page.get_by_label("Puzzle", exact=True).select_option("2")
    expect(page.get_by_role("grid", name="Puzzle 2")).to_be_visible()
    position = position_of(page)
    mines = set(check_paper_puzzle(position).puzzle.mine_cells.tolist())
    wrong = min(position.covered.tolist())
    cell = page.locator("[data-cell]")
    cell.nth(wrong).click()
    if wrong in mines:
        cell.nth(wrong).click()  # a cross, then a dash
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("status").first).to_contain_text("1 mark is wrong")
    expect(cell.nth(wrong)).to_have_attribute("aria-label", re.compile("wrong"))
    for covered in position.covered.tolist():
        cell.nth(covered).focus()
        page.keyboard.press("x" if covered in mines else "-")
    expect(page.locator(".note")).to_have_text("Solved: all marks are correct.")
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator('[data-cell][aria-label*="cross"]')).to_have_count(len(mines))
    expect(page.locator(".over-sign.cross")).to_have_count(1)  # all of them in one drawing


def test_the_sheet_is_seen_restyled_shared_and_downloaded(new_page, tmp_path):
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
    other = new_page(page.evaluate("location.hash"))
    expect(other.get_by_text("--count 2 --seed 7")).to_be_visible()
    other.get_by_label("Height").fill("1")
    other.get_by_label("Difficulty").select_option("four")
    other.get_by_role("button", name="Make puzzles").click()
    expect(other.locator(".note.bad, .busy").first).to_be_visible()


def contradiction(page: Page) -> None:
    enter_position(page, "2##\n1##\n#.1\n")


def proof(page: Page) -> None:
    enter_position(page, "board: hexagonal 4x3\nmines: 3\n####\n#.#F\n####\n")
    page.locator(".chip.safe").first.click()
    expect(page.locator(".why")).to_be_visible()


def open_wishes(page: Page) -> None:
    expect(page.locator("h1")).to_be_visible()
    for summary in page.locator("summary").all():
        summary.click()


VIEWS = {
    "analyse": ("#/analyse", proof),
    "contradiction": ("#/analyse", contradiction),
    "wishes": ("#/print", open_wishes),
    "sheet": ("#/print", make),
    "solve": ("#/print", solve),
}


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_audit_finds_nothing_in_the_views_of_analysis_and_paper(new_page, theme, device):
    found = {}
    for name, (where, act) in VIEWS.items():
        page = new_page(where, color_scheme=theme, **device)
        act(page)
        if report := audit(page):
            found[name] = report
        page.close()
    assert found == {}
