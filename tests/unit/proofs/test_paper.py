import pytest
from hypothesis import given
from tests.boards import star
from tests.oracle import naive_proofs
from tests.strategies import boards, true_positions

from sapper import Contradiction, Position
from sapper.kernels.codes import MINE, SAFE, UNKNOWN
from sapper.proofs.paper import PaperSolver, solve_on_paper


@pytest.mark.plain
def test_sets_of_numbers_decide_cells_and_the_others_stay_unknown():
    rows = "1 # 1 # 1 # 1\n# 2 # 2 # 1 #\n1 # 3 # 2 # 1\n# 1 # 3 # 2 #"
    result = solve_on_paper(Position.parse(rows))
    assert (result.numbers, result.steps) == (1, (14, 0, 0))
    assert result.mine_cells.tolist() == [5, 7, 9, 17, 23, 25, 27]
    position = Position.parse("1 2 1\n# # #")
    assert solve_on_paper(position, max_numbers=1).numbers is None
    result = solve_on_paper(position, max_numbers=2)
    assert (result.numbers, result.steps) == (2, (1, 2, 0))
    assert result.known.tolist() == [SAFE] * 3 + [MINE, SAFE, MINE]
    result = solve_on_paper(Position.parse("# 1 #"))
    assert not result.solved
    assert result.known.tolist() == [UNKNOWN, SAFE, UNKNOWN]
    assert solve_on_paper(Position.parse("F 0")).known.tolist() == [SAFE, SAFE]


def test_dense_boards_try_single_numbers_only():
    # Sets of three numbers around the hub of 214 leaves take 4,946,075 steps, one leaf more exceeds
    # the limit of 5,000,000.
    assert [PaperSolver(star(leaves)).max_numbers for leaves in (214, 215)] == [3, 1]


@pytest.mark.plain
def test_contradictory_numbers_are_refused():
    for text in ["3 # #", "1 # 0 #", "1 2\n# #\n0 1"]:
        with pytest.raises(Contradiction):
            solve_on_paper(Position.parse(text))


@pytest.mark.plain
@given(true_positions(boards(max_side=4)))
def test_kernel_finds_exactly_what_sets_of_numbers_decide(position):
    marks = [max(mark, -1) for mark in position.marks.tolist()]
    if marks.count(-1) > 9 or len(marks) - marks.count(-1) > 11:
        return
    for most in (1, 2, 3):
        known, hardest = naive_proofs.closure(position.board, marks, most)
        result = solve_on_paper(position, most)
        expected = {cell: MINE if mine else SAFE for cell, mine in known.items()}
        assert {
            c: result.known[c] for c in position.covered.tolist() if result.known[c]
        } == expected
        if result.solved and known:
            assert result.numbers == hardest
