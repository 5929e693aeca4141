"""Dealing mines, counting numbers, revealing openings, measuring layouts.

offsets, neighbours   the board: the neighbours of cell c are neighbours[offsets[c]:offsets[c + 1]]
mines                 1 where a mine lies, else 0
numbers                 mines around each cell, mine cells included
marks                 what the player sees: a number, COVERED or FLAG
state                 the random generator: xoshiro256** (Blackman and Vigna, 2018), four words,
                      seeded by SplitMix64 (Steele, Lea and Flood, 2014) as its authors advise
"""

import cython
from cython.cimports.sapper.kernels.codes import COVERED

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
    """The next 64 random bits of xoshiro256**."""
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
    """A uniform number in 0..bound-1, for 1 <= bound < 2**32 (Lemire 2019, on the high 32 bits)."""
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
    """Put *count* mines on cells drawn from *allowed* without replacement, and shuffle it so.

    A Fisher-Yates shuffle cut short: allowed[:count] ends up as the drawn cells.
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


@cython.ccall
@cython.nogil
def count_numbers(
    offsets: cython.const[cython.int][::1],
    neighbours: cython.const[cython.int][::1],
    mines: cython.const[cython.uchar][::1],
    numbers: cython.int[::1],
) -> cython.void:
    """Set numbers[c] to the number of mines around c, for every cell; *numbers* comes in as zeros."""
    c: cython.Py_ssize_t
    k: cython.int
    for c in range(mines.shape[0]):
        if mines[c]:
            for k in range(offsets[c], offsets[c + 1]):
                numbers[neighbours[k]] += 1


@cython.ccall
@cython.nogil
def reveal(
    offsets: cython.const[cython.int][::1],
    neighbours: cython.const[cython.int][::1],
    numbers: cython.const[cython.int][::1],
    start: cython.int,
    marks: cython.int[::1],
    out: cython.int[::1],
) -> cython.int:
    """Reveal *start*, a covered cell free cell, and flood from every zero; flags stay.

    Returns how many cells were revealed; out[:that] names them in the order of the flood.
    *out* needs room for every cell.
    """
    c: cython.int
    d: cython.int
    k: cython.int
    read: cython.int = 0
    count: cython.int = 1
    marks[start] = numbers[start]
    out[0] = start
    while read < count:
        c = out[read]
        read += 1
        if numbers[c]:
            continue
        for k in range(offsets[c], offsets[c + 1]):
            d = neighbours[k]
            if marks[d] == COVERED:
                marks[d] = numbers[d]
                out[count] = d
                count += 1
    return count


@cython.ccall
@cython.nogil
def label_regions(
    offsets: cython.const[cython.int][::1],
    neighbours: cython.const[cython.int][::1],
    member: cython.const[cython.uchar][::1],
    labels: cython.int[::1],
    queue: cython.int[::1],
) -> cython.int:
    """Number the connected regions of the member cells from 1; labels come in as zeros.

    Returns how many regions there are. *queue* needs room for every cell.
    """
    s: cython.Py_ssize_t
    c: cython.int
    d: cython.int
    k: cython.int
    read: cython.int
    end: cython.int
    count: cython.int = 0
    for s in range(member.shape[0]):
        if not member[s] or labels[s]:
            continue
        count += 1
        labels[s] = count
        queue[0] = cython.cast(cython.int, s)
        read = 0
        end = 1
        while read < end:
            c = queue[read]
            read += 1
            for k in range(offsets[c], offsets[c + 1]):
                d = neighbours[k]
                if member[d] and not labels[d]:
                    labels[d] = count
                    queue[end] = d
                    end += 1
    return count
