"""Worksheets of paper puzzles, exercises and training puzzles: contents and file formats."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from sapper.board.rules import format_size
from sapper.errors import NotationError
from sapper.generators.exercises import ExerciseRules, ProbabilityExercise, ProofExercise
from sapper.generators.paper_puzzles.make import PaperPuzzle
from sapper.generators.paper_puzzles.rules import PaperPuzzleRules
from sapper.generators.puzzles import Puzzle, PuzzleRules, puzzle_rules
from sapper.generators.worksheet_codes import encode
from sapper.generators.worksheets import Problem, WorksheetRules
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.proofs.prover import Proof
from sapper.registry import Registry
from sapper.render.worksheet import (
    PAPER_PUZZLE_TASK,
    TITLE,
    SheetStyle,
    Task,
    Worksheet,
    WorksheetItem,
)
from sapper.render.worksheet_pages import Page, cell_size, pages, with_best_orientation
from sapper.serialize.cells import BY_NAME, Json
from sapper.serialize.generated import paper_puzzle_json
from sapper.serialize.positions import proof_json
from sapper.wording import count_text, listed


@dataclass(frozen=True)
class WorksheetKind:
    """An entry of WORKSHEET_KINDS: a kind of problem for worksheets."""

    name: str
    plural: str
    about: str
    """Its description in commands and on the page."""
    title: str
    """The default title of a worksheet."""
    task: Task
    item: Callable[[Any], WorksheetItem]
    """The item of a problem."""
    json_key: str
    """The key of the problems in JSON."""
    json: Callable[[Any], Json]
    """A problem as JSON, with its answer."""


def worksheet(
    rules: WorksheetRules,
    problems: Sequence[Problem],
    seed: int,
    style: SheetStyle,
    file: str | None = None,
) -> Worksheet:
    """Return a worksheet; its footer has the command and code to make it again.

    *file* is the file of the graph, for that command.
    """
    code = encode(rules, len(problems), seed)
    footer = (
        _command(rules, len(problems), seed, file),
        f"seed {seed}" + (f", code {code}" if code else ""),
    )
    kind = WORKSHEET_KINDS[rules.kind]
    style = style.with_title(kind.title)
    return Worksheet([kind.item(problem) for problem in problems], footer, style, kind.task)


def _command(rules: WorksheetRules, count: int, seed: int, file: str | None) -> str:
    board = rules.board
    words = ["sapper", "worksheet"]
    if board.tiling is None or file is not None:
        words += ["--board", file or "board.json"]
    else:
        words.append(f"{board.size[0]}x{board.size[1]}")
        words += [] if board.tiling == "square" else ["--tiling", board.tiling]
    if isinstance(rules, ExerciseRules):
        words += ["--kind", rules.kind]
    else:
        if isinstance(rules.open_set, str):
            words += ["--open", rules.open_set]
        else:
            words += ["--open-cells", ",".join(board.name(cell) for cell in rules.open_set)]
        words += ["--method", rules.method]
    words += ["--mine-density", f"{rules.mine_density:g}"]
    words += [] if rules.difficulty is None else ["--difficulty", rules.difficulty]
    if isinstance(rules, PaperPuzzleRules) and rules.or_easier:
        words.append("--or-easier")
    return shlex.join([*words, "--count", str(count), "--seed", str(seed)])


# Paper puzzles.


def _paper_puzzle_item(puzzle: PaperPuzzle) -> WorksheetItem:
    difficulty = DIFFICULTIES[puzzle.difficulty]
    return WorksheetItem(
        puzzle.position, puzzle.mine_cells, 1 + DIFFICULTIES.index(difficulty), difficulty.label
    )


def _paper_puzzle_row(puzzle: PaperPuzzle) -> Json:
    return {
        "position": f"{puzzle.position}\n",
        "solution": list(puzzle.solution),
        **paper_puzzle_json(puzzle),
        "seed": puzzle.seed,
    }


# Proof exercises.

PROOF_TASK = Task(
    (
        "A flag marks a mine that is already known. At least one empty cell is safe: it cannot "
        "hide a mine. Put a dash in it and write down why, with the numbers that you use.",
        "r3c5 is the cell in row 3, column 5. The dots show how many numbers must be combined.",
    ),
    key_title="answers",
    legend="dash: safe, outlined: the proof",
    text_legend="-: safe, in brackets: the numbers of the proof",
)


def _proof_item(exercise: ProofExercise) -> WorksheetItem:
    difficulty, easiest = DIFFICULTIES[exercise.difficulty], exercise.proofs[0]
    uses_mine_count = any(proof.uses_mine_count for proof in exercise.proofs)
    others = [f"{_safe_cell(proof)} (from {_premises(proof)})" for proof in exercise.proofs[1:]]
    return WorksheetItem(
        exercise.position,
        (),
        min(4, 1 + DIFFICULTIES.index(difficulty)),
        difficulty.label,
        safe_cells=tuple(proof.cell for proof in exercise.proofs),
        outlined=easiest.number_cells,
        note=_mines_left(exercise) if uses_mine_count else "",
        answer_rows=(("Safe cell", "because"), ("",), ("",)),
        answer=(easiest.text, *([f"Also safe: {listed(others)}."] if others else [])),
        coordinates=True,
    )


def _safe_cell(proof: Proof) -> str:
    return proof.position.board.name(proof.cell)


def _premises(proof: Proof) -> str:
    return listed([*proof.numbers, *(["the mine count"] if proof.uses_mine_count else [])])


def _mines_left(problem: ProofExercise | ProbabilityExercise | Puzzle) -> str:
    position = problem.position
    return f"{count_text((position.mines or 0) - len(position.flags), 'mine')} left"


def _proof_row(exercise: ProofExercise) -> Json:
    return {
        "position": f"{exercise.position}\n",
        "difficulty": exercise.difficulty,
        "proofs": [proof_json(proof, BY_NAME) for proof in exercise.proofs],
        "seed": exercise.seed,
    }


# Probability exercises.

PROBABILITY_TASK = Task(
    (
        "A flag marks a mine that is already known; the number of mines that are left is beside "
        "each exercise. Find all ways to place these mines so that every number is right.",
        "All ways are equally likely. What is the probability that A hides a mine, and B, and C? "
        "Write it as a fraction: the ways with a mine there, divided by all ways.",
    ),
    key_title="answers",
    legend="fraction: the probability of a mine",
    text_legend="fraction: the probability of a mine",
)


def _probability_item(exercise: ProbabilityExercise) -> WorksheetItem:
    letters = dict(zip(exercise.asked_cells, "ABC", strict=False))
    answers = (f"{letter} = {exercise.fractions[cell]}" for cell, letter in letters.items())
    return WorksheetItem(
        exercise.position,
        (),
        0,
        "",
        safe_cells=(),
        note=_mines_left(exercise),
        letters=letters,
        answer_rows=(tuple(f"{letter} =" for letter in letters.values()),),
        answer=(f"{', '.join(answers)} ({count_text(exercise.solutions, 'way')})",),
        answer_labels={cell: str(fraction) for cell, fraction in exercise.fractions.items()},
    )


def _probability_row(exercise: ProbabilityExercise) -> Json:
    board, fractions = exercise.position.board, exercise.fractions
    return {
        "position": f"{exercise.position}\n",
        "asked": BY_NAME.cells(board, exercise.asked_cells),
        "probabilities": {board.name(cell): str(fractions[cell]) for cell in fractions},
        "solutions": str(exercise.solutions),
        "seed": exercise.seed,
    }


WORKSHEET_KINDS = Registry(
    "kind of worksheet",
    (
        WorksheetKind(
            name="puzzle",
            plural="puzzles",
            about="find all mines",
            title=TITLE,
            task=PAPER_PUZZLE_TASK,
            item=_paper_puzzle_item,
            json_key="paper_puzzles",
            json=_paper_puzzle_row,
        ),
        WorksheetKind(
            name="proof",
            plural="proofs",
            about="find a safe cell and prove it",
            title="Safe cells and proofs",
            task=PROOF_TASK,
            item=_proof_item,
            json_key="exercises",
            json=_proof_row,
        ),
        WorksheetKind(
            name="probability",
            plural="probabilities",
            about="give probabilities as fractions",
            title="Exact probabilities",
            task=PROBABILITY_TASK,
            item=_probability_item,
            json_key="exercises",
            json=_probability_row,
        ),
    ),
)


# Pages and files.


def lay_out(sheet: Worksheet) -> tuple[tuple[Page, ...], tuple[float, float]]:
    """Return the pages and their size."""
    sheet = with_best_orientation(sheet)
    return pages(sheet), sheet.size


def small_print_warning(sheet: Worksheet) -> str | None:
    """Return a warning if the board is too large for large print."""
    sheet = with_best_orientation(sheet)
    size = cell_size(sheet)
    if not sheet.style.large_print or size >= 0.999 * sheet.print_size.cell[0]:
        return None
    return f"{sheet.board} leaves only {size:.1f} mm for a cell, too little for large print"


def _as_pdf(sheet: Worksheet) -> bytes:
    from sapper.render.pdf import pages_pdf

    return pages_pdf(*lay_out(sheet), sheet.style.title)


def _as_svg(sheet: Worksheet) -> str:
    from sapper.render.svg import pages_svg

    return pages_svg(*lay_out(sheet), sheet.style.title)


def _as_text(sheet: Worksheet) -> str:
    from sapper.render.worksheet import worksheet_text

    return worksheet_text(sheet)


@dataclass(frozen=True)
class Writer:
    """An entry of WRITERS: a file format of worksheets."""

    suffix: str
    media_type: str
    write: Callable[[Worksheet], str | bytes]


WRITERS: dict[str, Writer] = {
    row.suffix: row
    for row in (
        Writer(".pdf", "application/pdf", _as_pdf),
        Writer(".svg", "image/svg+xml", _as_svg),
        Writer(".txt", "text/plain; charset=utf-8", _as_text),
    )
}


def find_writer(file: str) -> Writer:
    """Return the writer for a file name such as 'set.pdf', by its suffix."""
    suffix = PurePath(file).suffix.lower()
    if suffix not in WRITERS:
        raise NotationError(f"expected a file name in {', '.join(WRITERS)}, got {file!r:.200}")
    return WRITERS[suffix]


PUZZLE_TITLE = "Find the safe cells and the mines"

PUZZLE_TASK = Task(
    (
        "A flag marks a mine that is already known. Some of the empty cells can be decided: put a "
        "cross where there must be a mine, and a dash where there cannot be one.",
        "The dots show how many numbers must be combined; fewer are not enough. "
        "One cell is enough to solve the puzzle; the solutions show all of them.",
    )
)


def puzzle_sheet(
    rules: PuzzleRules, puzzles: Sequence[Puzzle], style: SheetStyle, file: str | None = None
) -> Worksheet:
    """Return a worksheet of puzzles; its footer has the command that makes it again.

    *file* is the file of the graph, for that command.
    """
    seed = puzzles[0].seed
    footer = (_puzzle_command(rules, len(puzzles), seed, file), f"seed {seed}")
    style = style.with_title(PUZZLE_TITLE)
    return Worksheet([_puzzle_item(puzzle) for puzzle in puzzles], footer, style, PUZZLE_TASK)


def _puzzle_item(puzzle: Puzzle) -> WorksheetItem:
    difficulty = DIFFICULTIES[puzzle.difficulty]
    return WorksheetItem(
        puzzle.position,
        puzzle.flag,
        1 + DIFFICULTIES.index(difficulty),
        difficulty.label,
        safe_cells=puzzle.reveal,
        outlined=puzzle.proof.number_cells,
        note=_mines_left(puzzle) if difficulty.uses_mine_count else "",
    )


def _puzzle_command(rules: PuzzleRules, count: int, seed: int, file: str | None) -> str:
    words = ["sapper", "puzzle", "--difficulty", rules.difficulty]
    board = rules.rules.board
    if board.tiling is None:
        words += ["--board", file or "board.json", "--size", str(rules.rules.mines)]
    else:
        words += [] if board.tiling == "square" else ["--tiling", board.tiling]
        default = puzzle_rules(rules.difficulty, board.tiling).rules
        words += [] if default == rules.rules else ["--size", format_size(rules.rules)]
    return shlex.join([*words, "--count", str(count), "--seed", str(seed)])
