"""Positions to practise a step on, as many as wanted, and what is said to a move in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapper.errors import IllegalMove, NotationError, Unavailable
from sapper.generate.puzzles.make import make_puzzle, puzzle_rules
from sapper.generate.tables.make import make_table, table_rules
from sapper.infer.budget import Limit
from sapper.infer.odds.analysis import analyse
from sapper.infer.odds.samples import counter_example
from sapper.infer.proofs.follows import mines_of_one
from sapper.infer.proofs.sentences import Sentence
from sapper.model.frame import FLAG, Frame
from sapper.model.game import Game
from sapper.model.move import Move
from sapper.model.rules import Rules
from sapper.model.tilings import tiling
from sapper.web.learning.lessons import Lesson
from sapper.web.learning.steps import Found

# Practice boards are small enough for a phone, and dense enough for every step to come up.
RULES = "10x8/16"
GUESS_RULES = "8x6/11"
PAPER = (6, 5)
# So many positions of real games are looked through for the step of a lesson.
MOST_TRIES = 400


@dataclass(frozen=True)
class Position:
    """A frame, and where the step of the lesson is in it."""

    frame: Frame
    found: tuple[Found, ...]


@dataclass(frozen=True)
class Reply:
    """What is said to a move: right or wrong, of the step or not, and why."""

    right: bool
    of_step: bool
    sentence: Sentence
    hints: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    """What the move opens or flags."""
    example: tuple[int, ...] | None = None
    """The mines of a placement in which a wrong move is wrong."""


def first_board(lesson: Lesson, limit: Limit) -> Position:
    """The board that the lesson begins with: its own moves, told from its own hints."""
    frame, board = lesson.frame, lesson.frame.board
    wanted = [Move.parse(move, board) for move in lesson.moves]
    cells = {move.cell for move in wanted}
    found = [one for one in lesson.step(frame, limit) if cells & {*one.flag, *one.reveal}]
    hints = {board.cell(name) for name in lesson.hints.split()}
    # Of several ways to the same cell the lesson shows the one that it speaks of.
    found.sort(key=lambda one: not hints >= set(one.hints))
    return Position(frame, tuple(found))


def mirrored(lesson: Lesson, limit: Limit) -> Position:
    """The first board in a mirror, for the picture: it shows the step, and not the answer."""
    *head, rows = lesson.rows.partition("\n") if lesson.rows.startswith("mines") else (lesson.rows,)
    frame = Frame.parse("".join(head) + "\n".join(row[::-1] for row in rows.split("\n")))
    width = (frame.board.size or (1, 1))[0]
    turned = {cell: cell + width - 1 - 2 * (cell % width) for cell in frame.board.cells}
    cells = {turned[Move.parse(move, frame.board).cell or 0] for move in lesson.moves}
    hints = {turned[frame.board.cell(name)] for name in lesson.hints.split()}
    found = [one for one in lesson.step(frame, limit) if cells & {*one.flag, *one.reveal}]
    found.sort(key=lambda one: not hints >= set(one.hints))
    return Position(frame, tuple(found))


def practice(lesson: Lesson, seed: int, limit: Limit) -> Position:
    """The position of a seed at which the lesson's step moves; the same for ever."""
    for number in range(seed, seed + MOST_TRIES):
        limit.check("no position to practise on by then")
        frame = _drawn(lesson.source, number, limit)
        if frame is None:
            continue
        found = tuple(lesson.step(frame, limit))
        if found:
            return Position(frame, found)
    raise Unavailable(f"expected a position for {lesson.name}, got none in {MOST_TRIES}")


def reply(lesson: Lesson, position: Position, move: Move, limit: Limit) -> Reply:
    """What is said to a move; a chord is one of the cells around its number."""
    frame, cell = position.frame, move.cell
    assert cell is not None
    if move.action == "chord":
        return _chord(position, cell)
    if move.action not in ("reveal", "flag"):
        raise NotationError(f"expected to reveal or to flag a cell, got {move.action!r:.60}")
    frame.board.cell(cell)
    if frame.marks[cell] != -1:
        state = "flagged" if frame.marks[cell] == FLAG else "open"
        raise IllegalMove(f"cannot {move.action} {frame.board.name(cell)}: it is {state}")
    is_mine = move.action == "flag"
    for one in position.found:
        if cell in (one.flag if is_mine else one.reveal):
            return Reply(True, True, one.why(frame, cell), one.hints, (cell,))
    if lesson.source == "guess":
        return _poor_guess(frame, cell, limit)
    against = counter_example(frame, cell, not is_mine, limit)
    if against is None:
        words = "That is certain, too, but by another step."
        return Reply(True, False, (words,), cells=(cell,))
    told = "It may be free" if is_mine else "It may be a mine"
    words = f"{told}: with the mines drawn here every hint is met."
    return Reply(False, False, (words,), example=tuple(np.flatnonzero(against).tolist()))


def answer(position: Position) -> tuple[Found, Move]:
    """A step of the position and a move that it gives, for somebody who gives up."""
    one = position.found[0]
    return one, Move("flag", one.flag[0]) if one.flag else Move("reveal", one.reveal[0])


def _chord(position: Position, cell: int) -> Reply:
    for one in position.found:
        if one.hints == (cell,) and one.reveal:
            why = one.why(position.frame, one.reveal[0])
            return Reply(True, True, why, one.hints, one.reveal)
    return Reply(False, False, ("This hint has not all its flags, or nothing left to open.",))


def _poor_guess(frame: Frame, cell: int, limit: Limit) -> Reply:
    odds = analyse(frame, trust_flags=True, budget=limit).probability
    words = "Its odds are higher than they need be: compare it with cells away from the hints."
    if odds[cell] == 1:
        words = "That one is certainly a mine."
    return Reply(False, False, (words,))


def _drawn(source: str, seed: int, limit: Limit) -> Frame | None:
    """A position from a real game, or of a paper puzzle; None where the seed has none."""
    if source == "paper":
        return make_table(table_rules(tiling("square", *PAPER), rung="one"), seed, limit).frame
    if source == "guess":
        return _stuck(seed, limit)
    rung = "one" if source == "flagged" else source
    frame = make_puzzle(puzzle_rules(rung, size=RULES), seed, limit).frame
    if source == "flagged":
        return frame.with_marks(dict.fromkeys(mines_of_one(frame), FLAG))
    return frame


def _stuck(seed: int, limit: Limit) -> Frame | None:
    """The first position of a game in which nothing is certain, certain mines flagged."""
    game = Game.deal(Rules.parse(GUESS_RULES, rule="zero"), seed)
    game.play(Move("reveal", game.board.middle))
    while not game.over:
        analysis = analyse(game.frame, budget=limit)
        if not len(analysis.reveal_cells):
            return game.frame.with_marks(dict.fromkeys(analysis.flag_cells.tolist(), FLAG))
        for cell in analysis.reveal_cells.tolist():
            if game.frame.marks[cell] < 0 and not game.over:
                game.play(Move("reveal", cell))
    return None
