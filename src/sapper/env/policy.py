"""Players as policies, for baselines and imitation learning."""

from __future__ import annotations

from sapper.board.position import COVERED, FLAG, Position
from sapper.engine.budget import DEFAULT_BUDGET, Budget
from sapper.env.single import MinesweeperEnv
from sapper.errors import RulesError
from sapper.players.agents import Agent
from sapper.players.player import Player
from sapper.players.registry import PLAYERS


class PlayerPolicy:
    """A policy that plays whole games as a player does: call `action()` before each step.

    It uses only the environment's position. For advice on a game that another policy plays, use
    `sapper.advise(env.position)`. The first click is *first*, by default the middle cell, and
    random guesses use the game's seed, so the games are those of `play_many`. It never sets a flag.

    >>> env = MinesweeperEnv("beginner")
    >>> policy, over = PlayerPolicy(env, "careful"), False
    >>> observation, info = env.reset(seed=1)
    >>> while not over:
    ...     observation, reward, over, truncated, info = env.step(policy.action())
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
            new = (position.marks >= 0) & (self._last_position.marks < 0)
            self._agent.update({int(c): int(position.marks[c]) for c in new.nonzero()[0]})
        self._last_position = position
        return self._agent
