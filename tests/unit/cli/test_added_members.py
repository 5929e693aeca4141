"""An entry added to a registry at run time works in all commands."""

import json
from contextlib import contextmanager
from dataclasses import replace

import pytest

from sapper import DIFFICULTIES, FORMATS, PLAYERS, SOLVERS, TILINGS, Move, Position, generate
from sapper.board.tilings import Tiling
from sapper.formats.registry import Format
from sapper.players.agents import Choice
from sapper.players.guess import Guess
from sapper.players.player import Player
from sapper.proofs.difficulty import Difficulty
from sapper.solvers.registry import Solver
from sapper.solvers.result import Deduction, SolverResult
from sapper.worksheets.probabilities import PROBABILITIES
from sapper.worksheets.registry import WORKSHEET_KINDS

CROSS = Tiling(
    name="cross",
    about="squares, 4 neighbours: those that share a side",
    parity="none",
    steps=(((-1, 0), (0, -1), (0, 1), (1, 0)),),
    outline=TILINGS["square"].outline,
    neighbours_text="The 4 cells that share a side with a cell are next to it.",
    example=(3, 3, "r2c2"),
)


@contextmanager
def added(registry, entry, before=None):
    registry.add(entry, before)
    try:
        yield
    finally:
        registry.remove(entry.name)


# A tiling.


@pytest.fixture
def cross():
    with added(TILINGS, CROSS):
        yield


def test_added_tiling_is_generated_shown_and_solved(sapper, run_on_text, cross):
    status, text, _ = sapper("generate", "5x4/3", "--tiling", "cross", "--seed", 1)
    assert status == 0 and text.startswith("layout: cross 5x4\n")
    assert run_on_text("convert", text, "--to", "layout")[1] == text
    position = "board: cross 3x1\nmines: 1\n1##"
    assert json.loads(run_on_text("solve", position, "--json")[1])["certain_mines"] == ["r1c2"]
    assert sapper("watch", "5x5/3", "--tiling", "cross", "--seed", 2, "--plain")[0] == 0


def test_added_tiling_has_worksheets(sapper, tmp_path, cross):
    file = tmp_path / "sheet.svg"
    command = ("worksheet", "5x5", "--tiling", "cross", "--count", 2, "--seed", 3, "-o", file)
    assert sapper(*command)[0] == 0
    assert "The 4 cells that share a side" in file.read_text()


def test_added_kind_of_worksheet_is_made(run_json, sapper):
    sums = replace(PROBABILITIES, name="sum", about="add the numbers", json_key="sums")
    with added(WORKSHEET_KINDS, sums):
        assert len(run_json("worksheet", "5x5", "--kind", "sum", "--count", 2)["sums"]) == 2
        assert "Add the numbers: square 5x5" in sapper("worksheet", "5x5", "--kind", "sum")[1]


def test_removed_tiling_is_unknown(sapper):
    assert "no such tiling" in sapper("generate", "5x4/3", "--tiling", "cross")[2]


# A solver.


def ones_beside_one_covered(position, limit, trust_flags):
    cells = [
        position.covered_around(cell)[0]
        for cell in position.frontier_numbers.tolist()
        if position.remaining_mines(cell) == 1 and len(position.covered_around(cell)) == 1
    ]
    found = Deduction("ones", flag=tuple(sorted(set(cells))))
    return SolverResult(position, (found,) if found else ())


def test_added_solver_solves_and_is_watched(run_on_text, sapper):
    with added(SOLVERS, Solver("ones", "ones beside one covered cell", ones_beside_one_covered)):
        answer = json.loads(run_on_text("solve", "1#\n11", "--solver", "ones", "--json")[1])
        assert (answer["solver"], answer["certain_mines"]) == ("ones", ["r1c2"])
        status, out, _ = sapper("watch", "6x6/4", "--solver", "ones", "--seed", 1, "--plain")
        assert status == 0 and "ones: " in out.splitlines()[-1]
    assert "no such solver" in run_on_text("solve", "1#", "--solver", "ones")[2]


# A player.


class FirstCovered:
    def __init__(self, position):
        self.position = position

    def choose(self, limit):
        covered = self.position.covered.tolist()
        return Choice(Move("reveal", covered[0]), Guess(covered[0], len(covered)))

    def update(self, changes):
        self.position = self.position.with_marks(changes)


def test_added_player_works_in_watch_analyse_and_lab_run(run_on_text, run_json, sapper, tmp_path):
    def make(position, seed, settings):
        return FirstCovered(position)

    with added(PLAYERS, Player("first", "the first covered cell", make)):
        status, out, _ = sapper("watch", "5x5/3", "--player", "first", "--seed", 1, "--plain")
        assert status == 0 and "guess" in out
        answer = json.loads(run_on_text("analyse", "# 1 #", "--guess", "first", "--json")[1])
        assert answer["guess"]["move"] == "reveal r1c1"
        # One worker runs in this process, in which the player is registered.
        run = ("lab", "run", "5x5/3", "--player", "first", "--games", 20, "--seed", 1)
        row = run_json(*run, "--jobs", 1, "--out", tmp_path / "first.db")
        assert (row["games"], row["player"]) == (20, "first")


# A difficulty.


def test_added_difficulty_is_graded(run_on_text):
    text = str(generate("expert", seed=18, rule="safe").layout)
    before = json.loads(run_on_text("grade", text, "--json")[1])["revealed_by_difficulty"]
    quartet = Difficulty(
        name="quartet",
        numbers=4,
        uses_mine_count=False,
        about="four numbers",
        text="four numbers",
        label="four numbers",
    )
    with added(DIFFICULTIES, quartet, before="four"):
        after = json.loads(run_on_text("grade", text, "--json")[1])["revealed_by_difficulty"]
    assert list(after) == ["one", "two", "three", "quartet", "four", "count"]
    assert before["four"] > 0 and after["quartet"] > 0 and after["four"] < before["four"]


# A format.


def reverse_lines(text):
    return "".join(line[::-1] + "\n" for line in text.splitlines())


def test_added_format_is_detected_read_and_written(run_on_text):
    entry = Format(
        name="reversed",
        about="a position read from right to left",
        result_types=(Position,),
        sniff=lambda text: text.startswith("reversed\n"),
        read=lambda text, kind: Position.parse(reverse_lines(text.removeprefix("reversed\n"))),
        write=lambda position: "reversed\n" + reverse_lines(str(position)),
    )
    with added(FORMATS, entry):
        assert run_on_text("convert", "1#F", "--to", "reversed")[1] == "reversed\nF#1\n"
        assert run_on_text("convert", "reversed\nF#1\n", "--to", "position")[1] == "1#F\n"
        answer = json.loads(run_on_text("solve", "reversed\n#1", "--json")[1])
        assert answer["certain_mines"] == ["r1c2"]
