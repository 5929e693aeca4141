"""Statistics: bests, charts with tables, links to games, export and import."""

import json

import msgspec
import pytest
from playwright.sync_api import Page, expect

from sapper.web.features.statistics import summarise
from sapper.wording import percent
from tests.e2e.pages import another_game, cell, game_of, go, open_saved, reveal
from tests.unit.web.features.test_web_statistics import random_results

pytestmark = pytest.mark.browser

ROWS = random_results(120, 7)


def import_results(page: Page) -> None:
    results = [msgspec.to_builtins(row) for row in ROWS]
    lines = [{"format": "sapper profile 1"}, *({"result": result} for result in results)]
    page.evaluate(
        """(text) => fetch("/api/profile/import", {
            method: "POST", headers: { "content-type": "application/json" }, body: text })""",
        "\n".join(map(json.dumps, lines)),
    )


def choose_level(page: Page, name: str) -> None:
    page.get_by_role("group", name="Level").get_by_role("button", name=name).click()


def test_each_level_has_bests_and_charts_with_tables_of_the_same_values(new_page, shared):
    page = new_page(shared.invitation)
    game_of(page)
    import_results(page)
    go(page, "#/statistics")
    summary = next(one for one in summarise(ROWS) if one["size"] == "9x9/10")
    choose_level(page, "Beginner")
    best = page.locator(".bests")
    expect(best).to_contain_text(percent(summary["win_rate"]))
    expect(best).to_contain_text(f"{summary['best_three_bv_per_second']:.2f}")
    figures = page.locator(".chart-figure")
    expect(figures).to_have_count(3)
    win_rate = figures.filter(has_text="Win rate")
    win_rate.get_by_text("As a table").click()
    rows = win_rate.locator("tbody tr")
    expect(rows).to_have_count(len(summary["win_rates"]))
    last = summary["win_rates"][-1]
    percents = [percent(last[key]) for key in ("low", "high", "win_rate")]
    expect(rows.first.locator("td")).to_have_text([" to ".join(percents[:2]), percents[2]])
    expect(win_rate.locator(".chart-dot")).to_have_count(len(summary["win_rates"]))
    expect(win_rate.locator(".chart-band")).to_have_count(1)
    for title in ("Times", "3BV/s"):
        dots = figures.filter(has_text=f"{title}, last").locator(".chart-dot")
        expect(dots).to_have_count(len(summary["last_wins"]))


def test_results_link_to_their_games_and_can_be_exported_and_deleted(new_page, shared):
    page = new_page(shared.invitation)
    game_of(page)
    open_saved(page, "*.")
    reveal(page, 1)
    won = f"#/play/{game_of(page)}"
    open_saved(page, ".*.")
    cell(page, 1).click()
    expect(page.locator(".end-card")).to_be_visible()
    lost = f"#/play/{game_of(page)}"
    page.get_by_role("link", name="Statistics").click()
    choose_level(page, "3x1/1")
    result = page.locator(".results").filter(has_text="Latest results").get_by_role("link")
    expect(result.first).to_have_attribute("href", lost)
    choose_level(page, "2x1/1")
    best = page.locator(".results").filter(has_text="Best times").get_by_role("link")
    expect(best).to_have_attribute("href", won)
    expect(page.locator(".chart-figure a[href] .chart-dot").first).to_be_attached()
    best.click()
    expect(page.locator("[data-cell]")).to_have_count(2)
    expect(page.locator(".verdict")).to_contain_text("Won in")
    go(page, "#/statistics")
    with page.expect_download() as download:
        page.get_by_role("link", name="Export as CSV").click()
    assert download.value.suggested_filename == "sapper-statistics.csv"
    page.get_by_role("button", name="Delete all").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.get_by_text("No finished games yet")).to_be_visible()


def test_games_in_progress_are_listed_first_and_games_without_moves_are_omitted(new_page, shared):
    page = new_page(shared.invitation)
    game_of(page)
    open_saved(page, "*.*\n...\n...")
    reveal(page, 3)
    in_progress = game_of(page)
    with another_game(page):
        page.keyboard.press("n")
    open_saved(page, ".*.")
    cell(page, 1).click()
    expect(page.locator(".end-card")).to_be_visible()
    finished = game_of(page)
    for _ in range(2):  # games without a move
        with another_game(page):
            page.keyboard.press("n")
    page.locator(".choose").click()
    section = page.locator("dialog .in-progress")
    expect(section.get_by_role("button").first).to_contain_text("3x3/2")
    games = page.evaluate("fetch('/api/games').then(r => r.json()).then(a => a.games)")
    assert [(game["id"], game["finished"]) for game in games] == [
        (in_progress, False),
        (finished, True),
    ]
    section.get_by_role("button").first.click()
    expect(cell(page, 3)).to_have_attribute("aria-label", "r2c1: 1")
    assert game_of(page) == in_progress
