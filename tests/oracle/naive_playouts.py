"""The value of a candidate on the true layout, by players in Python and copies of the game."""

from sapper import FLAG, Budget, Position, analyse
from sapper.players.guess import least_risk
from sapper.players.learned import LearnedSettings, learned_guesser
from tests.oracle.naive import count_numbers, opening

SURVIVAL_VALUE = 0.6
"""The estimate of the win rate after a safe guess by which training data measures luck."""


def reveal(board, mines, revealed, cell):
    """Return the revealed cells after one more reveal, or None where it is a mine."""
    if cell in mines:
        return None
    return revealed if cell in revealed else revealed | opening(board, mines, cell, revealed)


def reveal_certain(board, mines, revealed):
    """Reveal all that is certain: return the revealed cells, the position and its analysis.

    Certain mines are flagged; a game that is won has no position.
    """
    numbers = count_numbers(board, mines)
    while len(revealed) < len(board) - len(mines):
        position = Position.initial(board, len(mines)).with_marks({c: numbers[c] for c in revealed})
        analysis = analyse(position)
        if not len(analysis.safe_cells):
            flags = dict.fromkeys(analysis.certain_mine_cells.tolist(), FLAG)
            return revealed, position.with_marks(flags), analysis
        for cell in analysis.safe_cells.tolist():
            revealed = reveal(board, mines, revealed, cell)
    return revealed, None, None


def end_game(position):
    """Return the guess of an end game, or None where there are too many solutions."""
    guess = learned_guesser(LearnedSettings()).guess(position, Budget().start())
    # By perfect play there are no values of a network.
    return guess if guess.candidates[0].relative_value is None else None


def value_of(board, mines, revealed, cell):
    """Return the outcome of a reveal, followed by least probability and perfect end games.

    The luck of every later guess is subtracted; that of this reveal is not.
    """
    revealed, luck = reveal(board, mines, revealed, cell), 0.0
    while revealed is not None:
        revealed, position, analysis = reveal_certain(board, mines, revealed)
        if position is None:
            return 1 - luck
        guess = end_game(position)
        if guess is not None and guess.value is not None:
            return float(guess.value) - luck
        guess = guess or least_risk(position, analysis.probability_array)
        luck += SURVIVAL_VALUE * (analysis.probability_array[guess.cell] - (guess.cell in mines))
        revealed = reveal(board, mines, revealed, guess.cell)
    return -luck
