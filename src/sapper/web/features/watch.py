"""Watch a solver or a player: steps are computed a little ahead of what the page shows."""

from __future__ import annotations

import secrets
import threading
import time
from typing import Annotated

import msgspec
from anyio import to_thread
from cachetools import LRUCache
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.board.position import Position
from sapper.board.rules import format_size
from sapper.engine.budget import Budget, Cancel
from sapper.errors import NotationError, OutOfBudget, WatchedGameNotFound
from sapper.games.setup import GameSetup
from sapper.games.watch import WatchedGame, WatchStep, timed_players, watch_setup
from sapper.generators.layouts import layout_generators
from sapper.players.guess import Guess
from sapper.players.patient import RolloutProgress
from sapper.proofs.steps import proof_of_move
from sapper.serialize.cells import BY_INDEX, BY_NAME, Json
from sapper.serialize.positions import guess_json
from sapper.web.boards import shapes_of
from sapper.web.live_games import title_of
from sapper.web.server.http import JsonResponse, SetupBody, read_body
from sapper.web.server.workers import work

# For one step of a solver; beyond it the solver is stuck.
BUDGET = Budget(seconds=10, memory=1_000_000_000)
# For the proof of one step: short, so that the next steps are ready in time.
PROOF_BUDGET = Budget(seconds=0.3, memory=BUDGET.memory)
# One response has at most this many steps, found within this many seconds.
MAX_STEPS = 200
RESPONSE_SECONDS = 0.25
# Watched games are in memory only. Beyond this number the least recently used one is dropped; the
# page starts it again from its seed.
MAX_SESSIONS = 64


class WatchBody(SetupBody):
    """What to watch; `seconds` is how long a player may take for a guess."""

    kind: str = "solver"
    name: str | None = None
    first: int | None = None
    seconds: int | None = None

    def session(self) -> WatchSession:
        """Set up the game."""
        setup = self.setup()
        settings = {} if self.seconds is None else {"seconds": self.seconds}
        game = watch_setup(
            setup,
            self.kind,
            self.name,
            self.first,
            settings=settings,
            layout_generators=layout_generators(BUDGET),
        )
        return WatchSession(setup, game)


class StepsBody(msgspec.Struct):
    """Which steps to return."""

    start: int = msgspec.field(name="from")
    max_steps: Annotated[int, msgspec.Meta(ge=1)] = MAX_STEPS


class WatchSession:
    """One watched game, with the steps found so far."""

    def __init__(self, setup: GameSetup, watched: WatchedGame) -> None:
        self.setup = setup
        self.watched = watched
        self.steps: list[Json] = []
        self.summary: str | None = None
        self._lock = threading.Lock()

    def find_steps(self, count: int, cancel: Cancel) -> None:
        """Find steps until there are *count*, the time is up, or the game has ended."""
        until = time.monotonic() + RESPONSE_SECONDS
        with self._lock:
            while len(self.steps) < count and self.summary is None and not cancel.is_set:
                self._find_step(cancel)
                if time.monotonic() > until:
                    break

    def _find_step(self, cancel: Cancel) -> None:
        step, before = None, self.watched.game.position
        try:
            step = self.watched.step(BUDGET.start(cancel))
        except OutOfBudget as error:
            if cancel.is_set:
                return  # the next request finds it
            self.watched.tally.stop_reason = error.problem
        if step is None:
            self.summary = self.watched.summary
        else:
            self.steps.append(step_json(step, before))


WatchSessions = LRUCache[str, WatchSession]


async def start(request: Request) -> Response:
    """Start a game to watch."""
    body = await read_body(request, WatchBody)
    session = await to_thread.run_sync(body.session)
    session_id = secrets.token_urlsafe(9)
    _sessions(request)[session_id] = session
    return JsonResponse({"id": session_id, **session_json(session)}, 201)


