"""Review: by mouse, by keyboard, with a screen reader, and from files."""

import base64
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from sapper import review
from sapper.games.win_review import win_review
from tests.e2e.conftest import PHONE
from tests.e2e.pages import cell, game_of, go, open_saved, reveal
from tests.sessions import random_session

pytestmark = pytest.mark.browser

# One certain opening, one mistake where r1c5 was safe, and the loss.
GAME = """sapper: game 1
board: square 5x3
layout: r1c4 r3c5
rule: safe

0.000 reveal r1c1
2.500 reveal r2c5
4.000 reveal r3c5
"""
REPLAYS = Path(__file__).parents[1] / "data" / "replays"


def open_review(page: Page, game: str) -> None:
    """Open a saved game with the button of the Review view."""
    go(page, "#/review")
    file = {"name": "game.txt", "mimeType": "text/plain", "buffer": game.encode()}
    page.set_input_files("input[type=file]", file)


@pytest.fixture
def open_game(new_page):
    def open_in_new_page(game: str, **device: object) -> Page:
        page = new_page("#/review", **device)
        open_review(page, game)
        return page

    return open_in_new_page


def move_slider(page: Page):
    return page.get_by_role("slider", name="Move", exact=True)


def test_review_starts_at_the_first_mistake(open_game):
    page = open_game(GAME)
    expect(page.locator(".review-move")).to_contain_text("Move 2: ")
    expect(page.locator(".review-move")).to_contain_text("50% risk; another cell was safe.")
    expect(cell(page, 9)).to_have_attribute("aria-label", "r2c5: covered, mine 50%, the move")
    expect(page.locator(".alternatives")).to_contain_text("1 cell was safe.")
    expect(page.locator(".why")).to_contain_text("Why the ringed cell is safe:")
    # Win chances come later and draw the panel again, without what the pointer highlights.
    expect(page.locator(".graph-line").last).to_be_attached()
    page.get_by_role("button", name="1 cell", exact=True).hover()
    expect(page.locator(".over-highlight")).to_have_attribute("data-cell-of", "4")
    expect(page.locator(".over-ring.inner")).to_have_attribute("data-cells", "4")
    expect(page.locator(".jumps h3").first).to_have_text("2 mistakes")
    expect(page).to_have_url(re.compile(r"#/review/[\w-]+\?move=2"))


def test_timeline_has_a_bar_for_each_move(open_game):
    session = random_session(5)
    page = open_game(session.save())
    moves = review(session).moves
    bars = page.locator(".move-bars .move")
    expect(bars).to_have_count(len(moves))
    # Win chances come later and draw the graph with its bars again.
    expect(page.locator(".graph-line").last).to_be_attached()
    classes = [bar.get_attribute("class").split()[1] for bar in bars.all()]
    assert classes == [move.move_class for move in moves]
    for number in (1, len(moves)):
        box = bars.nth(number - 1).bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(page.locator(".step-count")).to_have_text(f"{number} of {len(moves)}")
        marks = moves[number - 1].position.marks
        revealed = page.locator(".cell.open")
        expect(revealed).to_have_count(int((marks >= 0).sum()))


def test_graph_has_the_win_chance_of_each_move_and_marks_mistakes(open_game):
    session = random_session(5)
    page = open_game(session.save())
    win = win_review(review(session))
    line = page.locator(".graph-line").last
    expect(line).to_be_attached()
    heights = [100 * (1 - move.before) for move in win.moves if move.before is not None]
    drawn = [float(point.split()[1]) for point in line.get_attribute("d")[1:].split("L")]
    assert drawn == pytest.approx([*heights, 100 * (1 - win.end)], abs=0.01)
    found = [move.severity for move in win.moves if move.severity]
    assert found
    for severity in set(found):
        marks = page.locator(f".marks .mistake-mark.{severity}")
        expect(marks).to_have_count(found.count(severity))
    figures = page.locator(".review-figures")
    expect(figures).to_contain_text(
        re.compile(r"Lost by mistakes.\d+\.\d pointsLuck.?\d+\.\d points")
    )
    number = next(i for i, move in enumerate(win.moves, 1) if move.severity)
    box = page.locator(".marks .mistake-mark").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".step-count")).to_have_text(f"{number} of {len(win.moves)}")
    move = win.moves[number - 1]
    expect(page.locator(".review-move")).to_contain_text(move.severity)
    expect(page.get_by_role("meter")).to_have_attribute(
        "aria-valuenow", str(int(100 * move.before + 0.5))
    )


