"""Comparisons that rounding errors cannot decide.

The last bits of a computed number depend on the order of its operations, and in a tracked position
that order depends on the positions before. Whatever chooses between cells therefore compares

- numbers in an order (scores, values, the inputs of networks) by `quantise`: what rounds to the
  same multiple of 2**-20 is equal, and a fixed rule decides, such as the lower cell. No measurement
  could show a millionth of a win chance;
- two numbers, such as a probability with the least one, or a number with a limit, by `at_most`.
"""

import cython
from cython.cimports.libc.math import floor

STEPS = cython.declare(cython.double, 1048576.0)
TIE = cython.declare(cython.double, 1e-9)
LEAST = cython.declare(cython.double, 5e-324)
MOST = cython.declare(cython.double, 1 - 2.0**-53)


def quantise(x: cython.double) -> cython.double:
    """Return the nearest multiple of 2**-20."""
    return floor(x * STEPS + 0.5) / STEPS


def at_most(x: cython.double, y: cython.double) -> cython.bint:
    """Return whether x <= y, where x may be greater by one part in 1e9; y is not negative."""
    return x <= y * (1.0 + TIE)


def clamp(probability: cython.double) -> cython.double:
    """Keep a probability that is not certain away from 0 and 1, however it was rounded."""
    return LEAST if probability < LEAST else MOST if probability > MOST else probability
