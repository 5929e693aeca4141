"""Hints with each level of detail, and probabilities that equal those of the command."""

import re

import pytest
from playwright.sync_api import Page, expect

from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.board.rules import Rules
from sapper.generators.layouts import generate
from sapper.wording import percent
from tests.analyse_command import (
    drawn_labels,
    labels_of,
    probabilities_of,
    shown_labels,
    spoken_labels,
)
from tests.e2e.conftest import LANDSCAPE, PHONE
from tests.e2e.pages import (
    cell,
    intercept,
    labels,
    open_saved,
    overlay_cells,
    position_of,
    reveal,
    wait_until,
)
from tests.oracle.naive_hints import proves

pytestmark = pytest.mark.browser

FIRST = 235
# The first hint in this game: r1c23 has its mine, so r1c22 is safe.
NUMBER, SAFE = 22, 21


@pytest.fixture
def expert(new_page) -> Page:
    page = new_page("#/play?size=expert&seed=3")
    reveal(page, FIRST)
    return page


def layout_of(size: str, seed: int, first: int) -> Layout:
    return generate(Rules.parse(size), seed, first).layout


def safe_covered(page: Page, layout: Layout) -> list[int]:
    covered = page.locator("[data-cell].covered")
    cells = covered.evaluate_all("cells => cells.map(cell => Number(cell.dataset.cell))")
    return [number for number in cells if not layout.mine_mask[number]]


def test_each_level_of_detail_shows_only_its_part(expert):
    page, hint_text = expert, expert.locator(".hint-text").first
    page.keyboard.press("h")
    expect(hint_text).to_have_text("Look inside the ring.")
    expect(page.locator("#status")).to_have_text("Look around r1c23.")
    ring = page.locator(".over-ring.inner").get_attribute("data-cells").split()
    assert str(NUMBER) in ring and len(ring) == 6  # the place, at the edge of the board
    # The ring leaves covered and revealed cells as they are.
    assert overlay_cells(page, "proof") == overlay_cells(page, "certain-safe") == []
    more = page.get_by_role("button", name="More detail")
    more.click()
    expect(hint_text).to_have_text("Look at this 1.")
    assert overlay_cells(page, "proof") == [NUMBER]
    assert overlay_cells(page, "certain-safe") == []
    expect(cell(page, NUMBER)).to_have_attribute("aria-label", re.compile("1, number to look at$"))
    badges = page.locator(".over-badge")
    assert badges.all_text_contents() == ["A"]  # the known mine: a letter, never a digit
    more.click()
    expect(hint_text).to_have_text("This 1 already touches its mine, so the ticked cell is safe.")
    expect(page.locator("#status")).to_contain_text("so r1c22 is safe")
    assert (overlay_cells(page, "proof"), overlay_cells(page, "certain-safe")) == ([NUMBER], [SAFE])
    expect(cell(page, SAFE)).to_have_attribute("aria-label", re.compile("certainly safe$"))
    # The second press comes while the move is made, and does not make it again.
    page.get_by_role("button", name="Do it").evaluate(
        "button => { button.click(); button.click(); }"
    )
    expect(hint_text).to_have_text("Done: 1 move.")
    expect(page.locator("#alert")).to_have_text("")
    expect(cell(page, SAFE)).to_have_class(re.compile("open"))
    assert overlay_cells(page, "certain-safe") == overlay_cells(page, "proof") == []
    expect(page.locator(".figures")).to_contain_text("Hints4")
    expect(page.locator(".badges")).to_contain_text("helped")


# Two hundred presses, each before the answers to the last ones can be shown.
PRESS_FAST = """async () => {
  for (let k = 0; k < 200; k++) {
    if (k % 2) document.dispatchEvent(new KeyboardEvent("keydown", { key: "h", bubbles: true }));
    else document.querySelector(".more-detail")?.click();
    await new Promise((resolve) => setTimeout(resolve, k % 5));
  }
}"""


