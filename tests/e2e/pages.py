"""Helpers of the browser tests: actions on the page, and conditions to wait for."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Locator, Page, Request, Response, Route, expect

from sapper.board.position import Position
from tests.e2e.conftest import TIMEOUT

TEXT = "The position as text"


def cell(page: Page, number: int) -> Locator:
    return page.locator(f'[data-cell="{number}"]')


def expect_state(page: Page, number: int, state: str) -> None:
    """Wait until the label of a cell ends with a state, given as a regular expression."""
    expect(cell(page, number)).to_have_attribute("aria-label", re.compile(f": {state}$"))


def reveal(page: Page, number: int) -> None:
    """Click a cell, and wait until it is revealed."""
    cell(page, number).click()
    expect(cell(page, number)).to_have_class(re.compile("open"))


def flag(page: Page, number: int) -> None:
    """Click a cell with the right button, and wait for its flag."""
    cell(page, number).click(button="right")
    expect(cell(page, number)).to_have_attribute("aria-label", re.compile(": flag"))


def walk_to(page: Page, number: int, columns: int) -> None:
    """Move the focus from a cell to another with the arrow keys."""
    current = int(page.evaluate("document.activeElement.dataset.cell"))
    down, right = number // columns - current // columns, number % columns - current % columns
    for forth, back, steps in (("ArrowDown", "ArrowUp", down), ("ArrowRight", "ArrowLeft", right)):
        for _ in range(abs(steps)):
            page.keyboard.press(forth if steps > 0 else back)
    expect(cell(page, number)).to_be_focused()


def middle(page: Page, number: int) -> tuple[float, float]:
    """Return the middle of a cell in pixels of the window."""
    box = cell(page, number).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def hold(page: Page, number: int, milliseconds: int) -> None:
    """Press a cell with a finger for a time on the page's clock, which is paused before."""
    x, y = middle(page, number)
    page.clock.install(time=0)
    page.clock.pause_at(3_600_000)
    session = page.context.new_cdp_session(page)
    start = {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]}
    session.send("Input.dispatchTouchEvent", start)
    page.clock.run_for(milliseconds)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.clock.resume()
    session.detach()


def is_covered(page: Page, number: int) -> bool:
    return "covered" in (cell(page, number).get_attribute("class") or "").split()


def labels(page: Page) -> list[str]:
    """Return the accessible names of all cells."""
    found: list[str] = page.locator("[data-cell]").evaluate_all("all => all.map(o => o.ariaLabel)")
    return found


def marks_of(page: Page) -> list[int]:
    """Return the marks of all cells, read from their accessible names."""
    states = [label.partition(": ")[2].partition(",")[0] for label in labels(page)]
    words = {"covered": -1, "flag": -2, "zero": 0}
    return [words[state] if state in words else int(state) for state in states]


def overlay_cells(page: Page, role: str) -> list[int]:
    """Return the cells that the overlay marks with a role, such as 'proof'."""
    marked = page.locator(f'[data-cell][data-over="{role}"]')
    cells: list[int] = marked.evaluate_all("all => all.map(o => Number(o.dataset.cell))")
    return cells


def game_of(page: Page) -> str:
    """Return the id of the game on the page."""
    page.wait_for_selector("[data-cell]")
    page.wait_for_url(re.compile("#/play/"))
    return page.url.partition("#/play/")[2]


def position_of(page: Page) -> str:
    """Return the position of the game on the page as text."""
    text: str = page.evaluate(
        "game => fetch(`/api/games/${game}/share`).then(r => r.json()).then(s => s.position)",
        game_of(page),
    )
    return text


def go(page: Page, address: str) -> None:
    """Go to another view of the same page."""
    page.goto(page.url.partition("#")[0] + address)


def press_in_more_menu(page: Page, name: str) -> None:
    """Open the menu More and press one of its buttons."""
    page.get_by_role("button", name="More").click()
    page.locator(".more-tools").get_by_role("button", name=name).click()


