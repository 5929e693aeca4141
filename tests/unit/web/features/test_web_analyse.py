"""The analysis of positions, as the page requests it."""

import json

import pytest
from tests.analyse_command import probabilities_of

from sapper.board.position import Position
from sapper.proofs.prover import explain
from sapper.web.features.analyse import read_text
from sapper.web.server import limits

POSITION = """mines: 2
1##
1##
###
"""
BIG_GRAPH = {"cells": [str(k) for k in range(limits.MAX_CELLS + 1)], "edges": []}
GRAPH = '{"cells": ["a", "b", "c"], "edges": [["a", "b"], ["b", "c"]], "numbers": {"b": 1}}'

# Several tilings, with and without a mine count, flags, a graph.
POSITIONS = {
    "count": POSITION,
    "no count": "1##\n1##\n###\n",
    "flags": "mines: 2\n1F#\n12#\n###\n",
    "interior": "#####\n#222#\n#2.2#\n#222#\n#####\n",
    "empty": "mines: 2\n####\n####\n",
    "hexagonal": "board: hexagonal 4x3\nmines: 3\n####\n#2##\n####\n",
    "torus": "board: torus 4x4\nmines: 3\n####\n#3##\n####\n####\n",
    "triangular": "board: triangular 5x3\n#####\n##4##\n#####\n",
    "triangular-edge": "board: triangular-edge 5x2\nmines: 2\n##1##\n#####\n",
    "graph": GRAPH,
}


@pytest.fixture
def read(client):
    def read(text):
        answer = client.post("/api/position", json={"text": text})
        assert answer.status_code == 200, answer.text
        return answer.json()

    return read


def position(parsed, **options):
    """Return the request body for a position that the server has parsed."""
    return {key: parsed[key] for key in ("board", "marks", "mines")} | options


@pytest.mark.parametrize(
    ("name", "trust"), [*((name, False) for name in POSITIONS), ("flags", True)]
)
def test_probabilities_equal_those_of_the_command(client, read, name, trust):
    options = ["--values", "--trust-flags"] if trust else ["--values"]
    expected = probabilities_of(POSITIONS[name], *options)
    board = Position.parse(POSITIONS[name]).board
    request = position(read(POSITIONS[name]), trust_flags=trust)
    answer = client.post("/api/analysis", json=request).json()
    probabilities = zip(answer["cells"], answer["probabilities"], strict=True)
    assert {board.name(cell): p for cell, p in probabilities} == expected["probabilities"]
    for key in ("safe", "certain_mines"):
        assert [board.name(cell) for cell in answer[key]] == expected[key]
    assert answer["solutions"] == expected["solutions"]
    cell = answer["cells"][0]
    found = client.post("/api/analysis/values", json={**request, "cell": cell}).json()
    assert found["values"] == expected["values"][board.name(cell)]


def test_link_opens_the_same_position(client, read):
    for text in POSITIONS.values():
        first = read(text)
        token = first["link"].removeprefix("#/analyse?position=")
        assert client.post("/api/position", json={"token": token}).json() == first
        assert Position.parse(first["text"]) == Position.parse(text)


def test_other_notations_are_read_too(client, read, new_game):
    assert read("3x1x1\n1HF")["text"] == "mines: 1\n1#F\n"
    assert read("*..\n..c")["text"] == "mines: 1\n#1.\n#1.\n"
    game = new_game(size="5x5/3", seed="2")
    saved = client.get(f"/api/games/{game['id']}/share").json()["text"]
    assert read(saved)["marks"] == [-1] * 25


def test_guess_has_its_risk_where_nothing_is_safe(client, read):
    answer = client.post("/api/analysis", json=position(read("mines: 2\n#1###\n"))).json()
    assert (
        answer["guess"]["cell"] == 2 and answer["guess"]["reason"] == "wins as often as r1c4 (50%)"
    )
    assert answer["guess"]["risk"] == pytest.approx(0.5)
    assert answer["guess"]["next_best"]["risk"] == pytest.approx(0.5)
    assert client.post("/api/analysis", json=position(read(POSITION))).json()["guess"] is None
    only_mines = client.post("/api/analysis", json=position(read("mines: 1\n1#\n"))).json()
    assert only_mines["guess"] is None


def test_contradiction_is_returned_with_its_numbers(client, read):
    answer = client.post("/api/analysis", json=position(read("2##\n1##\n#.1\n"))).json()
    found = answer["contradiction"]
    assert "impossible position" in found["text"]
    assert not found["uses_mine_count"]
    highlighted = {cell for piece in found["pieces"] for cell in piece.get("cells", ())}
    assert highlighted == set(found["numbers"]) != set()
    counted = client.post("/api/analysis", json=position(read("mines: 3\n1##1\n"))).json()
    assert counted["contradiction"]["uses_mine_count"]


def test_proof_equals_that_of_the_library(client, read):
    request = position(read(POSITION))
    found = client.post("/api/analysis/proof", json={**request, "cell": 6}).json()
    expected = explain(Position.parse(POSITION), "reveal r3c1")
    assert found["text"] == expected.text
    assert found["numbers"] == [0, 3]
    assert (found["action"], found["difficulty"]) == ("reveal", "two")
    uncertain = client.post("/api/analysis/proof", json={**request, "cell": 1})
    assert uncertain.status_code == 422
    assert "is not certain" in uncertain.json()["error"]


