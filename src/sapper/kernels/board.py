"""Random numbers, layouts, openings, and the neighbours of every cell of a grid.

state                 of the random generator, four words: xoshiro256** (Blackman and Vigna, 2018),
                      seeded by SplitMix64 (Steele, Lea and Flood, 2014) as its authors recommend
offsets, neighbours   the board: the neighbours of cell c are neighbours[offsets[c]:offsets[c + 1]]
mines                 1 for a mine, else 0
numbers               mines around each cell, also for cells that are mines
marks                 what the user sees: a number, COVERED or FLAG
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import Bytes, ConstBytes, ConstInts, Ints, Words

# Plain Python integers do not wrap, so every step that could overflow in C is masked.
MASK = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
LOW_HALF = cython.declare(cython.ulonglong, 0xFFFFFFFF)
GAMMA = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
MIX_1 = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
MIX_2 = cython.declare(cython.ulonglong, 0x94D049BB133111EB)


def seed_state(seed: cython.ulonglong, state: Words) -> cython.void:
    """Fill *state* with the first four outputs of SplitMix64 from *seed*."""
    for i in range(4):
        seed = (seed + GAMMA) & MASK
        z = seed
        z = ((z ^ (z >> 30)) * MIX_1) & MASK
        z = ((z ^ (z >> 27)) * MIX_2) & MASK
        state[i] = z ^ (z >> 31)


def cell_key(cell: cython.ulonglong, number: cython.ulonglong) -> cython.ulonglong:
    """Return the key of a revealed cell: one step of SplitMix64 from cell and number.

    The XOR of the keys of all revealed cells is a key of the position.
    """
    z: cython.ulonglong = (((cell << 20) + number + 1) * GAMMA) & MASK
    z = ((z ^ (z >> 30)) * MIX_1) & MASK
    z = ((z ^ (z >> 27)) * MIX_2) & MASK
    return z ^ (z >> 31)


def next_random(state: Words) -> cython.ulonglong:
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


def random_below(state: Words, bound: cython.ulonglong) -> cython.ulonglong:
    """Return a uniform number in 0..bound-1, for 1 <= bound < 2**32.

    Lemire (2019), on the high 32 bits.
    """
    product: cython.ulonglong = (next_random(state) >> 32) * bound
    if (product & LOW_HALF) < bound:
        threshold: cython.ulonglong = (LOW_HALF + 1 - bound) % bound
        while (product & LOW_HALF) < threshold:
            product = (next_random(state) >> 32) * bound
    return product >> 32


def place_mines(state: Words, allowed: Ints, count: cython.int, mines: Bytes) -> cython.void:
    """Put *count* mines on cells drawn from *allowed* without replacement.

    A partial Fisher-Yates shuffle: allowed[:count] are the drawn cells afterwards.
    """
    size: cython.int = cython.cast(cython.int, allowed.shape[0])
    for i in range(count):
        j = i + cython.cast(cython.int, random_below(state, size - i))
        cell = allowed[j]
        allowed[j] = allowed[i]
        allowed[i] = cell
        mines[cell] = 1


def count_numbers(
    offsets: ConstInts, neighbours: ConstInts, mines: ConstBytes, numbers: Ints
) -> cython.void:
    """Set numbers[c] to the number of mines around c, for every cell.

    *numbers* must be all zeros.
    """
    for c in range(mines.shape[0]):
        if mines[c]:
            for k in range(offsets[c], offsets[c + 1]):
                numbers[neighbours[k]] += 1


@cython.ccall
@cython.nogil
def reveal(
    offsets: ConstInts,
    neighbours: ConstInts,
    numbers: ConstInts,
    start: cython.int,
    marks: Ints,
    out: Ints,
) -> cython.int:
    """Reveal *start*, a covered safe cell, and flood from every zero; flags stay.

    Return the number of revealed cells; out[:number] are these cells in the order of the flood.
    *out* needs space for every cell.
    """
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
            if marks[d] == codes.COVERED:
                marks[d] = numbers[d]
                out[count] = d
                count += 1
    return count


@cython.ccall
@cython.nogil
def label_regions(
    offsets: ConstInts, neighbours: ConstInts, member: ConstBytes, labels: Ints, queue: Ints
) -> cython.int:
    """Label the connected regions of the member cells with 1, 2, ...; return their number.

    *labels* must be all zeros; *queue* needs space for every cell.
    """
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


@cython.ccall
@cython.nogil
@cython.locals(r=cython.int, c=cython.int)
def connect_cells(
    width: cython.int,
    height: cython.int,
    wraps: cython.bint,
    row_matters: cython.bint,
    column_matters: cython.bint,
    steps: cython.int[:, :, ::1],
    offsets: Ints,
    neighbours: Ints,
) -> cython.int:
    """Fill *offsets* and *neighbours*, the neighbours of each cell ascending; return their number.

    steps[p] lists (rows, columns) in reading order for cells of parity p; the parity is that of
    the row if row_matters, of the column if column_matters, and of their sum if both are set.
    *neighbours* needs space for steps.shape[1] entries per cell.
    """
    cell: cython.int = 0
    count: cython.int = 0
    for row in range(height):
        for column in range(width):
            parity = (row_matters * row + column_matters * column) & 1
            start = count
            for k in range(steps.shape[1]):
                r = row + steps[parity, k, 0]
                c = column + steps[parity, k, 1]
                if wraps:
                    r = (r + height) % height
                    c = (c + width) % width
                elif r < 0 or r >= height or c < 0 or c >= width:
                    continue
                neighbour = r * width + c
                # Only wrapped neighbours come out of order; an insertion keeps them sorted.
                j = count
                while j > start and neighbours[j - 1] > neighbour:
                    neighbours[j] = neighbours[j - 1]
                    j -= 1
                neighbours[j] = neighbour
                count += 1
            cell += 1
            offsets[cell] = count
    return count
