"""Policies of players win exactly the games of `play_many`."""

import gymnasium
import pytest
from tests.env_rules import ALL_RULES

import sapper.env  # noqa: F401 - registers the ids
from sapper import PLAYERS, Rules
from sapper.env import MinesweeperEnv, PlayerPolicy
from sapper.games.play_many import play_each
from sapper.kernels import STATUS

GAMES = 25 if STATUS == "compiled" else 3


def play_with_policy(env, player, seeds, **options):
    """Play games with a policy; return for each whether it was won, and its number of steps."""
    policy, games = PlayerPolicy(env, player, **options), []
    for seed in seeds:
        _, info = env.reset(seed=seed)
        over, steps = False, 0
        while not over:
            _, reward, over, _, info = env.step(policy.action())
            steps += 1
        assert reward == info["won"]
        games.append((int(info["won"]), steps))
    return games


def expected(rules, player, games, seed, first=None):
    rows = play_each(rules, player, games=games, seed=seed, first=first)
    return [(int(row[0]), int(row[2])) for row in rows]


@pytest.mark.plain
@pytest.mark.parametrize("player", PLAYERS.names)
def test_every_player_wins_the_games_of_play_many_in_as_many_reveals(player):
    env = gymnasium.make("sapper/Beginner-v0")
    assert play_with_policy(env, player, range(1, GAMES + 1)) == expected(
        "beginner", player, GAMES, 1
    )


def test_careful_wins_the_same_games_on_every_board():
    for name in ALL_RULES:
        rules = ALL_RULES[name]
        games = play_with_policy(MinesweeperEnv(rules, flags=True), "careful", range(1, 11))
        assert games == expected(rules, "careful", 10, 1)
    rules = Rules.parse("expert safe")
    games = play_with_policy(MinesweeperEnv(rules), "careful", range(100, 112), first="r1c1")
    assert games == expected(rules, "careful", 12, 100, "r1c1")
    assert 0 < sum(is_won for is_won, _ in games) < 12
