"""No-guess games: generating, sharing, loading, and the warning before an avoidable risk."""

import pytest
from tests.unit.web.features.test_web_watch import watch_to_the_end

from sapper.board.layout import Layout
from sapper.board.rules import Rules
from sapper.board.tilings import tiling
from sapper.errors import OutOfBudget
from sapper.games.setup import GameSetup
from sapper.generators.grading import grade
from sapper.generators.layouts import LAYOUT_GENERATORS, generate
from sapper.web.live_games import Games


def test_menu_offers_every_generator(client):
    assert list(client.get("/api/menu").json()["generators"]) == list(LAYOUT_GENERATORS)


@pytest.mark.parametrize("generator", [name for name in LAYOUT_GENERATORS if name != "plain"])
def test_first_click_generates_a_no_guess_board(client, new_game, move, generator):
    game = new_game(size="beginner", generator=generator, seed="5")
    assert (game["generator"], game["title"]) == (generator, "Beginner, no guessing")
    first = move(game, "reveal", 40)
    assert first["state"]["outcome"] == "playing"
    text = client.get(f"/api/games/{game['id']}/share").json()["text"]
    assert f"generator: {generator}" in text
    again = client.post("/api/games", json={"text": text}).json()
    marks = client.get(f"/api/games/{game['id']}").json()["marks"]
    assert (again["generator"], again["marks"]) == (generator, marks)


def test_layout_is_that_of_the_seed_and_the_first_click(client, new_game, move):
    game = new_game(size="expert", generator="no-guess", seed="8")
    move(game, "reveal", 0)
    layout = generate("expert", 8, first=0, no_guess=True).layout
    assert grade(layout).guesses == 0
    mine = int(layout.mine_mask.argmax())
    lost = move(game, "reveal", mine)
    assert lost["state"]["outcome"] == "lost"
    mines = client.get(f"/api/games/{game['id']}/mines").json()["mines"]
    assert mines == [cell for cell in range(480) if layout.mine_mask[cell]]


def test_cancelled_first_click_ends_the_search_and_changes_nothing(run_with_store, cancelled):
    async def click_and_cancel(store):
        games = Games(store)
        # With this many mines no search finds a no-guess board in time.
        live = await games.new("ann", GameSetup(Rules.parse("30x16/260"), 1, "no-guess"))
        with pytest.raises(OutOfBudget, match="no such board") as error:
            await games.act("ann", live.row.id, "reveal r8c8", 0, cancelled)
        assert "cancelled" in str(error.value.__cause__)
        assert (live.session.log, live.session.game.layout) == ([], None)
        _, changed = await games.act("ann", live.row.id, "flag r1c1", 0)
        assert changed.tolist() == [0]

    run_with_store(click_and_cancel)


def test_saved_no_guess_game_can_be_analysed(client, new_game, move):
    game = new_game(size="9x9/10", generator="no-guess-two", seed="2")
    move(game, "reveal", 40)
    text = client.get(f"/api/games/{game['id']}/share").json()["text"]
    response = client.post("/api/position", json={"text": text})
    assert response.status_code == 200, response.text
    assert response.json()["marks"] == client.get(f"/api/games/{game['id']}").json()["marks"]


def test_avoidable_risk_is_reported_and_counted(client, new_game, move):
    game = new_game(size="9x9/10", generator="no-guess", seed="2")
    board = tiling("square", 9, 9)

    def check_reveal(cell):
        answer = client.post(f"/api/games/{game['id']}/justified", json={"cell": cell})
        assert answer.status_code == 200, answer.text
        return answer.json()

    assert check_reveal(40) == {"justified": True, "state": {"hints": 0, "helped": False}, "at": 0}
    move(game, "reveal", 40)
    layout = generate(Rules(board, 10, "zero"), 2, first=40, no_guess=True).layout
    marks = client.get(f"/api/games/{game['id']}").json()["marks"]
    mine = next(cell for cell in range(81) if layout.mine_mask[cell] and marks[cell] < 0)
    answer = check_reveal(mine)
    assert answer["justified"] is False
    assert answer["state"] == {"hints": 1, "helped": True}
    assert check_reveal(mine)["state"]["hints"] == 1
    probabilities = client.post(f"/api/games/{game['id']}/probabilities", json={}).json()
    assert check_reveal(probabilities["safe"][0])["justified"] is True


def test_every_reveal_is_justified_where_nothing_is_certain(client, move):
    layout = Layout.parse("*.\n.c")
    game = client.post("/api/games", json={"text": str(layout)}).json()
    move(game, "reveal", 3)
    answer = client.post(f"/api/games/{game['id']}/justified", json={"cell": 0}).json()
    assert answer["justified"] is True


def test_chord_on_a_guessed_flag_is_not_justified(client, move):
    # r1c1 and r2c1 show 1: r3c1 and r3c2 are certain, r1c2 and r2c2 are not.
    game = client.post("/api/games", json={"text": ".*.\n...\n..*"}).json()

    def is_justified(cell):
        response = client.post(f"/api/games/{game['id']}/justified", json={"cell": cell})
        return response.json()["justified"]

    for action, cell in (("reveal", 0), ("reveal", 3), ("flag", 1)):
        move(game, action, cell)
    assert not is_justified(0)
    move(game, "flag", 4)
    assert is_justified(3)


def test_first_click_of_a_no_guess_board_is_safe(new_game, client):
    for generator, certain in (("plain", False), ("no-guess", True)):
        game = new_game(size="9x9/10", rule="any", generator=generator)
        answer = client.post(f"/api/games/{game['id']}/hint", json={"detail": 1}).json()
        assert answer["certain"] is certain


def test_watched_game_uses_the_chosen_generator(client):
    request = {"size": "9x9/12", "generator": "no-guess-two", "seed": "3", "name": "exact"}
    watched = client.post("/api/watch", json=request).json()
    assert watched["generator"] == "no-guess-two"
    _, end = watch_to_the_end(client, watched)
    assert end["outcome"] == "won"


def test_link_has_the_generator(client, new_game):
    game = new_game(size="5x5/14", rule="safe", seed="3", generator="no-guess")
    assert "generator=no-guess" in client.get(f"/api/games/{game['id']}/share").text
