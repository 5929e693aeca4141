"""What the page is told of a game: its board's address, then marks and figures.

Nothing here tells where a mine lies before the game has shown it, nor a seed that would.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sapper.board.rules import format_size
from sapper.errors import IllegalMove
from sapper.serialize.cells import Json
from sapper.web.boards import shapes_of
from sapper.web.play.live_games import LiveGame, seen


def game_json(live: LiveGame) -> Json:
    """All that a page needs to show a game: where its board is, every mark, the figures."""
    session = live.session
    rules = session.setup.rules
    board = rules.board
    on_tiling = board.tiling is not None
    return {
        "id": live.row.id,
        "title": live.row.title,
        "board": shapes_of(board) if on_tiling else f"/api/games/{live.row.id}/board",
        "tiling": board.tiling,
        "size": format_size(rules) if on_tiling else None,
        "rule": rules.rule if session.setup.layout is None else None,
        "generator": session.setup.generator if session.setup.layout is None else "layout",
        "mines": rules.mines,
        "marks": session.position.marks.tolist(),
        "question_marks": list(live.question_marks),
        "state": state_json(live),
    }


def changes_json(live: LiveGame, changed: Iterable[int]) -> Json:
    """What a move did: the cells it changed with their marks, and the figures."""
    cells = np.asarray(changed, dtype=np.int64)
    marks = live.session.position.marks
    return {
        "cells": cells.tolist(),
        "marks": marks[cells].tolist(),
        "state": state_json(live),
    }


def state_json(live: LiveGame) -> Json:
    """The figures of a game, small enough to go with every answer."""
    session = live.session
    game = session.game
    return {
        "events": seen(session),
        "outcome": game.outcome,
        "exploded": sorted(game.exploded),
        "flags": len(session.position.flags),
        "milliseconds": session.milliseconds,
        "running": session.running,
        "clicks": session.clicks,
        "three_bv": session.three_bv,
        "three_bv_total": game.layout.three_bv if game.over and game.layout is not None else None,
        "undos": session.undos,
        "hints": session.hints,
        "deaths": session.deaths,
        "continues": game.continues,
        "helped": session.helped,
        "repeated": live.row.again,
        "can_undo": game.can_undo,
        "can_redo": game.can_redo,
    }


def mines_json(live: LiveGame) -> Json:
    """Where the mines are, once the game is over."""
    game = live.session.game
    if not game.over or game.layout is None:
        raise IllegalMove("cannot show the mines: the game is not over")
    return {"mines": game.layout.mine_cells.tolist()}
