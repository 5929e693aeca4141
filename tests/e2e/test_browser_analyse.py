"""Any position analysed in the browser: pasted, painted, shared, contradictory, cancelled."""

import json
import re
import statistics
import subprocess
import sys

import pytest
from playwright.sync_api import Page, Request, expect
from tests.analyse_command import drawn_labels, shown_labels, spoken_label
from tests.e2e.conftest import PHONE
from tests.e2e.pages import TEXT, enter_position, measured
from tests.unit.web.features.test_web_analyse import POSITIONS

from sapper.board.position import Position
from sapper.board.rules import Rules
from sapper.board.tilings import tiling
from sapper.engine.analysis import analyse
from sapper.games.game import Game
from sapper.generators.layouts import generate
from sapper.wording import percent_label

pytestmark = pytest.mark.browser


def shown(page: Page) -> list[str]:
    return page.locator("[data-cell]").evaluate_all("all => all.map(one => one.ariaLabel)")


def test_the_overlay_says_what_the_command_says_on_ten_positions(new_page, tmp_path):
    page = new_page("#/analyse")
    for name, text in POSITIONS.items():
        file = tmp_path / "position.txt"
        file.write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "sapper", "analyse", str(file), "--json"]
        found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        position = Position.parse(text)
        enter_position(page, text)
        names = position.names(position.board.cells)
        labels = dict(zip(names, shown(page), strict=True))
        expected = {cell: percent_label(p) for cell, p in found["probabilities"].items()}
        assert {cell: spoken_label(labels[cell]) for cell in expected} == expected, name
        assert shown_labels(page) == drawn_labels(text), name


def test_a_position_is_pasted_painted_undone_and_shared(new_page):
    page = new_page("#/analyse")
    enter_position(page, "mines: 2\n1##\n###\n###\n")
    cell = page.locator("[data-cell]")
    page.get_by_role("button", name="Number 1", exact=True).click()
    one, two = cell.nth(3).bounding_box(), cell.nth(5).bounding_box()
    page.mouse.move(one["x"] + 9, one["y"] + 9)
    page.mouse.down()
    page.mouse.move(two["x"] + 9, two["y"] + 9)
    page.mouse.up()
    expect(page.get_by_label(TEXT)).to_have_value("mines: 2\n1##\n111\n###\n")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label(TEXT)).to_have_value("mines: 2\n1##\n###\n###\n")
    cell.nth(3).focus()
    for key, text in (
        ("1", "1##\n1##"),
        ("f", "1##\nF##"),
        ("Delete", "1##\n###"),
        ("1", "1##\n1##"),
    ):
        page.keyboard.press(key)
        expect(page.get_by_label(TEXT)).to_have_value(f"mines: 2\n{text}\n###\n")
    with page.expect_response(lambda answer: asks_without_mines(answer.request)) as answer:
        page.get_by_label("Mines; leave empty").fill("")
    expect(page.get_by_label(TEXT)).to_have_value("1##\n1##\n###\n")
    link = answer.value.json()["link"]
    expect(page).to_have_url(re.compile(re.escape(link) + "$"))  # the address follows at rest
    other = new_page(link)
    expect(other.get_by_label(TEXT)).to_have_value("1##\n1##\n###\n")
    other.evaluate(
        """() => {
            const given = new DataTransfer();
            given.setData("text", "2x1x1\\nH1");
            document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: given }));
        }"""
    )
    expect(other.get_by_label(TEXT)).to_have_value("mines: 1\n#1\n")
    other.get_by_label(TEXT).fill("nonsense")
    expect(other.locator("#text-problem")).to_contain_text("expected one of")


def asks_without_mines(request: Request) -> bool:
    return request.url.endswith("/api/analysis") and request.post_data_json["mines"] is None


def test_a_second_change_of_the_board_waits_for_the_first(new_page):
    page = new_page("#/analyse")
    enter_position(page, "1##\n###\n")
    held = []
    page.route("**/api/boards/square/4x2*", lambda route: held.append(route))
    with page.expect_request("**/api/boards/square/4x2*"):
        page.get_by_label("Width").fill("4")
        page.get_by_label("Width").press("Enter")
    page.get_by_label("Board shape").select_option("hexagonal")
    page.wait_for_timeout(300)  # the shapes of the second board would be here by now
    assert len(held) == 1
    held[0].continue_()
    expect(page.get_by_label(TEXT)).to_have_value("board: hexagonal 4x2\n1###\n####\n")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label(TEXT)).to_have_value("1###\n####\n")


