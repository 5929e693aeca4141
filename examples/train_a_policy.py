"""Train a small policy for Beginner in a minute, with numpy alone.

    python examples/train_a_policy.py

The policy looks at the 5x5 cells around each covered cell, estimates the chance that it is safe,
and reveals the likeliest. It learns that from its own moves: the reward `alive` says after each of
them whether it survived, so a game gives as many lessons as it has moves.
Two layers of weights, logistic loss, Adam; a quarter of the first moves are made at random, so that
it sees more than what it already believes in.
"""

import argparse
import os
import time
from itertools import pairwise

# Matrices as small as these are multiplied sooner by one thread than by several.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from sapper.env import MinesweeperVectorEnv

GAMES = 128
REACH = 2
HIDDEN = (128, 64)
KEPT_LESSONS = 200_000
LESSONS_A_STEP = 512
RATE = 2e-3
MIN_RATE = 1e-4
# What a cell may show: beyond the board, covered cell, or a number from 0 to 8.
KINDS = 11


def patches(observations, games, cells):
    """Return what is around some cells: a row of KINDS each, as small numbers."""
    width = observations.shape[2]
    edged = np.pad(observations + 2, ((0, 0), (REACH, REACH), (REACH, REACH)))
    side = 2 * REACH + 1
    around = np.lib.stride_tricks.sliding_window_view(edged, (side, side), axis=(1, 2))
    rows, columns = np.divmod(cells, width)
    return around[games, rows, columns].reshape(len(cells), side * side)


def turned(seen, rng):
    """Patches turned and mirrored, one way of eight: a lesson holds for all of them."""
    side = 2 * REACH + 1
    square = np.rot90(seen.reshape(-1, side, side), rng.integers(4), axes=(1, 2))
    square = square[:, ::-1] if rng.random() < 0.5 else square
    return square.reshape(seen.shape)


def worth_weighing(observations, masks):
    """Return the legal cells next to a revealed one, and one of the others in each game.

    The others look much alike, and weighing them all would take most of the time.
    """
    revealed = np.pad(observations >= 0, ((0, 0), (1, 1), (1, 1)))
    around = np.lib.stride_tricks.sliding_window_view(revealed, (3, 3), axis=(1, 2))
    near = around.any(axis=(3, 4)).reshape(masks.shape)
    far = (masks > 0) & ~near
    chosen = (masks > 0) & near
    games = far.any(axis=1).nonzero()[0]
    chosen[games, far[games].argmax(axis=1)] = True
    return chosen


