"""Hints and probabilities: each level of detail, and the same numbers as the command."""

import re
import statistics

import pytest
from playwright.sync_api import Page, expect
from tests.analyse_command import (
    drawn_labels,
    labels_of,
    probabilities_of,
    shown_labels,
    spoken_labels,
)
from tests.e2e.pages import measured, open_saved
from tests.oracle.naive_hints import proves

from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.board.rules import Rules
from sapper.generators.layouts import generate
from sapper.wording import percent

pytestmark = pytest.mark.browser

FIRST = 235
# The first hint of this deal: r1c23 has its mine, so r1c22 is free.
NUMBER, SAFE = 22, 21
PROBABILITIES = "probabilities to paint"


def cell(page: Page, number: int):
    return page.locator(f'[data-cell="{number}"]')


@pytest.fixture
def expert(new_page) -> Page:
    page = new_page("#/play?size=expert&seed=3")
    cell(page, FIRST).click()
    expect(cell(page, FIRST)).to_have_class(re.compile("open"))
    return page


def layout_of(size: str, seed: int, first: int) -> Layout:
    return generate(Rules.parse(size), seed, first).layout


def position_of(page: Page) -> str:
    game = page.url.rpartition("/")[2]
    return page.evaluate(
        f"fetch('/api/games/{game}/share').then(r => r.json()).then(s => s.position)"
    )


def over(page: Page, ground: str) -> list[int]:
    marked = page.locator(f'[data-cell][data-over="{ground}"]')
    return marked.evaluate_all("cells => cells.map(cell => Number(cell.dataset.cell))")


def percent_of(label: str) -> str:
    return f"{label.removesuffix('.0')}%"


def free_covered(page: Page, layout: Layout) -> list[int]:
    covered = page.locator("[data-cell].covered")
    found = covered.evaluate_all("cells => cells.map(cell => Number(cell.dataset.cell))")
    return [number for number in found if not layout.mine_mask[number]]


def test_each_degree_shows_what_it_may_and_no_more(expert):
    page, words = expert, expert.locator(".hint-text").first
    page.keyboard.press("h")
    expect(words).to_have_text("Look at the shaded cells.")
    expect(page.locator("#status")).to_have_text("Look around r1c23.")
    assert NUMBER in over(page, "proof")
    assert len(over(page, "proof")) == 6  # the place, at the edge of the board
    assert over(page, "certain-safe") == []
    page.keyboard.press("h")
    expect(words).to_have_text("Look at the outlined 1.")
    assert over(page, "proof") == [NUMBER]
    assert over(page, "certain-safe") == []
    expect(cell(page, NUMBER)).to_have_attribute("aria-label", re.compile("1, number to look at$"))
    page.keyboard.press("h")
    expect(words).to_contain_text("so the marked cell is safe")
    expect(page.locator("#status")).to_contain_text("so r1c22 is safe")
    assert (over(page, "proof"), over(page, "certain-safe")) == ([NUMBER], [SAFE])
    expect(cell(page, SAFE)).to_have_attribute("aria-label", re.compile("certainly safe$"))
    page.get_by_role("button", name="4 Do it").click()
    expect(words).to_have_text("Done: reveal r1c22.")
    expect(cell(page, SAFE)).to_have_class(re.compile("open"))
    assert over(page, "certain-safe") == over(page, "proof") == []
    expect(page.locator(".figures")).to_contain_text("Hints4")
    expect(page.locator(".badges")).to_contain_text("helped")


def test_nothing_certain_is_said_plainly_with_the_risk(new_page):
    page = new_page("#/play")
    open_saved(page, "*..\n..*")
    cell(page, 1).click()
    expect(cell(page, 1)).to_have_class(re.compile("open"))
    words = page.locator(".hint-text").first
    for found in ("the shaded cells.", "Compare A (", "if safe it shows", "because"):
        page.keyboard.press("h")
        expect(words).to_contain_text(found)
        expect(words).to_contain_text("No covered cell is certainly safe")
    take = page.get_by_role("button", name=re.compile("Take the guess .40% risk"))
    expect(take).to_be_visible()  # a risk is never taken unasked
    expect(page.locator("[data-cell].open")).to_have_count(1)
    page.keyboard.press("o")
    expect(page.locator(".hint-text").last).to_contain_text("No cell is certain.")
    guess = page.locator(".best-guess")
    expect(guess).to_contain_text(re.compile(r"Best guess r\dc\d, 40% risk. Why: "))
    expect(guess.locator("li").first).to_contain_text("40%: as risky")
    page.keyboard.press("Escape")
    expect(page.locator(".panel")).to_be_hidden()
    assert over(page, "guess") == shown_labels(page) == []


