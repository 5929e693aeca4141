"""Analyses: certain cells, probabilities, counts, values; contradictions and limits."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.boards import star
from tests.stuck_positions import patterned_position
from tests.time_limits import assert_ends

from sapper import Board, Budget, Layout, Position, analyse, analyse_many, solve, tiling
from sapper.engine import conflicts, workspace
from sapper.engine.cell_values import _ln_binomial_ratio
from sapper.engine.tracked import TrackedPosition
from sapper.errors import Contradiction, OutOfBudget, RulesError
from sapper.kernels.codes import PLANNING
from sapper.kernels.engine.workspace import Workspace
from sapper.proofs.prover import explain_all
from sapper.wording import percent_label

# These tests are about results; a busy machine must not make them fail.
LONG_BUDGET = Budget(seconds=600)

parse = Position.parse


@pytest.mark.plain
def test_analysis_of_the_readme_position():
    analysis = analyse(parse("1 # #\n1 # #\n# # #", mines=2))
    assert analysis.safe == ("r3c1", "r3c2")
    assert analysis.certain_mines == ()
    assert (analysis.probabilities["r1c2"], analysis.probabilities["r1c3"]) == (0.5, 1 / 3)
    assert analysis.probabilities[8] == analysis.probabilities["r3c3"] == 1 / 3
    assert analysis.fractions["r3c3"] == Fraction(1, 3)
    assert (analysis.solutions, round(math.exp(analysis.ln_solutions))) == (6, 6)
    assert list(analysis.probabilities) == ["r1c2", "r1c3", "r2c2", "r2c3", "r3c1", "r3c2", "r3c3"]
    assert len(analysis.probabilities) == 7
    assert "r1c1" not in analysis.probabilities
    assert "r9c9" not in analysis.probabilities
    with pytest.raises(KeyError):
        analysis.probabilities["r1c1"]
    assert repr(analysis) == (
        "<Analysis of <Position square 3x3, mines 2, 2 revealed>: "
        "2 safe cells, 0 certain mines, ln solutions 1.79176>"
    )
    assert analysis.values("r1c2") == pytest.approx({1: 1 / 6, 2: 1 / 3})
    assert analysis.value_fractions("r1c2") == {1: Fraction(1, 6), 2: Fraction(1, 3)}
    assert analysis.values("r1c1") is None
    certain = analyse(parse("1 # #", mines=1))
    assert certain.values("r1c2") == {}
    assert certain.value_fractions("r1c2") == {}
    assert certain.values("r1c3") == {1: 1.0}


def test_without_a_mine_count_all_solutions_of_the_frontier_have_the_same_weight():
    # One mine in the middle, or two at the ends; the interior does not matter.
    path = Board.from_edges([("p", "a"), ("p", "b"), ("q", "b"), ("q", "c"), ("c", "far")])
    analysis = analyse(Position.of(path, {"p": 1, "q": 1}))
    assert dict(analysis.probabilities) == {"a": 0.5, "b": 0.5, "c": 0.5, "far": None}
    assert analysis.solutions == 2
    assert analysis.values("far") is None
    assert analysis.values("c") is None
    assert analysis.values("b") == {0: 0.5}


def test_flags_count_as_covered_unless_they_are_trusted():
    position = parse("F 1 #", mines=1)
    assert analyse(position).probabilities["r1c1"] == 0.5
    trusting = analyse(position, trust_flags=True)
    assert trusting.safe == ("r1c3",)
    assert trusting.certain_mines == ("r1c1",)
    assert trusting.probabilities["r1c1"] == 1
    assert solve(position, trust_flags=True).certain_mines == (), "a flag is no move"
    assert [proof.move.cell for proof in explain_all(position, trust_flags=True)] == [2]
    assert analyse(parse("F 1 ."), trust_flags=False).certain_mines == ("r1c1",)
    position = parse("F 0 #", mines=0)
    assert analyse(position).safe == ("r1c1", "r1c3")
    with pytest.raises(Contradiction, match="the 0 at r1c2 has 1 flag around it"):
        analyse(position, trust_flags=True)


def test_contradiction_names_a_small_set_of_numbers():
    corners = ("r1c1", "r1c4", "r4c1", "r4c4")
    for text, mines, numbers in (
        ("1 # 1\n# # #\n1 # 3", None, ("r3c1", "r3c3")),
        # The count is wrong too, but the numbers alone have no solution.
        ("#####\n#232#\n#2.2#\n#222#\n#####", 20, ("r2c2", "r2c3", "r3c2")),
        ("1 # # 1", 0, ("r1c4", "the mine count")),
        # Each of the four corners needs its own mine, and there are only three.
        ("1 # # 1\n# # # #\n# # # #\n1 # # 1", 3, (*corners, "the mine count")),
    ):
        with pytest.raises(Contradiction) as caught:
            analyse(parse(text, mines=mines))
        named = parse(text).names(caught.value.number_cells)
        assert named + ("the mine count",) * caught.value.uses_mine_count == numbers


def test_contradiction_on_a_large_board_names_few_numbers():
    board = tiling("square", 300, 300)
    mines = np.random.default_rng(1).random(len(board)) < 0.1
    position = Layout(board, mines).position(np.flatnonzero(~mines))
    wrong = next(c for c in board.cells if position.marks[c] == 2)
    with pytest.raises(Contradiction) as caught:
        analyse(position.with_marks({wrong: 3}))
    assert len(caught.value.number_cells) <= 3
    assert not caught.value.uses_mine_count


def test_large_counts_are_exact():
    analysis = analyse(Position.of(star(5000), {"hub": 2000}, mines=2000), budget=LONG_BUDGET)
    assert analysis.probability_array[1:] == pytest.approx(np.full(5000, 0.4), abs=1e-12)
    assert analysis.ln_solutions == pytest.approx(math.log(math.comb(5000, 2000)), rel=1e-12)
    assert analysis.solutions == math.comb(5000, 2000)
    analysis = analyse(two_hubs(1100, 1100, 550), budget=LONG_BUDGET)
    ways = [math.comb(1100, k) * math.comb(1100, 550 - k) ** 2 for k in range(551)]
    mean = Fraction(sum(k * way for k, way in enumerate(ways)), 1100 * sum(ways))
    assert analysis.probabilities["s0"] == pytest.approx(float(mean), rel=1e-12)
    assert analysis.solutions == sum(ways)
    # Both numbers need all 250 mines, so the shared cells have them.
    analysis = analyse(two_hubs(250, 250, 250, alone=8_000, mines=250), budget=LONG_BUDGET)
    assert len(analysis.certain_mines) == 250
    assert analysis.probabilities["a0"] == analysis.probabilities["i0"] == 0
    assert analysis.solutions == 1


def test_ratio_of_large_binomials_is_precise_where_they_are_close():
    for n, k, cells, mines in ((10**6, 10**5, 10**6 + 2, 10**5 + 1), (50, 9, 47, 11)):
        exact = Fraction(math.comb(n, k), math.comb(cells, mines))
        expected = math.log(exact.numerator) - math.log(exact.denominator)
        assert _ln_binomial_ratio(n, k, cells, mines) == pytest.approx(expected, rel=1e-13)


def test_ratio_of_small_binomials_is_the_quotient():
    pairs = [(n, k) for n in range(7) for k in range(n + 1)]
    for (n, k), (cells, mines) in product(pairs, repeat=2):
        expected = math.log(math.comb(n, k) / math.comb(cells, mines))
        assert _ln_binomial_ratio(n, k, cells, mines) == pytest.approx(expected, abs=1e-12)


def test_numbers_alone_are_checked_in_half_of_the_time(monkeypatch):
    limits = []
    monkeypatch.setattr(conflicts, "require_solution", lambda *arguments: limits.append(arguments))
    limit = Budget(seconds=1000).start()
    conflicts.require_solution_of_numbers(parse("1#", mines=1), limit)
    ((position, trusted, half),) = limits
    assert (position.mines, trusted) == (None, True)
    assert 0 < half.seconds_left <= 500


def two_hubs(
    shared: int, own: int, number: int, alone: int = 0, mines: int | None = None
) -> Position:
    """Return two numbers with *shared* common cells, *own* cells each, and *alone* others."""
    own_cells = {hub: [f"{hub}{k}" for k in range(own)] for hub in "ab"}
    common = [f"s{k}" for k in range(shared)]
    edges = [(hub, cell) for hub in "ab" for cell in (*common, *own_cells[hub])]
    cells = ["a", "b", *common, *own_cells["a"], *own_cells["b"], *(f"i{k}" for k in range(alone))]
    board = Board.from_edges(edges, cells)
    marks = np.full(len(board), -1, dtype=np.int32)
    marks[[board.cell("a"), board.cell("b")]] = number
    return Position(board, marks, mines)


def long_chain(links):
    """Return a path of covered cells with a 1 between two: all odd or all even ones are mines.

    Each even cell shares another 1 with three cells, one of which is a mine if it is safe.
    """
    edges = []
    for i in range(links):
        edges += [(f"h{i}", f"b{i}"), (f"h{i}", f"b{i + 1}")]
    for i in range(0, links + 1, 2):
        edges += [(f"g{i}", f"b{i}"), (f"g{i}", f"x{i}"), (f"g{i}", f"y{i}"), (f"g{i}", f"z{i}")]
    board = Board.from_edges(edges)
    numbers = {f"h{i}": 1 for i in range(links)} | {f"g{i}": 1 for i in range(0, links + 1, 2)}
    return Position.of(board, numbers)


def test_tiny_probabilities_are_not_certain():
    for links in [60, 2000]:
        # 2000 links have 3 ** 1001 solutions against one, beyond the range of floating point.
        chain = long_chain(links)
        analysis = analyse(chain)
        others = 3 ** (links // 2 + 1)
        assert analysis.solutions == 1 + others
        assert analysis.ln_solutions == pytest.approx(math.log(others), rel=1e-12)
        assert analysis.fractions["b0"] == Fraction(1, 1 + others)
        assert (analysis.safe, analysis.certain_mines) == ((), ())
        covered = analysis.probability_array[chain.marks < 0]
        assert ((covered > 0) & (covered < 1)).all()


def test_magnitudes_beyond_floating_point_are_computed_with_integers(monkeypatch):
    position = parse("1 # # #\n2 # # #\n1 # # #", mines=4)
    expected = analyse(position)
    run_with_floats = workspace.run

    def run_imprecisely(*arguments):
        return run_with_floats(*arguments) or workspace.IMPRECISE

    monkeypatch.setattr(workspace, "run", run_imprecisely)
    analysis = analyse(position)
    np.testing.assert_allclose(analysis.probability_array, expected.probability_array, atol=1e-15)
    assert (analysis.safe, analysis.certain_mines) == (expected.safe, expected.certain_mines)
    assert analysis.ln_solutions == pytest.approx(expected.ln_solutions)


def test_many_positions_on_several_boards_and_threads_keep_their_order():
    positions = [parse("1 #"), parse("1 # #", mines=1), parse("1 # #"), parse("# 1 #")] * 50
    for threads in (1, 2, 3):
        answers = analyse_many(positions, threads=threads)
        assert [a.position for a in answers] == positions
        assert [a.certain_mines for a in answers[:4]] == [("r1c2",), ("r1c2",), ("r1c2",), ()]
        assert not any(a.probability_array.flags.writeable for a in answers)
    assert analyse_many([]) == []
    with pytest.raises(RulesError, match="at least 1 thread, got 0"):
        analyse_many(positions, threads=0)
    with pytest.raises(Contradiction, match="the 2 at"):
        analyse_many([parse("1 #"), parse("2 #"), parse("1 #")])


def test_error_beyond_time_or_memory_says_what_is_hard():
    position = patterned_position("lattice", 41, 0.3)
    message = r"stopped after [\d.]+ s: a component of \d+ numbers, up to \d+ of them open"
    assert_ends(lambda budget: analyse(position, budget=budget), message, 0.2)
    with pytest.raises(OutOfBudget, match=r"needs more than 0.05 GB: a component of \d+ numbers"):
        analyse(position, budget=Budget(memory=50_000_000))


@pytest.mark.plain
def test_batch_and_planning_can_be_stopped(cancelled):
    with pytest.raises(OutOfBudget, match="cancelled"):
        analyse_many([parse("1 # #", mines=1)] * 3, cancel=cancelled)
    position = patterned_position("random", 12, 0.3)
    ws, limit = Workspace(), Budget(seconds=1e-9).start()
    ws.check_interval = 1
    with pytest.raises(OutOfBudget, match="stopped after 1e-09 s"):
        workspace.run(ws, position.board, position.marks, position.mines, limit)
    assert ws.stage == PLANNING


def test_pools_that_start_too_small_grow():
    position = patterned_position("random", 8, 0.3)
    roomy, tight = Workspace(), Workspace(capacity=3)
    limit = Budget().start()
    for ws in (roomy, tight):
        status = workspace.run(ws, position.board, position.marks, position.mines, limit)
        assert status == workspace.OK
    first, second = (workspace.copy_probabilities(ws, 64) for ws in (roomy, tight))
    np.testing.assert_array_equal(first, second)
    np.testing.assert_allclose(analyse(position).probability_array, first, rtol=0, atol=1e-12)


def test_uncertain_probabilities_are_not_shown_as_certain():
    shown = [percent_label(p) for p in (0.0, 1e-300, 0.005, 0.006, 0.5, 0.994, 0.996, 1.0, None)]
    assert shown == ["safe", "<0.1", "0.5", "0.6", "50", "99.4", "99.6", "mine", "?"]
    for p in np.linspace(1e-9, 1 - 1e-9, 5001):
        assert percent_label(float(p)) not in ("safe", "mine")


@pytest.mark.parametrize("tracked", [False, True])
def test_probabilities_cannot_be_changed(tracked):
    position = Position.parse("1##\n###", mines=2)
    source = TrackedPosition(position) if tracked else analyse(position)
    before = source.probability_array.tolist()
    with pytest.raises(ValueError, match="read-only"):
        source.probability_array[1] = 0.0
    np.testing.assert_array_equal(source.probability_array, before)


@pytest.mark.parametrize("tracked", [False, True])
def test_memory_of_a_hard_position_is_released(tracked):
    limit = Budget().start()
    borrowed = (
        workspace.BorrowedTracked(tiling("square", 4, 4), limit)
        if tracked
        else workspace.borrow_workspace(limit, trust_flags=False)
    )
    with borrowed as state:
        ws = state.general if tracked else state
        ws.trim()
        before = ws.bytes
        ws.requested = 1 << 20
        assert ws.grow(workspace.GROW)
        assert ws.bytes > before + (1 << 20)
        if tracked:
            state.used_general = True
    assert ws.bytes <= before
