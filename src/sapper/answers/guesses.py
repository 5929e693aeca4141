"""The best guess of a position."""

from __future__ import annotations

from sapper.answers.moves import choice_json
from sapper.answers.spelling import Json, Spelling
from sapper.errors import OutOfBudget
from sapper.infer.budget import Limit
from sapper.infer.odds.analysis import Analysis
from sapper.model.frame import FLAG
from sapper.model.move import Move
from sapper.play.guess import Guess, least_odds
from sapper.play.rounds import Choice
from sapper.play.shrewd.mind import adviser


def best_guess(analysis: Analysis, limit: Limit) -> Guess | None:
    """What `shrewd` would reveal where no cell is certainly free; None where one is.

    On boards without a network `thoughtful` is asked. Where its time is over, the cell of least
    odds.
    """
    frame = analysis.frame
    seen = frame if analysis.trust_flags else frame.without_flags()
    if len(analysis.reveal_cells) or not len(seen.blanks):
        return None
    mines = dict.fromkeys(analysis.flag_cells.tolist(), FLAG)
    if len(mines) == len(seen.blanks):
        return None
    marked = seen.with_marks(mines)
    try:
        return adviser(marked.board).guess(marked, limit)
    except OutOfBudget:
        return least_odds(marked, analysis.probability)


def guess_json(analysis: Analysis, limit: Limit, by: Spelling) -> Json | None:
    """The best guess with its reason and what it was weighed against; None where none is needed."""
    found = best_guess(analysis, limit)
    if found is None:
        return None
    return choice_json(Choice(Move("reveal", found.cell), found), analysis.frame, by, analysis)
