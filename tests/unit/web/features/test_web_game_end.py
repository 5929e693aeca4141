"""The end of a game: comparison with other games, and the move that lost it."""

import pytest

# The mine is in the corner: cell 2 opens all but cells 0 and 3.
CORNER = "*..\n..."


def end_of(client, game):
    response = client.get(f"/api/games/{game['id']}/end")
    assert response.status_code == 200, response.text
    return response.json()


def test_game_in_progress_has_no_end(client, new_game):
    response = client.get(f"/api/games/{new_game(text=CORNER)['id']}/end")
    assert response.status_code == 422
    assert response.json()["error"] == "the game is not over"


def test_win_is_compared_with_its_category(client, new_game, move):
    layouts = ("*..\n...", "..*\n...", "...\n*..")
    seen = []
    for layout in layouts:
        game = new_game(text=layout)
        mine = layout.replace("\n", "").index("*")
        for cell in (cell for cell in range(6) if cell != mine):
            if client.get(f"/api/games/{game['id']}").json()["marks"][cell] == -1:
                state = move(game, "reveal", cell)["state"]
        assert state["outcome"] == "won"
        seen.append((end_of(client, game), state["milliseconds"]))
    assert [end["record"]["streak"] for end, _ in seen] == [1, 2, 3]
    assert [end["fatal"] for end, _ in seen] == [None, None, None]
    assert seen[0][0]["record"]["best_milliseconds"] is None
    assert seen[2][0]["record"]["best_milliseconds"] == min(seen[0][1], seen[1][1])

    lost = new_game(text="...\n..*")
    move(lost, "reveal", 5)
    record = end_of(client, lost)["record"]
    assert (record["streak"], record["streak_before"], record["best_streak"]) == (0, 3, 3)
    assert record["counts"]


def test_second_game_on_a_layout_does_not_count_for_records(client, new_game, move):
    for counts in (True, False):
        game = new_game(text=CORNER)
        move(game, "reveal", 0)
        assert end_of(client, game)["record"]["counts"] is counts


def test_loss_has_the_fatal_move_its_risk_and_the_safest_cells(client, new_game, move):
    # r1c2 shows 1: the mine is r1c1 or r1c3, so r1c4, r1c5 and r1c6 were certainly safe.
    game = new_game(text="*.....")
    move(game, "reveal", 1)
    move(game, "reveal", 0)
    fatal = end_of(client, game)["fatal"]
    assert fatal == {
        "action": "reveal",
        "cell": 0,
        "class": "mistake",
        "risk": pytest.approx(0.5),
        "least_risk": 0.0,
        "safest": [3, 4, 5],
    }
    move(game, "undo")
    move(game, "flag", 2)
    move(game, "chord", 1)  # the flag is wrong: the same risk, by a chord
    fatal = end_of(client, game)["fatal"]
    assert (fatal["action"], fatal["cell"]) == ("chord", 1)
    assert fatal["risk"] == pytest.approx(0.5)


def test_risk_takes_earlier_exploded_mines_as_known(client, new_game, move):
    # The 1 at r1c2 has its mine at r1c1: r1c3 was safe, and one of the other four is a mine.
    game = new_game(text="*.....*")
    for action, cell in (("reveal", 1), ("reveal", 0), ("continue", None), ("reveal", 6)):
        move(game, action, cell)
    fatal = end_of(client, game)["fatal"]
    assert (fatal["risk"], fatal["safest"]) == (pytest.approx(0.25), [2])
