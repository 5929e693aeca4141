"""How probabilities are drawn: certain cells, the interior, the best guess."""

import re

import pytest
from playwright.sync_api import Page, expect

from sapper.board.position import Position
from sapper.board.tilings import tiling
from sapper.engine.analysis import analyse
from sapper.engine.budget import DEFAULT_BUDGET
from sapper.games.win_chance import refine_move_win_chances
from sapper.players.hints import best_guess
from sapper.wording import percent
from tests.analyse_command import shown_labels
from tests.e2e.pages import (
    cell,
    enter_position,
    marks_of,
    open_saved,
    overlay_cells,
    position_of,
    reveal,
)

pytestmark = pytest.mark.browser

# The first click leaves certain cells, uncertain cells and an interior.
GAME, FIRST = "#/play?size=16x16/40&seed=5", 120


def show_probabilities(page: Page) -> None:
    reveal(page, FIRST)
    page.get_by_role("button", name="Probabilities").click()
    expect(page.locator(".over-label").first).to_be_attached()


def colours(page: Page, selector: str) -> set[str]:
    fills = "paths => paths.map(path => getComputedStyle(path).fill)"
    return set(page.locator(selector).evaluate_all(fills))


def test_certain_cells_have_signs_and_colours_of_their_own(new_page):
    page = new_page(GAME)
    show_probabilities(page)
    analysis = analyse(Position.parse(position_of(page)))
    assert overlay_cells(page, "certain-safe") == analysis.safe_cells.tolist()
    assert overlay_cells(page, "certain-mine") == analysis.certain_mine_cells.tolist()
    drawn = page.locator(".over-sign.safe, .over-sign.mine").evaluate_all(
        "paths => paths.map(path => path.getAttribute('d').split('M').length - 1)"
    )
    assert sum(drawn) == len(analysis.safe_cells) + len(analysis.certain_mine_cells) > 0
    # The extremes of the scale, which this position may not show.
    page.evaluate(
        """() => [1, 99].forEach((step) => {
            const path = document.querySelector(".over-fill").cloneNode();
            path.dataset.probability = step;
            document.querySelector(".overlay").append(path);
        })"""
    )
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        certain = colours(page, '[data-over^="certain"] .face')
        assert len(certain) == 2
        assert not certain & colours(page, ".over-fill")
    button = page.get_by_role("button", name="Probabilities")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.hover()
    background = "button => getComputedStyle(button).backgroundColor"
    pressed = button.evaluate(background)
    page.mouse.move(5, 5)
    assert button.evaluate(background) == pressed
    page.keyboard.press("o")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert button.evaluate(background) != pressed


def test_interior_is_dimmed_and_labelled_once(new_page):
    page = new_page(GAME)
    show_probabilities(page)
    position = Position.parse(position_of(page))
    interior = position.interior.tolist()
    p = percent(float(analyse(position).probability_array[interior[0]]))
    expect(page.locator(".over-label.wide")).to_have_text([p])
    dimmed = page.locator(".over-fill[data-dim]")
    expect(dimmed).to_have_count(1)
    assert dimmed.get_attribute("d").count("M") == len(interior)
    assert float(dimmed.evaluate("path => getComputedStyle(path).opacity")) < 0.5
    words = f"Each of the {len(interior)} covered cells away from numbers: {p}."
    expect(page.locator(".hint-part .hint-text").last).to_contain_text(words)
    expect(cell(page, interior[0])).to_have_attribute(
        "aria-label", re.compile(f"mine {p}, as all cells away from numbers")
    )


# Nothing is certain; perfect play begins with r1c1 only.
GUESS = "mines: 5\n#1###\n#####\n#####\n"


def test_best_guess_is_marked_with_its_reason(new_page):
    page = new_page("#/analyse")
    enter_position(page, GUESS)
    position = Position.parse(GUESS)
    guess = best_guess(analyse(position), DEFAULT_BUDGET.start())
    expect(page.locator(f'.over-best[data-cell-of="{guess.cell}"]')).to_be_attached()
    expect(page.locator(".over-best:not(.inner)")).to_have_count(1)
    name, risk = position.board.name(guess.cell), percent(guess.risk)
    words = page.locator("p.guess")
    expect(words).to_have_attribute("data-best", str(guess.cell))
    candidates = [candidate.cell for candidate in guess.candidates[:5]]
    (rows,) = refine_move_win_chances(position, candidates)
    assert rows[0].cell == guess.cell
    expect(page.locator(".guess-table tbody tr")).to_have_text(
        [
            f"{chr(65 + candidates.index(row.cell))}{percent(row.risk)}"
            f"{percent(row.win_chance.value)} ({row.win_chance.fraction})"
            for row in rows
        ]
    )
    label = cell(page, guess.cell)
    expect(label).to_have_attribute("aria-label", re.compile(f"mine {risk}, best guess$"))
    expect(page.locator("#status")).to_contain_text(f"Best guess {name}, {risk} risk.")


def test_probability_is_the_same_in_cell_sentence_and_label(new_page):
    page = new_page("#/play")
    open_saved(page, "*.....\n...*..")
    reveal(page, 1)
    page.keyboard.press("o")
    guess = page.locator(".best-guess .guess").last
    expect(guess).to_contain_text("16.7% risk")
    page.get_by_role("button", name="Hint", exact=True).click()
    expect(page.locator(".hint-text").first).to_contain_text("16.7%")
    number = page.locator(".over-best").first.get_attribute("data-cell-of")
    expect(cell(page, int(number))).to_have_attribute("aria-label", re.compile("mine 16.7%"))
    cell(page, int(number)).hover()
    expect(page.locator(".chances dd span").first).to_have_text("16.7%")
    assert set(shown_labels(page)) == {"20", "16.7"}


def test_watched_game_shows_its_probabilities(new_page):
    page = new_page("#/watch?size=16x16/40&seed=5&kind=player&name=careful")
    page.get_by_role("button", name="Next step").click()
    expect(page.locator(".log li")).to_have_count(1)
    page.keyboard.press("o")
    button = page.get_by_role("button", name="Probabilities")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".over-label.wide")).to_have_count(1)
    position = Position(tiling("square", 16, 16), marks_of(page), 40)
    analysis = analyse(position)
    assert overlay_cells(page, "certain-safe") == analysis.safe_cells.tolist()
    assert overlay_cells(page, "certain-mine") == analysis.certain_mine_cells.tolist()
    page.keyboard.press("o")
    expect(page.locator(".over-label")).to_have_count(0)
