"""Help in a game: each degree tells what it may and no more, and all of it is counted."""

import pytest
from sapper.web.server.analyses import AnalysisCache
from tests.analyse_command import probabilities_of

from sapper.board.tilings import TILINGS

ABOVE = {
    1: ("difficulty", "numbers", "moves", "play"),
    2: ("moves", "play"),
    3: ("play",),
    4: (),
}


def ask(client, game, what, **data):
    answer = client.post(f"/api/games/{game['id']}/{what}", json=data)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.fixture
def expert(new_game, move):
    game = new_game(size="expert", seed="3")
    move(game, "reveal", 235)
    return game


@pytest.mark.parametrize("detail", [1, 2, 3, 4])
def test_a_degree_tells_what_it_may_and_no_more(client, expert, detail):
    told = ask(client, expert, "hint", detail=detail)
    assert told["certain"]
    assert told["look"]
    assert all(not told[key] for key in ABOVE[detail])
    assert (detail < 3) != ("so r1c22 is free" in told["text"])
    if detail == 4:
        assert told["play"] == [{"action": "reveal", "cell": 21}]


def test_hints_are_counted_once_for_each_degree_and_kept_on_disk(client, expert, folder):
    for detail in (1, 2, 2, 1, 3):
        state = ask(client, expert, "hint", detail=detail)["state"]
    assert state == {"hints": 3, "helped": True}
    for _ in range(2):
        state = ask(client, expert, "probabilities")["state"]
    assert state["hints"] == 4
    assert client.get(f"/api/games/{expert['id']}").json()["state"]["hints"] == 4
    assert "hint" in client.get(f"/api/games/{expert['id']}/share").json()["text"]


def test_a_hint_does_not_stand_in_the_way_of_a_move(client, expert, move):
    ask(client, expert, "hint", detail=1)
    ask(client, expert, "probabilities")
    state = move(expert, "reveal", 21, after=1)["state"]
    assert (state["events"], state["hints"]) == (2, 2)
    assert ask(client, expert, "hint", detail=1)["state"]["hints"] == 3


@pytest.mark.parametrize("tiling", TILINGS)
def test_the_probabilities_are_those_of_the_command(client, new_game, move, tiling):
    game = new_game(size="9x9/12", tiling=tiling, seed="5")
    move(game, "reveal", 40)
    marks = client.get(f"/api/games/{game['id']}").json()["marks"]
    move(game, "flag", marks.index(-1))
    position = client.get(f"/api/games/{game['id']}/share").json()["position"]
    told = probabilities_of(position, "--values")
    found = ask(client, game, "probabilities")
    assert found["probabilities"] == list(told["probabilities"].values())
    assert len(found["reveal"]) == len(told["reveal"])
    assert len(found["flag"]) == len(told["flag"])
    cell = found["cells"][-1]
    values = ask(client, game, "values", cell=cell)["values"]
    assert values == list(told["values"].values())[-1]


def test_nothing_certain_is_said_with_the_best_guess_and_its_risk(client, new_game, move):
    game = new_game(text="*.\n..")
    move(game, "reveal", 3)
    assert ask(client, game, "hint", detail=3)["moves"] == []
    told = ask(client, game, "hint", detail=4)
    assert not told["certain"]
    assert told["text"].startswith(
        "No covered cell is certainly free. The best guess is a mine with probabilities"
    )
    assert told["probabilities"] == pytest.approx(1 / 3)
    assert [move["action"] for move in told["moves"]] == ["reveal"]
    assert ask(client, game, "hint", detail=1)["moves"] == []


def test_before_the_first_click_its_promise_is_told_and_nothing_counted(client, new_game):
    game = new_game(size="beginner", rule="safe")
    told = ask(client, game, "hint", detail=1)
    assert "the first click is not a mine" in told["text"]
    assert ask(client, game, "probabilities")["probabilities"] == []
    assert ask(client, game, "values", cell=0)["values"] is None
    assert told["state"] == {"hints": 0, "helped": False}


@pytest.mark.parametrize(
    ("what", "data", "status"),
    [
        ("hint", {}, 400),
        ("hint", {"detail": 0}, 400),
        ("hint", {"detail": 5}, 400),
        ("hint", {"detail": True}, 400),
        ("hint", {"detail": "1"}, 400),
        ("values", {}, 400),
        ("values", {"cell": -1}, 400),
        ("values", {"cell": 10**9}, 400),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(client, expert, what, data, status):
    answer = client.post(f"/api/games/{expert['id']}/{what}", json=data)
    assert answer.status_code == status
    assert answer.json()["error"].startswith("expected")


def test_there_is_no_help_after_the_end(client, new_game, move):
    game = new_game(text="*.\n..")
    move(game, "reveal", 0)
    answer = client.post(f"/api/games/{game['id']}/hint", json={"detail": 1})
    assert answer.status_code == 422
    assert answer.json() == {"error": "cannot help: the game is lost"}


def test_the_menu_has_the_degrees_of_the_table(client):
    assert client.get("/api/menu").json()["hint_details"] == [
        "where to look",
        "which numbers",
        "what follows",
        "do it",
    ]


def test_what_simple_rules_give_is_shown_where_the_probabilities_take_too_long(
    client, new_game, move, monkeypatch
):
    game = new_game(size="9x9/10", seed="5")
    move(game, "reveal", 40)
    whole = ask(client, game, "probabilities")
    assert not whole["partial"]
    monkeypatch.setattr(AnalysisCache, "of", too_late)
    late = ask(client, game, "probabilities")
    assert late["partial"]
    assert late["reveal"] and set(late["reveal"]) <= set(whole["reveal"])
    assert late["flag"] and set(late["flag"]) <= set(whole["flag"])
    assert late["probabilities"] == [float(cell in late["flag"]) for cell in late["cells"]]


def too_late(self, position, trust, limit):
    raise limit.error()
