"""How `thoughtful` guesses, with its reasons: the kernel chooses, here it is put into words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TypeVar

import numpy as np

from sapper.errors import IllegalMove
from sapper.infer.budget import DEFAULT, Limit
from sapper.infer.odds.analysis import analyse
from sapper.kernels.codes import UNKNOWN
from sapper.kernels.play.guessing import REASONS
from sapper.kernels.play.thoughtful import Thought
from sapper.model.board import Board
from sapper.model.frame import Frame
from sapper.percent import percent
from sapper.play.guess import MOST_WEIGHED, FiftyFifty, Guess, Weighed, least_odds
from sapper.play.thoughtful.memory import make_thought, think
from sapper.play.thoughtful.settings import ThoughtfulSettings
from sapper.wording import counted

S = TypeVar("S")
M = TypeVar("M")
Idle = dict[tuple[Board, S], list[M]]
# Memories that wait for the next guess on their board; making one takes some hundredths of a
# second, and each belongs to one thread at a time.
_idle: Idle[ThoughtfulSettings, Thought] = {}
MOST_IDLE = 4
LEARNED = "learned"
"""The reason of a choice by networks, among REASONS."""
LIKELY = 0.001
"""Fifty-fifties below this chance are not worth a word."""


class Thinking:
    """Guesses by these settings."""

    def __init__(self, settings: ThoughtfulSettings):
        self._settings = settings

    def guess(self, frame: Frame, limit: Limit | None = None) -> Guess:
        """The best reveal; flags of the frame are taken for mines.

        Without a mine count, and where magnitudes leave floating point, the blank of least odds.
        """
        limit = limit or DEFAULT.start()
        if not len(frame.blanks):
            raise IllegalMove("cannot reveal anything: every cell is revealed or a certain mine")
        if frame.mines is not None:
            with self._thought(frame, limit) as thought:
                if thought is not None:
                    return self._decide(frame, thought, limit)
        return least_odds(frame, analyse(frame, trust_flags=True, budget=limit).probability)

    @contextmanager
    def _thought(self, frame: Frame, limit: Limit) -> Iterator[Thought | None]:
        """What the kernel thinks of a frame with its mine count; None where it has no answer."""
        with lent(_idle, (frame.board, self._settings), make_thought) as thought:
            assert frame.mines is not None
            failed = think(thought, frame.marks, frame.mines, True, limit)
            yield None if failed else thought

    def _decide(self, frame: Frame, thought: Thought, limit: Limit) -> Guess:
        """The choice of the kernel, in words; players that think further do so here."""
        return told(frame, thought)


@contextmanager
def lent(idle: Idle[S, M], key: tuple[Board, S], make: Callable[[Board, S], M]) -> Iterator[M]:
    """A memory for this thread alone; it is kept for the next one unless there are too many."""
    try:
        memory = idle.get(key, []).pop()
    except IndexError:
        memory = make(*key)
    yield memory
    if len(idle) < MOST_IDLE or key in idle:
        idle.setdefault(key, []).append(memory)


def told(frame: Frame, thought: Thought) -> Guess:
    """What the kernel chose, in words and with what it weighed."""
    cell, why = int(thought.chosen), REASONS[thought.reason]
    odds = np.asarray(thought.p.odds)
    weighed = _weighed(thought, cell, why)
    fifties = _fifties(thought, cell, why) if why not in ("end game", "end game of a part") else ()
    value = Fraction(thought.wins, thought.rows) if why == "end game" else None
    next_best = (weighed[1].cell, weighed[1].risk) if len(weighed) > 1 else None
    because = _because(frame, thought, why, weighed, fifties)
    return Guess(
        *(cell, 1, float(odds[cell]), next_best),
        because=because,
        weighed=weighed,
        fifty_fifties=fifties,
        value=value,
    )


def _weighed(thought: Thought, chosen: int, why: str) -> tuple[Weighed, ...]:
    """The chosen cell and the best of the others: by score, else by odds."""
    odds, score = np.asarray(thought.p.odds), np.asarray(thought.score)
    influence = np.asarray(thought.influence)
    looked = {int(thought.candidate[i]) for i in range(thought.candidates)}
    unknown = np.flatnonzero(np.asarray(thought.p.know) == UNKNOWN).tolist()
    solved = why in ("end game", "end game of a part")

    def weigh(cell: int) -> Weighed:
        known = cell in looked and score[cell] >= 0
        learned = known and why == LEARNED
        value = (
            Fraction(thought.wins, thought.rows) if cell == chosen and why == REASONS[1] else None
        )
        return Weighed(
            cell,
            float(odds[cell]),
            float(score[cell]) if known and not learned else None,
            0.0 if solved else float(influence[cell]),
            value,
            # The best of those that networks weighed has the score 1.
            float(score[cell]) - 1.0 if learned else None,
        )

    others = sorted(
        (cell for cell in (looked or unknown) if cell != chosen),
        key=lambda cell: (-score[cell] if cell in looked else 0.0, odds[cell], cell),
    )
    return tuple(weigh(cell) for cell in (chosen, *others[: MOST_WEIGHED - 1]))


def _fifties(thought: Thought, cell: int, why: str) -> tuple[FiftyFifty, ...]:
    """The fifty-fifties that a reveal of the cell would settle, the likeliest first.

    Those that hardly ever come about are left out, but for a coin toss, which is one of them.
    """
    shapes = thought.shapes
    if not thought.fifty:
        return ()
    own = [shapes.of_shape[k] for k in range(shapes.of_start[cell], shapes.of_start[cell + 1])]
    enabled = [
        i
        for i in (
            shapes.by_shape[k] for k in range(shapes.by_start[cell], shapes.by_start[cell + 1])
        )
        if shapes.unknown[i] == 1 and shapes.last_unknown[i] == cell
    ]
    known = np.asarray(thought.p.know)
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
    frame: Frame,
    thought: Thought,
    why: str,
    weighed: tuple[Weighed, ...],
    fifties: tuple[FiftyFifty, ...],
) -> str:
    """Why this cell, as the end of a sentence."""
    name = frame.board.name
    cell = weighed[0].cell
    placements = counted(int(thought.rows), "placement")
    if why == "end game":
        return f"perfect play wins {thought.wins} of the {placements} left, and begins here"
    if why == "end game of a part":
        return (
            f"this part can be played apart, and perfect play wins {thought.wins} of its "
            f"{placements}"
        )
    if why == "coin toss":
        partner = next(c for one in fifties for c in (*one.one, *one.other) if c != cell)
        return f"it is free or a coin toss with {name(partner)} that nothing can avoid"
    if why == "safer now":
        return f"it would be the next reveal whatever {name(thought.second_choice)} shows"
    if why == "least odds":
        living = np.asarray(thought.living)[np.asarray(thought.p.know) == UNKNOWN]
        dead = thought.look_ahead and not living.any()
        return (
            f"{'nothing that is left tells anything, and ' if dead else ''}no blank has lower odds"
        )
    if why == "best of an unfinished end game":
        return f"the best found in an end game of {placements}, searched in part"
    many = counted(int(thought.candidates), "candidate")
    text = f"best of {many} {'to the networks' if why == LEARNED else 'two moves ahead'}"
    if fifties and weighed[0].influence >= LIKELY:
        partner = next(c for one in fifties for c in (*one.one, *one.other) if c != cell)
        text += f"; it may settle a fifty-fifty with {name(partner)} ({percent(fifties[0].chance)})"
    elif len(weighed) > 1:
        text += f"; next best {name(weighed[1].cell)} at {percent(weighed[1].risk)}"
    return text
