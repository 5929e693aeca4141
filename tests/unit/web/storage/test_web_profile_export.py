"""Profiles as files: export, import, merging, and files that are rejected as a whole."""

import asyncio
import json
import tracemalloc

import msgspec
import pytest
from starlette.testclient import TestClient

from sapper.web.app import create_app
from sapper.web.features import profile_export
from sapper.web.features.profile_export import import_profile
from sapper.web.features.puzzle_ratings import UserRating, user_rating
from sapper.web.features.review import stored_figures
from sapper.web.server import limits
from sapper.web.storage.old_names import GAME_KEYS, RESULT_KEYS
from sapper.web.storage.store import Store

CORNER = "*..\n..."
NDJSON = {"content-type": "application/x-ndjson"}
FORMAT = {"format": "sapper profile 2"}


def lines(content):
    return [json.loads(line) for line in content.splitlines()]


def upload(client, items):
    content = "".join(json.dumps(item) + "\n" for item in items)
    return client.post("/api/profile/import", content=content, headers=NDJSON)


def import_documents(client, documents):
    items = [{"document": {"name": name, "value": value}} for name, value in documents.items()]
    answer = upload(client, [FORMAT, *items])
    assert answer.status_code == 200, answer.text
    return answer.json()["documents"]


def export(client):
    return lines(client.get("/api/profile/export").content)


def exported_documents(client):
    found = (item.get("document") for item in export(client))
    return {item["name"]: item["value"] for item in found if item}


@pytest.fixture
def profile(client, new_game, move):
    """Export a profile with a lost game, one in progress, settings and a name."""
    lost, unfinished = new_game(text=CORNER), new_game(size="beginner", seed="3")
    new_game(size="expert")
    move(lost, "reveal", 0)
    move(unfinished, "flag", 0)
    move(unfinished, "reveal", 40)
    client.post("/api/documents/settings", json={"value": {"theme": "dark"}})
    client.post("/api/profile", json={"name": "Ann"})
    return export(client)


@pytest.fixture
def other(tmp_path):
    """Start another, empty server."""
    with TestClient(create_app(tmp_path / "other"), base_url="http://127.0.0.1") as client:
        yield client


def of_kind(profile, kind):
    return [item[kind] for item in profile if kind in item]


def test_file_has_everything_that_is_stored(profile):
    assert profile[0] == FORMAT
    documents = {row["name"]: row["value"] for row in of_kind(profile, "document")}
    assert documents == {"settings": {"theme": "dark"}, "profile": {"name": "Ann"}}
    assert [row["outcome"] for row in of_kind(profile, "result")] == ["lost"]
    events = sorted([what for _, what in game["events"]] for game in of_kind(profile, "game"))
    assert events == [["flag r1c1", "reveal r5c5"], ["reveal r1c1"]]  # no game without a move


def test_another_server_imports_it_once(client, profile, other):
    games = client.get("/api/games").json()["games"]
    new = {"added": 2, "known": 0}
    assert upload(other, profile).json() == {
        "documents": new,
        "results": {"added": 1, "known": 0},
        "games": new,
        "settings": {"theme": "dark"},
    }
    assert export(other) == profile
    assert other.get("/api/games").json()["games"] == games
    for game in games:
        path = f"/api/games/{game['id']}"
        assert client.get(path).json()["marks"] == other.get(path).json()["marks"]
    again = upload(other, profile).json()
    assert [again[kind]["added"] for kind in ("documents", "results", "games")] == [0, 0, 0]


def test_file_of_version_1_is_imported(profile, other):
    def with_old_keys(kind, keys):
        present = {new: old for old, new in keys.items()}
        return [
            {present.get(key, key): value for key, value in item.items()}
            for item in of_kind(profile, kind)
        ]

    old = {
        "format": "sapper profile 1",
        "documents": of_kind(profile, "document"),
        "results": with_old_keys("result", RESULT_KEYS),
        "games": with_old_keys("game", GAME_KEYS),
    }
    for indent in (None, 1):
        answer = other.post(
            "/api/profile/import", content=json.dumps(old, indent=indent), headers=NDJSON
        )
        assert answer.status_code == 200, answer.text
    assert export(other) == profile


