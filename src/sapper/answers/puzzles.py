"""Puzzles as commands and page tell them: as JSON, and as a sheet with its solutions."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sapper.answers.spelling import Json
from sapper.answers.worksheets import Style
from sapper.errors import IllegalMove, NotationError
from sapper.generate.puzzles.make import Puzzle, PuzzleRules, puzzle_rules
from sapper.infer.budget import Limit
from sapper.infer.ladder.rungs import RUNGS
from sapper.infer.odds.samples import counter_example
from sapper.infer.proofs.prove import Proof, Prover
from sapper.infer.proofs.sentences import Point, Sentence
from sapper.kernels.codes import UNKNOWN
from sapper.model.frame import FLAG
from sapper.model.move import Move
from sapper.model.rules import format_size
from sapper.render.sheet import Entry, Sheet
from sapper.wording import counted


@dataclass(frozen=True)
class Judged:
    """What is said to a move in a puzzle: whether it is certain, and why or why not."""

    right: bool
    cell: int
    """The cell that the sentence speaks of."""
    sentence: Sentence
    hint_cells: tuple[int, ...] = ()
    """The hints that prove what the cell is, where that is certain."""
    mine_count: bool = False
    mine_cells: tuple[int, ...] | None = None
    """Where it is not certain: the mines of a placement in which the move is wrong."""
    odds: float | None = None

    @classmethod
    def by_proof(cls, proof: Proof, right: bool) -> Judged:
        """A judgement that a proof explains."""
        assert proof.move.cell is not None
        return cls(right, proof.move.cell, proof.sentence, proof.hint_cells, proof.mine_count)


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


def judge(puzzle: Puzzle, move: Move, limit: Limit) -> Judged:
    """Judge a move that reveals or flags a blank: any certain one is right, also a harder one.

    A wrong one is answered by the proof of what the cell is, or by a placement against it.
    """
    frame, cell = puzzle.frame, move.cell
    if cell is None or move.action not in ("reveal", "flag"):
        raise NotationError(f"expected a cell to reveal or to flag, got {move.action!r:.60}")
    name = frame.board.name(frame.board.cell(cell))
    if frame.marks[cell] == FLAG:
        raise IllegalMove(f"cannot {move.action} {name}: it is flagged, and flags are right here")
    if frame.marks[cell] >= 0:
        raise IllegalMove(f"cannot {move.action} {name}: it is revealed")
    prover = Prover(frame, limit, trust_flags=True)
    if prover.certain[cell] != UNKNOWN:
        proof = prover.proof(cell)
        return Judged.by_proof(proof, proof.move == move)
    against = counter_example(frame, cell, move.action == "reveal", limit)
    assert against is not None
    odds = float(prover.analysis.probability[cell])
    what = "a mine" if move.action == "reveal" else "free"
    marked = Point((cell,), name, "the marked cell")
    sentence = (marked, f" may be {what}: with these mines every hint is met.")
    mines = tuple(np.flatnonzero(against).tolist())
    return Judged(False, cell, sentence, mine_cells=mines, odds=odds)
