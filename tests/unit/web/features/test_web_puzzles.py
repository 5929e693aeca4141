"""Training puzzles: judged answers, ratings, history, the puzzles of the day."""

from datetime import date
from io import BytesIO

import pytest
from pypdf import PdfReader

from sapper.board.position import Position
from sapper.board.tilings import TILINGS
from sapper.generators.puzzles import puzzle as find_puzzle
from sapper.generators.puzzles import puzzle_rules
from sapper.web.features import puzzles
from sapper.web.server.workers import BUDGET

DAY = "2026-11-15"


@pytest.fixture
def answer_puzzle(client):
    """Return a function that sends an answer to a puzzle and returns the JSON of the response."""

    def answer(puzzle, action, cell=None, **fields):
        body = {"action": action, "cell": cell, "seconds": 4.2, **fields}
        response = client.post(f"/api/puzzles/{puzzle}", json=body)
        assert response.status_code == 200, response.text
        return response.json()

    return answer


@pytest.fixture
def assign_puzzle(client, monkeypatch):
    """Return a function that requests the next puzzle while the server chooses a given one."""

    def assign(name):
        monkeypatch.setattr(puzzles, "next_name", lambda *options: name)
        tiling, difficulty, _ = name.rsplit("-", 2)
        options = {"tiling": tiling, "difficulty": difficulty}
        return client.post("/api/puzzles/next", json=options).json()

    return assign


def puzzle_of(name):
    tiling, difficulty, seed = name.rsplit("-", 2)
    return find_puzzle(puzzle_rules(difficulty, tiling), int(seed))


def right_move(puzzle):
    return ("flag", puzzle.flag[0]) if puzzle.flag else ("reveal", puzzle.reveal[0])


def test_puzzle_is_sent_without_its_answer(client):
    shown = client.get("/api/puzzles/square-three-5").json()
    puzzle = puzzle_of("square-three-5")
    assert shown["marks"] == puzzle.position.marks.tolist()
    assert shown["difficulty_text"] == "three numbers"
    assert shown["left"] == puzzle.position.mines - len(puzzle.position.flags)
    assert shown["rating"] == puzzle.rating
    assert shown["attempt"] is None
    assert "moves" not in shown and "numbers" not in shown


def test_right_move_is_proved_and_all_answers_are_shown(answer_puzzle, assign_puzzle):
    puzzle = puzzle_of("square-two-3")
    assign_puzzle("square-two-3")
    answer = answer_puzzle("square-two-3", *right_move(puzzle))
    assert answer["right"] and answer["rated"]
    assert len(answer["numbers"]) == 2
    assert {move["cell"] for move in answer["moves"]} == {*puzzle.flag, *puzzle.reveal}
    assert answer["gain"] > 0


def test_opposite_move_is_answered_by_the_proof(answer_puzzle, assign_puzzle):
    puzzle = puzzle_of("square-two-3")
    assign_puzzle("square-two-3")
    action, cell = right_move(puzzle)
    answer = answer_puzzle("square-two-3", "reveal" if action == "flag" else "flag", cell)
    assert not answer["right"]
    assert answer["example"] is None and answer["moves"] is None
    assert len(answer["numbers"]) == 2
    assert answer["gain"] < 0


def test_uncertain_move_is_answered_by_a_counterexample(answer_puzzle):
    puzzle = puzzle_of("square-three-5")
    position = puzzle.position
    cell = min(set(position.frontier.tolist()) - {*puzzle.flag, *puzzle.reveal})
    for action in ("reveal", "flag"):
        answer = answer_puzzle("square-three-5", action, cell)
        mines = set(answer["example"]["mines"])
        assert (cell in mines) == (action == "reveal")
        assert mines.isdisjoint(answer["example"]["safe"])
        assert mines | set(answer["example"]["safe"]) == set(position.frontier.tolist())
        for number in position.frontier_numbers.tolist():
            assert position.remaining_mines(number) == sum(
                neighbour in mines for neighbour in position.covered_around(number)
            )
        assert 0 < answer["probability"] < 1


