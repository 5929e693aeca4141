"""Watching solvers and players."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.pages import intercept, labels

pytestmark = pytest.mark.browser

GAME = "#/watch?size=beginner&tiling=square&rule=zero&seed=7"


def test_game_is_watched_to_its_end(new_page):
    page = new_page(f"{GAME}&kind=player&name=careful")
    expect(page.get_by_text("Careful plays Beginner")).to_be_visible()
    page.get_by_label("Speed").fill("4")
    page.get_by_role("button", name="Run").click()
    expect(page.locator(".verdict")).to_contain_text("Won after")
    expect(page.locator("#alert")).to_contain_text("Won after")
    lines = page.locator(".log li")
    expect(lines.first).to_have_text("RevealFirst click.")
    expect(page.locator(".log [aria-current]")).to_be_in_viewport()
    assert lines.count() == int(page.locator(".counter .number").last.text_content())
    assert not [label for label in labels(page) if label.endswith("covered")]
    expect(page.locator(".counter .number").first).to_have_text("0")


def test_letters_of_a_move_in_the_list_are_on_the_board_while_it_is_pointed_at(new_page):
    page = new_page("#/watch?size=expert&seed=7&kind=player&name=careful")
    expect(page.locator(".watch-reason")).to_contain_text("Run plays the whole game")
    page.get_by_label("Speed").fill("4")
    page.get_by_role("button", name="Run").click()
    line = page.locator(".log button").filter(has_text=re.compile(r"\bA\b.*\bX\b")).first
    line.wait_for()
    page.get_by_role("button", name="Pause").click()
    line.hover()
    letters = page.locator(".highlight-letters .over-badge")
    shown = set(letters.all_text_contents())
    assert shown == set(re.findall(r"\b[A-Z]\b", line.text_content()))
    page.get_by_role("button", name="Run").hover()
    expect(letters).to_have_count(0)


def test_portrait_tablet_shows_every_column_above_the_panel(new_page):
    page = new_page("#/watch?size=30x16/99&seed=7", viewport={"width": 768, "height": 1024})
    for cell in (0, 29):
        expect(page.locator(f'[data-cell="{cell}"]')).to_be_in_viewport(ratio=1)


def test_steps_go_forwards_and_back(new_page):
    page = new_page(f"{GAME}&kind=solver&name=human")
    expect(page.locator(".cell.covered")).to_have_count(81)
    before = labels(page)
    page.get_by_role("button", name="Next step").click()
    expect(page.locator(".log li")).to_have_count(1)
    opened = labels(page)
    page.keyboard.press("s")
    found = re.compile(r"^(flag|reveal) \w+: strategy \d on .*\. r\d+c\d+ ")
    expect(page.locator("#status")).to_have_text(found)
    expect(page.locator(".over-line")).not_to_have_count(0)
    page.keyboard.press("b")
    assert labels(page) == opened
    page.keyboard.press("b")
    assert labels(page) == before
    # The list keeps the steps, and a click shows one of them.
    expect(page.locator(".log li")).to_have_count(2)
    page.locator(".log button").first.click()
    assert labels(page) == opened
    expect(page.locator(".log [aria-current]")).to_have_attribute("value", "1")


def test_search_for_a_guess_is_shown_and_can_be_ended(new_page):
    page = new_page("#/watch?size=9x9/18&rule=zero&seed=23&kind=player&name=patient&seconds=60")
    expect(page.get_by_text("Patient plays")).to_be_visible()
    page.get_by_label("Speed").fill("4")
    page.get_by_role("button", name="Run").click()
    search = page.locator(".guess-search")
    expect(search.locator("tbody tr")).not_to_have_count(0)
    expect(search).to_contain_text("(first choice)")
    expect(search.locator("td").first).to_have_text(re.compile(r"^[\d.]+ ± [\d.]+%$"))
    chances = search.locator("td:nth-child(2)").all_text_contents()
    rates = [float(text.split()[0]) for text in chances]
    assert rates == sorted(rates, reverse=True)
    expect(page.locator(".watch-reason")).to_be_hidden()  # it is that of the move before
    guesses = page.locator(".log li.guessed")
    decided = guesses.count()  # earlier guesses may not have needed a search
    page.get_by_role("button", name="Pause").click()  # after this one
    page.get_by_role("button", name="Decide now").click()
    expect(guesses).to_have_count(decided + 1)  # long before the minute
    expect(search).to_be_hidden()
    # The table belongs to the guess on the board, which has its own reason.
    rows = page.locator(".best-guess tbody tr")
    expect(page.locator(".best-guess tr.best")).to_have_count(1)
    expect(page.locator(".watch-reason")).to_contain_text(re.compile("Guess at .* risk: "))
    wins = [float(text.split()[0]) for text in rows.locator("td:last-child").all_text_contents()]
    assert len(wins) > 1 and all("±" in text for text in rows.all_text_contents())
    page.get_by_text("Choose a player or a game").click()
    expect(page.get_by_label("Seconds per guess")).to_have_value("60")
    page.get_by_role("radio", name="Careful").check()
    expect(page.get_by_label("Seconds per guess")).to_be_hidden()


def test_end_shows_the_mines(new_page):
    page = new_page("#/watch?size=9x9/20&seed=5&kind=player&name=random")
    page.get_by_label("Speed").fill("4")
    page.get_by_role("button", name="Run").click()
    expect(page.locator(".verdict")).to_contain_text("Lost after")
    shown = [label for label in labels(page) if re.search(r": (flag|(exploded )?mine)\b", label)]
    assert len(shown) == 20
    # The colour of the mine that exploded, and not that of the last move.
    fatal = page.locator(".exploded .face")
    expect(fatal).to_have_css("fill", "rgb(211, 40, 28)")


def test_game_that_the_server_has_dropped_continues(new_page, server):
    page = new_page(f"{GAME}&kind=player&name=careful")
    refused = []

    def refuse(route):
        refused.append(route)
        route.fulfill(status=404, json={"error": "not found"})

    intercept(page, "**/steps", refuse, times=1)
    page.reload()
    page.get_by_role("button", name="Next step").click()
    expect(page.locator(".log li")).to_have_count(1)
    page.get_by_role("button", name="Next step").click()
    expect(page.locator(".log li")).to_have_count(2)
    expect(page.locator(".watch-reason")).to_contain_text("so the marked cell is")
    assert len(refused) == 1


def test_another_game_is_chosen_and_errors_are_reported(new_page):
    page = new_page("#/watch?size=beginner&seed=none&kind=solver&name=human")
    found = page.locator(".stage-message")
    expect(found).to_contain_text("Cannot watch this game.")
    page.get_by_role("button", name="Watch", exact=True).click()
    expect(page.locator("[data-cell]")).to_have_count(81)
    expect(found).to_be_hidden()
    page.get_by_text("Choose a player or a game").click()
    page.get_by_role("radio", name="Exact").check()
    page.get_by_label("Level").select_option("custom")
    page.get_by_role("textbox", name="Size").fill("4x4")
    page.get_by_role("button", name="Watch", exact=True).click()
    size = page.get_by_role("textbox", name="Size")
    expect(size).to_have_accessible_description("The number of mines on 4 × 4 is missing.")
    page.get_by_role("textbox", name="Size").fill("5x5/3")
    page.get_by_label("Board shape").select_option("hexagonal")
    page.get_by_role("button", name="Watch", exact=True).click()
    expect(page.locator(".log li")).not_to_have_count(0)  # it plays at once
    expect(page.get_by_text("Exact plays Hexagonal 5x5/3")).to_be_visible()
    expect(page.locator("[data-cell]")).to_have_count(25)


def test_player_plays_at_once_and_every_player_is_described(new_page):
    page = new_page("#/watch?size=beginner&kind=player&name=careful")
    expect(page.locator(".log li")).not_to_have_count(0)
    expect(page.locator(".watch-about")).to_contain_text("Careful makes every certain move")
    page.get_by_text("Choose a player or a game").click()
    for player in page.locator(".player").all():
        assert len(player.locator("small").text_content()) > 20
