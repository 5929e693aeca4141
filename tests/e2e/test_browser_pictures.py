"""A screenshot in Analyse: pasted, dropped or chosen, corrected and analysed."""

import base64
import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE
from tests.e2e.pages import TEXT, cell, enter_position
from tests.unit.pictures.test_reading import ROWS, screenshot
from tests.unit.web.features.test_web_pictures import png

pytestmark = pytest.mark.browser

POSITION = "\n".join(ROWS) + "\n"


def paste_or_drop(page, event, data, media_type="image/png"):
    """Dispatch the event of a pasted or dropped file."""
    page.evaluate(
        """([event, text, type]) => {
            const transfer = new DataTransfer();
            const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
            transfer.items.add(new File([bytes], "board.png", { type }));
            const options = { bubbles: true, cancelable: true };
            document.body.dispatchEvent(
                event === "paste"
                    ? new ClipboardEvent("paste", { ...options, clipboardData: transfer })
                    : new DragEvent("drop", { ...options, dataTransfer: transfer }),
            );
        }""",
        [event, base64.b64encode(data).decode(), media_type],
    )


def partly_covered():
    """Return a screenshot in which a tooltip covers some cells."""
    picture = screenshot(size=28)
    picture.paste((255, 255, 180), (30 + 28 * 6 - 6, 36, 30 + 28 * 8 - 2, 30 + 28 * 2 - 4))
    return picture


def test_pasted_picture_is_corrected_and_analysed(new_page):
    page = new_page("#/analyse")
    section = page.get_by_role("region", name="Picture")
    expect(section).to_contain_text("It stays on your machine.")
    with page.expect_response("**/api/picture") as response:
        paste_or_drop(page, "paste", png(partly_covered()))
    unsure = response.value.json()["unsure"]
    expect(section.get_by_role("img", name="The board in the picture")).to_be_visible()
    first = unsure[0]["cell"]
    expect(page.locator(".over-line.dashed")).to_have_count(len(unsure))
    expect(cell(page, first)).to_have_attribute("aria-label", re.compile("unsure reading"))
    text = page.get_by_label(TEXT)
    original = text.input_value()
    cell(page, first).click()
    expect(text).not_to_have_value(original)
    for _ in unsure[0]["marks"][1:]:
        cell(page, first).click()
    expect(text).to_have_value(original)
    section.get_by_role("button", name="All correct").click()
    expect(page.locator(".over-line.dashed")).to_have_count(0)
    section.get_by_label("How many mines").fill("14")
    expect(page.get_by_label("Mines; leave empty")).to_have_value("14")


def test_picture_replaces_a_text_that_has_the_focus_and_its_verdict_is_in_sight(new_page):
    page = new_page("#/analyse", viewport={"width": 1366, "height": 768})
    enter_position(page, "mines: 1\n11\n##\n")
    expect(page.get_by_label(TEXT)).to_be_focused()
    paste_or_drop(page, "paste", png(screenshot()))
    expect(page.get_by_label(TEXT)).to_have_value(POSITION)
    verdict = page.locator(".answer .headline")
    expect(verdict).to_contain_text("cells are certain")
    expect(verdict).to_be_in_viewport(ratio=1)


def test_picture_dropped_on_another_view_opens_analyse(new_page):
    page = new_page("#/play")
    expect(page.get_by_role("heading").first).to_be_attached()
    paste_or_drop(page, "drop", png(screenshot()))
    expect(page.get_by_label(TEXT)).to_have_value(POSITION)
    # Another board removes the picture.
    page.get_by_label(TEXT).fill("1##\n")
    expect(page.get_by_role("img", name="The board in the picture")).to_have_count(0)


def test_picture_is_chosen_on_a_phone_and_a_bad_file_is_reported(new_page, tmp_path):
    page = new_page("#/analyse", **PHONE)
    good, bad = tmp_path / "board.png", tmp_path / "broken.png"
    good.write_bytes(png(screenshot()))
    bad.write_bytes(b"\x89PNG\r\n\x1a\nbroken")
    page.locator(".picture input").set_input_files(bad)
    expect(page.locator(".picture .bad")).to_contain_text("The picture cannot be decoded")
    page.locator(".picture input").set_input_files(good)
    expect(page.get_by_label(TEXT)).to_have_value(POSITION)
