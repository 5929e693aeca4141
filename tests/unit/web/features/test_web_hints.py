"""Help in a game: each detail reveals its part and no more, and all help is counted."""

import pytest
from tests.analyse_command import probabilities_of

from sapper.web.features import hints

# What a hint of each detail must not contain yet.
NOT_YET = {1: ("difficulty", "numbers", "moves"), 2: ("moves",), 3: (), 4: ()}


def ask(client, game, what, **data):
    answer = client.post(f"/api/games/{game['id']}/{what}", json=data)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture
def expert(new_game, move):
    game = new_game(size="expert", seed="3")
    move(game, "reveal", 235)
    return game


def test_hint_reveals_its_detail_and_no_more(client, expert):
    for detail, empty_keys in NOT_YET.items():
        hint = ask(client, expert, "hint", detail=detail)
        assert hint["certain"]
        assert hint["look"]
        assert all(not hint[key] for key in empty_keys)
        if detail >= 3:
            assert hint["moves"] == [{"action": "reveal", "cell": 21}]


def test_hints_are_counted_once_for_each_detail_and_stored(client, expert):
    for detail in (1, 2, 2, 1, 3):
        state = ask(client, expert, "hint", detail=detail)["state"]
    assert state == {"hints": 3, "helped": True}
    for _ in range(2):
        state = ask(client, expert, "probabilities")["state"]
    assert state["hints"] == 4
    assert client.get(f"/api/games/{expert['id']}").json()["state"]["hints"] == 4
    assert "hint" in client.get(f"/api/games/{expert['id']}/share").json()["text"]


def test_hint_is_not_a_conflict_for_the_next_move(client, expert, move):
    ask(client, expert, "hint", detail=1)
    ask(client, expert, "probabilities")
    state = move(expert, "reveal", 21, after=1)["state"]
    assert (state["events"], state["hints"]) == (2, 2)
    assert ask(client, expert, "hint", detail=1)["state"]["hints"] == 3


@pytest.mark.parametrize("tiling", ["square", "hexagonal"])
def test_probabilities_are_those_of_the_command(client, new_game, move, tiling):
    game = new_game(size="9x9/12", tiling=tiling, seed="5")
    move(game, "reveal", 40)
    marks = client.get(f"/api/games/{game['id']}").json()["marks"]
    move(game, "flag", marks.index(-1))
    position = client.get(f"/api/games/{game['id']}/share").json()["position"]
    expected = probabilities_of(position, "--values")
    found = ask(client, game, "probabilities")
    assert found["probabilities"] == list(expected["probabilities"].values())
    assert len(found["safe"]) == len(expected["safe"])
    assert len(found["certain_mines"]) == len(expected["certain_mines"])
    cell = found["cells"][-1]
    values = ask(client, game, "values", cell=cell)["values"]
    assert values == list(expected["values"].values())[-1]


def test_hint_is_the_best_guess_with_its_risk_where_nothing_is_certain(client, new_game, move):
    game = new_game(text="*.\n..")
    move(game, "reveal", 3)
    assert ask(client, game, "hint", detail=3)["moves"] == []
    hint = ask(client, game, "hint", detail=4)
    assert not hint["certain"]
    assert hint["risk"] == pytest.approx(1 / 3)
    assert [move["action"] for move in hint["moves"]] == ["reveal"]
    assert ask(client, game, "hint", detail=1)["moves"] == []
    guess = ask(client, game, "probabilities")["guess"]
    assert guess["risk"] == pytest.approx(1 / 3)
    move(game, "flag", guess["cell"])
    assert ask(client, game, "probabilities")["guess"] is None


def test_before_the_first_click_only_its_rule_is_known_and_nothing_counts(client, new_game):
    game = new_game(size="beginner", rule="safe")
    hint = ask(client, game, "hint", detail=1)
    assert "the first click is not a mine" in hint["text"]
    assert ask(client, game, "probabilities")["probabilities"] == []
    assert ask(client, game, "values", cell=0)["values"] is None
    assert hint["state"] == {"hints": 0, "helped": False}


def test_bad_request_is_400_with_one_line(client, expert):
    hint = [("hint", data) for data in ({}, {"detail": 0}, {"detail": 5}, {"detail": True})]
    values = [("values", data) for data in ({}, {"cell": -1}, {"cell": 10**9})]
    for what, data in (*hint, *values):
        answer = client.post(f"/api/games/{expert['id']}/{what}", json=data)
        assert answer.status_code == 400, (what, data)
        assert "\n" not in answer.json()["error"]


def test_hint_after_the_end_is_refused(client, new_game, move):
    game = new_game(text="*.\n..")
    move(game, "reveal", 0)
    answer = client.post(f"/api/games/{game['id']}/hint", json={"detail": 1})
    assert answer.status_code == 422
    assert answer.json() == {"error": "cannot help: the game is lost"}


def test_menu_lists_the_details(client):
    assert len(client.get("/api/menu").json()["hint_details"]) == 4


def test_only_simple_certain_cells_are_shown_where_probabilities_take_too_long(
    client, new_game, move, monkeypatch
):
    game = new_game(size="9x9/10", seed="5")
    move(game, "reveal", 40)
    complete = ask(client, game, "probabilities")
    assert not complete["partial"]

    def out_of_time(position, trust_flags, limit):
        raise limit.error()

    monkeypatch.setattr(hints, "cached_analysis", out_of_time)
    partial = ask(client, game, "probabilities")
    assert partial["partial"]
    for key in ("safe", "certain_mines"):
        assert partial[key] and set(partial[key]) <= set(complete[key])
    mines = partial["certain_mines"]
    assert partial["probabilities"] == [float(cell in mines) for cell in partial["cells"]]
