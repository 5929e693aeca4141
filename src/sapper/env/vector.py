"""Games side by side: Gymnasium's vector environment, one call of the kernel a step."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from sapper.board.board import Board
from sapper.board.position import Position
from sapper.board.random_stream import SEEDS, random_seed
from sapper.board.rules import Rules
from sapper.env.batch import GameBatch
from sapper.env.config import EnvConfig, EnvOptions
from sapper.env.rendering import METADATA, check_mode, picture
from sapper.errors import IllegalMove, RulesError, UnknownName

Array = npt.NDArray[Any]
Info = dict[str, Any]

# A byte each in the masks, and as many in the bounds of the spaces: more would not fit.
MOST_ACTIONS = 2**28


class MinesweeperVectorEnv(VectorEnv[Array, Array, Array]):
    """Many games of Minesweeper, each as `MinesweeperEnv` plays it, as docs/env.md describes it.

    Game i of `reset(seed=S)` is the game of seed S + i. With `copy=False` observations and masks
    are views of the environment's own arrays, to be read only: the next step changes them in place.

    >>> envs = MinesweeperVectorEnv(3, "5x5/3")
    >>> observations, infos = envs.reset(seed=1)
    >>> observations, rewards, terminations, truncations, infos = envs.step([12, 12, 12])
    >>> observations.shape, infos["seed"].tolist(), infos["action_mask"].sum(axis=1).tolist()
    ((3, 25), [1, 2, 3], [4, 6, 7])
    """

    def __init__(
        self,
        num_envs: int = 1,
        rules: str | Rules = "beginner",
        *,
        render_mode: str | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        threads: int = 1,
        copy: bool = True,
        **options: Unpack[EnvOptions],
    ):
        self._task = task = EnvConfig.of(rules, **options)
        self.num_envs = _at_least_one("environment", num_envs)
        if self.num_envs * task.actions > MOST_ACTIONS:
            most = MOST_ACTIONS // task.actions
            raise RulesError(f"expected at most {most:,} environments, got {self.num_envs:,}")
        self.render_mode = check_mode(render_mode)
        self._mode = _mode(autoreset_mode)
        self.metadata = {**METADATA, "autoreset_mode": self._mode}
        self.single_action_space = task.action_space
        self.single_observation_space = task.observation_space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._copy = copy
        self._threads = _at_least_one("thread", threads)
        self._began = False
        most = 0 if max_episode_steps is None else _at_least_one("step", max_episode_steps)
        self._games = GameBatch(
            task,
            self.num_envs,
            max_steps=most,
            renews=self._mode is AutoresetMode.NEXT_STEP,
            threads=self._threads,
        )
        channels = (self.num_envs, 2, task.cells) if task.probabilities else 0
        self._channels = np.full(channels, np.nan, dtype=np.float32)

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

    def position(self, game: int) -> Position:
        """What the player of a game sees now."""
        self._need_reset()
        if not 0 <= game < self.num_envs:
            raise IllegalMove(f"expected a game from 0 to {self.num_envs - 1}, got {game!r:.60}")
        return self._task.position(self._games.marks[game])

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal now, a row for each game; none where the game is over."""
        return self._games.masks.astype(bool)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, Info]:
        """Start all games, or those of the mask `options["reset_mask"]`.

        One seed S is S + i for game i; a list has a seed, or None, for each.
        Without a seed a game goes on with the next one of its own stream.
        """
        seed = int(seed) if isinstance(seed, np.integer) else seed
        super().reset(seed=seed if isinstance(seed, int) else None)
        chosen = self._chosen(options)
        seeds = self._seeds(seed)
        for row in np.flatnonzero(chosen):
            if seeds[row] is not None:
                self._games.begin(int(row), seeds[row])
            else:
                self._games.renew([row])
                self._games.ended[row] = self._games.cut[row] = 0
        self._began = True
        return self._observation(), self._info(chosen)

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, Info]:
        """Make one move in every game; a move that is not legal is wasted and changes nothing."""
        self._need_reset()
        games = self._games
        checked = self._checked(actions)
        if self._mode is AutoresetMode.DISABLED and games.done.any():
            over = int(np.flatnonzero(games.done)[0])
            raise IllegalMove(
                f"cannot step: game {over} is over; reset(options={{'reset_mask': ...}}) goes on"
            )
        games.step(checked)
        earned = games.rewards.copy()
        ended, cut = games.ended.astype(bool), games.cut.astype(bool)
        final = self._final() if self._mode is AutoresetMode.SAME_STEP and games.done.any() else {}
        if final:
            games.renew(np.flatnonzero(final["_final_obs"]))
        info = self._info(np.ones(self.num_envs, dtype=bool))
        return self._observation(), earned, ended, cut, {**info, **final}

    def render(self) -> tuple[Any, ...] | None:
        """The positions of all games as the render mode shows them; None without one."""
        if self.render_mode is None:
            return None
        hit = self._games.hit.tolist()
        return tuple(
            picture(self.render_mode, self.position(i), [hit[i]] if hit[i] >= 0 else [])
            for i in range(self.num_envs)
        )

    def close_extras(self, **_: Any) -> None:
        """Let the threads go."""
        self._games.close()

    def _need_reset(self) -> None:
        if not self._began:
            raise ResetNeeded("expected reset() before anything else, got games that never began")

    def _checked(self, actions: Any) -> Array:
        """The actions as the kernel takes them."""
        array = np.asarray(actions)
        if array.shape != (self.num_envs,) or array.dtype.kind not in "iu":
            raise IllegalMove(
                f"expected {self.num_envs} actions as whole numbers, "
                f"got an array of shape {array.shape} and type {array.dtype}"
            )
        if array.min() < 0 or array.max() >= self._task.actions:
            bad = array[(array < 0) | (array >= self._task.actions)][0]
            raise IllegalMove(f"expected actions from 0 to {self._task.actions - 1}, got {bad}")
        return np.ascontiguousarray(array, dtype=np.int64)

    def _chosen(self, options: dict[str, Any] | None) -> npt.NDArray[np.bool_]:
        """Which games a reset is for."""
        if options is not None and not isinstance(options, Mapping):
            raise RulesError(f"expected options by their names, got {options!r:.60}")
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, dtype=bool)
        self._need_reset()
        array = np.asarray(mask)
        if array.shape != (self.num_envs,) or array.dtype != np.bool_ or not array.any():
            raise IllegalMove(
                f"expected a reset_mask of {self.num_envs} booleans, one of them true, "
                f"got an array of shape {array.shape} and type {array.dtype}"
            )
        return array

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[Any]:
        """The seed of each game; None where it goes on with its own stream."""
        seeds: list[int | None]
        if seed is None:
            fresh = None if self._began else random_seed()
            seeds = [None if fresh is None else fresh + i for i in range(self.num_envs)]
        elif isinstance(seed, int):
            seeds = [seed + i for i in range(self.num_envs)]
        else:
            try:
                seeds = [None if one is None else operator.index(one) for one in seed]
            except TypeError:
                raise RulesError(f"expected a seed or a list of seeds, got {seed!r:.60}") from None
            if len(seeds) != self.num_envs:
                raise RulesError(f"expected {self.num_envs} seeds, got {len(seeds)}")
            if not self._began:
                seeds = [random_seed() if one is None else one for one in seeds]
        bad = next((one for one in seeds if one is not None and not 0 <= one < SEEDS), None)
        if bad is not None:
            raise RulesError(f"expected seeds from 0 to {SEEDS - 1}, got {bad}")
        return seeds

    def _observation(self) -> Array:
        return self._given(self._shown())

    def _given(self, array: Array) -> Array:
        """An array of the environment's memory as the agent gets it."""
        if self._copy:
            return array.copy()
        seen = array.view()
        seen.setflags(write=False)
        return seen

    def _shown(self) -> Array:
        """The observations of all games, in the environment's own memory."""
        shown = self._with_probabilities() if self._task.probabilities else self._games.marks
        return shown.reshape(self.num_envs, *self._task.shape)

    def _with_probabilities(self) -> Array:
        """The marks and the probabilities; probabilities are worked out anew where the marks changed."""
        marks = self._games.marks
        rows = np.flatnonzero((self._channels[:, 0] != marks).any(axis=1))
        positions = [self.position(int(row)) for row in rows]
        self._channels[rows, 0] = marks[rows]
        self._channels[rows, 1] = self._task.probability_rows(positions, self._threads)
        return self._channels

    def _info(self, told: npt.NDArray[np.bool_]) -> Info:
        """What is known beside the observations, for the games that are told of."""
        return self._told(told, self._given(self._games.masks))

    def _told(self, told: npt.NDArray[np.bool_], masks: Array) -> Info:
        games = self._games
        values = {
            "action_mask": masks,
            "seed": games.seeds.copy(),
            "won": games.won.astype(bool),
        }
        return values | {f"_{name}": told.copy() for name in values}

    def _final(self) -> Info:
        """Last observations and infos of the games that ended, before the next ones begin."""
        done = self._games.done
        rows = np.flatnonzero(done)
        last = np.full(self.num_envs, None, dtype=object)
        for row, shown in zip(rows.tolist(), self._shown()[rows], strict=True):
            last[row] = shown
        # Nothing is legal in a game that is over, so only those that were cut have a mask to tell.
        masks = np.zeros(self._games.masks.shape, dtype=np.int8)
        cut = rows[self._games.cut[rows] > 0]
        masks[cut] = self._games.masks[cut]
        return {
            "final_obs": last,
            "_final_obs": done,
            "final_info": self._told(done, masks),
            "_final_info": done.copy(),
        }


def _at_least_one(what: str, number: int) -> int:
    try:
        number = operator.index(number)
    except TypeError:
        raise RulesError(f"expected a number of {what}s, got {number!r:.60}") from None
    if number < 1:
        raise RulesError(f"expected at least 1 {what}, got {number}")
    return number


def _mode(mode: str | AutoresetMode) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(one.value for one in AutoresetMode)
        raise UnknownName(f"expected an autoreset mode ({names}), got {mode!r:.60}") from None
