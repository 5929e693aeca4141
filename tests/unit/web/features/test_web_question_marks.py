"""Question marks are stored beside a game."""

from starlette.testclient import TestClient

from sapper.board.tilings import tiling
from sapper.web.app import create_app
from sapper.web.live_games import MAX_MARKED_GAMES, question_marks_of, with_question_marks


def test_question_marks_survive_a_restart(client, new_game, server_folder):
    game = new_game(size="5x4/2", seed="1")
    assert game["question_marks"] == []
    path = f"/api/games/{game['id']}"
    assert client.post(f"{path}/question-marks", json={"cells": [3, 7, 3]}).json() == {}
    assert client.get(path).json()["question_marks"] == [3, 7]
    with TestClient(create_app(server_folder), base_url="http://127.0.0.1") as later:
        assert later.post(f"{path}/resume", json={}).json()["question_marks"] == [3, 7]
        later.post(f"{path}/question-marks", json={"cells": []})
        assert later.get(path).json()["question_marks"] == []


def test_bad_cells_are_rejected(client, new_game):
    game = new_game(size="5x4/2")
    for cells in ([20], [-1], ["r1c1"], 3, [0] * 501):
        response = client.post(f"/api/games/{game['id']}/question-marks", json={"cells": cells})
        assert response.status_code == 400, cells


def test_oldest_of_too_many_games_is_dropped():
    document = None
    for number in range(MAX_MARKED_GAMES + 1):
        document = with_question_marks(document, str(number), [number])
    assert next(iter(document)) == "1" and len(document) == MAX_MARKED_GAMES
    assert "7" not in with_question_marks(document, "7", [])


def test_cells_beyond_the_board_are_ignored():
    assert question_marks_of({"a": [1, 5]}, "a", tiling("square", 2, 2)) == (1,)
