"""Moves per second of the environments, and the win rates of the players in them.

Run by `make bench PART=env`. The actions are recorded random legal reveals, of which games have
about five: the slowest case, because every fifth move generates a layout. Single environments
replay the same games. Rates are moves per CPU second, best of several runs; steps that only reset a
game do not count.
"""

import gymnasium
import numpy as np
from benchmarks.measure import compare_threads, cpu_seconds

import sapper
from sapper.env import MinesweeperEnv, MinesweeperVectorEnv, PlayerPolicy
from sapper.games.play_many import play_each

ROUNDS = 5
SINGLES = 16
BASELINES = (("beginner", 1000), ("intermediate", 300), ("expert", 200))


def record(envs, steps):
    """Return the actions of random legal play, and the number of moves among them."""
    rng = np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    actions, moves = [], 0
    for _ in range(steps):
        masks = infos["action_mask"]
        actions.append((rng.random(masks.shape, dtype=np.float32) * masks).argmax(axis=1))
        moves += int(masks.any(axis=1).sum())
        *_, infos = envs.step(actions[-1])
    return actions, moves


def replay(envs, actions):
    """Repeat all actions and return the sum of the rewards."""
    envs.reset(seed=1)
    return sum(float(envs.step(row)[1].sum()) for row in actions)


def replay_singles(envs, actions):
    """Repeat the actions in single environments; return the sum of the rewards of each."""
    for i, env in enumerate(envs):
        env.reset(seed=1 + i)
    rewards = np.zeros(len(envs))
    for row in actions:
        for i, env in enumerate(envs):
            _, reward, over, _, _ = env.step(int(row[i]))
            rewards[i] += reward
            if over:
                env.reset()
    return rewards


def speed(level="expert", moves=200_000):
    """Print the moves per second of vector environments, and of single ones on the same games."""
    print(f"{level}, random legal play            games  moves per CPU second  times single")
    reward = "cleared"
    recorded = {}
    for games in (64, 512, 4096):
        for mode in ("NextStep", "SameStep"):
            settings = {"autoreset_mode": mode, "reward": reward}
            envs = MinesweeperVectorEnv(games, level, **settings)
            actions, count = record(envs, max(20, moves // games))
            recorded[games, mode] = envs, actions, count
    _, shared_actions, _ = recorded[512, "SameStep"]
    singles = {
        "MinesweeperEnv": [MinesweeperEnv(level, reward=reward) for _ in range(SINGLES)],
        "gymnasium.make": [
            gymnasium.make(f"sapper/{level.capitalize()}-v0", reward=reward) for _ in range(SINGLES)
        ],
    }
    best = dict.fromkeys((*singles, *recorded), 0.0)
    for _ in range(ROUNDS):
        for name, envs in singles.items():
            seconds = cpu_seconds(lambda envs=envs: replay_singles(envs, shared_actions))
            best[name] = max(best[name], SINGLES * len(shared_actions) / seconds)
        for key, (envs, actions, count) in recorded.items():
            seconds = cpu_seconds(lambda envs=envs, rows=actions: replay(envs, rows))
            best[key] = max(best[key], count / seconds)
    rewards = replay_singles(singles["MinesweeperEnv"], shared_actions)
    same = MinesweeperVectorEnv(512, level, autoreset_mode="SameStep", reward=reward)
    same.reset(seed=1)
    sums = sum(same.step(row)[1][:SINGLES] for row in shared_actions)
    assert np.allclose(sums, rewards), "single and vector environments played different games"
    single = best["MinesweeperEnv"]
    for key, rate in best.items():
        name, games = (key, 1) if isinstance(key, str) else (f"vectorised, {key[1]}", key[0])
        print(f"{name:<32} {games:>10,} {rate:>21,.0f} {rate / single:>13.1f}")


def threads(games=8192, steps=60):
    """Print the speed of two threads relative to one."""
    recorded = {}
    for count in (1, 2):
        envs = MinesweeperVectorEnv(games, "expert", threads=count, copy=False)
        recorded[count] = envs, record(envs, steps)[0]
    print(compare_threads(lambda count: replay(*recorded[count])))


def baselines():
    """Print win rates in the environment; every game must end as in `play_many`."""
    print("\n| player | " + " | ".join(level.capitalize() for level, _ in BASELINES) + " |")
    print("| --- |" + " ---: |" * len(BASELINES))
    for player in sapper.PLAYERS:
        rates = []
        for level, games in BASELINES:
            won = games_won_in_environment(level, player, games)
            rows = play_each(level, player, games=games, seed=1)
            assert won == rows[:, 0].astype(bool).tolist(), "play_many gave other results"
            rates.append(f"{sum(won) / games:.1%}")
        print(f"| `{player}` | " + " | ".join(rates) + " |", flush=True)


def games_won_in_environment(level, player, games):
    """Return for each game whether a player wins it in an environment."""
    env = gymnasium.make(f"sapper/{level.capitalize()}-v0")
    policy = PlayerPolicy(env, player)
    won = []
    for seed in range(1, games + 1):
        env.reset(seed=seed)
        over = False
        while not over:
            _, _, over, _, info = env.step(policy.action())
        won.append(info["won"])
    return won


if __name__ == "__main__":
    speed()
    threads()
    baselines()
