"""Worksheets: puzzles, tokens, files, checks, and bad options."""

import json

import pytest
from tests.unit.web.features.test_web_analyse import GRAPH

from sapper.board.position import Position
from sapper.board.tilings import tiling
from sapper.errors import OutOfBudget
from sapper.generators.paper_puzzles.make import check_paper_puzzle
from sapper.serialize import worksheet_options
from sapper.web.features import worksheets


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
    assert "mines" not in json.dumps(sheet["paper_puzzles"])
    for number, check in enumerate(checks, start=1):
        path = f"/api/worksheets/{sheet['token']}/puzzles/{number}/solution"
        assert client.get(path).json()["mines"] == list(check.puzzle.mine_cells)


def test_token_seed_and_code_make_the_same_puzzles_again(client, make):
    sheet = make(size="6x5", tiling="hexagonal", count=2)
    assert client.get(f"/api/worksheets/{sheet['token']}").json() == sheet
    again = make(size="6x5", tiling="hexagonal", count=2, seed=sheet["options"]["seed"])
    assert again["paper_puzzles"] == sheet["paper_puzzles"]
    by_code = make(code=sheet["code"], large_print=True)
    assert by_code["paper_puzzles"] == sheet["paper_puzzles"]


def test_marks_are_compared_with_the_solution(client, make):
    sheet = make(size="4x3", seed="1")
    path = f"/api/worksheets/{sheet['token']}/puzzles/1"
    mines = client.get(f"{path}/solution").json()["mines"]
    marks = sheet["paper_puzzles"][0]["marks"]
    covered = [cell for cell, mark in enumerate(marks) if mark < 0]
    safe = [cell for cell in covered if cell not in mines]

    def check(crosses, dashes):
        return client.post(f"{path}/check", json={"crosses": crosses, "dashes": dashes}).json()

    assert check([], []) == {"wrong": [], "left": len(covered), "solved": False}
    assert check(mines, safe) == {"wrong": [], "left": 0, "solved": True}
    assert check(safe, mines) == {"wrong": covered, "left": 0, "solved": False}
    assert check(mines[:1], [])["left"] == len(covered) - 1
    assert "a cross and a dash" in check(mines, mines)["error"]
    assert "covered cells" in check([marks.index(max(marks))], [])["error"]
    assert "error" in check("all", [])


def test_worksheet_is_downloaded_in_every_format(client, make):
    sheet = make(size="5x4", seed="7", count=2, title="My class")
    for suffix, start in (("pdf", b"%PDF-"), ("svg", b"<svg"), ("txt", b"My class")):
        response = client.get(f"/api/worksheets/{sheet['token']}/sheet.{suffix}")
        assert response.status_code == 200
        assert response.content.startswith(start)
        assert f'filename="puzzles-7.{suffix}"' in response.headers["content-disposition"]


def test_pages_are_pictures_and_solutions_come_last(client, make):
    sheet = make(size="5x4", seed="7", count=2)
    assert (sheet["puzzle_pages"], sheet["pages"]) == (1, 2)
    path = f"/api/worksheets/{sheet['token']}/pages"
    page = client.get(f"{path}/1")
    assert page.headers["content-type"] == "image/svg+xml"
    assert "solutions" not in page.text.lower()
    assert "solutions" in client.get(f"{path}/2").text.lower()
    assert make(size="5x4", seed="7", count=2, solutions=False)["pages"] == 1
    assert client.get(f"{path}/3").status_code == 400


def test_graph_with_chosen_open_cells(make):
    sheet = make(board=GRAPH, open_cells="b", seed="3")
    assert sheet["paper_puzzles"][0]["marks"][1] >= 0
    assert sheet["shapes"]["names"] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "missing size"),
        ({"size": "999999x999999"}, "at most 2,500 cells"),
        ({"size": "5x5", "count": 101}, "from 1 to 100 puzzles"),
        ({"size": "5x5", "count": True}, "$.count"),
        ({"size": "50x50", "count": 9}, "at most 20,000 cells"),
        ({"size": "5x5", "paper": "a9"}, "paper"),
        ({"size": "5x5", "title": "x" * 101}, "title"),
        ({"size": "5x5", "seed": "-1"}, "seed"),
        ({"size": "5x5", "per_page": 99}, "from 1 to 80"),
        ({"size": "5x5", "colour": "red"}, "unknown option 'colour'"),
        ({"board": "{"}, "JSON"),
    ],
)
def test_bad_options_are_400_with_a_one_line_error(client, options, message):
    response = client.post("/api/worksheets", json=options)
    assert response.status_code == 400, response.text
    assert message in response.json()["error"]
    assert "\n" not in response.json()["error"]


def test_puzzle_that_does_not_exist_is_refused(client, monkeypatch):
    monkeypatch.setattr(worksheets, "BUDGET", type(worksheets.BUDGET)(seconds=0.1))
    response = client.post("/api/worksheets", json={"size": "1x1", "difficulty": "four"})
    assert response.status_code in (422, 503)


def test_bad_token_is_rejected(client):
    for token in ("x", "!!", "A" * 13_000):
        response = client.get(f"/api/worksheets/{token}")
        assert response.status_code == 400
        assert response.json()["error"].startswith("the link to the worksheet is ")


def test_search_stops_when_it_is_cancelled(cancelled):
    options = {"size": "9x9", "difficulty": "four", "seed": "1", "count": 50}
    with pytest.raises(OutOfBudget, match="cancelled"):
        worksheets.make_problem_set(worksheets.read_options(options), cancelled)


def test_board_that_is_too_large_is_refused_before_it_is_built(client, monkeypatch):
    def parse_board(text):
        raise AssertionError("built")

    monkeypatch.setattr(worksheet_options, "parse_board", parse_board)
    board = json.dumps({"board": "square 4000x4000"})
    response = client.post("/api/worksheets", json={"board": board})
    assert response.status_code == 400
    assert response.json()["error"].startswith("expected at most 20,000 cells, got 4000x4000")
