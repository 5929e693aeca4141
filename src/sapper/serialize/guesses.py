"""The best guess of a position."""

from __future__ import annotations

from sapper.board.move import Move
from sapper.board.position import FLAG
from sapper.engine.analysis import Analysis
from sapper.engine.budget import Limit
from sapper.errors import OutOfBudget
from sapper.players.agents import Choice
from sapper.players.guess import Guess, least_risk
from sapper.players.shrewd import default_guesser
from sapper.serialize.cells import CellFormat, Json
from sapper.serialize.moves import choice_json


def best_guess(analysis: Analysis, limit: Limit) -> Guess | None:
    """What `shrewd` would reveal where no cell is certainly free; None where one is.

    On boards without a network `thoughtful` is asked. Where its time is over, the cell of least
    probabilities.
    """
    position = analysis.position
    seen = position if analysis.trust_flags else position.without_flags()
    if len(analysis.safe_cells) or not len(seen.covered):
        return None
    mines = dict.fromkeys(analysis.certain_mine_cells.tolist(), FLAG)
    if len(mines) == len(seen.covered):
        return None
    marked = seen.with_marks(mines)
    try:
        return default_guesser(marked.board).guess(marked, limit)
    except OutOfBudget:
        return least_risk(marked, analysis.probability_array)


def guess_json(analysis: Analysis, limit: Limit, by: CellFormat) -> Json | None:
    """The best guess with its reason and what it was weighed against; None where none is needed."""
    found = best_guess(analysis, limit)
    if found is None:
        return None
    return choice_json(Choice(Move("reveal", found.cell), found), analysis.position, by, analysis)
