"""The single environment: seeds, masks, observations, rendering."""

import copy
import pickle

import numpy as np
import pytest
from tests.env_rules import RING

from sapper import Rules, analyse, generate
from sapper.env import MinesweeperEnv


def test_layout_is_the_generated_one_of_the_seed():
    env = MinesweeperEnv("expert")
    env.reset(seed=7)
    env.step(100)
    assert env.game.layout == generate("expert", seed=7, first=100).layout
    env = MinesweeperEnv("beginner", generator="no-guess")
    env.reset(seed=3)
    env.step(40)
    assert env.game.layout == generate("beginner", seed=3, first=40, no_guess=True).layout


def test_reset_without_a_seed_uses_the_next_seed_of_the_stream():
    env, other = MinesweeperEnv(), MinesweeperEnv()
    seeds = [env.reset(seed=5)[1]["seed"], *(env.reset()[1]["seed"] for _ in range(3))]
    assert seeds[0] == 5
    assert len(set(seeds)) == 4
    assert [other.reset(seed=seeds[0])[1]["seed"], other.reset()[1]["seed"]] == seeds[:2]
    env, again = MinesweeperEnv(), MinesweeperEnv()
    first, later = (env.reset()[1]["seed"] for _ in range(2))
    assert again.reset(seed=first)[1]["seed"] == first
    assert again.reset()[1]["seed"] == later


def test_probabilities_are_those_of_the_engine_and_zero_for_revealed_cells():
    env = MinesweeperEnv("5x5/4", probabilities=True, observation="grid")
    observation, _ = env.reset(seed=2)
    assert observation.shape == (2, 5, 5)
    assert observation[1] == pytest.approx(4 / 25)
    observation, *_ = env.step(12)
    probabilities = analyse(env.position).probability_array
    assert observation[0].reshape(-1).tolist() == env.position.marks.tolist()
    assert observation[1].reshape(-1) == pytest.approx(np.nan_to_num(probabilities), abs=1e-6)


def test_edge_index_has_both_directions():
    env = MinesweeperEnv(Rules(RING, 3))
    pairs = set(map(tuple, env.edge_index.T.tolist()))
    assert pairs == {pair for a, b in RING.edges() for pair in ((a, b), (b, a))}
    assert len(pairs) == env.edge_index.shape[1]


def test_returned_arrays_can_be_changed_without_effect_on_the_game():
    env = MinesweeperEnv("5x5/3")
    observation, info = env.reset(seed=1)
    observation[:], info["action_mask"][:] = 5, 0
    env.edge_index[:] = 0
    observation, _, _, _, info = env.step(12)
    assert observation[12] == 0
    assert env.action_masks().sum() == 4
    assert env.edge_index.any()


def test_every_render_mode_shows_every_board(any_rules):
    for mode in ["ansi", "svg", "rgb_array"]:
        env = MinesweeperEnv(any_rules, render_mode=mode)
        env.reset(seed=1)
        covered = env.render()
        env.step(any_rules.board.middle)
        shown = env.render()
        assert type(covered) is type(shown)
        if mode == "rgb_array":
            assert shown.dtype == np.uint8
            assert shown.shape == covered.shape
            assert shown.shape[2] == 3
            assert not np.array_equal(covered, shown)
        else:
            assert covered != shown
            assert shown.startswith("<svg") == (mode == "svg")


@pytest.mark.plain
def test_copy_in_the_middle_of_a_game_is_independent():
    for copied in [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))]:
        env = MinesweeperEnv("5x5/4", generator="no-guess")
        env.reset(seed=2)
        before, *_ = env.step(12)
        other = copied(env)
        cell = int(np.flatnonzero(env.action_masks())[0])
        after, *_ = other.step(cell)
        assert np.array_equal(env.position.marks, before.reshape(-1))
        assert np.array_equal(env.step(cell)[0], after)
        assert env.reset()[1]["seed"] == other.reset()[1]["seed"]
