"""The menu: levels, board shapes, rules, generators and players that the user can choose."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import sapper
from sapper.board.rules import LEVELS
from sapper.board.tilings import TILINGS
from sapper.games.watch import WATCHABLE, timed_players
from sapper.generators.layouts import NO_GUESS
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.proofs.hints import HINT_DETAILS
from sapper.web import page
from sapper.web.server import limits
from sapper.web.server.http import JsonResponse

# The options of the fields "First click" and "Difficulty".
RULE_LABELS = {"zero": "opens an area", "safe": "is not a mine", "any": "may be a mine"}
GENERATOR_LABELS = {
    "plain": "Any, may need guesses",
    NO_GUESS: "No-guess",
    f"{NO_GUESS}-without-count": "No-guess, numbers alone",
    **{
        f"{NO_GUESS}-{entry.name}": f"No-guess, hardest step: {entry.text}"
        for entry in DIFFICULTIES.values()
    },
}


async def menu(request: Request) -> Response:
    """Return what the user can choose."""
    return JsonResponse(
        {
            "version": sapper.__version__,
            "docs": (page.DOCS / "index.html").is_file(),
            "shared": request.app.state.invitations is not None,
            "levels": LEVELS,
            "tilings": {
                name: {"about": entry.about, "least": entry.min_size}
                for name, entry in TILINGS.items()
            },
            "rules": RULE_LABELS,
            "generators": GENERATOR_LABELS,
            "hint_details": list(HINT_DETAILS),
            "difficulties": {name: entry.text for name, entry in DIFFICULTIES.items()},
            "max_cells": limits.MAX_CELLS,
            "timed_players": timed_players(),
            "watch": {
                kind: {name: entry.about for name, entry in entries.items()}
                for kind, entries in WATCHABLE.items()
            },
        }
    )


ROUTES = [Route("/api/menu", menu)]
