"""Both environments beside their slow twin: the same episodes, step by step."""

import random
from dataclasses import replace

import numpy as np
import pytest

from sapper import Rules
from sapper.board.rules import RULES
from sapper.env import REWARDS, MinesweeperEnv, MinesweeperVectorEnv, Reward
from sapper.kernels import STATUS
from tests.oracle.naive_env import NaiveEnv
from tests.random_positions import KINDS, random_board

pytestmark = pytest.mark.plain

STEPS = 400 if STATUS == "compiled" else 60
REWARD = Reward("odd", "five parts", win=3.0, loss=-2.0, reveal=0.125, cleared=1.7, wasted=-0.3)
PARTS = {name: getattr(REWARD, name) for name in ("win", "loss", "reveal", "cleared", "wasted")}


def random_rules(kind, rng):
    """Small rules, some so full of mines that not every cell may come first."""
    while True:
        board = random_board(kind, rng)
        rule = rng.choice(tuple(RULES))
        room = {"any": 0, "safe": 1, "zero": 1 + int(board.neighbour_counts.min())}[rule]
        most = min(len(board) - 1, len(board) - room)
        if most >= 0:
            return Rules(board, rng.choice((rng.randint(0, most), most // 4, most)), rule)


def compare(twin, observation, mask, info):
    assert observation.tolist() == twin.observation()
    assert mask.tolist() == twin.mask()
    assert (int(info["seed"]), bool(info["won"])) == (twin.seed, twin.won)


def some_action(twin, rng):
    """Legal mostly: any action wastes most moves."""
    legal = [action for action, allowed in enumerate(twin.mask()) if allowed]
    return rng.choice(legal) if rng.random() < 0.8 else rng.randrange(2 * len(twin.rules.board))


@pytest.mark.parametrize("kind", KINDS)
def test_a_single_environment_plays_as_its_twin(kind):
    rng = random.Random(f"single {kind}")
    for _ in range(4):
        rules = random_rules(kind, rng)
        env, twin = MinesweeperEnv(rules, flags=True, reward=REWARD), NaiveEnv(rules, **PARTS)
        seed = rng.getrandbits(64)
        observation, info = env.reset(seed=seed)
        twin.reset(seed)
        for _ in range(STEPS // 4):
            compare(twin, observation, info["action_mask"], info)
            if twin.won or twin.lost:
                (observation, info), _ = env.reset(), twin.reset()
                continue
            action = some_action(twin, rng)
            observation, reward, over, cut, info = env.step(action)
            assert reward == twin.step(action)
            assert (over, cut) == (twin.won or twin.lost, False)


@pytest.mark.parametrize("kind", KINDS)
def test_games_side_by_side_play_as_their_twins(kind):
    rng = random.Random(f"vector {kind}")
    rules, count = random_rules(kind, rng), 7
    envs = MinesweeperVectorEnv(count, rules, flags=True, reward=REWARD)
    twins = [NaiveEnv(rules, **PARTS) for _ in range(count)]
    observations, infos = envs.reset(seed=11)
    for i, twin in enumerate(twins):
        twin.reset(11 + i)
    for _ in range(STEPS // 5):
        for i, twin in enumerate(twins):
            info = {name: infos[name][i] for name in ("seed", "won")}
            compare(twin, observations[i], infos["action_mask"][i], info)
        # Next-step autoreset: an episode that is over begins anew, whatever the action.
        resets = [twin.won or twin.lost for twin in twins]
        actions = [
            rng.randrange(2 * len(rules.board)) if reset else some_action(twin, rng)
            for twin, reset in zip(twins, resets, strict=True)
        ]
        observations, rewards, ended, cut, infos = envs.step(np.array(actions))
        for i, twin in enumerate(twins):
            earned = twin.reset() or 0.0 if resets[i] else twin.step(actions[i])
            assert (rewards[i], ended[i], cut[i]) == (earned, twin.won or twin.lost, False)


def test_every_reward_of_the_table_is_what_its_twin_earns():
    rng = random.Random(5)
    for row in REWARDS.values():
        parts = {name: getattr(row, name) for name in PARTS}
        rules = Rules.parse("5x5/4")
        env, twin = MinesweeperEnv(rules, flags=True, reward=row.name), NaiveEnv(rules, **parts)
        for seed in range(6):
            env.reset(seed=seed)
            twin.reset(seed)
            while not (twin.won or twin.lost):
                action = some_action(twin, rng)
                assert env.step(action)[1] == twin.step(action)


def test_the_share_cleared_adds_up_to_one_in_a_won_game():
    env = MinesweeperEnv("5x5/3", reward=replace(REWARDS.find("cleared"), name="mine"))
    env.reset(seed=1)
    total = 0.0
    for cell in [12, *range(25)]:
        free = env.game.layout is None or not env.game.layout.mine_mask[cell]
        if free and env.action_masks()[cell]:
            total += env.step(cell)[1]
    assert env.game.outcome == "won"
    assert total == pytest.approx(1.0)
