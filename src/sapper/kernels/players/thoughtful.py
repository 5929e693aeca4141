"""The guess of `thoughtful`: the end game, else a look two moves ahead.

Before it looks ahead it takes a fifty-fifty that nothing can avoid. `look_ahead` describes the
fields of the state and the score of a candidate; docs/how-it-works/guessing.md has the reasons.
"""

import cython
from cython.cimports.sapper.kernels import codes
from cython.cimports.sapper.kernels.arrays import ConstInts
from cython.cimports.sapper.kernels.players.end_game_search import EndGameSearch
from cython.cimports.sapper.kernels.players.fifty_fifty import forced_guess_chance
from cython.cimports.sapper.kernels.players.guessing import (
    choose_certain_or_solved,
    read_position,
)
from cython.cimports.sapper.kernels.players.look_ahead import (
    LookAheadState,
    classify_cells,
    compute_influence,
    expected_safety_of,
    score_candidate,
)
from cython.cimports.sapper.kernels.players.solution_lists import SolutionLister
from cython.cimports.sapper.kernels.ties import at_most, quantise
from cython.cimports.sapper.kernels.tracked.state import TrackedPosition


class ThoughtfulState(LookAheadState):
    """The state to guess as `thoughtful` on one board, for use by one thread."""

    def choose(self, marks: ConstInts, mines: cython.int, trust_flags: cython.bint) -> cython.int:
        """Choose a certain cell, by the end game, a forced guess, or by looking two moves ahead."""
        return choose_thoughtful(self, marks, mines, trust_flags)

    def needs_rollouts(self) -> cython.bint:
        """Return whether there are several candidates, none is forced, and the interior is small.

        The interior is small if it has fewer than max_interior cells.
        """
        inner: cython.int = 0
        if self.candidates < 2 or self.reason == codes.FORCED_GUESS:
            return False
        for c in range(self.p.cells):
            inner += self.p.known[c] == codes.UNKNOWN and not self.near_number[c]
        return inner < self.max_interior


def choose_thoughtful(
    t: ThoughtfulState, marks: ConstInts, mines: cython.int, trust_flags: cython.bint
) -> cython.int:
    """Choose a cell as `GuesserState.choose` does."""
    t.candidates = 0
    status = choose_certain_or_solved(t, marks, mines, trust_flags)
    if status or t.chosen >= 0:
        return status
    if not t.look_ahead:
        t.chosen = _least_risk(t, t.p)
        t.reason = codes.LEAST_RISK
        return codes.OK
    status = check_fifty_fifties(t)
    if status or t.chosen >= 0:
        return status
    return look_two_ahead(t)


def check_fifty_fifties(t: ThoughtfulState) -> cython.int:
    """Compute the influence of all cells, and choose a forced guess if there is one.

    Return OK or a status of the engine.
    """
    classify_cells(t, t.p)
    status = compute_influence(t, t.p)
    if status == codes.OK and t.coin_tosses:
        _choose_forced_guess(t, t.p)
    return status


def look_two_ahead(t: ThoughtfulState) -> cython.int:
    """Choose by looking two moves ahead; return OK or a status of the engine."""
    _list_candidates(t, t.p)
    status = _choose_best(t, t.p)
    if status:
        return status
    _use_unfinished_search(t, t.end_game.lister, t.end_game.search)
    if t.chosen < 0:
        t.chosen = _least_risk(t, t.p)
        t.reason = codes.LEAST_RISK
    return codes.OK


def score_cells(
    t: ThoughtfulState, marks: ConstInts, mines: cython.int, cells: ConstInts, count: cython.int
) -> cython.int:
    """Compute the influence of every unknown cell, and the expected safety of cells[:count].

    For callers that need these values of cells of their choice. Return OK or a status of the
    engine.
    """
    status: cython.int = read_position(t, marks, mines, True)
    if status:
        return status
    status = compute_influence(t, t.p)
    for i in range(count):
        if status:
            break
        c = cells[i]
        status = score_candidate(t, t.p, c, -1.0)
        t.expected_safety[c] = expected_safety_of(t, c)
    return status


@cython.cfunc
@cython.nogil
def _use_unfinished_search(t: ThoughtfulState, s: SolutionLister, e: EndGameSearch) -> cython.void:
    """Prefer the best cell of an unfinished end game search to a chosen cell that it refuted.

    That is a cell which the search has tried and found worse, or which cannot win as much.
    """
    if not t.rows or not e.searched or e.depth == 0 or t.chosen < 0 or e.best_column[1] < 0:
        return
    column = s.column_of[t.chosen]
    if column < 0 or column == e.best_column[1] or column == e.column[1]:
        return
    for j in range(e.living_count[1]):
        if e.living[e.columns + j] == column:
            if e.safe[e.columns + j] > e.best[1]:
                return
            t.chosen = s.column_cell[e.best_column[1]]
            t.reason = codes.BEST_FOUND
            return


