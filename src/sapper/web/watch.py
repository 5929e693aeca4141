"""Watching: a solver or a player at work, computed a few steps ahead of those who look on."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.position import Position
from sapper.board.rules import format_size
from sapper.engine.budget import Budget, Cancel
from sapper.errors import NotationError, OutOfBudget, WatchedGameNotFound
from sapper.games.setup import GameSetup
from sapper.games.watch import WatchedGame, WatchStep, timed_players, watch_setup
from sapper.generators.layout_sources import layout_generators
from sapper.players.guess import Guess
from sapper.players.patient import RolloutProgress
from sapper.proofs.simple import proof_of_move
from sapper.serialize.cells import BY_INDEX, BY_NAME, Json
from sapper.serialize.page_words import on_page
from sapper.web.boards import shapes_of
from sapper.web.play.live_games import title_of
from sapper.web.server import limits
from sapper.web.server.requests import read_body, start_of, text_of, whole_of
from sapper.web.server.security import JsonResponse
from sapper.web.server.workers import work

# A search of a watched solver may take so long; then it is stuck, and says so.
BUDGET = Budget(seconds=10, memory=1_000_000_000)
# One answer brings at most so many steps, and what was found within this time.
MAX_STEPS = 200
SLICE = 0.25
# What the proof of one step may take, so that the next ones are there in time.
PROOF_BUDGET = Budget(seconds=0.3, memory=BUDGET.memory)
# Watched games are kept in memory alone. While somebody looks at one it stays, up to a limit; one
# that was dropped can be watched again by its seed.
USUAL_SESSIONS = 12
MAX_SESSIONS = 64
LOOKED_AT = 1800.0


class WatchSession:
    """One watched game: the steps found so far, and the search for the next ones."""

    def __init__(self, setup: GameSetup, watch: WatchedGame) -> None:
        self.setup = setup
        self.watch = watch
        self.steps: list[Json] = []
        self.summary: str | None = None
        self.looked_at = time.monotonic()
        self._lock = threading.Lock()

    def read(self, past: int, cancel: Cancel) -> None:
        """Find steps until there are *past*, the time is up, or the game has ended."""
        until = time.monotonic() + SLICE
        with self._lock:
            while len(self.steps) < past and self.summary is None and not cancel.is_set:
                self._next(cancel)
                if time.monotonic() > until:
                    break

    def _next(self, cancel: Cancel) -> None:
        """Find a step; when the one who looks on goes away meanwhile, the next one finds it."""
        step, before = None, self.watch.game.position
        try:
            step = self.watch.step(BUDGET.start(cancel))
        except OutOfBudget as error:
            if cancel.is_set:
                return
            self.watch.tally.why_stopped = str(error)
        if step is None:
            self.summary = self.watch.summary
        else:
            self.steps.append(step_json(step, before))

    def thinking(self) -> Json | None:
        """What is known of the guess that is being thought over; None where there is none."""
        guesser = self.watch.guesser
        return None if guesser is None else guess_search_json(guesser.progress)

    def hurry(self) -> None:
        """Let the player decide with what it knows."""
        guesser = self.watch.guesser
        if guesser is not None:
            guesser.hurry()


class WatchSessions:
    """The games that are being watched, the latest ones kept."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, WatchSession] = OrderedDict()

    def add(self, watched: WatchSession) -> str:
        """Keep a game; answers with its id."""
        name = secrets.token_urlsafe(9)
        self._kept[name] = watched
        while len(self._kept) > USUAL_SESSIONS and self._may_go(next(iter(self._kept.values()))):
            self._kept.popitem(last=False)
        return name

    def _may_go(self, oldest: WatchSession) -> bool:
        """Whether nobody looks at the oldest game any more, or there are too many."""
        idle = time.monotonic() - oldest.looked_at
        return idle > LOOKED_AT or len(self._kept) > MAX_SESSIONS

    def get(self, name: str) -> WatchSession:
        """The game of that id."""
        if name not in self._kept:
            raise WatchedGameNotFound(f"expected a game that is being watched, got {name!r:.60}")
        self._kept.move_to_end(name)
        self._kept[name].looked_at = time.monotonic()
        return self._kept[name]


async def begin(request: Request) -> Response:
    """A solver or a player sits down at a game."""
    data = await read_body(request, limits.SMALL_BODY)
    watched = await to_thread.run_sync(_watched, data)
    return JsonResponse({"id": _watching(request).add(watched), **watched_json(watched)}, 201)


