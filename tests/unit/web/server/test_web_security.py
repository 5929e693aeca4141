"""Bad requests, foreign hosts and broken databases give one-line errors; the server runs on."""

import asyncio
import json
import sqlite3

import pytest
from msgspec.structs import replace
from starlette.testclient import TestClient

from sapper.errors import Unavailable
from sapper.web.app import create_app
from sapper.web.serve import serve
from sapper.web.server import limits, share_tokens
from sapper.web.server.security import SECURITY_HEADERS, is_loopback
from sapper.web.storage.schema import LOCAL_OWNER
from sapper.web.storage.store import GameRow

GAMES = "/api/games"
JSON_TYPE = {"content-type": "application/json"}


def assert_error(response, status, message):
    """Check the status, the one-line error message and the security headers."""
    assert response.status_code == status, response.text
    assert message in response.json()["error"] and "\n" not in response.json()["error"]
    assert SECURITY_HEADERS.items() <= dict(response.headers).items()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", "JSON"),
        (b"{", "JSON"),
        (b"[1]", "got `array`"),
        (b"[" * 100_000, "`array`"),
        (b"\xff\xfe", "JSON"),
        (b'{"size": 3}', "$.size"),
        (b'{"size": "\\ud800"}', "JSON"),
        (b'{"size": "9x9/10", "tiling": "cubic"}', "no such tiling"),
        (b'{"size": "9x9/10", "seed": 1.5}', "$.seed"),
        (b'{"size": "9x9/10", "generator": "kind"}', "no such layout generator"),
        (b'{"token": "AAAA"}', "the link to the game is damaged"),
        (b'{"text": "hello"}', "expected one of"),
        (b'{"text": "layout: square 9999x9999\\n.."}', "expected at most 20,000 cells"),
        (b'{"text": "sapper: game 1\\nboard: square 9999x9999"}', "expected at most 20,000 cells"),
        (b'{"text": "sapper: game 1"}', "expected a header line"),
    ],
)
def test_bad_new_game_is_400_with_a_one_line_error(client, body, message):
    assert_error(client.post(GAMES, content=body, headers=JSON_TYPE), 400, message)


@pytest.mark.parametrize(
    ("rules", "field", "message"),
    [
        ({"size": "9x9/78"}, "mines", "room for at most 77 mines if the first click opens"),
        ({"size": "9x9/81", "rule": "safe"}, "mines", "9 × 9 has room for at most 80 mines"),
        ({"size": "2x1/5", "rule": "any"}, "mines", "2 × 1 has room for at most 1 mine"),
        ({"size": "9x9"}, "mines", "the number of mines on 9 × 9 is missing"),
        ({"size": "200x200/9"}, "width", "200 × 200 is too large: a board has at most 20,000"),
        ({"size": "9x2/1", "tiling": "torus"}, "height", "9 × 2 is too small"),
        ({"size": "9 by 9"}, "size", "'9 by 9' is not a size, such as 30x16/99"),
        ({"size": "9x9/10", "seed": "-1"}, "seed", "'-1' is not a seed"),
    ],
)
def test_bad_rules_name_the_field_of_the_form(client, rules, field, message):
    response = client.post(GAMES, json=rules)
    assert_error(response, 400, message)
    assert response.json()["field"] == field


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({"action": "reveal", "cell": -1}, 400, "expected a cell of square 9x9, got -1"),
        ({"action": "reveal", "cell": 1e300}, 400, "$.cell"),
        ({"action": "reveal"}, 400, "expected a cell to reveal"),
        ({"action": "jump", "cell": 1}, 400, "no such action"),
        ({"action": "reveal", "cell": 1, "after": "0"}, 400, "$.after"),
        ({"action": "reveal", "cell": 1, "after": 3}, 409, "changed elsewhere"),
        ({"action": "undo"}, 422, "cannot undo: no move was made"),
        ({"action": "continue"}, 422, "cannot continue: the game is not lost"),
        ({"action": "chord", "cell": 1}, 422, "cannot chord r1c2: it is not revealed"),
    ],
)
def test_bad_move_is_rejected_and_changes_nothing(client, new_game, body, status, message):
    game = new_game(size="beginner", seed="1")
    assert_error(client.post(f"/api/games/{game['id']}/moves", json=body), status, message)
    assert client.get(f"/api/games/{game['id']}").json() == game


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/games/unknown", 404),
        ("GET", "/api/games/%00%ff", 404),
        ("POST", "/api/games/unknown/resume", 404),
        ("GET", "/api/nothing", 404),
        ("GET", "/static/%2e%2e/app.py", 404),
        ("GET", "/static/views/play/..%2f..%2f..%2fapp.py", 404),
        ("GET", "/static/%2fetc/passwd", 404),
        ("GET", "/static/lib", 404),
        ("DELETE", "/api/games", 405),
        ("GET", "/api/boards/square/9x9/10", 404),
        ("GET", "/api/boards/square/9999x9999", 400),
        ("GET", "/api/boards/cubic/3x3", 400),
        ("GET", "/api/boards/square/expert", 400),
    ],
)
def test_bad_path_is_refused_with_a_one_line_error(client, method, path, status):
    assert_error(client.request(method, path), status, "")


