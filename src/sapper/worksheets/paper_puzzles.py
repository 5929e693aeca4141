"""Worksheets of paper puzzles: find all mines."""

from __future__ import annotations

import re

from sapper.board.board import Board
from sapper.errors import NotationError
from sapper.generators.paper_puzzles.make import (
    PaperPuzzle,
    paper_puzzle,
    seeds_to_try,
    without_repeats,
)
from sapper.generators.paper_puzzles.rules import PaperPuzzleRules, paper_puzzle_rules
from sapper.serialize.cells import Json
from sapper.worksheets.kind import Task, WorksheetItem, WorksheetKind


def _rules(
    board: Board,
    difficulty: str | None = None,
    or_easier: bool = False,
    open: str | None = None,  # noqa: A002  (the name of the option)
    open_cells: str | None = None,
    method: str | None = None,
    mine_density: float | None = None,
) -> PaperPuzzleRules:
    if open_cells is not None and open is not None:
        raise NotationError("an open set and chosen open cells cannot be combined")
    return paper_puzzle_rules(
        board,
        open_set=open if open_cells is None else re.findall(r"[^\s,]+", open_cells),
        method=method,
        mine_density=mine_density,
        difficulty=difficulty,
        or_easier=or_easier,
    )


def _item(puzzle: PaperPuzzle) -> WorksheetItem:
    return WorksheetItem(puzzle.position, puzzle.mine_cells, puzzle.difficulty)


def _json(puzzle: PaperPuzzle) -> Json:
    return {
        "position": f"{puzzle.position}\n",
        "solution": list(puzzle.solution),
        "difficulty": puzzle.difficulty,
        "unique_by": puzzle.unique_by,
        "reason": puzzle.reason,
        "numbers": len(puzzle.position.revealed),
        "tries": puzzle.tries,
        "seed": puzzle.seed,
    }


PAPER_PUZZLES = WorksheetKind(
    name="puzzle",
    plural="puzzles",
    about="find all mines",
    title="Paper Minesweeper",
    task=Task(
        (
            "Put a cross in every empty cell that hides a mine, and a dash in every other empty "
            "cell.",
            "There is exactly one solution, and you can find it without guessing.",
        )
    ),
    rules=_rules,
    problem=paper_puzzle,
    item=_item,
    json_key="paper_puzzles",
    json=_json,
    uses_mine_count=False,
    seeds=seeds_to_try,
    select=without_repeats,
)