def test_a_click_on_a_certain_cell_shows_its_proof(new_page):
    page = new_page("#/analyse")
    enter_position(page, POSITIONS["count"])
    page.locator("[data-cell]").nth(6).click()
    expect(page.locator(".why")).to_contain_text("Safe, from the numbers at r1c1, r2c1.")
    for number in (0, 3):
        expect(page.locator("[data-cell]").nth(number)).to_have_attribute("data-over", "proof")
    page.locator("[data-cell]").nth(1).click()
    expect(page.locator(".about-cell")).to_contain_text("mine 50%")
    expect(page.locator(".bars li")).to_have_count(2)
    assert page.locator(".share-of").all_text_contents() == ["16.7%", "33.3%"]


def test_a_contradiction_is_shown_on_the_board(new_page):
    page = new_page("#/analyse")
    enter_position(page, "2##\n1##\n#.1\n")
    expect(page.locator(".headline")).to_have_text("Impossible position")
    marked = page.locator('[data-over="lost"]').first
    expect(marked).to_have_attribute("aria-label", re.compile("contradiction"))


def lattice() -> str:
    """Return a position of 41x41 with isolated numbers that is too complex to analyse."""
    board = tiling("square", 41, 41)
    rules = Rules(board, 504, "any")
    layout = generate(rules, 7, 0).layout
    cells = [
        row * 41 + column
        for row in range(1, 41, 2)
        for column in range(1, 41, 2)
        if not layout.mine_mask[row * 41 + column]
    ]
    return str(layout.position(cells, mines=504))


def test_a_long_analysis_can_be_cancelled_and_the_page_stays_quick(new_page):
    page = new_page("#/analyse")
    expect(page.locator(".headline")).to_be_visible()
    page.get_by_label(TEXT).fill(lattice())
    expect(page.locator(".busy")).to_be_visible()
    page.locator("[data-cell]").nth(40).focus()
    page.keyboard.press("f")  # an edit is painted at once, while the work is going on
    expect(page.locator("[data-cell]").nth(40)).to_have_attribute("aria-label", re.compile("flag"))
    expect(page.locator(".busy")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Analyse again")).to_be_visible()
    # The engine is free again long before the budget of 20 s ends: its two places were left.
    page.get_by_label(TEXT).fill(POSITIONS["count"])
    expect(page.locator(".headline")).to_have_text("2 cells are certain.")


def test_a_finger_paints_with_the_palette(new_page):
    page = new_page("#/analyse", **PHONE)
    enter_position(page, "###\n###\n")
    page.get_by_role("button", name="Number 2", exact=True).tap()
    page.locator("[data-cell]").nth(1).tap()
    expect(page.get_by_label(TEXT)).to_have_value("#2#\n###\n")
    page.get_by_role("button", name="Flag", exact=True).tap()
    page.locator("[data-cell]").nth(4).tap()
    expect(page.get_by_label(TEXT)).to_have_value("#2#\n#F#\n")
    enter_position(page, "#########\n" * 9)
    page.set_viewport_size({"width": 844, "height": 390})  # turned round, beside the palette
    expect(page.locator(".grid svg")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Number 8", exact=True)).to_be_in_viewport(ratio=1)


def test_from_a_game_one_click_takes_the_position_here(new_page):
    page = new_page("#/play?size=5x5/3&tiling=square&rule=zero&seed=2")
    page.locator('[data-cell="12"]').click()
    expect(page.locator('[data-cell="12"]')).to_have_attribute("aria-label", re.compile("zero"))
    page.get_by_role("button", name="Analyse this position").click()
    expect(page.get_by_label("Mines; leave empty")).to_have_value("3")
    expect(page.locator('[data-cell="12"]')).to_have_attribute("aria-label", re.compile("zero"))


def opened(size: str, seed: int) -> str:
    """Return the position of a game after some certain moves."""
    game = Game.new(Rules.parse(size, "square", "zero"), seed)
    game.play(f"reveal {game.board.name(len(game.board) // 2)}")
    for _ in range(3):
        for name in analyse(game.position).safe:
            if game.position.marks[game.board.cell(name)] < 0:
                game.play(f"reveal {name}")
    return str(game.position)


@pytest.mark.parametrize(("size", "bar"), [("expert", 150), ("100x100/2000", 1000)])
def test_the_overlay_follows_an_edit_soon(new_page, log_time, size, bar):
    page = new_page("#/analyse")
    enter_position(page, opened(size, 5))
    page.evaluate("performance.clearMeasures()")
    cell = page.locator("[data-cell]").nth(0)
    cell.focus()
    for count in range(1, 10):
        page.keyboard.press("f")
        times = measured(page, "edit to probabilities", count)
    median = statistics.median(times)
    log_time(f"an edit to its probabilities on {size.replace('/', ' with ')}, bar {bar} ms", median)
