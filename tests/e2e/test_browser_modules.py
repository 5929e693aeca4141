"""Modules of the page, compared with reference implementations, and the table of keys."""

import random
import re
from collections import Counter

import pytest
from playwright.sync_api import Browser, Page, expect

from sapper.board.tilings import TILINGS, tiling
from sapper.render.scene import label_cell
from sapper.wording import percent, percent_label
from tests.e2e.conftest import TIMEOUT
from tests.e2e.pages import go
from tests.e2e.web_server import Server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page(browser: Browser, server: Server) -> Page:
    """Return a page for all tests of this module, which change nothing on it."""
    page = browser.new_page()
    page.set_default_timeout(TIMEOUT)
    page.goto(server.url + "#/help")
    yield page
    page.close()


@pytest.fixture(autouse=True)
def errors(page: Page) -> list[str]:
    """Fail a test during which the page reports an error."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    go(page, "#/help")
    yield found
    assert found == []


KEYS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown")


def expected_destination(
    key: str, current: int, columns: int, count: int, ctrl: bool, wraps: bool
) -> int:
    """Return the cell that a key moves to, found step by step; a board that wraps has full rows."""
    rows = [range(start, min(start + columns, count)) for start in range(0, count, columns)]
    row, column = divmod(current, columns)
    steps = {"ArrowLeft": (0, -1), "ArrowRight": (0, 1), "ArrowUp": (-1, 0), "ArrowDown": (1, 0)}
    if key in ("Home", "End"):
        cells = range(count) if ctrl else rows[row]
        return cells[0] if key == "Home" else cells[-1]
    down, right = steps.get(key, (-1 if key == "PageUp" else 1, 0))
    for _ in range(5 if key.startswith("Page") else 1):
        if wraps:
            row, column = (row + down) % len(rows), (column + right) % columns
        elif 0 <= row + down < len(rows) and 0 <= column + right < len(rows[row + down]):
            row, column = row + down, column + right
    return rows[row][column]


def test_keys_move_the_focus_on_any_board(page):
    cases = [
        (key, current, columns, count, ctrl, wraps)
        for columns, count, wraps in (
            *((1, 1, False), (4, 10, False), (4, 12, False), (3, 20, False), (7, 7, False)),
            *((3, 9, True), (7, 42, True), (5, 35, True)),
        )
        for current in range(count)
        for key in KEYS
        for ctrl in (False, True)
    ]
    found = page.evaluate(
        """async (cases) => {
            const { destination } = await import("/static/board/stage.js");
            return cases.map(([key, current, columns, count, ctrlKey, wraps]) =>
                destination({ current, columns, count, data: { wraps } }, { key, ctrlKey }));
        }""",
        cases,
    )
    assert found == [expected_destination(*case) for case in cases]


def test_probabilities_are_formatted_as_in_python(page):
    generator = random.Random(1)
    probabilities = [0, 1, 0.5, 1e-9, 1 - 1e-9, 0.001, 0.999, *(k / 2000 for k in range(2001))]
    probabilities += [generator.random() for _ in range(500)]
    written = page.evaluate(
        """probabilities => import('/static/lib/format.js').then(format =>
            probabilities.map(p => [format.percent(p), format.percentLabel(p)]))""",
        probabilities,
    )
    assert written == [[percent(p), percent_label(p)] for p in probabilities]


@pytest.mark.parametrize("name", TILINGS)
def test_interior_is_labelled_as_in_python(page, name):
    generator = random.Random(3)
    board = tiling(name, 7, 6)
    cases = [
        sorted(generator.sample(range(len(board)), generator.randint(2, 40))) for _ in range(20)
    ]
    found = page.evaluate(
        """async ([data, cases]) => {
            const { widestCell } = await import("/static/board/overlay.js");
            const { offsets, neighbours } = data;
            const around = (cell) => neighbours.slice(offsets[cell], offsets[cell + 1]);
            const count = offsets.length - 1;
            const degrees = Array.from({ length: count }, (_, cell) => around(cell).length);
            const maxDegree = Math.max(...degrees);
            const view = { data, count, maxDegree, around };
            return cases.map((cells) => widestCell(view, new Set(cells)).cell);
        }""",
        [
            {"offsets": board.offsets.tolist(), "neighbours": board.neighbours.tolist()},
            cases,
        ],
    )
    assert found == [label_cell(board, cells) for cells in cases]


def test_parameters_of_urls_are_escaped(page):
    found = page.evaluate(
        "import('/static/lib/api.js').then(api => api.puzzleWorksheet('../a?b#c'))"
    )
    assert found == "api/puzzles/..%2Fa%3Fb%23c/worksheet.pdf"


def test_new_request_cancels_the_one_before(page):
    found = page.evaluate(
        """async () => {
            const { LatestRequest, Requests } = await import("/static/lib/api.js");
            const found = [];
            const until = (signal) => new Promise((_, fail) =>
                signal.addEventListener("abort", () => fail(new Error("cancelled"))));
            const latest = new LatestRequest();
            const first = latest.run(until);
            found.push(latest.running, await latest.run(async () => "second"));
            found.push(await first, latest.running, latest.cancel());
            const third = latest.run(until);
            found.push(latest.cancel(), await third);
            const refused = latest.run(() => Promise.reject(new Error("refused")));
            found.push(await refused.catch((error) => error.message));
            const several = new Requests();
            const both = [several.run(async () => "one"), several.run(async () => "two")];
            found.push(...(await Promise.all(both)));
            const late = several.run(() => new Promise((done) => setTimeout(done, 30, "late")));
            several.cancel();
            found.push(await late);
            return found;
        }"""
    )
    assert found == [
        *(True, "second", None, False),  # the second request cancelled the first
        False,  # none was running
        *(True, None),
        "refused",
        *("one", "two"),
        None,  # the response arrived after the request was cancelled
    ]


def test_only_slow_responses_are_notified(page):
    found = page.evaluate(
        """async () => {
            const { Requests } = await import("/static/lib/api.js");
            const after = (wait) => new Promise((done) => setTimeout(() => done(wait), wait));
            const requests = new Requests();
            const notices = [];
            await requests.run(() => after(0), () => notices.push("soon"));
            await requests.run(() => after(400), () => notices.push("late"));
            const refused = () => Promise.reject(new Error("no"));
            await requests.run(refused, () => notices.push("refused")).catch(() => {});
            await after(300);
            return notices;
        }"""
    )
    assert found == ["late"]


def test_leaving_a_view_cancels_its_requests(page):
    found = page.evaluate(
        """async () => {
            const { Requests } = await import("/static/lib/api.js");
            const view = new AbortController();
            const requests = new Requests(view.signal);
            const running = requests.run((signal) => new Promise((_, fail) =>
                signal.addEventListener("abort", () => fail(new Error("cancelled")))));
            view.abort();
            return [await running, await requests.run(async () => "late")];
        }"""
    )
    assert found == [None, None]


def test_help_links_to_the_documentation_if_it_is_built(page):
    expect(page.get_by_role("heading", name="Help", level=1)).to_be_visible()
    link = page.locator('a[href="docs/"]')
    built = page.evaluate("fetch('/api/menu').then(r => r.json()).then(menu => menu.docs)")
    expect(link).to_be_visible() if built else expect(link).to_be_hidden()


TABLE = "import('/static/lib/keys.js').then(keys => keys.KEYS)"


def keys_of(page: Page) -> list[dict]:
    rows: list[dict] = page.evaluate(TABLE)
    assert len(rows) > 30
    return rows


def test_no_key_has_two_meanings_in_a_view(page):
    rows = keys_of(page)
    found = Counter(
        # A key may have one meaning on a cell and another outside the board.
        (view, key, row.get("cell", False))
        for row in rows
        for view in row["in"]
        for key in row["keys"] + row.get("also", [])
    )
    assert [meaning for meaning, count in found.items() if count > 1] == []


def test_help_lists_every_key(page):
    expect(page.get_by_role("heading", name="All boards")).to_be_visible()
    rows = keys_of(page)
    boards = max(len(row["in"]) for row in rows)
    everywhere = [row for row in rows if len(row["in"]) == boards]
    expected = Counter(row["does"] for row in everywhere)
    for row in rows:
        if row not in everywhere:
            expected[row["does"]] += len(row["in"])
    shown = page.locator("dt:has(kbd) + dd").all_text_contents()
    assert Counter(shown) == expected
    for does, keys in (
        ("undo", ["U", "Ctrl+Z"]),
        ("move on the board", ["←", "↑", "→", "↓"]),
        ("five rows up or down", ["Page Up", "Page Down"]),
        ("cover the cell", ["Space", "Delete"]),
        ("set a number; A, B, C are 10 to 12", ["0", "…", "9", "A", "B", "C"]),
    ):
        row = page.locator("dt:has(kbd)").filter(
            has=page.locator(f'xpath=following-sibling::dd[1][text()="{does}"]')
        )
        expect(row.first.locator("kbd")).to_have_text(keys)


def test_upper_case_works_and_browser_keys_are_left_alone(page):
    go(page, "#/play?size=5x5/3&seed=2")
    cell = page.locator('[data-cell="0"]')
    cell.focus()
    page.keyboard.press("Alt+f")
    page.keyboard.press("Control+f")
    page.keyboard.press("Shift+F")
    expect(cell).to_have_attribute("aria-label", re.compile("flag"))
    page.keyboard.press("Control+z")
    expect(cell).to_have_attribute("aria-label", re.compile("covered"))
    page.keyboard.press("Control+Shift+z")
    expect(cell).to_have_attribute("aria-label", re.compile("flag"))
    page.keyboard.press("Alt+ArrowRight")
    expect(cell).to_be_focused()


def test_closed_view_receives_no_keys(page):
    go(page, "#/learn/strategy-1")
    expect(page.locator("[data-cell]")).to_have_count(25)
    page.get_by_role("link", name="Statistics").click()
    expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
    page.keyboard.press("m")  # flag mode, in a lesson
    page.get_by_role("link", name="Learn").click()
    mode = page.get_by_role("button", name="Flag mode")
    expect(mode).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("m")
    expect(mode).to_have_attribute("aria-pressed", "true")