class Policy:
    """Chances to survive, from patches; its weights learn from lessons."""

    def __init__(self, rng):
        sizes = ((2 * REACH + 1) ** 2 * KINDS, *HIDDEN, 1)
        self.layers = []
        for inputs, outputs in pairwise(sizes):
            # One input of each KINDS is set, so that the first layer has fewer than it seems.
            spread = np.sqrt(2 / (inputs // KINDS if inputs == sizes[0] else inputs))
            weights = rng.normal(0, spread, (inputs, outputs)).astype(np.float32)
            self.layers += [weights, np.zeros(outputs, dtype=np.float32)]
        self.means = [np.zeros_like(one) for one in self.layers]
        self.squares = [np.zeros_like(one) for one in self.layers]
        self.lessons = 0

    def forward(self, seen):
        """Return what goes into each layer, and the log-probabilities of surviving."""
        inputs = [np.eye(KINDS, dtype=np.float32)[seen].reshape(len(seen), -1)]
        for weights, bias in zip(self.layers[:-2:2], self.layers[1:-2:2], strict=True):
            inputs.append(np.maximum(inputs[-1] @ weights + bias, 0))
        return inputs, (inputs[-1] @ self.layers[-2] + self.layers[-1])[:, 0]

    def learn(self, seen, survived, rate):
        """One step of Adam on the logistic loss."""
        inputs, logits = self.forward(seen)
        slope = ((1 / (1 + np.exp(-logits)) - survived) / len(seen))[:, None]
        slopes = []
        for weights, given in zip(self.layers[-2::-2], inputs[::-1], strict=True):
            slopes = [given.T @ slope, slope.sum(axis=0), *slopes]
            slope = (slope @ weights.T) * (given > 0)
        self.lessons += 1
        for one, mean, square, change in zip(
            self.layers, self.means, self.squares, slopes, strict=True
        ):
            mean += 0.1 * (change - mean)
            square += 0.001 * (change * change - square)
            size = np.sqrt(square / (1 - 0.999**self.lessons)) + 1e-8
            one -= rate * mean / (1 - 0.9**self.lessons) / size

    def choose(self, observations, masks):
        """Return the likeliest cell of each game; any cell where it is over."""
        games, cells = worth_weighing(observations, masks).nonzero()
        seen = patches(observations, games, cells)
        chances = np.full(masks.shape, -np.inf, dtype=np.float32)
        chances[games, cells] = self.forward(seen)[1]
        return chances.argmax(axis=1)


def train(steps, rng, report=print):
    """Train a policy for *steps* steps of GAMES games each."""
    envs = MinesweeperVectorEnv(
        GAMES, "beginner", observation="grid", reward="alive", autoreset_mode="SameStep"
    )
    policy = Policy(rng)
    seen_before = np.zeros((KEPT_LESSONS, (2 * REACH + 1) ** 2), dtype=np.int8)
    survived_before = np.zeros(KEPT_LESSONS, dtype=np.float32)
    observations, infos = envs.reset(seed=1)
    started = reported = time.process_time()
    kept = won = over = 0
    for step in range(steps):
        masks = infos["action_mask"]
        actions = policy.choose(observations, masks)
        curious = rng.random(GAMES) < 0.25 * max(0.0, 1 - 8 * step / steps)
        anything = (rng.random(masks.shape) * masks).argmax(axis=1)
        actions = np.where(curious, anything, actions)
        seen = patches(observations, np.arange(GAMES), actions)
        # A first move survives by the rule: there is nothing to learn from it.
        lessons = (observations >= 0).any(axis=(1, 2))
        observations, rewards, ended, _, infos = envs.step(actions)
        places = np.arange(kept, kept + lessons.sum()) % KEPT_LESSONS
        seen_before[places], survived_before[places] = seen[lessons], rewards[lessons] > 0
        kept += int(lessons.sum())
        if kept >= LESSONS_A_STEP:
            drawn = rng.integers(min(kept, KEPT_LESSONS), size=LESSONS_A_STEP)
            rate = MIN_RATE + (RATE - MIN_RATE) * (1 - step / steps)
            policy.learn(turned(seen_before[drawn], rng), survived_before[drawn], rate)
        if ended.any():
            won += int(infos["final_info"]["won"].sum())
            over += int(ended.sum())
        now = time.process_time()
        if now - reported >= 5:
            report(f"{now - started:3.0f} s, {kept:7,} moves: {won / over:6.1%} of {over:,} won")
            reported, won, over = now, 0, 0
    return policy


def win_rate(policy, games, seed):
    """How many of the games from a seed on the policy wins."""
    envs = MinesweeperVectorEnv(games, "beginner", observation="grid", autoreset_mode="NextStep")
    observations, infos = envs.reset(seed=seed)
    won, over = np.zeros(games), np.zeros(games, dtype=bool)
    while not over.all():
        masks = infos["action_mask"]
        actions = policy.choose(observations, masks)
        observations, rewards, ended, _, infos = envs.step(actions)
        won[~over] += rewards[~over]
        over |= ended
    return won.mean()


def main():
    """Train, then play games that were not trained on."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=8000, help="of training")
    parser.add_argument("--games", type=int, default=2000, help="to play at the end")
    asked = parser.parse_args()
    policy = train(asked.steps, np.random.default_rng(1))
    rate = win_rate(policy, asked.games, seed=10**6)
    print(f"{rate:.1%} of {asked.games:,} new games won")


if __name__ == "__main__":
    main()
