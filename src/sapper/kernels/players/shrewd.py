"""The guess of `shrewd`: the end game, else the best cells of two methods, compared once more.

The state is that of `thoughtful`, so that explanations and roll-outs can read it.

first_values     values of all candidates by the first network
second_network   a larger network that also sees the results of looking ahead
order            indices of the candidates in first_values.features, by falling value
kept             the cells that are compared once more: the choice of `thoughtful`, the next
                 keep_ahead of its candidates by score, and the best keep by the first network
combined value   of such a cell: first_weight times its value by the first network, second_weight
                 times that by the second, ahead_weight times expected_second_safety, and
                 influence_bonus times its influence on fifty-fifties
margin           another cell replaces the choice of `thoughtful` if its combined value is greater
                 by this

opening_key      of the positions in the table of openings, in ascending order: the XOR of
                 `cell_key` for every revealed cell, and for the mine count as the number of a cell
                 beyond the last; opening_cell: the cell to reveal
opening          index of the current position in the table, if the reason is FROM_TABLE
max_revealed     revealed cells of a position in the table; -1 if it is empty

All weights but the first may be 0; then their part is not computed. Afterwards the score of the
best cell is 1, that of another is less by the difference of the combined values, and a candidate
that was not kept has none.
"""

import cython
from cython.cimports.libc.math import fabs
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import ConstInts, Doubles, Ints, Words
from cython.cimports.sapper.kernels.board import cell_key
from cython.cimports.sapper.kernels.players.features import Features
from cython.cimports.sapper.kernels.players.guessing import choose_certain_or_solved
from cython.cimports.sapper.kernels.players.learned import (
    CandidateValues,
    evaluate_candidates,
    value_of,
)
from cython.cimports.sapper.kernels.players.look_ahead import (
    encode_look_ahead,
    expected_safety_of,
    score_candidate,
)
from cython.cimports.sapper.kernels.players.network import Network, evaluate
from cython.cimports.sapper.kernels.players.thoughtful import (
    ThoughtfulState,
    check_fifty_fifties,
    look_two_ahead,
)
from cython.cimports.sapper.kernels.ties import quantise

from sapper.kernels.declarations import allocate

# Rounding errors of a logarithm of numbers of solutions are smaller, its differences are larger.
SAME_LN_SOLUTIONS = cython.declare(cython.double, 1e-6)


class ShrewdState(ThoughtfulState):
    """The state to guess as `shrewd` on one board, for use by one thread.

    Call `use_networks` and `use_openings` first.
    """

    def use_networks(self, first: CandidateValues, second: Network | None) -> None:
        """Set the networks; *first* reads the same tracked position, *second* may be None."""
        max_candidates = first.features.max_candidates
        self.first_values = first
        self.second_network = second
        self.has_second = second is not None
        # Looking ahead is needed if it has a weight, or if the second network sees its results.
        self.looks_ahead = self.ahead_weight > 0 or (
            second is not None and second.scalar_count > codes.INFLUENCE + 1
        )
        self.keep_ahead = min(self.keep_ahead, self.p.cells)
        allocate(self, "order", max_candidates + 1)
        allocate(self, "kept", 1 + self.keep_ahead + max_candidates)

    def use_openings(
        self, keys: Words, ln_solutions: Doubles, cells: Ints, max_revealed: cython.int
    ) -> None:
        """Set the table of openings, sorted by key; without positions, *max_revealed* is -1."""
        self.opening_key = keys
        self.opening_ln_solutions = ln_solutions
        self.opening_cell = cells
        self.max_revealed = max_revealed

    def choose(self, marks: ConstInts, mines: cython.int, trust_flags: cython.bint) -> cython.int:
        """Choose as `thoughtful`; where it looks ahead, compare with the networks' best cells."""
        status: cython.int
        self.candidates = 0
        self.first_values.features.count = 0
        status = choose_certain_or_solved(self, marks, mines, trust_flags)
        if status or self.chosen >= 0 or _choose_from_table(self, marks, mines):
            return status
        status = check_fifty_fifties(self)
        if status or self.chosen >= 0:
            return status
        _clear_scores(self)
        status = look_two_ahead(self)
        if status or (self.reason != codes.BEST_SCORE and self.reason != codes.SAFER_NOW):
            return status
        # What-ifs leave their number of solutions in the tracked position.
        self.p.ln_solutions = self.ln_solutions
        evaluate_candidates(self.first_values, mines)
        _sort(self, self.first_values)
        _list_kept_cells(self, self.first_values.features)
        return _decide(self, self.first_values, self.first_values.features)


