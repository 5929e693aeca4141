"""The claims that Slagle proves, as properties on every tiling and on random graphs.

The mine count is not used. The largest degree of the board replaces the paper's 8.
"""

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracle import naive
from tests.strategies import graph_boards, positions, tiling_boards, true_positions

from sapper import Board, Budget, Contradiction, Position, solve
from sapper.solvers.backtracking import Backtracking, backtrack, components
from sapper.solvers.brute_force import brute, brute_board
from sapper.solvers.strategies import read_constraint

BUDGET = Budget()
SMALL = st.one_of(tiling_boards(3), graph_boards(9))


def small_positions(strategy=true_positions):
    """Draw positions with few enough covered cells to check every set of them."""
    return strategy(SMALL).filter(lambda position: len(position.covered) <= 10)


def certain(solutions, scope):
    """Return the cells in all of the solutions, and those in none."""
    cells = frozenset(scope)
    return cells.intersection(*solutions), cells.difference(*solutions)


def answer(position, solver):
    try:
        result = solve(position, solver)
    except Contradiction:
        return "contradiction"
    return result.certain_mine_cells.tolist(), result.safe_cells.tolist()


@settings(max_examples=120)
@given(small_positions())
def test_three_versions_yield_each_solution_once(position):
    all_of_board = naive.solutions(position)
    of_frontier = [mines for mines in all_of_board if mines <= set(position.frontier.tolist())]
    for version, expected in (
        (brute_board, all_of_board),
        (brute, of_frontier),
        (backtrack, of_frontier),
    ):
        assert sorted(map(sorted, version(position, BUDGET))) == sorted(map(sorted, expected))


@given(small_positions())
def test_versions_agree_and_the_human_solver_finds_some_of_their_moves(position):
    flag, reveal = answer(position, "brute-board")
    assert answer(position, "brute") == answer(position, "backtrack") == (flag, reveal)
    human = solve(position, "human")
    assert set(human.certain_mine_cells) <= set(flag)
    assert set(human.safe_cells) <= set(reveal)
    hybrid = solve(position, "hybrid")
    if human:
        assert (hybrid.certain_mines, hybrid.safe) == (human.certain_mines, human.safe)
    else:
        assert answer(position, "hybrid") == (flag, reveal)


@given(small_positions(positions))
def test_all_versions_find_the_same_positions_contradictory(position):
    first = answer(position, "brute-board")
    assert answer(position, "brute") == answer(position, "backtrack") == first
    impossible = not naive.solutions(position)
    for solver in ("brute-board", "human", "hybrid"):
        assert (answer(position, solver) == "contradiction") == impossible


@given(small_positions(positions))
def test_numbers_of_a_contradiction_have_no_common_solution(position):
    for solver in ("human", "backtrack"):
        try:
            solve(position, solver)
        except Contradiction as error:
            constraints = [read_constraint(position, cell) for cell in error.number_cells]
            assert constraints
            assert not list(Backtracking(constraints, BUDGET))


@given(small_positions())
def test_claim_1_certain_moves_are_those_of_the_frontiers_solutions(position):
    frontier = frozenset(position.frontier.tolist())
    everywhere = naive.solutions(position)
    within = [mines for mines in everywhere if mines <= frontier]
    flag, reveal = certain(everywhere, position.covered.tolist())
    # 1: a flag is certain if and only if it is in each solution within the frontier.
    assert flag == frozenset(position.covered.tolist()).intersection(*within)
    # 2: a reveal is certain if and only if it is in the frontier and in none of them.
    assert reveal == frontier.difference(*within)
    # 3: certain moves occur only in the frontier.
    assert flag | reveal <= frontier


@given(small_positions(), st.randoms())
def test_claim_2_the_calls_at_each_depth_are_the_solutions_of_the_numbers_before_it(
    position, random
):
    constraints = [constraint for component in components(position) for constraint in component]
    random.shuffle(constraints)
    search = Backtracking(constraints, BUDGET)
    calls = [(k, frozenset(solution)) for k, solution in search.calls()]
    for k in range(len(constraints) + 1):
        before = constraints[:k]
        found = [solution for call, solution in calls if call == k]
        near = set().union(*(constraint.covered for constraint in before))
        allowed = [
            mines
            for mines in naive.subsets(near)
            if all(len(constraint.covered & mines) == constraint.missing for constraint in before)
        ]
        # OnlySatisfactory(k) and AllSatisfactory(k), and none of them twice.
        assert sorted(map(sorted, found)) == sorted(map(sorted, allowed))
    assert len(calls) == search.sets_checked == search.forecast(10**9)
    assert len(calls) <= (len(constraints) + 1) * 2 ** len(search.scope)


@given(small_positions(), st.randoms())
def test_renaming_the_cells_renames_the_answers(position, random):
    order = list(position.board.cells)
    random.shuffle(order)
    name = position.board.name
    edges = [(name(a), name(b)) for a, b in position.board.edges()]
    board = Board.from_edges(edges, [name(cell) for cell in order])
    renamed = Position(board, position.marks[order])
    for solver in ("human", "brute", "backtrack"):
        expected, result = solve(position, solver), solve(renamed, solver)
        assert set(result.certain_mines) == set(expected.certain_mines)
        assert set(result.safe) == set(expected.safe)
