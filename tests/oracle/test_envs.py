"""Both environments against a slow reference, step by step."""

import random

import pytest

from sapper.board.rules import RULES, Rules
from sapper.env import REWARDS, MinesweeperEnv, Reward
from sapper.kernels import STATUS
from tests.oracle.naive_env import NaiveEnv
from tests.random_positions import KINDS, random_board

pytestmark = pytest.mark.plain

STEPS = 400 if STATUS == "compiled" else 60
REWARD = Reward("odd", "five parts", win=3.0, loss=-2.0, reveal=0.125, cleared=1.7, wasted=-0.3)
PARTS = {name: getattr(REWARD, name) for name in ("win", "loss", "reveal", "cleared", "wasted")}


def random_rules(kind, rng):
    """Return random rules of a small board; some first clicks leave too few cells for the mines."""
    while True:
        board = random_board(kind, rng)
        rule = rng.choice(tuple(RULES))
        safe_count = {"any": 0, "safe": 1, "zero": 1 + int(board.neighbour_counts.min())}[rule]
        max_mines = min(len(board) - 1, len(board) - safe_count)
        if max_mines >= 0:
            mines = rng.choice((rng.randint(0, max_mines), max_mines // 4, max_mines))
            return Rules(board, mines, rule)


def compare(reference, observation, mask, info):
    assert observation.tolist() == reference.observation()
    assert mask.tolist() == reference.mask()
    assert (int(info["seed"]), bool(info["won"])) == (reference.seed, reference.won)


def random_action(reference, rng):
    """Return a random action that is usually legal."""
    legal = [action for action, allowed in enumerate(reference.mask()) if allowed]
    if rng.random() < 0.8:
        return rng.choice(legal)
    return rng.randrange(2 * len(reference.rules.board))


@pytest.mark.parametrize("kind", KINDS)
def test_single_environment_agrees_with_the_reference(kind):
    rng = random.Random(f"single {kind}")
    for _ in range(4):
        rules = random_rules(kind, rng)
        env, reference = MinesweeperEnv(rules, flags=True, reward=REWARD), NaiveEnv(rules, **PARTS)
        seed = rng.getrandbits(64)
        observation, info = env.reset(seed=seed)
        reference.reset(seed)
        for _ in range(STEPS // 4):
            compare(reference, observation, info["action_mask"], info)
            if reference.won or reference.lost:
                (observation, info), _ = env.reset(), reference.reset()
                continue
            action = random_action(reference, rng)
            observation, reward, over, truncated, info = env.step(action)
            assert reward == reference.step(action)
            assert (over, truncated) == (reference.won or reference.lost, False)


@pytest.mark.parametrize("entry", REWARDS.values(), ids=REWARDS)
def test_every_reward_agrees_with_the_reference(entry):
    rng, rules = random.Random(5), Rules.parse("5x5/4")
    env = MinesweeperEnv(rules, flags=True, reward=entry.name)
    reference = NaiveEnv(rules, **{name: getattr(entry, name) for name in PARTS})
    for seed in range(6):
        env.reset(seed=seed)
        reference.reset(seed)
        while not (reference.won or reference.lost):
            action = random_action(reference, rng)
            assert env.step(action)[1] == reference.step(action)
