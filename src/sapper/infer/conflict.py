"""Which hints of a contradictory frame cannot be met together."""

from __future__ import annotations

from collections.abc import Sequence

from sapper.errors import Contradiction
from sapper.model.frame import Frame

# Conflicts that the search for a smaller set may meet in each of its steps.
# Sets of 30 hints around a wrong flag need a few dozen.
PATIENCE = 20_000


def contradiction(frame: Frame, hints: Sequence[int] | None = None) -> Contradiction:
    """The error for a frame whose *hints* cannot all be met, flags trusted, the count unused.

    Names a set of them from which no hint can be dropped without making it possible
    (a larger one only if that takes too long to find out).
    """
    given = sorted(hints) if hints is not None else [int(cell) for cell in frame.revealed]
    for cell in given:
        need, blanks = frame.need(cell), len(frame.blanks_around(cell))
        if not 0 <= need <= blanks:
            return _alone(frame, cell, need, blanks)
    core = _irreducible(frame, given)
    names = frame.names(core)
    shown = ", ".join(names[:-1][:8]) + (", ..." if len(names) > 9 else "")
    return Contradiction(
        f"expected hints that can be met together, got {shown} and {names[-1]}", names
    )


def _alone(frame: Frame, cell: int, need: int, blanks: int) -> Contradiction:
    """The error for a hint that cannot even be met by itself."""
    hint, name = int(frame.marks[cell]), frame.board.name(cell)
    if need < 0:
        told = f"expected at most {hint} flags around the hint {hint} at {name}, got {hint - need}"
    else:
        told = (
            f"expected at least {hint} flags and blanks around the hint {hint} at {name}, "
            f"got {hint - need + blanks}"
        )
    return Contradiction(told, (name,))


def _irreducible(frame: Frame, hints: list[int]) -> list[int]:
    """Drop hints one by one while the rest still cannot be met.

    A clause solver answers whether a set of hints can be met: each hint has a literal that
    switches it on, and the answer "no" names the switches that it used, which drops many at once.
    """
    from pysat.card import CardEnc, EncType
    from pysat.solvers import Solver

    blanks = sorted({blank for hint in hints for blank in frame.blanks_around(hint)})
    literal = {blank: number for number, blank in enumerate(blanks, 1)}
    top = len(blanks) + len(hints)
    switch = {hint: number for number, hint in enumerate(hints, len(blanks) + 1)}
    with Solver(name="glucose4") as solver:
        for hint in hints:
            mines = [literal[blank] for blank in frame.blanks_around(hint)]
            if not mines:
                continue
            clauses = CardEnc.equals(
                mines, bound=frame.need(hint), top_id=top, encoding=EncType.seqcounter
            )
            top = max(top, clauses.nv)
            for clause in clauses.clauses:
                solver.add_clause([-switch[hint], *clause])
        hint_of = {number: hint for hint, number in switch.items()}

        def refuted(kept: list[int]) -> list[int] | None:
            """Hints among *kept* that cannot be met together; None if they can, or perhaps."""
            solver.conf_budget(PATIENCE)
            answer = solver.solve_limited(assumptions=[switch[hint] for hint in kept])
            return None if answer is not False else sorted(hint_of[n] for n in solver.get_core())

        core = refuted(hints) or hints
        for hint in list(core):
            if hint in core:
                core = refuted([other for other in core if other != hint]) or core
    return core
