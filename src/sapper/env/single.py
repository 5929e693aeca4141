"""One game at a time: the Gymnasium environment, played on a `Game` as people play it."""

from __future__ import annotations

from typing import Any, Unpack

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded

from sapper.board.board import Board
from sapper.board.move import Move
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.random_stream import random_seed
from sapper.board.rules import Rules
from sapper.env.config import Bytes, EnvConfig, EnvOptions
from sapper.env.rendering import METADATA, check_mode, picture
from sapper.env.seeds import EpisodeSeeds
from sapper.errors import IllegalMove
from sapper.games.game import Game


class MinesweeperEnv(gymnasium.Env[npt.NDArray[Any], Any]):
    """Minesweeper by any rules, as docs/env.md describes it.

    >>> env = MinesweeperEnv("5x5/3", observation="grid")
    >>> observation, info = env.reset(seed=1)
    >>> observation, reward, terminated, truncated, info = env.step(12)
    >>> observation[2].tolist(), int(info["action_mask"].sum()), info["seed"]
    ([0, 0, 0, 2, -1], 4, 1)
    """

    metadata = METADATA

    def __init__(
        self,
        rules: str | Rules = "beginner",
        *,
        render_mode: str | None = None,
        **options: Unpack[EnvOptions],
    ):
        self._task = EnvConfig.of(rules, **options)
        self.render_mode = check_mode(render_mode)
        self.action_space = self._task.action_space
        self.observation_space = self._task.observation_space
        self._game: Game | None = None
        self._episodes: EpisodeSeeds | None = None
        self._mask: Bytes = np.zeros(self._task.actions, dtype=np.int8)

    @property
    def rules(self) -> Rules:
        """The rules of the games."""
        return self._task.rules

    @property
    def board(self) -> Board:
        """The board of the games."""
        return self._task.board

    @property
    def edge_index(self) -> npt.NDArray[np.int64]:
        """The board's graph: from and to of every pair of neighbours, both ways."""
        return self._task.edge_index.copy()

    @property
    def game(self) -> Game:
        """The game at hand; moves made on it are not seen by the environment."""
        if self._game is None:
            raise ResetNeeded("expected reset() before anything else, got a game that never began")
        return self._game

    @property
    def position(self) -> Position:
        """What the player sees now."""
        return self.game.position

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal now; none when the game is over."""
        return self._mask.astype(bool)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """Start the game of a seed; without one, the next of the stream of the last seed.

        No options are known; they are there for wrappers.
        """
        seed = int(seed) if isinstance(seed, np.integer) else seed
        super().reset(seed=seed, options=options)
        if seed is None and self._episodes is not None:
            number = self._episodes.next()
        else:
            number = random_seed() if seed is None else seed
            self._episodes = EpisodeSeeds(number)
        rules = self._task.rules
        self._game = Game(rules.board, rules.mines, self._task.layout_source(number), seed=number)
        self._mask = self._legal(self._game)
        return self._observation(self._game), self._info(self._game)

    def step(self, action: Any) -> tuple[npt.NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Make a move; one that is not legal is wasted and changes nothing."""
        game = self.game
        if game.over:
            raise IllegalMove(f"cannot step: the game is {game.outcome}; reset() starts the next")
        if not self.action_space.contains(action):
            most = self._task.actions - 1
            raise IllegalMove(f"expected an action from 0 to {most}, got {action!r:.60}")
        reward = self._act(game, int(action))
        return self._observation(game), reward, game.over, False, self._info(game)

    def render(self) -> Any:
        """The position as the render mode shows it; None without one."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() shows nothing: no render mode was given to make()")
            return None
        return picture(self.render_mode, self.position, self.game.exploded)

    def _act(self, game: Game, action: int) -> float:
        win, loss, reveal, cell, wasted = self._task.weights
        if not self._mask[action]:
            return wasted
        cells = self._task.cells
        if action >= cells:
            flagged = game.position.marks[action - cells] == FLAG
            game.play(Move("unflag" if flagged else "flag", action - cells))
            self._mask = self._legal(game)
            return 0.0
        revealed = game.play(Move("reveal", action))
        self._mask = self._legal(game)
        if game.outcome == "lost":
            return loss
        earned = reveal + cell * len(revealed)
        return earned + win if game.outcome == "won" else earned

    def _legal(self, game: Game) -> Bytes:
        """1 for each action that is legal now."""
        mask = np.zeros(self._task.actions, dtype=np.int8)
        if game.over:
            return mask
        marks, cells = game.position.marks, self._task.cells
        np.equal(marks, COVERED, out=mask[:cells], casting="unsafe")
        if game.layout is None:
            mask[:cells] &= self._task.opens
        if self._task.flags:
            mask[cells:] = marks < 0
        return mask

    def _observation(self, game: Game) -> npt.NDArray[Any]:
        task, position = self._task, game.position
        if not task.probabilities:
            return position.marks.astype(np.int8).reshape(task.shape)
        probabilities = task.probability_rows([position])[0]
        return np.stack([position.marks.astype(np.float32), probabilities]).reshape(task.shape)

    def _info(self, game: Game) -> dict[str, Any]:
        return {
            "action_mask": self._mask.copy(),
            "seed": game.seed,
            "won": game.outcome == "won",
        }