@pytest.mark.parametrize("seed", [3, 5])
def test_fast_presses_of_the_key_and_the_button_make_no_move_twice(new_page, seed):
    page = new_page(f"#/play?size=beginner&seed={seed}")
    reveal(page, 40)
    refused = []
    page.on("response", lambda response: response.status >= 400 and refused.append(response.url))
    page.evaluate(PRESS_FAST)
    wait_until(
        page, lambda: not page.locator(".end-card").is_hidden() or press_hint(page), "the end"
    )
    expect(page.locator(".end-card")).to_contain_text("Won")
    assert refused == []


def press_hint(page: Page) -> bool:
    page.keyboard.press("h")
    return False


def test_forced_guess_is_explained_with_its_risk(new_page):
    page = new_page("#/play")
    open_saved(page, "*..\n..*")
    reveal(page, 1)
    hint_text = page.locator(".hint-text").first
    for name, expected in (
        ("Where to look", "Nothing is certain. The best guess has 40% risk."),
        ("Which cells", "Nothing is certain. Compare A ("),
        ("What they may show", "Nothing is certain."),
        ("Which one", "Nothing is certain."),
    ):
        page.keyboard.press("h")
        expect(page.locator(".hint-part").first).to_contain_text(f"of 4: {name}")
        expect(hint_text).to_contain_text(expected)
        outlook = page.locator(".guess-table").first.locator("tbody tr").first
        if name == "What they may show":
            expect(outlook.locator("th, td")).to_have_text(["A", "40%", "1, 0, 2", "33.3%"])
    take = page.get_by_role("button", name=re.compile("Take the guess .40% risk"))
    expect(take).to_be_visible()  # a guess is made only on request
    expect(page.locator("[data-cell].open")).to_have_count(1)
    page.keyboard.press("o")
    expect(page.locator(".hint-text").last).to_contain_text("No cell is certain.")
    expect(page.locator(".best-guess:visible")).to_have_count(1)  # one set of letters on the board
    for guess in page.locator(".best-guess").all():
        expect(guess).to_contain_text(
            re.compile(
                r"Best guess [A-E], 40% risk. (All 4 compared cells win equally|Wins as) often"
            )
        )
        expect(guess.locator("tbody tr").first).to_have_text(re.compile(r"[A-E]40%40% .2/5."))
    letters = page.locator(".best-guess:visible tbody th").all_text_contents()
    assert sorted(letters) == sorted(page.locator(".over-badge").all_text_contents())
    page.keyboard.press("Escape")
    expect(page.locator(".panel")).to_be_hidden()
    assert overlay_cells(page, "guess") == shown_labels(page) == []


def test_help_on_a_phone_covers_no_candidate(new_page):
    page = new_page("#/play", **PHONE)
    open_saved(page, "*..\n..*")
    reveal(page, 1)
    panel = page.get_by_role("complementary", name="Hints and probabilities")

    def bottom_of_candidates() -> float:
        boxes = [cell(page, number).bounding_box() for number in (0, 2, 3, 5)]
        return max(box["y"] + box["height"] for box in boxes)

    for _ in range(4):
        page.keyboard.press("h")
    expect(panel).to_contain_text("4 of 4")
    wait_until(
        page,
        lambda: bottom_of_candidates() <= panel.bounding_box()["y"],
        "the candidates are visible",
    )
    page.get_by_role("button", name="Close help").click()
    page.keyboard.press("o")
    expect(panel).to_contain_text("Best guess")
    wait_until(
        page,
        lambda: bottom_of_candidates() <= panel.bounding_box()["y"],
        "the candidates are visible",
    )


