"""Comparisons whose results do not depend on rounding errors.

The last bits of a computed number depend on the order of its operations, and in a tracked position
that order depends on the positions before. Code that chooses between cells therefore compares

- values that are sorted (scores, the inputs of networks) by `quantise`: those that round to the
  same multiple of 2**-20 are equal, and a fixed rule decides, such as the lower cell. A millionth
  of a win chance cannot be measured;
- two values, such as a probability and the least one, or a value and a limit, by `at_most`.
"""

import cython
from cython.cimports.libc.math import floor

STEPS_PER_UNIT = cython.declare(cython.double, 1048576.0)
TOLERANCE = cython.declare(cython.double, 1e-9)
# The smallest positive double, and the largest one below 1.
SMALLEST = cython.declare(cython.double, 5e-324)
LARGEST = cython.declare(cython.double, 1 - 2.0**-53)


def quantise(x: cython.double) -> cython.double:
    """Return the nearest multiple of 2**-20."""
    return floor(x * STEPS_PER_UNIT + 0.5) / STEPS_PER_UNIT


def at_most(x: cython.double, y: cython.double) -> cython.bint:
    """Return whether x <= y, where x may be greater by one part in 1e9; y is not negative."""
    return x <= y * (1.0 + TOLERANCE)


def clamp(probability: cython.double) -> cython.double:
    """Keep a probability that is not certain away from 0 and 1, however it was rounded."""
    return SMALLEST if probability < SMALLEST else LARGEST if probability > LARGEST else probability
