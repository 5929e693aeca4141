"""The problems of a worksheet: paper puzzles or exercises."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sapper.engine.budget import Budget, Cancel
from sapper.generators.exercises import Exercise, ExerciseRules, exercise, exercise_seeds, exercises
from sapper.generators.paper_puzzles.make import (
    PaperPuzzle,
    paper_puzzle,
    paper_puzzles,
    seeds_to_try,
    without_repeats,
)
from sapper.generators.paper_puzzles.rules import PaperPuzzleRules

WorksheetRules = PaperPuzzleRules | ExerciseRules
"""What a user chooses before the problems of a worksheet are made."""

Problem = PaperPuzzle | Exercise


def problems(
    rules: WorksheetRules, count: int, seed: int, budget: Budget, cancel: Cancel | None = None
) -> Iterator[Problem]:
    """Yield the problems of a worksheet; the budget is for all of them together."""
    if isinstance(rules, ExerciseRules):
        return exercises(rules, count, seed, budget, cancel)
    return paper_puzzles(rules, count, seed, budget, cancel)


def problem_seeds(rules: WorksheetRules, count: int, seed: int) -> Iterable[int]:
    """Return the seeds to try for a worksheet: more than *count*, where problems may repeat."""
    if isinstance(rules, ExerciseRules):
        return exercise_seeds(count, seed)
    return seeds_to_try(seed, count)


def problems_of_seeds(
    rules: WorksheetRules, budget: Budget, seeds: Iterable[int]
) -> Iterator[Problem]:
    """Yield the problem of each seed; the budget is for each of them."""
    for seed in seeds:
        if isinstance(rules, ExerciseRules):
            yield exercise(rules, seed, budget)
        else:
            yield paper_puzzle(rules, seed, budget)


def first_problems(
    rules: WorksheetRules, candidates: Iterable[Problem], count: int
) -> Iterator[Problem]:
    """Yield the first *count* problems; paper puzzles that repeat another are left out."""
    if isinstance(rules, ExerciseRules):
        yield from candidates
    else:
        puzzles = (problem for problem in candidates if isinstance(problem, PaperPuzzle))
        yield from without_repeats(rules, puzzles, count)
