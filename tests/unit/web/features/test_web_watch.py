"""Watching a game on the page, with the same steps as `sapper watch`."""

import pytest
from starlette.requests import ClientDisconnect
from tests.oracle.naive_hints import proves

from sapper.board.rules import Rules
from sapper.board.tilings import tiling
from sapper.engine.budget import Cancel
from sapper.errors import OutOfBudget
from sapper.games.game import Game
from sapper.games.watch import MoveTally, watch
from sapper.players.registry import PLAYERS
from sapper.players.rollouts import Comparison
from sapper.solvers.registry import SOLVERS
from sapper.web.features import watch as web_watch


def start(client, **request):
    response = client.post("/api/watch", json=request)
    assert response.status_code == 201, response.text
    return response.json()


def watch_to_the_end(client, watched):
    """Return all steps of a watched game, and its end."""
    steps = []
    while True:
        body = {"from": len(steps)}
        answer = client.post(f"/api/watch/{watched['id']}/steps", json=body).json()
        steps += answer["steps"]
        if answer["end"]:
            return steps, answer["end"]


WATCHED = [("solver", entry.name) for entry in SOLVERS.values() if entry.name != "brute-board"]
WATCHED += [("player", entry.name) for entry in PLAYERS.values()]


@pytest.mark.parametrize(("kind", "name"), WATCHED)
def test_every_solver_and_player_can_be_watched(client, kind, name):
    watched = start(client, size="6x6/5", seed="4", kind=kind, name=name)
    steps, end = watch_to_the_end(client, watched)
    assert end["outcome"] in ("won", "lost", "stuck")
    assert steps[0]["reason"] == "first click"
    assert all(step["move"] and step["reason"] for step in steps)


def test_steps_equal_those_of_the_command(client):
    watched = start(client, size="beginner", seed="7", kind="solver", name="hybrid")
    steps, end = watch_to_the_end(client, watched)
    rules, tally = Rules.parse("beginner"), MoveTally()
    game = Game.new(rules, 7)
    expected = [step.text for step in watch(game, "hybrid", tally=tally)]
    assert [f"{step['move']}: {step['reason']}" for step in steps] == expected
    assert end["summary"] == tally.summary(game)


def test_end_comes_with_the_last_step_only(client):
    watched = start(client, size="beginner", seed="7", kind="solver", name="hybrid")
    path = f"/api/watch/{watched['id']}/steps"
    first = client.post(path, json={"from": 0, "max_steps": 1}).json()
    assert len(first["steps"]) == 1 and first["end"] is None
    steps, end = watch_to_the_end(client, watched)
    assert steps[:1] == first["steps"] and end["summary"]
    assert client.post(path, json={"from": 0, "max_steps": 1}).json() == first
    assert client.post(path, json={"from": len(steps)}).json() == {"steps": [], "end": end}
    assert client.post(path, json={"from": len(steps) + 1}).status_code == 400
    assert client.post(path, json={"from": -1}).status_code == 400


def test_disconnect_during_a_request_is_a_bad_request(client, monkeypatch):
    async def read_body(request, body_type):
        raise ClientDisconnect

    monkeypatch.setattr(web_watch, "read_body", read_body)
    response = client.post("/api/watch", json={})
    assert (response.status_code, response.json()) == (400, {"error": "the client disconnected"})


@pytest.mark.parametrize(("tiling", "seed"), [("square", 1), ("hexagonal", 2)])
def test_steps_contain_every_change_of_the_position(client, tiling, seed):
    rules = {"size": "8x8/8", "tiling": tiling, "rule": "safe"}
    watched = start(client, **rules, seed=seed, kind="player", name="careful")
    steps, end = watch_to_the_end(client, watched)
    marks = [-1] * 64
    for step in steps:
        for cell, mark in zip(step["cells"], step["marks"], strict=True):
            marks[cell] = mark
    opened = sum(mark >= 0 for mark in marks)
    assert (opened == 56) == (end["outcome"] == "won")
    assert (end["outcome"] == "lost") == bool(end["exploded"])


def test_search_beyond_the_budget_ends_the_game_as_stuck(client, monkeypatch):
    monkeypatch.setattr(web_watch, "BUDGET", web_watch.Budget(seconds=0.05))
    watched = start(client, size="8x8/10", seed="1", kind="solver", name="brute-board")
    _, end = watch_to_the_end(client, watched)
    assert end["outcome"] == "stuck"
    assert "0.05 s" in end["summary"]


