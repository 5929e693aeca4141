"""Perfect play over a list of solutions: the largest number of them that a strategy wins.

A position is a set of solutions. Revealing a cell loses those in which it is a mine and divides
the others by the number that it shows, so

    wins(set) = the maximum over cells of the sum over numbers of wins(the part with that number)

The value of a set does not depend on what was revealed before. Three facts keep the search small;
`sapper.players.endgame` proves them. A cell that is safe in the whole set and may show several
numbers costs nothing: it comes first. A cell is *living* if it may show several numbers; while
there is one, no others are tried. Without one, exactly one solution can be won.

row        a solution; column: a covered cell
shown      shown[column * capacity + row]: which of its numbers the column shows, or SHOWS_MINE
seen       the same as a bit, or MINE_SEEN, at row * stride + column
word       a random word for each row; a set's key is the XOR of the words of its rows.
           Where the board has symmetries, a row has a word for each of its images, and the key is
           the least of the XORs: sets that are images of each other are searched once
order      the rows; a set is a slice of it, and dividing a set only reorders its slice
level      one set on the path from the root: first and stop of its slice, its key,
           floor (an answer not above it need not be exact), best and best_column (so far),
           bound (an upper bound of the columns that were abandoned), column (being tried),
           child (being searched), total (won in the children, or at most won where unknown),
           forced (a column that costs nothing: the only one to try);
           its living columns with safe (rows in which the column is safe; negative once tried),
           and its children by number: child_stop, child_value, child_exact, child_key
memo       sets that were searched: key, size, value (negative: only a bound), age (of the
           solutions that it belongs to)

e is the search. It has its own stack, so that it can pause and continue: that makes the file long.
"""

from typing import Any

import cython
import numpy as np
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import Ints, Words

from sapper.kernels import view
from sapper.kernels.declarations import allocate

# A row's bits for a column: one of fifteen numbers, or a mine.
MAX_VALUES = 15
MINE_SEEN = cython.declare(cython.int, 1 << 15)
VALUE_BITS = cython.declare(cython.int, (1 << 15) - 1)


# Arrays with an item for each level, each number of a level, and each entry of the memo.
_LEVELS = "first stop floor best best_column bound column child total forced living_count key"
_CHILDREN = "child_stop child_value child_exact child_key"
_MEMO = "memo_key memo_size memo_value memo_age"


class EndGameSearch:
    """A list of solutions, and the memory of a search over it."""

    def __init__(self, columns: int, rows: int, memo: int) -> None:
        """Allocate the arrays; *memo* is a power of two."""
        levels = columns + 2
        stride = -(-columns // 8) * 8
        for names, size in (
            (_LEVELS, levels),
            ("living safe", levels * columns),
            (_CHILDREN, levels * MAX_VALUES),
            ("order spare part_of_row", rows),
            (_MEMO, memo),
            ("counts", MAX_VALUES + 1),
            ("shown", rows * columns),
            ("seen", rows * stride),
            ("any_seen mine_counts", stride),
        ):
            allocate(self, names, max(1, size))
        self.use_words(random_words(rows), 1)
        self.capacity = rows
        self.memo_capacity = memo
        self.age = 0
        self.columns = self.value_count = self.rows = self.stride = 0
        restart(self)

    def use_words(self, words: object, images: int) -> None:
        """Use these words as keys: for each row, one for each of its images."""
        self.word = view(words)
        allocate(self, "image", images)
        self.images = images

    def grow_memo(self) -> None:
        """Make the memo four times as large; its entries are kept."""
        old = [np.asarray(getattr(self, name)) for name in _MEMO.split()]
        self.memo_capacity *= 4
        allocate(self, _MEMO, self.memo_capacity)
        known = old[3] == self.age
        keys, sizes, values = (view(np.ascontiguousarray(array[known])) for array in old[:3])
        self.memo_count = 0
        store_all(self, keys, sizes, values)


def restart(e: EndGameSearch) -> cython.void:
    """Invalidate the memo and end the search: the solutions change."""
    e.age += 1
    e.memo_count = 0
    e.depth = 0
    e.nodes = 0
    e.work = 0


def random_words(count: int) -> Any:
    """Return the first *count* outputs of SplitMix64 from 0."""
    return mix(np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))


