"""Gymnasium's environment checker on every tiling and a graph; warnings are errors."""

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import sapper.env  # noqa: F401 - registers the ids
from sapper import LEVELS
from sapper.env import REWARDS


def check(name, **options):
    env = gymnasium.make(name, **options)
    check_env(env.unwrapped)


def test_every_tiling_and_a_graph_pass(any_rules):
    check("sapper/Minesweeper-v0", rules=any_rules)


def test_flags_and_probabilities_pass_on_every_board(any_rules):
    check("sapper/Minesweeper-v0", rules=any_rules, flags=True, probabilities=True)


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_has_an_id_that_passes(level):
    env = gymnasium.make(f"sapper/{level.capitalize()}-v0")
    assert str(env.unwrapped.rules) == LEVELS[level]
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("probabilities", [False, True])
def test_grids_pass(probabilities):
    check("sapper/Beginner-v0", observation="grid", probabilities=probabilities)


@pytest.mark.parametrize("reward", REWARDS.names)
def test_every_reward_passes(reward):
    check("sapper/Classic-v0", reward=reward)


def test_no_guess_layouts_pass():
    check("sapper/Beginner-v0", generator="no-guess")


def test_an_id_with_its_module_needs_no_import():
    env = gymnasium.make("sapper.env:sapper/Beginner-v0", rule="safe", tiling="hexagonal")
    assert str(env.unwrapped.rules) == "hexagonal 9x9/10 safe"