@cython.cfunc
@cython.nogil
def _choose_from_table(s: ShrewdState, marks: ConstInts, mines: cython.int) -> cython.bint:
    """Choose the move of the table for this position; return whether it has one.

    Trusted flags are not part of the key. If one of them is not certain, it changes the number of
    solutions, and the position is another one.
    """
    revealed: cython.int = 0
    low: cython.int = 0
    high: cython.int
    if s.max_revealed < 0:
        return False
    key: cython.ulonglong = cell_key(cython.cast(cython.ulonglong, s.p.cells), mines)
    for c in range(s.p.cells):
        if marks[c] >= 0:
            revealed += 1
            if revealed > s.max_revealed:
                return False
            key ^= cell_key(c, marks[c])
    high = cython.cast(cython.int, s.opening_key.shape[0])
    while low < high:
        middle = (low + high) // 2
        if s.opening_key[middle] < key:
            low = middle + 1
        else:
            high = middle
    if (
        low == s.opening_key.shape[0]
        or s.opening_key[low] != key
        or fabs(s.opening_ln_solutions[low] - s.ln_solutions) > SAME_LN_SOLUTIONS
    ):
        return False
    s.opening = low
    s.chosen = s.opening_cell[low]
    s.reason = codes.FROM_TABLE
    return True


@cython.cfunc
@cython.nogil
def _clear_scores(s: ShrewdState) -> cython.void:
    """Set the scores of all cells to none."""
    for c in range(s.p.cells):
        s.score[c] = -1.0


@cython.cfunc
@cython.nogil
def _sort(s: ShrewdState, v: CandidateValues) -> cython.void:
    """Order the candidates by falling value; equal ones stay in order, the safest first."""
    for i in range(v.features.count):
        j = i
        while j and v.value[s.order[j - 1]] < v.value[i]:
            s.order[j] = s.order[j - 1]
            j -= 1
        s.order[j] = i


@cython.cfunc
@cython.nogil
def _list_kept_cells(s: ShrewdState, features: Features) -> cython.void:
    """List the cells that are compared once more."""
    s.kept_count = 0
    _keep_cell(s, s.chosen)
    for _ in range(s.keep_ahead):
        best = -1
        for i in range(s.candidates):
            c = s.candidate[i]
            if (
                s.score[c] >= 0.0
                and not _is_kept(s, c)
                and (best < 0 or quantise(s.score[c]) > quantise(s.score[best]))
            ):
                best = c
        if best >= 0:
            _keep_cell(s, best)
    for i in range(min(s.keep, features.count)):
        _keep_cell(s, features.candidate[s.order[i]])


@cython.cfunc
@cython.nogil
def _is_kept(s: ShrewdState, c: cython.int) -> cython.bint:
    """Return whether a cell is kept already."""
    for i in range(s.kept_count):
        if s.kept[i] == c:
            return True
    return False


@cython.cfunc
@cython.nogil
def _keep_cell(s: ShrewdState, c: cython.int) -> cython.void:
    if not _is_kept(s, c):
        s.kept[s.kept_count] = c
        s.kept_count += 1


@cython.cfunc
@cython.nogil
def _decide(s: ShrewdState, v: CandidateValues, features: Features) -> cython.int:
    """Compare the kept cells and choose; return OK or a status of the engine."""
    best: cython.double = 0.0
    for i in range(s.kept_count):
        c = s.kept[i]
        status = _look_ahead_from(s, c)
        if status:
            return status
        s.p.ln_solutions = s.ln_solutions
        s.bound[c] = quantise(_combined_value(s, v, features, c))
        # The first is the choice of `thoughtful`.
        if i == 0:
            s.bound[c] += s.margin
        if i == 0 or s.bound[c] > best:
            best = s.bound[c]
            s.chosen = c
    s.reason = codes.BY_NETWORK
    s.candidates = s.kept_count
    for i in range(s.kept_count):
        c = s.kept[i]
        s.candidate[i] = c
        s.score[c] = 1.0 + (s.bound[c] - best)
        if s.score[c] < 0.0:
            s.score[c] = 0.0
    for i in range(features.count):
        c = features.candidate[s.order[i]]
        if not _is_kept(s, c):
            s.candidate[s.candidates] = c
            s.candidates += 1
            s.bound[c] = v.value[s.order[i]]
            s.score[c] = -1.0
    return codes.OK


@cython.cfunc
@cython.nogil
def _look_ahead_from(s: ShrewdState, c: cython.int) -> cython.int:
    """Compute the expected safety of a cell if needed; return OK or a status of the engine."""
    status: cython.int = codes.OK
    if not s.looks_ahead:
        s.expected_safety[c] = 0.0
        s.expected_second_safety[c] = 0.0
        s.certain_next[c] = 0.0
        s.information[c] = 0.0
        return codes.OK
    # A cell that `thoughtful` scored to the end has its score already.
    if s.score[c] < 0.0:
        status = score_candidate(s, s.p, c, -1.0)
    s.expected_safety[c] = expected_safety_of(s, c)
    return status


@cython.cfunc
@cython.nogil
def _combined_value(
    s: ShrewdState, v: CandidateValues, features: Features, c: cython.int
) -> cython.double:
    """Return the combined value of a cell."""
    # `value_of` writes the scalars of a cell there, whether it is a candidate or not.
    at: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, features.max_candidates) * codes.SCALARS
    value: cython.double = s.first_weight * value_of(v, c)
    value += s.ahead_weight * s.expected_second_safety[c] + s.influence_bonus * s.influence[c]
    if s.has_second:
        encode_look_ahead(s, features, c, at)
        value += s.second_weight * evaluate(
            s.second_network,
            features.cell_code,
            features.table,
            cython.cast(cython.Py_ssize_t, c) * features.slots,
            features.scalar,
            at,
        )
    return value
