"""The server, `lib/api.js` and `docs/http-api.md` agree on routes and fields."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from starlette.routing import Route
from tests.unit.pictures.test_reading import screenshot
from tests.unit.web.features.test_web_pictures import BYTES, png

from sapper.web.app import ROUTES
from sapper.web.page import STATIC

DOCUMENTATION = Path(__file__).parents[4] / "docs" / "http-api.md"
API = STATIC / "lib" / "api.js"


@dataclass(frozen=True)
class Row:
    """A row of the documentation: the keys of the response, and the functions of `api.js`."""

    keys: frozenset[str]
    functions: tuple[str, ...]


def documented_routes() -> dict[str, Row]:
    """Return the rows of the documentation by route."""
    lines = DOCUMENTATION.read_text(encoding="utf-8").splitlines()
    rows = [line.split("|")[1:-1] for line in lines if line.startswith("| `")]
    return {
        route.strip(" `"): Row(frozenset(_words(keys)), tuple(_words(functions)))
        for route, _, keys, functions in rows
    }


def server_routes() -> set[str]:
    """Return the routes of the server, without the types of their parameters."""
    return {
        f"{method} {re.sub(':[a-z]+}', '}', route.path)}"
        for route in ROUTES
        if isinstance(route, Route) and route.path.startswith("/api/")
        for method in route.methods or ()
        if method != "HEAD"
    }


def client_routes() -> dict[str, str]:
    """Return the routes of `api.js` by function."""
    text = API.read_text(encoding="utf-8")
    routes = re.findall(r'^export const (\w+) = route\("(\w+)", "([^"]+)"\)', text, re.MULTILINE)
    streams = re.findall(r'^export const (\w+) = stream\("([^"]+)"\)', text, re.MULTILINE)
    urls = re.findall(r'^export const (\w+) = urlTemplate\("([^"]+)"\)', text, re.MULTILINE)
    return {
        **{name: f"{method} {path}" for name, method, path in routes},
        **{name: f"POST {path}" for name, path in streams},
        **{name: f"GET {path}" for name, path in urls},
    }


def _words(text: str) -> list[str]:
    return re.findall(r"`(\w+)`", text)


def test_every_route_of_the_server_is_documented():
    assert set(documented_routes()) == server_routes()


def test_documentation_names_the_functions_of_the_page():
    functions = client_routes()
    assert len(functions) > 20
    rows = documented_routes()
    for name, route in functions.items():
        assert name in rows[route].functions, name
    text = API.read_text(encoding="utf-8")
    public = re.findall(r"^export (?:async )?(?:function|const) (\w+)", text, re.MULTILINE)
    named = [name for row in rows.values() for name in row.functions]
    assert sorted(named) == sorted(set(public) - {"isTransient"})


POSITION = {"board": "square 3x1", "marks": [1, -1, -1], "mines": 1}
CELL = {**POSITION, "cell": 1}
GAME = {"size": "beginner", "seed": "1"}
OPTIONS = {"size": "3x3", "count": 1, "seed": "1"}
# A request for each row that names the keys of a response.
REQUESTS = {
    "GET /api/menu": None,
    "GET /api/boards/{tiling}/{size}": None,
    "GET /api/games": None,
    "GET /api/profile": None,
    "POST /api/profile/link": {},
    "POST /api/profile/import": {"format": "sapper profile 1"},
    "GET /api/settings": None,
    "POST /api/games": GAME,
    "POST /api/games/{game}/open": {"window": "mine"},
    "POST /api/games/{game}/moves": {"action": "pause"},
    "GET /api/games/{game}/mines": None,
    "GET /api/games/{game}/end": None,
    "GET /api/games/{game}/share": None,
    "GET /api/games/{game}/review": None,
    "GET /api/games/{game}/review/win-chance": None,
    "GET /api/reviews": None,
    "POST /api/files": {"hex": b"1##".hex()},
    "POST /api/games/{game}/hint": {"detail": 4},
    "POST /api/games/{game}/probabilities": {},
    "POST /api/games/{game}/values": {"cell": 80},
    "POST /api/games/{game}/justified": {"cell": 80},
    "POST /api/position": {"text": "1##"},
    "POST /api/picture": png(screenshot()),
    "POST /api/analysis": POSITION,
    "POST /api/analysis/values": CELL,
    "POST /api/analysis/proof": CELL,
    "POST /api/analysis/certificate": {"layout": ".*.c"},
    "POST /api/watch": {**GAME, "kind": "solver", "name": "human"},
    "POST /api/watch/{watch}/steps": {"from": 0},
    "GET /api/watch/{watch}/search": None,
    "GET /api/learn": None,
    "POST /api/learn/{lesson}/exercise": {"seed": "1"},
    "POST /api/learn/{lesson}/moves": {"action": "answer"},
    "GET /api/puzzles/days/{day}": None,
    "POST /api/puzzles/next": {"tiling": "square", "difficulty": "one"},
    "POST /api/puzzles/{puzzle}": {"action": "give-up", "seconds": 3},
    "GET /api/worksheets": None,
    "POST /api/worksheets": OPTIONS,
    "POST /api/worksheets/puzzles/{number}/check": {"query": "size=3x3&seed=1"},
    "POST /api/worksheets/puzzles/{number}/solution": {"query": "size=3x3&seed=1"},
    "GET /api/statistics": None,
    "GET /api/statistics/luck": None,
    "DELETE /api/statistics": None,
}


def test_every_documented_response_has_a_request_in_this_test():
    assert {route for route, row in documented_routes().items() if row.keys} == set(REQUESTS)


@pytest.fixture
def parameters(client, new_game, move):
    """Return values for the parameters of paths, among them a game in progress and a lost one."""
    game, lost = new_game(**GAME), new_game(text="*.")
    move(game, "reveal", 40)
    assert move(lost, "reveal", 0)["state"]["outcome"] == "lost"
    return {
        "game": game["id"],
        "lost": lost["id"],
        "watch": client.post("/api/watch", json=GAME).json()["id"],
        "number": 1,
        "tiling": "square",
        "size": "3x2",
        "day": "2026-11-15",
        "puzzle": "square-one-7",
        "lesson": "corners",
    }


def test_documentation_names_the_keys_of_each_response(client, guest, parameters):
    rows = documented_routes()
    for route, body in REQUESTS.items():
        method, path = route.split(" ")
        if path.endswith(("/mines", "/end")):
            path = path.replace("{game}", "{lost}")  # only of a finished game
        # Only a shared server makes links.
        request = guest().request if path == "/api/profile/link" else client.request
        sent = {"content": body, "headers": BYTES} if isinstance(body, bytes) else {"json": body}
        response = request(method, path.format(**parameters), **sent)
        assert response.status_code in (200, 201), response.text
        assert set(response.json()) == rows[route].keys, route


def test_state_has_the_keys_that_are_documented(new_game):
    lines = DOCUMENTATION.read_text(encoding="utf-8").splitlines()
    line = next(line for line in lines if line.startswith("A **state**"))
    assert set(_words(line)) == set(new_game(**GAME)["state"])


def test_only_one_module_sends_requests():
    request_code = re.compile(r"\bfetch\(|sendBeacon|XMLHttpRequest|EventSource|/api/")
    modules = {
        file.relative_to(STATIC).as_posix()
        for file in STATIC.rglob("*.js")
        # A method of a class may be called #fetch.
        if request_code.search(file.read_text(encoding="utf-8").replace("#fetch", ""))
    }
    assert modules == {"lib/api.js"}
