"""Any position analysed in the browser: pasted, painted, shared, contradictory, cancelled."""

import re

import pytest
from playwright.sync_api import Request, expect

from sapper.board.rules import Rules
from sapper.board.tilings import tiling
from sapper.generators.layouts import generate
from tests.analyse_command import drawn_labels, labels_of, shown_labels, spoken_labels
from tests.e2e.conftest import PHONE
from tests.e2e.pages import (
    TEXT,
    RequestLog,
    cell,
    enter_position,
    intercept,
    press_in_more_menu,
    reveal,
)
from tests.unit.web.features.test_web_analyse import POSITIONS

pytestmark = pytest.mark.browser


def test_overlay_shows_what_the_command_prints(new_page):
    page = new_page("#/analyse")
    for name, text in POSITIONS.items():
        enter_position(page, text)
        assert spoken_labels(page) == labels_of(text), name
        assert shown_labels(page) == drawn_labels(text), name


def test_position_is_pasted_painted_undone_and_shared(new_page):
    page = new_page("#/analyse")
    enter_position(page, "mines: 2\n1##\n###\n###\n")
    page.get_by_role("button", name="Number 1", exact=True).click()
    one, two = cell(page, 3).bounding_box(), cell(page, 5).bounding_box()
    page.mouse.move(one["x"] + 9, one["y"] + 9)
    page.mouse.down()
    page.mouse.move(two["x"] + 9, two["y"] + 9)
    page.mouse.up()
    expect(page.get_by_label(TEXT)).to_have_value("mines: 2\n1##\n111\n###\n")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label(TEXT)).to_have_value("mines: 2\n1##\n###\n###\n")
    cell(page, 3).focus()
    for key, text in (
        ("1", "1##\n1##"),
        ("f", "1##\nF##"),
        ("Delete", "1##\n###"),
        ("1", "1##\n1##"),
    ):
        page.keyboard.press(key)
        expect(page.get_by_label(TEXT)).to_have_value(f"mines: 2\n{text}\n###\n")
    with page.expect_response(
        lambda response: is_analysis_without_mines(response.request)
    ) as answer:
        page.get_by_label("Mines; leave empty").fill("")
    expect(page.get_by_label(TEXT)).to_have_value("1##\n1##\n###\n")
    link = answer.value.json()["link"]
    expect(page).to_have_url(re.compile(re.escape(link) + "$"))  # the address changes after a delay
    other = new_page(link)
    expect(other.get_by_label(TEXT)).to_have_value("1##\n1##\n###\n")
    other.evaluate(
        """() => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text", "2x1x1\\nH1");
            document.dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
        }"""
    )
    expect(other.get_by_label(TEXT)).to_have_value("mines: 1\n#1\n")
    other.get_by_label(TEXT).fill("nonsense")
    expect(other.locator("#text-problem")).to_contain_text("expected one of")
    other.get_by_label(TEXT).fill("")
    expect(other.locator("#text-problem")).to_be_hidden()


def is_analysis_without_mines(request: Request) -> bool:
    return request.url.endswith("/api/analysis") and request.post_data_json["mines"] is None


def test_two_changes_of_the_board_run_in_order(new_page):
    page = new_page("#/analyse")
    enter_position(page, "1##\n###\n")
    held = []
    intercept(page, "**/api/boards/square/4x2*", lambda route: held.append(route))
    with page.expect_request("**/api/boards/square/4x2*"):
        page.get_by_label("Width").fill("4")
        page.get_by_label("Width").press("Enter")
    log = RequestLog(page)
    page.get_by_label("Board shape").select_option("hexagonal")
    log.settle()
    assert len(held) == 1 and log.sent == []
    held[0].continue_()
    expect(page.get_by_label(TEXT)).to_have_value("board: hexagonal 4x2\n1###\n####\n")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label(TEXT)).to_have_value("1###\n####\n")


def test_click_on_a_certain_cell_shows_its_proof(new_page):
    page = new_page("#/analyse")
    enter_position(page, POSITIONS["count"])
    cell(page, 6).click()
    expect(page.locator(".why")).to_contain_text("The 1 marked A needs 1, and all its")
    assert page.locator(".over-badge").all_text_contents() == ["A", "B"]
    for number in (0, 3):
        expect(cell(page, number)).to_have_attribute("data-over", "proof")
    cell(page, 1).click()
    expect(page.locator(".about-cell")).to_contain_text("mine 50%")
    expect(page.locator(".values dd")).to_have_count(2)
    assert page.locator(".values dd").all_text_contents() == ["16.7%", "33.3%"]


