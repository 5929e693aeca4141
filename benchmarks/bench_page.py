"""Measure the page in a browser: loading it, revealing cells, and probabilities of a large board.

A load has its own browser context and an empty cache; the server is already running. Whether a
click is readable is read from the pixels: every revealed cell must look as it does at the end.

    python -m benchmarks.bench_page [REPETITIONS]
"""

import base64
import io
import statistics
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright
from tests.e2e.conftest import BROWSER_ARGUMENTS, CHROMIUM, DESKTOP
from tests.e2e.web_server import Server

VIEWPORT = {"viewport": {"width": 1366, "height": 768}}
DOWNSCALE = 2  # of the screencast, compared with the page
PRESS_MS = 80  # how long the button is held
SETTLE_MS = 1500  # wait after a click, longer than every animation
# A cell is readable when the difference from its covered picture is at least this many times the
# difference from its final one: an animation that is still drawn over it may be faint.
MIN_RATIO = 2
LARGE_SIZE = "140x140/4000"
# JavaScript: store the time of the last click; return the screen rectangles of cells.
RECORD_CLICK_TIME = """() => addEventListener("pointerup", (event) => {
    document.body.dataset.clicked = performance.timeOrigin + event.timeStamp;
}, { capture: true })"""
CELL_RECTANGLES = """cells => cells.map((cell) => {
    const { x, y, width, height } = cell.getBoundingClientRect();
    return [Number(cell.dataset.cell), x, y, x + width, y + height];
})"""


def measure_load(browser, url):
    """Open the page; return the number of requests, and the seconds until the board was shown."""
    context = browser.new_context(**DESKTOP)
    page = context.new_page()
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    started = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.wait_for_selector("[data-cell]")
    elapsed = time.perf_counter() - started
    page.wait_for_load_state("networkidle")
    context.close()
    return len(requests), elapsed


class Recorder:
    """A screencast of a page: pictures with their times in milliseconds."""

    def __init__(self, page):
        self.pictures = []
        self.session = page.context.new_cdp_session(page)
        self.session.on("Page.screencastFrame", self._add_picture)
        # Small: the browser drops pictures while two have not been received.
        size = {"maxWidth": VIEWPORT["viewport"]["width"] // DOWNSCALE, "maxHeight": 1000}
        self.session.send("Page.startScreencast", {"format": "jpeg", "quality": 80, **size})

    def _add_picture(self, event):
        self.pictures.append((1000 * event["metadata"]["timestamp"], event["data"]))
        self.session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    def stop(self):
        """Stop; return the times, and the pictures as arrays."""
        self.session.send("Page.stopScreencast")
        images = [Image.open(io.BytesIO(base64.b64decode(data))) for _, data in self.pictures]
        arrays = [np.asarray(image.convert("RGB"), dtype=np.float32) for image in images]
        return [at for at, _ in self.pictures], arrays


def revealed_rectangles(page):
    """Return the rectangles of the revealed cells in the screencast, by cell."""
    rows = page.locator("[data-cell].open").evaluate_all(CELL_RECTANGLES)
    return {int(cell): [round(edge / DOWNSCALE) for edge in edges] for cell, *edges in rows}


def measure_reveal(page, cell):
    """Click a cell; return the milliseconds until the revealed cells are readable, and how many.

    The time is None if no cell is revealed.
    """
    before = revealed_rectangles(page)
    recorder = Recorder(page)
    page.wait_for_timeout(200)
    page.locator(f'[data-cell="{cell}"]').click(delay=PRESS_MS)
    page.wait_for_timeout(SETTLE_MS)
    after = revealed_rectangles(page)
    rectangles = [after[cell] for cell in after if cell not in before]
    clicked = float(page.locator("body").get_attribute("data-clicked"))
    times, pictures = recorder.stop()
    if not rectangles:
        return None, 0
    readable_at = times[-1]
    for at, picture in reversed(list(zip(times, pictures, strict=True))):
        if at < clicked or not is_readable(picture, pictures[0], pictures[-1], rectangles):
            break
        readable_at = at
    return readable_at - clicked, len(rectangles)


def is_readable(picture, covered, final, rectangles):
    """Return whether every rectangle looks nearly as it does at the end."""
    for left, top, right, bottom in rectangles:
        inside = np.s_[top + 1 : bottom - 1, left + 1 : right - 1]
        from_final = np.abs(picture[inside] - final[inside]).mean()
        if MIN_RATIO * from_final > np.abs(picture[inside] - covered[inside]).mean():
            return False
    return True


def measure_reveals(browser, url, games):
    """Return the times to read an opening, and a single cell after it, on Expert."""
    page = browser.new_context(**VIEWPORT).new_page()
    page.goto(url)
    page.evaluate(RECORD_CLICK_TIME)
    times = {"opening": [], "single cell": []}
    for seed in range(games):
        with page.expect_response("**/api/games"):
            page.goto(f"{url}#/play?size=expert&seed={seed}")
        page.wait_for_selector("[data-cell]")
        page.wait_for_timeout(300)
        milliseconds, _ = measure_reveal(page, 200)
        times["opening"].append(milliseconds)
        for cell in page.locator("[data-cell].covered").evaluate_all(
            "cells => cells.slice(0, 2).map((cell) => Number(cell.dataset.cell))"
        ):
            milliseconds, count = measure_reveal(page, cell)
            if count == 1:
                times["single cell"].append(milliseconds)
                break
    page.context.close()
    return times


def measure_probabilities(browser, url, repetitions):
    """Return the seconds from the key to the probabilities of a large board on the screen."""
    page = browser.new_context(**VIEWPORT).new_page()
    times = []
    for seed in range(repetitions):
        page.goto("about:blank")
        page.goto(f"{url}#/play?size={LARGE_SIZE}&seed={seed}")
        page.wait_for_selector("[data-cell]")
        page.locator('[data-cell="710"]').click()
        page.wait_for_selector('[data-cell="710"].open')
        page.wait_for_timeout(1000)
        started = time.perf_counter()
        page.keyboard.press("o")
        page.wait_for_selector(".over-label", state="attached")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        times.append(time.perf_counter() - started)
    page.context.close()
    return times


def main():
    """Measure, and print a table."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=BROWSER_ARGUMENTS)
        loads = [measure_load(browser, server.url) for _ in range(repetitions)]
        revealed = measure_reveals(browser, server.url, repetitions)
        large = measure_probabilities(browser, server.url, repetitions)
        browser.close()
        server.stop()
    print(f"{repetitions} repetitions              median    worst")
    print(f"  requests of a load   {max(count for count, _ in loads):8}")
    rows = {"load, empty cache": [1000 * seconds for _, seconds in loads]}
    rows |= {f"{name} readable": times for name, times in revealed.items()}
    rows[f"probabilities {LARGE_SIZE}"] = [1000 * seconds for seconds in large]
    for name, times in rows.items():
        print(f"  {name:26}{statistics.median(times):8.0f} {max(times):8.0f} ms")


if __name__ == "__main__":
    main()