@contextmanager
def another_game(page: Page) -> Iterator[None]:
    """Wait until the actions inside the block have opened another game.

    Two games may look the same; only the address distinguishes them.
    """
    before = page.url
    yield
    expect(page).not_to_have_url(re.compile(re.escape(before) + "$"))
    expect(page).to_have_url(re.compile("#/play/"))


def open_saved(page: Page, text: str) -> None:
    """Open a saved game with the dialog, and wait until it is on the page."""
    with another_game(page):
        enter_saved(page, text)


def enter_saved(page: Page, text: str) -> None:
    """Type a saved game into the dialog, and press Open."""
    page.locator(".choose").click()
    page.get_by_text("Open a saved or shared game").click()
    page.get_by_label("Saved game, layout").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()


def enter_position(page: Page, text: str) -> None:
    """Type a position into Analyse, and wait until the page shows its analysis.

    The response for an earlier position may arrive first, so the request is compared.
    """
    position = Position.parse(text)
    marks = position.marks.tolist()

    def is_analysis(response: Response) -> bool:
        if not response.url.endswith("/api/analysis"):
            return False
        body = response.request.post_data_json
        return (body["marks"], body["mines"]) == (marks, position.mines)

    with page.expect_response(is_analysis):
        page.get_by_label(TEXT).fill(text)
    expect(page.locator("[data-cell]")).to_have_count(len(position.board))
    expect(page.locator('.answer[aria-busy="false"] .headline')).to_be_visible()


def wait_until(page: Page, condition: Callable[[], bool], description: str) -> None:
    """Wait until a condition holds; the page's content policy forbids `wait_for_function`."""
    for _ in range(TIMEOUT // 20):
        if condition():
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"not within {TIMEOUT / 1000:.0f} s: {description}")


def intercept(page: Page, address: str, handle: Callable[[Route], object], **options: int) -> None:
    """Handle the requests of a page to an address from now on.

    The browser begins to intercept requests only some time after `page.route` has returned. So
    requests to an address that the server does not have are sent until one is intercepted.
    """
    probe = "/intercepted"
    page.route(address, handle, **options)
    page.route("**" + probe, lambda route: route.fulfill(body=probe))
    text_of = "address => fetch(address).then(response => response.text())"
    wait_until(page, lambda: page.evaluate(text_of, probe) == probe, "requests are intercepted")
    page.unroute("**" + probe)


class RequestLog:
    """The requests that a page sends from now on."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sent: list[str] = []
        self.running: set[Request] = set()
        page.on("request", self._record)
        for event in ("requestfinished", "requestfailed"):
            page.on(event, lambda request: self.running.discard(request))

    def settle(self) -> None:
        """Wait until all requests are finished and the responses are painted."""
        wait_for_paint = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"

        def is_settled() -> bool:
            self.page.evaluate(wait_for_paint)
            return not self.running

        wait_until(self.page, lambda: is_settled() and is_settled(), "all requests finished")

    def _record(self, request: Request) -> None:
        if request.resource_type == "fetch":  # a beacon has no response
            self.sent.append(f"{request.method} {request.url.partition('/api/')[2]}")
            self.running.add(request)


AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
RUN_AXE = """async (options) => {
    const found = await axe.run(document, { resultTypes: ["violations"], ...options });
    return found.violations.map(({ id, nodes }) =>
        [id, nodes.map(({ html, failureSummary }) => [html, failureSummary])]);
}"""
WAIT_FOR_ANIMATIONS = """() => Promise.allSettled(document.getAnimations()
    .filter((animation) => animation.effect.getComputedTiming().endTime < Infinity)
    .map((animation) => animation.finished))"""


def audit(page: Page, *, dark_contrast: bool = True) -> list[object]:
    """Return the violations that axe finds; in the dark theme only contrast is checked."""
    violations: list[object] = []
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    dark = [("dark", {"runOnly": ["color-contrast"]})] if dark_contrast else []
    for theme, options in (*dark, ("light", {})):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page.evaluate(WAIT_FOR_ANIMATIONS)
        violations += [(theme, *violation) for violation in page.evaluate(RUN_AXE, options)]
    return violations
