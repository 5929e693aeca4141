"""A command and the page give the same dictionaries, each with its cells and its words."""

import pytest
from tests.unit.web.views.test_web_analyse import FRAMES

from sapper.answers.page_words import difficulty, on_page
from sapper.model.frame import Frame

ONE_CELL = ("cell",)
MANY_CELLS = ("hints", "look", "flag", "reveal", "cells")


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
        named["odds"] = dict(zip(named.pop("cells"), named["odds"], strict=True))
    return named


def in_page_words(told):
    """A dictionary of a command with its sentences in the words of the page."""
    said = {key: on_page(told[key]) for key in ("text", "why") if isinstance(told.get(key), str)}
    follows = {"follows": list(map(in_page_words, told["follows"]))} if "follows" in told else {}
    return {**told, **said, **follows}


@pytest.mark.parametrize("name", FRAMES)
@pytest.mark.parametrize("trust", [False, True])
def test_odds_and_placements(command, page, name, trust):
    text = FRAMES[name]
    told = command("odds", text, *["--trust-flags"] * trust)
    answer = by_name(page("/api/analysis", text, trust_flags=trust), Frame.parse(text).board)
    assert set(told) == {"odds", "flag", "reveal", "ln_placements", "placements"}
    assert {key: answer[key] for key in told} == told


@pytest.mark.parametrize("name", FRAMES)
def test_numbers(command, page, name):
    frame = Frame.parse(FRAMES[name])
    told = command("odds", FRAMES[name], "--numbers")["numbers"]
    assert told
    for cell in map(frame.board.cell, told):
        answer = page("/api/analysis/numbers", FRAMES[name], cell=cell)
        assert answer["numbers"] == told[frame.board.name(cell)]


@pytest.mark.parametrize("name", FRAMES)
def test_proofs(command, page, name):
    board = Frame.parse(FRAMES[name]).board
    for told in command("explain", FRAMES[name])["proofs"]:
        cell = board.cell(told["move"].split()[1])
        answer = by_name(page("/api/analysis/proof", FRAMES[name], cell=cell), board)
        assert answer.pop("difficulty") == difficulty(told["rung"])
        assert answer == in_page_words(told)


def test_some_frame_has_proofs(command):
    assert any(command("explain", text)["proofs"] for text in FRAMES.values())


@pytest.mark.parametrize("name", FRAMES)
def test_the_guess(command, page, name):
    certain = name in ("count", "no count", "flags", "interior", "torus")
    told = command("odds", FRAMES[name], "--guess", "thoughtful")["guess"]
    answer = page("/api/analysis", FRAMES[name])["guess"]
    assert (told["certain"], answer is None) == (certain, certain)
    if not certain:
        answer = by_name(answer, Frame.parse(FRAMES[name]).board)
        assert {"player": "thoughtful", **answer} == in_page_words(told)


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
@pytest.mark.parametrize("layout", ["*.\n..", "*....\n.....\n....*\n.....", "*.*..\n.....\n*...."])
def test_a_nudge(command, client, new_game, move, layout, degree):
    game = new_game(text=layout)
    move(game, "reveal", layout.replace("\n", "").rindex("."))
    text = client.get(f"/api/games/{game['id']}/share").json()["frame"]
    answer = client.post(f"/api/games/{game['id']}/nudge", json={"degree": degree}).json()
    told = command("nudge", text, "--degree", degree)
    named = by_name(answer, Frame.parse(text).board)
    assert {key: named[key] for key in told} == in_page_words(told)
