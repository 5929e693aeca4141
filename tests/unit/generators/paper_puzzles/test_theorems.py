"""The theorems on unique paper puzzles, by exact rank and by eigenvalues."""

import math
from itertools import product

import numpy as np
import pytest

from sapper import TILINGS, tiling
from sapper.generators.paper_puzzles.drawing import OPEN_SETS, open_cells
from sapper.generators.paper_puzzles.theorems import (
    PRIME,
    always_unique_reason,
    coefficient_matrix,
    rank_modulo,
    sweep,
    theorem_for,
)

SIDES = [(1, 1), (2, 2), (2, 5), (3, 5), (4, 7), (5, 5), (5, 7), (8, 8), (9, 10), (8, 17)]
UP_TO_30 = [(m, n) for m in range(1, 31) for n in range(m, 31)]
ALL_SIDES = pytest.mark.parametrize(
    "sides", [SIDES, pytest.param(UP_TO_30, marks=pytest.mark.slow)], ids=["some", "all"]
)


def kernel_dimension(matrix):
    """Return the dimension of the kernel, and check the rank modulo a prime."""
    rank = int(np.linalg.matrix_rank(matrix)) if matrix.size else 0
    assert not matrix.size or rank_modulo(matrix, PRIME) == rank
    return matrix.shape[1] - rank


def check_theorem_2(m, n):
    board = tiling("square", n, m)
    is_open = open_cells(board, "checkerboard")
    closed, opened = int((~is_open).sum()), int(is_open.sum())
    common = math.gcd(m + 1, n + 1)
    dimension = kernel_dimension(coefficient_matrix(board, is_open))
    assert dimension == (common - 1 + closed - opened) // 2
    assert theorem_for(board, "checkerboard")[0] == (dimension == 0)
    # With the other colour open it never works when both sides are odd.
    if m % 2 and n % 2 and m * n > 1:
        assert kernel_dimension(coefficient_matrix(board, ~is_open)) == common // 2


def check_spectrum(m, n):
    """Count the zeros among the eigenvalues 2 (cos x + cos y) of the four-neighbour matrix.

    cos(pi i / (m + 1)) + cos(pi j / (n + 1)) = 0 where the two angles add up to pi.
    """
    sums = [i * (n + 1) + j * (m + 1) for i in range(1, m + 1) for j in range(1, n + 1)]
    assert sums.count((m + 1) * (n + 1)) == math.gcd(m + 1, n + 1) - 1


def test_theorem_1_holds_exactly_when_3_does_not_divide_n_plus_1():
    for n in range(1, 61):
        board = tiling("square", n, 2)
        dimension = kernel_dimension(coefficient_matrix(board, open_cells(board, "row")))
        assert dimension == (1 if (n + 1) % 3 == 0 else 0)
        assert theorem_for(board, "row")[0] == (dimension == 0)


@ALL_SIDES
def test_theorem_2_holds_exactly_when_the_gcd_is_at_most_2(sides):
    for m, n in sides:
        check_theorem_2(m, n)


@ALL_SIDES
def test_spectrum_has_a_zero_exactly_where_the_corrected_criterion_says(sides):
    for m, n in sides:
        check_spectrum(m, n)


def test_every_second_row_follows_theorem_1_on_any_height():
    for width, height in [(4, 3), (7, 6), (8, 5), (5, 9)]:
        board = tiling("square", width, height)
        dimension = kernel_dimension(coefficient_matrix(board, open_cells(board, "row")))
        assert (dimension == 0) == theorem_for(board, "row")[0] == ((width + 1) % 3 != 0)


def test_rank_modulo_a_prime_is_the_rank_of_every_pattern():
    patterns = [name for name, entry in OPEN_SETS.items() if entry.pattern]
    for name, open_set in product(TILINGS, patterns):
        board = tiling(name, 5, 4)
        kernel_dimension(coefficient_matrix(board, open_cells(board, open_set)))


def test_pattern_of_a_tiling_is_unique_for_every_mine_set():
    sizes = [(2, 2), (3, 5), (5, 4), (9, 8), (12, 12), (20, 15)]
    kinds = [(name, size) for name in TILINGS if name != "torus" for size in sizes]
    # On a torus it is on multiples of its period.
    kinds += [("torus", size) for size in ((4, 4), (8, 6), (12, 8))]
    for name, size in kinds:
        board = tiling(name, *size)
        assert always_unique_reason(board, open_cells(board, "pattern")), (name, size)


def test_checkerboard_on_an_even_torus_is_never_unique_for_every_mine_set():
    for size in [(4, 4), (6, 8), (10, 10)]:
        board = tiling("torus", *size)
        assert always_unique_reason(board, open_cells(board, "checkerboard")) is None


def test_stripes_of_hexagons_are_solved_by_a_plain_sweep():
    for size in [(3, 3), (8, 5), (13, 21)]:
        board = tiling("hexagonal", *size)
        assert not sweep(board, open_cells(board, "pattern")).any()


def twin(m, n):
    """Return the difference of two mine sets with the same numbers: alternating zigzags.

    (-1)^i (p(i + j) - p(i - j)) has side neighbours that add up to 0 for every p; with p even and
    of period 2 g it vanishes along the lines just outside the board. Here p picks +1 and -1.
    """
    period = 2 * math.gcd(m + 1, n + 1)
    picked = (1, period - 1)
    i, j = np.arange(1, m + 1)[:, None], np.arange(1, n + 1)[None]
    signs = np.isin((i + j) % period, picked).astype(int) - np.isin((i - j) % period, picked)
    return np.where(i % 2, -1, 1) * signs


def test_boards_that_a_theorem_rejects_have_two_mine_sets_with_the_same_numbers():
    for m in range(1, 31):
        for n in range(1, 31):
            if math.gcd(m + 1, n + 1) <= 2:
                continue
            board = tiling("square", n, m)
            is_open = open_cells(board, "checkerboard")
            difference = twin(m, n).reshape(-1)
            assert set(difference.tolist()) == {-1, 0, 1}
            assert not difference[is_open].any()
            assert not (coefficient_matrix(board, is_open) @ difference[~is_open]).any()
    for n in range(2, 61, 3):
        board = tiling("square", n, 2)
        difference = np.array([(1, -1, 0)[k % 3] for k in range(n)])
        assert not (coefficient_matrix(board, open_cells(board, "row")) @ difference).any()


def test_printed_criterion_would_allow_every_size():
    # k/(m+1) - l/(n+1) = 1 or -1 has no solution with 1 <= k <= m and 1 <= l <= n.
    for m in range(1, 31):
        for n in range(1, 31):
            pairs = ((k, j) for k in range(1, m + 1) for j in range(1, n + 1))
            assert all(abs(k * (n + 1) - j * (m + 1)) < (m + 1) * (n + 1) for k, j in pairs)
