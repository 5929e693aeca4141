"""Win chances as a stream: of positions, of candidates, and in a game, where they count as help."""

import asyncio
import json
from itertools import pairwise
from types import SimpleNamespace

import pytest

from sapper import Position, win_chance
from sapper.web.features import hints as feature
from sapper.web.server.workers import WorkLimits, stream_work

PATH = "/api/analysis/win-chance"
ENDING = {"board": "square 5x3", "marks": [-1] * 6 + [2, 1, 2] + [-1] * 6, "mines": 4}
START = {"board": "square 16x16", "marks": [-1] * 256, "mines": 40}
CHANCE_KEYS = {"value", "low", "high", "samples", "exact", "fraction", "player"}


def lines_of(response):
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in response.text.splitlines()]


@pytest.fixture
def few_samples(monkeypatch):
    monkeypatch.setattr(feature, "MAX_SAMPLES", 300)
    monkeypatch.setattr(feature, "MAX_MOVE_SAMPLES", 300)
    monkeypatch.setattr(feature, "LINE_SECONDS", 0.0)


@pytest.fixture
def expert(new_game, move):
    game = new_game(size="expert", seed="3")
    move(game, "reveal", 235)
    return game


def test_an_end_game_has_one_exact_line(client):
    (line,) = lines_of(client.post(PATH, json=ENDING))
    assert set(line) == CHANCE_KEYS
    assert (line["fraction"], line["player"], line["exact"]) == ("7/9", "perfect", True)


def test_estimates_are_refined_line_by_line(client, few_samples):
    lines = lines_of(client.post(PATH, json=START))
    samples = [line["samples"] for line in lines]
    assert samples[0] == 25 and samples[-1] == 300
    assert all(a < b for a, b in pairwise(samples))
    position = Position.parse("\n".join(["#" * 16] * 16), mines=40)
    assert lines[-1]["value"] == win_chance(position, samples=300).value


def test_a_narrow_interval_ends_the_stream(client, monkeypatch):
    monkeypatch.setattr(feature, "TARGET_WIDTH", 1.0)
    assert [line["samples"] for line in lines_of(client.post(PATH, json=START))] == [25]


def test_candidates_are_sorted_by_their_win_chance(client, few_samples):
    for position, exact in ((START, False), (ENDING, True)):
        *_, line = lines_of(client.post(PATH, json={**position, "moves": [1, 0, 2]}))
        values = [move["value"] for move in line["moves"]]
        assert sorted(values, reverse=True) == values
        assert {move["cell"] for move in line["moves"]} == {0, 1, 2}
        assert {move["exact"] for move in line["moves"]} == {exact}
        assert line["moves"][0]["behind"] == 0
        assert set(line["moves"][0]) == CHANCE_KEYS | {"cell", "risk", "behind", "error"}


@pytest.mark.parametrize(
    ("change", "status", "problem"),
    [
        ({"mines": None}, 400, "a win chance needs the mine count"),
        ({"marks": [9] + [-1] * 14}, 422, "r1c1"),
        ({"marks": [-1] * 7}, 400, "15"),
        ({"mines": 13}, 422, ""),
        ({"board": "square 200x200"}, 400, "20,000"),
        ({"moves": list(range(9))}, 400, "moves"),
        ({"moves": [6]}, 422, "expected a covered cell, got r2c2"),
        ({"moves": [99]}, 400, "99"),
        ({"marks": [0] * 15, "mines": 0}, 422, ""),
    ],
)
def test_bad_request_is_refused_with_a_one_line_error(client, change, status, problem):
    response = client.post(PATH, json={**ENDING, **change})
    assert (response.status_code, "\n" in response.json()["error"]) == (status, False)
    assert problem in response.json()["error"]


def test_win_chance_in_a_game_counts_as_help_once(client, expert, few_samples):
    path = f"/api/games/{expert['id']}"
    first, *others = lines_of(client.post(f"{path}/win-chance", json={}))
    assert (first["state"], first["at"]) == ({"hints": 1, "helped": True}, 1)
    assert all(set(line) == CHANCE_KEYS for line in others)
    lines_of(client.post(f"{path}/win-chance", json={"moves": [0, 29]}))
    assert client.post(f"{path}/probabilities", json={}).json()["state"]["hints"] == 1
    assert client.get(path).json()["state"]["hints"] == 1


def test_win_chances_of_the_candidates_of_a_hint_count_as_help_with_it(client, expert, few_samples):
    path = f"/api/games/{expert['id']}"
    assert client.post(f"{path}/hint", json={"detail": 4}).json()["state"]["hints"] == 1
    first, *_ = lines_of(client.post(f"{path}/win-chance", json={"moves": [0, 29]}))
    assert first["state"] == {"hints": 1, "helped": True}


def test_no_win_chance_before_the_first_click_or_after_the_end(client, new_game, move):
    game, lost = new_game(size="beginner", seed="1"), new_game(text="*.")
    move(lost, "reveal", 0)
    for one, problem in ((game, "after the first click"), (lost, "the game is lost")):
        response = client.post(f"/api/games/{one['id']}/win-chance", json={})
        assert response.status_code == 422 and problem in response.json()["error"]
        assert client.get(f"/api/games/{one['id']}").json()["state"]["hints"] == 0


def test_a_move_during_the_first_estimate_is_a_conflict(client, expert, move, monkeypatch):
    refine = feature.refine_win_chance

    def slow(position, **options):
        move(expert, "flag", client.get(f"/api/games/{expert['id']}").json()["marks"].index(-1))
        yield from refine(position, **options)

    monkeypatch.setattr(feature, "refine_win_chance", slow)
    response = client.post(f"/api/games/{expert['id']}/win-chance", json={})
    assert response.status_code == 409
    assert client.get(f"/api/games/{expert['id']}").json()["state"]["hints"] == 0


class Client:
    """A client that disconnects when an event is set."""

    def __init__(self):
        self.disconnected = asyncio.Event()
        self.app = SimpleNamespace(state=SimpleNamespace(work_limits=WorkLimits()))

    async def receive(self):
        await self.disconnected.wait()
        return {"type": "http.disconnect"}


def test_work_stops_when_the_client_disconnects():
    cancels = []

    def count(cancel):
        while not cancel.is_set:
            cancels.append(cancel)
            yield len(cancels)

    async def run():
        client = Client()
        received = []
        async for step in stream_work(client, count):
            received.append(step)
            if step == 3:
                client.disconnected.set()
        return client, received

    client, received = asyncio.run(run())
    assert received[:3] == [1, 2, 3] and cancels[0].is_set
    assert client.app.state.work_limits.streams.borrowed_tokens == 0


def test_a_stream_that_is_closed_early_is_cancelled():
    cancels = []

    def count(cancel):
        cancels.append(cancel)
        yield from range(1000)

    async def run():
        steps = stream_work(Client(), count)
        assert await anext(steps) == 0
        await steps.aclose()

    asyncio.run(run())
    assert cancels[0].is_set
