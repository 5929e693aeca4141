"""Fifty-fifties: cells that no number can ever tell apart.

A *shape* is two sets of cells, P and Q, of one cell each (a pair) or of two (a square): either P
holds the mines and Q is safe, or the other way round. Its *enablers* are the other cells that see
more of P than of Q, or fewer. If all are mines, no number distinguishes P and Q: whatever is
revealed elsewhere, both ways stay equally likely, and the user has to guess.
On the square board pairs side by side have three enablers beyond each end, and squares of four
cells have the four cells at their outer corners; other tilings and graphs have shapes of their own.

cell           the cells of shape i at 4 * i: P in the first two places, Q in the others, -1: none
enabler        its enablers: enabler[enabler_start[i]:enabler_start[i + 1]]
member_shape   the shapes that a cell is in: member_shape[member_start[c]:member_start[c + 1]]
enabled_shape  the shapes that a cell enables, likewise
chance         the chance that it is a fifty-fifty with P mined (and as great with Q mined);
               0 if an enabler is safe or too many are unknown
unknown        how many enablers are unknown; last_unknown: one of them
"""

import cython
import numpy as np
from cython.cimports.libc.math import exp
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import ConstBytes, ConstInts, Ints
from cython.cimports.sapper.kernels.ties import at_most
from cython.cimports.sapper.kernels.tracked.marks import set_mark
from cython.cimports.sapper.kernels.tracked.queries import answer, restore_state, save_state
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition

from sapper.kernels import view
from sapper.kernels.declarations import allocate

# Cells with more neighbours are in no shape; no tiling has as many.
MAX_NEIGHBOURS = 16
# The maximum number of enablers of a shape; more are never all mines in practice.
MAX_PAIR_ENABLERS = 8
MAX_SQUARE_ENABLERS = 6


class FiftyFiftyShapes:
    """The shapes of one board and their chances in the current position."""

    def __init__(self, offsets: ConstInts, neighbours: ConstInts, max_unknown: cython.int):
        """Find all shapes; with more than *max_unknown* unknown enablers its chance is 0."""
        n = len(offsets) - 1
        capacity = 4 * n + 64
        count = -1
        while count < 0:
            cells = np.empty(4 * capacity, np.int32)
            starts = np.empty(capacity + 1, np.int32)
            enablers = np.empty(MAX_PAIR_ENABLERS * capacity, np.int32)
            count = find_fifty_fifties(
                offsets,
                neighbours,
                MAX_NEIGHBOURS,
                MAX_PAIR_ENABLERS,
                MAX_SQUARE_ENABLERS,
                view(np.zeros(n, np.int32)),
                view(np.full(n, -1, np.int32)),
                view(np.empty(4, np.int32)),
                view(cells),
                view(starts),
                view(enablers),
            )
            capacity *= 2
        self.count = count
        self.max_unknown = max_unknown
        members, starts = cells[: 4 * count], starts[: count + 1].copy()
        enablers = enablers[: starts[count]]
        self.cell = view(np.append(members, -1).astype(np.int32))
        self.enabler_start = view(starts)
        self.enabler = view(np.append(enablers, -1).astype(np.int32))
        shapes = np.arange(count, dtype=np.int32)
        self.enabled_start, self.enabled_shape = _by_cell(
            enablers, np.repeat(shapes, np.diff(starts)), n
        )
        is_cell = members >= 0
        self.member_start, self.member_shape = _by_cell(
            members[is_cell], np.repeat(shapes, 4)[is_cell], n
        )
        allocate(self, "unknown last_unknown chance", count + 1)


def _by_cell(cells, owner, n):
    """Return the owners of each of n cells, as starts and a list."""
    order = np.argsort(cells, kind="stable")
    starts = np.zeros(n + 1, dtype=np.int32)
    np.cumsum(np.bincount(cells, minlength=n), out=starts[1:])
    return view(starts), view(np.append(owner[order], 0).astype(np.int32))


@cython.cfunc
@cython.nogil
def _tally(
    offsets: ConstInts, neighbours: ConstInts, c: cython.int, by: cython.int, tally: Ints
) -> cython.void:
    """Add *by* to the tally of every cell that sees c."""
    for k in range(offsets[c], offsets[c + 1]):
        tally[neighbours[k]] += by


