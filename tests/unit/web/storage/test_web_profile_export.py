"""All that is kept of one as a file: out, in again, elsewhere, and never half of it."""

import asyncio
import json
import tracemalloc
from dataclasses import asdict

import pytest
from starlette.testclient import TestClient

from sapper.web.app import create_app
from sapper.web.profile import profile_export
from sapper.web.profile.profile_export import import_profile
from sapper.web.puzzles.ratings import UserRating, user_rating
from sapper.web.review.figures import stored_figures
from sapper.web.server import limits
from sapper.web.storage.store import Store

CORNER = "*..\n..."
NOTHING = {"added": 0, "known": 0}


@pytest.fixture
def profile(client, new_game, move):
    """A profile with a lost game, one in progress, settings and a name; as a file."""
    lost, going = new_game(text=CORNER), new_game(size="beginner", seed="3")
    new_game(size="expert")
    move(lost, "reveal", 0)
    move(going, "flag", 0)
    move(going, "reveal", 40)
    client.post("/api/documents/settings", json={"value": {"theme": "dark"}})
    client.post("/api/profile", json={"name": "Ann"})
    answer = client.get("/api/profile/export")
    assert 'filename="sapper-profile.json"' in answer.headers["content-disposition"]
    return answer.json()


def test_a_file_has_all_that_is_kept(profile):
    assert profile["format"] == "sapper profile 1"
    documents = {row["name"]: row["value"] for row in profile["documents"]}
    assert documents == {"settings": {"theme": "dark"}, "profile": {"name": "Ann"}}
    assert [row["outcome"] for row in profile["results"]] == ["lost"]
    events = sorted([what for _, what in game["events"]] for game in profile["games"])
    assert events == [["flag r1c1", "reveal r5c5"], ["reveal r1c1"]]  # none without a move


def test_another_server_takes_it_all_in_once(client, profile, tmp_path):
    games = client.get("/api/games").json()["games"]
    with TestClient(create_app(tmp_path / "other"), base_url="http://127.0.0.1") as other:
        answer = other.post("/api/profile/import", json=profile).json()
        new = {"added": 2, "known": 0}
        counts = {"documents": new, "results": {"added": 1, "known": 0}, "games": new}
        assert answer == {**counts, "settings": {"theme": "dark"}}
        assert other.get("/api/profile/export").json() == profile
        assert other.get("/api/games").json()["games"] == games
        for game in games:
            here, there = (each.get(f"/api/games/{game['id']}").json() for each in (client, other))
            assert here["marks"] == there["marks"]
        assert other.get("/api/documents/settings").json() == {"value": {"theme": "dark"}}
        again = other.post("/api/profile/import", json=profile).json()
        assert again == {
            "documents": {"added": 0, "known": 2},
            "results": {"added": 0, "known": 1},
            "games": {"added": 0, "known": 2},
            "settings": {"theme": "dark"},
        }


def test_two_owners_of_one_file_have_a_copy_each(visitor, profile):
    ann, bob = visitor(), visitor()
    for person in (ann, bob, bob):
        answer = person.ask("POST", "/api/profile/import", json=profile).json()
    assert answer["games"] == {"added": 0, "known": 2}
    (one,), (two,) = (
        [row["id"] for row in person.ask("GET", "/api/games").json()["games"] if row["over"]]
        for person in (ann, bob)
    )
    assert one != two
    flag = {"action": "undo"}
    assert bob.ask("POST", f"/api/games/{two}/moves", json=flag).status_code == 200
    assert ann.ask("GET", f"/api/games/{one}").json()["state"]["undos"] == 0
    # A result is called as its game is, so that it leads there.
    results = bob.ask("GET", "/api/profile/export").json()["results"]
    assert [row["id"] for row in results] == [two]


def test_ratings_and_figures_of_games_come_along(folder):
    documents = {
        "train": asdict(UserRating(tried=3, solved=2)),
        "train/2026-11": [["square-two-7", 1.5, True, 4.0, 1500, 1400, "reveal r1c1"]],
        "reviews/2026-11": {"one": [3, 1, 0.5, 0.4, 0.1], "two": None},
        "a view to come": [1],
    }

    async def chunks():
        rows = [{"name": name, "value": value} for name, value in documents.items()]
        yield json.dumps({"format": "sapper profile 1", "documents": rows}).encode()

    async def story():
        store = Store(folder)
        try:
            await import_profile(store, "ann", chunks())
            return store.all_kept("ann"), user_rating(store, "ann"), stored_figures(store, "ann")
        finally:
            store.close()

    kept, person, figures = asyncio.run(story())
    assert kept == documents
    assert (person.tried, person.solved) == (3, 2)
    assert set(figures) == {"one", "two"}