def test_rotated_phone_still_shows_the_cells_of_a_hint(new_page):
    page = new_page("#/play?size=expert&seed=3", new_context=True, **PHONE)
    reveal(page, FIRST)
    for detail in (1, 2):
        page.keyboard.press("h")
        expect(page.locator(".detail-name")).to_contain_text(f"{detail} of 4")
    dock = page.locator(".dock")

    def is_number_visible() -> bool:
        box, panel = cell(page, NUMBER).bounding_box(), dock.bounding_box()
        size = page.viewport_size
        beside = box["x"] + box["width"] <= panel["x"] or box["x"] >= panel["x"] + panel["width"]
        above = box["y"] + box["height"] <= panel["y"] or box["y"] >= panel["y"] + panel["height"]
        return (beside or above) and box["x"] >= 0 and box["x"] + box["width"] <= size["width"]

    portrait = page.viewport_size
    for size in (LANDSCAPE["viewport"], portrait):
        page.set_viewport_size(size)
        wait_until(page, is_number_visible, "the number of the hint is visible")


def test_end_card_on_a_tablet_is_below_a_beginner_board(new_page):
    page = new_page(new_context=True, viewport={"width": 768, "height": 1024})
    open_saved(page, "\n".join(["*.*......", *["........."] * 8]))
    reveal(page, 80)
    cell(page, 0).click()
    expect(page.locator(".end-fatal")).to_contain_text("was safe")
    board = page.locator(".grid svg").bounding_box()
    card = page.locator(".end-card").bounding_box()
    assert board["y"] + board["height"] <= card["y"]


def marked_cells(page: Page) -> dict[str, list[int]]:
    """Return the cells of a hint from their labels: numbers, known mines, moves."""
    cell_labels = labels(page)
    ends = {
        "numbers": "number to look at",
        "known": "known: mine",
        "safe": "certainly safe",
        "mines": "certainly a mine",
    }
    return {
        key: [k for k, label in enumerate(cell_labels) if label.endswith(end)]
        for key, end in ends.items()
    }


def test_marked_cells_prove_the_move(new_page):
    page = new_page("#/play?size=9x9/14&seed=4&tiling=hexagonal")
    reveal(page, 40)
    proved = known = 0
    for _ in range(8):
        hint_text = page.locator(".hint-text").first
        for detail in range(3):
            page.keyboard.press("h")
            expect(page.locator(".detail-name")).to_contain_text(f"{detail + 1} of 4")
        if "Nothing is certain" in hint_text.text_content():
            break
        position, shown = Position.parse(position_of(page)), marked_cells(page)
        total = position.mines if "mine count" in hint_text.text_content() else None
        moves = [(c, False) for c in shown["safe"]] + [(c, True) for c in shown["mines"]]
        assert moves
        for number, is_mine in moves:
            arguments = (shown["numbers"], shown["known"], total, number, is_mine)
            assert proves(position.board, position.marks.tolist(), *arguments)
        assert page.locator(".premises > li").count() == len(shown["known"])
        proved, known = proved + 1, known + len(shown["known"])
        page.keyboard.press("h")
        expect(hint_text).to_have_text(re.compile("^Done"))
    assert proved > 4 and known > 0


def test_sentences_highlight_their_cells_and_premises_open_their_reasons(expert):
    page = expert
    for expected in ("ring", "this 1", "so the ticked cell"):
        page.keyboard.press("h")
        expect(page.locator(".hint-text").first).to_contain_text(expected)
    page.get_by_role("button", name="This 1").hover()
    expect(page.locator(".over-highlight")).to_have_attribute("data-cell-of", str(NUMBER))
    # The highlight does not hide the letter of a cell.
    expect(page.locator(".over-highlight ~ .over-badge").first).to_be_attached()
    page.locator(".premise summary").click()
    expect(page.locator(".premise p")).to_contain_text("has only 1 covered cell, so it is a mine")
    expect(page.locator(".over-highlight")).to_have_count(2)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Cell names in explanations").check()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Close help").click()
    for detail in (1, 2, 3):
        page.keyboard.press("h")
        expect(page.locator(".detail-name")).to_contain_text(f"{detail} of 4")
    expect(page.locator(".hint-text").first).to_contain_text("so r1c22 is safe")


