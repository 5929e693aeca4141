"""Training on the wire: answers judged and explained, ratings, history, the day's puzzle."""

from io import BytesIO

import pytest
from pypdf import PdfReader

from sapper.board.position import Position
from sapper.board.tilings import TILINGS
from sapper.generators.puzzles.make import puzzle as find_puzzle
from sapper.generators.puzzles.make import puzzle_rules

DAY = "2026-11-15"


@pytest.fixture
def ask(client):
    """Answer a puzzle, and get what the page gets."""

    def answer(puzzle, action, cell=None, **more):
        body = {"action": action, "cell": cell, "seconds": 4.2, **more}
        told = client.post(f"/api/puzzles/{puzzle}", json=body)
        assert told.status_code == 200, told.text
        return told.json()

    return answer


def made(name):
    tiling, difficulty, seed = name.rsplit("-", 2)
    return find_puzzle(puzzle_rules(difficulty, tiling), int(seed))


def right_move(puzzle):
    return ("flag", puzzle.flag[0]) if puzzle.flag else ("reveal", puzzle.reveal[0])


def test_a_puzzle_is_shown_without_its_answer(client):
    told = client.get("/api/puzzles/square-three-5").json()
    puzzle = made("square-three-5")
    assert told["marks"] == puzzle.position.marks.tolist()
    assert told["difficulty_text"] == "three numbers"
    assert told["rating"] == puzzle.rating
    assert told["attempt"] is None
    assert "moves" not in told and "numbers" not in told


def test_a_right_move_is_proved_and_every_other_answer_told(ask):
    puzzle = made("square-two-3")
    told = ask("square-two-3", *right_move(puzzle))
    assert told["right"] and told["rated"]
    assert len(told["numbers"]) == 2
    assert {move["cell"] for move in told["moves"]} == {*puzzle.flag, *puzzle.reveal}
    assert told["gain"] > 0


def test_a_move_the_other_way_round_is_answered_by_the_proof(ask):
    puzzle = made("square-two-3")
    action, cell = right_move(puzzle)
    told = ask("square-two-3", "reveal" if action == "flag" else "flag", cell)
    assert not told["right"]
    assert told["example"] is None and told["moves"] is None
    assert len(told["numbers"]) == 2
    assert told["gain"] < 0


def test_an_uncertain_move_is_answered_by_mines_that_fit_and_hit_it(ask):
    puzzle = made("square-three-5")
    position = puzzle.position
    open_cells = set(position.frontier.tolist()) - {*puzzle.flag, *puzzle.reveal}
    cell = min(open_cells)
    for action in ("reveal", "flag"):
        told = ask("square-three-5", action, cell)
        mines = set(told["example"]["mines"])
        assert (cell in mines) == (action == "reveal")
        assert mines.isdisjoint(told["example"]["safe"])
        assert mines | set(told["example"]["safe"]) == set(position.frontier.tolist())
        for number in position.frontier_numbers.tolist():
            assert position.remaining_mines(number) == sum(
                c in mines for c in position.covered_around(number)
            )
        assert 0 < told["probabilities"] < 1


def test_a_puzzle_of_the_mine_count_shows_all_mines_against_a_move(ask):
    name = "square-count-10"
    puzzle = made(name)
    doubtful = [
        c for c in puzzle.position.covered.tolist() if c not in {*puzzle.flag, *puzzle.reveal}
    ]
    told = ask(name, "reveal", doubtful[0])
    left = puzzle.position.mines - len(puzzle.position.flags)
    assert len(told["example"]["mines"]) == left


def test_only_the_first_try_is_rated(client, ask):
    puzzle = made("square-one-7")
    first = ask("square-one-7", "give-up")
    assert first["rated"] and first["gain"] < 0
    again = ask("square-one-7", *right_move(puzzle))
    assert again["right"] and not again["rated"]
    assert again["gain"] == 0
    assert again["user"] == first["user"]
    shown = client.get("/api/puzzles/square-one-7").json()
    assert shown["attempt"]["move"] == "gave up"
    assert shown["rating"] > puzzle.rating, "who gives up makes the puzzle harder"


def test_history_and_streaks(client, ask):
    for seed in (11, 12, 13):
        ask(f"square-one-{seed}", *right_move(made(f"square-one-{seed}")))
    ask("square-two-14", "time")
    told = client.get(f"/api/puzzles/days/{DAY}").json()
    player = told["user"]
    assert [player[key] for key in ("tried", "solved", "streak", "best")] == [4, 3, 0, 3]
    assert [one["puzzle"] for one in told["history"]] == [
        "square-two-14",
        "square-one-13",
        "square-one-12",
        "square-one-11",
    ]
    last = told["history"][0]
    assert (last["words"], last["right"], last["move"]) == ("two numbers", False, "out of time")
    assert last["seconds"] == 4.2