@cython.cfunc
@cython.nogil
def _write_shape(
    offsets: ConstInts,
    neighbours: ConstInts,
    four: Ints,
    most: cython.int,
    tally: Ints,
    at: cython.int,
    cells: Ints,
    starts: Ints,
    enablers: Ints,
) -> cython.int:
    """Write the shape of four cells at index *at*, unless it has more than *most* enablers.

    Return the number of shapes then, or -1 if an array is full.
    """
    end: cython.int = starts[at]
    fits: cython.bint = True
    if 4 * at + 4 > cells.shape[0] or end + most + 1 > enablers.shape[0]:
        return -1
    for i in range(4):
        if four[i] >= 0:
            _tally(offsets, neighbours, four[i], 1 if i < 2 else -1, tally)
    for i in range(4):
        if four[i] >= 0:
            tally[four[i]] = 0
    for i in range(4):
        c = four[i]
        if c < 0:
            continue
        for k in range(offsets[c], offsets[c + 1]):
            d = neighbours[k]
            if tally[d]:
                tally[d] = 0
                for j in range(4):
                    if four[j] == d:
                        break
                else:
                    if end - starts[at] == most:
                        fits = False
                    else:
                        enablers[end] = d
                        end += 1
    if not fits:
        return at
    for i in range(4):
        cells[4 * at + i] = four[i]
    starts[at + 1] = end
    return at + 1


def find_fifty_fifties(
    offsets: ConstInts,
    neighbours: ConstInts,
    max_neighbours: cython.int,
    max_pair_enablers: cython.int,
    max_square_enablers: cython.int,
    tally: Ints,
    seen: Ints,
    four: Ints,
    cells: Ints,
    starts: Ints,
    enablers: Ints,
):
    """Write all pairs and squares with few enablers; return how many, or -1 if an array is full.

    A cell with more than *max_neighbours* neighbours is in no shape and connects no other cells: on
    a board of n cells that are all neighbours the work would grow as n to the sixth.
    *tally* and *seen* are scratch for each cell (0 and -1 before), *four* for one shape.
    """
    count: cython.int = 0
    starts[0] = 0
    for a in range(offsets.shape[0] - 1):
        if offsets[a + 1] - offsets[a] > max_neighbours:
            continue
        four[0] = a
        four[1] = -1
        four[3] = -1
        # Cells two steps away, each once; farther ones share no cell that sees both.
        for i in range(offsets[a], offsets[a + 1]):
            c = neighbours[i]
            if offsets[c + 1] - offsets[c] > max_neighbours:
                continue
            for j in range(offsets[c], offsets[c + 1] + 1):
                b = c if j == offsets[c + 1] else neighbours[j]
                if b <= a or seen[b] == a or offsets[b + 1] - offsets[b] > max_neighbours:
                    continue
                seen[b] = a
                four[2] = b
                count = _write_shape(
                    offsets,
                    neighbours,
                    four,
                    max_pair_enablers,
                    tally,
                    count,
                    cells,
                    starts,
                    enablers,
                )
                if count < 0:
                    return count
        for i in range(offsets[a], offsets[a + 1]):
            b = neighbours[i]
            if b < a or offsets[b + 1] - offsets[b] > max_neighbours:
                continue
            for j in range(i + 1, offsets[a + 1]):
                c = neighbours[j]
                if offsets[c + 1] - offsets[c] > max_neighbours:
                    continue
                for k in range(offsets[b], offsets[b + 1]):
                    d = neighbours[k]
                    if d <= a or d == c or offsets[d + 1] - offsets[d] > max_neighbours:
                        continue
                    for m in range(offsets[c], offsets[c + 1]):
                        if neighbours[m] == d:
                            four[1] = d
                            four[2] = b
                            four[3] = c
                            count = _write_shape(
                                offsets,
                                neighbours,
                                four,
                                max_square_enablers,
                                tally,
                                count,
                                cells,
                                starts,
                                enablers,
                            )
                            if count < 0:
                                return count
                            break
    return count