def test_mines_are_hidden_until_the_end(client, new_game, move):
    game = new_game(size="beginner", seed="1")
    move(game, "reveal", 40)
    response = client.get(f"/api/games/{game['id']}/mines")
    assert_error(response, 422, "cannot show the mines: the game is not over")


def test_body_beyond_the_limit_is_413(client, new_game):
    path = f"/api/games/{new_game(size='beginner')['id']}/moves"
    assert_error(client.post(path, json={"action": "x" * limits.SMALL_BODY}), 413, "bytes")
    parts = (b" " * 1000 for _ in range(10))  # without a Content-Length
    assert_error(client.post(path, content=parts, headers=JSON_TYPE), 413, "bytes")
    for length in ("\xb2".encode("latin-1"), b"9" * 5000):
        headers = {**JSON_TYPE, "content-length": length}
        assert_error(client.post(GAMES, content=b"{}", headers=headers), 413, "bytes")


def test_body_that_is_not_json_is_415(client):
    response = client.post(GAMES, content=b"{}", headers={"content-type": "text/plain"})
    assert_error(response, 415, "expected application/json")


def test_decompression_bomb_is_rejected(client):
    bomb = share_tokens.pack("x" * (share_tokens.MAX_BYTES * 3))
    assert_error(client.post(GAMES, json={"token": bomb}), 400, "too long")


def test_only_loopback_names_are_accepted_as_host(client):
    for host in ("localhost:8765", "127.0.0.1:8765", "[::1]:8765"):
        assert client.get("/", headers={"host": host}).status_code == 200, host
    for host in ("evil.example:8765", "127.0.0.1.evil.example", "10.0.0.1", "", "[::1"):
        assert_error(
            client.get("/", headers={"host": host}), 403, "expected a request to this server"
        )


def test_foreign_or_broken_origin_is_refused(client):
    foreign = ("http://evil.example", "null", "http://127.0.0.1:9999", "")
    for origin in (*foreign, "http://[", "http://[::1", "http://a@127.0.0.1:8765"):
        response = client.post(GAMES, json={"size": "beginner"}, headers={"origin": origin})
        assert_error(response, 403, "from this page")
    assert client.get(GAMES).json() == {"games": []}


def test_cross_site_requests_may_only_load_the_page(client):
    cross_site = {"sec-fetch-site": "cross-site"}
    assert client.get("/", headers=cross_site).status_code == 200
    assert client.post("/", headers=cross_site).status_code == 403
    assert client.get("/api/statistics/export.csv", headers=cross_site).status_code == 403


@pytest.mark.parametrize(
    ("hosts", "own", "other"),
    [
        (("*", "localhost"), "192.168.1.5", "evil.example"),
        (("localhost", "laptop.local"), "laptop.local", "other.local"),
    ],
)
def test_shared_server_accepts_its_addresses_and_names(folder, hosts, own, other):
    with TestClient(create_app(folder, hosts=hosts), base_url=f"http://{own}:8765") as client:
        assert client.get("/").status_code == 200
        assert client.get("/", headers={"host": other}).status_code == 403