def test_review_by_keyboard_and_screen_reader(open_game):
    page = open_game(GAME)
    expect(move_slider(page)).to_have_value("2")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#status")).to_have_text(
        re.compile(
            "^Move 3 of 3: reveal r3c5. [A-Z][a-z]+. 100% risk; another cell was safe. It hit"
        )
    )
    page.keyboard.press("ArrowRight")
    expect(page.locator("#status")).to_have_text("End of the game")
    expect(page.get_by_role("gridcell", name="r3c5: exploded mine")).to_have_count(1)
    page.keyboard.press("p")
    expect(page.locator(".step-count")).to_have_text("3 of 3")
    page.keyboard.press("Home")
    expect(page.locator(".step-count")).to_have_text("1 of 3")
    page.keyboard.press("p")
    expect(page.locator("#alert")).to_have_text("No more mistakes in this direction.")
    move_slider(page).focus()
    page.keyboard.press("ArrowRight")
    expect(move_slider(page)).to_have_attribute(
        "aria-valuetext", re.compile("^Move 2 of 3: reveal r2c5")
    )
    # On a cell the arrows move the focus, letters step through moves, and Enter shows a proof.
    cell(page, 0).focus()
    page.keyboard.press("End")
    expect(cell(page, 4)).to_be_focused()
    expect(page.locator(".step-count")).to_have_text("2 of 3")
    expect(cell(page, 4)).to_have_attribute("aria-label", re.compile("safe"))
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text("r1c5")
    page.keyboard.press("b")
    expect(page.locator(".step-count")).to_have_text("1 of 3")


def test_end_card_shows_luck_and_links_to_the_review(new_page, shared):
    page = new_page(shared.invitation)
    game_of(page)
    open_saved(page, "...*.\n.....\n....*")
    cell(page, 3).click()
    expect(page.locator(".end-review")).to_contain_text(
        "Accuracy 100%, 0 mistakes, luck score \N{MINUS SIGN}0.05"
    )
    page.locator(".end-review").get_by_role("link", name="Review").click()
    expect(page.locator(".review-move")).to_contain_text("Move 1: forced guess")
    page.get_by_role("link", name="Statistics", exact=True).click()
    expect(page.locator(".luck")).to_contain_text("Luck score \N{MINUS SIGN}0.05 ± 0.")
    for title, value in (("Luck", "\N{MINUS SIGN}0.05"), ("Accuracy", "100%")):
        chart = page.locator(".luck").get_by_role("figure", name=re.compile(f"^{title}"))
        chart.get_by_text("As a table").click()
        expect(chart.locator("tbody tr")).to_contain_text(value)
        row_link = chart.locator("tbody").get_by_role("link")
        expect(row_link).to_have_attribute("href", re.compile("#/review/"))
    page.get_by_role("link", name="Review your games.").click()
    row = page.get_by_role("row").filter(has_text="lost")
    expect(row).to_contain_text(re.compile("Square 5x3/2.*lost\N{MINUS SIGN}0.05100%"))
    row.get_by_role("link").click()
    expect(page.locator(".step-count")).to_have_text("1 of 1")


def test_replay_dropped_on_any_view_is_reviewed(new_page):
    pytest.importorskip("ms_toollib")
    page = new_page("#/help")
    drop(page, "replay.rmv", (REPLAYS / "guess.rmv").read_bytes())
    # Of two moves the second was a guess where something was certain.
    expect(page.locator(".step-count")).to_have_text("2 of 2")
    expect(page.locator(".move-bars .move")).to_have_count(2)
    expect(page.locator(".drop-notice")).to_be_hidden()


