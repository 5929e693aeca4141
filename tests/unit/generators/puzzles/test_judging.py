"""Judging moves in training puzzles."""

import pytest
from tests.oracle.naive import satisfies

from sapper import IllegalMove, Move, NotationError, Position, analyse
from sapper.engine.budget import DEFAULT_BUDGET
from sapper.engine.sampling import find_solution_with
from sapper.generators.puzzles import judge, puzzle_rules
from sapper.generators.puzzles import puzzle as find_puzzle
from sapper.sentences import plain_text


@pytest.fixture(scope="module")
def puzzle():
    return find_puzzle(puzzle_rules("three"), 5)


def judged(puzzle, action, cell):
    return judge(puzzle, Move(action, cell), DEFAULT_BUDGET.start())


def certain_cells(position):
    analysis = analyse(position, trust_flags=True)
    return {*analysis.certain_mine_cells.tolist(), *analysis.safe_cells.tolist()}


def test_listed_moves_are_right_and_their_opposites_wrong_by_the_same_proof(puzzle):
    for text in puzzle.moves:
        move = Move.parse(text, puzzle.position.board)
        answer = judged(puzzle, move.action, move.cell)
        assert answer.right
        assert len(answer.number_cells) == 3
        names = puzzle.position.board.names
        assert names[move.cell] in plain_text(answer.sentence, names)
    cell = puzzle.reveal[0]
    answer = judged(puzzle, "flag", cell)
    assert not answer.right
    assert answer.number_cells == judged(puzzle, "reveal", cell).number_cells
    assert answer.mine_cells is None


def test_uncertain_move_is_answered_by_a_solution_in_which_it_is_wrong(puzzle):
    position = puzzle.position
    for cell in set(position.covered.tolist()) - certain_cells(position):
        for action in ("reveal", "flag"):
            answer = judged(puzzle, action, cell)
            assert not answer.right
            mines = set(answer.mine_cells)
            assert (cell in mines) == (action == "reveal")
            assert set(position.flags.tolist()) <= mines
            assert len(mines) == position.mines
            assert satisfies(position, mines)


def test_harder_certain_move_is_right(puzzle):
    known = {*puzzle.flag, *puzzle.reveal, *puzzle.position.flags.tolist()}
    harder = certain_cells(puzzle.position) - known
    assert harder
    for cell in harder:
        answers = [judged(puzzle, action, cell) for action in ("reveal", "flag")]
        assert sorted(answer.right for answer in answers) == [False, True]
        assert len(answers[0].number_cells) > 3


def test_no_solution_is_found_for_a_cell_that_cannot_be_safe_or_a_mine():
    position = Position.parse("1#", mines=1)
    assert find_solution_with(position, 1, False, DEFAULT_BUDGET.start()) is None
    assert find_solution_with(position, 1, True, DEFAULT_BUDGET.start()).tolist() == [False, True]
    # The mine count decides for a cell without a number beside it.
    position = Position.parse("0.#", mines=0)
    assert find_solution_with(position, 2, True, DEFAULT_BUDGET.start()) is None


def test_moves_that_are_no_answer_are_refused(puzzle):
    for action, cells, error, message in [
        ("reveal", "revealed", IllegalMove, "it is revealed"),
        ("flag", "flags", IllegalMove, "it is a known mine"),
        ("chord", "covered", NotationError, "expected a cell to reveal or to flag"),
    ]:
        with pytest.raises(error, match=message):
            judged(puzzle, action, int(getattr(puzzle.position, cells)[0]))
