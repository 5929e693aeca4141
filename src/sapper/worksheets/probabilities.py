"""Worksheets of probabilities: give the probability of a mine as a fraction.

The positions are from random games and have few enough solutions to be listed by hand. Flags mark
mines that are already known, and they are correct.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.position import FLAG, Position
from sapper.board.random_stream import RandomStream
from sapper.board.rules import Rules
from sapper.engine.analysis import Analysis, analyse
from sapper.engine.budget import Budget, Limit, start_limit
from sapper.games.game import Game
from sapper.serialize.cells import BY_NAME, Json
from sapper.wording import count_text
from sapper.worksheets.kind import Task, WorksheetItem, WorksheetKind, game_rules

# Limits that keep the solutions few and small enough to be listed by hand.
MAX_SOLUTIONS = 20
MAX_UNCERTAIN_CELLS = 24
MAX_ASKED_CELLS = 3


@dataclass(frozen=True)
class ProbabilityExercise:
    """A position without a certain move, and the exact probability of every covered cell."""

    position: Position
    asked_cells: tuple[int, ...]
    fractions: dict[int, Fraction]
    """By cell, for each covered cell without a flag."""
    solutions: int
    seed: int


def probability_exercise(rules: Rules, seed: int, budget: Budget) -> ProbabilityExercise:
    """Return the exercise of a seed: a position without a certain move from a random game."""
    limit, stream = start_limit(budget), RandomStream(seed)
    games = 0
    while True:
        limit.check(f"{count_text(games, 'game')} without such a position")
        games += 1
        chosen = None
        # Reservoir sampling: the n-th position replaces the choice with probability 1/n.
        for n, analysis in enumerate(_positions_to_guess(rules, stream, limit), 1):
            if stream.below(n) == 0:
                chosen = analysis
        if chosen is not None:
            return _ask_for_probabilities(chosen, seed)


def _ask_for_probabilities(analysis: Analysis, seed: int) -> ProbabilityExercise:
    """Return an exercise that asks for up to three cells of different probabilities."""
    fractions = _fractions(analysis)
    first_cells: dict[Fraction, int] = {}
    for cell, fraction in fractions.items():
        first_cells.setdefault(fraction, cell)
    flags = dict.fromkeys(analysis.certain_mine_cells.tolist(), FLAG)
    return ProbabilityExercise(
        analysis.position.with_marks(flags),
        tuple(sorted(first_cells.values())[:MAX_ASKED_CELLS]),
        fractions,
        analysis.solutions,
        seed,
    )


def _positions_to_guess(rules: Rules, stream: RandomStream, limit: Limit) -> Iterator[Analysis]:
    """Play a random game and yield its positions without a safe cell that have few solutions.

    Certain moves are made at once, and every guess is safe. Positions in which all probabilities
    are equal are left out.
    """
    layout = _random_layout(rules, stream)
    game = Game.from_layout(layout)
    game.play(Move("reveal", layout.click))
    while not game.over:
        analysis = analyse(game.position, budget=limit)
        safe_cells = analysis.safe_cells.tolist()
        if not safe_cells:
            if _is_countable_by_hand(analysis) and len(set(_fractions(analysis).values())) > 1:
                yield analysis
            covered = game.position.covered
            allowed = covered[layout.mine_mask[covered] == 0]
            safe_cells = [int(allowed[stream.below(len(allowed))])]
        for cell in safe_cells:
            if game.position.marks[cell] < 0 and not game.over:
                game.play(Move("reveal", cell))


def _is_countable_by_hand(analysis: Analysis) -> bool:
    # The logarithm is compared first, because exact counts of large positions take time.
    uncertain = len(analysis.position.covered) - len(analysis.certain_mine_cells)
    if uncertain > MAX_UNCERTAIN_CELLS or analysis.ln_solutions >= math.log(2 * MAX_SOLUTIONS):
        return False
    return analysis.solutions <= MAX_SOLUTIONS


def _fractions(analysis: Analysis) -> dict[int, Fraction]:
    """Return the probability of each covered cell that is not a certain mine."""
    certain_mines = set(analysis.certain_mine_cells.tolist())
    cells = (cell for cell in analysis.position.covered.tolist() if cell not in certain_mines)
    known = ((cell, analysis.fractions[cell]) for cell in cells)
    return {cell: fraction for cell, fraction in known if fraction is not None}


def _random_layout(rules: Rules, stream: RandomStream) -> Layout:
    cells = np.arange(len(rules.board), dtype=np.int32)
    first_cells = [cell for cell in cells.tolist() if rules.allows_first(cell)]
    first = first_cells[stream.below(len(first_cells))]
    allowed = np.delete(cells, rules.mine_free_cells(first))
    return Layout(rules.board, stream.draw_mines(allowed, rules.mines, len(cells)), first)


def _item(exercise: ProbabilityExercise) -> WorksheetItem:
    letters = dict(zip(exercise.asked_cells, "ABC", strict=False))
    answers = (f"{letter} = {exercise.fractions[cell]}" for cell, letter in letters.items())
    return WorksheetItem(
        exercise.position,
        safe_cells=(),
        shows_mine_count=True,
        letters=letters,
        answer_rows=(tuple(f"{letter} =" for letter in letters.values()),),
        answer=(f"{', '.join(answers)} ({count_text(exercise.solutions, 'way')})",),
        answer_labels={cell: str(fraction) for cell, fraction in exercise.fractions.items()},
    )


def _json(exercise: ProbabilityExercise) -> Json:
    board, fractions = exercise.position.board, exercise.fractions
    return {
        "position": f"{exercise.position}\n",
        "asked": BY_NAME.cells(board, exercise.asked_cells),
        "probabilities": {board.name(cell): str(fractions[cell]) for cell in fractions},
        "solutions": str(exercise.solutions),
        "seed": exercise.seed,
    }


PROBABILITIES = WorksheetKind(
    name="probability",
    plural="probabilities",
    about="give probabilities as fractions",
    title="Exact probabilities",
    task=Task(
        (
            "A flag marks a mine that is already known; the number of mines that are left is "
            "beside each exercise. Find all ways to place these mines so that every number is "
            "right.",
            "All ways are equally likely. What is the probability that A hides a mine, and B, and "
            "C? Write it as a fraction: the ways with a mine there, divided by all ways.",
        ),
        key_title="answers",
        legend="fraction: the probability of a mine",
        text_legend="fraction: the probability of a mine",
    ),
    rules=game_rules,
    problem=probability_exercise,
    item=_item,
    json_key="exercises",
    json=_json,
)
