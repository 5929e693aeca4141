"""Invalid arguments of the environments are refused with a clear error."""

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from tests.boards import ring, star
from tests.error_messages import assert_refused

from sapper import IllegalMove, NotationError, Rules, RulesError
from sapper.env import MinesweeperEnv, MinesweeperVectorEnv, PlayerPolicy, Reward
from sapper.errors import UnknownName


def started_env(**options):
    env = MinesweeperEnv("3x3/1", **options)
    env.reset(seed=1)
    return env


def started_envs(**options):
    envs = MinesweeperVectorEnv(2, "3x3/1", **options)
    envs.reset(seed=1)
    return envs


def test_invalid_action_is_refused():
    wrong = [-1, 9, 1.0, "r1c1", None, np.array([0, 1])]
    cases = [(action, "expected an action from 0 to 8, got") for action in wrong]
    assert_refused(started_env().step, cases, IllegalMove)
    for action in (0, np.int64(0), np.int8(0), np.array(0)):
        assert started_env().step(action)[0][0] >= 0
    envs, message = started_envs(), "expected 2 actions as whole numbers, got an array"
    wrong = [[0], [[0, 0]], 0, [0.0, 0.0], [None, None], [True, False]]
    assert_refused(envs.step, [(actions, message) for actions in wrong], IllegalMove)
    wrong = [[0, 9], [-1, 0], np.array([0, 2**63], dtype=np.uint64)]
    message = "expected actions from 0 to 8, got"
    assert_refused(envs.step, [(actions, message) for actions in wrong], IllegalMove)
    assert (envs.position(0).marks == -1).all()
    cases = [(game, f"expected a game from 0 to 1, got {game}") for game in (-1, 2)]
    assert_refused(envs.position, cases, IllegalMove)


def test_step_after_the_end_is_refused():
    env = MinesweeperEnv("2x1/0")
    env.reset(seed=1)
    env.step(0)
    with pytest.raises(IllegalMove, match=r"the game is won: call reset\(\)"):
        env.step(1)
    envs = MinesweeperVectorEnv(2, "2x1/0", autoreset_mode="Disabled")
    envs.reset(seed=1)
    envs.step([0, 1])
    with pytest.raises(IllegalMove, match="game 0 is over"):
        envs.step([0, 0])


def test_use_before_reset_is_refused():
    env = MinesweeperEnv("3x3/1", render_mode="ansi")
    envs = MinesweeperVectorEnv(2, "3x3/1")
    for call in (
        lambda: env.step(0),
        lambda: env.position,
        lambda: env.game,
        env.render,
        lambda: envs.step([0, 0]),
        lambda: envs.position(0),
        lambda: envs.reset(options={"reset_mask": np.array([True, False])}),
    ):
        with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\) first"):
            call()


def test_invalid_seeds_masks_and_options_of_a_reset_are_refused():
    masks = [[True], np.array([1, 0]), np.array([False, False]), np.zeros((2, 2), dtype=bool)]
    cases = [({"reset_mask": mask}, "expected a reset_mask of 2 booleans") for mask in masks]
    cases += [(5, "expected options as a dictionary, got 5")]
    assert_refused(lambda options: started_envs().reset(options=options), cases)
    cases = [(seed, "expected .*seeds") for seed in (2**64, [-1, 1], [1], 1.5, "12", [1.5, 2])]
    assert_refused(lambda seed: started_envs().reset(seed=seed), cases, RulesError)
    with pytest.raises(RulesError, match="expected a seed from 0 to 18446744073709551615"):
        started_env().reset(seed=2**64)
    assert started_env().reset(seed=np.int32(3))[1]["seed"] == 3
    assert started_envs().reset(seed=np.uint64(3))[1]["seed"].tolist() == [3, 4]


def test_invalid_option_is_refused_in_one_line():
    cases = [
        ({"rules": "9x9"}, "expected a size with mines such as 30x16/99, got '9x9'"),
        ({"rules": 5}, "expected rules, a level or a size, got 5"),
        ({"rules": "3x3/8"}, "expected at most 5 mines"),
        ({"colour": 1}, "no such option 'colour'"),
        ({"rule": "nice"}, "no such rule 'nice'"),
        ({"tiling": "round"}, "no such tiling 'round'"),
        ({"generator": "marked"}, "no such layout generator 'marked'"),
        ({"observation": "smell"}, "no such observation 'smell'"),
        ({"reward": "gold"}, "no such reward 'gold'"),
        ({"render_mode": "human"}, "no such render mode 'human'"),
    ]
    assert_refused(lambda options: MinesweeperEnv(**options), cases)
    cases += [
        ({"num_envs": 10**9}, "^expected at most 3,314,017 environments, got 1,000,000,000"),
        ({"num_envs": 0}, "^expected at least 1 environment, got 0"),
        ({"num_envs": 1.5}, "^expected a number of environments, got 1.5"),
        ({"threads": 0}, "^expected at least 1 thread, got 0"),
        ({"max_episode_steps": 0}, "^expected at least 1 step, got 0"),
        ({"autoreset_mode": "Never"}, "^no such autoreset mode 'Never'"),
    ]
    assert_refused(lambda options: MinesweeperVectorEnv(**options), cases)


def test_unsupported_boards_rewards_and_policies_are_refused():
    with pytest.raises(RulesError, match="a graph"):
        MinesweeperEnv(Rules(ring(3), 1, "safe"), observation="grid")
    with pytest.raises(RulesError, match="expected at most 127 neighbours per cell, got 128"):
        MinesweeperEnv(Rules(star(128), 1))
    with pytest.raises(RulesError, match="expected a finite win of a reward, got nan"):
        Reward("mine", "broken", win=float("nan"))
    with pytest.raises(RulesError, match=r"expected an environment of sapper\.env, got"):
        PlayerPolicy(gymnasium.make("CartPole-v1"))
    with pytest.raises(UnknownName, match="no such player"):
        PlayerPolicy(started_env(), "lucky")
    with pytest.raises(NotationError, match="r9c9"):
        PlayerPolicy(started_env(), first="r9c9")


def test_error_without_gymnasium_says_how_to_install_it():
    # Importing a module that is None in sys.modules raises ImportError.
    code = "import sys; sys.modules['gymnasium'] = None\nimport sapper.env"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == (
        "sapper.errors.Unavailable: environments need gymnasium: pip install 'sapper[rl]'"
    )
