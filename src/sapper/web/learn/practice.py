"""Exercises for the step of a lesson, and feedback on moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sapper.board.move import Move
from sapper.board.position import FLAG, Position
from sapper.board.random_stream import SEEDS
from sapper.board.rules import Rules
from sapper.board.tilings import tiling
from sapper.engine.analysis import analyse
from sapper.engine.budget import Limit
from sapper.engine.sampling import find_solution_with
from sapper.errors import IllegalMove, NotationError, Unavailable
from sapper.games.game import Game
from sapper.generators.paper_puzzles.make import paper_puzzle
from sapper.generators.paper_puzzles.rules import paper_puzzle_rules
from sapper.generators.puzzles import puzzle as find_puzzle
from sapper.generators.puzzles import puzzle_rules
from sapper.proofs.hints import single_number_mines
from sapper.sentences import Sentence
from sapper.web.learn.lessons import Lesson
from sapper.web.learn.steps import StepMatch

# Boards small enough for a phone, and dense enough for every step to occur.
RULES = "10x8/16"
GUESS_RULES = "8x6/11"
PAPER = (6, 5)
# Positions of real games that are searched for the step of a lesson.
MAX_TRIES = 400


@dataclass(frozen=True)
class Exercise:
    """A position, and where the step of the lesson applies."""

    position: Position
    matches: tuple[StepMatch, ...]


@dataclass(frozen=True)
class Feedback:
    """The judgement of a move, with its reason."""

    right: bool
    of_step: bool
    """Whether it follows by the step of the lesson."""
    sentence: Sentence
    numbers: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    """The cells that the move opens or flags."""
    example: tuple[int, ...] | None = None
    """The mines of a solution in which a wrong move is wrong."""


def first_board(lesson: Lesson, limit: Limit) -> Exercise:
    """Return the board that the lesson starts with."""
    return _own_board(lesson, lesson.position, lambda cell: cell, limit)


def mirrored(lesson: Lesson, limit: Limit) -> Exercise:
    """Return the mirrored first board, for a picture that shows the step but not the answer."""
    position = lesson.position
    width = position.board.size[0] if position.board.size else 1
    marks = position.marks.reshape(-1, width)[:, ::-1].ravel()
    flipped = Position(position.board, marks, position.mines)
    return _own_board(lesson, flipped, lambda cell: cell + width - 1 - 2 * (cell % width), limit)


def _own_board(
    lesson: Lesson, position: Position, map_cell: Callable[[int], int], limit: Limit
) -> Exercise:
    """Return the lesson's own moves; *map_cell* maps cells of its board to those of *position*."""
    board = position.board
    cells = {map_cell(Move.parse(move, board).cell or 0) for move in lesson.moves}
    numbers = {map_cell(board.cell(name)) for name in lesson.numbers.split()}
    matches = [
        match for match in lesson.step(position, limit) if cells & {*match.flag, *match.reveal}
    ]
    # Of several proofs of one move, the one that the lesson mentions comes first.
    matches.sort(key=lambda match: not numbers >= set(match.numbers))
    return Exercise(position, tuple(matches))


def practice(lesson: Lesson, seed: int, limit: Limit) -> Exercise:
    """Return the exercise of a seed."""
    for number in range(seed, seed + MAX_TRIES):
        limit.check("no exercise found so far")
        position = _position_of_seed(lesson.source, number % SEEDS, limit)
        if position is None:
            continue
        matches = tuple(lesson.step(position, limit))
        if matches:
            return Exercise(position, matches)
    raise Unavailable(f"no exercise for {lesson.name} in {MAX_TRIES} positions; try another seed")


def judge_move(lesson: Lesson, exercise: Exercise, move: Move, limit: Limit) -> Feedback:
    """Judge a reveal, a flag or a chord."""
    position, cell = exercise.position, move.cell
    assert cell is not None
    if move.action == "chord":
        return _judge_chord(exercise, cell)
    if move.action not in ("reveal", "flag"):
        raise NotationError(f"expected to reveal or to flag a cell, got {move.action!r:.60}")
    position.board.cell(cell)
    if position.marks[cell] != -1:
        state = "flagged" if position.marks[cell] == FLAG else "open"
        raise IllegalMove(f"cannot {move.action} {position.board.name(cell)}: it is {state}")
    is_mine = move.action == "flag"
    for match in exercise.matches:
        if cell in (match.flag if is_mine else match.reveal):
            return Feedback(True, True, match.reason(position, cell), match.numbers, (cell,))
    if lesson.source == "guess":
        return _judge_guess(position, cell, limit)
    counterexample = find_solution_with(position, cell, not is_mine, limit)
    if counterexample is None:
        return Feedback(True, False, ("That is certain too, but by another step.",), cells=(cell,))
    possible = "It may be safe" if is_mine else "It may be a mine"
    sentence = f"{possible}: here is a layout that fits every number."
    return Feedback(
        False, False, (sentence,), example=tuple(np.flatnonzero(counterexample).tolist())
    )


def first_move(exercise: Exercise) -> tuple[StepMatch, Move]:
    """Return a step that applies, and a move that it gives."""
    match = exercise.matches[0]
    return match, Move("flag", match.flag[0]) if match.flag else Move("reveal", match.reveal[0])


def answer_feedback(exercise: Exercise) -> Feedback:
    """Return the answer, for a user who gives up."""
    match, move = first_move(exercise)
    assert move.cell is not None
    reason = match.reason(exercise.position, move.cell)
    return Feedback(False, True, reason, match.numbers, (move.cell,))


def _judge_chord(exercise: Exercise, cell: int) -> Feedback:
    for match in exercise.matches:
        if match.numbers == (cell,) and match.reveal:
            reason = match.reason(exercise.position, match.reveal[0])
            return Feedback(True, True, reason, match.numbers, match.reveal)
    return Feedback(
        False, False, ("Some flags of this number are missing, or there is nothing left to open.",)
    )


def _judge_guess(position: Position, cell: int, limit: Limit) -> Feedback:
    probabilities = analyse(position, trust_flags=True, budget=limit).probability_array
    sentence = "There are safer cells: compare it with cells away from the numbers."
    if probabilities[cell] == 1:
        sentence = "That one is certainly a mine."
    return Feedback(False, False, (sentence,))


def _position_of_seed(source: str, seed: int, limit: Limit) -> Position | None:
    """Return a position of a real game, or a paper puzzle; None where the seed has none."""
    if source == "paper":
        rules = paper_puzzle_rules(tiling("square", *PAPER), difficulty="one")
        return paper_puzzle(rules, seed, limit).position
    if source == "guess":
        return _forced_guess(seed, limit)
    difficulty = "one" if source == "flagged" else source
    position = find_puzzle(puzzle_rules(difficulty, size=RULES), seed, limit).position
    if source == "flagged":
        return position.with_marks(dict.fromkeys(single_number_mines(position), FLAG))
    return position


def _forced_guess(seed: int, limit: Limit) -> Position | None:
    """Return the first position of a game without a certain move, certain mines flagged."""
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
