"""Commands and the page give the same answers, with cell names or with indices."""

from tests.unit.web.features.test_web_analyse import POSITIONS
from tests.unit.web.features.test_web_watch import watch_to_the_end

from sapper import DIFFICULTIES, Position

ONE_CELL = ("cell",)
MANY_CELLS = ("numbers", "look", "certain_mines", "safe", "cells")


def by_name(answer, board):
    """Return an answer of the page with names for cells, and moves as texts."""
    if isinstance(answer, list):
        return [by_name(item, board) for item in answer]
    if not isinstance(answer, dict):
        return answer
    named = {key: by_name(value, board) for key, value in answer.items() if key != "pieces"}
    for key in named.keys() & set(MANY_CELLS):
        named[key] = [board.name(cell) for cell in named[key]]
    for key in named.keys() & set(ONE_CELL):
        named[key] = board.name(named[key])
    if "action" in named:
        named["move"] = f"{named.pop('action')} {named.pop('cell')}"
    if "moves" in named:
        named["moves"] = [move["move"] for move in named["moves"]]
    if "cells" in named:
        named["probabilities"] = dict(zip(named.pop("cells"), named["probabilities"], strict=True))
    return named


def test_probabilities_and_solutions_agree(command, page):
    for name in POSITIONS:
        for trust in [False, True]:
            text = POSITIONS[name]
            expected = command("analyse", text, *["--trust-flags"] * trust)
            answer = by_name(
                page("/api/analysis", text, trust_flags=trust), Position.parse(text).board
            )
            assert set(expected) == {
                "probabilities",
                "safe",
                "certain_mines",
                "ln_solutions",
                "solutions",
            }
            assert {key: answer[key] for key in expected} == expected


def test_values_agree(command, page):
    for name in POSITIONS:
        position = Position.parse(POSITIONS[name])
        expected = command("analyse", POSITIONS[name], "--values")["values"]
        assert expected
        for cell in map(position.board.cell, expected):
            answer = page("/api/analysis/values", POSITIONS[name], cell=cell)
            assert answer["values"] == expected[position.board.name(cell)]


def test_proofs_agree(command, page):
    for name in POSITIONS:
        board = Position.parse(POSITIONS[name]).board
        for expected in command("explain", POSITIONS[name])["proofs"]:
            cell = board.cell(expected["move"].split()[1])
            answer = by_name(page("/api/analysis/proof", POSITIONS[name], cell=cell), board)
            assert answer.pop("difficulty_text") == DIFFICULTIES[expected["difficulty"]].text
            assert answer == expected


def without_win_chances(guess):
    """Remove the win chances of candidates, which only the command estimates."""
    estimated = {"win_chance", "error", "samples"}
    candidates = [
        {key: value for key, value in candidate.items() if key not in estimated}
        for candidate in guess["candidates"]
    ]
    return {**guess, "candidates": candidates}


def test_guesses_agree(command, page):
    for name in POSITIONS:
        certain = name in ("count", "no count", "flags", "interior", "torus")
        expected = command("analyse", POSITIONS[name], "--guess", "thoughtful")["guess"]
        answer = page("/api/analysis", POSITIONS[name])["guess"]
        assert (expected["certain"], answer is None) == (certain, certain)
        if not certain:
            answer = by_name(answer, Position.parse(POSITIONS[name]).board)
            assert {"player": "thoughtful", **without_win_chances(answer)} == without_win_chances(
                expected
            )


def test_hints_agree(command, client, new_game, move):
    for detail in [1, 2, 3, 4]:
        for layout in ["*.\n..", "*....\n.....\n....*\n.....", "*.*..\n.....\n*...."]:
            game = new_game(text=layout)
            move(game, "reveal", layout.replace("\n", "").rindex("."))
            text = client.get(f"/api/games/{game['id']}/share").json()["position"]
            answer = client.post(f"/api/games/{game['id']}/hint", json={"detail": detail}).json()
            expected = command("hint", text, "--detail", detail)
            named = by_name(answer, Position.parse(text).board)
            assert {key: named[key] for key in expected} == expected


def test_watched_steps_agree(client, sapper):
    for kind, name in [("solver", "hybrid"), ("player", "careful")]:
        options = (f"--{kind}", name, "--seed", 7, "--plain", "--first", "r2c3")
        printed = sapper("watch", "beginner", *options)[1]
        request = {"size": "beginner", "seed": "7", "kind": kind, "name": name, "first": 11}
        watched = client.post("/api/watch", json=request).json()
        steps, end = watch_to_the_end(client, watched)
        lines = [f"{step['move']}: {step['reason']}" for step in steps]
        assert len(lines) > 5
        assert printed.startswith("\n".join(lines) + "\n")
        assert printed.endswith(end["summary"] + "\n")
