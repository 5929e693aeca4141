"""Solve a paper puzzle: numbers stay as they are, and covered cells become mines or safe."""

import cython
from cython.cimports.sapper.kernels.codes import COVERED, OK, PAIRS_CHANGED, TRIPLES_CHANGED
from cython.cimports.sapper.kernels.solvers.human import (
    HumanState,
    load_marks,
    run_single_strategies,
)
from cython.cimports.sapper.kernels.solvers.passes import apply_verdicts, clear_verdicts, pass_two
from cython.cimports.sapper.kernels.solvers.triples import pass_three

STUCK = cython.declare(cython.int, 0)
BROKEN = cython.declare(cython.int, -1)


@cython.ccall
@cython.nogil
def solve_on_paper(
    w: HumanState, marks: cython.const[cython.int][::1], most: cython.int, steps: cython.int[::1]
) -> cython.int:
    """Take every move of the fewest numbers that give one, repeatedly, up to *most* numbers.

    Return the largest number of numbers that a move needed, STUCK where covered cells remain, or
    BROKEN for a contradiction. steps[k] becomes the number of cells that needed k numbers; w.marks
    has what was found. Flags count as covered: only numbers are evidence.
    """
    hardest: cython.int = 1
    unknown: cython.int = 0
    status: cython.int
    c: cython.int
    k: cython.int
    for k in range(4):
        steps[k] = 0
    for c in range(w.cells):
        w.marks[c] = marks[c] if marks[c] >= 0 else COVERED
        unknown += marks[c] < 0
    load_marks(w)
    clear_verdicts(w)
    while True:
        if run_single_strategies(w) != OK:
            return BROKEN
        steps[1] += w.found_count
        unknown -= w.found_count
        w.found_count = 0
        if unknown == 0:
            return hardest
        k = 0
        status = OK
        if most >= 2:
            status = pass_two(w)
            k = 2
        if status == OK and w.found_count == 0 and most >= 3:
            status = pass_three(w)
            k = 3
        if status != OK:
            return BROKEN
        if w.found_count == 0:
            return STUCK
        hardest = max(hardest, k)
        steps[k] += w.found_count
        unknown -= w.found_count
        apply_verdicts(w, PAIRS_CHANGED if k == 2 else TRIPLES_CHANGED)
