"""Reviews: a game move by move, luck over all results, dropped files."""

from pathlib import Path

import numpy as np
import pytest
from tests.sessions import random_session

from sapper import Layout, OutOfBudget, review
from sapper.formats.registry import convert
from sapper.games.review import LuckStatistics
from sapper.games.win_review import win_review
from sapper.serialize.games import load_session, load_sessions
from sapper.web.features import analyse
from sapper.web.features import review as routes

CORNER = "*..\n..."
WON = "sapper: game 1\nboard: square 3x1\nlayout: r1c1\n\n0.000 reveal r1c3\n"


def open_file(client, data):
    return client.post("/api/files", json={"hex": data.hex()})


def lose(new_game, move, text=CORNER):
    game = new_game(text=text)
    assert move(game, "reveal", 0)["state"]["outcome"] == "lost"
    return game


@pytest.mark.parametrize("seed", [3, 5])
def test_review_equals_that_of_the_library(client, seed):
    session = random_session(seed)
    go = open_file(client, session.save().encode()).json()["go"]
    expected, answer = review(session), client.get(f"/api/games/{go.split('/')[2]}/review").json()
    marks = np.full(len(session.game.board), -1)
    for move, shown in zip(expected.moves, answer["moves"], strict=True):
        marks[shown["cells"]] = shown["marks"]
        assert marks.tolist() == move.position.marks.tolist()
        assert (shown["action"], shown["cell"]) == (move.move.action, move.move.cell)
        assert (shown["class"], shown["risk"], shown["luck"]) == (
            move.move_class,
            move.risk,
            move.luck,
        )
    marks[answer["end"]["cells"]] = answer["end"]["marks"]
    assert marks.tolist() == session.position.marks.tolist()
    assert answer["end"]["mines"] == session.game.layout.mine_cells.tolist()
    assert (answer["luck"], answer["accuracy"]) == (expected.luck, expected.accuracy)
    assert answer["uniform"] is True
    assert [cell["cell"] for cell in answer["missed"]] == [cell.cell for cell in expected.missed]


def test_win_chances_of_a_review_equal_those_of_the_library(client):
    session = random_session(5)
    go = open_file(client, session.save().encode()).json()["go"]
    expected = win_review(review(session)).moves
    answer = client.get(f"/api/games/{go.split('/')[2]}/review/win-chance").json()
    assert [move["win_cost"] for move in answer["moves"]] == [move.cost for move in expected]
    assert [move["severity"] for move in answer["moves"]] == [move.severity for move in expected]
    assert answer["win_luck"] - answer["win_cost"] == pytest.approx(answer["end"] - answer["start"])


def test_review_of_a_game_in_progress_counts_as_help_and_hides_the_mines(client, new_game, move):
    game = new_game(size="beginner", seed="1")
    move(game, "reveal", 40)
    answer = client.get(f"/api/games/{game['id']}/review").json()
    assert len(answer["moves"]) == 1 and answer["end"]["mines"] is None
    assert answer["outcome"] == "playing"
    state = client.get(f"/api/games/{game['id']}").json()["state"]
    assert state["helped"] and state["hints"] == 1


def test_layout_of_a_reviewed_no_guess_board_is_not_uniform(client, new_game, move):
    game = new_game(size="5x5/4", generator="no-guess", seed="1")
    move(game, "reveal", 12)
    assert client.get(f"/api/games/{game['id']}/review").json()["uniform"] is False


def test_game_without_moves_has_an_empty_review_and_no_help(client, new_game):
    game = new_game(size="beginner", seed="1")
    answer = client.get(f"/api/games/{game['id']}/review").json()
    assert answer["moves"] == [] and answer["accuracy"] is None
    assert not client.get(f"/api/games/{game['id']}").json()["state"]["helped"]
    assert client.get("/api/games/nothing/review").status_code == 404


def test_finished_games_are_listed_with_known_figures(client, new_game, move):
    new_game(size="beginner", seed="1")
    game = lose(new_game, move)
    [row] = client.get("/api/reviews").json()["games"]
    assert (row["id"], row["outcome"], row["luck"]) == (game["id"], "lost", None)
    found = client.get(f"/api/games/{game['id']}/review").json()
    [row] = client.get("/api/reviews").json()["games"]
    assert row["luck"] == pytest.approx(found["luck"], abs=1e-5) and row["accuracy"] == 1


