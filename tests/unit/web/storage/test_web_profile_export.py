"""Profiles as files: export, import, merging, and files that are rejected as a whole."""

import asyncio
import copy
import json
import tracemalloc

import msgspec
import pytest
from msgspec.structs import replace
from tests.unit.web.conftest import delete_data
from tests.unit.web.features.test_web_statistics import WIN

from sapper.web.features import profile_export
from sapper.web.features.profile_export import import_profile
from sapper.web.features.puzzle_ratings import UserRating, user_rating
from sapper.web.features.review import stored_figures
from sapper.web.server import limits
from sapper.web.storage import store as stores

CORNER = "*..\n..."
NDJSON = {"content-type": "application/x-ndjson"}
FORMAT = {"format": "sapper profile 1"}


def lines(content):
    return [json.loads(line) for line in content.splitlines()]


def text_of(items):
    return "".join(json.dumps(item) + "\n" for item in items)


def upload(client, items):
    return client.post("/api/profile/import", content=text_of(items), headers=NDJSON)


def import_documents(client, documents):
    items = [{"document": {"name": name, "value": value}} for name, value in documents.items()]
    response = upload(client, [FORMAT, *items])
    assert response.status_code == 200, response.text
    return response.json()["documents"]


def export(client):
    return lines(client.get("/api/profile/export").content)


def exported_documents(client):
    documents = (item.get("document") for item in export(client))
    return {item["name"]: item["value"] for item in documents if item}


@pytest.fixture(scope="module")
def exported(server):
    """Export a profile with a lost game, one in progress, settings and a name; list its games."""

    def post(path, **body):
        return server.post(f"/api/{path}", json=body).json()

    lost, unfinished = post("games", text=CORNER), post("games", size="beginner", seed="3")
    post("games", size="expert")
    post(f"games/{lost['id']}/moves", action="reveal", cell=0)
    post(f"games/{unfinished['id']}/moves", action="flag", cell=0)
    post(f"games/{unfinished['id']}/moves", action="reveal", cell=40)
    post(f"games/{unfinished['id']}/hint", detail=1)
    post("settings", value={"theme": "dark"})
    post("profile", name="Ann")
    games = [server.get(f"/api/games/{game['id']}").json() for game in (lost, unfinished)]
    content = export(server)
    delete_data(server)
    return content, games


@pytest.fixture
def profile(exported):
    return copy.deepcopy(exported[0])


def of_kind(profile, kind):
    return [item[kind] for item in profile if kind in item]


def test_exported_file_has_everything_that_is_stored(profile):
    assert profile[0] == FORMAT
    documents = {row["name"]: row["value"] for row in of_kind(profile, "document")}
    assert documents == {"settings": {"theme": "dark"}, "profile": {"name": "Ann"}}
    assert [row["outcome"] for row in of_kind(profile, "result")] == ["lost"]
    events = sorted([text for _, text in game["events"]] for game in of_kind(profile, "game"))
    # The game without a move is left out.
    assert events == [["flag r1c1", "reveal r5c5", "hint"], ["reveal r1c1"]]


def test_second_import_on_another_server_adds_nothing(client, profile, exported):
    new = {"added": 2, "known": 0}
    assert upload(client, profile).json() == {
        "documents": new,
        "results": {"added": 1, "known": 0},
        "games": new,
        "settings": {"theme": "dark"},
    }
    assert export(client) == profile
    for game in exported[1]:
        imported = client.get(f"/api/games/{game['id']}").json()
        assert (imported["title"], imported["marks"]) == (game["title"], game["marks"])
    again = upload(client, profile).json()
    assert [again[kind]["added"] for kind in ("documents", "results", "games")] == [0, 0, 0]


