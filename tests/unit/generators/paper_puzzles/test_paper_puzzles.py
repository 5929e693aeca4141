"""Paper puzzles have exactly one solution and follow their rules."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from tests.boards import star
from tests.error_messages import assert_refused
from tests.oracle import naive
from tests.time_limits import assert_ends

from sapper import TILINGS, Board, Budget, Layout, Position, tiling
from sapper.board.random_stream import RandomStream
from sapper.errors import Contradiction, OutOfBudget, RulesError, Unavailable
from sapper.generators.paper_puzzles.drawing import OPEN_SETS, draw_varied, open_cells
from sapper.generators.paper_puzzles.make import check_paper_puzzle, paper_puzzle, paper_puzzles
from sapper.generators.paper_puzzles.rules import paper_difficulties, paper_puzzle_rules
from sapper.generators.paper_puzzles.theorems import count_paper_puzzles
from sapper.generators.paper_puzzles.uniqueness import (
    Variables,
    exactly,
    fewest_by_deduction,
    fewest_by_sat,
    is_satisfiable,
    new_sat_solver,
    solutions,
)
from sapper.proofs.paper import solve_on_paper

PAPER_EXAMPLE = """
    1 # 1 # 1 # 1
    # 2 # 2 # 1 #
    1 # 3 # 2 # 1
    # 1 # 3 # 2 #
"""
PAPER_MINES = """
    . . . . . * .
    * . * . . . .
    . . . * . . .
    . . * . * . *
