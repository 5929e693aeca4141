"""Statistics: charts with tables, and links to games."""

import json
import re

import msgspec
import pytest
from playwright.sync_api import Page, expect
from tests.e2e.conftest import PHONE
from tests.e2e.pages import another_game, audit, open_saved
from tests.unit.web.features.test_web_statistics import random_results

from sapper.web.features.statistics import histories
from sapper.web.storage.store import ResultRow
from sapper.wording import percent

pytestmark = pytest.mark.browser

LYING = {**PHONE, "viewport": {"width": 844, "height": 390}}
SCREENS = {"desk": {}, "phone": PHONE, "phone lying": LYING}
ROWS = random_results(120, 7)


def cell(page: Page, number: int):
    return page.locator(f'[data-cell="{number}"]')


def item(row: ResultRow) -> dict[str, object]:
    return msgspec.to_builtins(row)


def take_in(page: Page) -> None:
    lines = [{"format": "sapper statistics 2"}, *({"result": item(row)} for row in ROWS)]
    page.evaluate(
        """(text) => fetch("/api/statistics", {
            method: "POST", headers: { "content-type": "application/json" }, body: text })""",
        "\n".join(map(json.dumps, lines)),
    )


def play(page: Page, text: str, number: int) -> str:
    """Open a layout and click into it; answers with the address of the game."""
    open_saved(page, text)
    cell(page, number).click()
    expect(cell(page, number)).not_to_have_attribute("aria-label", re.compile("covered"))
    return "#" + page.url.partition("#")[2]


def choose_kind(page: Page, name: str) -> None:
    choice = page.get_by_role("combobox", name="Level")
    choice.select_option(label=choice.locator("option", has_text=name).text_content())


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_the_pictures_have_tables_that_say_the_same(new_page, screen, theme):
    page = new_page("#/help", color_scheme=theme, **SCREENS[screen])
    take_in(page)
    page.goto(page.url.partition("#")[0] + "#/statistics")
    figures = page.locator(".chart-figure")
    kind = next(one for one in histories(ROWS) if one["size"] == "9x9/10")
    choose_kind(page, "Beginner")
    expect(figures).to_have_count(5)
    share = figures.filter(has_text="Win rate by month")
    share.get_by_text("as a table").click()
    rows = share.locator("tbody tr")
    expect(rows).to_have_count(len(kind["months"]))
    first = kind["months"][0]
    expect(rows.first.locator("th")).to_have_text(first["month"])
    expect(rows.first.locator("td")).to_have_text(
        [" to ".join(percent(first[end]) for end in ("low", "high")), percent(first["win_rate"])]
    )
    expect(share.locator(".chart-dot")).to_have_count(len(kind["months"]))
    expect(share.locator(".chart-band")).to_have_count(1)
    wins = [one for one in kind["last"] if one["outcome"] == "won" and not one["helped"]]
    times = figures.filter(has_text="Times of the last")
    expect(times.locator(".chart-dot")).to_have_count(len(wins))
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    assert audit(page) == ""


def test_each_game_of_the_history_is_a_link_to_itself(new_page):
    page = new_page()
    won = play(page, "*.", 1)
    lost = play(page, ".*.", 1)
    page.get_by_role("link", name="Statistics").click()
    choose_kind(page, "3x1/1")
    result = page.locator(".results").filter(has_text="Latest results").get_by_role("link")
    expect(result.first).to_have_attribute("href", lost)
    choose_kind(page, "2x1/1")
    best = page.locator(".results").filter(has_text="Best times").get_by_role("link")
    expect(best).to_have_attribute("href", won)
    expect(page.locator(".chart-figure a[href] .chart-dot").first).to_be_attached()
    best.click()
    expect(page.locator("[data-cell]")).to_have_count(2)
    expect(page.locator(".verdict")).to_contain_text("Won in")


def test_games_in_progress_are_listed_first_and_untouched_ones_not_at_all(new_page):
    page = new_page()
    going = play(page, "*.*\n...\n...", 3)
    with another_game(page):
        page.keyboard.press("n")
    over = play(page, ".*.", 1)
    for _ in range(2):  # untouched games
        with another_game(page):
            page.keyboard.press("n")
    page.locator(".choose").click()
    box = page.locator("dialog")
    section = box.locator(".in-progress")
    expect(section.get_by_role("button").first).to_contain_text("3x3/2")
    ids = page.evaluate("fetch('/api/games').then(r => r.json()).then(a => a.games)")
    listed = [(f"#/play/{game['id']}", game["finished"]) for game in ids]
    assert listed[0] == (going, False) and (over, True) in listed
    states = [game["finished"] for game in ids]
    assert states == sorted(states)
    section.get_by_role("button").first.click()
    expect(cell(page, 3)).to_have_attribute("aria-label", "r2c1: 1")
    assert page.url.endswith(going)
