"""Playing through the server, as the page does."""

import asyncio
import json
import sqlite3

import pytest
from starlette.testclient import TestClient

import sapper
from sapper import Position
from sapper.board.rules import Rules
from sapper.board.tilings import TILINGS
from sapper.errors import Conflict
from sapper.games.session import Session
from sapper.games.setup import GameSetup
from sapper.generators.layouts import generate
from sapper.web.app import create_app
from sapper.web.live_games import Games, count_board_events
from sapper.web.server import limits
from sapper.web.storage.database import Database
from sapper.web.storage.store import Store

# The mine is in the corner: cell 2 opens all but cells 0 and 3.
CORNER = "*..\n..."


def test_new_game_has_everything_but_the_mines(new_game):
    game = new_game(size="beginner", tiling="square", rule="zero", seed="7")
    assert game["title"] == "Beginner"
    assert game["board"] == f"/api/boards/square/9x9?v={sapper.__version__}"
    assert game["mines"] == 10
    assert game["marks"] == [-1] * 81
    assert game["state"]["outcome"] == "playing"
    assert "7" not in {str(value) for value in game.values()}  # nor the seed, which determines them


def test_pauses_and_hints_are_not_counted_as_changes_of_the_board():
    session = Session(GameSetup.from_layout(sapper.Layout.parse(CORNER)), clock=lambda: 0.0)
    session.act("reveal r1c2")
    session.pause()
    session.resume()
    session.act("hint")
    session.act("hint")
    session.act("flag r1c1")
    assert (len(session.log), session.pauses, session.hints) == (5, 1, 2)
    assert count_board_events(session) == 2


def test_reveal_answers_with_the_opening(new_game, move):
    game = new_game(text=CORNER)
    answer = move(game, "reveal", 2, after=0)
    assert dict(zip(answer["cells"], answer["marks"], strict=True)) == {1: 1, 2: 0, 4: 1, 5: 0}
    assert answer["state"]["events"] == 1


def test_layout_of_a_seed_is_that_of_the_library(client, new_game, move):
    game = new_game(size="9x9/10", tiling="hexagonal", rule="safe", seed=str(2**63 + 1))
    move(game, "reveal", 30)
    layout = generate(Rules.parse("9x9/10", "hexagonal", "safe"), 2**63 + 1, 30).layout
    marks = client.get(f"/api/games/{game['id']}").json()["marks"]
    assert all(mark in (-1, number) for mark, number in zip(marks, layout.numbers, strict=True))
    assert marks[30] == layout.numbers[30]


def test_won_game_has_a_result(client, new_game, move):
    game = new_game(size="beginner", seed="3")
    move(game, "reveal", 40)
    layout = generate(Rules.parse("beginner"), 3, 40).layout
    marks = client.get(f"/api/games/{game['id']}").json()["marks"]
    for cell in layout.board.cells:
        if not layout.mine_mask[cell] and marks[cell] == -1:
            answer = move(game, "reveal", cell)
            for opened, mark in zip(answer["cells"], answer["marks"], strict=True):
                marks[opened] = mark
    state = answer["state"]
    assert state["outcome"] == "won"
    assert state["three_bv"] == state["three_bv_total"] == layout.three_bv
    (summary,) = client.get("/api/statistics").json()["summaries"]
    assert (summary["title"], summary["games"], summary["wins"]) == ("Beginner", 1, 1)


def test_lost_game_shows_only_the_exploded_mine_until_requested(client, new_game, move):
    game = new_game(text="**.\n...")
    answer = move(game, "reveal", 0)
    assert answer["state"]["outcome"] == "lost"
    assert answer["state"]["exploded"] == [0]
    assert answer["cells"] == []
    assert client.get(f"/api/games/{game['id']}/mines").json() == {"mines": [0, 1]}
    state = move(game, "continue")["state"]
    assert (state["outcome"], state["losses"], state["continues"]) == ("playing", 1, 1)


def test_undo_covers_the_cells_and_redo_reveals_them_again(client, new_game, move):
    game = new_game(text=CORNER)
    move(game, "reveal", 2)
    assert move(game, "undo")["state"]["can_redo"]
    assert client.get(f"/api/games/{game['id']}").json()["marks"] == [-1] * 6
    assert sorted(move(game, "redo")["cells"]) == [1, 2, 4, 5]


def test_repeated_game_does_not_count(client, new_game, move):
    game = new_game(text=CORNER)
    move(game, "reveal", 0)
    again = new_game(repeat=game["id"])
    assert again["state"]["repeated"] is True
    move(again, "reveal", 2)
    move(again, "reveal", 3)
    (summary,) = client.get("/api/statistics").json()["summaries"]
    assert (summary["games"], summary["wins"]) == (1, 0)


