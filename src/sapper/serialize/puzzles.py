"""Training puzzles as JSON and as worksheets."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import numpy as np

from sapper.board.rules import format_size
from sapper.generators.puzzles.make import Puzzle, PuzzleRules, puzzle_rules
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.render.worksheet import Worksheet, WorksheetItem
from sapper.serialize.cells import Json
from sapper.serialize.worksheets import SheetStyle
from sapper.wording import counted

TITLE = "Find the certain cells"

TASK = (
    "A flag is a mine that is already known. Some of the empty cells are certain: put a cross where "
    "there must be a mine, and a dash where there cannot be one.",
    "The dots show how many numbers must be combined; nothing easier helps. "
    "One certain cell is enough; the solutions show all of them.",
)


def puzzle_json(puzzle: Puzzle) -> Json:
    """Return a puzzle as JSON; `easiest` is the move that its numbers prove."""
    proof = puzzle.proof
    return {
        "position": f"{puzzle.position}\n",
        "moves": list(puzzle.moves),
        "difficulty": puzzle.difficulty,
        "numbers": list(puzzle.numbers),
        "rating": puzzle.rating,
        "seed": puzzle.seed,
        "easiest": proof.move.format(puzzle.position.board),
        "uses_mine_count": proof.uses_mine_count,
    }


def puzzle_sheet(
    rules: PuzzleRules, puzzles: Sequence[Puzzle], style: SheetStyle, file: str | None = None
) -> Worksheet:
    """Return a worksheet of puzzles; its footer has the command that makes it again.

    *file* is the file of the graph, for that command.
    """
    seed = puzzles[0].seed
    return Worksheet(
        [_item(puzzle) for puzzle in puzzles],
        style.title,
        (_command(rules, len(puzzles), seed, file), f"seed {seed}"),
        style.paper,
        style.large_print,
        style.high_contrast,
        style.per_page,
        style.solutions,
        task=TASK,
    )


def _item(puzzle: Puzzle) -> WorksheetItem:
    difficulty, position = DIFFICULTIES[puzzle.difficulty], puzzle.position
    flag, reveal = (np.array(cells, dtype=np.int32) for cells in (puzzle.flag, puzzle.reveal))
    left = (position.mines or 0) - len(position.flags)
    return WorksheetItem(
        position,
        flag,
        1 + DIFFICULTIES.index(difficulty),
        difficulty.label,
        safe_cells=reveal,
        outlined=puzzle.proof.number_cells,
        note=f"{counted(left, 'mine')} left" if difficulty.uses_mine_count else "",
    )


def _command(rules: PuzzleRules, count: int, seed: int, file: str | None) -> str:
    words = ["sapper", "puzzle", "--difficulty", rules.difficulty]
    board = rules.rules.board
    if board.tiling is None:
        words += ["--board", file or "board.json", "--size", str(rules.rules.mines)]
    else:
        words += [] if board.tiling == "square" else ["--tiling", board.tiling]
        default = puzzle_rules(rules.difficulty, board.tiling).rules
        words += [] if default == rules.rules else ["--size", format_size(rules.rules)]
    return shlex.join([*words, "--count", str(count), "--seed", str(seed)])