"""


def square(width, height):
    return tiling("square", width, height)


def test_papers_right_example_has_its_one_solution():
    layout = Layout.parse(PAPER_MINES)
    position = Position.parse(PAPER_EXAMPLE)
    assert layout.position(np.flatnonzero(open_cells(layout.board, "checkerboard"))) == position
    puzzle = check_paper_puzzle(position).puzzle
    assert list(puzzle.mine_cells) == layout.mine_cells.tolist()
    assert (puzzle.difficulty, puzzle.unique_by) == ("one", "theorem")
    assert puzzle.reason == "theorem 2: gcd(7 + 1, 4 + 1) = 1"


def test_positions_with_several_solutions_show_two_of_them():
    check = check_paper_puzzle(Position.parse("1 #\n# 1"))
    assert check.puzzle is None
    assert sorted(check.solutions) == [("r1c2",), ("r2c1",)]
    assert len(set(check_paper_puzzle(Position.parse("0 # #")).solutions)) == 2
    assert check_paper_puzzle(Position.parse("1 F\n# 1", mines=1)).puzzle is None
    with pytest.raises(Contradiction) as caught:
        check_paper_puzzle(Position.parse("3 #\n# 1"))
    assert caught.value.number_cells == (0,)


def test_formula_too_hard_for_the_solver_stops_at_the_deadline():
    # Eleven pigeons in ten holes: a hard formula for any SAT solver.
    holes = range(10)
    clauses = [[11 * hole + pigeon + 1 for hole in holes] for pigeon in range(11)]
    pairs = [(a, b) for a in range(11) for b in range(a)]
    clauses += [[-(11 * hole + a + 1), -(11 * hole + b + 1)] for hole in holes for a, b in pairs]
    with new_sat_solver() as solver, pytest.raises(OutOfBudget, match="uniqueness is not decided"):
        solver.append_formula(clauses)
        is_satisfiable(solver, Budget().start().within(0))


@pytest.mark.parametrize("name", TILINGS)
def test_small_puzzle_has_exactly_its_solution_by_brute_force(name):
    # Three rows, so that triangles with their neighbour below have an open row there.
    for open_set in OPEN_SETS:
        puzzle = paper_puzzle(paper_puzzle_rules(tiling(name, 4, 3), open_set=open_set), seed=1)
        assert naive.solutions(puzzle.position) == [set(puzzle.mine_cells)]


def test_two_solutions_by_sat_are_two_of_those_by_brute_force():
    for seed in range(40):
        stream = RandomStream(seed)
        board = tiling(list(TILINGS)[seed % 5], 4, 3)
        layout = Layout(board, [stream.bernoulli(0.3) for _ in board.cells])
        shown = [c for c in board.cells if not layout.mine_mask[c] and stream.bernoulli(0.5)]
        position = layout.position(shown)
        found = [set(mines.tolist()) for mines in solutions(position)]
        every = naive.solutions(position)
        assert all(mines in every for mines in found)
        assert len(found) == min(2, len(every))


def test_position_without_covered_cells_has_one_solution():
    assert [mines.tolist() for mines in solutions(Position.parse("..\n.."))] == [[]]


@pytest.mark.parametrize("size", [0, 1, 4, 11])
def test_clauses_of_a_number_have_its_mines_in_every_solution(size):
    # A totalizer is used instead of plain clauses for some counts around 11 cells.
    limit, cells = Budget().start(), list(range(size))
    for count in range(-1, size + 2):
        mines = [cell for cell in cells if cell < count]
        with new_sat_solver() as solver:
            solver.append_formula(exactly(count, cells, Variables(size)))
            assert is_satisfiable(solver, limit) == (0 <= count <= size)
            for other in range(size + 1):
                literals = [cell + 1 if cell < other else -cell - 1 for cell in cells]
                expected = other == len(mines) == count
                assert is_satisfiable(solver, limit, literals) == expected


def test_number_with_many_neighbours_has_one_solution_only_for_none_or_all():
    for count in (0, 1, 7, 13, 14):
        assert (len(solutions(Position.of(star(14), {"hub": count}))) == 1) == (count in (0, 14))
    with pytest.raises(Contradiction):
        solutions(Position.of(star(14), {"hub": 14, "leaf3": 0}))


@pytest.mark.parametrize("max_side", [7, pytest.param(20, marks=pytest.mark.slow)])
def test_varied_puzzles_exist_on_nearly_every_size(max_side):
    refused, tries = set(), []
    for size in product(range(1, max_side + 1), repeat=2):
        try:
            puzzle = paper_puzzle(paper_puzzle_rules(square(*size), method="varied"), seed=1)
        except (Unavailable, RulesError):
            refused.add(size)
            continue
        tries.append(puzzle.tries)
        position = puzzle.position
        for number in position.revealed.tolist():
            assert 0 < position.marks[number] < len(position.covered_around(number))
    sides = range(1, max_side + 1)
    assert refused == {(1, n) for n in sides} | {(n, 1) for n in sides} | {(2, 2), (3, 3)}
    assert np.mean(tries) < 1.6


def failed_draws(width, height):
    """Count the varied draws of 200 seeds that fail."""
    is_open = open_cells(square(width, height), "checkerboard")
    streams = map(RandomStream, range(200))
    draws = [draw_varied(square(width, height), is_open, 0.5, stream) for stream in streams]
    return sum(mines is None for mines in draws)


def test_varied_draw_may_fail_if_the_last_corner_is_open():
    for size in [(5, 4), (4, 5), (8, 9)]:
        assert failed_draws(*size) == 0
    # The paper says the opposite.
    assert 0 < failed_draws(5, 5) < 100


def test_reason_is_given_where_no_varied_puzzle_exists():
    for size, reason in [
        ((2, 2), "same numbers"),
        ((3, 3), "same numbers"),
        ((1, 7), "0 or all"),
        ((7, 1), "0 or all"),
    ]:
        with pytest.raises(Unavailable, match=reason):
            paper_puzzle(paper_puzzle_rules(square(*size), method="varied"), seed=1)


def test_too_many_different_puzzles_are_refused_with_their_number():
    rules = paper_puzzle_rules(square(3, 3))
    assert count_paper_puzzles(rules.board, open_cells(rules.board, "checkerboard")) == 13
    assert len({puzzle.position for puzzle in paper_puzzles(rules, 13, seed=1)}) == 13
    with pytest.raises(Unavailable, match="there are only 13 paper puzzles of square 3x3"):
        list(paper_puzzles(rules, 14, seed=1))


def test_puzzle_is_fixed_by_its_seed():
    rules = paper_puzzle_rules(square(9, 10), difficulty="two")
    puzzles = list(paper_puzzles(rules, 5, seed=11))
    for puzzle in puzzles:
        assert paper_puzzle(rules, puzzle.seed).position == puzzle.position
    assert len({puzzle.position for puzzle in puzzles}) == 5


@pytest.mark.parametrize("name", TILINGS)
@pytest.mark.parametrize("difficulty", ["one", "two", "three"])
def test_difficulty_is_needed_and_enough(name, difficulty):
    if (name, difficulty) == ("triangular-edge", "two"):
        with pytest.raises(Unavailable, match="no two cells have two neighbours in common"):
            paper_puzzle_rules(tiling(name, 8, 8), difficulty=difficulty)
        return
    rules = paper_puzzle_rules(tiling(name, 8, 8), difficulty=difficulty)
    max_numbers = 1 + paper_difficulties().index(difficulty)
    for puzzle in paper_puzzles(rules, 3, seed=5):
        assert puzzle.difficulty == difficulty
        assert solve_on_paper(puzzle.position, max_numbers).solved
        assert max_numbers == 1 or not solve_on_paper(puzzle.position, max_numbers - 1).solved


def test_mine_density_is_respected():
    board = square(29, 30)
    for density in (0.1, 0.3, 0.7):
        puzzle = paper_puzzle(paper_puzzle_rules(board, mine_density=density), seed=3)
        assert abs(len(puzzle.mine_cells) / (len(board) / 2) - density) < 0.07


def safe_cells(layout, seed):
    """Return the safe cells of a layout in a random order."""
    return RandomStream(seed).shuffled(np.flatnonzero(layout.mine_mask == 0).astype(np.int32))


def test_no_number_can_be_removed_from_fewest_numbers():
    for name in TILINGS:
        layout = Layout(tiling(name, 5, 5), [cell % 6 == 2 for cell in range(25)])
        left = fewest_by_sat(layout, safe_cells(layout, 4)).tolist()
        assert len(solutions(layout.position(left))) == 1
        for cell in left:
            assert len(solutions(layout.position([c for c in left if c != cell]))) > 1
    for max_numbers in [1, 2, 3]:
        layout = Layout(square(8, 8), [cell % 5 == 1 for cell in range(64)])
        left = fewest_by_deduction(layout, safe_cells(layout, 9), max_numbers).tolist()
        assert solve_on_paper(layout.position(left), max_numbers).solved
        for cell in left:
            assert not solve_on_paper(
                layout.position([c for c in left if c != cell]), max_numbers
            ).solved
    layout = Layout.parse("* * .\n* * .\n. . .")
    assert fewest_by_sat(layout, safe_cells(layout, 1)) is None
    assert fewest_by_deduction(layout, safe_cells(layout, 1), 3) is None


def test_searches_stop_at_the_deadline():
    for difficulty in [None, "one", "two"]:
        rules = paper_puzzle_rules(
            tiling("square", 120, 120), open_set="fewest", difficulty=difficulty
        )
        # The time may end during a draw or between two of them.
        message = r"uniqueness is not decided|in \d+ draws? within the budget"
        with pytest.raises(OutOfBudget, match=message):
            paper_puzzle(rules, 1, Budget(seconds=0.05))
    rules = paper_puzzle_rules(tiling("square", 3, 3), open_set="fewest", difficulty="four")
    message = r"difficulty 'four' on square 3x3 in [\d,]+ draws within the"
    assert_ends(lambda budget: paper_puzzle(rules, 1, budget), message, 0.3)
    rules = paper_puzzle_rules(tiling("square", 30, 29))
    with pytest.raises(OutOfBudget, match=r"after 0.1 s: only \d+ of 900 paper puzzles made"):
        list(paper_puzzles(rules, 900, 1, Budget(seconds=0.1)))


def test_graph_has_puzzles_and_chosen_open_cells():
    wheel = Board.from_edges(
        [("hub", f"rim{k}") for k in range(6)]
        + [(f"rim{k}", f"rim{(k + 1) % 6}") for k in range(6)]
    )
    fewest = paper_puzzle(paper_puzzle_rules(wheel, mine_density=0.3), seed=2)
    assert naive.solutions(fewest.position) == [set(fewest.mine_cells)]
    chosen = paper_puzzle(paper_puzzle_rules(wheel, open_set=(0, 1, 3, 5)), seed=2)
    assert chosen.position.revealed.tolist() == [0, 1, 3, 5]


def test_impossible_rules_are_refused():
    cases = [
        ({"difficulty": "count"}, "a paper puzzle has no mine count"),
        ({"difficulty": "five"}, "no such difficulty"),
        ({"or_easier": True}, "'or easier' needs a difficulty"),
        ({"open_set": "diagonal"}, "no such open set"),
        ({"open_set": ""}, "no such open set"),
        ({"open_set": []}, "expected at least 1 open cell"),
        ({"method": "clever"}, "no such method"),
        ({"mine_density": 0.0}, "expected a mine density"),
        ({"mine_density": 1.0}, "expected a mine density"),
        ({"mine_density": float("nan")}, "expected a mine density"),
        ({"open_set": "fewest", "method": "varied"}, "needs the method 'plain'"),
    ]
    assert_refused(lambda options: paper_puzzle_rules(square(5, 5), **options), cases, RulesError)
    cases = [(count, "expected at least 1 paper puzzle") for count in [0, -1]]
    assert_refused(
        lambda count: next(paper_puzzles(paper_puzzle_rules(square(5, 5)), count, 1)),
        cases,
        RulesError,
    )
    with pytest.raises(RulesError, match="on a graph choose 'fewest'"):
        paper_puzzle_rules(Board.from_edges([("a", "b")]), open_set="checkerboard")
    with pytest.raises(RulesError, match="r1c3 has none"):
        paper_puzzle_rules(square(4, 1), open_set=(0,))
    with pytest.raises(RulesError, match="leaves no cells to find"):
        paper_puzzle_rules(square(3, 1), open_set="row")


def test_varied_keeps_the_cell_above_the_first_of_an_even_last_row():
    # The paper's last-row loop starts at column 2 and would leave r1c1 to chance.
    board = square(5, 2)
    is_open = open_cells(board, "checkerboard")
    for seed in range(100):
        mines = draw_varied(board, is_open, 0.5, RandomStream(seed))
        assert Layout(board, mines).numbers[0] == 1


def test_numbers_are_compared_with_closed_neighbours_not_with_all():
    # The paper's #V counts open neighbours too: no number on a checkerboard could ever reach it.
    board = square(8, 8)
    is_open = open_cells(board, "checkerboard")
    everywhere = Layout(board, ~is_open)
    assert all(everywhere.numbers[c] < board.neighbour_count(c) for c in np.flatnonzero(is_open))


def test_single_numbers_solve_nearly_every_plain_checkerboard():
    rules = paper_puzzle_rules(square(9, 10), open_set="checkerboard", method="plain")
    difficulties = Counter(puzzle.difficulty for puzzle in paper_puzzles(rules, 100, seed=1))
    assert difficulties["one"] >= 95


def test_plain_puzzle_has_at_least_one_mine():
    rules = paper_puzzle_rules(square(4, 3), method="plain", mine_density=0.05)
    puzzles = [paper_puzzle(rules, seed) for seed in range(40)]
    assert all(len(puzzle.mine_cells) for puzzle in puzzles)
    assert max(puzzle.tries for puzzle in puzzles) > 1
