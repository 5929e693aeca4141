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


@pytest.mark.parametrize("options", [{}, {"flags": True, "probabilities": True}])
def test_every_tiling_and_a_graph_pass(any_rules, options):
    check("sapper/Minesweeper-v0", rules=any_rules, **options)


def test_every_level_has_an_id_that_passes():
    for level, rules in LEVELS.items():
        env = gymnasium.make(f"sapper/{level.capitalize()}-v0")
        assert str(env.unwrapped.rules) == rules
        check_env(env.unwrapped, skip_render_check=True)
    env = gymnasium.make("sapper.env:sapper/Beginner-v0", rule="safe", tiling="hexagonal")
    assert str(env.unwrapped.rules) == "hexagonal 9x9/10 safe", "an id with its module"


def test_every_option_passes_the_checker_of_gymnasium():
    grid = {"observation": "grid"}
    rewards = [{"reward": name} for name in REWARDS.names]
    for options in (grid, {**grid, "probabilities": True}, {"generator": "no-guess"}, *rewards):
        check("sapper/Beginner-v0", **options)
