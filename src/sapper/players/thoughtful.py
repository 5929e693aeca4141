"""How `thoughtful` guesses, with its reasons: the kernel chooses, here it is put into words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TypeVar

import numpy as np

from sapper.board.board import Board
from sapper.board.position import Position
from sapper.engine.analysis import analyse
from sapper.engine.budget import DEFAULT_BUDGET, Limit
from sapper.errors import IllegalMove
from sapper.kernels.codes import UNKNOWN
from sapper.kernels.players.guessing import REASONS
from sapper.kernels.players.thoughtful import ThoughtfulState
from sapper.players.guess import MAX_CANDIDATES, Candidate, FiftyFifty, Guess, least_risk
from sapper.players.thoughtful_settings import ThoughtfulSettings
from sapper.players.thoughtful_state import choose_thoughtful, make_thoughtful_state
from sapper.wording import counted, percent

S = TypeVar("S")
M = TypeVar("M")
IdleStates = dict[tuple[Board, S], list[M]]
# Memories that wait for the next guess on their board; making one takes some hundredths of a
# second, and each belongs to one thread at a time.
_idle: IdleStates[ThoughtfulSettings, ThoughtfulState] = {}
MAX_IDLE = 4
LEARNED = "learned"
"""The reason of a choice by networks, among REASONS."""
LIKELY = 0.001
"""Fifty-fifties below this chance are not worth a word."""


class ThoughtfulGuesser:
    """Guesses by these settings."""

    def __init__(self, settings: ThoughtfulSettings):
        self._settings = settings

    def guess(self, position: Position, limit: Limit | None = None) -> Guess:
        """The best reveal; flags of the position are taken for mines.

        Without a mine count, and where magnitudes leave floating point, the covered cell of least probability.
        """
        limit = limit or DEFAULT_BUDGET.start()
        if not len(position.covered):
            raise IllegalMove("cannot reveal anything: every cell is revealed or a certain mine")
        if position.mines is not None:
            with self._guesser_state(position, limit) as thoughtful_state:
                if thoughtful_state is not None:
                    return self._decide(position, thoughtful_state, limit)
        return least_risk(
            position, analyse(position, trust_flags=True, budget=limit).probability_array
        )

    @contextmanager
    def _guesser_state(self, position: Position, limit: Limit) -> Iterator[ThoughtfulState | None]:
        """What the kernel thinks of a position with its mine count; None where it has no answer."""
        with borrow_state(
            _idle, (position.board, self._settings), make_thoughtful_state
        ) as thoughtful_state:
            assert position.mines is not None
            failed = choose_thoughtful(
                thoughtful_state, position.marks, position.mines, True, limit
            )
            yield None if failed else thoughtful_state

    def _decide(self, position: Position, thoughtful_state: ThoughtfulState, limit: Limit) -> Guess:
        """The choice of the kernel, in words; players that think further do so here."""
        return describe_choice(position, thoughtful_state)


@contextmanager
def borrow_state(
    idle: IdleStates[S, M], key: tuple[Board, S], make: Callable[[Board, S], M]
) -> Iterator[M]:
    """A memory for this thread alone; it is kept for the next one unless there are too many."""
    try:
        memory = idle.get(key, []).pop()
    except IndexError:
        memory = make(*key)
    yield memory
    if len(idle) < MAX_IDLE or key in idle:
        idle.setdefault(key, []).append(memory)


def describe_choice(position: Position, thoughtful_state: ThoughtfulState) -> Guess:
    """What the kernel chose, in words and with what it weighed."""
    cell, why = int(thoughtful_state.chosen), REASONS[thoughtful_state.reason]
    probabilities = np.asarray(thoughtful_state.p.probabilities)
    candidates = _candidates(thoughtful_state, cell, why)
    fifties = (
        _fifties(thoughtful_state, cell, why)
        if why not in ("end game", "end game of a part")
        else ()
    )
    value = Fraction(thoughtful_state.wins, thoughtful_state.rows) if why == "end game" else None
    next_best = (candidates[1].cell, candidates[1].risk) if len(candidates) > 1 else None
    because = _because(position, thoughtful_state, why, candidates, fifties)
    return Guess(
        *(cell, 1, float(probabilities[cell]), next_best),
        because=because,
        candidates=candidates,
        fifty_fifties=fifties,
        value=value,
    )


def _candidates(thoughtful_state: ThoughtfulState, chosen: int, why: str) -> tuple[Candidate, ...]:
    """The chosen cell and the best of the others: by score, else by probabilities."""
    probabilities, score = (
        np.asarray(thoughtful_state.p.probabilities),
        np.asarray(thoughtful_state.score),
    )
    influence = np.asarray(thoughtful_state.influence)
    looked = {int(thoughtful_state.candidate[i]) for i in range(thoughtful_state.candidates)}
    unknown = np.flatnonzero(np.asarray(thoughtful_state.p.known) == UNKNOWN).tolist()
    solved = why in ("end game", "end game of a part")

    def weigh(cell: int) -> Candidate:
        known = cell in looked and score[cell] >= 0
        learned = known and why == LEARNED
        value = (
            Fraction(thoughtful_state.wins, thoughtful_state.rows)
            if cell == chosen and why == REASONS[1]
            else None
        )
        return Candidate(
            cell,
            float(probabilities[cell]),
            float(score[cell]) if known and not learned else None,
            0.0 if solved else float(influence[cell]),
            value,
            # The best of those that networks weighed has the score 1.
            float(score[cell]) - 1.0 if learned else None,
        )

    others = sorted(
        (cell for cell in (looked or unknown) if cell != chosen),
        key=lambda cell: (-score[cell] if cell in looked else 0.0, probabilities[cell], cell),
    )
    return tuple(weigh(cell) for cell in (chosen, *others[: MAX_CANDIDATES - 1]))


def _fifties(thoughtful_state: ThoughtfulState, cell: int, why: str) -> tuple[FiftyFifty, ...]:
    """The fifty-fifties that a reveal of the cell would settle, the likeliest first.

    Those that hardly ever come about are left out, but for a coin toss, which is one of them.
    """
    shapes = thoughtful_state.shapes
    if not thoughtful_state.fifty:
        return ()
    own = [shapes.of_shape[k] for k in range(shapes.of_start[cell], shapes.of_start[cell + 1])]
    enabled = [
        i
        for i in (
            shapes.by_shape[k] for k in range(shapes.by_start[cell], shapes.by_start[cell + 1])
        )
        if shapes.unknown[i] == 1 and shapes.last_unknown[i] == cell
    ]
    known = np.asarray(thoughtful_state.p.known)
    found = []
    for i in own + enabled:
        if shapes.chance[i] <= (0.0 if why == "coin toss" else LIKELY):
            continue
        cells = [int(shapes.cell[4 * i + j]) for j in range(4)]
        enablers = [int(shapes.enabler[j]) for j in range(*shapes.enabler_start[i : i + 2])]
        found.append(
            FiftyFifty(
                tuple(c for c in cells[:2] if c >= 0),
                tuple(c for c in cells[2:] if c >= 0),
                tuple(c for c in enablers if known[c] == UNKNOWN),
                # Either set may be the mined one.
                2 * float(shapes.chance[i]),
            )
        )
    return tuple(sorted(found, key=lambda one: -one.chance))


def _because(
    position: Position,
    thoughtful_state: ThoughtfulState,
    why: str,
    candidates: tuple[Candidate, ...],
    fifties: tuple[FiftyFifty, ...],
) -> str:
    """Why this cell, as the end of a sentence."""
    name = position.board.name
    cell = candidates[0].cell
    solutions = counted(int(thoughtful_state.rows), "solution")
    if why == "end game":
        return f"perfect play wins {thoughtful_state.wins} of the {solutions} left, and begins here"
    if why == "end game of a part":
        return (
            f"this part can be played apart, and perfect play wins {thoughtful_state.wins} of its "
            f"{solutions}"
        )
    if why == "coin toss":
        partner = next(c for one in fifties for c in (*one.one, *one.other) if c != cell)
        return f"it is free or a coin toss with {name(partner)} that nothing can avoid"
    if why == "safer now":
        return f"it would be the next reveal whatever {name(thoughtful_state.second_choice)} shows"
    if why == "least probability":
        living = np.asarray(thoughtful_state.living)[
            np.asarray(thoughtful_state.p.known) == UNKNOWN
        ]
        dead = thoughtful_state.look_ahead and not living.any()
        return f"{'nothing that is left tells anything, and ' if dead else ''}no covered cell has lower probability"
    if why == "best of an unfinished end game":
        return f"the best found in an end game of {solutions}, searched in part"
    many = counted(int(thoughtful_state.candidates), "candidate")
    text = f"best of {many} {'to the networks' if why == LEARNED else 'two moves ahead'}"
    if fifties and candidates[0].influence >= LIKELY:
        partner = next(c for one in fifties for c in (*one.one, *one.other) if c != cell)
        text += f"; it may settle a fifty-fifty with {name(partner)} ({percent(fifties[0].chance)})"
    elif len(candidates) > 1:
        text += f"; next best {name(candidates[1].cell)} at {percent(candidates[1].risk)}"
    return text