def test_what_is_here_stays(client, profile):
    client.post("/api/documents/settings", json={"value": {"theme": "light"}})
    client.post("/api/profile/import", json=profile)
    assert client.get("/api/documents/settings").json() == {"value": {"theme": "light"}}


def test_what_notes_one_thing_after_another_is_added_to(client):
    def imported(**documents):
        rows = [
            {"name": name.replace("_", "/"), "value": value} for name, value in documents.items()
        ]
        file = {"format": "sapper profile 1", "documents": rows}
        return client.post("/api/profile/import", json=file).json()["documents"]

    one, two = (["square-two-7", 2.0, True, 4.0, 1500, 1400, "reveal r1c1"] for _ in range(2))
    two[:2] = ["square-two-8", 1.0]
    imported(
        train=asdict(UserRating(tried=3, solved=2)),
        train_now=[one],
        reviews_now={"a": None},
        learn={"corners": {"first": True, "right": 2, "wrong": 0, "row": 1, "sits": False}},
        question_marks={"a": [1]},
    )
    more = {
        "train": asdict(UserRating(tried=2, solved=2)),
        "train_now": [two, [*one[:1], 3.0, *one[2:]]],
        "reviews_now": {"b": None},
        "learn": {"corners": {"right": 5, "sits": True}, "paper": {"first": True}},
        "question_marks": {"a": [2], "b": [3]},
    }
    assert imported(**more) == {"added": 4, "known": 1}
    file = client.get("/api/profile/export").json()
    now = {row["name"]: row["value"] for row in file["documents"]}
    assert now["train"]["tried"] == 3  # of two ratings the one of more puzzles
    assert now["train/now"] == [two, one]
    assert now["reviews/now"] == {"a": None, "b": None}
    assert now["question_marks"] == {"a": [1], "b": [3]}
    assert now["learn"]["corners"] == {
        "first": True,
        "right": 5,
        "wrong": 0,
        "row": 1,
        "sits": True,
    }
    assert now["learn"]["paper"]["first"]
    assert imported(**more) == {"added": 0, "known": 5}


def test_training_goes_elsewhere_with_its_history(client, tmp_path):
    puzzle = "/api/puzzles/square-one-7"
    client.post(puzzle, json={"action": "give-up", "seconds": 3})
    client.post("/api/learn/the-game/moves", json={"action": "flag", "cell": 0, "first": True})
    file = client.get("/api/profile/export").json()
    asked = ("/api/puzzles/days/2026-11-15", "/api/learn")
    with TestClient(create_app(tmp_path / "other"), base_url="http://127.0.0.1") as other:
        assert other.get(asked[0]).json()["history"] == []
        other.post("/api/profile/import", json=file)
        for path in asked:
            assert other.get(path).json() == client.get(path).json()
        again = other.post(puzzle, json={"action": "give-up", "seconds": 3}).json()
        assert not again["rated"]  # it was tried before, if elsewhere


def test_a_file_of_too_many_things_is_refused(client, visitor, monkeypatch):
    rows = [{"name": f"note {number}", "value": number} for number in range(1_001)]
    answer = client.post(
        "/api/profile/import", json={"format": "sapper profile 1", "documents": rows}
    )
    assert answer.status_code == 400
    assert answer.json() == {"error": "expected at most 1,000 documents, got more"}