def shown_number(page: Page) -> dict[str, list[int]]:
    """Return the cells of a hint from their labels: numbers, known mines, moves."""
    labels = page.locator("[data-cell]").evaluate_all(
        "cells => cells.map(cell => cell.getAttribute('aria-label'))"
    )
    ends = {
        "values": "number to look at",
        "known": "known: mine",
        "free": "certainly safe",
        "mines": "certainly a mine",
    }
    return {
        key: [k for k, label in enumerate(labels) if label.endswith(end)]
        for key, end in ends.items()
    }


@pytest.mark.parametrize("tiling", ["square", "hexagonal"])
def test_what_is_shown_on_the_board_proves_the_move(new_page, tiling):
    page = new_page(f"#/play?size=9x9/14&seed=4&tiling={tiling}")
    cell(page, 40).click()
    expect(cell(page, 40)).to_have_class(re.compile("open"))
    proved = known = 0
    for _ in range(12):
        words = page.locator(".hint-text").first
        for detail in range(3):
            page.keyboard.press("h")
            found = page.locator(".detail").nth(detail)
            expect(found).to_have_attribute("aria-pressed", "true")
        if "No covered cell" in words.text_content():
            break
        position, shown = Position.parse(position_of(page)), shown_number(page)
        total = position.mines if "mine count" in words.text_content() else None
        moves = [(c, False) for c in shown["free"]] + [(c, True) for c in shown["mines"]]
        assert moves
        for number, is_mine in moves:
            given = (shown["values"], shown["known"], total, number, is_mine)
            assert proves(position.board, position.marks.tolist(), *given)
        assert page.locator(".premises > li").count() == len(shown["known"])
        proved, known = proved + 1, known + len(shown["known"])
        page.keyboard.press("h")
        expect(words).to_have_text(re.compile("^Done"))
    assert proved > 4 and known > 0


def test_words_point_at_their_cells_and_a_known_mine_opens_its_reason(expert):
    page = expert
    for found in ("shaded", "outlined 1", "so the marked cell"):
        page.keyboard.press("h")
        expect(page.locator(".hint-text").first).to_contain_text(found)
    page.get_by_role("button", name="The outlined 1").hover()
    expect(page.locator(".over-highlight")).to_have_attribute("data-cell-of", str(NUMBER))
    page.locator(".premise summary").click()
    expect(page.locator(".premise p")).to_contain_text("has only 1 covered cell, so it is a mine")
    expect(page.locator(".over-highlight")).to_have_count(2)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Cell names in explanations").check()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="3 What follows").click()
    expect(page.locator(".hint-text").first).to_contain_text("so r1c22 is safe")


def test_the_overlay_is_that_of_the_command_on_ten_positions(expert, log_time):
    page, layout = expert, layout_of("expert", 3, FIRST)
    page.keyboard.press("o")
    positions = set()
    for turn in range(10):
        position = position_of(page)
        positions.add(position)
        expected = labels_of(position)
        expect(page.locator(".over-label")).to_have_count(len(drawn_labels(position)))
        assert shown_labels(page) == drawn_labels(position)
        assert spoken_labels(page) == expected
        covered = free_covered(page, layout)
        cell(page, covered[turn * 37 % len(covered)]).click()
        expect(cell(page, covered[turn * 37 % len(covered)])).to_have_class(re.compile("open"))
    assert len(positions) == 10
    log_time(
        "probabilities overlay on Expert, median",
        statistics.median(measured(page, PROBABILITIES, 5)),
    )