@cython.cfunc
@cython.nogil
def _choose_forced_guess(t: ThoughtfulState, p: TrackedPosition) -> cython.void:
    """Choose a cell that is either safe or part of a fifty-fifty that nothing can avoid."""
    if t.influence_weight <= 0:
        return
    for c in range(p.cells):
        if p.known[c] == codes.UNKNOWN and at_most(
            p.probabilities[c], forced_guess_chance(t.shapes, c)
        ):
            t.chosen = c
            t.reason = codes.FORCED_GUESS
            return


@cython.cfunc
@cython.nogil
def _list_candidates(t: ThoughtfulState, p: TrackedPosition) -> cython.void:
    """List the candidates by falling bound; cells of small regions only if there are no others."""
    inner: cython.int = 0
    most: cython.double = 0.0
    for c in range(p.cells):
        if p.known[c] == codes.UNKNOWN:
            inner += not t.near_number[c]
            if t.living[c] and 1.0 - p.probabilities[c] > most:
                most = 1.0 - p.probabilities[c]
    limit = quantise(t.ratio * most)
    inner_limit = quantise(t.inner_ratio * most)
    for turn in range(2):
        for c in range(p.cells):
            if p.known[c] != codes.UNKNOWN or not t.living[c]:
                continue
            if (t.region[c] < t.small_region) != (turn == 1):
                continue
            safe = 1.0 - p.probabilities[c]
            if t.near_number[c]:
                if quantise(safe) < limit and quantise(safe + t.influence[c]) <= limit:
                    continue
            elif quantise(safe) <= inner_limit or (
                inner >= t.few_inner and not _is_exceptional(t, t.p, c)
            ):
                continue
            t.candidate[t.candidates] = c
            t.bound[c] = quantise((safe + t.influence_weight * t.influence[c]) * (1.0 + t.progress))
            t.score[c] = -1.0
            t.candidates += 1
        if t.candidates:
            break
    _sort(t)


@cython.cfunc
@cython.nogil
def _is_exceptional(t: ThoughtfulState, p: TrackedPosition, c: cython.int) -> cython.bint:
    """Return whether an interior cell is two steps from a number or has few unknown neighbours."""
    around: cython.int = 0
    for k in range(p.offsets[c], p.offsets[c + 1]):
        around += p.known[p.neighbours[k]] == codes.UNKNOWN
    if 2 <= around <= t.few_around:
        return True
    for k in range(t.two_away_start[c], t.two_away_start[c + 1]):
        if p.marks[t.two_away[k]] >= 0:
            return True
    return False


@cython.cfunc
@cython.nogil
def _sort(t: ThoughtfulState) -> cython.void:
    """Sort the candidates by falling bound; equal ones keep the order of cells."""
    for i in range(1, t.candidates):
        c = t.candidate[i]
        j = i
        while j and t.bound[t.candidate[j - 1]] < t.bound[c]:
            t.candidate[j] = t.candidate[j - 1]
            j -= 1
        t.candidate[j] = c


@cython.cfunc
@cython.nogil
def _choose_best(t: ThoughtfulState, p: TrackedPosition) -> cython.int:
    """Score the candidates and choose the best; return OK or a status of the engine.

    Of equal scores the greater bound counts, then the lower cell.
    """
    best_next: cython.int = -1
    best: cython.double = 0.0
    for i in range(t.candidates):
        c = t.candidate[i]
        if t.bound[c] <= best:
            break
        status = score_candidate(t, t.p, c, best)
        if status:
            return status
        if quantise(t.score[c]) > best:
            best = quantise(t.score[c])
            t.chosen = c
            t.reason = codes.BEST_SCORE
            best_next = t.best_cell
    if (
        t.domination
        and best_next >= 0
        and quantise(p.probabilities[best_next]) < quantise(p.probabilities[t.chosen])
    ):
        t.second_choice = t.chosen
        t.chosen = best_next
        t.reason = codes.SAFER_NOW
    return codes.OK


@cython.cfunc
@cython.nogil
def _least_risk(t: ThoughtfulState, p: TrackedPosition) -> cython.int:
    """Return the cell of least probability.

    Ties go to the cell with the fewest neighbours, then to the frontier, then to the lowest index.
    """
    best: cython.int = -1
    least: cython.double = 2.0
    best_order: cython.int = 0
    for c in range(p.cells):
        if p.known[c] == codes.UNKNOWN and p.probabilities[c] < least:
            least = p.probabilities[c]
    for c in range(p.cells):
        if p.known[c] == codes.UNKNOWN and at_most(p.probabilities[c], least):
            order = 2 * (p.offsets[c + 1] - p.offsets[c]) + 1
            for k in range(p.offsets[c], p.offsets[c + 1]):
                if p.marks[p.neighbours[k]] >= 0:
                    order -= 1
                    break
            if best < 0 or order < best_order:
                best = c
                best_order = order
    return best
