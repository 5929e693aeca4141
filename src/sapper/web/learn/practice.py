"""Positions to practise a step on, as many as wanted, and what is said to a move in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapper.board.move import Move
from sapper.board.position import FLAG, Position
from sapper.board.rules import Rules
from sapper.board.tilings import tiling
from sapper.engine.analysis import analyse
from sapper.engine.budget import Limit
from sapper.engine.sampling import find_solution_with
from sapper.errors import IllegalMove, NotationError, Unavailable
from sapper.games.game import Game
from sapper.generators.paper_puzzles.make import paper_puzzle
from sapper.generators.paper_puzzles.rules import paper_puzzle_rules
from sapper.generators.puzzles.make import puzzle as find_puzzle
from sapper.generators.puzzles.make import puzzle_rules
from sapper.proofs.premises import single_number_mines
from sapper.sentences import Sentence
from sapper.web.learn.lessons import Lesson
from sapper.web.learn.steps import StepMatch

# Practice boards are small enough for a phone, and dense enough for every step to come up.
RULES = "10x8/16"
GUESS_RULES = "8x6/11"
PAPER = (6, 5)
# So many positions of real games are looked through for the step of a lesson.
MAX_TRIES = 400


@dataclass(frozen=True)
class Exercise:
    """A position, and where the step of the lesson is in it."""

    position: Position
    found: tuple[StepMatch, ...]


@dataclass(frozen=True)
class Feedback:
    """What is said to a move: right or wrong, of the step or not, and why."""

    right: bool
    of_step: bool
    sentence: Sentence
    numbers: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    """What the move opens or flags."""
    example: tuple[int, ...] | None = None
    """The mines of a solution in which a wrong move is wrong."""


def first_board(lesson: Lesson, limit: Limit) -> Exercise:
    """The board that the lesson begins with: its own moves, told from its own numbers."""
    position, board = lesson.position, lesson.position.board
    wanted = [Move.parse(move, board) for move in lesson.moves]
    cells = {move.cell for move in wanted}
    found = [one for one in lesson.step(position, limit) if cells & {*one.flag, *one.reveal}]
    numbers = {board.cell(name) for name in lesson.numbers.split()}
    # Of several ways to the same cell the lesson shows the one that it speaks of.
    found.sort(key=lambda one: not numbers >= set(one.numbers))
    return Exercise(position, tuple(found))


def mirrored(lesson: Lesson, limit: Limit) -> Exercise:
    """The first board in a mirror, for the picture: it shows the step, and not the answer."""
    *head, rows = lesson.rows.partition("\n") if lesson.rows.startswith("mines") else (lesson.rows,)
    position = Position.parse("".join(head) + "\n".join(row[::-1] for row in rows.split("\n")))
    width = (position.board.size or (1, 1))[0]
    turned = {cell: cell + width - 1 - 2 * (cell % width) for cell in position.board.cells}
    cells = {turned[Move.parse(move, position.board).cell or 0] for move in lesson.moves}
    numbers = {turned[position.board.cell(name)] for name in lesson.numbers.split()}
    found = [one for one in lesson.step(position, limit) if cells & {*one.flag, *one.reveal}]
    found.sort(key=lambda one: not numbers >= set(one.numbers))
    return Exercise(position, tuple(found))


def practice(lesson: Lesson, seed: int, limit: Limit) -> Exercise:
    """The position of a seed at which the lesson's step moves; the same for ever."""
    for number in range(seed, seed + MAX_TRIES):
        limit.check("no position to practise on by then")
        position = _drawn(lesson.source, number, limit)
        if position is None:
            continue
        found = tuple(lesson.step(position, limit))
        if found:
            return Exercise(position, found)
    raise Unavailable(f"expected a position for {lesson.name}, got none in {MAX_TRIES}")


def judge_move(lesson: Lesson, exercise: Exercise, move: Move, limit: Limit) -> Feedback:
    """What is said to a move; a chord is one of the cells around its number."""
    position, cell = exercise.position, move.cell
    assert cell is not None
    if move.action == "chord":
        return _chord(exercise, cell)
    if move.action not in ("reveal", "flag"):
        raise NotationError(f"expected to reveal or to flag a cell, got {move.action!r:.60}")
    position.board.cell(cell)
    if position.marks[cell] != -1:
        state = "flagged" if position.marks[cell] == FLAG else "open"
        raise IllegalMove(f"cannot {move.action} {position.board.name(cell)}: it is {state}")
    is_mine = move.action == "flag"
    for one in exercise.found:
        if cell in (one.flag if is_mine else one.reveal):
            return Feedback(True, True, one.why(position, cell), one.numbers, (cell,))
    if lesson.source == "guess":
        return _poor_guess(position, cell, limit)
    against = find_solution_with(position, cell, not is_mine, limit)
    if against is None:
        words = "That is certain, too, but by another step."
        return Feedback(True, False, (words,), cells=(cell,))
    told = "It may be free" if is_mine else "It may be a mine"
    words = f"{told}: with the mines drawn here every number is met."
    return Feedback(False, False, (words,), example=tuple(np.flatnonzero(against).tolist()))


def answer(exercise: Exercise) -> tuple[StepMatch, Move]:
    """A step of the position and a move that it gives, for somebody who gives up."""
    one = exercise.found[0]
    return one, Move("flag", one.flag[0]) if one.flag else Move("reveal", one.reveal[0])


def _chord(exercise: Exercise, cell: int) -> Feedback:
    for one in exercise.found:
        if one.numbers == (cell,) and one.reveal:
            why = one.why(exercise.position, one.reveal[0])
            return Feedback(True, True, why, one.numbers, one.reveal)
    return Feedback(False, False, ("This number has not all its flags, or nothing left to open.",))


def _poor_guess(position: Position, cell: int, limit: Limit) -> Feedback:
    probabilities = analyse(position, trust_flags=True, budget=limit).probability_array
    words = "Its probabilities are higher than they need be: compare it with cells away from the numbers."
    if probabilities[cell] == 1:
        words = "That one is certainly a mine."
    return Feedback(False, False, (words,))


def _drawn(source: str, seed: int, limit: Limit) -> Position | None:
    """A position from a real game, or of a paper puzzle; None where the seed has none."""
    if source == "paper":
        return paper_puzzle(
            paper_puzzle_rules(tiling("square", *PAPER), difficulty="one"), seed, limit
        ).position
    if source == "guess":
        return _stuck(seed, limit)
    difficulty = "one" if source == "flagged" else source
    position = find_puzzle(puzzle_rules(difficulty, size=RULES), seed, limit).position
    if source == "flagged":
        return position.with_marks(dict.fromkeys(single_number_mines(position), FLAG))
    return position


def _stuck(seed: int, limit: Limit) -> Position | None:
    """The first position of a game in which nothing is certain, certain mines flagged."""
    game = Game.new(Rules.parse(GUESS_RULES, rule="zero"), seed)
    game.play(Move("reveal", game.board.middle))
    while not game.over:
        analysis = analyse(game.position, budget=limit)
        if not len(analysis.safe_cells):
            return game.position.with_marks(
                dict.fromkeys(analysis.certain_mine_cells.tolist(), FLAG)
            )
        for cell in analysis.safe_cells.tolist():
            if game.position.marks[cell] < 0 and not game.over:
                game.play(Move("reveal", cell))
    return None
