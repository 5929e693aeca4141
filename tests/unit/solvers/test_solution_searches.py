"""Versions 1 to 3 and the hybrid: solutions, certain moves, contradictions, budgets."""

import pytest
from tests.boards import star

from sapper import Board, Budget, Contradiction, OutOfBudget, Position, solve
from sapper.solvers.backtracking import Backtracking, backtrack, components
from sapper.solvers.brute_force import brute, brute_board, brute_solve
from sapper.solvers.hybrid import HybridSolver, search_components
from sapper.solvers.strategies import read_constraint

PAPER_SOLVERS = ("human", "brute-board", "brute", "backtrack", "hybrid")
EXHAUSTIVE = ("brute-board", "brute", "backtrack", "hybrid")
VERSIONS = (brute_board, brute, backtrack)
BUDGET = Budget()

RING = Position.parse("#####\n#222#\n#2.2#\n#222#\n#####")


def test_exhaustive_solvers_find_all_sixteen_moves_of_the_ring():
    for solver in EXHAUSTIVE:
        result = solve(RING, solver)
        solved = RING.with_marks(dict.fromkeys(result.certain_mine_cells.tolist(), -2))
        assert str(solved) == "#F#F#\nF222F\n#2.2#\nF222F\n#F#F#"
        assert len(result.certain_mines) + len(result.safe) == 16
        assert result.solutions_checked == 1


def test_each_solution_is_a_separate_set():
    for version in VERSIONS:
        # docs/errata.md, 10: one shared set would be empty in the end.
        assert list(version(Position.parse("1#"), BUDGET)) == [frozenset({1})]


def test_flags_and_revealed_cells_are_in_no_answer():
    for solver in EXHAUSTIVE:
        # docs/errata.md, 6 and 7: the paper's version 1 would open the flag, and miss the mine.
        result = solve(Position.parse("F1#"), solver)
        assert (result.certain_mines, result.safe) == ((), ("r1c3",))
        result = solve(Position.parse(".1#"), solver)
        assert (result.certain_mines, result.safe) == (("r1c3",), ())


def test_printed_union_would_flag_the_whole_frontier():
    # docs/errata.md, 3
    position = Position.parse("#1#")
    assert not brute_solve(position, brute(position, BUDGET))
    union = set().union(*brute(position, BUDGET))
    assert union == {0, 2}


def test_mine_count_is_not_used():
    # docs/errata.md, 4: with one mine, at r1c2, the others would be safe.
    for solver in PAPER_SOLVERS:
        result = solve(Position.parse("1###", mines=1), solver)
        assert (result.certain_mines, result.safe) == (("r1c2",), ())


def test_contradiction_names_its_numbers():
    for solver in PAPER_SOLVERS:
        for text, numbers in [
            ("F.#", {"r1c2"}),
            ("9##\n###", {"r1c1"}),
            ("1F\nF2", {"r1c1"}),
            ("1", {"r1c1"}),
            ("2#1", {"r1c1"}),
            ("1#.", {"r1c1", "r1c3"}),
        ]:
            with pytest.raises(Contradiction) as caught:
                solve(Position.parse(text), solver)
            assert set(Position.parse(text).names(caught.value.number_cells)) == numbers
            assert position_is_impossible(Position.parse(text), numbers)


def position_is_impossible(position, names):
    """Return whether the named numbers alone, flags trusted, have no solution."""
    return not list(Backtracking([read_constraint(position, name) for name in names], BUDGET))


def test_contradiction_of_many_numbers_names_an_irreducible_set():
    for solver in PAPER_SOLVERS:
        # The ring has one solution; a 3 in the middle of a side leaves none.
        position = RING.with_marks({"r2c3": 3})
        with pytest.raises(Contradiction) as caught:
            solve(position, solver)
        names = position.names(caught.value.number_cells)
        assert len(names) > 2
        assert position_is_impossible(position, names)
        for name in names:
            assert not position_is_impossible(position, [other for other in names if other != name])
        assert str(caught.value).endswith(" cannot all be right")


@pytest.mark.parametrize("solver", PAPER_SOLVERS)
def test_contradiction_that_no_two_numbers_show_is_found(solver):
    # Each two of the three cells have one mine together.
    board = Board.from_edges(
        [("p", "a"), ("p", "b"), ("q", "b"), ("q", "c"), ("r", "c"), ("r", "a")]
    )
    with pytest.raises(Contradiction) as caught:
        solve(Position.of(board, {"p": 1, "q": 1, "r": 1}), solver)
    assert set(map(board.name, caught.value.number_cells)) == {"p", "q", "r"}


