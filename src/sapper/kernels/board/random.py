"""Random numbers: xoshiro256** (Blackman and Vigna, 2018).

*state* is four words, seeded by SplitMix64 (Steele, Lea and Flood, 2014) as its authors recommend.
"""

import cython

# Plain Python integers do not wrap, so every step that could overflow in C is masked.
MASK = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
LOW = cython.declare(cython.ulonglong, 0xFFFFFFFF)
GAMMA = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
MIX_1 = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX_2 = cython.declare(cython.ulonglong, 0x94D049BB133111EB)


@cython.ccall
@cython.nogil
def seed_state(seed: cython.ulonglong, state: cython.ulonglong[::1]) -> cython.void:
    """Fill *state* with the first four outputs of SplitMix64 from *seed*."""
    i: cython.int
    z: cython.ulonglong
    for i in range(4):
        seed = (seed + GAMMA) & MASK
        z = seed
        z = ((z ^ (z >> 30)) * MIX_1) & MASK
        z = ((z ^ (z >> 27)) * MIX_2) & MASK
        state[i] = z ^ (z >> 31)


@cython.ccall
@cython.nogil
def next_random(state: cython.ulonglong[::1]) -> cython.ulonglong:
    """Return the next 64 random bits."""
    s1: cython.ulonglong = state[1]
    x: cython.ulonglong = (s1 * 5) & MASK
    x = ((((x << 7) & MASK) | (x >> 57)) * 9) & MASK
    t: cython.ulonglong = (s1 << 17) & MASK
    state[2] ^= state[0]
    state[3] ^= s1
    state[1] = s1 ^ state[2]
    state[0] ^= state[3]
    state[2] ^= t
    s3: cython.ulonglong = state[3]
    state[3] = ((s3 << 45) & MASK) | (s3 >> 19)
    return x


@cython.ccall
@cython.nogil
def random_below(state: cython.ulonglong[::1], bound: cython.ulonglong) -> cython.ulonglong:
    """Return a uniform number in 0..bound-1, for 1 <= bound < 2**32.

    Lemire (2019), on the high 32 bits.
    """
    product: cython.ulonglong = (next_random(state) >> 32) * bound
    if (product & LOW) < bound:
        threshold: cython.ulonglong = (LOW + 1 - bound) % bound
        while (product & LOW) < threshold:
            product = (next_random(state) >> 32) * bound
    return product >> 32


@cython.ccall
@cython.nogil
def place_mines(
    state: cython.ulonglong[::1],
    allowed: cython.int[::1],
    count: cython.int,
    mines: cython.uchar[::1],
) -> cython.void:
    """Put *count* mines on cells drawn from *allowed* without replacement.

    A partial Fisher-Yates shuffle: allowed[:count] are the drawn cells afterwards.
    """
    i: cython.int
    j: cython.int
    size: cython.int = cython.cast(cython.int, allowed.shape[0])
    cell: cython.int
    for i in range(count):
        j = i + cython.cast(cython.int, random_below(state, size - i))
        cell = allowed[j]
        allowed[j] = allowed[i]
        allowed[i] = cell
        mines[cell] = 1
