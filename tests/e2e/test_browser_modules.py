"""Single modules of the page, compared with slow references."""

import random

import pytest
from playwright.sync_api import Page, expect

from sapper.board.tilings import TILINGS, tiling
from sapper.render.probabilities import label_cell
from sapper.wording import percent, percent_label

pytestmark = pytest.mark.browser


@pytest.fixture
def page(new_page) -> Page:
    return new_page("#/help")


KEYS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown")


def walked(key: str, current: int, columns: int, count: int, ctrl: bool, wraps: bool) -> int:
    """Where a key leads, cell by cell; on a board that wraps, whose rows are all whole, round."""
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


def test_keys_walk_as_far_as_there_are_cells_also_on_a_ragged_board(page):
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
    assert found == [walked(*case) for case in cases]


def test_probabilities_are_written_as_the_package_writes_them(page):
    luck = random.Random(1)
    probabilities = [0, 1, 0.5, 1e-9, 1 - 1e-9, 0.001, 0.999, *(k / 2000 for k in range(2001))]
    probabilities += [luck.random() for _ in range(500)]
    written = page.evaluate(
        """probabilities => import('/static/lib/format.js').then(format =>
            probabilities.map(p => [format.percent(p), format.percentLabel(p)]))""",
        probabilities,
    )
    assert written == [[percent(p), percent_label(p)] for p in probabilities]


@pytest.mark.parametrize("name", TILINGS)
def test_the_interior_is_labelled_where_the_package_labels_it(page, name):
    luck = random.Random(3)
    board = tiling(name, 7, 6)
    cases = [sorted(luck.sample(range(len(board)), luck.randint(2, 40))) for _ in range(20)]
    found = page.evaluate(
        """async ([data, cases]) => {
            const { widestCell } = await import("/static/board/probability_overlay.js");
            const { offsets, neighbours } = data;
            const around = (cell) => neighbours.slice(offsets[cell], offsets[cell + 1]);
            const view = { data, count: offsets.length - 1, around };
            return cases.map((cells) => widestCell(view, new Set(cells)).cell);
        }""",
        [
            {"offsets": board.offsets.tolist(), "neighbours": board.neighbours.tolist()},
            cases,
        ],
    )
    assert found == [label_cell(board, cells) for cells in cases]


def test_names_in_an_address_are_escaped(page):
    found = page.evaluate(
        "import('/static/lib/api.js').then(api => api.worksheetFile('../a?b#c', 'pdf'))"
    )
    assert found == "/api/worksheets/..%2Fa%3Fb%23c/sheet.pdf"


def test_only_the_last_question_is_answered_and_a_dropped_one_is_silent(page):
    found = page.evaluate(
        """async () => {
            const { LatestRequest, Requests } = await import("/static/lib/api.js");
            const found = [];
            const until = (signal) => new Promise((_, fail) =>
                signal.addEventListener("abort", () => fail(new Error("taken back"))));
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
        *(True, "second", None, False),  # the first was taken back by the second
        False,  # nothing is left to drop
        *(True, None),
        "refused",
        *("one", "two"),
        None,  # an answer that came all the same
    ]


def test_a_notice_is_given_only_where_the_answer_takes_long(page):
    found = page.evaluate(
        """async () => {
            const { notifyIfSlow } = await import("/static/lib/api.js");
            const after = (wait) => new Promise((done) => setTimeout(() => done(wait), wait));
            const notices = [];
            await notifyIfSlow(after(0), 200, () => notices.push("soon"));
            await notifyIfSlow(after(400), 50, () => notices.push("late"));
            const refused = Promise.reject(new Error("no"));
            await notifyIfSlow(refused, 50, () => notices.push("refused")).catch(() => {});
            await after(300);
            return notices;
        }"""
    )
    assert found == ["late"]


def test_help_leads_to_the_book_where_it_is_built(new_page):
    page = new_page("#/help")
    expect(page.get_by_role("heading", name="Help", level=1)).to_be_visible()
    link = page.locator('a[href="/docs/"]')
    built = page.evaluate("fetch('/api/menu').then(r => r.json()).then(menu => menu.docs)")
    expect(link).to_be_visible() if built else expect(link).to_be_hidden()
