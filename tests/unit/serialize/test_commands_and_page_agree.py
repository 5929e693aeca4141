"""A command and the page give the same dictionaries, each with its cells and its words."""

import pytest
from tests.unit.web.features.test_web_analyse import POSITIONS

from sapper.board.position import Position
from sapper.serialize.page_words import difficulty, on_page

ONE_CELL = ("cell",)
MANY_CELLS = ("numbers", "look", "flag", "reveal", "cells")


def by_name(told, board):
    """A dictionary of the page with names for cells, and moves as one text."""
    if isinstance(told, list):
        return [by_name(one, board) for one in told]
    if not isinstance(told, dict):
        return told
    named = {key: by_name(value, board) for key, value in told.items() if key != "said"}
    for key in named.keys() & set(MANY_CELLS):
        named[key] = [board.name(cell) for cell in named[key]]
    for key in named.keys() & set(ONE_CELL):
        named[key] = board.name(named[key])
    if "action" in named:
        named["move"] = f"{named.pop('action')} {named.pop('cell')}"
    for key in named.keys() & {"moves", "play"}:
        named[key] = [move["move"] for move in named[key]]
    if "cells" in named:
        named["probabilities"] = dict(zip(named.pop("cells"), named["probabilities"], strict=True))
    return named


def in_page_words(told):
    """A dictionary of a command with its sentences in the words of the page."""
    said = {key: on_page(told[key]) for key in ("text", "why") if isinstance(told.get(key), str)}
    premises = (
        {"premises": list(map(in_page_words, told["premises"]))} if "premises" in told else {}
    )
    return {**told, **said, **premises}


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("trust", [False, True])
def test_probabilities_and_solutions(command, page, name, trust):
    text = POSITIONS[name]
    told = command("probabilities", text, *["--trust-flags"] * trust)
    answer = by_name(page("/api/analysis", text, trust_flags=trust), Position.parse(text).board)
    assert set(told) == {"probabilities", "flag", "reveal", "ln_solutions", "solutions"}
    assert {key: answer[key] for key in told} == told


@pytest.mark.parametrize("name", POSITIONS)
def test_numbers(command, page, name):
    position = Position.parse(POSITIONS[name])
    told = command("probabilities", POSITIONS[name], "--numbers")["numbers"]
    assert told
    for cell in map(position.board.cell, told):
        answer = page("/api/analysis/numbers", POSITIONS[name], cell=cell)
        assert answer["numbers"] == told[position.board.name(cell)]


@pytest.mark.parametrize("name", POSITIONS)
def test_proofs(command, page, name):
    board = Position.parse(POSITIONS[name]).board
    for told in command("explain", POSITIONS[name])["proofs"]:
        cell = board.cell(told["move"].split()[1])
        answer = by_name(page("/api/analysis/proof", POSITIONS[name], cell=cell), board)
        assert answer.pop("difficulty") == difficulty(told["difficulty"])
        assert answer == in_page_words(told)


def test_some_position_has_proofs(command):
    assert any(command("explain", text)["proofs"] for text in POSITIONS.values())


@pytest.mark.parametrize("name", POSITIONS)
def test_the_guess(command, page, name):
    certain = name in ("count", "no count", "flags", "interior", "torus")
    told = command("probabilities", POSITIONS[name], "--guess", "thoughtful")["guess"]
    answer = page("/api/analysis", POSITIONS[name])["guess"]
    assert (told["certain"], answer is None) == (certain, certain)
    if not certain:
        answer = by_name(answer, Position.parse(POSITIONS[name]).board)
        assert {"player": "thoughtful", **answer} == in_page_words(told)


@pytest.mark.parametrize("detail", [1, 2, 3, 4])
@pytest.mark.parametrize("layout", ["*.\n..", "*....\n.....\n....*\n.....", "*.*..\n.....\n*...."])
def test_a_hint(command, client, new_game, move, layout, detail):
    game = new_game(text=layout)
    move(game, "reveal", layout.replace("\n", "").rindex("."))
    text = client.get(f"/api/games/{game['id']}/share").json()["position"]
    answer = client.post(f"/api/games/{game['id']}/hint", json={"detail": detail}).json()
    told = command("hint", text, "--detail", detail)
    named = by_name(answer, Position.parse(text).board)
    assert {key: named[key] for key in told} == in_page_words(told)


@pytest.mark.parametrize(("kind", "name"), [("solver", "hybrid"), ("player", "careful")])
def test_the_command_and_the_page_show_the_same_steps(client, sapper, kind, name):
    options = (f"--{kind}", name, "--seed", 7, "--plain", "--first", "r2c3")
    told = sapper("watch", "beginner", *options)[1]
    asked = {"size": "beginner", "seed": "7", "kind": kind, "name": name, "first": 11}
    watched = client.post("/api/watch", json=asked).json()
    answer = client.post(f"/api/watch/{watched['id']}/steps", json={"from": 0}).json()
    lines = [f"{step['move']}: {step['reason']}" for step in answer["steps"]]
    assert len(lines) > 5
    assert told.startswith("\n".join(lines) + "\n")
    assert told.endswith(answer["end"]["summary"] + "\n")
