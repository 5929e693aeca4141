"""Learning: a guided path through the seven strategies to a first proof from three hints.

The frames are those of the docs; a test holds the two together. What the learner hears about a
cell comes from the proofs, so that the page explains any move, right or wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sapper.answers.page_words import on_page
from sapper.answers.spelling import BY_INDEX, Json
from sapper.infer.budget import DEFAULT
from sapper.infer.proofs.prove import Prover
from sapper.kernels.codes import FREE, MINE
from sapper.model.frame import Frame
from sapper.model.layout import Layout
from sapper.model.move import Move
from sapper.percent import percent
from sapper.web.server.guard import JsonResponse
from sapper.web.wire.boards import shapes_of


@dataclass(frozen=True)
class Lesson:
    """One step of the path: a frame, what to see in it, and the moves to find."""

    name: str
    title: str
    teaches: str
    task: str
    rows: str
    mines: str
    """The names of the mines: what a cell shows when it is revealed follows from them."""
    hints: str
    """The names of the hints to look at."""
    moves: tuple[str, ...]
    page: str = "how-it-works/the-seven-strategies.md"
    """The page of the docs with the same frame."""

    @property
    def frame(self) -> Frame:
        """The frame to learn on."""
        return Frame.parse(self.rows)

    @property
    def layout(self) -> Layout:
        """Where the mines are."""
        board = self.frame.board
        mask = np.zeros(len(board), dtype=np.uint8)
        mask[[board.cell(name) for name in self.mines.split()]] = 1
        return Layout(board, mask)


_TWO_ONE = "#######\n#32212#\n#1...1#"
_ONE_TWO = "#######\n#21223#\n#1...1#"
_AFTER = "#####2#\n#32212#\n#1...1#"
_RING = "#####\n#222#\n#2.2#\n#222#\n#####"

LESSONS: tuple[Lesson, ...] = (
    Lesson(
        "strategy-1",
        "Strategy 1: all of them are mines",
        "A hint tells how many mines are around it. What it still lacks after its flags is its "
        "need. Where the need equals the number of blanks, every one of them is a mine.",
        "The 3 in the middle has one flag and two blanks around it. Flag what must be mines.",
        "#####\n#F###\n#232#\n#111#\n#####",
        "r2c2 r2c3 r2c4 r5c3",
        "r3c3",
        ("flag r2c3", "flag r2c4"),
    ),
    Lesson(
        "strategy-2",
        "Strategy 2: none of them is a mine",
        "The other end of the scale: a hint that has all its flags needs nothing more, and the "
        "rest of its blanks are free.",
        "The 1 has its mine. Reveal what must be free.",
        "F1#",
        "r1c1",
        "r1c2",
        ("reveal r1c3",),
    ),
    Lesson(
        "strategy-3",
        "Strategy 3: what is left for the larger hint",
        "Two hints that share blanks say more than each alone. The shared blanks hold at most as "
        "many mines as the smaller of the two needs. What the larger one needs beyond that must "
        "be among its own blanks.",
        "The 2 in the middle shares two blanks with the 1 on its left, and has one blank of its "
        "own. Flag it.",
        _ONE_TWO,
        "r1c3 r1c5 r1c6 r2c1 r2c7",
        "r2c3 r2c4",
        ("flag r1c5",),
    ),
    Lesson(
        "strategy-4",
        "Strategy 4: the same from the other side",
        "Strategies 3 and 4 are one thought: they differ only in which of the two hints is named "
        "first. A player learns to see it in both directions.",
        "Now the 1 stands on the right of the 2. Which blank of the 2 must be a mine?",
        _TWO_ONE,
        "r1c2 r1c3 r1c5 r2c1 r2c7",
        "r2c4 r2c5",
        ("flag r1c3",),
    ),
    Lesson(
        "strategy-5",
        "Strategy 5: the shared blanks are mines",
        "The shared blanks also hold at least so many mines: what a hint needs beyond its own "
        "blanks. Where that is as many as there are shared blanks, all of them are mines.",
        "The 2 on the right sees only the two blanks that it shares with the other 2. Flag them.",
        "###\n#22",
        "r1c2 r1c3",
        "r2c2 r2c3",
        ("flag r1c2", "flag r1c3"),
    ),
    Lesson(
        "strategy-6",
        "Strategy 6: nothing is left for the smaller hint",
        "If the shared blanks must hold all that a hint needs, then its own blanks are free.",
        "The 2 puts at least one mine into the blanks that it shares with the 1 on its right, "
        "and the 1 needs no more. Reveal what only the 1 sees.",
        _TWO_ONE,
        "r1c2 r1c3 r1c5 r2c1 r2c7",
        "r2c4 r2c5",
        ("reveal r1c6",),
    ),
    Lesson(
        "strategy-7",
        "Strategy 7: the same from the other side",
        "6 and 7 are one thought again. Look for a hint whose blanks all lie under another one "
        "that needs as much.",
        "The game has gone on, and r1c6 shows a 2. All its blanks are blanks of the 2 below it "
        "as well. Reveal what only the lower one sees.",
        _AFTER,
        "r1c2 r1c3 r1c5 r2c1 r2c7",
        "r1c6 r2c6",
        ("reveal r3c7",),
    ),
    Lesson(
        "three-hints",
        "Three hints: a first proof",
        "Here no two hints say anything together. Suppose a cell were not what you think, and "
        "follow it from hint to hint until one of them cannot be met: that is a proof.",
        "Suppose r1c2 were free. Then r2c3 needs both of its other blanks above; now r2c4 has all "
        "its mines, and r3c4 cannot get its second one. So flag r1c2. Then find the free cell "
        "that the same three hints give.",
        _RING,
        "r1c2 r1c4 r2c1 r2c5 r4c1 r4c5 r5c2 r5c4",
        "r2c3 r2c4 r3c4",
        ("flag r1c2", "reveal r1c5"),
        "how-it-works/proofs.md",
    ),
)


async def lessons(request: Request) -> Response:
    """The whole path, with an answer for every cell; it never changes."""
    return JsonResponse({"lessons": await to_thread.run_sync(all_lessons)})


ROUTES = [Route("/api/learn", lessons)]


@cache
def all_lessons() -> list[Json]:
    """The lessons as the page shows them."""
    return [lesson_json(lesson) for lesson in LESSONS]


def lesson_json(lesson: Lesson) -> Json:
    """A lesson with its board, its marks, and what is true of each blank."""
    frame = lesson.frame
    board = frame.board
    return {
        "name": lesson.name,
        "title": on_page(lesson.title),
        "teaches": on_page(lesson.teaches),
        "task": on_page(lesson.task),
        "board": shapes_of(board),
        "marks": frame.marks.tolist(),
        "hints": [board.cell(name) for name in lesson.hints.split()],
        "moves": BY_INDEX.moves(board, [Move.parse(move, board) for move in lesson.moves]),
        "answers": _answers(lesson),
    }


def _answers(lesson: Lesson) -> dict[int, Json]:
    """For each cell that is not revealed: what it certainly is, why, and what it shows."""
    frame, hints = lesson.frame, lesson.layout.hints
    prover = Prover(frame, DEFAULT.start(), trust_flags=True)
    answers = {}
    for cell in np.flatnonzero(frame.marks < 0).tolist():
        if prover.certain[cell] in (FREE, MINE) and frame.marks[cell] == -1:
            what = "mine" if prover.certain[cell] == MINE else "free"
            answers[cell] = {
                "is": what,
                "why": on_page(prover.proof(cell).text),
                "shows": int(hints[cell]),
            }
        else:
            answers[cell] = {"is": None, "why": on_page(_open(frame, prover, cell)), "shows": None}
    return answers


def _open(frame: Frame, prover: Prover, cell: int) -> str:
    name, odds = frame.board.name(cell), float(prover.analysis.probability[cell])
    if frame.marks[cell] != -1:
        return f"{name} is flagged, and the flag is right."
    if odds != odds:
        return f"No hint sees {name}, so nothing is known of it."
    return f"{name} may be either: the hints alone leave it a mine with odds of {percent(odds)}."
