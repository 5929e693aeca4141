"""What several browser tests do on a page."""

import re

from playwright.sync_api import Page, expect


def open_saved(page: Page, text: str) -> None:
    """Open a saved game by the menu, and wait until it is the one on the page.

    The page may show another game of the same size (the last one of this server that nobody has
    open), so neither its cells nor their number tell them apart: the address does.
    """
    before = page.url
    enter_saved(page, text)
    expect(page).not_to_have_url(re.compile(re.escape(before) + "$"))


def enter_saved(page: Page, text: str) -> None:
    """Type a saved game into the menu and press Open, whatever comes of it."""
    page.locator(".choose").click()
    page.get_by_text("Open a saved or shared game").click()
    page.get_by_label("A saved game").fill(text)
    page.get_by_role("button", name="Open", exact=True).click()
