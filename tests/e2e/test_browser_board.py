"""The position of the board: it never moves, and panels are beside or over it on every screen."""

import re

import pytest
from playwright.sync_api import Page, expect

from sapper.board.rules import Rules
from sapper.generators.layouts import generate
from tests.e2e.conftest import LANDSCAPE, PHONE
from tests.e2e.pages import (
    another_game,
    cell,
    go,
    is_covered,
    open_saved,
    overlay_cells,
    press_in_more_menu,
    reveal,
    wait_until,
)

pytestmark = pytest.mark.browser

SCREENS = {
    "1366x768": {"viewport": {"width": 1366, "height": 768}},
    "1920x1080": {"viewport": {"width": 1920, "height": 1080}},
    "portrait": PHONE,
    "landscape": LANDSCAPE,
    "small landscape": {**PHONE, "viewport": {"width": 667, "height": 375}},
}
DESKTOPS = ("1366x768", "1920x1080")
PHONES = ("portrait", "landscape")
FIRST = 235
EXPERT = "#/play?size=expert&seed=3"
MINES = generate(Rules.parse("expert"), 3, FIRST).layout.mine_cells.tolist()
MINE = MINES[0]
BOARD = ".grid svg"


def box_of(page: Page, selector: str = BOARD) -> tuple[float, ...]:
    box = page.locator(selector).bounding_box()
    return tuple(round(box[key], 1) for key in ("x", "y", "width", "height"))


def is_clear(page: Page, number: int) -> bool:
    """Return whether the middle of a cell is visible and not covered by another element."""
    return page.evaluate(
        """(number) => {
            const box = document.querySelector(`[data-cell="${number}"]`).getBoundingClientRect();
            const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return at?.closest("[data-cell]")?.dataset.cell === String(number);
        }""",
        number,
    )


def wait_until_clear(page: Page, number: int):
    wait_until(page, lambda: is_clear(page, number), f"cell {number} is visible and not covered")


@pytest.mark.parametrize("screen", [*DESKTOPS, *PHONES])
def test_board_does_not_move_at_the_end_or_for_messages(new_page, screen):
    page = new_page(EXPERT, **SCREENS[screen])
    reveal(page, FIRST)
    # On a phone the last one, which the card would cover at its usual place.
    mine = MINES[-1] if screen in PHONES else MINE
    cell(page, mine).scroll_into_view_if_needed()
    before = box_of(page), box_of(page, ".viewport")
    cell(page, mine).click()
    expect(page.locator(".end-card")).to_be_visible()
    expect(page.locator(".end-fatal")).to_contain_text("mine")
    expect(page.locator(".end-review")).to_contain_text("luck score")
    assert (box_of(page), box_of(page, ".viewport")) == before
    assert is_clear(page, mine)
    page.evaluate(
        """import("/static/lib/announce.js").then((page) => {
            page.showBanner("The server does not respond."); page.notify("something"); })"""
    )
    expect(page.locator("#banner")).to_be_visible()
    assert (box_of(page), box_of(page, ".viewport")) == before
    header, banner = box_of(page, ".top"), box_of(page, "#banner")
    assert banner[1] >= header[1] + header[3]
    page.keyboard.press("n")
    expect(page.locator(".end-card")).to_be_hidden()
    assert box_of(page)[2:] == before[0][2:]


def test_boards_use_the_space(new_page):
    page = new_page(EXPERT, **SCREENS["1366x768"])
    left, _, width, _ = box_of(page)
    assert width >= 1090
    assert left + width / 2 == pytest.approx(683, abs=2)
    page.set_viewport_size(SCREENS["1920x1080"]["viewport"])
    go(page, "#/play?size=beginner&seed=1")
    expect(page.locator("[data-cell]")).to_have_count(81)
    assert box_of(page)[3] >= 1080 * 2 / 3
    page = new_page(EXPERT, **PHONE | {"viewport": {"width": 768, "height": 1024}})
    assert box_of(page)[2] <= 768  # all columns of a tablet


