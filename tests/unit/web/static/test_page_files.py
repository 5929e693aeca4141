"""The files of the page."""

import re
from pathlib import PurePosixPath

import pytest

from sapper.render.palette import PALETTE, contrast
from sapper.web.page import STATIC

TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
FONT = "fonts/figtree.woff2"
# Not a file: the server makes it from the palette of the pictures.
PALETTE_SHEET = "css/palette.css"


def modules_below(*names):
    """Return these modules and all that they import."""
    found, pending = set(), [(STATIC / name).resolve() for name in names]
    while pending:
        module = pending.pop()
        if module not in found:
            found.add(module)
            imported = re.findall(r'from "(\.[^"]+)"', module.read_text(encoding="utf-8"))
            pending += [(module.parent / name).resolve() for name in imported]
    return {module.relative_to(STATIC).as_posix() for module in found}


def test_page_loads_all_its_files_by_relative_addresses(client):
    addresses = re.findall(r'(?:href|src)="([^"#]+)"', client.get("/").text)
    assert [address for address in addresses if not address.startswith("static/")] == []
    loaded = {address.removeprefix("static/") for address in addresses}
    # The modules of the first view are loaded at the same time, not one after another.
    at_first = modules_below("main.js", "views/play/play.js")
    assert {path for path in loaded if path.endswith(".js")} == at_first
    views = re.findall(r'import\("\./([^"]+)"\)', (STATIC / "main.js").read_text(encoding="utf-8"))
    existing = {file.relative_to(STATIC).as_posix() for file in STATIC.rglob("*.*")}
    used = loaded | modules_below(*views)
    assert used == existing - {"index.html", "fonts/OFL.txt"} | {PALETTE_SHEET}
    assert f'url("../{FONT}")' in (STATIC / "css" / "base.css").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", ["main.js", PALETTE_SHEET, "css/base.css", "icon.svg", FONT])
def test_files_are_served_with_their_type(client, path):
    response = client.get(f"/static/{path}")
    assert response.headers["content-type"].partition(";")[0] == TYPES[PurePosixPath(path).suffix]
    policy = response.headers["content-security-policy"]
    assert "script-src 'self';" in policy and "font-src 'self';" in policy


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colours_of_the_page_have_enough_contrast(theme):
    sheet = (STATIC / "css" / "base.css").read_text(encoding="utf-8")
    pairs = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", sheet)
    own = {role: {"light": light, "dark": dark}[theme] for role, light, dark in pairs}
    shared = {role: getattr(colour, theme) for role, colour in PALETTE.items()}
    assert not own.keys() & shared.keys()
    colours = own | shared
    for background in ("background", "surface"):
        for text in ("ink", "faint", "accent", "good", "bad"):
            assert contrast(colours[text], colours[background]) >= 4.5, (text, background)
    assert contrast(colours["on-accent"], colours["accent"]) >= 4.5
    assert contrast(colours["ink"], colours["covered-odd"]) >= 4.5
    assert contrast(colours["flag"], colours["covered-odd"]) >= 3
    assert contrast(colours["revealed"], colours["covered-odd"]) >= 1.8


def test_unchanged_file_is_not_sent_again(client):
    first = client.get("/static/lib/api.js")
    again = client.get("/static/lib/api.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    for response in (first, again, client.get("/")):
        assert response.headers["cache-control"] == "no-cache"
