"""Exercises of a lesson, and feedback on moves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapper.board.move import Move
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.random_stream import SEED_COUNT
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
from sapper.proofs.prover import Prover
from sapper.sentences import Sentence
from sapper.web.learn.lessons import Lesson
from sapper.web.learn.steps import StepMatch

# Boards small enough for a phone, and dense enough for every step to occur.
PUZZLE_SIZE = "10x8/16"
FORCED_GUESS_SIZE = "8x6/11"
PAPER_PUZZLE_SIZE = (6, 5)
# Seeds that are tried until the step of a lesson applies.
MAX_TRIES = 400

SAFER_CELLS = "There are safer cells: compare it with cells away from the numbers."
UNCERTAIN_FLAG = "It may be safe: nothing is certain here, so reveal the cell with the least risk."


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
    """Whether the move follows from the step of the lesson."""
    sentence: Sentence
    numbers: tuple[int, ...] = ()
    cells: tuple[int, ...] = ()
    """The cells that the move reveals or flags; of a wrong move, the cell that is proved."""
    example: tuple[int, ...] | None = None
    """The mines of a solution in which a wrong move is wrong."""


def first_exercise(lesson: Lesson, limit: Limit) -> Exercise:
    """Return the exercise that the lesson starts with: its own position and moves."""
    position = lesson.position
    cells = {move.cell for move in lesson.parsed_moves}
    numbers = set(lesson.number_cells)
    matches = [
        match for match in lesson.step(position, limit) if cells & {*match.flag, *match.reveal}
    ]
    # Of several proofs of one move, the one that the lesson mentions comes first.
    matches.sort(key=lambda match: not numbers >= set(match.numbers))
    return Exercise(position, tuple(matches))


def find_exercise(lesson: Lesson, seed: int, limit: Limit) -> Exercise:
    """Return the first position in which the step applies, trying seeds from *seed* on."""
    for position_seed in range(seed, seed + MAX_TRIES):
        limit.check("no exercise found so far")
        position = _position_of_seed(lesson.source, position_seed % SEED_COUNT, limit)
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
    position.board.cell(cell)  # raises an error for a cell outside the board
    if position.marks[cell] != COVERED:
        state = "flagged" if position.marks[cell] == FLAG else "revealed"
        raise IllegalMove(f"cannot {move.action} {position.board.name(cell)}: it is {state}")
    is_mine = move.action == "flag"
    for match in exercise.matches:
        if cell in (match.flag if is_mine else match.reveal):
            return Feedback(True, True, match.reason(position, cell), match.numbers, (cell,))
    counterexample = find_solution_with(position, cell, not is_mine, limit)
    if counterexample is None:
        text = "That is certain too, but by a different step."
        return Feedback(True, False, (text,), cells=(cell,))
    if find_solution_with(position, cell, is_mine, limit) is None:
        return _judge_opposite(exercise, Move("reveal" if is_mine else "flag", cell), limit)
    if lesson.source == "guess":
        return Feedback(False, False, (UNCERTAIN_FLAG if is_mine else SAFER_CELLS,))
    possible = "It may be safe" if is_mine else "It may be a mine"
    sentence = f"{possible}: here is a layout that fits every number."
    return Feedback(
        False, False, (sentence,), example=tuple(np.flatnonzero(counterexample).tolist())
    )


def _judge_opposite(exercise: Exercise, certain: Move, limit: Limit) -> Feedback:
    """Judge a wrong move whose opposite is certain, with a proof of that."""
    cell, is_mine = certain.cell, certain.action == "flag"
    assert cell is not None
    for match in exercise.matches:
        if cell in (match.flag if is_mine else match.reveal):
            numbers, reason = match.numbers, match.reason(exercise.position, cell)
            break
    else:
        proof = Prover(exercise.position, limit, trust_flags=True).proof(cell)
        numbers, reason = proof.number_cells, proof.sentence
    state = "a mine" if is_mine else "safe"
    return Feedback(False, False, (f"That is certainly {state}: ", *reason), numbers, (cell,))


def first_move(exercise: Exercise) -> tuple[StepMatch, Move]:
    """Return a step that applies, and a move that it gives."""
    match = exercise.matches[0]
    return match, Move("flag", match.flag[0]) if match.flag else Move("reveal", match.reveal[0])


def show_answer(exercise: Exercise) -> Feedback:
    """Return a right move with its reason, for a user who gives up."""
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
        False, False, ("This number lacks flags, or has no covered cell left to reveal.",)
    )


def _position_of_seed(source: str, seed: int, limit: Limit) -> Position | None:
    """Return a position from a real game, or a paper puzzle; None if the seed gives none."""
    if source == "paper":
        rules = paper_puzzle_rules(tiling("square", *PAPER_PUZZLE_SIZE), difficulty="one")
        return paper_puzzle(rules, seed, limit).position
    if source == "guess":
        return _forced_guess(seed, limit)
    difficulty = "one" if source == "flagged" else source
    position = find_puzzle(puzzle_rules(difficulty, size=PUZZLE_SIZE), seed, limit).position
    if source == "flagged":
        return position.with_marks(dict.fromkeys(single_number_mines(position), FLAG))
    return position


def _forced_guess(seed: int, limit: Limit) -> Position | None:
    """Return the first position of a game that needs a guess, with certain mines flagged."""
    game = Game.new(Rules.parse(FORCED_GUESS_SIZE, rule="zero"), seed)
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
