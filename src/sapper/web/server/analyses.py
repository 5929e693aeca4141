"""The analyses made last: numbers and proofs are asked for while the odds are on the screen."""

from __future__ import annotations

from starlette.requests import Request

from sapper.infer.budget import Limit
from sapper.infer.odds.analysis import Analysis, analyse
from sapper.model.frame import Frame
from sapper.web.server.kept import Kept

KEPT = 16


class Analyses:
    """The analyses made last, by frame."""

    def __init__(self) -> None:
        self._kept: Kept[tuple[Frame, bool], Analysis] = Kept(KEPT)

    def of(self, frame: Frame, trust_flags: bool, limit: Limit) -> Analysis:
        """The analysis of a frame, made where it is not kept."""
        return self._kept.get(
            (frame, trust_flags),
            lambda: analyse(frame, trust_flags=trust_flags, budget=limit),
        )


def analyses_of(request: Request) -> Analyses:
    """The analyses of the server."""
    analyses: Analyses = request.app.state.analyses
    return analyses
