"""The vector environment, compared with Gymnasium's vector of single environments."""

import copy
import pickle
import threading

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv
from tests.env_rules import ALL_RULES

from sapper import Rules
from sapper.env import MinesweeperEnv, MinesweeperVectorEnv
from sapper.kernels import STATUS

FAST = STATUS == "compiled"
STEPS = 120 if FAST else 25
MODES = ("NextStep", "SameStep", "Disabled")


def assert_equal_arrays(envs, reference):
    for array, expected in zip(envs, reference, strict=True):
        assert np.array_equal(array, expected) and array.dtype == expected.dtype


def assert_equal_infos(envs, reference):
    """Compare infos in the games for which they are valid."""
    assert set(envs) == set(reference)
    for name in (name for name in reference if not name.startswith("_")):
        valid = reference[f"_{name}"]
        assert np.array_equal(envs[f"_{name}"], valid)
        if isinstance(reference[name], dict):
            assert_equal_infos(envs[name], reference[name])
            continue
        for i in np.flatnonzero(valid):
            assert np.array_equal(envs[name][i], reference[name][i])


def compare_step(envs, reference, actions):
    """Make the same step in two vectors of environments; return terminated and truncated."""
    (*arrays, info), (*expected, other_info) = envs.step(actions), reference.step(actions)
    assert_equal_arrays(arrays, expected)
    assert_equal_infos(info, other_info)
    return arrays[2:]


def mostly_legal_actions(rng, masks):
    """Return an action per game: nine of ten are legal, the others random."""
    legal = (rng.random(masks.shape) * masks).argmax(axis=1)
    any_action = rng.integers(masks.shape[1], size=len(masks))
    return np.where(rng.random(len(masks)) < 0.1, any_action, legal)


@pytest.mark.plain
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", ALL_RULES)
def test_games_equal_those_of_gymnasiums_vector_of_single_environments(name, mode):
    rules, count = ALL_RULES[name], 5
    options = {"flags": name != "square", "reward": "shaped"}
    envs = MinesweeperVectorEnv(count, rules, autoreset_mode=mode, **options)
    reference = SyncVectorEnv(
        [lambda: MinesweeperEnv(rules, **options)] * count, autoreset_mode=mode
    )
    assert envs.observation_space == reference.observation_space
    assert envs.action_space == reference.action_space
    assert envs.metadata == reference.metadata
    rng = np.random.default_rng(1)
    reset = {"seed": 3}
    for _ in range(STEPS):
        if reset:
            (*arrays, info), (*expected, other_info) = envs.reset(**reset), reference.reset(**reset)
            assert_equal_arrays(arrays, expected)
            assert_equal_infos(info, other_info)
        actions = mostly_legal_actions(rng, envs.action_masks())
        terminated, truncated = compare_step(envs, reference, actions)
        over = terminated | truncated
        restart = mode == "Disabled" and over.any()
        reset = {"options": {"reset_mask": over}} if restart else {}


def test_episodes_are_truncated_as_by_gymnasiums_time_limit():
    for mode in MODES[:2]:
        envs = gymnasium.make_vec("sapper/Beginner-v0", 4, autoreset_mode=mode, max_episode_steps=3)
        single = [lambda: gymnasium.make("sapper/Beginner-v0", max_episode_steps=3)] * 4
        reference = SyncVectorEnv(single, autoreset_mode=mode)
        rng = np.random.default_rng(1)
        envs.reset(seed=1)
        reference.reset(seed=1)
        truncations = 0
        for _ in range(40):
            actions = mostly_legal_actions(rng, envs.action_masks())
            truncations += int(compare_step(envs, reference, actions)[1].sum())
        assert truncations