def test_positions_without_certain_moves_give_an_empty_result():
    for solver in PAPER_SOLVERS:
        for text in ["#", ".", "F", "###\n###", "...\n...", "FF", "1F"]:
            result = solve(Position.parse(text), solver)
            assert (result.certain_mines, result.safe) == ((), ())
            assert not result


def test_empty_position_has_one_empty_solution_on_its_frontier():
    position = Position.parse("##")
    assert list(brute(position, BUDGET)) == list(backtrack(position, BUDGET)) == [frozenset()]
    assert len(list(brute_board(position, BUDGET))) == 4


def test_search_beyond_the_budget_is_refused_before_it_starts():
    for version in VERSIONS:
        with pytest.raises(OutOfBudget, match=r"60"):
            version(Position.of(star(60), {"hub": 30}), BUDGET)
    for version in (brute_board, brute):
        tiny = Budget(seconds=1e-9)
        with pytest.raises(OutOfBudget, match="can search 0 covered cells in"):
            version(Position.parse("#1#"), tiny)
        assert version(Position.parse("..."), tiny).scope == ()


def test_search_stops_at_its_deadline_and_when_it_is_cancelled(cancelled):
    position = Position.of(star(20), {"hub": 10})
    limits = {"stopped after 20 s": BUDGET.start().within(0), "cancelled": BUDGET.start(cancelled)}
    for version in (brute, backtrack):
        for message, limit in limits.items():
            search = version(position, BUDGET)
            search.limit = limit
            with pytest.raises(OutOfBudget, match=rf"{message}.* 0 (sets|calls)"):
                list(search)


def test_frontier_longer_than_the_call_stack_is_searched():
    position = Position.parse("F" + "#" * 2999 + "F\n" + "1" * 3001)
    search = backtrack(position, BUDGET)
    assert len(search.numbers) == 3001
    assert [len(solution) for solution in search] == [999]


def test_calls_are_not_bounded_by_the_subsets_of_the_frontier():
    # docs/errata.md, 12: one covered cell, eight numbers: 9 calls, but only 2 subsets.
    position = Position.parse("111\n1#1\n111")
    search = backtrack(position, BUDGET)
    assert list(search) == [frozenset({4})]
    assert search.sets_checked == 9 > 2 ** len(search.scope)
    assert search.sets_checked <= (len(search.numbers) + 1) * 2 ** len(search.scope)


def test_components_share_no_covered_cell():
    position = Position.parse("#1###1#")
    cells = [[constraint.cell for constraint in group] for group in components(position)]
    assert cells == [[1], [5]]
    # docs/errata.md, 17: the solutions of components multiply, the hybrid's do not.
    assert solve(position, "backtrack").solutions_checked == 4
    assert solve(position, "hybrid").solutions_checked == 4
    position = Position.parse("#1##" * 10)
    assert solve(position, "backtrack").solutions_checked == 2**10
    assert solve(position, "hybrid").solutions_checked == 20


def test_hybrid_searches_once_and_only_if_the_human_solver_finds_nothing():
    position = Position.parse("F1#\n###\n###")
    result = solve(position, "hybrid")
    assert {d.by for d in result.deductions} == {"strategy 2"}
    assert result.solutions_checked is None
    solver = HybridSolver(RING)
    assert len(solver.moves()) == 1
    assert solver.moves() == []


def test_component_beyond_the_budget_does_not_hide_the_moves_of_another():
    edges = [("centre", f"leaf{i}") for i in range(60)]
    ring = [(f"x{i}", f"y{i}") for i in range(3)] + [(f"x{i}", f"y{(i + 1) % 3}") for i in range(3)]
    board = Board.from_edges(edges + ring)
    position = Position.of(board, {"centre": 30, "x0": 1, "x1": 1, "x2": 2})
    result = solve(position, "hybrid")
    assert set(result.certain_mines) == {"y2", "y0"} and set(result.safe) == {"y1"}
    with pytest.raises(OutOfBudget):
        solve(Position.of(board, {"centre": 30}), "hybrid")


def test_all_components_of_the_hybrid_share_one_budget(monkeypatch):
    given = []

    class Recorded(Backtracking):
        def __init__(self, constraints, budget):
            given.append((len(constraints), budget))
            super().__init__(constraints, budget)

    monkeypatch.setattr("sapper.solvers.hybrid.Backtracking", Recorded)
    assert search_components(Position.parse("##1#1###1##"), Budget(seconds=5))[1] == 4
    sizes, limits = zip(*given, strict=True)
    assert sizes == (1, 2)
    assert limits[0] is limits[1] and limits[0].seconds_left < 5
