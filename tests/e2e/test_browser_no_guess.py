"""No guessing, in a real browser: chosen in the form, dealt by the first click, warned of."""

import statistics
import time

import pytest
from playwright.sync_api import expect
from tests.e2e.pages import another_game
from tests.e2e.test_browser_play import address, cell, click, expect_state

from sapper.generators.layouts import generate

pytestmark = pytest.mark.browser


def test_a_game_without_a_guess_is_chosen_in_the_form(new_page):
    page = new_page(address())
    page.locator(".choose").click()
    page.get_by_label("No-guess").select_option("no-guess-two")
    with another_game(page):
        page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("body")).to_contain_text("no guessing")
    page.route("**/moves", lambda route: None, times=1)  # as if no board were found for long
    click(page, 14)
    told = page.locator(".stage-message")
    expect(told).to_contain_text("Generating a no-guess board")
    told.get_by_role("button", name="Stop").click()
    expect(page.locator("#alert")).to_have_text("Stopped: no cell was revealed.")
    expect(told).to_be_hidden()
    expect_state(page, 14, "covered")
    click(page, 14)
    expect_state(page, 14, "zero")


def test_a_click_that_leaves_certainty_is_held_back_once_where_that_is_asked_for(new_page):
    page = new_page(address(size="9x9/10", seed=2) + "&generator=no-guess")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Warn before unnecessary guesses").check()
    page.get_by_role("button", name="Done").click()
    layout = generate("9x9/10", 2, first=40, no_guess=True).layout
    click(page, 40)
    expect_state(page, 40, "zero")
    mine = next(
        c
        for c in range(81)
        if layout.mine_mask[c] and "covered" in cell(page, c).get_attribute("class")
    )
    click(page, mine)
    expect(page.locator("#alert")).to_contain_text("There is a safe cell elsewhere")
    expect_state(page, mine, "covered")
    click(page, mine)
    expect(page.locator(".verdict")).to_contain_text("Lost after")


def test_the_first_click_of_an_expert_game_feels_instant(new_page, log_time):
    page = new_page(address(size="expert", seed=1) + "&generator=no-guess")
    spent = []
    for seed in range(40):
        start = page.evaluate(
            """async (seed) => {
                const post = (path, body) => fetch(path, {
                    method: "POST",
                    headers: { "content-type": "application/json" },
                    body: JSON.stringify(body),
                }).then((answer) => answer.json());
                const game = await post("/api/games", { size: "expert", generator: "no-guess", seed });
                const start = performance.now();
                await post(`/api/games/${game.id}/moves`, { action: "reveal", cell: 225 });
                return performance.now() - start;
            }""",
            str(seed + int(time.time())),
        )
        spent.append(start)
    spent.sort()
    log_time("first click of Expert without a guess, median", statistics.median(spent))
    log_time("first click of Expert without a guess, worst of 40", spent[-1])
    assert statistics.median(spent) < 1000


def test_a_watched_game_without_a_guess_is_the_same_by_its_address(new_page):
    page = new_page("#/watch?size=9x9/12&seed=3&generator=no-guess-two&kind=solver&name=exact")
    expect(page.locator("select[name=generator]")).to_have_value("no-guess-two")
    expect(page.locator("body")).to_contain_text("no guessing")
    assert "generator=no-guess-two" in page.url
