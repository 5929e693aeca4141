"""Training data: the recorded outcomes of guesses."""

import hashlib
import os
from dataclasses import replace

import numpy as np
import pytest
from tests.oracle.naive_playouts import end_game, reveal, reveal_certain, value_of
from training import data
from training.data import MINE_DENSITIES, Part, Plan, ShardWorker, mixture
from training.positions import load, targets
from training.weights import random_weights

import sapper
from sapper import Rules
from sapper.kernels.codes import SCALARS
from sapper.players.guess import least_risk
from sapper.players.networks import patch_of

PART = Part("7x6/12", "safe", "r1c1", 3)
# Positions and candidates of its first twelve games, and a fingerprint of what is recorded of them.
RECORDED = (25, 180, "bbe59a545ad15798")


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(data, "mixture", lambda tiling: (PART,))


def followed_guesses(seed):
    """Return the guesses of a game of least probabilities, with the cells revealed before each."""
    rules = Rules.of(PART.size, None, PART.rule)
    board, first = rules.board, rules.first_cell(PART.first)
    mines = set(sapper.generate(rules, seed=seed, first=first).layout.mine_cells.tolist())
    revealed, guesses = reveal(board, mines, set(), first), []
    while revealed is not None:
        revealed, position, analysis = reveal_certain(board, mines, revealed)
        if position is None:
            break
        guess = end_game(position)
        if guess is None:
            guesses.append((board, mines, revealed, analysis))
            guess = least_risk(position, analysis.probability_array)
        elif guess.value is not None:
            break
        revealed = reveal(board, mines, revealed, guess.cell)
    return guesses


def test_every_candidate_has_its_outcome_on_the_true_layout(small):
    maker = ShardWorker(Plan(most=32, top=32), 0)
    maker.play(PART, range(1))
    w = maker._games[PART]
    w.thoughtful_share = w.random_share = 0
    w.large_share = 100
    compared = 0
    for seed in range(3):
        maker.shard.empty()
        maker.play(PART, range(seed, seed + 1))
        guesses, shard = followed_guesses(seed), maker.shard
        assert shard.positions == len(guesses)
        columns = [np.asarray(column) for column in (shard.probabilities, shard.hit, shard.value)]
        for i, (board, mines, revealed, analysis) in enumerate(guesses):
            rows = slice(*shard.position_start[i : i + 2])
            recorded = np.array(sorted(zip(*(column[rows] for column in columns), strict=True)))
            risk = analysis.probability_array
            least = np.nanmin(np.where(risk > 0, risk, np.nan))
            kept = [c for c in board.cells if 0 < risk[c] < 1 and 1 - risk[c] >= 0.85 * (1 - least)]
            expected = [(risk[c], c in mines, value_of(board, mines, revealed, c)) for c in kept]
            if len(kept) <= 32:
                assert recorded == pytest.approx(np.array(sorted(expected), dtype=float), abs=1e-8)
                compared += len(kept)
    assert compared > 100


def test_shard_depends_on_round_worker_and_number_alone(small, tmp_path):
    for name in ("one", "two"):
        data.make_data(Plan(cycles=2, look_ahead=True, seconds=60), tmp_path / name, 1)
    one, two = (load([tmp_path / name], SCALARS) for name in ("one", "two"))
    assert len(one) > 0
    assert (one.patch == two.patch).all() and (one.scalar == two.scalar).all()
    data.make_data(Plan(cycles=2, look_ahead=True, seconds=60), tmp_path / "one", 1)
    more = load([tmp_path / "one"], SCALARS)
    assert len(more) > len(one)
    assert not set(more.seed[len(one) :].tolist()) & set(one.seed.tolist())


def test_one_worker_leaves_the_priority_of_the_process_as_it_is(small, tmp_path):
    before = os.nice(0)
    data.make_data(Plan(cycles=1), tmp_path, 1)
    assert os.nice(0) == before


@pytest.mark.plain
def test_compiled_and_plain_kernels_record_the_same(small):
    maker = ShardWorker(Plan(look_ahead=True), 0)
    maker.play(PART, range(12))
    kept, seen = maker.shard, hashlib.sha256()
    for name in ("patch", "scalar", "hit", "value"):
        width = {"patch": 81, "scalar": SCALARS}.get(name, 1)
        seen.update(np.asarray(getattr(kept, name))[: kept.records * width].tobytes())
    assert (kept.positions, kept.records, seen.hexdigest()[:16]) == RECORDED


def test_network_plays_the_playouts(small, tmp_path):
    path = tmp_path / "inside.network"
    path.write_bytes(random_weights("square", 81, 8, 4, seed=5).to_bytes())
    means = []
    for weights in ("", str(path)):
        maker = ShardWorker(Plan(weights=weights), 0)
        maker.play(PART, range(60))
        means.append(np.asarray(maker.shard.value)[: maker.shard.records].mean())
    assert means[1] < means[0] - 0.02


def test_targets_keep_the_mean_and_reduce_the_variance():
    random = np.random.default_rng(1)
    n = 200_000
    probabilities = random.uniform(0.05, 0.5, n)
    hit = (random.random(n) < probabilities).astype(np.uint8)
    value = np.where(hit, 0.0, random.random(n) < 0.7)
    scalar = np.zeros((n, 20), np.int16)
    scalar[:, 8] = random.integers(0, 9000, n)
    made = targets(value, hit, probabilities.astype(np.float32), scalar)
    assert made.mean() == pytest.approx(value.mean(), abs=0.003)
    assert made.var() < 0.8 * value.var()


def test_every_part_of_a_mixture_can_be_played():
    for tiling in ["square", *MINE_DENSITIES]:
        for part in mixture(tiling):
            rules = Rules.of(part.size, part.tiling, part.rule)
            rules.check_first(rules.first_cell(part.first))
            assert 0 < part.games <= 300
        assert len(mixture(tiling)) <= 25


def test_other_tilings_are_recorded_too(monkeypatch):
    part = replace(PART, tiling="hexagonal", size="8x8/12")
    monkeypatch.setattr(data, "mixture", lambda tiling: (part,))
    maker = ShardWorker(Plan(tiling="hexagonal"), 0)
    maker.play(part, range(40))
    assert maker.shard.positions
    assert len(maker.shard.patch) % patch_of("hexagonal").slots == 0
