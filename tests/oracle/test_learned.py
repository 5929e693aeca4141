"""The inputs and values of the network of `learned` against definitions in fractions."""

import random

import numpy as np
import pytest
from training.weights import random_weights

from sapper import Budget, tiling
from sapper.kernels import view
from sapper.kernels.codes import SCALARS
from sapper.kernels.players import network
from sapper.kernels.players.features import CODE_COUNT
from sapper.players.learned import LearnedSettings, make_learned_state, make_network
from sapper.players.networks import STEPS, patch_of, patch_table
from sapper.players.player import run_guesser
from tests.oracle.naive import distances
from tests.oracle.naive_learned import NaiveFeatures, value
from tests.random_positions import positions_without_safe_cells


@pytest.mark.plain
@pytest.mark.parametrize(("first", "second"), [(5, 3), (16, 8)])
def test_network_values_are_exact(first, second):
    weights = random_weights("square", 81, first, second, seed=first)
    rng = np.random.default_rng(7)
    patches = rng.integers(0, CODE_COUNT, (3, 81), dtype=np.uint8)
    scalars = rng.integers(-32767, 32768, (3, weights.scalars)).astype(np.int16)
    values = np.zeros(3)
    inputs = view(patches.reshape(-1)), view(scalars.reshape(-1))
    network.run(make_network(weights), *inputs, view(values))
    assert values.tolist() == [
        value(weights, patch, row) for patch, row in zip(patches, scalars, strict=True)
    ]


def test_mean_over_symmetries_is_the_same_for_every_image_of_a_patch():
    weights, patch = random_weights("square", 81, 8, 4, seed=3), patch_of("square")
    codes = np.random.default_rng(1).integers(0, CODE_COUNT, 81, dtype=np.uint8)
    images = np.ascontiguousarray(codes[patch.symmetries]).reshape(-1)
    scalars, values = np.zeros(8 * weights.scalars, np.int16), np.zeros(8)
    network.run(make_network(weights, images=8), view(images), view(scalars), view(values))
    exact = [value(weights, codes[turn], [0] * weights.scalars) for turn in patch.symmetries]
    assert values.tolist() == [sum(exact) / 8] * 8


@pytest.mark.plain
def test_codes_candidates_and_scalars_are_those_of_the_definition():
    settings, weights = LearnedSettings(end_game=0), random_weights("square", 81, 4, 4, 1)
    for position in positions_without_safe_cells("square", 20, "features"):
        state = make_learned_state(position.board, weights, settings)
        assert run_guesser(state, position.marks, position.mines, False, Budget().start()) == 0
        features, naive = state.values.features, NaiveFeatures(position)
        for cell in naive.cells:
            # A probability between two knots may be rounded either way.
            rounded = cell in naive.uncertain & naive.frontier
            assert abs(features.cell_code[cell] - naive.code(cell)) <= rounded
        candidates = [features.candidate[i] for i in range(features.count)]
        assert candidates == naive.candidates(32, 0.85)
        for i, cell in enumerate(candidates):
            for k, expected in naive.scalars(cell, i).items():
                scalar = features.scalar[i * SCALARS + k]
                assert abs(scalar - 4096 * expected) <= 1, (position, cell, k)
            expected = [naive.code(c) for c in naive.around(cell)]
            codes = [
                0 if c < 0 else features.cell_code[c] for c in patch_table(position.board)[cell]
            ]
            assert np.abs(np.subtract(expected, codes)).max() <= 1


@pytest.mark.parametrize("name", STEPS)
def test_patch_has_the_cells_within_its_number_of_steps(name):
    board = tiling(name, 12, 12)
    table = patch_table(board)
    for cell in random.Random(name).sample(board.cells, 12):
        near = {c for c, steps in distances(board, cell).items() if steps <= STEPS[name]}
        inside = [c for c in table[cell].tolist() if c >= 0]
        assert len(inside) == len(set(inside))
        assert set(inside) <= near
        # Near an edge a path of these steps may leave the board; elsewhere no cell is missing.
        if len(inside) == table.shape[1]:
            assert set(inside) == near
    assert (table >= 0).all(axis=1).any()