@cython.cfunc
@cython.nogil
def _fits(s: FiftyFiftyShapes, i: cython.int, known: ConstBytes) -> cython.bint:
    """Return whether shape i is still possible with few enough unknown enablers; count these."""
    unknown: cython.int = 0
    for j in range(4 * i, 4 * i + 4):
        if s.cell[j] >= 0 and known[s.cell[j]] != codes.UNKNOWN:
            return False
    for j in range(s.enabler_start[i], s.enabler_start[i + 1]):
        c = s.enabler[j]
        if known[c] == codes.UNKNOWN:
            unknown += 1
            s.last_unknown[i] = c
            if unknown > s.max_unknown:
                return False
        elif known[c] != codes.MINE:
            return False
    s.unknown[i] = unknown
    return True


def compute_chances(s: FiftyFiftyShapes, p: TrackedPosition, known: ConstBytes) -> cython.int:
    """Compute the chance of every shape by what-ifs; p has no answer afterwards.

    Return OK, or a status of the engine from GROW on.
    """
    ln_solutions: cython.double = p.ln_solutions
    for i in range(s.count):
        s.chance[i] = 0.0
        if not _fits(s, i, known):
            continue
        save_state(p)
        status = codes.OK
        for j in range(s.enabler_start[i], s.enabler_start[i + 1]):
            c = s.enabler[j]
            if status == codes.OK and known[c] == codes.UNKNOWN:
                status = set_mark(p, c, codes.FLAG)
        for j in range(4):
            c = s.cell[4 * i + j]
            if status == codes.OK and c >= 0:
                status = set_mark(p, c, codes.FLAG if j < 2 else codes.KNOWN_SAFE)
        if status == codes.OK:
            status = answer(p)
        if status == codes.OK:
            s.chance[i] = exp(p.ln_solutions - ln_solutions)
        restore_state(p)
        if status >= codes.GROW:
            return status
    return codes.OK


def influence_of(
    s: FiftyFiftyShapes, c: cython.int, min_chance: cython.double, mark: Ints
) -> cython.double:
    """Return the chance that revealing c settles a 50/50, as one of its cells or an enabler.

    Pairs that exclude each other count once, by the greatest: the partner of one is an enabler
    of the other, as on the two sides of a cell. Of squares the greatest counts. A shape that lacks
    only c as its enabler counts if its chance is above *min_chance*. *mark* is scratch, all zeros.
    """
    best_partner: cython.int = -1
    total: cython.double = 0.0
    square: cython.double = 0.0
    while True:
        best = -1
        for k in range(s.member_start[c], s.member_start[c + 1]):
            i = s.member_shape[k]
            if s.cell[4 * i + 1] >= 0:
                if s.chance[i] > square:
                    square = s.chance[i]
                continue
            partner = s.cell[4 * i] + s.cell[4 * i + 2] - c
            if s.chance[i] > 0.0 and not mark[partner]:
                # Equal ones, to rounding, in the order of the partners.
                if (
                    best < 0
                    or not at_most(s.chance[i], s.chance[best])
                    or (at_most(s.chance[best], s.chance[i]) and partner < best_partner)
                ):
                    best = i
                    best_partner = partner
        if best < 0:
            break
        total += s.chance[best]
        mark[best_partner] = 1
        for j in range(s.enabler_start[best], s.enabler_start[best + 1]):
            mark[s.enabler[j]] = 1
    for k in range(s.member_start[c], s.member_start[c + 1]):
        i = s.member_shape[k]
        for j in range(s.enabler_start[i], s.enabler_start[i + 1]):
            mark[s.enabler[j]] = 0
        for j in range(4):
            if s.cell[4 * i + j] >= 0:
                mark[s.cell[4 * i + j]] = 0
    for k in range(s.enabled_start[c], s.enabled_start[c + 1]):
        i = s.enabled_shape[k]
        if s.unknown[i] == 1 and s.last_unknown[i] == c and not at_most(s.chance[i], min_chance):
            total += s.chance[i]
    return total + square


def forced_guess_chance(s: FiftyFiftyShapes, c: cython.int) -> cython.double:
    """Return the greatest chance of a shape of c with at most one unknown enabler."""
    most: cython.double = 0.0
    for k in range(s.member_start[c], s.member_start[c + 1]):
        i = s.member_shape[k]
        if s.unknown[i] <= 1 and s.chance[i] > most:
            most = s.chance[i]
    return most
