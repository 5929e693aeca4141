"""Puzzles as commands and page tell them: as JSON, and as a sheet with its solutions."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

import numpy as np

from sapper.answers.spelling import Json
from sapper.answers.worksheets import Style
from sapper.generate.puzzles.make import Puzzle, PuzzleRules, puzzle_rules
from sapper.infer.ladder.rungs import RUNGS
from sapper.infer.solution import counted
from sapper.model.rules import format_size
from sapper.render.sheet import Entry, Sheet

TITLE = "Find the certain cells"

TASK = (
    "A flag is a mine that is already known. Some of the empty cells are certain by now: put a "
    "cross where there must be a mine, and a dash where there cannot be one.",
    "The dots tell how many numbers must be taken together, and nothing easier helps. "
    "One certain cell is enough; the solutions show all of them.",
)


def puzzle_json(puzzle: Puzzle) -> Json:
    """A puzzle as `sapper puzzle --json` tells it; `easiest` is the move that its hints prove."""
    proof = puzzle.proof
    return {
        "frame": f"{puzzle.frame}\n",
        "moves": list(puzzle.moves),
        "rung": puzzle.rung,
        "hints": list(puzzle.hints),
        "rating": puzzle.rating,
        "seed": puzzle.seed,
        "easiest": proof.move.format(puzzle.frame.board),
        "mine_count": proof.mine_count,
    }


def puzzle_sheet(
    rules: PuzzleRules, puzzles: Sequence[Puzzle], style: Style, file: str | None = None
) -> Sheet:
    """The sheet of these puzzles; its foot says how to make it again (*file* is a graph's)."""
    seed = puzzles[0].seed
    again = command(rules, len(puzzles), seed, file)
    return Sheet(
        [_entry(puzzle) for puzzle in puzzles],
        style.title,
        (again, f"seed {seed}"),
        style.paper,
        style.large_print,
        style.high_contrast,
        style.per_page,
        style.solutions,
        task=TASK,
    )


def _entry(puzzle: Puzzle) -> Entry:
    rung, frame = RUNGS[puzzle.rung], puzzle.frame
    flag, reveal = (np.array(cells, dtype=np.int32) for cells in (puzzle.flag, puzzle.reveal))
    left = (frame.mines or 0) - len(frame.flags)
    return Entry(
        frame,
        flag,
        1 + RUNGS.place(rung),
        rung.label,
        free_cells=reveal,
        outlined=puzzle.proof.hint_cells,
        note=f"{counted(left, 'mine')} left" if rung.mine_count else "",
    )


def command(rules: PuzzleRules, count: int, seed: int, file: str | None = None) -> str:
    """The command that makes these puzzles again."""
    words = ["sapper", "puzzle", "--rung", rules.rung]
    board = rules.rules.board
    if board.tiling is None:
        words += ["--board", file or "board.json", "--size", str(rules.rules.mines)]
    else:
        words += [] if board.tiling == "square" else ["--tiling", board.tiling]
        usual = puzzle_rules(rules.rung, board.tiling).rules
        words += [] if usual == rules.rules else ["--size", format_size(rules.rules)]
    return shlex.join([*words, "--count", str(count), "--seed", str(seed)])
