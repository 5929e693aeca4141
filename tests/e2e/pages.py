"""What several browser tests do on a page, and how they wait for what it does."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Request, Response, expect
from tests.e2e.conftest import PATIENCE

from sapper.board.position import Position

TEXT = "The position as text"


@contextmanager
def another_game(page: Page) -> Iterator[None]:
    """Wait until what was done inside has brought another game onto the page.

    The two may have the same size and nothing open, so neither cells nor their number nor what is
    said tell them apart: the address does.
    """
    before = page.url
    yield
    expect(page).not_to_have_url(re.compile(re.escape(before) + "$"))
    expect(page).to_have_url(re.compile("#/play/"))


def open_saved(page: Page, text: str) -> None:
    """Open a saved game by the menu, and wait until it is the one on the page."""
    with another_game(page):
        enter_saved(page, text)


def enter_saved(page: Page, text: str) -> None:
    """Type a saved game into the menu and press Open, whatever comes of it."""
    page.locator(".choose").click()
    page.get_by_text("Open a saved or shared game").click()
    page.get_by_label("Saved game, layout").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()


def enter_position(page: Page, text: str) -> None:
    """Type a position into Analyse, and wait until the page shows it with its own answer.

    An answer to the position before may still be on its way: the request identifies it.
    """
    position = Position.parse(text)
    asked = position.marks.tolist()

    def is_its_answer(response: Response) -> bool:
        if not response.url.endswith("/api/analysis"):
            return False
        found = response.request.post_data_json
        return (found["marks"], found["mines"]) == (asked, position.mines)

    with page.expect_response(is_its_answer):
        page.get_by_label(TEXT).fill(text)
    expect(page.locator("[data-cell]")).to_have_count(len(position.board))
    expect(page.locator('.answer[aria-busy="false"] .headline')).to_be_visible()


def until(page: Page, condition: Callable[[], bool], what: str) -> None:
    """Ask again until something holds: the policy of the page forbids to wait by a function."""
    for _ in range(PATIENCE // 20):
        if condition():
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"not within {PATIENCE / 1000:.0f} s: {what}")


class Questions:
    """What a page asks of the server, from now on."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.running: set[Request] = set()
        page.on("request", self._note)
        for event in ("requestfinished", "requestfailed"):
            page.on(event, lambda request: self.running.discard(request))

    def answered(self) -> None:
        """Wait until all are answered, also those that an answer or a short rest led to."""

        def at_rest() -> bool:
            self.page.wait_for_timeout(60)
            return not self.running

        until(self.page, lambda: at_rest() and at_rest(), "all questions answered")

    def _note(self, request: Request) -> None:
        if request.resource_type == "fetch":  # a beacon has no answer
            self.running.add(request)


def measured(page: Page, name: str, least: int) -> list[float]:
    """Return the times in milliseconds that the page measured, once there are at least *least*."""
    entries = f"performance.getEntriesByName('{name}').map(entry => entry.duration)"
    until(page, lambda: len(page.evaluate(entries)) >= least, f"{least} times {name}")
    times: list[float] = page.evaluate(entries)
    return times


def audit(page: Page) -> str:
    """Return the report of the axe audit after all animations; empty if there are no violations."""
    page.evaluate(
        """() => Promise.allSettled(document.getAnimations()
            .filter((one) => one.effect.getComputedTiming().endTime < Infinity)
            .map((one) => one.finished))"""
    )
    results = Axe().run(page)
    return results.generate_report() if results.violations_count else ""