def test_the_overlay_of_100x100_comes_soon(new_page, log_time):
    page = new_page("#/play?size=100x100/1600&seed=1")
    cell(page, 5050).click()
    expect(cell(page, 5050)).to_have_class(re.compile("open"))
    cell(page, 0).focus()
    page.keyboard.press("o")
    for flagged in range(7):
        measured(page, PROBABILITIES, flagged + 1)
        page.keyboard.press("f")
        expect(cell(page, flagged)).to_have_class(re.compile("flag"))  # the server has it, too
        page.keyboard.press("ArrowRight")
    expected = labels_of(position_of(page))
    last = f"mine {percent_of(expected[-1])}, as all cells away from numbers"
    # A move takes the drawn labels away at once, the spoken ones stay until the next answer.
    expect(page.locator(".over-label.wide")).to_have_text(percent_of(expected[-1]))
    expect(cell(page, 9999)).to_have_attribute("aria-label", re.compile(f"{last}$"))
    assert spoken_labels(page) == expected
    log_time(
        "probabilities overlay on 100x100, median",
        statistics.median(measured(page, PROBABILITIES, 5)),
    )


def test_the_numbers_of_a_cell_are_shown_under_pointer_and_focus(expert):
    page = expert
    found = probabilities_of(position_of(page), "--values")
    page.keyboard.press("o")
    side = page.locator(".values")
    expect(page.locator(".over-label").first).to_be_attached()
    cell(page, 0).hover()
    expected = [percent(found["probabilities"]["r1c1"])]
    expected += [percent(p) for p in found["values"]["r1c1"].values()]
    expect(side.locator("dd span")).to_have_text(expected)
    cell(page, 1).focus()
    expect(side).to_contain_text("r1c2 may be")
    expect(side.locator("dt")).to_have_text(["mine", *found["values"]["r1c2"]])
    assert page.locator(".figures").text_content().endswith("Hints1")


def test_playing_goes_on_while_an_analysis_runs_and_it_can_be_stopped(expert):
    page = expert
    held = []
    page.route("**/probabilities", lambda route: held.append(route))  # an analysis that never ends
    page.keyboard.press("o")
    expect(page.get_by_text("Working …")).to_be_visible()
    for number in (SAFE, SAFE + 30):
        with page.expect_request(
            "**/probabilities"
        ):  # each move sends a new request and cancels the old one
            cell(page, number).click(button="right")
        expect(cell(page, number)).to_have_attribute("aria-label", re.compile("flag"))
    expect(page.get_by_text("Working …")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Working …")).to_be_hidden()
    probabilities = page.get_by_role("button", name="Probabilities")
    expect(probabilities).to_have_attribute("aria-pressed", "false")


# What the page sends while the end card is shown; before that a question may cross the last move.
NOTE_QUESTIONS = """() => {
  const send = window.fetch;
  window.atTheEnd = [];
  window.fetch = (url, ...rest) => {
    if (document.querySelector(".end-card")?.checkVisibility()) atTheEnd.push(String(url));
    return send(url, ...rest);
  };
}"""


def test_the_end_of_a_game_asks_for_no_help_and_takes_its_place(new_page):
    page = new_page()
    open_saved(page, "*.*\n...\n...")
    cell(page, 6).click()
    expect(cell(page, 4)).to_have_class(re.compile("open"))
    page.get_by_role("button", name="Probabilities").click()
    expect(page.locator(".hint-text").last).to_contain_text("1 safe cell")
    help_panel = page.get_by_role("complementary", name="Hints and probabilities")
    card = page.locator(".end-card")
    page.evaluate(NOTE_QUESTIONS)
    cell(
        page, 0
    ).click()  # the pointer is on a cell with probabilities, whose numbers would be asked for
    expect(card).to_contain_text("Lost")
    expect(help_panel).to_be_hidden()
    page.wait_for_timeout(200)  # longer than a pointer has to rest
    card.get_by_role("button", name="Undo").click()
    expect(help_panel).to_be_visible()
    expect(page.locator(".hint-text").last).to_contain_text("1 safe cell")
    cell(page, 1).click()
    expect(card).to_contain_text("Finished after 1 loss")
    expect(card.locator(".end-figures")).to_contain_text(
        "Best\N{EN DASH}"
    )  # what was lost sets none
    expect(help_panel).to_be_hidden()
    page.wait_for_timeout(200)
    asked = page.evaluate("atTheEnd")
    assert not [url for url in asked if url.endswith("/values")]
