"""Puzzles as commands and page tell them: as JSON, and as a sheet with its solutions."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sapper.board.move import Move
from sapper.board.position import FLAG
from sapper.board.rules import format_size
from sapper.engine.budget import Limit
from sapper.engine.sampling import counter_example
from sapper.errors import IllegalMove, NotationError
from sapper.generators.puzzles.make import Puzzle, PuzzleRules, puzzle_rules
from sapper.kernels.codes import UNKNOWN
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.proofs.prover import Proof, Prover
from sapper.render.worksheet_pages import Worksheet, WorksheetItem
from sapper.sentences import CellRef, Sentence
from sapper.serialize.cells import Json
from sapper.serialize.worksheets import SheetStyle
from sapper.wording import counted


@dataclass(frozen=True)
class MoveJudgement:
    """What is said to a move in a puzzle: whether it is certain, and why or why not."""

    right: bool
    cell: int
    """The cell that the sentence speaks of."""
    sentence: Sentence
    number_cells: tuple[int, ...] = ()
    """The numbers that prove what the cell is, where that is certain."""
    uses_mine_count: bool = False
    mine_cells: tuple[int, ...] | None = None
    """Where it is not certain: the mines of a solution in which the move is wrong."""
    probabilities: float | None = None

    @classmethod
    def by_proof(cls, proof: Proof, right: bool) -> MoveJudgement:
        """A judgement that a proof explains."""
        assert proof.move.cell is not None
        return cls(
            right, proof.move.cell, proof.sentence, proof.number_cells, proof.uses_mine_count
        )


TITLE = "Find the certain cells"

TASK = (
    "A flag is a mine that is already known. Some of the empty cells are certain by now: put a "
    "cross where there must be a mine, and a dash where there cannot be one.",
    "The dots tell how many numbers must be taken together, and nothing easier helps. "
    "One certain cell is enough; the solutions show all of them.",
)


def puzzle_json(puzzle: Puzzle) -> Json:
    """A puzzle as `sapper puzzle --json` tells it; `easiest` is the move that its numbers prove."""
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
    """The sheet of these puzzles; its foot says how to make it again (*file* is a graph's)."""
    seed = puzzles[0].seed
    again = command(rules, len(puzzles), seed, file)
    return Worksheet(
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


def _entry(puzzle: Puzzle) -> WorksheetItem:
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


def command(rules: PuzzleRules, count: int, seed: int, file: str | None = None) -> str:
    """The command that makes these puzzles again."""
    words = ["sapper", "puzzle", "--difficulty", rules.difficulty]
    board = rules.rules.board
    if board.tiling is None:
        words += ["--board", file or "board.json", "--size", str(rules.rules.mines)]
    else:
        words += [] if board.tiling == "square" else ["--tiling", board.tiling]
        usual = puzzle_rules(rules.difficulty, board.tiling).rules
        words += [] if usual == rules.rules else ["--size", format_size(rules.rules)]
    return shlex.join([*words, "--count", str(count), "--seed", str(seed)])


def judge(puzzle: Puzzle, move: Move, limit: Limit) -> MoveJudgement:
    """Judge a move that reveals or flags a covered cell: any certain one is right, also a harder one.

    A wrong one is answered by the proof of what the cell is, or by a solution against it.
    """
    position, cell = puzzle.position, move.cell
    if cell is None or move.action not in ("reveal", "flag"):
        raise NotationError(f"expected a cell to reveal or to flag, got {move.action!r:.60}")
    name = position.board.name(position.board.cell(cell))
    if position.marks[cell] == FLAG:
        raise IllegalMove(f"cannot {move.action} {name}: it is flagged, and flags are right here")
    if position.marks[cell] >= 0:
        raise IllegalMove(f"cannot {move.action} {name}: it is revealed")
    prover = Prover(position, limit, trust_flags=True)
    if prover.certain[cell] != UNKNOWN:
        proof = prover.proof(cell)
        return MoveJudgement.by_proof(proof, proof.move == move)
    against = counter_example(position, cell, move.action == "reveal", limit)
    assert against is not None
    probabilities = float(prover.analysis.probability[cell])
    what = "a mine" if move.action == "reveal" else "free"
    marked = CellRef((cell,), name, "the marked cell")
    sentence = (marked, f" may be {what}: with these mines every number is met.")
    mines = tuple(np.flatnonzero(against).tolist())
    return MoveJudgement(False, cell, sentence, mine_cells=mines, probabilities=probabilities)