@pytest.mark.plain
def test_games_do_not_depend_on_the_number_of_threads():
    for threads in [2, 3]:
        count = 200
        one, many = (
            MinesweeperVectorEnv(count, "9x9/10", threads=n, flags=True) for n in (1, threads)
        )
        rng = np.random.default_rng(3)
        one.reset(seed=1)
        many.reset(seed=1)
        for _ in range(STEPS // 5):
            compare_step(one, many, mostly_legal_actions(rng, one.action_masks()))
        many.close()


def test_closed_environment_has_no_threads():
    before = set(threading.enumerate())
    envs = MinesweeperVectorEnv(128, "5x5/3", threads=2)
    envs.reset(seed=1)
    envs.step([12] * 128)
    started = set(threading.enumerate()) - before
    assert started
    envs.close()
    assert not any(thread.is_alive() for thread in started)


def test_no_guess_layouts_are_generated_at_the_first_click():
    options = {"rules": "beginner", "generator": "no-guess"}
    envs = MinesweeperVectorEnv(3, **options)
    envs.reset(seed=4)
    observations, *_ = envs.step([40, 0, 80])
    for i, first in enumerate((40, 0, 80)):
        env = MinesweeperEnv(**options)
        env.reset(seed=4 + i)
        assert np.array_equal(observations[i], env.step(first)[0])


def test_probabilities_equal_those_of_single_environments():
    options = {"rules": "5x5/4", "probabilities": True, "observation": "grid"}
    vector = MinesweeperVectorEnv(3, **options)
    singles = SyncVectorEnv([lambda: MinesweeperEnv(**options)] * 3)
    assert np.array_equal(vector.reset(seed=1)[0], singles.reset(seed=1)[0])
    for actions in ([12, 0, 3], [4, 4, 4], [1, 20, 24], [2, 2, 2]):
        found, expected = vector.step(np.array(actions))[0], singles.step(np.array(actions))[0]
        assert found.dtype == expected.dtype == np.float32
        assert found == pytest.approx(expected, abs=1e-6)


def test_without_copies_every_step_returns_the_same_arrays():
    envs = gymnasium.make_vec("sapper/Minesweeper-v0", 2, rules="5x5/3", copy=False, threads=2)
    assert isinstance(envs, MinesweeperVectorEnv)
    first, info = envs.reset(seed=1)
    second, *_, later = envs.step([12, 12])
    assert np.shares_memory(first, second)
    assert np.shares_memory(info["action_mask"], later["action_mask"])
    with pytest.raises(ValueError, match="read-only"):
        second[0] = 5
    envs.close()
    envs = MinesweeperVectorEnv(2, "5x5/3", render_mode="svg")
    first, _ = envs.reset(seed=1)
    envs.step([12, 12])
    assert (first == -1).all()
    assert [picture[:4] for picture in envs.render()] == ["<svg", "<svg"]


def test_list_of_seeds_has_one_for_each_game_and_none_continues_its_stream():
    envs = MinesweeperVectorEnv(3)
    _, info = envs.reset(seed=[7, 7, 9])
    assert info["seed"].tolist() == [7, 7, 9]
    _, info = envs.reset(seed=[None, 7, None])
    single = MinesweeperEnv()
    single.reset(seed=7)
    assert info["seed"].tolist()[:2] == [single.reset()[1]["seed"], 7]


def test_masked_first_clicks_remain_masked_after_flags():
    envs = MinesweeperVectorEnv(2, Rules.parse("3x3/4"), flags=True)
    envs.reset(seed=1)
    corners = [1, 0, 1, 0, 0, 0, 1, 0, 1]
    for cell in (0, 1):
        # Setting and removing a flag restores the mask.
        envs.step([9 + cell] * 2)
        *_, info = envs.step([9 + cell] * 2)
        assert info["action_mask"][:, :9].tolist() == [corners] * 2


@pytest.mark.plain
def test_copies_during_a_game_are_independent():
    for copied in [copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))]:
        envs = MinesweeperVectorEnv(130, "5x5/4", threads=2)
        rng = np.random.default_rng(1)
        envs.reset(seed=1)
        for _ in range(6):
            observations, *_ = envs.step(mostly_legal_actions(rng, envs.action_masks()))
        others, third = copied(envs), copied(envs)
        steps = [mostly_legal_actions(rng, envs.action_masks()) for _ in range(2)]
        for actions in steps:
            others.step(actions)
        assert np.array_equal(envs.position(3).marks, observations[3])
        for actions in steps:
            compare_step(envs, third, actions)
        assert np.array_equal(envs.position(3).marks, others.position(3).marks)
        for one in (envs, others, third):
            one.close()