def test_overlay_shows_what_the_command_prints(expert):
    page, layout = expert, layout_of("expert", 3, FIRST)
    page.keyboard.press("o")
    positions = set()
    for turn in range(2):
        position = position_of(page)
        positions.add(position)
        expected = labels_of(position)
        expect(page.locator(".over-label")).to_have_count(len(drawn_labels(position)))
        assert shown_labels(page) == drawn_labels(position)
        assert spoken_labels(page) == expected
        covered = safe_covered(page, layout)
        cell(page, covered[turn * 37 % len(covered)]).press("Enter")  # the panel may be over it
        expect(cell(page, covered[turn * 37 % len(covered)])).to_have_class(re.compile("open"))
    assert len(positions) == 2


def test_numbers_of_a_cell_follow_pointer_and_focus(expert):
    page = expert
    analysis = probabilities_of(position_of(page), "--values")
    page.keyboard.press("o")
    side = page.locator(".values")
    expect(page.locator(".over-label").first).to_be_attached()
    cell(page, 450).hover()
    expected = [percent(analysis["probabilities"]["r16c1"])]
    expected += [percent(p) for p in analysis["values"]["r16c1"].values()]
    expect(side.locator("dd span")).to_have_text(
        [text.replace("less than ", "<") for text in expected]
    )
    cell(page, 451).focus()
    expect(side).to_contain_text("This cell may be")
    expect(side.locator("dt")).to_have_text(["mine", *analysis["values"]["r16c2"]])
    page.get_by_role("button", name="Collapse help").click()
    expect(side).to_be_hidden()
    page.get_by_role("button", name="Expand help").click()
    expect(side).to_be_visible()
    assert page.locator(".figures").text_content().endswith("Hints1")


def test_moves_are_possible_during_an_analysis_which_can_be_stopped(expert):
    page = expert
    held = []
    intercept(
        page, "**/probabilities", lambda route: held.append(route)
    )  # an analysis that never ends
    page.keyboard.press("o")
    expect(page.get_by_text("Working …")).to_be_visible()
    for number in (SAFE, SAFE + 30):
        # Each move sends a new request and cancels the old one.
        with page.expect_request("**/probabilities"):
            cell(page, number).click(button="right")
        expect(cell(page, number)).to_have_attribute("aria-label", re.compile("flag"))
    expect(page.get_by_text("Working …")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Working …")).to_be_hidden()
    probabilities = page.get_by_role("button", name="Probabilities")
    expect(probabilities).to_have_attribute("aria-pressed", "false")


# Record the requests while the end card is shown; an earlier one may still be running.
RECORD_REQUESTS = """() => {
  const send = window.fetch;
  window.atTheEnd = [];
  window.fetch = (url, ...rest) => {
    if (document.querySelector(".end-card")?.checkVisibility()) atTheEnd.push(String(url));
    return send(url, ...rest);
  };
}"""


def test_end_card_replaces_the_help_panel(new_page):
    page = new_page(new_context=True)
    open_saved(page, "*.*\n...\n...")
    page.clock.install()
    reveal(page, 6)
    page.get_by_role("button", name="Probabilities").click()
    expect(page.locator(".hint-text").last).to_contain_text("1 safe cell")
    help_panel = page.get_by_role("complementary", name="Hints and probabilities")
    card = page.locator(".end-card")
    page.evaluate(RECORD_REQUESTS)
    cell(page, 0).click()  # the pointer rests on a cell with probabilities
    expect(card).to_contain_text("Lost")
    expect(help_panel).to_be_hidden()
    page.clock.run_for(1000)  # longer than the delay for the cell under the pointer
    card.get_by_role("button", name="Undo").click()
    expect(help_panel).to_be_visible()
    expect(page.locator(".hint-text").last).to_contain_text("1 safe cell")
    cell(page, 1).click()
    expect(card).to_contain_text("Finished after 1 loss")
    # A game with a loss has no best time.
    expect(card.locator(".end-figures")).to_contain_text("Best\N{EN DASH}")
    expect(help_panel).to_be_hidden()
    page.clock.run_for(1000)
    urls = page.evaluate("atTheEnd")
    assert not [url for url in urls if url.endswith("/values")]
