"""The wire is described once: the server, `lib/api.js` and `docs/wire.md` name the same routes."""

import re
from pathlib import Path

from starlette.routing import Route

from sapper.web.server.app import ROUTES, STATIC

DOCS = Path(__file__).parents[4] / "docs"


def served() -> set[str]:
    """The routes of the server, without the types of their names."""
    return {
        f"{method} {re.sub(':[a-z]+}', '}', route.path)}"
        for route in ROUTES
        if isinstance(route, Route) and route.path.startswith("/api/")
        for method in route.methods or ()
        if method != "HEAD"
    }


def asked() -> dict[str, str]:
    """What the page asks, by the name of its function."""
    text = (STATIC / "lib" / "api.js").read_text(encoding="utf-8")
    routes = re.findall(r'^export const (\w+) = route\("(\w+)", "([^"]+)"\)', text, re.MULTILINE)
    addresses = re.findall(r'const (\w+) = address\("([^"]+)"\)', text)
    return {
        **{name: f"{method} {path}" for name, method, path in routes},
        **{name: f"GET {path}" for name, path in addresses if name != "movesAddress"},
    }


def described() -> dict[str, list[str]]:
    """The rows of the page of the docs: a route, and the functions that ask it."""
    lines = (DOCS / "wire.md").read_text(encoding="utf-8").splitlines()
    rows = [line.split("|")[1:-1] for line in lines if "/api/" in line and line.startswith("| `")]
    return {row[0].strip(" `"): re.findall(r"`(\w+)`", row[3]) for row in rows}


def test_every_route_of_the_server_has_its_row():
    assert set(described()) == served()


def test_the_page_asks_nothing_that_is_not_served():
    assert set(asked().values()) <= served()


def test_rows_name_the_functions_that_ask_them():
    text = (STATIC / "lib" / "api.js").read_text(encoding="utf-8")
    public = set(re.findall(r"^export (?:async )?(?:function|const) (\w+)", text, re.MULTILINE))
    named = [name for names in described().values() for name in names]
    assert len(named) == len(set(named))
    assert public - {"noticed"} == set(named)
    for name, route in asked().items():
        if name in public:
            assert name in described()[route], name


def test_only_one_module_talks_to_the_server():
    talking = re.compile(r"\bfetch\(|sendBeacon|XMLHttpRequest|EventSource|/api/")
    found = {
        file.relative_to(STATIC).as_posix()
        for file in STATIC.rglob("*.js")
        # A method of a class may be called #fetch.
        if talking.search(file.read_text(encoding="utf-8").replace("#fetch", ""))
    }
    assert found == {"lib/api.js"}
