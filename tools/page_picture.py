"""Take the README's picture of the page, in Debian's chromium: `python tools/page_picture.py`."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

PICTURE = Path(__file__).parents[1] / "docs" / "how-to" / "pictures" / "page.png"
BROWSER_OPTIONS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
GAME = "#/play?size=30x16/99&seed=16"
FIRST_CELL = 7 * 30 + 14  # r8c15, which opens 55 cells


def main() -> None:
    """Start the server, and take the picture of a game with its probabilities."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "sapper", "serve", "--port", "0", "--data", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            address = re.search(r"http://[\w.:]+", server.stdout.readline())[0]
            take_picture(address)
        finally:
            server.terminate()
            server.wait(timeout=30)


def take_picture(address: str) -> None:
    """Take the picture of a game after its first click, with its probabilities."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=BROWSER_OPTIONS
        )
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{address}/{GAME}")
        page.locator(f'[data-cell="{FIRST_CELL}"]').click()
        page.locator("[data-cell].open").first.wait_for()
        page.keyboard.press("o")
        page.locator(".over-label").first.wait_for()
        page.wait_for_timeout(600)  # until the animations have ended
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    main()
