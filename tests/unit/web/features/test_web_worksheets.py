"""Sets of paper tables, as the page gets them."""

import json

import pytest
from tests.unit.web.features.test_web_analyse import GRAPH

from sapper.board.position import Position
from sapper.board.tilings import tiling
from sapper.engine.budget import Cancel
from sapper.errors import OutOfBudget
from sapper.generators.paper_puzzles.make import check_paper_puzzle
from sapper.web.features.worksheets import options, routes


@pytest.fixture
def make(client):
    def make(**wish):
        answer = client.post("/api/worksheets", json=wish)
        assert answer.status_code == 201, answer.text
        return answer.json()

    return make


def test_a_set_has_tables_and_keeps_its_solutions(client, make):
    made = make(size="5x4", count=3, seed="7", difficulty="two")
    positions = [Position(tiling("square", 5, 4), one["marks"]) for one in made["paper_puzzles"]]
    assert [check_paper_puzzle(position).table.difficulty for position in positions] == ["two"] * 3
    assert "mines" not in json.dumps(made["paper_puzzles"])
    for number, position in enumerate(positions, start=1):
        told = client.get(f"/api/worksheets/{made['token']}/puzzles/{number}/solution").json()
        assert check_paper_puzzle(position).table.mine_cells.tolist() == told["mines"]


def test_the_token_the_seed_and_the_code_make_the_same_tables_again(client, make):
    made = make(size="6x5", tiling="hexagonal", count=2)
    assert client.get(f"/api/worksheets/{made['token']}").json() == made
    again = make(size="6x5", tiling="hexagonal", count=2, seed=made["options"]["seed"])
    assert again["paper_puzzles"] == made["paper_puzzles"]
    assert make(code=made["code"], large_print=True)["paper_puzzles"] == made["paper_puzzles"]


def test_a_table_is_checked(client, make):
    made = make(size="4x3", seed="1")
    address = f"/api/worksheets/{made['token']}/puzzles/1"
    mines = client.get(f"{address}/solution").json()["mines"]
    covered = [cell for cell, mark in enumerate(made["paper_puzzles"][0]["marks"]) if mark < 0]
    free = [cell for cell in covered if cell not in mines]

    def check(crosses, dashes):
        return client.post(f"{address}/check", json={"crosses": crosses, "dashes": dashes}).json()

    assert check([], []) == {"wrong": [], "left": len(covered), "solved": False}
    assert check(mines, free) == {"wrong": [], "left": 0, "solved": True}
    assert check(free, mines) == {"wrong": covered, "left": 0, "solved": False}
    assert check(mines[:1], [])["left"] == len(covered) - 1
    assert "got both" in check(mines, mines)["error"]
    revealed = made["paper_puzzles"][0]["marks"].index(max(made["paper_puzzles"][0]["marks"]))
    assert "covered cells of the table" in check([revealed], [])["error"]


@pytest.mark.parametrize(
    ("suffix", "start"), [("pdf", b"%PDF-"), ("svg", b"<svg"), ("txt", b"My class")]
)
def test_the_sheet_is_a_file(client, make, suffix, start):
    made = make(size="5x4", seed="7", count=2, title="My class")
    answer = client.get(f"/api/worksheets/{made['token']}/sheet.{suffix}")
    assert answer.status_code == 200
    assert answer.content.startswith(start)
    assert f'filename="tables-7.{suffix}"' in answer.headers["content-disposition"]


def test_pages_are_pictures_and_solutions_come_last(client, make):
    made = make(size="5x4", seed="7", count=2)
    assert (made["puzzle_pages"], made["pages"]) == (1, 2)
    page = client.get(f"/api/worksheets/{made['token']}/pages/1")
    assert page.headers["content-type"] == "image/svg+xml"
    assert "solutions" not in page.text
    assert "solutions" in client.get(f"/api/worksheets/{made['token']}/pages/2").text
    assert make(size="5x4", seed="7", count=2, solutions=False)["pages"] == 1
    beyond = client.get(f"/api/worksheets/{made['token']}/pages/3")
    assert (beyond.status_code, beyond.json()["error"]) == (
        400,
        "expected a page from 1 to 2, got 3",
    )


def test_a_graph_with_open_cells_of_its_own_makes_a_table(client, make):
    made = make(board=GRAPH, open_cells="b", seed="3")
    assert made["paper_puzzles"][0]["marks"][1] >= 0
    assert made["shapes"]["names"] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("wish", "status", "says"),
    [
        ({}, 400, "expected a size such as 9x10"),
        ({"size": "9"}, 400, "expected"),
        ({"size": "9x9/10"}, 400, "expected a size without mines"),
        ({"size": "999999x999999"}, 400, "expected at most 2,500 cells"),
        ({"size": "5x5", "count": 101}, 400, "expected from 1 to 100 tables"),
        ({"size": "5x5", "count": 0}, 400, "expected from 1 to 100 tables"),
        ({"size": "5x5", "count": True}, 400, "expected count as a number"),
        ({"size": "50x50", "count": 9}, 400, "expected at most 20,000 cells"),
        ({"size": "5x5", "difficulty": "count"}, 400, "no such difficulty"),
        ({"size": "5x5", "open": "all"}, 400, "no such open set"),
        ({"size": "5x5", "method": "odd"}, 400, "no such method"),
        ({"size": "5x5", "mine_density": 7}, 400, "expected a share"),
        ({"size": "5x5", "mine_density": "x"}, 400, "expected mine_density as a number"),
        ({"size": "5x5", "tiling": "moebius"}, 400, "no such tiling"),
        ({"size": "5x5", "paper": "a9"}, 400, "no such paper"),
        ({"size": "5x5", "title": "x" * 101}, 400, "expected a title"),
        ({"size": "5x5", "seed": "-1"}, 400, "expected a seed"),
        ({"size": "5x5", "per_page": 99}, 400, "expected from 1 to 80"),
        ({"size": "5x5", "colour": "red"}, 400, "expected keys among"),
        ({"code": "nonsense"}, 400, "expected a code"),
        ({"board": "{"}, 400, "expected JSON"),
        ({"size": "1x1", "difficulty": "four"}, 422, ""),
    ],
)
def test_a_wish_that_cannot_be_is_refused_in_one_line(client, monkeypatch, wish, status, says):
    monkeypatch.setattr(routes, "BUDGET", type(routes.BUDGET)(seconds=1))
    answer = client.post("/api/worksheets", json=wish)
    assert answer.status_code in (status, 503) if status == 422 else answer.status_code == status
    assert says in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_half_a_character_is_no_title(client):
    answer = client.post(
        "/api/worksheets",
        content=json.dumps({"size": "5x5", "title": "\ud800"}),
        headers={"content-type": "application/json"},
    )
    assert answer.status_code == 400
    assert "expected title as text" in answer.json()["error"]


@pytest.mark.parametrize("token", ["x", "!!", "A" * 13_000])
def test_a_token_of_nothing_is_refused(client, token):
    answer = client.get(f"/api/worksheets/{token}")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("expected a sh")


def test_a_search_stops_when_it_is_cancelled():
    wish = options.read_wish({"size": "9x9", "difficulty": "four", "seed": "1", "count": 50})
    cancel = Cancel()
    cancel.set()
    with pytest.raises(OutOfBudget, match="cancelled"):
        routes.WorksheetCache().of(wish, cancel)