def test_two_owners_of_one_file_have_separate_games(guest, profile):
    ann, bob = guest(), guest()
    sent = {"content": text_of(profile), "headers": NDJSON}
    answers = [user.request("POST", "/api/profile/import", **sent) for user in (ann, bob, bob)]
    assert answers[-1].json()["games"] == {"added": 0, "known": 2}

    def finished_game(user):
        games = user.request("GET", "/api/games").json()["games"]
        (game,) = (row["id"] for row in games if row["finished"])
        return game

    game_of_ann, game_of_bob = finished_game(ann), finished_game(bob)
    assert game_of_ann != game_of_bob
    undo = bob.request("POST", f"/api/games/{game_of_bob}/moves", json={"action": "undo"})
    assert undo.status_code == 200
    assert ann.request("GET", f"/api/games/{game_of_ann}").json()["state"]["undos"] == 0
    # A result has the id of its game.
    results = of_kind(lines(bob.request("GET", "/api/profile/export").content), "result")
    assert [row["id"] for row in results] == [game_of_bob]


def test_oldest_imported_games_of_a_guest_are_deleted(guest, profile, monkeypatch):
    monkeypatch.setattr(stores, "MAX_GUEST_GAMES", 1)
    ann = guest()
    ann.request("POST", "/api/profile/import", content=text_of(profile), headers=NDJSON)
    assert len(ann.request("GET", "/api/games").json()["games"]) == 1


def test_ratings_and_review_figures_are_imported(run_with_store):
    documents = {
        "puzzle-rating": msgspec.to_builtins(UserRating(tried=3, solved=2)),
        "puzzle-attempts/2026-11": [["square-two-7", 1.5, True, 4.0, 1500, 1400, "reveal r1c1"]],
        "reviews/2026-11": {"one": [3, 1, 0.5, 0.4, 0.1], "two": None},
        "a future feature": [1],
    }

    async def chunks():
        yield json.dumps(FORMAT).encode()
        for name, value in documents.items():
            yield f"\n{json.dumps({'document': {'name': name, 'value': value}})}".encode()

    async def import_and_read(store):
        await import_profile(store, "ann", chunks())
        assert store.documents("ann") == documents
        user = user_rating(store, "ann")
        assert (user.tried, user.solved) == (3, 2)
        assert set(stored_figures(store, "ann")) == {"one", "two"}

    run_with_store(import_and_read)


def test_stored_settings_are_not_replaced(client, profile):
    client.post("/api/settings", json={"value": {"theme": "light"}})
    upload(client, profile)
    assert client.get("/api/settings").json() == {"value": {"theme": "light"}}


def test_documents_are_merged(client):
    one, two = (["square-two-7", 2.0, True, 4.0, 1500, 1400, "reveal r1c1"] for _ in range(2))
    two[:2] = ["square-two-8", 1.0]
    import_documents(
        client,
        {
            "puzzle-rating": msgspec.to_builtins(UserRating(tried=3, solved=2)),
            "puzzle-attempts/now": [one],
            "reviews/now": {"a": None},
            "lessons": {
                "corners": {
                    "first_board": True,
                    "right": 2,
                    "wrong": 0,
                    "streak": 1,
                    "mastered": False,
                }
            },
            "question-marks": {"a": [1]},
        },
    )
    more = {
        "puzzle-rating": msgspec.to_builtins(UserRating(tried=2, solved=2)),
        "puzzle-attempts/now": [two, [*one[:1], 3.0, *one[2:]]],
        "reviews/now": {"b": None},
        "lessons": {"corners": {"right": 5, "mastered": True}, "paper": {"first_board": True}},
        "question-marks": {"a": [2], "b": [3]},
    }
    assert import_documents(client, more) == {"added": 4, "known": 1}
    merged = exported_documents(client)
    assert merged["puzzle-rating"]["tried"] == 3  # the rating of more puzzles
    assert merged["puzzle-attempts/now"] == [two, one]
    assert merged["reviews/now"] == {"a": None, "b": None}
    assert merged["question-marks"] == {"a": [1], "b": [3]}
    corners = {"first_board": True, "right": 5, "wrong": 0, "streak": 1, "mastered": True}
    assert merged["lessons"]["corners"] == corners
    assert merged["lessons"]["paper"]["first_board"]
    assert import_documents(client, more) == {"added": 0, "known": 5}