def test_a_long_game_comes_in_parts(client, profile, monkeypatch, tmp_path):
    monkeypatch.setattr(profile_export, "ROWS", 2)
    events = [[at, "flag r1c1" if at % 2 == 0 else "unflag r1c1"] for at in range(9)]
    going = next(game for game in profile["games"] if not game["over"])
    going["events"] = [*events, [9, "reveal r5c5"]]
    with TestClient(create_app(tmp_path / "other"), base_url="http://127.0.0.1") as other:
        answer = other.post("/api/profile/import", json=profile).json()
        assert answer["games"] == {"added": 2, "known": 0}
        assert other.get("/api/profile/export").json()["games"] == profile["games"]
        state = other.get(f"/api/games/{going['id']}").json()["state"]
        assert (state["events"], state["flags"]) == (10, 1)


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        ("games", {"id": ""}, "game 1: expected a game that was exported here"),
        ("games", {"id": 3}, "game 1: expected a game"),
        ("games", {"created": -1}, "game 1: expected a game"),
        ("games", {"over": 1}, "game 1: expected a game"),
        ("games", {"start": "x"}, "game 1: expected a saved game"),
        ("games", {"start": "sapper: game 1\nboard: square 9999x9999"}, "at most 20,000 cells"),
        ("games", {"events": [[1, "jump r1c1"]]}, "game 1: expected a time and a move"),
        ("games", {"events": [["1", "undo"]]}, "game 1: expected a time and a move"),
        ("games", {"events": [[-1, "undo"]]}, "game 1: expected a time and a move"),
        ("games", {"events": {}}, "game 1: expected a game"),
        ("games", {"more": 1}, "game 1: expected the keys"),
        ("results", {"clicks": -1}, "result 1: expected clicks"),
        ("documents", {"name": 3}, "document 1: expected a name and a value"),
        ("documents", {"name": ""}, "document 1: expected a name and a value"),
        ("documents", {"value": 3}, "document 1: expected profile as it is kept here"),
        ("documents", {"name": "reviews/2026-11"}, "document 1: expected reviews/2026-11 as"),
        ("documents", {"name": "train"}, "document 1: expected train as"),
        ("documents", {"name": "train/2026-11"}, "document 1: expected train/2026-11 as"),
        ("documents", {"value": {"name": "x" * 300_000}}, "document 1: expected at most"),
    ],
)
def test_a_file_with_a_mistake_adds_nothing(profile, tmp_path, kind, change, message):
    profile[kind][0] |= change
    with TestClient(create_app(tmp_path / "other"), base_url="http://127.0.0.1") as other:
        answer = other.post("/api/profile/import", json=profile)
        assert answer.status_code == 400
        assert message in answer.json()["error"]
        empty = {"format": "sapper profile 1", "documents": [], "results": [], "games": []}
        assert other.get("/api/profile/export").json() == empty


def test_a_file_that_is_cut_off_adds_nothing(client, profile, tmp_path):
    text = json.dumps(profile)
    with TestClient(create_app(tmp_path / "other"), base_url="http://127.0.0.1") as other:
        headers = {"content-type": "application/json"}
        for part in (text[:-1], text[: len(text) // 2], "", "[]", "x"):
            answer = other.post("/api/profile/import", content=part, headers=headers)
            assert answer.status_code == 400
            assert "expected" in answer.json()["error"]
        assert other.get("/api/profile").json()["games"] == 0


def test_a_file_beyond_all_bounds_is_413(client, monkeypatch):
    monkeypatch.setattr(limits, "FILE_BODY", 1000)
    headers = {"content-type": "application/json"}
    parts = (b" " * 500 for _ in range(5))  # no length announced
    assert client.post("/api/profile/import", content=parts, headers=headers).status_code == 413


def test_a_large_book_takes_little_memory_and_lets_others_write(folder):
    result = {
        "finished": 1.0, "tiling": "square", "size": "9x9/10", "rule": "zero", "deal": "plain",
        "seed": "7", "outcome": "won", "milliseconds": 1, "clicks": 1, "three_bv": 1,
        "helped": False, "again": False,
    }  # fmt: skip

    async def chunks(count):
        yield b'{"format": "sapper statistics 1", "results": ['
        for k in range(count):
            yield (b"," if k else b"") + json.dumps({"id": f"g{k:05}", **result}).encode()
        yield b"]}"

    async def story():
        store = Store(folder)
        try:
            tracemalloc.start()
            taking = asyncio.create_task(import_profile(store, "ann", chunks(5_000)))
            writes = 0
            while not taking.done():
                await store.keep("bob", "count", writes)
                writes += 1
            exported = sum(
                [len(text) async for text in profile_export.export_results(store, "ann")]
            )
            _, most = tracemalloc.get_traced_memory()
            return (await taking).counts["results"], writes, exported, most
        finally:
            tracemalloc.stop()
            store.close()

    added, writes, exported, most = asyncio.run(story())
    assert (added.added, added.known) == (5_000, 0)
    assert writes > 20
    assert exported > 1_000_000
    assert most < 3_000_000
