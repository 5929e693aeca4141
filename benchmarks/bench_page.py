"""Measure a page load: requests and seconds until the board is shown, with an empty cache.

Every load has its own browser context and cache; the server is already running.

    python benchmarks/bench_page.py [LOADS]
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.e2e.conftest import BROWSER_ARGUMENTS, CHROMIUM, DESKTOP
from tests.e2e.web_server import Server


def load(browser, url):
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


def main():
    """Load the page several times and print the results."""
    loads = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=BROWSER_ARGUMENTS)
        results = [load(browser, server.url) for _ in range(loads)]
        browser.close()
        server.stop()
    times = sorted(seconds for _, seconds in results)
    print(f"{loads} loads of the page with an empty cache")
    print(f"  requests             {max(count for count, _ in results):6}")
    print(
        f"  first, median, worst {results[0][1]:6.2f} s {statistics.median(times):6.2f} s"
        f" {times[-1]:6.2f} s"
    )


if __name__ == "__main__":
    main()