def test_page_loads_nothing_from_other_sites(client):
    for path in ("/", "/api/menu", "/nothing"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    page = client.get("/").text
    assert "http:" not in page
    assert "https:" not in page


def test_unexpected_exception_is_500_with_a_one_line_error(folder, monkeypatch, caplog):
    with TestClient(
        create_app(folder), base_url="http://127.0.0.1", raise_server_exceptions=False
    ) as client:
        monkeypatch.setattr("sapper.web.features.menu.timed_players", lambda: 1 / 0)
        response = client.get("/api/menu")
        assert response.status_code == 500
        assert SECURITY_HEADERS.items() <= dict(response.headers).items()
        assert json.loads(response.text) == {"error": "internal server error; see the server's log"}
        assert client.get("/api/games").status_code == 200
    assert "ZeroDivisionError" in caplog.text


def test_database_writer_continues_after_a_failed_job(run_with_store):
    async def write_twice(store):
        row = GameRow("one", 0, 0, "\ud800", "half a character", False, False, LOCAL_OWNER)
        with pytest.raises(UnicodeEncodeError):
            await store.add_game(row)
        await asyncio.wait_for(store.add_game(replace(row, setup="whole")), 60)
        assert store.game("one")[0].setup == "whole"

    run_with_store(write_twice)


# The x of the size is escaped: only a JSON parser finds the size.
ESCAPED_SIZE = '{"board": "square 4000\\u00784000"'


@pytest.mark.parametrize(
    "text",
    [
        ESCAPED_SIZE + ', "layout": []}',
        "sapper: game 1\nboard: " + ESCAPED_SIZE + "}\nmines: 1\nseed: 1\n",
        ("." * 1000 + "\n") * 1000,
        json.dumps({"cells": [f"n{k}" for k in range(20_001)], "layout": []}),
        "sapper: game 1\nboard: "
        + json.dumps({"cells": [f"n{k}" for k in range(20_001)]})
        + "\nlayout: n1\n",
    ],
    ids=["layout", "game", "rows", "graph", "game on a graph"],
)
def test_giant_board_is_rejected_in_every_format(client, text):
    assert_error(client.post("/api/games", json={"text": text}), 400, "at most 20,000 cells")


def test_unreadable_database_is_503(client, new_game, monkeypatch):
    class Broken:
        def execute(self, *_):
            raise sqlite3.DatabaseError("database disk image is malformed")

    monkeypatch.setattr(client.app.state.games.store.database, "_reader", Broken())
    assert_error(client.get("/api/games"), 503, "malformed")
    assert_error(client.get("/api/statistics"), 503, "malformed")
    monkeypatch.undo()
    assert client.get("/api/games").status_code == 200


def test_locked_database_is_503_and_the_move_can_be_repeated(client, server_folder, new_game):
    game = new_game(size="beginner")
    path, move = f"/api/games/{game['id']}/moves", {"action": "flag", "cell": 0, "after": 0}
    holder = sqlite3.connect(server_folder / "games.sqlite", isolation_level=None)
    holder.execute("begin immediate")
    assert_error(client.post(path, json=move), 503, "another program uses it; try again")
    holder.execute("rollback")
    holder.close()
    assert client.post(path, json=move).json()["state"]["flags"] == 1


def test_loopback_addresses_are_recognised():
    for host in ("127.0.0.1", "127.8.9.1", "::1", "0:0:0:0:0:0:0:1", "LocalHost"):
        assert is_loopback(host), host
    for host in ("127.example.org", "0.0.0.0", "::"):
        assert not is_loopback(host), host


@pytest.mark.parametrize("host", ["a" * 300, "not an address"])
def test_bad_listen_address_raises_a_one_line_error(folder, host):
    with pytest.raises(Unavailable, match="cannot listen on"):
        serve(folder, host=host, announce=pytest.fail)
