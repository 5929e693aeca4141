"""Train a small policy for Beginner in a minute, with numpy alone.

    python examples/train_a_policy.py

The policy estimates from the 5x5 cells around a covered cell how likely it is to be safe, and
reveals the likeliest one. It learns from its own moves: the reward `alive` is positive after each
move that hits no mine, so a game gives as many samples as it has moves.
Two hidden layers, logistic loss, Adam; at first a quarter of the moves are random, so that the
policy also tries cells that it considers unsafe.
"""

import argparse
import os
import time
from itertools import pairwise

# One thread multiplies such small matrices faster than several.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from sapper.env import MinesweeperVectorEnv

GAMES = 128
RADIUS = 2
HIDDEN = (128, 64)
BUFFER_SIZE = 200_000
BATCH_SIZE = 512
LEARNING_RATE = 2e-3
MIN_LEARNING_RATE = 1e-4
# What a cell may show: off the board, covered, or a number from 0 to 8.
STATES = 11


def cut_patches(observations, games, cells):
    """Return the states of the cells around each given cell, as a row of the result."""
    width = observations.shape[2]
    padded = np.pad(observations + 2, ((0, 0), (RADIUS, RADIUS), (RADIUS, RADIUS)))
    side = 2 * RADIUS + 1
    around = np.lib.stride_tricks.sliding_window_view(padded, (side, side), axis=(1, 2))
    rows, columns = np.divmod(cells, width)
    return around[games, rows, columns].reshape(len(cells), side * side)


def augment(patches, rng):
    """Return the patches in one of their eight rotations and reflections, chosen at random."""
    side = 2 * RADIUS + 1
    square = np.rot90(patches.reshape(-1, side, side), rng.integers(4), axes=(1, 2))
    square = square[:, ::-1] if rng.random() < 0.5 else square
    return square.reshape(patches.shape)


def candidate_cells(observations, masks):
    """Return the legal cells next to a revealed one, and one of the others in each game.

    The others look much alike, and evaluating them all would take most of the time.
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
    """A network that estimates from a patch whether a reveal is safe."""

    def __init__(self, rng):
        sizes = ((2 * RADIUS + 1) ** 2 * STATES, *HIDDEN, 1)
        self.layers = []
        for inputs, outputs in pairwise(sizes):
            # The first layer has one-hot inputs, of which one in STATES is not zero.
            spread = np.sqrt(2 / (inputs // STATES if inputs == sizes[0] else inputs))
            weights = rng.normal(0, spread, (inputs, outputs)).astype(np.float32)
            self.layers += [weights, np.zeros(outputs, dtype=np.float32)]
        self.first_moments = [np.zeros_like(array) for array in self.layers]
        self.second_moments = [np.zeros_like(array) for array in self.layers]
        self.steps = 0

    def forward(self, patches):
        """Return the inputs of each layer, and the logits of being safe."""
        inputs = [np.eye(STATES, dtype=np.float32)[patches].reshape(len(patches), -1)]
        for weights, bias in zip(self.layers[:-2:2], self.layers[1:-2:2], strict=True):
            inputs.append(np.maximum(inputs[-1] @ weights + bias, 0))
        return inputs, (inputs[-1] @ self.layers[-2] + self.layers[-1])[:, 0]

    def learn(self, patches, survived, learning_rate):
        """Make one step of Adam on the logistic loss."""
        inputs, logits = self.forward(patches)
        gradient = ((1 / (1 + np.exp(-logits)) - survived) / len(patches))[:, None]
        gradients = []
        for weights, activations in zip(self.layers[-2::-2], inputs[::-1], strict=True):
            gradients = [activations.T @ gradient, gradient.sum(axis=0), *gradients]
            gradient = (gradient @ weights.T) * (activations > 0)
        self.steps += 1
        for array, first_moment, second_moment, gradient in zip(
            self.layers, self.first_moments, self.second_moments, gradients, strict=True
        ):
            first_moment += 0.1 * (gradient - first_moment)
            second_moment += 0.001 * (gradient * gradient - second_moment)
            scale = np.sqrt(second_moment / (1 - 0.999**self.steps)) + 1e-8
            array -= learning_rate * first_moment / (1 - 0.9**self.steps) / scale

    def choose(self, observations, masks):
        """Return the safest cell of each game; any cell where it is over."""
        games, cells = candidate_cells(observations, masks).nonzero()
        patches = cut_patches(observations, games, cells)
        logits = np.full(masks.shape, -np.inf, dtype=np.float32)
        logits[games, cells] = self.forward(patches)[1]
        return logits.argmax(axis=1)


def train(steps, rng, report=print):
    """Train a policy for *steps* steps of GAMES games each."""
    envs = MinesweeperVectorEnv(
        GAMES, "beginner", observation="grid", reward="alive", autoreset_mode="SameStep"
    )
    policy = Policy(rng)
    patch_buffer = np.zeros((BUFFER_SIZE, (2 * RADIUS + 1) ** 2), dtype=np.int8)
    survived_buffer = np.zeros(BUFFER_SIZE, dtype=np.float32)
    observations, infos = envs.reset(seed=1)
    started = reported = time.process_time()
    recorded = won = finished = 0
    for step in range(steps):
        masks = infos["action_mask"]
        actions = policy.choose(observations, masks)
        explores = rng.random(GAMES) < 0.25 * max(0.0, 1 - 8 * step / steps)
        random_actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        actions = np.where(explores, random_actions, actions)
        patches = cut_patches(observations, np.arange(GAMES), actions)
        # A first move always survives, so there is nothing to learn from it.
        learnable = (observations >= 0).any(axis=(1, 2))
        observations, rewards, ended, _, infos = envs.step(actions)
        indices = np.arange(recorded, recorded + learnable.sum()) % BUFFER_SIZE
        patch_buffer[indices], survived_buffer[indices] = patches[learnable], rewards[learnable] > 0
        recorded += int(learnable.sum())
        if recorded >= BATCH_SIZE:
            batch = rng.integers(min(recorded, BUFFER_SIZE), size=BATCH_SIZE)
            learning_rate = MIN_LEARNING_RATE + (LEARNING_RATE - MIN_LEARNING_RATE) * (
                1 - step / steps
            )
            policy.learn(augment(patch_buffer[batch], rng), survived_buffer[batch], learning_rate)
        if ended.any():
            won += int(infos["final_info"]["won"].sum())
            finished += int(ended.sum())
        now = time.process_time()
        if now - reported >= 5:
            wins = f"{won / finished:6.1%} of {finished:,} won"
            report(f"{now - started:3.0f} s, {recorded:7,} moves: {wins}")
            reported, won, finished = now, 0, 0
    return policy


def win_rate(policy, games, seed):
    """Return the share of the games from a seed on that the policy wins."""
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
    parser.add_argument("--steps", type=int, default=8000, help="steps of training")
    parser.add_argument("--games", type=int, default=2000, help="games to play after training")
    options = parser.parse_args()
    policy = train(options.steps, np.random.default_rng(1))
    rate = win_rate(policy, options.games, seed=10**6)
    print(f"{rate:.1%} of {options.games:,} new games won")


if __name__ == "__main__":
    main()
