"""The inputs and values of the network of `learned` against definitions in fractions."""

import random

import numpy as np
import pytest

from sapper.engine.budget import Budget
from sapper.kernels import view
from sapper.kernels.codes import SCALARS
from sapper.kernels.players import network
from sapper.kernels.players.features import CODES
from sapper.players.guessers import choose
from sapper.players.learned import LearnedSettings, make_learned_state, make_network
from sapper.players.networks import random_weights
from sapper.players.patches import patch_of, patch_table
from tests.oracle.naive_learned import NaiveFeatures, value
from tests.oracle.test_thoughtful import stuck_positions

NO_END_GAME = LearnedSettings(end_game=0)


@pytest.mark.plain
@pytest.mark.parametrize(("first", "second"), [(5, 3), (16, 8)])
def test_a_value_is_exactly_that_of_fractions(first, second):
    weights = random_weights("square", 81, first, second, seed=first)
    rng = np.random.default_rng(7)
    patches = rng.integers(0, CODES, (3, 81), dtype=np.uint8)
    scalars = rng.integers(-32767, 32768, (3, weights.scalars)).astype(np.int16)
    found = np.zeros(3)
    network.run(
        make_network(weights), view(patches.reshape(-1)), view(scalars.reshape(-1)), view(found)
    )
    for patch, row, one in zip(patches, scalars, found.tolist(), strict=True):
        assert one == value(weights, patch, row)


def test_a_mean_over_symmetries_is_the_same_for_every_image_of_a_patch():
    weights, patch = random_weights("square", 81, 8, 4, seed=3), patch_of("square")
    net = make_network(weights, images=8)
    codes = np.random.default_rng(1).integers(0, CODES, 81, dtype=np.uint8)
    images = np.ascontiguousarray(codes[patch.symmetries]).reshape(-1)
    found = np.zeros(8)
    network.run(net, view(images), view(np.zeros(8 * weights.scalars, np.int16)), view(found))
    assert len(set(found.tolist())) == 1
    plain = [value(weights, codes[turn], [0] * weights.scalars) for turn in patch.symmetries]
    assert found[0] == sum(plain) / 8


@pytest.mark.plain
def test_codes_candidates_and_scalars_are_those_of_the_definition():
    for position in stuck_positions("square", 20, "features"):
        learned_state = make_learned_state(
            position.board, random_weights("square", 81, 4, 4, 1), NO_END_GAME
        )
        assert choose(learned_state, position.marks, position.mines, False, Budget().start()) == 0
        features, naive = learned_state.values.features, NaiveFeatures(position)
        for cell in naive.cells:
            # A step between two knots may be rounded either way.
            near = cell in naive.unknown and cell in naive.seen
            assert abs(features.plane[cell] - naive.code(cell)) <= near
        count = features.count
        assert [features.candidate[i] for i in range(count)] == naive.candidates(32, 0.85)
        for i in range(count):
            cell = features.candidate[i]
            for k, wanted in naive.scalars(cell, i).items():
                assert abs(features.scalar[i * SCALARS + k] - 4096 * wanted) <= 1, (
                    position,
                    cell,
                    k,
                )
            slots = [naive.code(c) for c in naive.around(cell)]
            seen = [0 if c < 0 else features.plane[c] for c in patch_table(position.board)[cell]]
            assert np.abs(np.subtract(slots, seen)).max() <= 1


@pytest.mark.parametrize("tiling", ["torus", "hexagonal", "triangular", "triangular-edge"])
def test_a_patch_holds_the_cells_within_some_steps_on_every_tiling(tiling):
    import sapper
    from sapper.players.patches import STEPS

    board = sapper.tiling(tiling, 12, 12)
    table = patch_table(board)
    for cell in random.Random(tiling).sample(range(144), 12):
        near = {cell}
        for _ in range(STEPS[tiling]):
            near |= {int(c) for one in near for c in board.around(one)}
        inside = [c for c in table[cell].tolist() if c >= 0]
        assert len(inside) == len(set(inside))
        assert set(inside) <= near
        # Near a side a way round may leave the board; in the middle nothing is missing.
        if len(inside) == table.shape[1]:
            assert set(inside) == near
    assert (table >= 0).all(axis=1).any()