def drop(page: Page, name: str, data: bytes):
    """Drop a file on the page."""
    expect(page.locator("h1").first).to_be_attached()
    transfer = page.evaluate_handle(
        """([name, text]) => {
            const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
            const transfer = new DataTransfer();
            transfer.items.add(new File([bytes], name));
            return transfer;
        }""",
        [name, base64.b64encode(data).decode()],
    )
    page.dispatch_event("main", "dragenter", {"dataTransfer": transfer})
    expect(page.locator(".drop-notice")).to_be_visible()
    page.dispatch_event("main", "drop", {"dataTransfer": transfer})


def test_other_files_open_in_their_view_and_bad_ones_are_reported(new_page):
    page = new_page("#/help")
    drop(page, "position.txt", b"mines: 1\n1##")
    expect(page.locator(".headline")).to_have_text("2 cells are certain.")
    drop(page, "broken.rmv", b"*rmv" + bytes(80))
    expect(page.locator("#alert")).to_have_text(
        "broken.rmv: cannot read this rmv replay: the file is damaged"
    )
    drop(page, "large.avf", bytes(900_001))
    expect(page.locator("#alert")).to_contain_text("at most 900,000 bytes")
    drop(page, "layout.txt", b"*..\n..c")
    expect(page).to_have_url(re.compile("#/play/"))
    expect(page.locator("[data-cell]")).to_have_count(6)


def test_unknown_game_or_puzzle_is_reported(new_page):
    page = new_page("#/review/nothing")
    expect(page.get_by_text("This page cannot be shown")).to_be_visible()
    go(page, "#/puzzles/square-ten-1")
    expect(page.locator("#alert")).to_contain_text("there is no puzzle 'square-ten-1'")


def test_tap_on_the_timeline_goes_to_that_move(open_game):
    page = open_game(random_session(5).save(), **PHONE)
    expect(page.locator(".move-bars .move").first).to_be_attached()
    box = page.locator(".plot").bounding_box()
    page.touchscreen.tap(box["x"] + 12, box["y"] + box["height"] / 2)
    expect(page.locator(".step-count")).to_contain_text(re.compile("^1 of"))
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["viewport"]["width"]


def test_review_of_a_no_guess_game_says_what_luck_is_relative_to(new_page):
    page = new_page("#/play?size=9x9/10&seed=2&generator=no-guess")
    reveal(page, 40)
    page.goto(f"{page.url.partition('#')[0]}#/review/{game_of(page)}")
    note = page.get_by_text("luck is measured as if it were random")
    expect(note).to_be_visible()
    open_review(page, GAME)
    expect(page.locator(".step-count")).to_have_text("2 of 3")
    expect(note).to_be_hidden()


def test_game_is_played_back_retried_and_missed_cells_are_listed(open_game):
    page = open_game(GAME)
    count = page.locator(".step-count")
    expect(count).to_have_text("2 of 3")
    page.keyboard.press("Home")
    expect(count).to_have_text("1 of 3")
    page.get_by_role("button", name="Play the moves").click()
    expect(count).to_have_text("End")  # it stops by itself
    expect(page.locator(".review-move")).to_contain_text("Lost after 3 reveals")
    expect(page.get_by_role("button", name="Next mistake")).to_be_disabled()
    expect(page.locator(".jumps")).to_contain_text("Safe cells you missed")
    page.get_by_role("button", name="Move 2: 1 cell missed for 2 moves").click()
    expect(count).to_have_text("2 of 3")
    expect(page.locator(".over-ring.inner")).to_have_attribute("data-cells", "4")
    marks = page.locator(".cell.open").count()
    page.get_by_role("button", name="Retry this move").click()
    expect(page).to_have_url(re.compile("#/play/"))
    expect(page.locator(".badges")).to_contain_text("replay")
    expect(page.locator(".cell.open")).to_have_count(marks)
    cell(page, 4).click()  # the game can be played on
    expect(page.locator(".cell.open")).to_have_count(marks + 1)
