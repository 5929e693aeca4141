"""Games of a player without a compiled twin: its readable self plays them, move by move."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sapper.board.board import Ints
from sapper.board.position import Position
from sapper.engine.analysis import analyse
from sapper.engine.budget import Budget, Cancel
from sapper.errors import OutOfBudget
from sapper.games.campaign import Campaign
from sapper.games.game import Game
from sapper.games.watch import WatchStep, watch
from sapper.kernels.games.whole_games import FIELDS
from sapper.players.guess import Guess
from sapper.players.registry import Player


class PythonRunner:
    """One thread that plays games of a campaign by `watch`."""

    def __init__(self, campaign: Campaign, player: Player, *, check: bool, budget: Budget):
        self._campaign = campaign
        self._player = player
        self._check = check
        self._budget = budget

    def play(self, seeds: range, cancel: Cancel) -> Ints:
        """The games of these seeds, a row each, a column for each of FIELDS; `asked` stays 0."""
        rows = np.zeros((len(seeds), len(FIELDS)), dtype=np.int32)
        for row, seed in zip(rows, seeds, strict=True):
            found = self._game(seed, cancel)
            row[:] = [found.get(name, 0) for name in FIELDS]
        return rows

    def _game(self, seed: int, cancel: Cancel) -> Mapping[str, int]:
        rules, first = self._campaign.rules, self._campaign.first
        game = Game.new(rules, seed)
        seen, last = game.position, None
        guesses = reveals = 0
        for step in watch(game, player=self._player, first=first, seed=seed, budget=self._budget):
            if cancel.is_set:
                raise OutOfBudget("cancelled before the games were played")
            guesses += isinstance(step.why, Guess)
            reveals += step.move.action == "reveal"
            if not game.over:
                seen = step.position
            last = step
        blunder = self._check and game.outcome == "lost" and self._is_blunder(seen, last)
        return {
            "won": int(game.outcome == "won"),
            "guesses": guesses,
            "reveals": reveals,
            "blunders": int(blunder),
        }

    def _is_blunder(self, seen: Position, last: WatchStep | None) -> bool:
        """Whether a guess lost the game while a certain reveal existed."""
        if last is None or not isinstance(last.why, Guess):
            return False
        return bool(analyse(seen.without_flags(), budget=self._budget).safe)
