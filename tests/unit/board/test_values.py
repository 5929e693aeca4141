"""Values are immutable, hashable, comparable, and survive copying and pickling."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

import sapper
from sapper import Board, Game, Layout, Position, Rules, tiling

POSITION = "mines: 2\n1##\n1##\n###"

# Functions that make each value.
FACTORIES: dict[str, Callable[[], object]] = {
    "board": lambda: tiling("square", 5, 4),
    "graph": lambda: Board.from_edges(
        [("a", "b"), ("b", "c")], points={"a": (0, 0), "b": (1, 1), "c": (2, 0)}
    ),
    "tiling": lambda: sapper.TILINGS["torus"],
    "rules": lambda: Rules.parse("5x5/4"),
    "position": lambda: Position.parse(POSITION),
    "layout": lambda: Layout.parse("*..\n..c\n..."),
    "move": lambda: sapper.Move("reveal", 3),
    "budget": lambda: sapper.Budget(seconds=3),
    "setup": lambda: sapper.GameSetup(Rules.parse("5x5/4"), 1),
    "analysis": lambda: sapper.analyse(Position.parse(POSITION)),
    "probabilities": lambda: sapper.analyse(Position.parse(POSITION)).probabilities,
    "fractions": lambda: sapper.analyse(Position.parse(POSITION)).fractions,
    "solver result": lambda: sapper.solve(Position.parse(POSITION), "human"),
    "deduction": lambda: sapper.solve(Position.parse(POSITION), "human").deductions[0],
    "proof": lambda: sapper.explain(Position.parse(POSITION), "reveal r3c1"),
    "hint": lambda: sapper.hint(Position.parse(POSITION)),
    "grade": lambda: sapper.grade(Layout.parse("*..\n..c\n...")),
    "one-click": lambda: sapper.one_click(tiling("square", 5, 5), 3),
    "impossible": lambda: sapper.one_click(tiling("square", 5, 5), 18),
    "paper puzzle": lambda: sapper.paper_puzzle(
        sapper.paper_puzzle_rules(tiling("square", 5, 4)), seed=1
    ),
    "paper puzzle rules": lambda: sapper.paper_puzzle_rules(tiling("square", 5, 4)),
    "unique": lambda: sapper.check_paper_puzzle(Position.parse("#1.")),
    "not unique": lambda: sapper.check_paper_puzzle(Position.parse("#1#")),
    "choice": lambda: sapper.advise(Position.parse(POSITION)),
    "tally": lambda: sapper.play_many("5x5/4", games=5, seed=1),
    "step": lambda: next(sapper.watch(Game.new("5x5/4", seed=1), player="careful")),
    "no-guess": lambda: sapper.generate("5x5/4", seed=1, no_guess=True),
    "end game": lambda: sapper.endgame(Position.parse(POSITION)),
}


@pytest.mark.parametrize("make", FACTORIES.values(), ids=FACTORIES)
def test_value_is_hashable_immutable_and_survives_copying(make):
    value, other = make(), make()
    assert value == other and hash(value) == hash(other)
    assert value != "something else" and value is not None
    for copied in (copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))):
        again = copied(value)
        assert again == value and hash(again) == hash(value)
        assert repr(again) == repr(value)
    for name in [*vars(value), "anything"]:
        with pytest.raises(AttributeError):
            setattr(value, name, 5)
        with pytest.raises((AttributeError, FrozenInstanceError)):
            delattr(value, name)
    assert value == other


def test_values_cannot_be_changed():
    with pytest.raises(AttributeError, match="cannot set mines: Position is immutable"):
        Position.parse(POSITION).mines = 5
    marks = np.array([1, -1, -1], dtype=np.int32)
    position = Position(tiling("square", 3, 1), marks)
    marks[0] = 3
    assert position == Position.parse("1##")
    grade = FACTORIES["grade"]()
    grade.revealed_by_difficulty["one"] = 99
    assert grade.revealed_by_difficulty["one"] != 99


def test_arrays_cannot_be_made_writable_again():
    board, position, layout = tiling("square", 5, 4), Position.parse(POSITION), Layout.parse("*.")
    arrays = [board.offsets, board.neighbours, board.neighbour_counts, position.frontier]
    arrays += [layout.numbers]
    for value in (position, pickle.loads(pickle.dumps(position))):
        arrays.append(value.marks)
    for value in (layout, pickle.loads(pickle.dumps(layout))):
        arrays.append(value.mine_mask)
    for array in arrays:
        with pytest.raises(ValueError):
            array[0] = 1
        with pytest.raises(ValueError):
            array.setflags(write=True)


def test_boards_of_small_tilings_are_shared_and_keep_their_names():
    board = tiling("square", 5, 4)
    assert tiling("square", np.int64(5), 4) is board
    with pytest.raises(AttributeError):
        board.names.width = 7
    assert board.name(7) == "r2c3"


def test_tallies_are_compared_without_their_times():
    tally = FACTORIES["tally"]()
    assert sapper.play_many("5x5/4", games=5, seed=1, threads=2) == tally
    assert sapper.play_many("5x5/4", games=6, seed=1) != tally


def test_probabilities_return_the_default_for_cells_without_one():
    probabilities = sapper.analyse(Position.parse(POSITION)).probabilities
    assert probabilities.get("r9c9") is None and probabilities.get("r9c9", 0.5) == 0.5
    assert probabilities.get("r1c1", "shown") == "shown" and probabilities.get("r1c2") == 0.5
    assert probabilities.get(99) is None and probabilities.get(None) is None


def test_analyses_with_and_without_trusted_flags_differ():
    position = Position.parse("1F#", mines=1)
    assert sapper.analyse(position) != sapper.analyse(position, trust_flags=True)
