"""Training puzzles: exact difficulties, complete moves, the same puzzle for a seed."""

import pytest
from tests.boards import ring
from tests.error_messages import assert_refused
from tests.puzzle_checks import KINDS, check_by_steps, generate_puzzles

from sapper import TILINGS, Budget, Rules
from sapper.errors import OutOfBudget, RulesError, Unavailable
from sapper.generators.puzzle_search import PositionSearch, distances
from sapper.generators.puzzles import puzzle as find_puzzle
from sapper.generators.puzzles import puzzle_rules
from sapper.generators.puzzles import puzzles as find_puzzles
from sapper.proofs.difficulty import DIFFICULTIES


def test_puzzles_match_the_golden_file(golden):
    parts = []
    for tiling, difficulty in KINDS:
        for puzzle in generate_puzzles(difficulty, tiling, 1, seed=7):
            parts += [
                f"== {tiling} {difficulty} {puzzle.seed}",
                str(puzzle.position),
                *puzzle.moves,
                f"{puzzle.proof.move.format(puzzle.position.board)} by {' '.join(puzzle.numbers)}",
                f"rating {puzzle.rating}",
            ]
    golden("puzzles.txt", "\n".join(parts) + "\n")


@pytest.mark.plain
def test_plain_and_compiled_kernels_make_the_same_puzzle():
    puzzle = find_puzzle(puzzle_rules("two", size="6x6/7"), 3)
    assert str(puzzle.position) == "mines: 7\n######\n##3###\n12F###\n.13###\n..2###\n..1###"
    assert puzzle.moves == ("flag r4c4",)


def test_puzzles_have_consecutive_seeds():
    rules = puzzle_rules("one")
    assert [p.seed for p in find_puzzles(rules, 3, 40)] == [40, 41, 42]
    assert [*find_puzzles(rules, 3, 40)][2] == find_puzzle(rules, 42)


def test_difficulty_one_has_puzzles_with_and_without_flags():
    puzzles = [*generate_puzzles("one", "square", 40, seed=1)]
    without = [p for p in puzzles if not len(p.position.flags)]
    assert {bool(p.reveal) for p in without} == {False}, "without flags a number gives only mines"
    assert {bool(p.reveal) for p in puzzles if len(p.position.flags)} == {True}
    assert 10 < len(without) < 30


def test_notebook_shows_the_position_without_the_answer():
    puzzle = find_puzzle(puzzle_rules("two"), 1)
    assert puzzle._repr_svg_() == puzzle.position._repr_svg_()
    assert repr(puzzle) == "<Puzzle square 11x11, difficulty two, seed 1>"


def test_moves_fit_on_a_screen_and_the_default_board_on_a_phone():
    for puzzle in find_puzzles(puzzle_rules("two", size="expert"), 5, 1):
        cells = sorted({*puzzle.flag, *puzzle.reveal})
        assert max(distances(puzzle.position.board, cells[0], cells).values()) <= 8
    for name in TILINGS:
        rules = puzzle_rules("one", name).rules
        assert len(rules.board) <= 121
        assert rules.board.tiling == name
    assert find_puzzle(puzzle_rules("one"), 1).position.mines == 25


def test_puzzles_are_found_on_a_graph_and_for_an_added_difficulty(quartet):
    rules = Rules(ring(14, (1, 2)), 4, "safe")
    check_by_steps(find_puzzle(puzzle_rules("one", size=rules), 1))
    puzzle = find_puzzle(puzzle_rules(quartet), 1)
    assert (puzzle.difficulty, len(puzzle.numbers)) == (quartet, 4)
    check_by_steps(puzzle)


@pytest.mark.parametrize(("rule", "cells"), [("zero", {0, 2, 6, 8}), ("safe", set(range(9)))])
def test_games_begin_with_any_click_that_the_rule_allows(rule, cells):
    # With five mines on 3x3 cells, only a corner can be a zero.
    search = PositionSearch(Rules.parse("3x3/5", rule=rule), DIFFICULTIES["one"])
    assert set(search._first_clicks.tolist()) == cells
    layouts = [search._random_layout() for _ in range(100)]
    assert {layout.click for layout in layouts} == cells
    assert all(layout.mine_count == 5 for layout in layouts)
    assert not any(layout.mine_mask[layout.click] for layout in layouts)
    if rule == "zero":
        assert not any(layout.numbers[layout.click] for layout in layouts)


def test_search_stops_at_the_deadline():
    # With one mine in a row, three numbers are never needed.
    rules = puzzle_rules("three", size="4x1/1")
    with pytest.raises(OutOfBudget, match=r"games without such a position"):
        find_puzzle(rules, 1, Budget(seconds=0.05))


def test_impossible_rules_are_refused():
    cases = [
        (("ten",), "no such difficulty"),
        (("one", "round"), "no such tiling"),
        (("one", ""), "no such tiling"),
        (("one", None, "5x5/0"), "puzzles need games with mines"),
        (("one", "torus", Rules.parse("9x9/10")), "tiling 'torus'"),
        (("three", None, "2x2/1"), "keeps the rule"),
        (("two", "triangular-edge"), "on triangular-edge .*: no two numbers share two cells"),
    ]
    assert_refused(lambda arguments: puzzle_rules(*arguments), cases, (RulesError, Unavailable))
    cases = [((count, 1), "expected at least 1 puzzle") for count in (0, -1)]
    cases += [((2, 2**64 - 1), "expected seeds below")]
    rules = puzzle_rules("one")
    assert_refused(lambda given: next(find_puzzles(rules, *given)), cases, RulesError)
