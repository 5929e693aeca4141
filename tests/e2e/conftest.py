"""A real browser on a real server."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from tests.e2e.web_server import Server

CHROMIUM = shutil.which("chromium")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
# What a test measures goes here, for people to read; `make test` shows it at its end.
TIMES = Path(__file__).parents[2] / "build" / "browser-times"
PATIENCE = 60_000  # milliseconds; what is slow on a busy machine is not wrong

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("THE BROWSER TESTS ARE LEFT OUT: no chromium (apt-get install chromium)")
    # Not for the whole run: while it lives, no other test of this process could run a loop.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("web"))
    yield server
    server.stop()


@pytest.fixture
def new_page(browser: Browser, server: Server) -> Iterator[Callable[..., Page]]:
    """Open a page at an address of the server; what goes wrong in it fails the test."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def open_page(address: str = "", *, wait: bool = True, **options: object) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1200, "height": 800}, **options})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda line: _note(line, problems))
        page.goto(server.url + address)
        if wait and (not address or address.startswith("#/play")):
            page.wait_for_selector("[data-cell]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


def _note(line: object, problems: list[str]) -> None:
    # The page reports a refused or failed request; the browser logs it too.
    if line.type == "error" and "Failed to load resource" not in line.text:  # type: ignore[attr-defined]
        problems.append(line.text)  # type: ignore[attr-defined]


@pytest.fixture
def log_time() -> Callable[[str, float], None]:
    """Note a measured time in milliseconds."""

    def note(what: str, milliseconds: float) -> None:
        TIMES.mkdir(parents=True, exist_ok=True)
        name = what.replace(" ", "-").replace(",", "")
        (TIMES / name).write_text(f"{what}: {milliseconds:.0f} ms\n", encoding="utf-8")

    return note