def mix(z: Any) -> Any:
    """Mix an array with the last step of SplitMix64, so that similar words differ."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def store_all(e: EndGameSearch, keys: Words, sizes: Ints, values: Ints):
    """Write sets into a new memo."""
    for i in range(keys.shape[0]):
        value = values[i]
        _store(e, keys[i], sizes[i], value if value > 0 else -value, value > 0)


def index_values(e: EndGameSearch) -> cython.bint:
    """Index the values that each column shows in the rows; return whether fifteen bits suffice.

    A column starts with the number of mines around it, up to SHOWS_MINE - 1. Few of these numbers
    occur, so that the fifteen bits of *seen* nearly always suffice, even on graphs.
    """
    one: cython.ulonglong = 1
    e.stride = (e.columns + 7) // 8 * 8
    e.value_count = 1
    for j in range(e.columns, e.stride):
        for i in range(e.rows):
            e.seen[cython.cast(cython.Py_ssize_t, i) * e.stride + j] = 0
    for j in range(e.columns):
        occurs = 0
        start = cython.cast(cython.Py_ssize_t, j) * e.capacity
        for i in range(e.rows):
            if e.shown[start + i] != codes.SHOWS_MINE:
                occurs |= one << e.shown[start + i]
        if _count_bits(occurs) > e.value_count:
            e.value_count = _count_bits(occurs)
            if e.value_count > 15:
                return False
        for i in range(e.rows):
            k = e.shown[start + i]
            if k != codes.SHOWS_MINE:
                k = _count_bits(occurs & ((one << k) - 1))
                e.shown[start + i] = k
                k = 1 << k
            else:
                k = MINE_SEEN
            e.seen[cython.cast(cython.Py_ssize_t, i) * e.stride + j] = k
    return True


@cython.cfunc
@cython.nogil
def _find(e: EndGameSearch, key: cython.ulonglong, size: cython.int) -> cython.int:
    """Return the index of a set in the memo, or of the empty entry where it belongs."""
    mask: cython.ulonglong = e.memo_capacity - 1
    i: cython.int = cython.cast(cython.int, key & mask)
    while e.memo_age[i] == e.age:
        if e.memo_key[i] == key and e.memo_size[i] == size:
            break
        i = cython.cast(cython.int, (i + 1) & mask)
    return i


@cython.cfunc
@cython.nogil
def _store(
    e: EndGameSearch, key: cython.ulonglong, size: cython.int, value: cython.int, exact: cython.int
) -> cython.void:
    """Write the value of a set, or a bound, into the memo."""
    i: cython.int = _find(e, key, size)
    if e.memo_age[i] != e.age:
        e.memo_age[i] = e.age
        e.memo_key[i] = key
        e.memo_size[i] = size
        e.memo_count += 1
    e.memo_value[i] = value if exact else -value


def set_root(
    e: EndGameSearch, first: cython.int, stop: cython.int, floor: cython.int
) -> cython.void:
    """Make order[first:stop] the root; `search` then finds e.answer.

    It is exact if it is above *floor*; otherwise the value is not above *floor* either.
    e.searched says whether there is anything to search, and so a best column at level 1.
    """
    for i in range(e.columns):
        e.living[i] = i
    # The root takes its living columns from those of level 0, which stand for all.
    e.living_count[0] = e.columns
    e.depth = 0
    e.searched = _push_set(e, first, stop, floor, _key_of(e, first, stop))


@cython.cfunc
@cython.nogil
def _key_of(e: EndGameSearch, first: cython.int, stop: cython.int) -> cython.ulonglong:
    """Return the key of order[first:stop]."""
    key: cython.ulonglong = 0
    if e.images == 1:
        for i in range(first, stop):
            key ^= e.word[e.order[i]]
        return key
    for j in range(e.images):
        e.image[j] = 0
    for i in range(first, stop):
        row = cython.cast(cython.Py_ssize_t, e.order[i]) * e.images
        for j in range(e.images):
            e.image[j] ^= e.word[row + j]
    key = e.image[0]
    for j in range(1, e.images):
        if e.image[j] < key:
            key = e.image[j]
    return key


@cython.cfunc
@cython.nogil
def _push_set(
    e: EndGameSearch, first: cython.int, stop: cython.int, floor: cython.int, key: cython.ulonglong
) -> cython.bint:
    """Put a set on the path unless its answer is known; return whether it was put there.

    Where it was not, its value is e.answer.
    """
    n: cython.int = stop - first
    above: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, e.depth) * e.columns
    here: cython.Py_ssize_t = above + e.columns
    count: cython.int = e.living_count[e.depth]
    living_count: cython.int = 0
    most: cython.int = 0
    forced: cython.int = -1
    forced_values: cython.int = 0
    e.answer_exact = True
    if n <= 1:
        e.answer = n
        return False
    i = _find(e, key, n)
    # The root is searched even if its value is known, because its best column is needed too.
    if e.depth and e.memo_age[i] == e.age:
        if e.memo_value[i] > 0:
            e.answer = e.memo_value[i]
            return False
        if -e.memo_value[i] <= floor:
            e.answer = -e.memo_value[i]
            e.answer_exact = False
            return False
    e.nodes += 1
    e.work += cython.cast(cython.longlong, n) * count
    _scan_rows(e.order, e.seen, e.any_seen, e.mine_counts, first, stop, e.stride)
    for j in range(count):
        column = e.living[above + j]
        value_count = e.any_seen[column] & VALUE_BITS
        if value_count & (value_count - 1) == 0:
            continue
        k = n - e.mine_counts[column]
        e.living[here + living_count] = column
        e.safe[here + living_count] = k
        if k > most:
            most = k
        if k == n:
            k = _count_bits(value_count)
            if k > forced_values:
                forced_values = k
                forced = living_count
        living_count += 1
    if living_count == 0:
        e.answer = 1
        return False
    if most <= floor:
        e.answer = most
        e.answer_exact = False
        _store(e, key, n, most, False)
        return False
    e.depth += 1
    i = e.depth
    e.first[i] = first
    e.stop[i] = stop
    e.floor[i] = floor
    e.key[i] = key
    e.living_count[i] = living_count
    e.forced[i] = forced
    e.best[i] = 0
    e.best_column[i] = -1
    e.bound[i] = 0
    e.column[i] = -1
    return True


@cython.cfunc
@cython.nogil
def _scan_rows(
    order: Ints,
    seen: cython.const[cython.ushort][::1],
    any_seen: cython.ushort[::1],
    mine_counts: Ints,
    first: cython.int,
    stop: cython.int,
    stride: cython.int,
) -> cython.void:
    """Gather what each column shows in the rows of the set, and in how many it is a mine.

    All columns are read, living or not, because the compiler then handles eight of them with one
    instruction: 5x5/5 takes a third of the time of a loop over the living columns.
    """
    for j in range(stride):
        any_seen[j] = 0
        mine_counts[j] = 0
    for i in range(first, stop):
        row = cython.cast(cython.Py_ssize_t, order[i]) * stride
        for j in range(stride):
            any_seen[j] |= seen[row + j]
        for j in range(stride):
            mine_counts[j] += seen[row + j] >> 15


@cython.cfunc
@cython.nogil
def _count_bits(word: cython.ulonglong) -> cython.int:
    """Return the number of bits that are set."""
    count: cython.int = 0
    while word:
        word &= word - 1
        count += 1
    return count


def divide(
    e: EndGameSearch, level: cython.int, first: cython.int, stop: cython.int, column: cython.int
) -> cython.int:
    """Sort order[first:stop] by what a column shows, mines last, and write the ends of the parts.

    The part of number k ends at child_stop[level * value_count + k]. Return the number of rows in
    which the column is safe.
    """
    base: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, level) * e.value_count
    start: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, column) * e.capacity
    for k in range(e.value_count + 1):
        e.counts[k] = 0
    for i in range(first, stop):
        k = e.shown[start + e.order[i]]
        if k == codes.SHOWS_MINE:
            k = e.value_count
        e.part_of_row[i] = k
        e.counts[k] += 1
    at = first
    for k in range(e.value_count + 1):
        i = e.counts[k]
        e.counts[k] = at
        at += i
        if k < e.value_count:
            e.child_stop[base + k] = at
    for i in range(first, stop):
        k = e.part_of_row[i]
        e.spare[e.counts[k]] = e.order[i]
        e.counts[k] += 1
    for i in range(first, stop):
        e.order[i] = e.spare[i]
    return e.child_stop[base + e.value_count - 1] - first


@cython.cfunc
@cython.nogil
def _try_next(e: EndGameSearch) -> cython.bint:
    """Try the next column that could win more than the best so far; return whether there is one."""
    d: cython.int = e.depth
    base: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, d) * e.columns
    parts: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, d) * e.value_count
    while True:
        pick = e.forced[d]
        least = e.best[d] if e.best[d] > e.floor[d] else e.floor[d]
        if pick >= 0:
            if e.column[d] >= 0:
                return False
        else:
            for j in range(e.living_count[d]):
                if e.safe[base + j] > least and (
                    pick < 0 or e.safe[base + j] > e.safe[base + pick]
                ):
                    pick = j
            if pick < 0:
                _bound_untried_columns(e)
                return False
        e.column[d] = e.living[base + pick]
        e.safe[base + pick] = -e.safe[base + pick]
        total = divide(e, d, e.first[d], e.stop[d], e.column[d])
        at = e.first[d]
        for k in range(e.value_count):
            size = e.child_stop[parts + k] - at
            if size <= 1:
                e.child_value[parts + k] = size
                e.child_exact[parts + k] = True
            else:
                key = _key_of(e, at, e.child_stop[parts + k])
                e.child_key[parts + k] = key
                e.child_value[parts + k] = size
                e.child_exact[parts + k] = False
                i = _find(e, key, size)
                if e.memo_age[i] == e.age:
                    j = e.memo_value[i]
                    e.child_exact[parts + k] = j > 0
                    if j < 0:
                        j = -j
                    e.child_value[parts + k] = j
                    total += j - size
            at = e.child_stop[parts + k]
        e.total[d] = total
        e.child[d] = 0
        if total > least:
            return True
        if total > e.bound[d]:
            e.bound[d] = total


@cython.cfunc
@cython.nogil
def _bound_untried_columns(e: EndGameSearch) -> cython.void:
    """Include the columns that were never tried in the bound of the level."""
    d: cython.int = e.depth
    base: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, d) * e.columns
    for j in range(e.living_count[d]):
        if e.safe[base + j] > e.bound[d]:
            e.bound[d] = e.safe[base + j]


@cython.cfunc
@cython.nogil
def _use_child_answer(e: EndGameSearch) -> cython.bint:
    """Use e.answer for the current child; return whether the column may still be the best."""
    d: cython.int = e.depth
    at: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, d) * e.value_count + e.child[d]
    e.total[d] += e.answer - e.child_value[at]
    e.child_value[at] = e.answer
    e.child_exact[at] = e.answer_exact
    if e.total[d] <= e.floor[d] or e.total[d] <= e.best[d]:
        if e.total[d] > e.bound[d]:
            e.bound[d] = e.total[d]
        return False
    e.child[d] += 1
    return True


def search(e: EndGameSearch) -> cython.int:
    """Search until the root is answered: OK, PAUSED at max_nodes or max_work, or MEMO_FULL.

    After PAUSED raise the limit, after MEMO_FULL enlarge the memo, and call again.
    """
    while e.depth:
        if e.nodes >= e.max_nodes or e.work >= e.max_work:
            return codes.PAUSED
        # A step may close all levels, and each adds a set.
        if e.memo_count + e.depth + 1 > e.memo_capacity // 4 * 3:
            return codes.MEMO_FULL
        d = e.depth
        if e.column[d] < 0:
            if not _try_next(e):
                _pop_sets(e)
                continue
        at = cython.cast(cython.Py_ssize_t, d) * e.value_count
        while e.child[d] < e.value_count and e.child_exact[at + e.child[d]]:
            e.child[d] += 1
        if e.child[d] == e.value_count:
            # Every child is exact and the total exceeds the best so far.
            e.best[d] = e.total[d]
            e.best_column[d] = e.column[d]
            if e.forced[d] >= 0 or not _try_next(e):
                _pop_sets(e)
            continue
        start = e.child_stop[at + e.child[d] - 1] if e.child[d] else e.first[d]
        # What the child must exceed for the column to exceed the best so far.
        d = e.best[d] if e.best[d] > e.floor[d] else e.floor[d]
        d -= e.total[e.depth] - e.child_value[at + e.child[e.depth]]
        if not _push_set(
            e,
            start,
            e.child_stop[at + e.child[e.depth]],
            d if d > 0 else 0,
            e.child_key[at + e.child[e.depth]],
        ):
            if not _use_child_answer(e) and not _try_next(e):
                _pop_sets(e)
    return codes.OK


@cython.cfunc
@cython.nogil
def _pop_sets(e: EndGameSearch) -> cython.void:
    """Remove the last set from the path and use its value in the set above, which may end too."""
    while True:
        d = e.depth
        e.answer_exact = e.best[d] > 0
        e.answer = e.best[d] if e.answer_exact else e.bound[d]
        _store(e, e.key[d], e.stop[d] - e.first[d], e.answer, e.answer_exact)
        e.depth -= 1
        if e.depth == 0 or _use_child_answer(e) or _try_next(e):
            return


def run(e: EndGameSearch):
    """Call `search` without the GIL."""
    with cython.nogil:
        status = search(e)
    return status
