"""Games as JSON: marks, figures and changes.

Nothing here reveals a mine before the game has shown it, nor a seed that would.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from sapper.board.rules import format_size
from sapper.serialize.cells import Json
from sapper.web.boards import shapes_of
from sapper.web.play.live_games import LiveGame, events_seen


def game_json(live: LiveGame) -> Json:
    """Return all that the page needs to show a game."""
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
    """Return the cells that a move changed, with their marks, and the state."""
    cells = np.asarray(changed, dtype=np.int64)
    return {
        "cells": cells.tolist(),
        "marks": live.session.position.marks[cells].tolist(),
        "state": state_json(live),
    }


def state_json(live: LiveGame) -> Json:
    """Return the figures of a game, small enough to be part of every answer."""
    session = live.session
    game = session.game
    return {
        "events": events_seen(session),
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
        "repeated": live.row.repeated,
        "can_undo": game.can_undo,
        "can_redo": game.can_redo,
    }
