"""The analyses made last: numbers and proofs are asked for while the probabilities are on the screen."""

from __future__ import annotations

from starlette.requests import Request

from sapper.board.position import Position
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import Limit
from sapper.web.server.cache import LruCache

CACHE_SIZE = 16


class AnalysisCache:
    """The analyses made last, by position."""

    def __init__(self) -> None:
        self._kept: LruCache[tuple[Position, bool], Analysis] = LruCache(CACHE_SIZE)

    def of(self, position: Position, trust_flags: bool, limit: Limit) -> Analysis:
        """The analysis of a position, made where it is not kept."""
        return self._kept.get(
            (position, trust_flags),
            lambda: analyse(position, trust_flags=trust_flags, budget=limit),
        )


def analyses_of(request: Request) -> AnalysisCache:
    """The analyses of the server."""
    analyses: AnalysisCache = request.app.state.analyses
    return analyses
