"""Worksheets on the page: puzzles, links, files, checks, and bad options."""

import json

import pytest

from sapper.board.position import Position
from sapper.board.tilings import tiling
from sapper.errors import OutOfBudget
from sapper.generators.paper_puzzles.make import check_paper_puzzle
from sapper.web.features import worksheets
from sapper.worksheets import make as make_module


@pytest.fixture
def make(client):
    def make(**options):
        response = client.post("/api/worksheets", json=options)
        assert response.status_code == 201, response.text
        return response.json()

    return make


def test_worksheet_has_puzzles_without_solutions(client, make):
    sheet = make(size="5x4", count=3, seed="7", difficulty="two")
    board = tiling("square", 5, 4)
    positions = [Position(board, puzzle["marks"]) for puzzle in sheet["paper_puzzles"]]
    checks = [check_paper_puzzle(position) for position in positions]
    assert [check.puzzle.difficulty for check in checks] == ["two"] * 3
    assert all(puzzle.keys() == {"marks", "label"} for puzzle in sheet["paper_puzzles"])
    for number, check in enumerate(checks, start=1):
        path = f"/api/worksheets/puzzles/{number}/solution"
        mines = client.post(path, json={"query": sheet["query"]}).json()["mines"]
        assert mines == list(check.puzzle.mine_cells)


def test_marks_are_compared_with_the_solution(client, make):
    sheet = make(size="4x3", seed="1")
    path = "/api/worksheets/puzzles/1"
    query = {"query": sheet["query"]}
    mines = client.post(f"{path}/solution", json=query).json()["mines"]
    marks = sheet["paper_puzzles"][0]["marks"]
    covered = [cell for cell, mark in enumerate(marks) if mark < 0]
    safe = [cell for cell in covered if cell not in mines]

    def check(crosses, dashes, path=path):
        body = {**query, "crosses": crosses, "dashes": dashes}
        return client.post(f"{path}/check", json=body).json()

    assert check([], []) == {"wrong": [], "left": len(covered), "solved": False}
    assert check(mines, safe) == {"wrong": [], "left": 0, "solved": True}
    assert check(safe, mines) == {"wrong": covered, "left": 0, "solved": False}
    assert check(mines[:1], [])["left"] == len(covered) - 1
    assert "a cross and a dash" in check(mines, mines)["error"]
    assert "covered cells" in check([marks.index(max(marks))], [])["error"]
    assert "error" in check("all", [])
    assert "from 1 to 1" in check([], [], path="/api/worksheets/puzzles/2")["error"]


def test_exercises_cannot_be_solved_on_the_page(client, make):
    sheet = make(size="5x5", kind="proof", seed="1")
    assert sheet["paper_puzzles"] == []
    response = client.post("/api/worksheets/puzzles/1/solution", json={"query": sheet["query"]})
    assert (response.status_code, "kind 'proof'" in response.text) == (400, True)


def test_worksheet_is_downloaded_in_every_format(client, make):
    sheet = make(size="5x4", seed="7", count=2, title="My class")
    for suffix, start in (("pdf", b"%PDF-"), ("svg", b"<svg"), ("txt", b"My class")):
        response = client.get(f"/api/worksheets/sheet.{suffix}?{sheet['query']}")
        assert response.status_code == 200
        assert response.content.startswith(start)
        assert f'filename="puzzles-7.{suffix}"' in response.headers["content-disposition"]


def test_pages_are_pictures_and_solutions_come_last(client, make):
    sheet = make(size="5x4", seed="7", count=2)
    assert (sheet["puzzle_pages"], sheet["pages"]) == (1, 2)

    def get_page(number):
        return client.get(f"/api/worksheets/pages/{number}?{sheet['query']}")

    assert get_page(1).headers["content-type"] == "image/svg+xml"
    assert "solutions" not in get_page(1).text.lower()
    assert "solutions" in get_page(2).text.lower()
    assert make(size="5x4", seed="7", count=2, solutions=False)["pages"] == 1
    assert get_page(3).status_code == 400


def test_link_in_the_footer_is_to_the_shared_server_or_the_chosen_address(client, guest):
    def footer(client, address=""):
        path = f"/api/worksheets/sheet.txt?size=4x3&seed=7&address={address}"
        return client("GET", path).text.splitlines()[-1]

    shared = guest().request
    assert footer(shared) == "http://127.0.0.1:8765/#/print?size=4x3&seed=7"
    assert footer(shared, "https://a.org/") == "https://a.org/#/print?size=4x3&seed=7"
    # A telephone cannot open a page that is served to its own machine alone.
    assert footer(client.request).endswith(", seed 7")


def test_menu_has_the_options_of_each_kind(client):
    menu = client.get("/api/worksheets").json()
    names = [option["name"] for option in menu["options"]]
    assert names.index("size") < names.index("paper") < names.index("method")
    kinds = menu["kinds"]
    assert "open_cells" in kinds["puzzle"]["options"]
    assert kinds["probability"]["options"] == ["mine_density"]
    assert "count" in kinds["proof"]["difficulties"]
    assert "count" not in kinds["puzzle"]["difficulties"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": "999999x999999"}, "at most 2,500 cells"),
        ({"size": "5x5", "count": 101}, "from 1 to 100 puzzles"),
        ({"size": "5x5", "count": True}, "$.count"),
        ({"size": "50x50", "count": 9}, "at most 2,222 cells"),
        ({"size": "5x5", "title": "x" * 101}, "title"),
        ({"size": "5x5", "colour": "red"}, "unknown option 'colour'"),
    ],
)
def test_options_beyond_the_limits_of_the_page_are_refused(client, options, message):
    response = client.post("/api/worksheets", json=options)
    assert response.status_code == 400, response.text
    assert message in response.json()["error"]


def test_puzzle_that_is_not_found_in_time_is_reported(client, monkeypatch):
    monkeypatch.setattr(worksheets, "BUDGET", type(worksheets.BUDGET)(seconds=0.1))
    response = client.post("/api/worksheets", json={"size": "4x4", "difficulty": "four"})
    assert response.status_code == 422
    assert response.json()["error"].startswith("no such puzzle was found in time")


def test_search_stops_when_it_is_cancelled(cancelled):
    options = worksheets.read_options({"size": "9x9", "difficulty": "four", "count": 50})
    with pytest.raises(OutOfBudget, match="cancelled"):
        worksheets.make_worksheet(options, None, cancelled)


def test_board_that_is_too_large_is_refused_before_it_is_built(client, monkeypatch):
    def parse_board(text):
        raise AssertionError("built")

    monkeypatch.setattr(make_module, "parse_board", parse_board)
    board = json.dumps({"board": "square 4000x4000"})
    response = client.post("/api/worksheets", json={"board": board})
    assert response.status_code == 400
    assert response.json()["error"].startswith("expected at most 20,000 cells, got 4000x4000")
