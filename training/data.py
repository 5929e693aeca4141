"""Training data: every candidate of every guess, played out on the true layout, on all cores.

The games are a mixture of sizes, mine densities and rules. A worker plays cycles of the mixture
until its time is up and writes shards of positions. The content of a shard depends on its round,
worker and number alone; time limits only their number.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from sapper.board.rules import Rules
from sapper.engine import workspace
from sapper.engine.budget import Budget
from sapper.games.batch import make_game_state
from sapper.kernels.codes import SCALARS
from sapper.kernels.games import playouts as kernel
from sapper.players.learned import LearnedSettings, make_learned_state
from sapper.players.networks import Weights, patch_of
from sapper.players.thoughtful import ThoughtfulSettings, make_thoughtful_state
from training.weights import read_weights, risk_only

# Distinct from the seeds of published results.
FIRST_SEED = 7 * 10**15
SEEDS_PER_ROUND, SEEDS_PER_WORKER = 10**13, 10**10
SHARD_POSITIONS = 8192
# A game has fewer guesses than this before its end game.
MAX_GUESSES = 256
MEMO = 1 << 15


@dataclass(frozen=True)
class Part:
    """Rules, first click and number of games in every cycle."""

    size: str
    rule: str
    first: str
    games: int
    tiling: str = "square"


# Expert gives most of the positions: small boards have few guesses before their end game.
SQUARE = (
    Part("30x16/99", "safe", "r1c1", 100),
    Part("30x16/99", "zero", "r4c4", 100),
    Part("30x16/99", "any", "r1c1", 2),
    Part("8x8/10", "safe", "r1c1", 24),
    Part("8x8/10", "zero", "r3c3", 24),
    Part("9x9/10", "safe", "r1c1", 30),
    Part("9x9/10", "zero", "r3c3", 30),
    Part("9x9/16", "any", "r5c5", 10),
    Part("12x12/24", "zero", "r4c4", 8),
    Part("16x16/40", "safe", "r1c1", 16),
    Part("16x16/40", "zero", "r3c3", 16),
    Part("16x16/51", "safe", "r1c1", 4),
    Part("16x16/56", "zero", "r4c4", 3),
    Part("24x16/72", "any", "r8c12", 2),
    Part("20x20/60", "safe", "r1c1", 3),
    Part("20x20/80", "zero", "r4c4", 3),
    Part("20x20/92", "safe", "r10c10", 2),
    Part("24x24/99", "zero", "r4c4", 2),
    Part("25x20/110", "any", "r1c1", 2),
    Part("24x20/99", "safe", "r1c1", 2),
    Part("30x20/120", "zero", "r4c4", 2),
    Part("30x24/86", "safe", "r1c1", 2),
    Part("30x30/150", "zero", "r4c4", 1),
    Part("30x30/180", "safe", "r1c1", 1),
)

# Mine densities for other tilings, at which games need guesses; they are not tuned.
MINE_DENSITIES = {
    "torus": (0.13, 0.16, 0.2),
    "hexagonal": (0.15, 0.18, 0.206),
    "triangular": (0.14, 0.18, 0.206),
    "triangular-edge": (0.14, 0.18, 0.22),
}
SIZES = ((10, 10, 16), (16, 16, 6), (30, 16, 8), (20, 20, 3))


def mixture(tiling: str) -> tuple[Part, ...]:
    """Return the parts of a cycle on a tiling."""
    if tiling == "square":
        return SQUARE
    return tuple(
        Part(f"{width}x{height}/{round(density * width * height)}", rule, first, games, tiling)
        for width, height, games in SIZES
        for density in MINE_DENSITIES[tiling]
        for rule, first in (("safe", "r1c1"), ("zero", "r4c4"))
    )


@dataclass(frozen=True)
class Plan:
    """The options of a round of data."""

    round: int = 1
    tiling: str = "square"
    weights: str = ""
    """The file of the network in the playouts; empty for least probability, as in round 1."""
    seconds: float = 240.0
    cycles: int = 0
    """The number of cycles to stop after; 0 means when the time is up."""
    look_ahead: bool = False
    """Also record the influence on 50/50s and the results of looking two moves ahead."""
    opening_share: int = 35
    """The percentage of the guesses in the opening that are recorded: they take long."""
    top: int = 6
    """The number of best candidates that are always tried at a guess."""
    most: int = 11
    """The maximum number of candidates that are tried, with random others."""


def make_data(plan: Plan, folder: Path, workers: int) -> int:
    """Let all workers write shards into a folder; return the number of new positions."""
    folder.mkdir(parents=True, exist_ok=True)
    # For the card: the name of the network without its folder.
    options = {**asdict(plan), "weights": Path(plan.weights).name}
    (folder / "plan.json").write_text(json.dumps(options, indent=1) + "\n")
    if workers == 1:
        return _work((plan, str(folder), 0))
    with ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=os.nice, initargs=(5,)
    ) as pool:
        return sum(pool.map(_work, [(plan, str(folder), i) for i in range(workers)]))


def _work(task: tuple[Plan, str, int]) -> int:
    """Write the shards of one worker, after those that it has written before."""
    plan, folder, worker = task
    started = time.monotonic()
    written = len(list(Path(folder).glob(f"shard-{worker:03d}-*.npz")))
    shard_worker = ShardWorker(plan, worker)
    positions, number, cycle, cycles = 0, written, 0, 0

    def write() -> int:
        return shard_worker.write(Path(folder) / f"shard-{worker:03d}-{number:05d}.npz")

    # Seeds follow from the number of the shard, so a worker that resumes repeats no game.
    while not plan.cycles or cycles < plan.cycles:
        for part, games in shard_worker.cycle(number, cycle):
            shard_worker.play(part, games)
            time_is_up = time.monotonic() - started > plan.seconds
            if shard_worker.full or time_is_up:
                positions += write()
                number, cycle = number + 1, -1
                if time_is_up:
                    return positions
                break
        cycle, cycles = cycle + 1, cycles + 1
    return positions + write()


class ShardWorker:
    """The state of a worker: a game for each part of the mixture, and a buffer for a shard."""

    def __init__(self, plan: Plan, worker: int):
        self.plan = plan
        self.parts = mixture(plan.tiling)
        slots = patch_of(plan.tiling).slots
        self.weights = read_weights(Path(plan.weights)) if plan.weights else None
        self.seed = FIRST_SEED + SEEDS_PER_ROUND * plan.round + SEEDS_PER_WORKER * worker
        self._games: dict[Part, kernel.Playouts] = {}
        self.shard = kernel.RecordBuffer(SHARD_POSITIONS, plan.most, slots)
        self._slots = slots
        self._limit = Budget(seconds=3600).start()
        self._part_of_position: list[int] = []

    @property
    def full(self) -> bool:
        """Whether the buffer may be too small for another game."""
        return self.shard.positions + MAX_GUESSES >= SHARD_POSITIONS

    def cycle(self, shard: int, cycle: int) -> Iterator[tuple[Part, range]]:
        """Yield the games of a cycle: each part with its own seeds."""
        for i, part in enumerate(self.parts):
            first = self.seed + shard * 10**7 + cycle * 10**4 + i * 300
            yield part, range(first, first + min(part.games, 300))

    def play(self, part: Part, seeds: range) -> None:
        """Play games of a part and record their guesses until the buffer is full."""
        if part not in self._games:
            self._games[part] = make_playouts(part, self.plan, self.weights, self.shard)
        playouts, before = self._games[part], self.shard.positions
        game = playouts.game
        game.seed, game.game_index = seeds.start, 0
        with workspace.borrow_workspace(self._limit, trust_flags=True) as ws:
            ws.fit(game.cells, len(np.asarray(game.neighbours)))
            while status := kernel.run(playouts, ws, len(seeds), MAX_GUESSES):
                # The status does not say which of the two was too small, so both grow.
                workspace.enlarge(ws, status, self._limit)
                workspace.enlarge(playouts.thoughtful.p.general, status, self._limit)
        self._part_of_position += [self.parts.index(part)] * (self.shard.positions - before)

    def write(self, path: Path) -> int:
        """Write the recorded positions as a shard, clear the buffer, and return their number."""
        shard, positions, records = self.shard, self.shard.positions, self.shard.records
        if positions:
            patch, scalar = np.asarray(shard.patch), np.asarray(shard.scalar)
            arrays = {
                "patch": patch[: records * self._slots].reshape(-1, self._slots),
                "scalar": scalar[: records * SCALARS].reshape(-1, SCALARS),
                "hit": np.asarray(shard.hit)[:records],
                "probabilities": np.asarray(shard.probabilities)[:records].astype(np.float32),
                "value": np.asarray(shard.value)[:records].astype(np.float32),
                "start": np.asarray(shard.position_start)[: positions + 1],
                "interior": np.asarray(shard.position_interior)[:positions],
                "seed": np.asarray(shard.position_seed)[:positions],
                "part": np.array(self._part_of_position, np.int16),
                "failed": np.array([shard.failed]),
            }
            with path.with_suffix(".part").open("wb") as file:
                np.savez(file, **arrays)
            path.with_suffix(".part").replace(path)
        self.shard.empty()
        self._part_of_position = []
        return int(positions)


def make_playouts(
    part: Part, plan: Plan, weights: Weights | None, shard: kernel.RecordBuffer
) -> kernel.Playouts:
    """Return the kernel state for games of a part; without a network, least probability plays."""
    rules = Rules.of(part.size, part.tiling, part.rule)
    board, n = rules.board, len(rules.board)
    first = rules.first_cell(part.first)
    may_hold = np.delete(np.arange(n, dtype=np.int32), list(rules.mine_free_cells(first)))
    game = make_game_state(rules, first, may_hold)
    playout = make_game_state(rules, first, may_hold)
    network = weights or risk_only(part.tiling, patch_of(part.tiling).slots)
    settings = LearnedSettings()
    return kernel.Playouts(
        shard,
        game,
        playout,
        make_learned_state(board, network, settings, game.tracked),
        make_learned_state(board, network, settings, playout.tracked),
        make_thoughtful_state(board, ThoughtfulSettings()),
        MEMO,
        {
            "learned": weights is not None,
            # The first round follows a strong player half of the time; later ones the network.
            "thoughtful_share": 50 if weights is None else 0,
            "random_share": 20,
            "large_interior": round(0.73 * n),
            "large_share": plan.opening_share,
            "top": plan.top,
            "max_tried": plan.most,
            "look_ahead": plan.look_ahead,
        },
    )