def test_game_is_retried_before_one_of_its_moves(client, new_game, move):
    game = new_game(text=CORNER)
    move(game, "flag", 0)
    move(game, "reveal", 2)
    before = client.get(f"/api/games/{game['id']}").json()["marks"]
    move(game, "reveal", 3)
    retried = new_game(repeat=game["id"], move=2)
    assert retried["marks"] == before and retried["state"]["repeated"] is True
    refused = client.post("/api/games", json={"repeat": game["id"], "move": 9})
    assert refused.status_code == 422 and "from 1 to 2" in refused.json()["error"]


def test_move_after_unseen_moves_is_a_conflict(client, new_game, move):
    game = new_game(text=CORNER)
    move(game, "flag", 0, after=0)
    stale = {"action": "reveal", "cell": 2, "after": 0}
    response = client.post(f"/api/games/{game['id']}/moves", json=stale)
    assert response.status_code == 409
    assert response.json() == {"error": "the game was changed elsewhere: a move: flag r1c1"}
    move(game, "pause")
    move(game, "reveal", 2, after=1)
    response = client.post(f"/api/games/{game['id']}/moves", json=stale)
    assert response.json() == {
        "error": "the game was changed elsewhere: 2 moves, the last: reveal r1c3"
    }


def test_pause_stops_the_clock_and_is_no_conflict(client, new_game, move):
    game = new_game(text=CORNER)
    move(game, "reveal", 1, after=0)
    state = move(game, "pause")["state"]
    assert state["running"] is False
    assert move(game, "pause")["state"] == state
    assert move(game, "flag", 0, after=state["events"])["state"]["running"] is True


def test_restarted_server_continues_the_game(server_folder, client, new_game, move):
    game = new_game(size="expert", seed="11")
    move(game, "reveal", 200)
    move(game, "flag", 0)
    move(game, "undo")
    before = client.get(f"/api/games/{game['id']}").json()
    # A second server on the same folder has only what is on disk.
    with TestClient(create_app(server_folder), base_url="http://127.0.0.1") as other:
        after = other.get(f"/api/games/{game['id']}").json()
        for state in (before["state"], after["state"]):
            del state["milliseconds"], state["running"]
        assert after == before
        redo = other.post(f"/api/games/{game['id']}/moves", json={"action": "redo"}).json()
        assert redo["marks"] == [-2]
    # The first server has not seen that move: its next one is refused, then it catches up.
    late = client.post(f"/api/games/{game['id']}/moves", json={"action": "flag", "cell": 1})
    assert late.status_code == 409
    assert client.get(f"/api/games/{game['id']}").json()["marks"][0] == -2


def test_move_in_a_dropped_session_is_a_conflict(run_with_store):
    async def drop_while_a_move_waits(store):
        games = Games(store)
        live = await games.new("ann", GameSetup(Rules.parse("beginner"), 1))
        async with live.lock:
            move = asyncio.create_task(games.act("ann", live.row.id, "flag r1c1", None))
            await asyncio.sleep(0)
            del games._live[live.row.id]
        with pytest.raises(Conflict):
            await move

    run_with_store(drop_while_a_move_waits)


def test_every_move_is_on_disk_when_it_is_answered(server_folder, new_game, move):
    game = new_game(text=CORNER)
    for number, (action, cell) in enumerate([("flag", 0), ("reveal", 2), ("unflag", 0)], start=1):
        move(game, action, cell)
        with sqlite3.connect(server_folder / "games.sqlite") as reader:
            (count,) = reader.execute("select count(*) from event").fetchone()
        reader.close()
        assert count == number


def test_move_that_cannot_be_written_changes_nothing(client, new_game, move, monkeypatch):
    game = new_game(text=CORNER)
    move(game, "flag", 0)
    before = client.get(f"/api/games/{game['id']}").json()
    with monkeypatch.context() as full_disk:
        full_disk.setattr(Database, "_attempt", fail)
        response = client.post(
            f"/api/games/{game['id']}/moves", json={"action": "reveal", "cell": 2}
        )
    assert response.status_code == 503
    assert "disk is full" in response.json()["error"]
    assert client.get(f"/api/games/{game['id']}").json() == before
    assert sorted(move(game, "reveal", 2, after=1)["cells"]) == [1, 2, 4, 5]


def fail(store, job):
    raise sqlite3.OperationalError("database or disk is full")


