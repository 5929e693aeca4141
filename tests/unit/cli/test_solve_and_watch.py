import json
from functools import partial

import pytest

from sapper.solvers.registry import SOLVERS

PAPERS = ("human", "brute-board", "brute", "backtrack", "hybrid")
RING = "#####\n#222#\n#2.2#\n#222#\n#####\n"
PAIR = "#######\n#32212#\n#1...1#\n"


@pytest.fixture
def watch(sapper):
    return partial(sapper, "watch")


@pytest.mark.parametrize("solver", PAPERS)
def test_the_answer_as_json_has_the_promised_keys(ask, solver):
    status, out, err = ask("solve", PAIR, "--solver", solver, "--json")
    answer = json.loads(out)
    assert (status, err) == (0, "")
    assert list(answer) == ["solver", "flag", "reveal", "solutions", "seconds"]
    assert answer["solver"] == solver
    assert answer["flag"] == ["r1c3"] or solver != "human"
    assert set(answer["flag"]) >= {"r1c3"} and set(answer["reveal"]) >= {"r1c6"}
    assert (answer["solutions"] is None) == (solver in ("human", "hybrid"))


def test_the_moves_come_with_their_reasons(ask):
    status, out, _ = ask("solve", PAIR, "--solver", "human")
    assert status == 0
    assert out.splitlines()[3:] == [
        "flag r1c3",
        "reveal r1c6",
        "",
        "strategy 4 on r2c4 and r2c5: flag r1c3",
        "strategy 6 on r2c4 and r2c5: reveal r1c6",
    ]


def test_no_certain_move_is_an_answer(ask):
    assert ask("solve", RING, "--solver", "human")[:2] == (0, "no certain move\n")
    _, out, _ = ask("solve", RING, "--solver", "human", "--json")
    assert (json.loads(out)["flag"], json.loads(out)["reveal"]) == ([], [])


@pytest.mark.parametrize("solver", PAPERS)
def test_a_wrong_flag_is_a_contradiction_and_names_the_number(ask, solver):
    status, out, err = ask("solve", "F.#\n", "--solver", solver)
    assert (status, out) == (1, "")
    assert err == "sapper: expected at most 0 flags around the number 0 at r1c2, got 1\n"


def test_beyond_the_budget_is_said_at_once(ask):
    position = "1" + "#" * 40 + "\n" + "#" * 41 + "\n"
    status, out, err = ask("solve", position, "--solver", "brute-board")
    assert (status, out) == (1, "")
    assert (
        err == "sapper: expected at most 23 covered cells for brute-board in 20 seconds, got 81\n"
    )


def test_an_unknown_solver_and_bad_numbers_are_bad_input(ask):
    status, _, err = ask("solve", RING, "--solver", "oracle")
    assert status == 2
    names = ", ".join(row.name for row in SOLVERS.values())
    assert err == f"sapper: no such solver 'oracle'; choose from {names}\n"
    for option in ("--seconds", "--memory"):
        for value in ("0", "-1", "soon", "nan"):
            assert ask("solve", RING, option, value)[0] == 2


def test_a_layout_or_nonsense_is_bad_input(ask):
    assert ask("solve", "layout: square 2x1\n*.\n")[0] == 2
    assert ask("solve", "")[0] == 2


def test_watching_tells_every_move_and_sums_up(watch):
    status, out, err = watch("beginner", "--solver", "human", "--seed", 4, "--plain")
    lines = out.splitlines()
    assert (status, err) == (0, "seed 4\n")
    assert lines[0] == "reveal r5c5: first click"
    assert "flag r8c1: strategy 4 on r6c2 and r7c2" in lines
    assert lines[-1].startswith("won after 20 moves (first click: 1, strategy 1: 3")


def test_a_stuck_solver_stops_and_says_so(watch):
    status, out, _ = watch("expert", "--seed", 3, "--plain")
    assert status == 0
    assert out.splitlines()[-1].startswith(
        "stuck with 155 covered cells left (no certain move) after"
    )


def test_a_solver_beyond_its_budget_stops_and_says_so(watch):
    status, out, _ = watch("expert", "--solver", "brute-board", "--seed", 4, "--plain")
    assert status == 0
    assert "(expected at most 23 covered cells for brute-board in 20 seconds, got " in out


def test_a_first_click_on_a_mine_is_lost(watch):
    status, out, _ = watch("2x2/3", "--rule", "any", "--first", "r1c1", "--seed", 1, "--plain")
    assert status == 0
    assert out.splitlines()[-1] == "lost at r1c1 after 1 move (first click: 1)"


@pytest.mark.parametrize("solver", PAPERS)
@pytest.mark.parametrize("tiling", ["torus", "hexagonal", "triangular", "triangular-edge"])
def test_every_solver_plays_on_every_tiling(watch, solver, tiling):
    status, out, _ = watch("5x4/2", "--solver", solver, "--tiling", tiling, "--seed", 1, "--plain")
    assert status == 0
    assert out.splitlines()[-1].startswith(("won", "stuck"))


@pytest.mark.parametrize(
    "arguments",
    [
        ("9x9",),
        ("9x9/80",),
        ("beginner", "--solver", "oracle"),
        ("beginner", "--first", "r0c0"),
        ("beginner", "--rule", "kind"),
        ("beginner", "--solver", ""),
        ("beginner", "--pace", "-1"),
        ("beginner", "--pace", "nan"),
        ("beginner", "--seed", "-1"),
        ("beginner", "--tiling", "round"),
    ],
)
def test_what_cannot_be_watched_is_bad_input(watch, arguments):
    status, out, err = watch(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("sapper: ") and err.count("\n") == 1


def test_on_a_terminal_the_board_is_drawn_in_place(terminal):
    shown = terminal("watch", "beginner", "--seed", 4, "--pace", 0)
    assert (shown.status, shown.error) == (0, "seed 4\n")
    assert b"\x1b[" in shown.raw
    assert "won after 20 moves" in shown.text


def test_the_reasons_are_seen_on_a_terminal_lower_than_the_board(terminal):
    shown = terminal("watch", "beginner", "--seed", 4, "--pace", 0, lines=9)
    assert "reveal r5c5: first click" in shown.text
