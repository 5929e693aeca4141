"""What becomes of a candidate on the true board, by readable players and copies of the game."""

from __future__ import annotations

from fractions import Fraction

from sapper.board.position import FLAG, Position
from sapper.engine.analysis import analyse
from sapper.engine.budget import Budget
from sapper.players.guess import least_risk
from sapper.players.learned import LearnedSettings, learned_guesser


def flood(board, mines, shown, cell):
    """The revealed cells after one more reveal, or None where it is a mine."""
    if cell in mines:
        return None
    shown, waiting = set(shown), [cell]
    while waiting:
        one = waiting.pop()
        if one in shown:
            continue
        shown.add(one)
        around = set(map(int, board.around(one)))
        if not around & mines:
            waiting += around - shown
    return shown


def position_of(board, mines, shown, count):
    marks = {c: len(set(map(int, board.around(c))) & mines) for c in shown}
    return Position.initial(board, count).with_marks(marks)


def to_guess(board, mines, shown):
    """Reveal all that is certain: the revealed cells and the position, known mines flagged."""
    count = len(mines)
    while len(shown) < len(board) - count:
        position = position_of(board, mines, shown, count)
        found = analyse(position)
        certain = [int(c) for c in found.safe_cells]
        if not certain:
            flags = {int(c): FLAG for c in found.certain_mine_cells}
            return shown, position.with_marks(flags), found
        for cell in certain:
            shown = flood(board, mines, shown, cell)
    return shown, None, None


def end_game(position):
    """The guess of an end game, or None where there are too many solutions."""
    guess = learned_guesser(LearnedSettings()).guess(position, Budget().start())
    # By perfect play there are no values of a network.
    return guess if guess.candidates[0].worth is None else None


def value_of(board, mines, shown, cell):
    """Return the win chance of a reveal, followed by least probability and perfect end games."""
    shown = flood(board, mines, shown, cell)
    while shown is not None:
        shown, position, found = to_guess(board, mines, shown)
        if position is None:
            return Fraction(1)
        guess = end_game(position)
        if guess is not None and guess.value is not None:
            return guess.value
        guess = guess or least_risk(position, found.probability_array)
        shown = flood(board, mines, shown, guess.cell)
    return Fraction(0)
