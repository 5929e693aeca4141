"""A real browser on a real server."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

from tests.e2e.web_server import Server

CHROMIUM = shutil.which("chromium")
# Playwright's own list, which this option replaces, and the browser's own search box: it would
# be drawn for every window, and takes as long as the page of a test.
UNUSED_FEATURES = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("LensOverlay", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
)
BROWSER_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--disable-features={','.join(UNUSED_FEATURES)}",
)
NewPage = Callable[..., Page]
DESKTOP: dict[str, Any] = {"viewport": {"width": 1200, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
LANDSCAPE = {**PHONE, "viewport": {"width": 844, "height": 390}}
TIMEOUT = 60_000  # milliseconds; long, because a busy machine is slow

expect.set_options(timeout=TIMEOUT)


# One browser and one server for all tests of this package. The browser is closed before the tests
# of other packages run: its event loop would keep them from running their own in this thread.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("THE BROWSER TESTS ARE LEFT OUT: no chromium (apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=BROWSER_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("web"))
    yield server
    server.stop()


@pytest.fixture(scope="package")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for several users: every context that opens its invitation is a new guest."""
    server = Server(tmp_path_factory.mktemp("shared"), host="127.0.0.1")
    yield server
    server.stop()


@pytest.fixture(scope="package")
def tabs() -> dict[str, Page]:
    """Tabs that the tests reuse, by device: a new context takes as long as a short test."""
    return {}


@pytest.fixture
def new_page(browser: Browser, server: Server, tabs: dict[str, Page]) -> Iterator[NewPage]:
    """Return a function that opens a page at an address of the server, or at a link.

    Errors in the page fail the test. The first desktop page and the first phone page of a test are
    tabs that earlier tests have used and emptied. Further pages, links to another server and pages
    with *new_context* have their own context.
    """
    contexts: list[BrowserContext] = []
    used: dict[str, Page] = {}
    problems: list[str] = []

    def open_page(
        address: str = "",
        *,
        wait: bool = True,
        new_context: bool = False,
        reduced_motion: Literal["no-preference", "reduce"] = "no-preference",
        **options: object,
    ) -> Page:
        device = {**DESKTOP, **options}
        name = "phone" if "has_touch" in device else "desktop"
        if new_context or name in used or ":" in address:
            page = _new_tab(browser, device)
            contexts.append(page.context)
        else:
            if name not in tabs:
                tabs[name] = _new_tab(browser, device)
            page = used[name] = tabs[name]
            page.set_viewport_size(device["viewport"])
        page.emulate_media(color_scheme="light", reduced_motion=reduced_motion)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda message: _record_error(message, problems))
        page.goto(address if ":" in address else server.url + address)
        if wait and (not address or address.startswith("#/play")):
            page.wait_for_selector("[data-cell]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    for page in used.values():
        _empty(page, server)
    assert problems == []


def _new_tab(browser: Browser, device: dict[str, Any]) -> Page:
    context = browser.new_context(**device)
    context.set_default_timeout(TIMEOUT)
    return context.new_page()


def _empty(page: Page, server: Server) -> None:
    """Leave the page, and remove everything that a test may have stored or changed."""
    for other in page.context.pages:
        if other is not page:
            other.close()
    page.unroute_all()
    page.goto(server.url + "static/icon.svg")
    page.evaluate("localStorage.clear(); sessionStorage.clear()")


def _record_error(message: ConsoleMessage, problems: list[str]) -> None:
    # Failed requests are expected: the page shows an error, and the browser logs it too.
    if message.type == "error" and "Failed to load resource" not in message.text:
        problems.append(message.text)
