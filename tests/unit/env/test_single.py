"""The single environment: seeds, masks, observations, rendering."""

import copy
import pickle
import random
from contextlib import suppress

import gymnasium
import numpy as np
import pytest
from tests.env_rules import ALL_RULES, RING

from sapper import Game, IllegalMove, Move, Position, Rules, analyse, generate
from sapper.env import MinesweeperEnv


def test_a_seed_gives_its_layout():
    env = MinesweeperEnv("expert")
    env.reset(seed=7)
    env.step(100)
    assert env.game.layout == generate("expert", seed=7, first=100).layout


def test_a_reset_without_a_seed_uses_the_next_seed_of_the_stream():
    env, other = MinesweeperEnv(), MinesweeperEnv()
    seeds = [env.reset(seed=5)[1]["seed"], *(env.reset()[1]["seed"] for _ in range(3))]
    assert seeds[0] == 5
    assert len(set(seeds)) == 4
    assert [other.reset(seed=seeds[0])[1]["seed"], other.reset()[1]["seed"]] == seeds[:2]


def test_a_first_reset_without_a_seed_reports_its_seed():
    env = MinesweeperEnv()
    first = env.reset()[1]["seed"]
    later = env.reset()[1]["seed"]
    again = MinesweeperEnv()
    assert again.reset(seed=first)[1]["seed"] == first
    assert again.reset()[1]["seed"] == later


def test_a_no_guess_game_is_the_no_guess_board_of_its_seed():
    env = MinesweeperEnv("beginner", generator="no-guess")
    env.reset(seed=3)
    env.step(40)
    assert env.game.layout == generate("beginner", seed=3, first=40, no_guess=True).layout


# The game itself says what is legal: it plays a move, or refuses it.


def walk(rules, steps, seed):
    """Any actions, legal or not; each is also tried on a game, which is asked for its opinion."""
    rng = random.Random(seed)
    env = MinesweeperEnv(rules, flags=True)
    cells = len(rules.board)
    asked = None
    for _ in range(steps):
        if asked is None or asked.over:
            _, info = env.reset()
            asked = Game.new(rules, info["seed"])
        mask = info["action_mask"]
        action = rng.randrange(2 * cells)
        if rng.random() < 0.5 and mask[:cells].any():
            action = int(rng.choice(np.flatnonzero(mask[:cells])))
        cell = action % cells
        names = ("reveal",) if action < cells else ("flag", "unflag")
        played = False
        for name in names:
            with suppress(IllegalMove):
                asked.play(Move(name, cell))
                played = True
                break
        assert bool(mask[action]) == played
        observation, _, over, _, info = env.step(action)
        assert over == asked.over
        assert np.array_equal(observation, asked.position.marks)


@pytest.mark.plain
@pytest.mark.parametrize("name", ALL_RULES)
def test_the_mask_offers_what_the_game_allows_and_nothing_else(name):
    walk(ALL_RULES[name], 1_500, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL_RULES)
def test_the_mask_is_right_in_a_hundred_thousand_steps(name):
    walk(ALL_RULES[name], 100_000, name)


def test_a_first_click_that_leaves_no_space_for_the_mines_is_masked():
    env = MinesweeperEnv("3x3/4")
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1, 0, 1, 0, 0, 0, 1, 0, 1]
    _, _, _, _, info = env.step(0)
    assert info["action_mask"].tolist() == [0, 0, 1, 0, 0, 1, 1, 1, 1]


def test_a_wasted_move_changes_nothing():
    env = MinesweeperEnv("5x5/3", reward="shaped")
    env.reset(seed=1)
    before, *_ = env.step(12)
    after, reward, over, _, _ = env.step(12)
    assert np.array_equal(before, after)
    assert (reward, over) == (-0.1, False)


def test_a_flagged_cell_is_not_revealed_by_an_opening_nor_by_a_step():
    env = MinesweeperEnv("5x1/0", flags=True)
    env.reset(seed=1)
    env.step(5 + 2)
    observation, _, over, _, info = env.step(0)
    assert observation.tolist() == [0, 0, -2, -1, -1]
    assert info["action_mask"].tolist() == [0, 0, 0, 1, 1, 0, 0, 1, 1, 1]
    assert not over


def test_nothing_is_legal_when_the_game_is_over():
    env = MinesweeperEnv("3x1/0", flags=True)
    env.reset(seed=1)
    *_, info = env.step(1)
    assert info["won"]
    assert not info["action_mask"].any()
    assert not env.action_masks().any()


def test_a_grid_has_rows_and_columns():
    env = MinesweeperEnv("hexagonal 7x4/3", observation="grid")
    observation, _ = env.reset(seed=1)
    assert observation.shape == env.observation_space.shape == (4, 7)


def test_the_probabilities_are_those_of_the_engine_and_nothing_where_a_cell_is_revealed():
    env = MinesweeperEnv("5x5/4", probabilities=True, observation="grid")
    observation, _ = env.reset(seed=2)
    assert observation.shape == (2, 5, 5)
    assert observation[1] == pytest.approx(4 / 25)
    observation, *_ = env.step(12)
    probabilities = analyse(env.position).probability_array
    assert observation[0].reshape(-1).tolist() == env.position.marks.tolist()
    assert observation[1].reshape(-1) == pytest.approx(np.nan_to_num(probabilities), abs=1e-6)


def test_the_edges_of_the_graph_go_both_ways():
    env = MinesweeperEnv(Rules(RING, 3))
    pairs = set(map(tuple, env.edge_index.T.tolist()))
    assert pairs == {pair for a, b in RING.edges() for pair in ((a, b), (b, a))}
    assert len(pairs) == env.edge_index.shape[1]


def test_what_is_handed_out_can_be_changed_without_harm():
    env = MinesweeperEnv("5x5/3")
    observation, info = env.reset(seed=1)
    observation[:], info["action_mask"][:] = 5, 0
    env.edge_index[:] = 0
    observation, _, _, _, info = env.step(12)
    assert observation[12] == 0
    assert env.action_masks().sum() == 4
    assert env.edge_index.any()


def test_a_lost_game_shows_the_mine_that_was_hit():
    env = MinesweeperEnv("6x1/2 safe", render_mode="ansi")
    env.reset(seed=1)
    env.step(0)
    env.step(int(env.game.layout.mine_cells[0]))
    assert env.game.outcome == "lost"
    assert "*" in env.render()


@pytest.mark.parametrize("mode", ["ansi", "svg", "rgb_array"])
def test_every_render_mode_shows_every_board(any_rules, mode):
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


def test_the_position_is_for_all_of_sapper():
    env = gymnasium.make("sapper.env:sapper/Beginner-v0").unwrapped
    env.reset(seed=1)
    env.step(40)
    assert isinstance(env.position, Position)
    assert env.position.mines == 10


@pytest.mark.plain
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_the_middle_of_a_game_goes_on_by_itself(copied):
    env = MinesweeperEnv("5x5/4", generator="no-guess")
    env.reset(seed=2)
    before, *_ = env.step(12)
    other = copied(env)
    cell = int(np.flatnonzero(env.action_masks())[0])
    after, *_ = other.step(cell)
    assert np.array_equal(env.position.marks, before.reshape(-1))
    assert np.array_equal(env.step(cell)[0], after)
    assert env.reset()[1]["seed"] == other.reset()[1]["seed"]