def test_luck_is_the_sum_of_all_games_each_reviewed_once(client, new_game, move, monkeypatch):
    games = [lose(new_game, move, text) for text in (CORNER, "*.\n..", "*..*")]
    lose(new_game, move)  # a repeated layout does not count
    monkeypatch.setattr(routes, "MAX_REVIEWS_PER_REQUEST", 2)
    first = client.get("/api/statistics/luck").json()
    assert len(first["games"]) == 2 and first["remaining"] == 1
    monkeypatch.setattr(routes, "MAX_REVIEWS_PER_REQUEST", 20)
    reviewed = []
    monkeypatch.setattr(routes, "review", lambda *a, **k: reviewed.append(1) or review(*a, **k))
    complete = client.get("/api/statistics/luck").json()
    assert complete["remaining"] == 0 and len(reviewed) == 1
    assert [point["id"] for point in complete["games"]] == [game["id"] for game in games]
    texts = [client.get(f"/api/games/{game['id']}/share").json()["text"] for game in games]
    expected = LuckStatistics.of(review(load_session(text)) for text in texts)
    assert complete["luck"] == pytest.approx(expected.luck, abs=1e-5)
    assert complete["error"] == pytest.approx(expected.error, abs=1e-5)
    client.get("/api/statistics/luck")
    assert len(reviewed) == 1


def test_moves_after_a_loss_change_no_figure(client, new_game, move):
    game = lose(new_game, move)
    before = client.get("/api/statistics/luck").json()
    move(game, "undo")
    move(game, "reveal", 2)
    client.get(f"/api/games/{game['id']}/review")
    after = client.get("/api/statistics/luck").json()
    assert (after["luck"], after["accuracy"]) == (before["luck"], before["accuracy"])


def test_game_beyond_the_budget_is_not_reviewed_again(client, new_game, move, monkeypatch):
    def too_long(*given, **options):
        raise OutOfBudget("too long")

    lose(new_game, move)
    monkeypatch.setattr(routes, "review", too_long)
    answer = client.get("/api/statistics/luck").json()
    assert answer["games"] == [] and answer["remaining"] == 0 and answer["accuracy"] is None
    monkeypatch.setattr(routes, "review", None)  # a second call would fail
    assert client.get("/api/statistics/luck").json()["games"] == []


REPLAYS = Path(__file__).parents[3] / "data" / "replays"


def test_opened_replay_is_reviewed(client):
    pytest.importorskip("ms_toollib")
    response = open_file(client, (REPLAYS / "guess.avf").read_bytes())
    view, game = response.json()["go"].removeprefix("#/").split("/")
    assert (response.status_code, view) == (201, "review")
    moves = client.get(f"/api/games/{game}/review").json()["moves"]
    assert [move["cell"] for move in moves] == [0, 4] and moves[0]["class"] == "certain"


@pytest.mark.parametrize(
    ("data", "view"),
    [
        (WON.encode(), "review"),
        (b"sapper: game 1\nboard: square 9x9\nmines: 9\nseed: 1\n", "play"),
        (b"*..\n..c", "play"),
        (bytes.fromhex(convert(Layout.parse("*..\n..."), "mbf")), "play"),
        (b"mines: 1\n1##", "analyse?position="),
        (b"?board=4x3x3&analysis=aeadaaadS2cSlblUl", "analyse?position="),
    ],
)
def test_file_opens_in_its_view(client, data, view):
    answer = open_file(client, data).json()
    assert answer["go"].startswith(f"#/{view}")
    assert (answer["text"] is None) == (not view.startswith("analyse"))