def test_every_tiling_is_sent_with_shapes_for_all_its_cells(client):
    for name in TILINGS:
        board = client.get(f"/api/boards/{name}/5x4").json()
        assert len(board["cells"]) == 20
        assert board["columns"] == 5
        assert {shape for shape, _, _ in board["cells"]} == set(range(len(board["shapes"])))
        assert len(board["neighbours"]) == board["offsets"][-1]
        assert all(0 < shape["inner"] <= 0.5 for shape in board["shapes"])


def test_game_on_a_graph_is_drawn_as_discs(client, new_game, move):
    text = (
        'sapper: game 1\nboard: {"cells": ["a", "b", "<c>"], "edges": [["a", "b"], ["b", "<c>"]]}\n'
    )
    game = new_game(text=text + "mines: 1\nrule: safe\nseed: 1\n")
    board = client.get(game["board"]).json()
    assert board["names"] == ["a", "b", "<c>"]
    assert board["edges"] == [[0, 1], [1, 2]]
    assert 0 in move(game, "reveal", 0)["cells"]


def test_shared_layout_and_shared_game_can_be_opened(client, new_game, move):
    game = new_game(size="9x9/10", tiling="torus", rule="safe", seed="5")
    move(game, "flag", 80)
    move(game, "reveal", 0)
    shared = client.get(f"/api/games/{game['id']}/share").json()
    assert shared["layout"] == "#/play?size=9x9/10&tiling=torus&rule=safe&seed=5"
    copy = new_game(token=shared["game"].removeprefix("#/play?game="))
    assert copy["marks"] == client.get(f"/api/games/{game['id']}").json()["marks"]
    assert copy["state"]["repeated"] is True
    assert new_game(text=shared["text"])["marks"] == copy["marks"]
    assert Position.parse(shared["position"]).marks.tolist() == copy["marks"]
    assert Session.load(shared["text"]).position == Position.parse(shared["position"])


def test_given_layout_is_part_of_its_link(client, new_game, move):
    game = new_game(text=CORNER)
    move(game, "reveal", 2)
    shared = client.get(f"/api/games/{game['id']}/share").json()
    copy = new_game(token=shared["layout"].removeprefix("#/play?game="))
    assert copy["marks"] == [-1] * 6
    assert move(copy, "reveal", 0)["state"]["outcome"] == "lost"


def test_games_in_progress_are_listed_first_and_games_without_a_move_not(client, new_game, move):
    older, lost, newer, _ = (new_game(text=CORNER) for _ in range(4))
    move(older, "flag", 1)
    move(newer, "flag", 1)
    move(lost, "reveal", 0)
    assert [(row["id"], row["finished"]) for row in client.get("/api/games").json()["games"]] == [
        (newer["id"], False),
        (older["id"], False),
        (lost["id"], True),
    ]


def test_games_beyond_the_memory_limit_are_loaded_from_disk(client, new_game, move, monkeypatch):
    monkeypatch.setattr(limits, "MAX_WEIGHT_IN_MEMORY", 150)  # one game on Beginner
    client.app.state.games = Games(client.app.state.games.store)
    games = [new_game(size="beginner", seed=str(seed)) for seed in range(4)]
    for game in games:
        move(game, "reveal", 40)
    loaded = []
    load = Store.game
    monkeypatch.setattr(Store, "game", lambda store, game: loaded.append(game) or load(store, game))
    for game in games:
        assert client.get(f"/api/games/{game['id']}").json()["state"]["clicks"] == 1
    assert loaded == [game["id"] for game in games]


def test_answers_in_play_do_not_depend_on_hidden_mines(client, new_game):
    """Two layouts that look the same so far get the same answers, byte for byte."""
    # From r1c4 both show a single 1.
    responses = []
    for text in ("*.*.\n....", ".**.\n...."):
        game = new_game(text=text)
        answer = client.post(
            f"/api/games/{game['id']}/moves", json={"action": "reveal", "cell": 3}
        ).json()
        state = client.get(f"/api/games/{game['id']}").json()
        for data in (answer["state"], state["state"]):
            del data["milliseconds"]
        del state["id"], state["board"]
        responses.append(json.dumps([answer, state]))
    assert responses[0] == responses[1]


def test_only_the_first_game_with_a_move_on_a_layout_counts(client, new_game, move):
    one, two = (new_game(size="4x1/1", rule="any", seed=3) for _ in range(2))
    assert not move(two, "flag", 0)["state"]["repeated"]
    assert move(one, "flag", 0)["state"]["repeated"]
    move(one, "undo")
    for cell in range(4):  # the game ends before the last one, won or lost
        client.post(f"/api/games/{one['id']}/moves", json={"action": "reveal", "cell": cell})
    statistics = client.get("/api/statistics").json()
    assert statistics["results"] == 1
    assert statistics["summaries"] == []
