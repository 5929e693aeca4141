"""The table of keys: no conflicts, complete in Help, and followed by every view."""

import re
from collections import Counter

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

TABLE = "import('/static/lib/keys.js').then(keys => keys.KEYS)"


def keys_of(page: Page) -> list[dict]:
    rows: list[dict] = page.evaluate(TABLE)
    assert len(rows) > 30
    return rows


def test_no_key_means_two_things_in_a_view(new_page):
    rows = keys_of(new_page("#/help"))
    found = Counter(
        # On a cell a key may mean one thing, and beside it another.
        (view, key, row.get("cell", False))
        for row in rows
        for view in row["in"]
        for key in row["keys"] + row.get("also", [])
    )
    assert [twice for twice, count in found.items() if count > 1] == []


def test_help_is_written_from_the_table(new_page):
    page = new_page("#/help")
    expect(page.get_by_role("heading", name="All boards")).to_be_visible()
    rows = keys_of(page)
    boards = max(len(row["in"]) for row in rows)
    everywhere = [row for row in rows if len(row["in"]) == boards]
    expected = Counter(row["does"] for row in everywhere)
    for row in rows:
        if row not in everywhere:
            expected[row["does"]] += len(row["in"])
    shown = page.locator("dt:has(kbd) + dd").all_text_contents()
    assert Counter(shown) == expected
    for does, keys in (
        ("undo", ["U", "Ctrl+Z"]),
        ("move on the board", ["←", "↑", "→", "↓"]),
        ("five rows up or down", ["Page Up", "Page Down"]),
        ("cover the cell", ["Space", "Delete"]),
        ("set a number; A, B, C are 10 to 12", ["0", "…", "9", "A", "B", "C"]),
    ):
        row = page.locator("dt:has(kbd)").filter(
            has=page.locator(f'xpath=following-sibling::dd[1][text()="{does}"]')
        )
        expect(row.first.locator("kbd")).to_have_text(keys)


def test_letters_work_in_upper_case_and_the_browsers_own_keys_are_left_alone(new_page):
    page = new_page("#/play?size=5x5/3&seed=2")
    cell = page.locator('[data-cell="0"]')
    cell.focus()
    page.keyboard.press("Alt+f")
    page.keyboard.press("Control+f")
    page.keyboard.press("Shift+F")
    expect(cell).to_have_attribute("aria-label", re.compile("flag"))
    page.keyboard.press("Control+z")
    expect(cell).to_have_attribute("aria-label", re.compile("covered"))
    page.keyboard.press("Control+Shift+z")
    expect(cell).to_have_attribute("aria-label", re.compile("flag"))
    page.keyboard.press("Alt+ArrowRight")
    expect(cell).to_be_focused()


def test_a_view_that_was_left_hears_no_keys(new_page):
    page = new_page("#/learn/strategy-1")
    expect(page.locator("[data-cell]")).to_have_count(25)
    page.get_by_role("link", name="Statistics").click()
    expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
    page.keyboard.press("m")  # flag mode, in a lesson
    page.get_by_role("link", name="Learn").click()
    mode = page.get_by_role("button", name="Flag mode")
    expect(mode).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("m")
    expect(mode).to_have_attribute("aria-pressed", "true")


def test_tables_are_solved_and_undone_by_keys_while_they_are_seen(new_page):
    page = new_page("#/print")
    for label, value in (
        ("Width", "4"),
        ("Height", "3"),
        ("Number of puzzles", "1"),
        ("Seed", "7"),
    ):
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_role("button", name="Make puzzles").first.click()
    page.get_by_role("button", name="Solve on screen").click()
    covered = page.get_by_role("gridcell", name=re.compile(": covered")).first
    number = covered.get_attribute("data-cell")
    cell = page.locator(f'[data-cell="{number}"]')
    cell.focus()
    for key, label in (("x", "covered, cross$"), ("-", "covered, dash$"), ("Space", "covered$")):
        page.keyboard.press(key)
        expect(cell).to_have_attribute("aria-label", re.compile(label))
    page.keyboard.press("Control+z")
    expect(cell).to_have_attribute("aria-label", re.compile("covered, dash$"))
    cell.click(button="right")
    expect(cell).to_have_attribute("aria-label", re.compile("covered$"))
    page.get_by_role("button", name="Worksheet").click()
    page.keyboard.press("Control+z")  # nothing is there to take it
    page.get_by_role("button", name="Solve on screen").click()
    expect(page.locator(".over-sign")).to_have_count(0)
