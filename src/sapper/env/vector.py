"""Gymnasium's vector environment: many games side by side, with one kernel call per step."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.board.random_stream import SEED_COUNT, random_seed
from sapper.board.rules import Rules
from sapper.env.config import (
    METADATA,
    ConfigProperties,
    EnvConfig,
    EnvOptions,
    check_render_mode,
    render_position,
)
from sapper.errors import IllegalMove, RulesError, unknown_name
from sapper.kernels import view
from sapper.kernels.games import environments as kernel

Array = npt.NDArray[Any]
Info = dict[str, Any]

# The masks and the bounds of the spaces have a byte per action.
MAX_ACTIONS = 2**28
# Fewer rows per thread take as long to submit as to play.
MIN_ROWS_PER_THREAD = 64


class GameBatch:
    """The kernel's batch of games, one per row, and its memory as numpy arrays."""

    def __init__(
        self, config: EnvConfig, rows: int, max_steps: int, auto_reset: bool, threads: int
    ):
        self._arguments = config, rows, max_steps, auto_reset, threads
        self.rows, self.config = rows, config
        parts = max(1, min(threads, rows // MIN_ROWS_PER_THREAD))
        self._bounds = [rows * k // parts for k in range(parts + 1)]
        """The rows of thread k are those from bound k to bound k + 1."""
        self._pool = ThreadPoolExecutor(threads) if len(self._bounds) > 2 else None
        self._batch = kernel.EnvironmentBatch(
            view(config.board.offsets),
            view(config.board.neighbours),
            view(config.first_click_mask),
            view(np.array(config.weights)),
            rows,
            len(self._bounds) - 1,
            flags=config.flags,
            mine_count=config.rules.mines,
            rule=kernel.RULES[config.rules.rule],
            max_steps=max_steps,
            auto_reset=auto_reset,
        )
        self._arrays: dict[str, Array] = self._batch.arrays
        self.marks, self.masks = self._arrays["marks"], self._arrays["masks"]
        self.rewards, self.seeds = self._arrays["rewards"], self._arrays["seeds"]
        self.hit, self.won = self._arrays["hit"], self._arrays["won"]
        self.terminated, self.truncated = self._arrays["terminated"], self._arrays["truncated"]

    def __reduce__(self) -> tuple[Any, ...]:
        # The kernel's batch and the threads cannot be pickled, so both are constructed again.
        return _restore, (self._arguments, self._arrays)

    @property
    def done(self) -> Any:
        """The mask of the rows whose episode ended in the last step."""
        return (self.terminated | self.truncated).view(bool)

    def start(self, row: int, seed: int) -> None:
        """Start the game of a seed in a row."""
        kernel.start_game(self._batch, row, seed)
        self.terminated[row] = self.truncated[row] = 0

    def start_next(self, rows: Any) -> None:
        """Start the next game in these rows; the rewards of the last step remain."""
        kernel.start_next_rows(self._batch, view(np.ascontiguousarray(rows, dtype=np.int64)))

    def step(self, actions: Any) -> None:
        """Make a move in each row; *actions* is a validated int64 array."""
        if self.config.generator != "plain":
            self._generate_ahead(actions)
        moves = view(actions)
        if self._pool is None:
            kernel.step(self._batch, moves, 0, 0, self.rows)
            return
        futures = [
            self._pool.submit(kernel.step, self._batch, moves, thread, start, stop)
            for thread, (start, stop) in enumerate(pairwise(self._bounds))
        ]
        for future in futures:
            future.result()

    def close(self) -> None:
        """Stop the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    def _generate_ahead(self, actions: Any) -> None:
        """Generate the layouts of first clicks; the kernel generates only plain ones.

        All layouts are generated before any is used, so that a failure changes nothing.
        """
        legal = self.masks[np.arange(self.rows), actions] > 0
        needs_layout = (self._arrays["generated"] == 0) & legal & (actions < self.config.cell_count)
        layouts: dict[int, Layout] = {
            int(row): self.config.setup(int(self.seeds[row])).layout_source()(int(actions[row]))
            for row in np.flatnonzero(needs_layout)
        }
        for row, layout in layouts.items():
            self._arrays["mines"][row] = layout.mine_mask
            self._arrays["generated"][row] = 1


def _restore(arguments: Any, arrays: dict[str, Array]) -> GameBatch:
    batch = GameBatch(*arguments)
    for name, array in arrays.items():
        batch._arrays[name][...] = array
    return batch


class MinesweeperVectorEnv(ConfigProperties, VectorEnv[Array, Array, Array]):
    """Many Minesweeper games at once; docs/env.md describes it.

    Game i of `reset(seed=S)` is the game of seed S + i. With `copy=False` observations and masks
    are read-only views of the environment's arrays, which the next step changes in place.

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
        self._config = config = EnvConfig.of(rules, **options)
        self.num_envs = _check_positive("environment", num_envs)
        if self.num_envs * config.action_count > MAX_ACTIONS:
            max_envs = MAX_ACTIONS // config.action_count
            raise RulesError(f"expected at most {max_envs:,} environments, got {self.num_envs:,}")
        self.render_mode = check_render_mode(render_mode)
        self._autoreset_mode = _parse_autoreset_mode(autoreset_mode)
        self.metadata = {**METADATA, "autoreset_mode": self._autoreset_mode}
        self.single_action_space = config.action_space
        self.single_observation_space = config.observation_space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._copy = copy
        self._threads = _check_positive("thread", threads)
        self._was_reset = False
        max_steps = 0 if max_episode_steps is None else _check_positive("step", max_episode_steps)
        self._games = GameBatch(
            config,
            self.num_envs,
            max_steps=max_steps,
            auto_reset=self._autoreset_mode is AutoresetMode.NEXT_STEP,
            threads=self._threads,
        )
        channels = (self.num_envs, 2, config.cell_count) if config.probabilities else 0
        self._channels = np.full(channels, np.nan, dtype=np.float32)

    def position(self, game: int) -> Position:
        """Return the current position of a game."""
        self._require_reset()
        if not 0 <= game < self.num_envs:
            raise IllegalMove(f"expected a game from 0 to {self.num_envs - 1}, got {game!r:.60}")
        return self._config.position(self._games.marks[game])

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the legal actions as a boolean mask with a row per game."""
        return self._games.masks.astype(bool)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, Info]:
        """Start all games, or those of the mask `options["reset_mask"]`.

        A single seed S gives game i the seed S + i; a list has a seed or None for each game.
        Without a seed a game continues with the next seed of its stream.
        """
        seed = int(seed) if isinstance(seed, np.integer) else seed
        super().reset(seed=seed if isinstance(seed, int) else None)
        resetting = self._rows_to_reset(options)
        seeds = self._seeds(seed)
        for row in np.flatnonzero(resetting):
            if seeds[row] is not None:
                self._games.start(int(row), seeds[row])
            else:
                self._games.start_next([row])
                self._games.terminated[row] = self._games.truncated[row] = 0
        self._was_reset = True
        return self._copy_or_view(self._observations()), self._info(resetting)

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, Info]:
        """Make a move in every game; an illegal move changes nothing."""
        self._require_reset()
        games = self._games
        valid = self._check_actions(actions)
        if self._autoreset_mode is AutoresetMode.DISABLED and games.done.any():
            finished = int(np.flatnonzero(games.done)[0])
            raise IllegalMove(f"game {finished} is over: call reset(options={{'reset_mask': ...}})")
        games.step(valid)
        rewards = games.rewards.copy()
        terminated, truncated = games.terminated.astype(bool), games.truncated.astype(bool)
        final: Info = {}
        if self._autoreset_mode is AutoresetMode.SAME_STEP and games.done.any():
            final = self._final_info()
            games.start_next(np.flatnonzero(final["_final_obs"]))
        info = self._info(np.ones(self.num_envs, dtype=bool))
        return (
            self._copy_or_view(self._observations()),
            rewards,
            terminated,
            truncated,
            {**info, **final},
        )

    def render(self) -> tuple[Any, ...] | None:
        """Render all games; return None without a render mode."""
        if self.render_mode is None:
            return None
        hit = self._games.hit.tolist()
        return tuple(
            render_position(self.render_mode, self.position(i), [hit[i]] if hit[i] >= 0 else [])
            for i in range(self.num_envs)
        )

    def close_extras(self, **_: Any) -> None:
        """Stop the threads."""
        self._games.close()

    def _require_reset(self) -> None:
        if not self._was_reset:
            raise ResetNeeded("call reset() first")

    def _check_actions(self, actions: Any) -> Array:
        """Validate actions and return them as an int64 array."""
        array = np.asarray(actions)
        if array.shape != (self.num_envs,) or array.dtype.kind not in "iu":
            raise IllegalMove(
                f"expected {self.num_envs} actions as whole numbers, "
                f"got an array of shape {array.shape} and type {array.dtype}"
            )
        if array.min() < 0 or array.max() >= self._config.action_count:
            bad = array[(array < 0) | (array >= self._config.action_count)][0]
            raise IllegalMove(
                f"expected actions from 0 to {self._config.action_count - 1}, got {bad}"
            )
        return np.ascontiguousarray(array, dtype=np.int64)

    def _rows_to_reset(self, options: dict[str, Any] | None) -> npt.NDArray[np.bool_]:
        """Return the mask of the games to reset."""
        if options is not None and not isinstance(options, Mapping):
            raise RulesError(f"expected options as a dictionary, got {options!r:.60}")
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return np.ones(self.num_envs, dtype=bool)
        self._require_reset()
        array = np.asarray(mask)
        if array.shape != (self.num_envs,) or array.dtype != np.bool_ or not array.any():
            raise IllegalMove(
                f"expected a reset_mask of {self.num_envs} booleans, one of them true, "
                f"got an array of shape {array.shape} and type {array.dtype}"
            )
        return array

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[Any]:
        """Return the seed of each game; None to continue with its stream."""
        seeds: list[int | None]
        if seed is None:
            first_seed = None if self._was_reset else random_seed()
            seeds = [None if first_seed is None else first_seed + i for i in range(self.num_envs)]
        elif isinstance(seed, int):
            seeds = [seed + i for i in range(self.num_envs)]
        else:
            try:
                seeds = [None if item is None else operator.index(item) for item in seed]
            except TypeError:
                raise RulesError(f"expected a seed or a list of seeds, got {seed!r:.60}") from None
            if len(seeds) != self.num_envs:
                raise RulesError(f"expected {self.num_envs} seeds, got {len(seeds)}")
            if not self._was_reset:
                seeds = [random_seed() if item is None else item for item in seeds]
        for item in seeds:
            if item is not None and not 0 <= item < SEED_COUNT:
                raise RulesError(f"expected seeds from 0 to {SEED_COUNT - 1}, got {item}")
        return seeds

    def _copy_or_view(self, array: Array) -> Array:
        """Return a copy or a read-only view of an array."""
        if self._copy:
            return array.copy()
        read_only = array.view()
        read_only.setflags(write=False)
        return read_only

    def _observations(self) -> Array:
        """Return the observations of all games without copying them."""
        marks = self._with_probabilities() if self._config.probabilities else self._games.marks
        return marks.reshape(self.num_envs, *self._config.shape)

    def _with_probabilities(self) -> Array:
        """Return marks and probabilities; the latter are updated where the marks changed."""
        marks = self._games.marks
        rows = np.flatnonzero((self._channels[:, 0] != marks).any(axis=1))
        positions = [self.position(int(row)) for row in rows]
        self._channels[rows, 0] = marks[rows]
        self._channels[rows, 1] = self._config.probability_rows(positions, self._threads)
        return self._channels

    def _info(self, valid: npt.NDArray[np.bool_], masks: Array | None = None) -> Info:
        """Return the info of all games; *valid* is the mask of the games to which it applies."""
        games = self._games
        values = {
            "action_mask": self._copy_or_view(games.masks) if masks is None else masks,
            "seed": games.seeds.copy(),
            "won": games.won.astype(bool),
        }
        return values | {f"_{name}": valid.copy() for name in values}

    def _final_info(self) -> Info:
        """Return the last observations and infos of the games that ended."""
        done = self._games.done
        rows = np.flatnonzero(done)
        last = np.full(self.num_envs, None, dtype=object)
        for row, observation in zip(rows.tolist(), self._observations()[rows], strict=True):
            last[row] = observation
        # A finished game has no legal action, so only truncated games have a mask.
        masks = np.zeros(self._games.masks.shape, dtype=np.int8)
        truncated = rows[self._games.truncated[rows] > 0]
        masks[truncated] = self._games.masks[truncated]
        return {
            "final_obs": last,
            "_final_obs": done,
            "final_info": self._info(done, masks),
            "_final_info": done.copy(),
        }


def _check_positive(noun: str, number: int) -> int:
    try:
        number = operator.index(number)
    except TypeError:
        raise RulesError(f"expected a number of {noun}s, got {number!r:.60}") from None
    if number < 1:
        raise RulesError(f"expected at least 1 {noun}, got {number}")
    return number


def _parse_autoreset_mode(mode: str | AutoresetMode) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        raise unknown_name(
            "autoreset mode", mode, [member.value for member in AutoresetMode]
        ) from None