def test_two_owners_of_one_file_have_separate_games(guest, profile):
    ann, bob = guest(), guest()
    content = "".join(json.dumps(item) + "\n" for item in profile)
    for person in (ann, bob, bob):
        answer = person.ask("POST", "/api/profile/import", content=content, headers=NDJSON).json()
    assert answer["games"] == {"added": 0, "known": 2}
    (one,), (two,) = (
        [row["id"] for row in person.ask("GET", "/api/games").json()["games"] if row["finished"]]
        for person in (ann, bob)
    )
    assert one != two
    assert bob.ask("POST", f"/api/games/{two}/moves", json={"action": "undo"}).status_code == 200
    assert ann.ask("GET", f"/api/games/{one}").json()["state"]["undos"] == 0
    # A result has the id of its game.
    results = of_kind(lines(bob.ask("GET", "/api/profile/export").content), "result")
    assert [row["id"] for row in results] == [two]


def test_ratings_and_review_figures_are_imported(folder):
    documents = {
        "train": msgspec.to_builtins(UserRating(tried=3, solved=2)),
        "train/2026-11": [["square-two-7", 1.5, True, 4.0, 1500, 1400, "reveal r1c1"]],
        "reviews/2026-11": {"one": [3, 1, 0.5, 0.4, 0.1], "two": None},
        "a future feature": [1],
    }

    async def chunks():
        rows = [{"name": name, "value": value} for name, value in documents.items()]
        yield json.dumps({"format": "sapper profile 1", "documents": rows}).encode()

    async def run():
        store = Store(folder)
        try:
            await import_profile(store, "ann", chunks())
            return store.documents("ann"), user_rating(store, "ann"), stored_figures(store, "ann")
        finally:
            store.close()

    stored, user, figures = asyncio.run(run())
    assert stored == documents
    assert (user.tried, user.solved) == (3, 2)
    assert set(figures) == {"one", "two"}


def test_stored_settings_are_not_replaced(client, profile):
    client.post("/api/documents/settings", json={"value": {"theme": "light"}})
    upload(client, profile)
    assert client.get("/api/documents/settings").json() == {"value": {"theme": "light"}}


def test_documents_are_merged(client):
    one, two = (["square-two-7", 2.0, True, 4.0, 1500, 1400, "reveal r1c1"] for _ in range(2))
    two[:2] = ["square-two-8", 1.0]
    import_documents(
        client,
        {
            "train": msgspec.to_builtins(UserRating(tried=3, solved=2)),
            "train/now": [one],
            "reviews/now": {"a": None},
            "learn": {"corners": {"first": True, "right": 2, "wrong": 0, "row": 1, "sits": False}},
            "doubts": {"a": [1]},
        },
    )
    more = {
        "train": msgspec.to_builtins(UserRating(tried=2, solved=2)),
        "train/now": [two, [*one[:1], 3.0, *one[2:]]],
        "reviews/now": {"b": None},
        "learn": {"corners": {"right": 5, "sits": True}, "paper": {"first": True}},
        "doubts": {"a": [2], "b": [3]},
    }
    assert import_documents(client, more) == {"added": 4, "known": 1}
    merged = exported_documents(client)
    assert merged["train"]["tried"] == 3  # the rating of more puzzles
    assert merged["train/now"] == [two, one]
    assert merged["reviews/now"] == {"a": None, "b": None}
    assert merged["doubts"] == {"a": [1], "b": [3]}
    corners = {"first": True, "right": 5, "wrong": 0, "row": 1, "sits": True}
    assert merged["learn"]["corners"] == corners
    assert merged["learn"]["paper"]["first"]
    assert import_documents(client, more) == {"added": 0, "known": 5}


def test_puzzle_history_and_lessons_are_exported(client, other):
    puzzle = "/api/puzzles/square-one-7"
    client.post(puzzle, json={"action": "give-up", "seconds": 3})
    client.post("/api/learn/the-game/moves", json={"action": "flag", "cell": 0, "first": True})
    paths = ("/api/puzzles/days/2026-11-15", "/api/learn")
    assert other.get(paths[0]).json()["history"] == []
    upload(other, export(client))
    for path in paths:
        assert other.get(path).json() == client.get(path).json()
    again = other.post(puzzle, json={"action": "give-up", "seconds": 3}).json()
    assert not again["rated"]  # the first attempt was on the other server


def test_file_with_too_many_documents_is_rejected(client):
    items = [{"document": {"name": f"note {k}", "value": k}} for k in range(1_001)]
    answer = upload(client, [FORMAT, *items])
    assert answer.status_code == 400
    assert answer.json() == {"error": "the file has more than 1,000 documents"}