def test_position_too_long_for_a_link_is_sent_as_text(client, monkeypatch):
    link = open_file(client, b"1##").json()["go"]
    length = len(link.partition("position=")[2])
    monkeypatch.setattr(analyse, "MAX_LINK_LENGTH", length)
    assert open_file(client, b"1##").json()["go"] == link
    monkeypatch.setattr(analyse, "MAX_LINK_LENGTH", length - 1)
    assert open_file(client, b"1##").json() == {"go": "#/analyse", "text": "1##\n"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"*rmv" + bytes(80), "cannot read this rmv replay: the file is damaged"),
        (b"\0\1\2", "expected text, a board or a replay, got 3 bytes of other data"),
        (b"\xff\xfe\xfd", "expected UTF-8 text, got byte 0"),
        (b"hello", "expected one of"),
        (b'{"format": "sapper profile 1"}', "got profile: import it under Profile"),
        (b"", "expected"),
        (b"sapper: game 1\nboard: square 999x999\nmines: 9\nseed: 1\n", "expected at most 20,000"),
    ],
)
def test_bad_file_is_400_with_a_one_line_error(client, data, message):
    response = open_file(client, data)
    line = response.json()["error"]
    assert response.status_code == 400 and message in line and "\n" not in line


def test_bad_hex_is_rejected(client):
    for wrong in ({"hex": "0"}, {"hex": 7}, {"hex": "zz"}, {}):
        assert client.post("/api/files", json=wrong).status_code == 400


def test_hex_digits_of_a_replay_are_read(client, new_game):
    pytest.importorskip("ms_toollib")
    digits = (REPLAYS / "guess.rmv").read_bytes().hex()
    lines = "\n".join(digits[k : k + 60] for k in range(0, len(digits), 60))
    for text in (digits, lines):
        position = client.post("/api/position", json={"text": text}).json()
        assert position["size"] == [5, 4] and position["mines"] == 3
        assert new_game(text=text)["marks"] == position["marks"]
    broken = client.post("/api/position", json={"text": digits[:-60]})
    assert broken.status_code == 400 and "cannot read this rmv replay" in broken.json()["error"]


GRAPH = '{"edges": [["a","b"],["b","c"],["c","d"],["d","e"],["e","a"],["a","c"]]}'


@pytest.mark.parametrize(("board", "first"), [("hexagonal 5x5", "r3c3"), (GRAPH, "a")])
def test_review_of_any_board_gives_positions_that_can_be_analysed(client, board, first):
    text = (
        f"sapper: game 1\nboard: {board}\nmines: 1\nrule: safe\nseed: 3\n\n0.000 reveal {first}\n"
    )
    game = open_file(client, text.encode()).json()["go"].split("/")[2]
    found = client.get(f"/api/games/{game}/review").json()
    [move] = found["moves"]
    marks = [-1] * len(load_session(text).game.board)
    position = {"board": found["board_text"], "marks": marks, "mines": found["mines"]}
    response = client.post("/api/analysis", json=position)
    assert response.status_code == 200 and len(response.json()["probabilities"]) == len(marks)
    assert move["class"] == "certain"


def test_command_reads_the_profile_that_the_page_exports(client, new_game, move):
    games = [lose(new_game, move, text) for text in (CORNER, "*.\n..")]
    lose(new_game, move)  # a repeated layout does not count
    new_game(size="beginner", seed="1")
    sessions = load_sessions(client.get("/api/profile/export").text)
    reviews = [review(session) for _, session in sessions]
    assert len(reviews) == len(games)
    luck = client.get("/api/statistics/luck").json()["luck"]
    assert LuckStatistics.of(reviews).luck == pytest.approx(luck, abs=1e-5)


def test_finished_game_that_is_opened_twice_is_one_game(client):
    first, again = (open_file(client, WON.encode()).json()["go"] for _ in range(2))
    other = open_file(client, WON.replace("0.000", "0.001").encode()).json()["go"]
    assert first == again != other
    assert len(client.get("/api/reviews").json()["games"]) == 2
    unfinished = b"sapper: game 1\nboard: square 9x9\nmines: 9\nseed: 1\n\n0.000 reveal r5c5\n"
    assert open_file(client, unfinished).json() != open_file(client, unfinished).json()


def test_opened_game_has_figures_but_no_result(client):
    game = open_file(client, random_session(5).save().encode()).json()["go"].split("/")[2]
    found = client.get(f"/api/games/{game}/review").json()
    [row] = client.get("/api/reviews").json()["games"]
    assert row["luck"] == pytest.approx(found["luck"], abs=1e-5)
    assert client.get("/api/statistics/luck").json()["games"] == []
