"""Hints and probabilities in a game: each detail shows its part only, and all help is counted."""

import pytest
from tests.analyse_command import probabilities_of

from sapper.proofs import prover, steps
from sapper.web.features import hints

# The keys that are still empty in a hint of each level of detail.
EMPTY_KEYS = {1: ("difficulty", "numbers", "moves"), 2: ("moves",), 3: (), 4: ()}


def post(client, game, action, **data):
    response = client.post(f"/api/games/{game['id']}/{action}", json=data)
    assert response.status_code == 200, response.text
    return response.json()


@pytest.fixture
def expert(new_game, move):
    game = new_game(size="expert", seed="3")
    move(game, "reveal", 235)
    return game


def test_hint_shows_its_detail_and_no_more(client, expert):
    for detail, empty_keys in EMPTY_KEYS.items():
        hint = post(client, expert, "hint", detail=detail)
        assert hint["certain"]
        assert hint["look"]
        assert all(not hint[key] for key in empty_keys)
        if detail >= 3:
            assert hint["moves"] == [{"action": "reveal", "cell": 21}]


def test_hints_are_counted_once_for_each_detail_and_stored(client, expert):
    for detail in (1, 2, 2, 1, 3):
        state = post(client, expert, "hint", detail=detail)["state"]
    assert state == {"hints": 3, "helped": True}
    for _ in range(2):
        state = post(client, expert, "probabilities")["state"]
    assert state["hints"] == 4
    assert client.get(f"/api/games/{expert['id']}").json()["state"]["hints"] == 4
    assert "hint" in client.get(f"/api/games/{expert['id']}/share").json()["text"]


def test_hint_does_not_make_the_next_move_conflict(client, expert, move):
    post(client, expert, "hint", detail=1)
    post(client, expert, "probabilities")
    state = move(expert, "reveal", 21, after=1)["state"]
    assert (state["events"], state["hints"]) == (2, 2)
    assert post(client, expert, "hint", detail=1)["state"]["hints"] == 3


def test_probabilities_equal_those_of_sapper_analyse(client, new_game, move):
    game = new_game(size="9x9/12", tiling="hexagonal", seed="5")
    move(game, "reveal", 40)
    before = post(client, game, "probabilities")
    risks = zip(before["cells"], before["probabilities"], strict=True)
    move(game, "flag", next(cell for cell, risk in risks if 0 < risk < 1))
    position = client.get(f"/api/games/{game['id']}/share").json()["position"]
    expected = probabilities_of(position, "--values")
    answer = post(client, game, "probabilities")
    assert answer["probabilities"] == list(expected["probabilities"].values())
    assert len(answer["safe"]) == len(expected["safe"])
    assert len(answer["certain_mines"]) == len(expected["certain_mines"])
    cell = answer["cells"][-1]
    values = post(client, game, "values", cell=cell)["values"]
    assert values == list(expected["values"].values())[-1]


def test_hint_is_the_best_guess_with_its_risk_if_nothing_is_certain(client, new_game, move):
    game = new_game(text="*.\n..")
    move(game, "reveal", 3)
    assert post(client, game, "hint", detail=3)["moves"] == []
    hint = post(client, game, "hint", detail=4)
    assert not hint["certain"]
    assert hint["risk"] == pytest.approx(1 / 3)
    assert [move["action"] for move in hint["moves"]] == ["reveal"]
    assert post(client, game, "hint", detail=1)["moves"] == []
    guess = post(client, game, "probabilities")["guess"]
    assert guess["risk"] == pytest.approx(1 / 3)
    move(game, "flag", guess["cell"])
    assert post(client, game, "probabilities")["guess"] is None


def test_hint_before_the_first_click_states_the_rule_and_is_not_counted(client, new_game):
    game = new_game(size="beginner", rule="safe")
    hint = post(client, game, "hint", detail=1)
    assert "the first click is not a mine" in hint["text"]
    assert post(client, game, "probabilities")["probabilities"] == []
    assert post(client, game, "values", cell=0)["values"] is None
    assert hint["state"] == {"hints": 0, "helped": False}


def test_bad_request_is_400_with_a_one_line_error(client, expert):
    hint = [("hint", data) for data in ({}, {"detail": 0}, {"detail": 5}, {"detail": True})]
    values = [("values", data) for data in ({}, {"cell": -1}, {"cell": 10**9})]
    for action, data in (*hint, *values):
        response = client.post(f"/api/games/{expert['id']}/{action}", json=data)
        assert response.status_code == 400, (action, data)
        assert "\n" not in response.json()["error"]


def test_hint_after_the_end_is_refused(client, new_game, move):
    game = new_game(text="*.\n..")
    move(game, "reveal", 0)
    response = client.post(f"/api/games/{game['id']}/hint", json={"detail": 1})
    assert response.status_code == 422
    assert response.json() == {"error": "no help is available: the game is lost"}


def test_menu_lists_the_four_hint_details(client):
    assert len(client.get("/api/menu").json()["hint_details"]) == 4


def test_position_beyond_the_budget_has_hints_of_one_number_but_no_probabilities(
    client, new_game, move, monkeypatch
):
    game = new_game(size="9x9/10", seed="5")
    move(game, "reveal", 40)

    def out_of_time(position, *args, budget, **options):
        raise budget.error()

    for module in (hints, steps, prover):
        monkeypatch.setattr(module, "analyse", out_of_time)
    response = client.post(f"/api/games/{game['id']}/probabilities", json={})
    assert response.status_code == 422
    assert "takes too long" in response.json()["error"]
    assert post(client, game, "hint", detail=3)["moves"]