def test_position_of_a_new_game_does_not_count_as_a_hint(client, new_game):
    game = new_game(size="5x5/3", seed="2")
    position = client.post("/api/position", json={"game": game["id"]}).json()
    assert (position["mines"], position["marks"]) == (3, game["marks"])
    assert client.get(f"/api/games/{game['id']}").json()["state"]["hints"] == 0


def test_analysing_the_position_of_a_game_counts_as_one_hint(client, new_game, move):
    game = new_game(size="5x5/3", seed="2")
    move(game, "reveal", 12)

    def hints_after_analysis():
        position = client.post("/api/position", json={"game": game["id"]}).json()
        now = client.get(f"/api/games/{game['id']}").json()
        assert position["marks"] == now["marks"]
        return now["state"]["hints"]

    assert [hints_after_analysis(), hints_after_analysis()] == [1, 1]
    marks = client.get(f"/api/games/{game['id']}").json()["marks"]
    move(game, "flag", marks.index(-1))
    assert [hints_after_analysis(), hints_after_analysis()] == [2, 2]


@pytest.mark.parametrize(
    ("path", "body", "status", "message"),
    [
        ("position", {"text": "hello"}, 400, "expected one of"),
        ("position", {"text": 7}, 400, "$.text"),
        ("position", {"text": "board: square 9999x9999\n#"}, 400, "expected at most 20,000 cells"),
        ("position", {"text": json.dumps(BIG_GRAPH)}, 400, "expected at most 20,000 cells"),
        ("position", {"token": "!!"}, 400, "the link to the position is damaged"),
        ("position", {"game": "none"}, 404, "you have no game"),
        ("analysis", {}, 400, "`board`"),
        ("analysis", {"board": "square 2x1", "marks": [1]}, 400, "expected 2 marks"),
        ("analysis", {"board": "square 2x1", "marks": [1, "x"]}, 400, "$.marks[1]"),
        ("analysis", {"board": "square 2x1", "marks": [1, -1], "mines": -1}, 400, "mines"),
        ("analysis", {"board": "moebius 2x1", "marks": [1, -1]}, 400, "no such tiling"),
        ("analysis", {"board": "square 999x999", "marks": []}, 400, "expected at most 20,000"),
        ("analysis", {"board": {"cells": [1]}, "marks": []}, 400, "expected"),
        ("analysis/values", {"board": "square 2x1", "marks": [1, -1], "cell": -1}, 400, "cell"),
        ("analysis/proof", {"board": "square 2x1", "marks": [1, -1], "cell": 0}, 422, "revealed"),
    ],
)
def test_bad_request_is_refused_with_a_one_line_error(client, path, body, status, message):
    answer = client.post(f"/api/{path}", json=body)
    assert answer.status_code == status, answer.text
    assert message in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_outline_without_area_can_be_drawn(read):
    flat, cell = [[0, 0], [0, 0], [0, 0]], [[0, 0], [1, 0], [0, 1]]
    board = {"cells": ["a", "b"], "edges": [["a", "b"]], "outlines": {"a": flat, "b": cell}}
    shapes = read(json.dumps(board))["shapes"]["shapes"]
    assert all(shape["inner"] > 0 for shape in shapes)


def test_layout_has_a_certificate_or_the_number_of_its_guesses(client, read):
    layout = read(".*.c")["layout"]
    answer = client.post("/api/analysis/certificate", json={"layout": layout}).json()
    assert answer["start"] == [-1, -1, 1, 0] and answer["guesses"] == 0
    keys = ("flag", "reveal", "numbers", "uses_mine_count", "cells", "marks")
    assert [[step[key] for key in keys] for step in answer["steps"]] == [
        [[1], [], [2], False, [1], [-2]],
        [[], [0], [], True, [0], [1]],
    ]
    guess = client.post("/api/analysis/certificate", json={"layout": "*c.\n"}).json()
    assert (guess["steps"], guess["guesses"]) == (None, 1)
    assert read(POSITION)["layout"] is None
    refused = client.post("/api/analysis/certificate", json={"layout": "*.."})
    assert refused.status_code == 400


@pytest.mark.parametrize(
    ("moves", "click"),
    [
        (["reveal r1c2", "reveal r1c3"], "r1c2"),
        (["reveal r1c2", "reveal r1c1"], "r1c2"),
        (["reveal r1c2"], None),  # not over
        (["reveal r1c1"], None),  # the first click hit a mine
        (["flag r1c4", "reveal r1c1"], None),
    ],
)
def test_layout_of_a_saved_game_is_known_once_it_is_over(moves, click):
    lines = "\n".join(f"{second}.000 {move}" for second, move in enumerate(moves))
    position, layout = read_text(f"sapper: game 1\nboard: square 4x1\nlayout: r1c1\n\n{lines}\n")
    assert position.mines == 1
    if click is None:
        assert layout is None
    else:
        assert (layout.mine_cells.tolist(), layout.board.name(layout.click)) == ([0], click)
