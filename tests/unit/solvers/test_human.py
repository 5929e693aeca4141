"""The human-like algorithm in positions and games, and its compiled version."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import boards, layouts, positions, true_positions

from sapper import Contradiction, Game, Layout, Position, solve
from sapper.board.position import FLAG
from sapper.solvers.human import HumanSolver, solve_compiled
from sapper.solvers.result import SolverResult

pytestmark = pytest.mark.plain


def play_out(layout, first):
    """Play a game with the Python solver; return the game, the solver and its deductions."""
    game = Game.from_layout(layout)
    game.play(f"reveal {layout.board.name(first)}")
    solver = HumanSolver(game.position)
    deductions = []
    while moves := solver.moves():
        deductions += moves
        for move in moves:
            for action, cells in (("flag", move.flag), ("reveal", move.reveal)):
                for cell in cells:
                    if not game.over and game.position.marks[cell] == -1:
                        changed = game.play(f"{action} {layout.board.name(cell)}")
                        solver.update({int(c): int(game.position.marks[c]) for c in changed})
    return game, solver, deductions


def python_solver(position):
    return SolverResult(position, tuple(HumanSolver(position).moves()))


def answer(solver, position):
    try:
        result = solver(position)
    except Contradiction:
        return "contradiction"
    return result.certain_mines, result.safe


def test_strategies_solve_the_figures_of_the_paper():
    position = Position.parse("#####\n#F###\n#232#\n#111#\n#####")
    assert {"r2c3", "r2c4"} <= set(solve(position, "human").certain_mines)
    result = solve(Position.parse("#######\n#32212#\n#1...1#"), "human")
    assert (result.certain_mines, result.safe) == (("r1c3",), ("r1c6",))


def test_position_that_needs_three_numbers_at_once_is_not_solved():
    position = Position.parse("#####\n#222#\n#2.2#\n#222#\n#####")
    assert HumanSolver(position).moves() == []


def test_cell_that_was_just_revealed_is_active():
    game, _, _ = play_out(Layout.parse("*..*"), 1)
    assert str(game.position).splitlines()[1] == "#1##"
    layout = Layout.parse("*..*")
    game = Game.from_layout(layout)
    game.play("flag r1c1")
    game.play("reveal r1c2")
    solver = HumanSolver(game.position)
    assert [d.reveal for d in solver.moves()] == [(2,)]
    changed = game.play("reveal r1c3")
    solver.update({int(c): int(game.position.marks[c]) for c in changed})
    assert [(d.by, d.flag, d.number_cells) for d in solver.moves()] == [("strategy 1", (3,), (2,))]


def test_strategy_uses_the_conclusions_of_the_previous_one():
    # With stale values, strategy 3 would flag r1c3 again after strategy 1 has.
    deductions = HumanSolver(Position.parse("##\n22")).moves()
    assert [(d.by, d.flag, d.reveal) for d in deductions] == [("strategy 1", (0, 1), ())]


def test_number_is_not_paired_with_itself():
    # A pair of a number with itself would share all covered cells.
    solver = HumanSolver(Position.parse("#1#"))
    assert solver._overlapping_numbers(1) == []
    assert solver.moves() == []


def test_removed_flag_discards_all_conclusions():
    position = Position.parse("F1#")
    solver = HumanSolver(position)
    assert [d.reveal for d in solver.moves()] == [(2,)]
    solver.update({0: -1})
    assert solver.moves() == []
    solver.update({2: FLAG})
    assert [d.reveal for d in solver.moves()] == [(0,)]


def test_contradiction_after_conclusions_names_all_numbers_behind_it():
    solver = HumanSolver(Position.parse("1#"))
    assert [d.flag for d in solver.moves()] == [(1,)]
    solver.update({1: 0})
    with pytest.raises(Contradiction) as caught:
        solver.moves()
    assert caught.value.number_cells == (0,)
    with pytest.raises(Contradiction) as caught:
        HumanSolver(Position.parse("1#2#1#1")).moves()
    assert caught.value.number_cells == (2, 4, 6)


@settings(max_examples=120)
@given(positions() | true_positions())
def test_compiled_solver_equals_the_python_solver(position):
    assert answer(solve_compiled, position) == answer(python_solver, position)


@given(layouts(boards(7)), st.integers(0))
def test_visits_of_a_cell_are_at_most_its_neighbours_plus_one(layout, start):
    safe = [c for c in layout.board.cells if not layout.mine_mask[c]]
    if safe:
        _, solver, _ = play_out(layout, safe[start % len(safe)])
        visits = solver.visits
        assert all(visits[c] <= layout.board.neighbour_count(c) + 1 for c in layout.board.cells)


@settings(max_examples=30)
@given(layouts(boards(5)))
def test_updated_solver_agrees_with_a_new_solver_at_the_end(layout):
    safe = [c for c in layout.board.cells if not layout.mine_mask[c]]
    if safe:
        game, solver, _ = play_out(layout, safe[0])
        assert solver.position.marks.tolist() == game.position.marks.tolist()
        if not game.over:
            assert HumanSolver(game.position).moves() == []
