"""Puzzles: exact rungs, complete moves, the same for ever, and what cannot be had."""

import pytest
from tests.puzzle_checks import RUNGS_OF, by_climbing, by_reading, proved_again, some

from sapper.errors import OutOfBudget, RulesError, Unavailable, UnknownName
from sapper.generate.puzzles.make import PuzzleRules, make_puzzle, make_puzzles, puzzle_rules
from sapper.generate.puzzles.proofs import steps_to
from sapper.infer.budget import Budget
from sapper.infer.ladder.rungs import RUNGS, Rung
from sapper.model.board import Board
from sapper.model.frame import Frame
from sapper.model.move import Move
from sapper.model.rules import Rules
from sapper.model.tilings import TILINGS

KINDS = [(tiling, rung) for tiling, rungs in RUNGS_OF.items() for rung in rungs]


@pytest.mark.parametrize("tiling, rung", KINDS)
def test_the_rung_is_exact_and_no_move_is_missing(tiling, rung):
    for puzzle in some(rung, tiling, 3 if tiling == "square" else 1, seed=500):
        by_climbing(puzzle)
        by_reading(puzzle)
        proved_again(puzzle)


def test_the_same_seed_gives_the_same_puzzles_for_ever(golden):
    parts = []
    for tiling, rung in KINDS:
        for puzzle in some(rung, tiling, 1, seed=7):
            parts += [
                f"== {tiling} {rung} {puzzle.seed}",
                str(puzzle.frame),
                *puzzle.moves,
                f"{puzzle.proof.move.format(puzzle.frame.board)} by {' '.join(puzzle.hints)}",
                f"rating {puzzle.rating}",
            ]
    golden("puzzles.txt", "\n".join(parts) + "\n")


@pytest.mark.plain
def test_uncompiled_kernels_give_the_same_puzzle():
    puzzle = make_puzzle(puzzle_rules("two", size="6x6/7"), 3)
    assert str(puzzle.frame) == "mines: 7\n######\n##3###\n12F###\n.13###\n..2###\n..1###"
    assert puzzle.moves == ("flag r4c4",)


def test_puzzle_i_has_seed_s_plus_i():
    rules = puzzle_rules("one")
    assert [p.seed for p in make_puzzles(rules, 3, 40)] == [40, 41, 42]
    assert [*make_puzzles(rules, 3, 40)][2] == make_puzzle(rules, 42)


def test_single_numbers_are_asked_for_with_flags_and_without():
    puzzles = [*some("one", "square", 40, seed=1)]
    bare = [p for p in puzzles if not len(p.frame.flags)]
    assert {bool(p.reveal) for p in bare} == {False}, "a bare number gives mines alone"
    assert {bool(p.reveal) for p in puzzles if len(p.frame.flags)} == {True}
    assert 10 < len(bare) < 30


def test_moves_are_written_as_a_game_writes_them():
    puzzle = make_puzzle(puzzle_rules("three"), 2)
    board = puzzle.frame.board
    for text in puzzle.moves:
        move = Move.parse(text, board)
        assert move.cell in (puzzle.flag if move.action == "flag" else puzzle.reveal)
        assert puzzle.frame.marks[move.cell] == -1
    assert len(puzzle.moves) == len(puzzle.flag) + len(puzzle.reveal)


def test_in_a_notebook_a_puzzle_shows_its_position_and_not_its_answer():
    puzzle = make_puzzle(puzzle_rules("two"), 1)
    assert puzzle._repr_svg_() == puzzle.frame._repr_svg_()
    assert repr(puzzle) == "<Puzzle square 11x11, rung two, seed 1>"


def test_on_a_large_board_the_moves_lie_within_a_screen():
    for puzzle in make_puzzles(puzzle_rules("two", size="expert"), 5, 1):
        cells = sorted({*puzzle.flag, *puzzle.reveal})
        assert max(steps_to(puzzle.frame.board, cells[0], cells).values()) <= 8


def test_any_graph_will_do():
    ring = Board.from_edges([(f"n{i}", f"n{(i + k) % 14}") for i in range(14) for k in (1, 2)])
    puzzle = make_puzzle(puzzle_rules("one", size=Rules(ring, 4, "safe")), 1)
    by_climbing(puzzle)


def test_a_rung_of_ones_own_is_hunted_too():
    RUNGS.add(Rung("quartet", 4, False, "four hints", "four numbers together", 6), before="four")
    try:
        puzzle = make_puzzle(puzzle_rules("quartet"), 1)
        assert puzzle.rung == "quartet"
        assert len(puzzle.hints) == 4
        by_climbing(puzzle)
    finally:
        RUNGS.remove("quartet")


def test_pairs_say_nothing_where_no_two_hints_share_two_cells():
    with pytest.raises(Unavailable, match="two hints can share two cells, got triangular-edge"):
        puzzle_rules("two", "triangular-edge")


def test_what_cannot_be_found_ends_with_the_budget():
    # One opening and one mine: no three hints are ever needed.
    rules = puzzle_rules("three", size="4x1/1")
    with pytest.raises(OutOfBudget, match=r"games without such a position"):
        make_puzzle(rules, 1, Budget(seconds=0.05))


def test_rules_that_no_first_click_keeps_are_refused():
    with pytest.raises(RulesError, match="keeps the rule"):
        puzzle_rules("three", size="2x2/1")


@pytest.mark.parametrize(
    "rung, tiling, size, error, words",
    [
        ("ten", None, None, UnknownName, "expected a rung"),
        ("one", "round", None, UnknownName, "expected a tiling"),
        ("one", None, "5x5/0", RulesError, "a game with mines"),
        ("one", "torus", Rules.parse("9x9/10"), RulesError, "tiling 'torus'"),
    ],
)
def test_wrong_wishes_are_told_in_one_line(rung, tiling, size, error, words):
    with pytest.raises(error, match=words):
        puzzle_rules(rung, tiling, size)


def test_seeds_have_an_end():
    with pytest.raises(RulesError, match="expected seeds below"):
        next(make_puzzles(puzzle_rules("one"), 2, 2**64 - 1))


def test_every_tiling_has_a_board_that_fits_a_screen():
    for name in TILINGS:
        rules = puzzle_rules("one", name).rules
        assert len(rules.board) <= 121
        assert rules.board.tiling == name
    assert isinstance(puzzle_rules("two"), PuzzleRules)
    assert make_puzzle(puzzle_rules("one"), 1).frame.mines == 25
    assert isinstance(make_puzzle(puzzle_rules("one"), 1).frame, Frame)