def test_counterexample_of_a_mine_count_puzzle_has_all_mines(answer_puzzle):
    puzzle = puzzle_of("square-count-10")
    uncertain = set(puzzle.position.covered.tolist()) - {*puzzle.flag, *puzzle.reveal}
    answer = answer_puzzle("square-count-10", "reveal", min(uncertain))
    left = puzzle.position.mines - len(puzzle.position.flags)
    assert len(answer["example"]["mines"]) == left


def test_only_the_first_attempt_is_rated(client, answer_puzzle, assign_puzzle):
    puzzle = puzzle_of("square-one-7")
    assert assign_puzzle("square-one-7")["rated"]
    first = answer_puzzle("square-one-7", "give-up")
    assert first["rated"] and first["gain"] < 0
    again = answer_puzzle("square-one-7", *right_move(puzzle))
    assert again["right"] and not again["rated"] and not again["first"]
    assert again["gain"] == 0
    assert again["user"] == first["user"]
    shown = client.get("/api/puzzles/square-one-7").json()
    assert shown["attempt"]["move"] == "gave up"
    assert shown["rating"] == puzzle.rating and not shown["rated"]


def test_puzzle_stays_assigned_until_it_is_tried(client, answer_puzzle, assign_puzzle):
    assert assign_puzzle("square-one-7")["puzzle"] == "square-one-7"
    # Another request, other options and opening the puzzle do not replace it.
    assert assign_puzzle("square-one-8")["puzzle"] == "square-one-7"
    assert assign_puzzle("square-two-3")["puzzle"] == "square-two-3"
    assert client.get("/api/puzzles/square-one-7").json()["rated"]
    assert assign_puzzle("square-one-9")["puzzle"] == "square-one-7"
    assert answer_puzzle("square-one-7", "give-up")["rated"]
    assert assign_puzzle("square-one-9")["puzzle"] == "square-one-9"


def test_puzzle_opened_by_its_link_is_recorded_but_not_rated(client, answer_puzzle):
    shown = client.get("/api/puzzles/square-one-7").json()
    answer = answer_puzzle("square-one-7", *right_move(puzzle_of("square-one-7")))
    assert not shown["rated"] and answer["first"] and not answer["rated"]
    overview = client.get(f"/api/puzzles/days/{DAY}").json()
    assert [attempt["puzzle"] for attempt in overview["history"]] == ["square-one-7"]
    assert overview["user"] == {**answer["user"], "tried": 0}


def test_puzzle_that_was_tried_is_not_chosen_again():
    limit = BUDGET.start()
    first = puzzles.next_name("square", "one", 1500, 1, limit)
    assert puzzles.next_name("square", "one", 1500, 1, limit, {first}) != first


def test_attempts_are_listed_and_counted_in_streaks(client, answer_puzzle, assign_puzzle):
    for seed in (11, 12, 13):
        assign_puzzle(f"square-one-{seed}")
        answer_puzzle(f"square-one-{seed}", *right_move(puzzle_of(f"square-one-{seed}")))
    assign_puzzle("square-two-14")
    answer_puzzle("square-two-14", "time")
    overview = client.get(f"/api/puzzles/days/{DAY}").json()
    user = overview["user"]
    assert [user[key] for key in ("tried", "solved", "streak", "best")] == [4, 3, 0, 3]
    names = [attempt["puzzle"] for attempt in overview["history"]]
    assert names == ["square-two-14", "square-one-13", "square-one-12", "square-one-11"]
    last = overview["history"][0]
    assert (last["difficulty_text"], last["right"]) == ("two numbers", False)
    assert (last["move"], last["seconds"]) == ("out of time", 4.2)