async def steps(request: Request) -> Response:
    """The steps from a number on, as many as are there soon; with the summary after the last."""
    data = await read_body(request, limits.SMALL_BODY)
    watched = _watching(request).get(request.path_params["watch"])
    past = whole_of(data, "from")
    most = min(MAX_STEPS, whole_of(data, "most")) if "most" in data else MAX_STEPS
    if not 0 <= past <= len(watched.steps):
        raise NotationError(f"expected a step from 0 to {len(watched.steps)}, got {past}")
    await work(request, lambda cancel: watched.read(past + most, cancel))
    found = watched.steps[past : past + most]
    last = past + len(found) == len(watched.steps) and watched.summary is not None
    return JsonResponse({"steps": found, "end": _end(watched) if last else None})


async def thinking(request: Request) -> Response:
    """How far a player is with the guess that it thinks over; asked while `steps` is waited for."""
    watched = _watching(request).get(request.path_params["watch"])
    return JsonResponse({"search": watched.thinking()})


async def hurry(request: Request) -> Response:
    """A player decides its guess now."""
    _watching(request).get(request.path_params["watch"]).hurry()
    return JsonResponse({})


ROUTES = [
    Route("/api/watch", begin, methods=["POST"]),
    Route("/api/watch/{watch}/steps", steps, methods=["POST"]),
    Route("/api/watch/{watch}/search", thinking),
    Route("/api/watch/{watch}/decide", hurry, methods=["POST"]),
]


def watched_json(watched: WatchSession) -> Json:
    """What the page needs to draw a watched game before its first step."""
    setup, watch = watched.setup, watched.watch
    rules = setup.rules
    return {
        "title": title_of(setup),
        "board": shapes_of(rules.board),
        "size": format_size(rules),
        "tiling": rules.board.tiling,
        "rule": rules.rule,
        "generator": setup.generator,
        "seed": str(setup.seed),
        "mines": rules.mines,
        "kind": watch.kind,
        "name": watch.name,
        "takes_seconds": watch.kind == "player" and watch.name in timed_players(),
    }


def step_json(step: WatchStep, before: Position) -> Json:
    """A step as the page shows it, with its proof in words where it is certain."""
    board = step.position.board
    proof = None
    if not isinstance(step.why, Guess):
        proof = proof_of_move(before, step.move, step.why.numbers, PROOF_BUDGET.start())
    reason = on_page(step.why.reason(step.position))
    return {
        **BY_INDEX.move(board, step.move),
        **BY_NAME.move(board, step.move),
        "reason": reason,
        "by": step.why.by if proof is not None and proof.number_cells == step.why.numbers else None,
        "guess": isinstance(step.why, Guess),
        "numbers": list(step.why.numbers if proof is None else proof.number_cells),
        "text": reason if proof is None else on_page(proof.text),
        **({"pieces": None} if proof is None else BY_INDEX.pieces(proof.sentence)),
        "cells": list(step.changed),
        "marks": step.position.marks[list(step.changed)].tolist(),
    }


def guess_search_json(progress: RolloutProgress | None) -> Json | None:
    """Candidates with their rates so far, the best first."""
    if progress is None:
        return None
    return {
        "samples": progress.samples,
        "first": progress.first,
        "candidates": [
            {
                "cell": one.cell,
                "name": progress.position.board.name(one.cell),
                "rate": one.rate,
                "error": one.error,
                "samples": one.samples,
            }
            for one in progress.rolled
        ],
    }


def _watched(data: Json) -> WatchSession:
    kind = text_of(data, "kind", "solver")
    name = text_of(data, "name") if "name" in data else None
    first = whole_of(data, "first") if data.get("first") is not None else None
    settings = {}
    if data.get("seconds") is not None:
        settings["seconds"] = whole_of(data, "seconds")
    setup = start_of(data)
    generators = layout_generators(BUDGET)
    watched = watch_setup(setup, kind, name, first, settings=settings, layout_generators=generators)
    return WatchSession(setup, watched)


def _end(watched: WatchSession) -> Json:
    game = watched.watch.game
    return {
        "outcome": game.outcome if game.over else "stuck",
        "summary": None if watched.summary is None else on_page(watched.summary),
        "exploded": sorted(game.exploded),
        "mines": [] if game.layout is None else game.layout.mine_cells.tolist(),
    }


def _watching(request: Request) -> WatchSessions:
    watching: WatchSessions = request.app.state.watching
    return watching
