"""The page's files: each is found with its type, and they keep to their rooms."""

import posixpath
import re
from pathlib import Path, PurePosixPath

import pytest

from sapper.web.app import STATIC

TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
MODULES = sorted(file.relative_to(STATIC).as_posix() for file in STATIC.rglob("*.js"))


def imports_of(module: str) -> list[str]:
    """The modules that a module imports, from the folder of all."""
    names = re.findall(r'from "(\.[^"]+)"', (STATIC / module).read_text(encoding="utf-8"))
    return [posixpath.normpath(posixpath.join(posixpath.dirname(module), name)) for name in names]


def test_all_that_the_page_needs_is_served_with_its_type_and_nothing_lies_about(client):
    pending = re.findall(r'(?:href|src)="(/[^"]+)"', client.get("/").text)
    files: set[str] = set()
    while pending:
        path = pending.pop()
        if path in files:
            continue
        files.add(path)
        answer = client.get(path)
        assert answer.status_code == 200, path
        kind = answer.headers["content-type"].partition(";")[0]
        assert kind == TYPES[PurePosixPath(path).suffix], path
        if path.endswith(".js"):
            module = path.removeprefix("/static/")
            pending += [f"/static/{name}" for name in imports_of(module)]
    there = {f"/static/{file.relative_to(STATIC).as_posix()}" for file in STATIC.rglob("*.*")}
    assert there - {"/static/index.html"} == files - {"/palette.css"}


def test_a_file_that_the_browser_has_is_not_sent_again(client):
    first = client.get("/static/lib/api.js")
    again = client.get("/static/lib/api.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert first.headers["cache-control"] == again.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize("module", MODULES)
def test_rooms_lean_one_way(module):
    """`lib` on nothing else, `board` on `lib`, a view on both and on no other view."""
    room = module.rpartition("/")[0]
    allowed = {
        "": ("lib/", "views/"),
        "lib": ("lib/",),
        "board": ("lib/", "board/"),
    }.get(room, ("lib/", "board/", f"{room}/"))
    assert [name for name in imports_of(module) if not name.startswith(allowed)] == []


def test_no_folder_is_crowded_and_no_module_long():
    folders = [folder for folder in (STATIC, *STATIC.rglob("*")) if folder.is_dir()]
    crowded = {folder: len(list(folder.glob("*.*"))) for folder in folders}
    assert max(crowded.values()) <= 14, crowded
    lengths = {file: len(_lines(file)) for file in STATIC.rglob("*.*")}
    assert max(lengths.values()) <= 400, lengths


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()