def test_long_game_is_imported_in_parts(profile, monkeypatch, other):
    monkeypatch.setattr(profile_export, "BATCH_ROWS", 2)
    events = [[at, "flag r1c1" if at % 2 == 0 else "unflag r1c1"] for at in range(9)]
    game = next(game for game in of_kind(profile, "game") if not game["finished"])
    game["events"] = [*events, [9, "reveal r5c5"]]
    assert upload(other, profile).json()["games"] == {"added": 2, "known": 0}
    assert of_kind(export(other), "game") == of_kind(profile, "game")
    state = other.get(f"/api/games/{game['id']}").json()["state"]
    assert (state["events"], state["flags"]) == (10, 1)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("game", {"id": ""}),
        ("game", {"id": 3}),
        ("game", {"created": -1}),
        ("game", {"finished": 1}),
        ("game", {"start": "x"}),
        ("game", {"start": "sapper: game 1\nboard: square 9999x9999"}),
        ("game", {"events": [[1, "jump r1c1"]]}),
        ("game", {"events": [["1", "undo"]]}),
        ("game", {"events": [[-1, "undo"]]}),
        ("game", {"events": {}}),
        ("game", {"more": 1}),
        ("result", {"clicks": -1}),
        ("result", {"helped": 1}),
        ("result", {"outcome": "drawn"}),
        ("result", {"id": "x" * 100}),
        ("document", {"name": 3}),
        ("document", {"name": ""}),
        ("document", {"name": "profile", "value": 3}),
        ("document", {"name": "reviews/2026-11"}),
        ("document", {"name": "train"}),
        ("document", {"name": "train/2026-11"}),
        ("document", {"value": {"name": "x" * 300_000}}),
    ],
)
def test_file_with_a_mistake_adds_nothing(profile, other, kind, change):
    of_kind(profile, kind)[0].update(change)
    answer = upload(other, profile)
    assert answer.status_code == 400
    assert "\n" not in answer.json()["error"]
    assert export(other) == [FORMAT]


@pytest.mark.parametrize("content", ["", "[]", "x", '{"format": "sapper statistics 9"}', "{}"])
def test_other_file_is_rejected(client, content):
    answer = client.post("/api/profile/import", content=content, headers=NDJSON)
    assert answer.status_code == 400


def test_truncated_file_adds_nothing(profile, other):
    text = "".join(json.dumps(item) + "\n" for item in profile)
    for part in (text[:-3], text[: len(text) // 2], json.dumps({"games": []})[:-1]):
        answer = other.post("/api/profile/import", content=part, headers=NDJSON)
        assert answer.status_code == 400
    assert other.get("/api/profile").json()["games"] == 0


def test_file_that_is_too_long_is_413(client, monkeypatch):
    monkeypatch.setattr(limits, "FILE_BODY", 1000)
    parts = (b" " * 500 for _ in range(5))  # no length announced
    assert client.post("/api/profile/import", content=parts, headers=NDJSON).status_code == 413


def test_large_import_takes_little_memory_and_does_not_block_other_writes(folder):
    result = {
        "finished": 1.0, "tiling": "square", "size": "9x9/10", "rule": "zero", "generator": "plain",
        "seed": "7", "outcome": "won", "milliseconds": 1, "clicks": 1, "three_bv": 1,
        "helped": False, "repeated": False,
    }  # fmt: skip

    async def chunks(count):
        yield b'{"format": "sapper statistics 2"}\n'
        for k in range(count):
            yield json.dumps({"result": {"id": f"g{k:05}", **result}}).encode() + b"\n"

    async def run():
        store = Store(folder)
        try:
            tracemalloc.start()
            importing = asyncio.create_task(import_profile(store, "ann", chunks(5_000)))
            writes = 0
            while not importing.done():
                await store.save_document("bob", "count", writes)
                writes += 1
            exported = profile_export.export_results(store, "ann")
            length = sum([len(text) async for text in exported])
            _, peak = tracemalloc.get_traced_memory()
            return (await importing).counts["results"], writes, length, peak
        finally:
            tracemalloc.stop()
            store.close()

    count, writes, length, peak = asyncio.run(run())
    assert (count.added, count.known) == (5_000, 0)
    assert writes > 20
    assert length > 900_000
    assert peak < 3_000_000