async def steps(request: Request) -> Response:
    """Return the next steps, and the summary after the last."""
    body = await read_body(request, StepsBody)
    session = _session(request)
    if not 0 <= body.start <= len(session.steps):
        raise NotationError(f"expected a step from 0 to {len(session.steps)}, got {body.start}")
    stop = body.start + min(MAX_STEPS, body.max_steps)
    await work(request, lambda cancel: session.find_steps(stop, cancel))
    new_steps = session.steps[body.start : stop]
    is_last = body.start + len(new_steps) == len(session.steps) and session.summary is not None
    return JsonResponse({"steps": new_steps, "end": _end_json(session) if is_last else None})


async def search(request: Request) -> Response:
    """Return the progress of the search for a guess that `steps` is waiting for."""
    guesser = _session(request).watched.guesser
    progress = None if guesser is None else guesser.progress
    return JsonResponse({"search": None if progress is None else progress_json(progress)})


async def decide(request: Request) -> Response:
    """End the player's search: it takes the best guess so far."""
    guesser = _session(request).watched.guesser
    if guesser is not None:
        guesser.finish_early()
    return JsonResponse({})


ROUTES = [
    Route("/api/watch", start, methods=["POST"]),
    Route("/api/watch/{watch}/steps", steps, methods=["POST"]),
    Route("/api/watch/{watch}/search", search),
    Route("/api/watch/{watch}/decide", decide, methods=["POST"]),
]


def session_json(session: WatchSession) -> Json:
    """Return what the page needs before the first step."""
    setup, watched = session.setup, session.watched
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
        "kind": watched.kind,
        "name": watched.name,
        "takes_seconds": watched.kind == "player" and watched.name in timed_players(),
    }


def step_json(step: WatchStep, before: Position) -> Json:
    """Return a step, with a proof if it is certain."""
    board = step.position.board
    proof = None
    if not isinstance(step.reason, Guess):
        proof = proof_of_move(before, step.move, step.reason.number_cells, PROOF_BUDGET.start())
    reason = step.reason.describe(step.position)
    sentence = step.reason.sentence if isinstance(step.reason, Guess) else (reason,)
    sentence = (*sentence, ".")
    uses_same_numbers = proof is not None and proof.number_cells == step.reason.number_cells
    return {
        **BY_INDEX.move(board, step.move),
        **BY_NAME.move(board, step.move),
        "reason": reason,
        "by": step.reason.by if uses_same_numbers else None,
        "guess": isinstance(step.reason, Guess),
        "numbers": list(step.reason.number_cells if proof is None else proof.number_cells),
        **guess_json(step.reason if isinstance(step.reason, Guess) else None, board, BY_INDEX),
        "text": reason if proof is None else proof.text,
        **BY_INDEX.pieces(sentence if proof is None else proof.sentence),
        "cells": list(step.changed),
        "marks": step.position.marks[list(step.changed)].tolist(),
    }


def progress_json(progress: RolloutProgress) -> Json:
    """Return the candidates with their win rates so far, the present choice first."""
    return {
        "samples": progress.samples,
        "first": progress.first,
        "candidates": [
            {
                "cell": candidate.cell,
                "name": progress.position.board.name(candidate.cell),
                "rate": candidate.rate,
                "error": candidate.error,
                "samples": candidate.samples,
            }
            for candidate in progress.results
        ],
    }


def _sessions(request: Request) -> WatchSessions:
    sessions: WatchSessions = request.app.state.watch_sessions
    return sessions


def _session(request: Request) -> WatchSession:
    session = _sessions(request).get(request.path_params["watch"])
    if session is None:
        raise WatchedGameNotFound("this game is no longer available: start it again")
    return session


def _end_json(session: WatchSession) -> Json:
    game = session.watched.game
    return {
        "outcome": game.outcome if game.over else "stuck",
        "summary": session.summary,
        "why_stuck": session.watched.tally.stop_reason or None,
        "exploded": sorted(game.exploded),
        "mines": [] if game.layout is None else game.layout.mine_cells.tolist(),
    }