def test_cancelled_step_is_found_by_the_next_request(monkeypatch):
    session, cancel = web_watch.WatchBody(size="beginner", seed="1").session(), Cancel()

    def step(limit):
        cancel.set()
        raise OutOfBudget("cancelled")

    with monkeypatch.context() as patch:
        patch.setattr(session.watched, "step", step)
        session.find_steps(1, cancel)
    assert (session.steps, session.summary) == ([], None)
    session.find_steps(1, Cancel())
    assert session.steps


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"kind": "wizard"}, "wizard"),
        ({"name": "unknown"}, "unknown"),
        ({"kind": "player", "name": "exact"}, "no such player"),
        ({"size": "1000x1000/5"}, "at most 20,000 cells"),
        ({"size": "3x3/9"}, "mines"),
        ({"first": -1}, "expected a cell"),
        ({"first": "r1c1"}, "$.first"),
        ({"kind": "player", "name": "careful", "seconds": 2}, "careful has no settings"),
    ],
)
def test_bad_request_is_400_with_a_one_line_error(client, body, message):
    response = client.post("/api/watch", json=body)
    assert response.status_code == 400
    assert message in response.json()["error"] and "\n" not in response.json()["error"]


def test_bad_step_number_is_rejected(client):
    watched = start(client, size="beginner", seed="1")
    for number in (-1, 1, "0", None):
        response = client.post(f"/api/watch/{watched['id']}/steps", json={"from": number})
        assert response.status_code == 400, number


def test_least_recently_used_watched_game_is_dropped(client):
    client.app.state.watch_sessions = web_watch.WatchSessions(2)

    def status(watched):
        return client.post(f"/api/watch/{watched['id']}/steps", json={"from": 0}).status_code

    first, second = (start(client, size="beginner", seed="1") for _ in range(2))
    assert status(first) == 200
    start(client, size="beginner", seed="1")
    assert (status(first), status(second)) == (200, 404)


def test_every_certain_step_has_a_proof_on_the_position_before_it(client):
    watched = start(client, size="12x12/24", seed="3", kind="player", name="careful")
    steps, end = watch_to_the_end(client, watched)
    board, marks = tiling("square", 12, 12), [-1] * 144
    proved = 0
    for step in steps:
        if not step["guess"] and step["reason"] != "first click":
            flags = [cell for cell, mark in enumerate(marks) if mark == -2]
            total = 24 if "mine count" in step["text"] else None
            arguments = (step["numbers"], flags, total, step["cell"], step["action"] == "flag")
            assert proves(board, marks, *arguments), step
            proved += 1
        for cell, mark in zip(step["cells"], step["marks"], strict=True):
            marks[cell] = mark
    assert proved > 30
    assert len(end["mines"]) == 24


def test_search_for_a_guess_shows_progress_and_can_be_ended(client, monkeypatch):
    watched = start(client, size="9x9/18", seed="4", kind="player", name="patient", seconds=8)
    path = f"/api/watch/{watched['id']}"
    assert watched["takes_seconds"]
    assert client.get(f"{path}/search").json() == {"search": None}
    assert client.post(f"{path}/decide").json() == {}
    game = client.app.state.watch_sessions.get(watched["id"]).watched
    reports, original_drop = [], Comparison.drop

    def drop(self, least_gain):
        """End the search at its second call after samples; nothing drops out."""
        original_drop(self, 0.0)
        if not self.samples:
            return
        progress = game.guesser.progress
        reports.append(progress and web_watch.progress_json(progress))
        if len(reports) == 2:
            game.guesser.finish_early()

    monkeypatch.setattr(Comparison, "drop", drop)
    done = 0
    while not reports:
        answer = client.post(f"{path}/steps", json={"from": done, "max_steps": 1}).json()
        (step,) = answer["steps"]
        done += 1
    assert step["guess"] and all(
        candidate["win_chance"] is not None for candidate in step["candidates"]
    )
    progress = reports[1]
    assert len(reports) == 2 and progress["samples"] >= 40
    assert progress["first"] in {candidate["cell"] for candidate in progress["candidates"]}
    assert {"cell", "name", "rate", "error", "samples"} == set(progress["candidates"][0])
