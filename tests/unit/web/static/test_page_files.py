"""The files of the page: all are served with their type, and modules import in one direction."""

import posixpath
import re
from pathlib import PurePosixPath

from sapper.web.app import STATIC

TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
MODULES = sorted(file.relative_to(STATIC).as_posix() for file in STATIC.rglob("*.js"))


def imports_of(module: str) -> list[str]:
    """Return the modules that a module imports, relative to the static folder."""
    names = re.findall(r'from "(\.[^"]+)"', (STATIC / module).read_text(encoding="utf-8"))
    return [posixpath.normpath(posixpath.join(posixpath.dirname(module), name)) for name in names]


def test_every_file_is_used_by_the_page_and_served_with_its_type(client):
    pending = re.findall(r'(?:href|src)="(/[^"]+)"', client.get("/").text)
    files: set[str] = set()
    while pending:
        path = pending.pop()
        if path in files:
            continue
        files.add(path)
        answer = client.get(path)
        assert answer.status_code == 200, path
        media_type = answer.headers["content-type"].partition(";")[0]
        assert media_type == TYPES[PurePosixPath(path).suffix], path
        if path.endswith(".js"):
            module = path.removeprefix("/static/")
            pending += [f"/static/{name}" for name in imports_of(module)]
    there = {f"/static/{file.relative_to(STATIC).as_posix()}" for file in STATIC.rglob("*.*")}
    assert there - {"/static/index.html"} == files - {"/palette.css"}


def test_a_file_in_the_browser_cache_is_not_sent_again(client):
    first = client.get("/static/lib/api.js")
    again = client.get("/static/lib/api.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert first.headers["cache-control"] == again.headers["cache-control"] == "no-cache"


def test_modules_import_in_one_direction():
    """`lib` imports nothing else, `board` imports `lib`, and a view imports no other view."""
    for module in MODULES:
        folder = module.rpartition("/")[0]
        allowed = {
            "": ("lib/", "views/"),
            "lib": ("lib/",),
            "board": ("lib/", "board/"),
            "views": ("lib/", "board/", "views/puzzle_lists.js"),
        }.get(folder, ("lib/", "board/", f"{folder}/"))
        wrong = [name for name in imports_of(module) if not name.startswith(allowed)]
        assert wrong == [], module