def test_puzzle_history_and_lessons_are_exported(client):
    puzzle = "/api/puzzles/square-one-7"
    client.post(puzzle, json={"action": "give-up", "seconds": 3})
    client.post("/api/learn/the-game/moves", json={"action": "flag", "cell": 0, "first": True})
    paths = ("/api/puzzles/days/2026-11-15", "/api/learn")
    profile, before = export(client), [client.get(path).json() for path in paths]
    delete_data(client)
    assert client.get(paths[0]).json()["history"] == []
    upload(client, profile)
    assert [client.get(path).json() for path in paths] == before
    again = client.post(puzzle, json={"action": "give-up", "seconds": 3}).json()
    assert not again["rated"]  # the first attempt was before the export


def test_file_with_too_many_documents_is_rejected(client):
    items = [{"document": {"name": f"note {k}", "value": k}} for k in range(1_001)]
    response = upload(client, [FORMAT, *items])
    assert response.status_code == 400
    assert response.json() == {"error": "the file has more than 1,000 documents"}


def test_import_in_small_batches_gives_the_same_profile(client, profile, monkeypatch):
    monkeypatch.setattr(profile_export, "BATCH_ITEMS", 2)
    assert upload(client, profile).json()["games"] == {"added": 2, "known": 0}
    assert export(client) == profile


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("game", {"id": ""}),
        ("game", {"created": -1}),
        ("game", {"finished": 1}),
        ("game", {"setup": "x"}),
        ("game", {"setup": "sapper: game 1\nboard: square 9999x9999"}),
        ("game", {"setup": "sapper: game 1\nboard: square 2x1\nlayout: r1c1\n\n0.000 flag r1c1\n"}),
        ("game", {"events": [[1, "jump r1c1"]]}),
        ("game", {"events": [[-1, "undo"]]}),
        ("game", {"events": [[0, "undo", "more"]]}),
        ("game", {"more": 1}),
        ("result", {"clicks": -1}),
        ("result", {"outcome": "drawn"}),
        ("result", {"id": "x" * 100}),
        ("document", {"name": ""}),
        ("document", {"name": "profile", "value": 3}),
        ("document", {"name": "reviews/2026-11"}),
        ("document", {"name": "puzzle-rating"}),
        ("document", {"name": "puzzle-rating", "value": {"tried": 1, "more": 1}}),
        ("document", {"name": "puzzle-attempts/2026-11"}),
        ("document", {"value": {"name": "x" * 300_000}}),
    ],
)
def test_file_with_an_error_adds_nothing(client, profile, kind, change):
    of_kind(profile, kind)[0].update(change)
    response = upload(client, profile)
    assert response.status_code == 400
    assert "\n" not in response.json()["error"]
    assert export(client) == [FORMAT]


def test_other_and_truncated_files_add_nothing(client, profile):
    text = text_of(profile)
    other = ("", "[]", "x", '{"format": "sapper profile 9"}', "{}")
    for content in (*other, text[:-3], text[: len(text) // 2], text + "{}\n", '{"games": []'):
        response = client.post("/api/profile/import", content=content, headers=NDJSON)
        assert response.status_code == 400, content
    assert export(client) == [FORMAT]


def test_file_that_is_too_long_is_413(client, monkeypatch):
    monkeypatch.setattr(limits, "FILE_BODY", 1000)
    parts = (b" " * 500 for _ in range(5))  # without a Content-Length
    assert client.post("/api/profile/import", content=parts, headers=NDJSON).status_code == 413


def test_large_import_takes_little_memory_and_does_not_block_other_writes(run_with_store):
    async def chunks(count):
        yield b'{"format": "sapper profile 1"}\n'
        for first in range(0, count, 100):
            rows = (replace(WIN, id=f"g{k:05}") for k in range(first, first + 100))
            yield b"".join(msgspec.json.encode({"result": row}) + b"\n" for row in rows)

    async def measure(store):
        await import_profile(store, "bob", chunks(100))  # imports modules
        tracemalloc.start()
        importing = asyncio.create_task(import_profile(store, "ann", chunks(2_000)))
        writes = 0
        while not importing.done():
            await store.save_document("bob", "count", writes)
            writes += 1
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        exported = profile_export.export_profile(store, "ann")
        length = sum([len(text) async for text in exported])
        return (await importing)["results"], writes, length, peak

    count, writes, length, peak = run_with_store(measure)
    assert count == {"added": 2_000, "known": 0}
    assert writes >= 5  # there were twenty batches
    assert length > 400_000
    assert peak < 1_000_000
