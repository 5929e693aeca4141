"""The Gymnasium environment of one game, played on a `Game`, and players as its policies."""

from __future__ import annotations

from typing import Any, Unpack

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded

from sapper.board.move import Move
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.random_stream import check_seed, random_seed
from sapper.board.rules import Rules
from sapper.engine.budget import DEFAULT_BUDGET, Budget
from sapper.env.config import (
    METADATA,
    ConfigProperties,
    EnvConfig,
    EnvOptions,
    Mask,
    check_render_mode,
    render_position,
)
from sapper.errors import IllegalMove, RulesError
from sapper.games.game import Game
from sapper.kernels import view
from sapper.kernels.board import next_random, seed_state
from sapper.kernels.games.environments import EPISODES_SALT, SEED_SHIFT
from sapper.players.agents import Agent
from sapper.players.player import Player
from sapper.players.registry import PLAYERS


class EpisodeSeeds:
    """The 48-bit seeds of the games that follow the game of a given seed.

    They come from a `sapper.board.random_stream` with the seed XOR 0x657069736F646573 ('episodes').
    The vector environment has such a stream for each of its games.

    >>> episodes = EpisodeSeeds(1)
    >>> episodes.next(), episodes.next()
    (164669040365667, 50133775171482)
    """

    def __init__(self, seed: int):
        check_seed(seed)
        # An array rather than a view, so that an environment can be copied.
        self._state = np.empty(4, dtype=np.uint64)
        seed_state(seed ^ EPISODES_SALT, view(self._state))

    def next(self) -> int:
        """Return the seed of the next game."""
        return int(next_random(view(self._state))) >> SEED_SHIFT


class MinesweeperEnv(ConfigProperties, gymnasium.Env[npt.NDArray[Any], Any]):
    """A Minesweeper environment; docs/env.md describes it.

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
        self._config = EnvConfig.of(rules, **options)
        self.render_mode = check_render_mode(render_mode)
        self.action_space = self._config.action_space
        self.observation_space = self._config.observation_space
        self._game: Game | None = None
        self._episodes: EpisodeSeeds | None = None
        self._mask: Mask = np.zeros(self._config.action_count, dtype=np.int8)

    @property
    def game(self) -> Game:
        """The current game; moves made on it directly do not update the action mask."""
        if self._game is None:
            raise ResetNeeded("call reset() first")
        return self._game

    @property
    def position(self) -> Position:
        """The current position."""
        return self.game.position

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions as a boolean mask; none when the game is over."""
        return self._mask.astype(bool)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """Start the game of a seed; without one, that of the next seed of the stream.

        *options* are ignored.
        """
        seed = int(seed) if isinstance(seed, np.integer) else seed
        super().reset(seed=seed, options=options)
        if seed is None and self._episodes is not None:
            game_seed = self._episodes.next()
        else:
            game_seed = random_seed() if seed is None else seed
            self._episodes = EpisodeSeeds(game_seed)
        self._game = Game(self._config.setup(game_seed))
        self._mask = self._legal_actions(self._game)
        return self._observation(self._game), self._info(self._game)

    def step(self, action: Any) -> tuple[npt.NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Make a move; an illegal move changes nothing."""
        game = self.game
        if game.over:
            raise IllegalMove(f"the game is {game.outcome}: call reset()")
        if not self.action_space.contains(action):
            last = self._config.action_count - 1
            raise IllegalMove(f"expected an action from 0 to {last}, got {action!r:.60}")
        reward = self._act(game, int(action))
        return self._observation(game), reward, game.over, False, self._info(game)

    def render(self) -> Any:
        """Render the position; return None without a render mode."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode")
            return None
        return render_position(self.render_mode, self.position, self.game.exploded)

    def _act(self, game: Game, action: int) -> float:
        win, loss, reveal, per_cell, wasted = self._config.weights
        if not self._mask[action]:
            return wasted
        cell_count = self._config.cell_count
        if action >= cell_count:
            flagged = game.position.marks[action - cell_count] == FLAG
            game.play(Move("unflag" if flagged else "flag", action - cell_count))
            self._mask = self._legal_actions(game)
            return 0.0
        revealed = game.play(Move("reveal", action))
        self._mask = self._legal_actions(game)
        if game.outcome == "lost":
            return loss
        reward = reveal + per_cell * len(revealed)
        return reward + win if game.outcome == "won" else reward

    def _legal_actions(self, game: Game) -> Mask:
        """Return a mask with 1 for each legal action."""
        mask = np.zeros(self._config.action_count, dtype=np.int8)
        if game.over:
            return mask
        marks, cell_count = game.position.marks, self._config.cell_count
        np.equal(marks, COVERED, out=mask[:cell_count], casting="unsafe")
        if game.layout is None:
            mask[:cell_count] &= self._config.first_click_mask
        if self._config.flags:
            mask[cell_count:] = marks < 0
        return mask

    def _observation(self, game: Game) -> npt.NDArray[Any]:
        config, position = self._config, game.position
        if not config.probabilities:
            return position.marks.astype(np.int8).reshape(config.shape)
        probabilities = config.probability_rows([position])[0]
        return np.stack([position.marks.astype(np.float32), probabilities]).reshape(config.shape)

    def _info(self, game: Game) -> dict[str, Any]:
        return {"action_mask": self._mask.copy(), "seed": game.seed, "won": game.outcome == "won"}


class PlayerPolicy:
    """A policy that plays whole games as a player does: call `action()` before each step.

    It uses only the environment's position. For advice on a game that another policy plays, use
    `sapper.advise(env.position)`. The first click is *first*, by default the middle cell, and
    random guesses use the game's seed, so the games are those of `play_many`. It never sets a flag.

    >>> env = MinesweeperEnv("beginner")
    >>> policy, terminated = PlayerPolicy(env, "careful"), False
    >>> observation, info = env.reset(seed=1)
    >>> while not terminated:
    ...     observation, reward, terminated, truncated, info = env.step(policy.action())
    >>> info["won"]
    True
    """

    def __init__(
        self,
        env: object,
        player: str | Player = "careful",
        *,
        first: int | str | None = None,
        budget: Budget = DEFAULT_BUDGET,
    ):
        unwrapped = getattr(env, "unwrapped", env)
        if not isinstance(unwrapped, MinesweeperEnv):
            raise RulesError(f"expected an environment of sapper.env, got {env!r:.60}")
        self._env = unwrapped
        self._player = PLAYERS.find(player)
        board = unwrapped.board
        self._first = board.middle if first is None else board.cell(first)
        self._budget = budget
        self._game: object = None
        self._agent: Agent | None = None
        self._last_position: Position | None = None

    def action(self) -> int:
        """Return the player's next reveal in the current game."""
        game, position = self._env.game, self._env.position
        if self._game is not game:
            self._game, self._agent, self._last_position = game, None, None
        if not len(position.revealed):
            return self._first
        agent = self._updated_agent(position, game.seed or 0)
        limit = self._budget.start()
        while (choice := agent.choose(limit)).move.action != "reveal":
            assert choice.move.cell is not None
            agent.update({choice.move.cell: FLAG if choice.move.action == "flag" else COVERED})
        assert choice.move.cell is not None
        return choice.move.cell

    def _updated_agent(self, position: Position, seed: int) -> Agent:
        """Return the agent of this game, updated with the new numbers."""
        if self._agent is None or self._last_position is None:
            self._agent = self._player.start(position.without_flags(), seed)
        else:
            is_new = (position.marks >= 0) & (self._last_position.marks < 0)
            self._agent.update({int(c): int(position.marks[c]) for c in is_new.nonzero()[0]})
        self._last_position = position
        return self._agent