def test_the_puzzle_of_the_day_is_the_same_for_everyone(client, ask):
    told = client.get(f"/api/puzzles/days/{DAY}").json()["daily"]
    assert [one["tiling"] for one in told] == [*TILINGS]
    assert all(one["puzzle"].endswith("-20261115") and one["right"] is None for one in told)
    assert told == client.get(f"/api/puzzles/days/{DAY}").json()["daily"]
    name = told[0]["puzzle"]
    ask(name, *right_move(made(name)))
    assert client.get(f"/api/puzzles/days/{DAY}").json()["daily"][0]["right"] is True
    week = {
        client.get(f"/api/puzzles/days/2026-11-{day}").json()["daily"][0]["puzzle"].split("-")[1]
        for day in range(16, 21)
    }
    assert week == {"one", "two", "three", "four", "count"}


def test_the_next_puzzle_is_as_hard_as_the_player_is_strong(client):
    for _ in range(3):
        told = client.post("/api/puzzles/next", json={"tiling": "square"}).json()
        assert 1200 <= told["rating"] <= 1900
        assert told["tiling"] == "square"
    told = client.post(
        "/api/puzzles/next", json={"tiling": "hexagonal", "difficulty": "one"}
    ).json()
    assert told["difficulty"] == "one"
    assert told["tiling"] == "hexagonal"


def test_everybody_has_a_rating_of_their_own(guest):
    one, other = guest(), guest()
    name = "square-one-7"
    body = {"action": "give-up", "seconds": 1}
    assert one.ask("POST", f"/api/puzzles/{name}", json=body).json()["rated"]
    seen = other.ask("GET", f"/api/puzzles/days/{DAY}").json()
    assert seen["history"] == []
    assert seen["user"]["attempt"] == 0


def test_everybodys_tries_move_the_puzzle_that_all_share(guest):
    one, other = guest(), guest()
    name = "square-one-8"
    before = other.ask("GET", f"/api/puzzles/{name}").json()["rating"]
    one.ask("POST", f"/api/puzzles/{name}", json={"action": "time", "seconds": 20})
    assert other.ask("GET", f"/api/puzzles/{name}").json()["rating"] > before


def test_puzzles_of_the_same_kind_are_printed(client):
    told = client.get("/api/puzzles/hexagonal-two-7/worksheet.pdf")
    assert told.headers["content-type"] == "application/pdf"
    assert "hexagonal-two-7.pdf" in told.headers["content-disposition"]
    pages = [page.extract_text() for page in PdfReader(BytesIO(told.content)).pages]
    assert "--difficulty two --tiling hexagonal --count 4 --seed 7" in pages[0]
    assert "solutions" in pages[-1]


@pytest.mark.parametrize(
    "path, body, status, words",
    [
        ("puzzles/square-two", None, 404, "expected a puzzle such as square-two-7"),
        ("puzzles/round-two-7", None, 404, "expected a puzzle"),
        ("puzzles/square-ten-7", None, 404, "expected a puzzle"),
        ("puzzles/triangular-edge-two-7", None, 503, "tells no more than each"),
        ("days/today", None, 400, "expected a day such as"),
        ("next", {"tiling": "round"}, 400, "no such tiling"),
        ("next", {"difficulty": "ten"}, 400, "no such difficulty"),
        (
            "puzzles/square-one-7",
            {"action": "chord", "cell": 1},
            400,
            "a cell to reveal or to flag",
        ),
        ("puzzles/square-one-7", {"action": "reveal"}, 400, "expected cell as a whole number"),
        ("puzzles/square-one-7", {"action": "reveal", "cell": 999}, 400, "expected a cell"),
        ("puzzles/square-one-7", {"action": "time", "seconds": "soon"}, 400, "expected seconds"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_line(client, path, body, status, words):
    method = "GET" if body is None else "POST"
    told = client.request(method, f"/api/puzzles/{path}", json=body)
    assert told.status_code == status, told.text
    assert words in told.json()["error"]


def test_a_cell_that_is_open_or_flagged_is_no_try(client):
    puzzle = made("square-two-3")
    position: Position = puzzle.position
    for cell in (int(position.revealed[0]), int(position.flags[0])):
        body = {"action": "reveal", "cell": cell, "seconds": 1}
        told = client.post("/api/puzzles/square-two-3", json=body)
        assert told.status_code == 422
    assert client.get(f"/api/puzzles/days/{DAY}").json()["history"] == []
