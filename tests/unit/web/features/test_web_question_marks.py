"""Question marks are kept beside a game, wherever it is opened."""

import pytest
from starlette.testclient import TestClient

from sapper.web.app import create_app
from sapper.web.play.question_marks import MAX_GAMES, question_marks_of, with_question_marks


def test_doubts_are_there_again_after_a_restart(client, new_game, folder):
    game = new_game(size="5x4/2", seed="1")
    assert game["question_marks"] == []
    path = f"/api/games/{game['id']}"
    assert client.post(f"{path}/doubts", json={"cells": [3, 7, 3]}).json() == {}
    assert client.get(path).json()["question_marks"] == [3, 7]
    with TestClient(create_app(folder), base_url="http://127.0.0.1") as later:
        assert later.post(f"{path}/resume", json={}).json()["question_marks"] == [3, 7]
        later.post(f"{path}/doubts", json={"cells": []})
        assert later.get(path).json()["question_marks"] == []


@pytest.mark.parametrize("cells", [[20], [-1], ["r1c1"], [True], 3, None, [0] * 501])
def test_cells_that_are_none_are_refused(client, new_game, cells):
    game = new_game(size="5x4/2")
    answer = client.post(f"/api/games/{game['id']}/doubts", json={"cells": cells})
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("expected")


def test_the_games_that_had_doubts_longest_ago_make_room(new_game, client):
    document = None
    for number in range(MAX_GAMES + 1):
        document = with_question_marks(document, str(number), [number])
    assert next(iter(document)) == "1" and len(document) == MAX_GAMES
    assert "7" not in with_question_marks(document, "7", [])


def test_what_a_board_has_not_is_left_out():
    from sapper.board.tilings import tiling

    assert question_marks_of({"a": [1, 5]}, "a", tiling("square", 2, 2)) == (1,)