def test_contradiction_is_explained_and_marked(new_page):
    page = new_page("#/analyse")
    enter_position(page, "2##\n1##\n#.1\n")
    headline = page.locator(".headline")
    expect(headline).to_have_text(
        "Impossible position: the 2 outlined numbers cannot both be right."
    )
    marked = page.locator('[data-over="lost"]')
    expect(marked).to_have_count(2)
    expect(marked.first).to_have_attribute("aria-label", "r1c1: 2, contradiction")
    headline.get_by_role("button", name="the 2 outlined numbers").hover()
    expect(page.locator(".over-highlight")).to_have_count(2)
    expect(page.locator(".summary")).to_contain_text("Change one of the outlined numbers.")


def lattice() -> str:
    """Return a position of 41x41 with isolated numbers that is too complex to analyse."""
    board = tiling("square", 41, 41)
    rules = Rules(board, 504, "any")
    layout = generate(rules, 7, 0).layout
    cells = [
        row * 41 + column
        for row in range(1, 41, 2)
        for column in range(1, 41, 2)
        if not layout.mine_mask[row * 41 + column]
    ]
    return str(layout.position(cells, mines=504))


def test_long_analysis_can_be_cancelled(new_page):
    page = new_page("#/analyse")
    expect(page.locator(".headline")).to_be_visible()
    page.get_by_label(TEXT).fill(lattice())
    expect(page.locator(".busy")).to_be_visible()
    cell(page, 40).focus()
    page.keyboard.press("f")  # an edit is painted at once, while the analysis runs
    expect(cell(page, 40)).to_have_attribute("aria-label", re.compile("flag"))
    expect(page.locator(".busy")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Analyse again")).to_be_visible()
    # The workers are free again long before the budget of 20 s ends.
    page.get_by_label(TEXT).fill(POSITIONS["count"])
    expect(page.locator(".headline")).to_have_text("2 cells are certain.")


def test_touch_paints_with_the_palette(new_page):
    page = new_page("#/analyse", **PHONE)
    enter_position(page, "###\n###\n")
    page.get_by_role("button", name="Number 2", exact=True).tap()
    cell(page, 1).tap()
    expect(page.get_by_label(TEXT)).to_have_value("#2#\n###\n")
    page.get_by_role("button", name="Flag", exact=True).tap()
    cell(page, 4).tap()
    expect(page.get_by_label(TEXT)).to_have_value("#2#\n#F#\n")
    enter_position(page, "#########\n" * 9)
    page.set_viewport_size({"width": 844, "height": 390})  # landscape, beside the palette
    expect(page.locator(".grid svg")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Number 8", exact=True)).to_be_in_viewport(ratio=1)


def test_game_opens_in_analyse(new_page):
    page = new_page("#/play?size=5x5/3&tiling=square&rule=zero&seed=2")
    reveal(page, 12)
    press_in_more_menu(page, "Analyse this position")
    expect(page.get_by_label("Mines; leave empty")).to_have_value("3")
    expect(cell(page, 12)).to_have_attribute("aria-label", re.compile("zero"))


def test_text_and_verdict_are_visible_and_a_layout_has_its_certificate(new_page):
    page = new_page("#/analyse", viewport={"width": 1366, "height": 768})
    expect(page.get_by_label(TEXT)).to_be_in_viewport(ratio=1)
    for found in ("JSON", "layout", "saved game", "screenshot"):
        expect(page.locator(".formats")).to_contain_text(found)
    for width, height in ((1366, 768), (844, 390), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        enter_position(page, POSITIONS["count"])
        expect(page.locator(".headline")).to_be_in_viewport(ratio=1)
    page.get_by_label(TEXT).fill(".*.c")
    certificate = page.get_by_role("region", name="No-guess certificate")
    expect(certificate).to_contain_text("No-guess board. Certain moves win it from the first click")
    certificate.get_by_text("Certificate", exact=True).click()
    certificate.get_by_role("button", name="Reveal 1 cell").click()
    expect(cell(page, 1)).to_have_attribute("aria-label", re.compile("flag"))
    expect(page.locator(".over-ring.inner")).to_have_attribute("data-cells", "0")
    page.get_by_label(TEXT).fill("*c.")
    expect(certificate).to_contain_text("it needs 1 guess")
    page.get_by_label(TEXT).fill("1##")
    expect(certificate).to_be_hidden()
