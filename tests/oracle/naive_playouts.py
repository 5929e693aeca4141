"""What becomes of a candidate on the true board, by readable players and copies of the game."""

from __future__ import annotations

from fractions import Fraction

from sapper.infer.budget import Budget
from sapper.infer.odds.analysis import analyse
from sapper.model.frame import FLAG, Frame
from sapper.play.guess import least_odds
from sapper.play.learned.mind import Learning
from sapper.play.learned.settings import LearnedSettings


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


def frame_of(board, mines, shown, count):
    marks = {c: len(set(map(int, board.around(c))) & mines) for c in shown}
    return Frame.blank(board, count).with_marks(marks)


def to_guess(board, mines, shown):
    """Reveal all that is certain: the revealed cells and the frame, known mines flagged."""
    count = len(mines)
    while len(shown) < len(board) - count:
        frame = frame_of(board, mines, shown, count)
        found = analyse(frame)
        certain = [int(c) for c in found.reveal_cells]
        if not certain:
            flags = {int(c): FLAG for c in found.flag_cells}
            return shown, frame.with_marks(flags), found
        for cell in certain:
            shown = flood(board, mines, shown, cell)
    return shown, None, None


def end_game(frame):
    """The guess of an end game, or None where there are too many placements."""
    guess = Learning(LearnedSettings()).guess(frame, Budget().start())
    is_part = guess.because.startswith("this part can be played apart")
    return guess if is_part or guess.value is not None else None


def value_of(board, mines, shown, cell):
    """What a reveal comes to: least odds and perfect endings play on."""
    shown = flood(board, mines, shown, cell)
    while shown is not None:
        shown, frame, found = to_guess(board, mines, shown)
        if frame is None:
            return Fraction(1)
        guess = end_game(frame)
        if guess is not None and guess.value is not None:
            return guess.value
        guess = guess or least_odds(frame, found.probability)
        shown = flood(board, mines, shown, guess.cell)
    return Fraction(0)
