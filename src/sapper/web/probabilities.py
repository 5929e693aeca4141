"""Probabilities of a position, for games and for the editor; the last analyses are cached."""

from __future__ import annotations

from sapper.board.position import Position
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import Limit
from sapper.engine.probabilities import tied_for_least
from sapper.serialize.analysis import probabilities_json
from sapper.serialize.cells import BY_INDEX, Json
from sapper.web.server.cache import LruCache

# Values and proofs of single cells are requested while the probabilities are on the screen.
_ANALYSES: LruCache[tuple[Position, bool], Analysis] = LruCache(16)


def cached_analysis(position: Position, trust_flags: bool, limit: Limit) -> Analysis:
    """Return the analysis of a position, computed where it is not cached."""
    return _ANALYSES.get(
        (position, trust_flags),
        lambda: analyse(position, trust_flags=trust_flags, budget=limit),
    )


def analysis_json(analysis: Analysis) -> Json:
    """Return the probabilities cell by cell, the certain cells, and the safest ones."""
    probabilities = analysis.probability_array
    cells = tied_for_least(probabilities)
    return {
        **probabilities_json(analysis, BY_INDEX),
        "least_risk": float(probabilities[cells].min()) if len(cells) else None,
        "safest": cells.tolist(),
    }