@pytest.mark.parametrize("level", ["beginner", "intermediate"])
def test_panels_are_beside_a_board_that_leaves_space(new_page, level):
    page = new_page(f"#/play?size={level}&seed=3", **SCREENS["1366x768"])
    before = box_of(page)
    reveal(page, 40)
    page.keyboard.press("h")
    page.keyboard.press("o")
    expect(page.locator(".dock .panel")).to_be_visible()
    expect(page.locator("[data-over]").first).to_be_attached()
    assert box_of(page) == before
    assert box_of(page, ".dock")[0] >= before[0] + before[2]


@pytest.mark.parametrize("size", [(1366, 768), (1024, 700)])
def test_panels_do_not_cover_the_cells_they_refer_to(new_page, size):
    page = new_page(EXPERT, viewport={"width": size[0], "height": size[1]})
    reveal(page, FIRST)
    before = box_of(page)
    page.keyboard.press("h")
    expect(page.locator(".dock .panel")).to_be_visible()
    for number in overlay_cells(page, "proof"):
        assert is_clear(page, number)
    assert box_of(page) == before
    # The last one is in the upper right corner, where the panel is otherwise.
    cell(page, max(MINES, key=lambda mine: mine % 30 - mine // 30)).click(force=True)
    expect(page.locator(".end-fatal")).to_contain_text("mine")
    expect(page.locator(".end-review")).to_contain_text("luck score")
    assert box_of(page) == before
    wait_until_clear(page, max(MINES, key=lambda mine: mine % 30 - mine // 30))
    for button in page.locator(".end-card button").all():
        expect(button).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("screen", PHONES)
def test_hints_are_scrolled_into_view(new_page, screen):
    page = new_page(EXPERT, **SCREENS[screen])
    size = box_of(page)[2:]
    reveal(page, FIRST)
    page.locator(".viewport").evaluate("viewport => viewport.scrollTo(0, 9999)")
    assert not is_clear(page, 21)  # r1c22, which the first hint is about
    hint_button = page.locator(".game-tools").get_by_role("button", name="Hint")
    hint_button.tap()
    expect(page.locator(".hint-text").first).to_have_text("Look inside the ring.")
    wait_until_clear(page, 22)
    for text in ("Look at this 1.", "is safe"):
        hint_button.tap()
        expect(page.locator(".hint-text").first).to_contain_text(text)
    wait_until_clear(page, 21)
    wait_until_clear(page, 22)
    assert box_of(page)[2:] == size


def test_watched_moves_and_proofs_are_scrolled_into_view(new_page):
    page = new_page("#/watch?size=expert&seed=7", **PHONE)
    page.wait_for_selector("[data-cell]")
    for steps in (1, 2, 3):
        page.locator(".viewport").evaluate("viewport => viewport.scrollTo(9999, 9999)")
        page.get_by_role("button", name="Next step").tap()
        expect(page.locator(".log li")).to_have_count(steps)
    marked = page.locator('[data-over="mark"], [data-over="reveal"], [data-over="guess"]').last
    expect(marked).to_be_in_viewport()
    board, overview = box_of(page), box_of(page, ".overview")
    assert overview[1] >= board[1] + board[3]  # below, where it covers nothing

    page = new_page("#/analyse", viewport={"width": 900, "height": 500})
    page.get_by_label("The position as text").fill("#" * 59 + "1")
    expect(page.locator("[data-cell]")).to_have_count(60)
    page.get_by_role("button", name="1 mine").click()
    cell(page, 58).click()
    expect(page.locator(".why")).to_contain_text("This 1 needs 1")
    wait_until_clear(page, 58)
    wait_until_clear(page, 59)


def test_zoom_is_stored_for_each_board_relative_to_the_fitting_size(new_page):
    page = new_page(EXPERT, **SCREENS["1366x768"])
    fitted = box_of(page)[2]
    for _ in range(2):
        page.keyboard.press("+")
    chosen = box_of(page)[2]
    assert chosen == pytest.approx(1.44 * fitted, rel=0.01)
    expect(page.locator(".overview")).to_be_visible()
    go(page, "#/play?size=beginner&seed=1")
    expect(page.locator("[data-cell]")).to_have_count(81)
    expect(page.locator(".overview")).to_be_hidden()
    small = box_of(page)[2]
    go(page, EXPERT)
    expect(page.locator("[data-cell]")).to_have_count(480)
    assert box_of(page)[2] == chosen
    board = page.locator(BOARD)
    board_width = board.evaluate("board => getComputedStyle(board).width")
    page.set_viewport_size({"width": 1100, "height": 768})
    expect(board).not_to_have_css("width", board_width)
    other = box_of(page)[2]
    press_in_more_menu(page, "Fit")
    assert other == pytest.approx(1.44 * box_of(page)[2], rel=0.01)
    page.reload()
    page.wait_for_selector("[data-cell]")
    assert box_of(page)[2] == pytest.approx(other / 1.44, rel=0.01)
    assert small < fitted


@pytest.mark.parametrize("screen", [*PHONES, "small landscape"])
def test_phone_shows_mostly_board_with_controls_in_reach(new_page, screen):
    page = new_page(EXPERT, **SCREENS[screen])
    wide, high = (SCREENS[screen]["viewport"][side] for side in ("width", "height"))
    window = box_of(page, ".viewport")
    assert window[2] * window[3] > 0.75 * wide * high
    row = box_of(page, ".game-tools")
    if screen == "portrait":
        assert row[1] + row[3] == high and row[3] < 72
    else:
        assert row[0] + row[2] == wide and row[2] < 72
    for button in page.locator(".game-tools button").all():
        if button.is_visible():
            box = button.bounding_box()
            assert box["x"] + box["width"] <= wide and box["y"] + box["height"] <= high
            assert min(box["width"], box["height"]) >= 32
    page.get_by_role("button", name="More").tap()
    expect(page.get_by_role("button", name="Share")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Fit").tap()
    board = box_of(page)
    assert board[2] <= window[2] and board[3] <= window[3]
    page.get_by_role("button", name="Fit").tap()
    assert box_of(page)[2] > window[2]
    page.get_by_role("button", name="More").tap()
    expect(page.get_by_role("button", name="Share")).to_be_hidden()


def test_phone_has_a_menu_of_views(new_page):
    page = new_page(EXPERT, **PHONE)
    links = page.locator("#views a")
    for screen in PHONES:
        page.set_viewport_size(SCREENS[screen]["viewport"])
        menu = page.get_by_role("button", name="Menu, current view: Play")
        menu.tap()
        for link in links.all():
            link.scroll_into_view_if_needed()
            expect(link).to_be_in_viewport(ratio=1)
        page.keyboard.press("Escape")
        expect(links.first).to_be_hidden()
    menu.tap()
    page.get_by_role("link", name="Statistics").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Statistics")
    expect(links.first).to_be_hidden()


def test_overview_scrolls_the_board(new_page):
    page = new_page(EXPERT, **PHONE)
    overview = page.locator(".overview")
    expect(overview).to_be_visible()
    box = overview.bounding_box()
    assert not is_clear(page, 29)
    page.touchscreen.tap(box["x"] + box["width"] - 3, box["y"] + 3)
    wait_until_clear(page, 29)
    page.touchscreen.tap(box["x"] + 3, box["y"] + 3)
    wait_until_clear(page, 0)


def test_overview_covers_no_cell(new_page):
    for screen in ("1366x768", "portrait"):
        page = new_page("#/play?size=60x60/400&seed=3", **SCREENS[screen])
        left, top, width, height = box_of(page, ".viewport")
        x, y, wide, high = box_of(page, ".overview")
        stage = box_of(page, ".stage")
        assert x >= left + width or y >= top + height
        assert x + wide <= stage[0] + stage[2] and y + high <= stage[1] + stage[3]
        assert width * height > 0.85 * stage[2] * stage[3]


def win(page: Page, size: str, seed: int, first: int):
    layout = generate(Rules.parse(size), seed, first).layout
    reveal(page, first)
    for number in layout.board.cells:
        if not layout.mine_mask[number] and is_covered(page, number):
            reveal(page, number)


def figures(page: Page) -> dict[str, str]:
    names = page.locator(".end-figures dt").all_text_contents()
    return dict(zip(names, page.locator(".end-figures dd").all_text_contents(), strict=True))


def test_end_card_compares_a_win_with_earlier_ones(new_page):
    page = new_page("#/play?size=5x4/2&seed=11")
    win(page, "5x4/2", 11, 7)
    expect(page.locator(".verdict")).to_have_text(re.compile(r"^Won in \d+\.\d\d s\.$"))
    expect(page.locator(".end-figures")).to_contain_text("first win")
    expect(page.locator(".end-record")).to_have_text("Your first win with these rules")
    found = figures(page)
    assert set(found) == {"3BV", "3BV/s", "Efficiency", "Best", "Streak"}
    assert re.fullmatch(r"\d+\.\d\d", found["3BV/s"])
    assert found["Streak"] == "1"
    with another_game(page):
        page.get_by_role("button", name="New game").first.click()
    expect(page.locator(".end-card")).to_be_hidden()
    with another_game(page):
        go(page, "#/play?size=5x4/2&seed=12")
    win(page, "5x4/2", 12, 7)
    expect(page.locator(".end-figures")).to_contain_text("2, your longest")
    assert re.fullmatch(r"new, by .* s|[\d.]+ s \(\+[\d.]+ s\)", figures(page)["Best"])
    page.get_by_role("button", name="Replay").last.click()
    expect(page.locator(".end-card")).to_be_hidden()
    expect(page.locator("[data-cell].open")).to_have_count(0)


def test_end_card_explains_a_loss_and_offers_next_steps(new_page):
    page = new_page("#/play")
    open_saved(page, "*.....")
    reveal(page, 1)
    cell(page, 0).click()
    fatal = "This cell had a 50% chance of being a mine. 3 cells were safe."
    expect(page.locator(".end-fatal")).to_have_text(fatal)
    expect(page.locator("#status")).to_contain_text("3 cells (r1c4, r1c5, r1c6) were safe.")
    expect(page.locator(".over-line")).to_have_count(1)
    expect(page.locator('[data-over="certain-safe"]')).to_have_count(3)
    card = page.locator(".end-card")
    card.get_by_role("button", name="Continue").click()
    expect(card).to_be_hidden()
    expect(cell(page, 0)).to_have_class(re.compile("flagged"))
    page.keyboard.press("u")
    expect(card).to_be_visible()
    card.get_by_role("button", name="Undo").click()
    expect(card).to_be_hidden()
    expect(page.locator(".over-line")).to_have_count(0)
    cell(page, 0).click()
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    open_saved(page, "*......")  # at most three cells are named for screen readers
    reveal(page, 1)
    cell(page, 0).click()
    expect(page.locator("#status")).to_contain_text("4 cells (r1c4, r1c5, r1c6) were safe.")


def test_animations_respect_reduced_motion(new_page):
    for motion, seen in (("no-preference", True), ("reduce", False)):
        page = new_page(EXPERT, reduced_motion=motion)
        # Animations are short, so they are recorded as they appear.
        page.evaluate(
            """() => { window.animations = [];
                new MutationObserver((changes) => changes.forEach((change) =>
                    change.addedNodes.forEach((node) => node.classList?.contains("motion") &&
                        window.animations.push(node.firstChild.getAttribute("class"))))
                ).observe(document.querySelector(".grid svg"), { childList: true }); }"""
        )
        reveal(page, FIRST)
        cell(page, 0).click(button="right")
        expect(cell(page, 0).locator(".planted")).to_have_count(int(seen))
        cell(page, MINE).click()
        expect(page.locator(".end-card")).to_be_visible()
        animations = page.evaluate("window.animations")
        assert animations == (["moving ripple", "moving wave"] if seen else [])
        expect(page.locator(".motion")).to_have_count(0)