def test_puzzle_of_the_day_is_the_same_for_everyone(client, answer_puzzle):
    daily = client.get(f"/api/puzzles/days/{DAY}").json()["daily"]
    assert [row["tiling"] for row in daily] == [*TILINGS]
    assert all(row["puzzle"].endswith("-20261115") and row["right"] is None for row in daily)
    assert daily == client.get(f"/api/puzzles/days/{DAY}").json()["daily"]
    name = daily[0]["puzzle"]
    answer_puzzle(name, *right_move(puzzle_of(name)))
    assert client.get(f"/api/puzzles/days/{DAY}").json()["daily"][0]["right"] is True
    week = {
        client.get(f"/api/puzzles/days/2026-11-{day}").json()["daily"][0]["puzzle"].split("-")[1]
        for day in range(16, 21)
    }
    assert week == {"one", "two", "three", "four", "count"}


def test_streak_of_days_ends_today_or_yesterday():
    results = {puzzles.daily_name("square", f"2026-11-{day}"): day != 12 for day in range(10, 16)}
    streaks = [puzzles.daily_streak(date(2026, 11, day), results) for day in range(10, 19)]
    assert streaks == [1, 2, 0, 1, 2, 3, 3, 0, 0]
    assert puzzles.daily_streak(date(1, 1, 1), {}) == 0


def test_next_puzzle_is_near_the_rating(client, monkeypatch):
    def next_puzzle(**options):
        return client.post("/api/puzzles/next", json=options).json()

    monkeypatch.setattr(puzzles, "random_seed", lambda: 1)
    puzzle = next_puzzle(tiling="square")
    assert 1200 <= puzzle["rating"] <= 1900 and puzzle["tiling"] == "square"
    puzzle = next_puzzle(tiling="hexagonal", difficulty="one")
    assert (puzzle["tiling"], puzzle["difficulty"]) == ("hexagonal", "one")


def test_worksheet_has_puzzles_of_the_same_kind(client):
    response = client.get("/api/puzzles/hexagonal-two-7/worksheet.pdf")
    assert response.headers["content-type"] == "application/pdf"
    assert "hexagonal-two-7.pdf" in response.headers["content-disposition"]
    pages = [page.extract_text() for page in PdfReader(BytesIO(response.content)).pages]
    footer = (
        "hexagonal 11x11, 25 mines, difficulty two numbers together, number of puzzles 4, seed 7"
    )
    assert footer in pages[0].replace("\n", " ")
    assert "solutions" in pages[-1]


@pytest.mark.parametrize(
    "path, body, status, message",
    [
        ("square-two", None, 404, "there is no puzzle 'square-two'"),
        ("round-two-7", None, 404, "there is no puzzle"),
        ("square-ten-7", None, 404, "there is no puzzle"),
        ("triangular-edge-two-7", None, 503, "proves no more than each"),
        ("days/today", None, 400, "expected a day such as"),
        ("next", {"tiling": "round"}, 400, "no such tiling"),
        ("next", {"difficulty": "ten"}, 400, "no such difficulty"),
        ("square-one-7", {"action": "chord", "cell": 1}, 400, "a cell to reveal or to flag"),
        ("square-one-7", {"action": "reveal"}, 400, "expected a cell to reveal"),
        ("square-one-7", {"action": "reveal", "cell": 999}, 400, "expected a cell"),
        ("square-one-7", {"action": "time", "seconds": "soon"}, 400, "$.seconds"),
    ],
)
def test_bad_request_is_refused_with_an_error_message(client, path, body, status, message):
    method = "GET" if body is None else "POST"
    response = client.request(method, f"/api/puzzles/{path}", json=body)
    assert response.status_code == status, response.text
    assert message in response.json()["error"]


def test_move_on_a_revealed_or_flagged_cell_is_not_an_attempt(client):
    puzzle = puzzle_of("square-two-3")
    position: Position = puzzle.position
    for cell in (int(position.revealed[0]), int(position.flags[0])):
        body = {"action": "reveal", "cell": cell, "seconds": 1}
        assert client.post("/api/puzzles/square-two-3", json=body).status_code == 422
    assert client.get(f"/api/puzzles/days/{DAY}").json()["history"] == []
