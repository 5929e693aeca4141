"""A small network over the patch of cells around a candidate: how valuable its reveal is.

slot       a place of the patch, with the candidate in the centre; cell_code has the code of each
           cell, and table[base + slot] the cell of a slot, or -1: off the board
code       what a cell looks like (cell_code of `features`). From FIRST_PROBABILITY_CODE on: two
           channels, 32 steps from one knot of probabilities to the next
rows       the first layer: first_size weights for each slot and channel, as 16-bit numbers
scale      the value of one unit of a sum of rows, a power of two
scalar     numbers about the candidate and the position, in units of 1 / 4096
image      the slots as each symmetry of the patch permutes them; the value is the mean over
           image_count of them
first_size, second_size, scalar_count
           the sizes of the two hidden layers and of the scalars

    first_layer  = ReLU(rows of all slots + scalars x from_scalars + first_bias)
    second_layer = ReLU(first_layer x middle + second_bias)
    value        = second_layer x last + scalars x skip + last_bias

Every machine finds the same value, compiled or not: all weights and inputs are whole numbers
times powers of two, both layers are truncated after 16 binary places, and so every sum and product
fits into the 53 bits of a double. Nothing is ever rounded, whatever the order.
"""

import cython
from cython.cimports.sapper.kernels.arrays import (
    ConstBytes,
    ConstDoubles,
    ConstInts,
    ConstShorts,
    Doubles,
    Ints,
)

from sapper.kernels.declarations import allocate

CHANNELS = cython.declare(cython.int, 17)
FIRST_PROBABILITY_CODE = cython.declare(cython.int, 10)
BINARY_STEPS = cython.declare(cython.double, 65536.0)


class Network:
    """Weights, and scratch memory for one thread."""

    def __init__(self, fields: dict):
        """Set the arrays and numbers of *fields*; the lengths give the sizes of the layers."""
        for name, value in fields.items():
            setattr(self, name, value)
        self.slots = len(self.image) // self.image_count
        self.first_size = len(self.first_bias)
        self.second_size = len(self.second_bias)
        self.scalar_count = len(self.skip)
        allocate(self, "sums first_layer", self.first_size)
        allocate(self, "second_layer", self.second_size)


def evaluate(
    net: Network,
    cell_code: ConstBytes,
    table: ConstInts,
    base: cython.Py_ssize_t,
    scalar: ConstShorts,
    scalar_base: cython.Py_ssize_t,
) -> cython.double:
    """Return the value of the candidate with patch table[base:] and its scalars."""
    value: cython.double = 0.0
    for k in range(net.image_count):
        _add_rows(net, net.sums, net.rows, net.first_size, cell_code, table, base, k * net.slots)
        _compute_first_layer(net, net.first_layer, net.sums, net.from_scalars, scalar, scalar_base)
        _compute_second_layer(net, net.second_layer, net.first_layer, net.middle)
        for j in range(net.second_size):
            value += net.second_layer[j] * net.last[j]
    value /= net.image_count
    for k in range(net.scalar_count):
        value += scalar[scalar_base + k] * net.skip[k]
    return value + net.last_bias


@cython.cfunc
@cython.nogil
def _add_rows(
    net: Network,
    sums: Ints,
    rows: ConstShorts,
    width: cython.int,
    cell_code: ConstBytes,
    table: ConstInts,
    base: cython.Py_ssize_t,
    image_start: cython.Py_ssize_t,
) -> cython.void:
    """Add up the rows of the codes in the slots, in units of a 32nd of a weight."""
    for j in range(width):
        sums[j] = 0
    for k in range(net.slots):
        c = table[base + net.image[image_start + k]]
        code = cell_code[c] if c >= 0 else 0
        part = 0
        if code >= FIRST_PROBABILITY_CODE:
            part = (code - FIRST_PROBABILITY_CODE) & 31
            code = FIRST_PROBABILITY_CODE + ((code - FIRST_PROBABILITY_CODE) >> 5)
        row = cython.cast(cython.Py_ssize_t, k * CHANNELS + code) * width
        if part == 0:
            for j in range(width):
                sums[j] += rows[row + j] * 32
        else:
            for j in range(width):
                sums[j] += rows[row + j] * (32 - part) + rows[row + width + j] * part


@cython.cfunc
@cython.nogil
def _compute_first_layer(
    net: Network,
    first_layer: Doubles,
    sums: Ints,
    weights: ConstDoubles,
    scalar: ConstShorts,
    base: cython.Py_ssize_t,
) -> cython.void:
    """Compute the first layer from the sums and the scalars."""
    width: cython.int = net.first_size
    scale: cython.double = net.scale
    for j in range(width):
        first_layer[j] = sums[j] * scale + net.first_bias[j]
    for k in range(net.scalar_count):
        x = scalar[base + k]
        if x == 0.0:
            continue
        row = cython.cast(cython.Py_ssize_t, k) * width
        for j in range(width):
            first_layer[j] += x * weights[row + j]
    for j in range(width):
        first_layer[j] = _truncated_relu(first_layer[j])


@cython.cfunc
@cython.nogil
def _compute_second_layer(
    net: Network, second_layer: Doubles, first_layer: Doubles, weights: ConstDoubles
) -> cython.void:
    """Compute the second layer from the first, half of which is zero."""
    width: cython.int = net.second_size
    for j in range(width):
        second_layer[j] = net.second_bias[j]
    for k in range(net.first_size):
        x = first_layer[k]
        if x == 0.0:
            continue
        row = cython.cast(cython.Py_ssize_t, k) * width
        for j in range(width):
            second_layer[j] += x * weights[row + j]
    for j in range(width):
        second_layer[j] = _truncated_relu(second_layer[j])


@cython.cfunc
@cython.inline
@cython.nogil
def _truncated_relu(x: cython.double) -> cython.double:
    """Return max(x, 0), truncated after 16 binary places."""
    return cython.cast(cython.longlong, x * BINARY_STEPS) / BINARY_STEPS if x > 0.0 else 0.0


def run(net: Network, patches: ConstBytes, scalars: ConstShorts, out: Doubles):
    """Evaluate candidates that are given by the codes of their patches and by their scalars."""
    for i in range(out.shape[0]):
        patch = patches[i * net.slots : (i + 1) * net.slots]
        # The first image is the patch as it is: slot after slot.
        out[i] = evaluate(net, patch, net.image, 0, scalars, i * net.scalar_count)
