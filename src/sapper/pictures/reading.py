"""Read a position from a picture of any Minesweeper program."""

from __future__ import annotations

from dataclasses import dataclass, replace
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sapper.board.board import Ints
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.tilings import tiling
from sapper.engine.analysis import analyse
from sapper.engine.budget import Budget
from sapper.errors import Contradiction, OutOfBudget, RulesError, Unavailable
from sapper.pictures import network, rules
from sapper.pictures.boards import FoundBoard, find_boards
from sapper.pictures.counter import read_counter
from sapper.pictures.files import PictureSource, load_picture
from sapper.pictures.lattice import Lattice
from sapper.values import check_int
from sapper.wording import count_text

if TYPE_CHECKING:
    from PIL.Image import Image

MIN_SURE_CONFIDENCE = 0.95
"""Cells with less confidence are unsure."""
MIN_MEDIAN_CONFIDENCE, MAX_UNSURE_SHARE = 0.5, 0.15
"""A board with numbers has at least this median confidence; one without numbers has at most this
share of unsure cells."""
MAX_ALTERNATIVES = 3
"""How many other marks are listed for an unsure cell."""
CHECK_BUDGET = Budget(seconds=1.0, memory=200 << 20)
"""The budget for checking that the position has a solution."""
MAX_REPAIRS, MIN_REPAIR_PROBABILITY = 12, 1e-4
"""How many labels are changed to give a position a solution, and the least likely new label."""
MIN_CUT, MAX_UNREAD_SHARE = 0.1, 0.7
"""Shares of a cell: a side is cut if at least this much of its cells is outside the picture; and at
most this much of a further row or column may be in the picture without being read."""
MAX_IGNORED_VIOLATIONS = 2
"""Up to this many numbers that break the rules do not reduce the confidence of other cells."""
MIN_ALIKE = 4
"""A cell looks odd if fewer than this many cells of its label look like it."""
MAX_ALIKE_DIFFERENCE = 14.0
"""Root mean square difference of pixels, in levels, below which two cells look alike."""
MIN_COMPARED, MAX_COMPARED = 20, 2500
"""Labels with this many cells or fewer, or with more than this many, are not compared."""

_LOCK = Lock()
"""Held while a picture is read: the number of threads that numpy uses is one of the process."""


@dataclass(frozen=True)
class UnsureCell:
    """A cell that could not be read with certainty."""

    cell: int
    read: int
    """The mark in the position: a number, COVERED or FLAG."""
    confidence: float
    alternatives: tuple[int, ...]
    """Other marks that it may be, the most likely first."""


@dataclass(frozen=True)
class Reading:
    """A position that was read from a picture.

    `confidence` is the estimated probability that every cell is right. `notes` has remarks of one
    line each, such as another board in the picture. `lattice` is the place of the board in pixels.
    """

    position: Position
    confidence: float
    unsure_cells: tuple[UnsureCell, ...]
    cell_confidence: tuple[float, ...]
    notes: tuple[str, ...]
    lattice: Lattice

    @property
    def unsure(self) -> tuple[str, ...]:
        """The names of the unsure cells, in cell order."""
        return tuple(self.position.board.name(item.cell) for item in self.unsure_cells)

    def __repr__(self) -> str:
        return (
            f"<Reading of {self.position.board.title}, confidence {self.confidence:.2f}, "
            f"{len(self.unsure_cells)} unsure cells>"
        )


def read(
    picture: PictureSource, *, mines: int | None = None, size: tuple[int, int] | None = None
) -> Reading:
    """Read a position from a screenshot: a file name, bytes, a binary stream or a Pillow image.

    *mines* is the mine count, if known; otherwise a counter of seven-segment digits is read. *size*
    is the number of columns and rows of the board, if known.
    Mines that a lost game shows are read as flags, question marks as covered cells. Raises
    Unavailable if there is no board in the picture. Threads read one at a time, while the matrix
    products of the whole process are limited to one thread.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        raise Unavailable(
            "reading pictures needs threadpoolctl: pip install 'sapper[picture]'"
        ) from None
    if mines is not None:
        mines = check_int(mines, "a mine count")
    if size is not None:
        size = check_int(size[0], "a width"), check_int(size[1], "a height")
        if min(size) < 1:
            raise RulesError(f"expected a size of at least 1x1, got {size[0]}x{size[1]}")
    image = load_picture(picture)
    # Threads of OpenBLAS spin between its products, which are short here: on a busy machine they
    # took six times the CPU time of the whole reading.
    with _LOCK, threadpool_limits(1, "blas"):
        return _read_image(image, mines, size)


def _read_image(image: Image, mines: int | None, size: tuple[int, int] | None) -> Reading:
    boards = find_boards(image, size)
    board = boards[0]
    columns, rows = board.lattice.columns, board.lattice.rows
    if mines is not None and mines > columns * rows:
        raise RulesError(f"{mines} mines do not fit on the {columns}x{rows} cells of the picture")
    decision = _decide(board, image)
    reading = _reading(decision, board, mines, _notes(boards, decision))
    if size is None and not _is_plausible(reading):
        raise Unavailable("no board found in the picture")
    if mines is None and not any(decision.open_sides):
        reading = _with_counter(reading, image, board)
    elif mines is not None and not _has_solution(reading.position):
        note = f"with {count_text(mines, 'mine')} the position has no solution"
        reading = replace(reading, notes=(*reading.notes, note))
    return reading


def _has_solution(position: Position) -> bool:
    """Return whether a position has a solution, or may have one beyond CHECK_BUDGET."""
    try:
        analyse(position, budget=CHECK_BUDGET)
    except Contradiction:
        return False
    except OutOfBudget:
        pass
    return True


def _is_plausible(reading: Reading) -> bool:
    """Return whether this may be a board: not a sudoku, a keyboard, a crossword, nor noise."""
    confidence = np.array(reading.cell_confidence)
    if (reading.position.marks > 0).any():
        return float(np.median(confidence)) >= MIN_MEDIAN_CONFIDENCE
    return float((confidence < MIN_SURE_CONFIDENCE).mean()) <= MAX_UNSURE_SHARE


def _with_counter(reading: Reading, image: Image, board: FoundBoard) -> Reading:
    """Return a reading with the mine count by the counter in the picture, if that is certain.

    The counter shows the mines without a flag. A lost game shows mines, which are read as flags.
    """
    flags = reading.position.marks == FLAG
    shows_mines = bool((board.joint.argmax(axis=-1) == network.MINE).any())
    if shows_mines or (np.array(reading.cell_confidence)[flags] < MIN_SURE_CONFIDENCE).any():
        return reading
    shown = read_counter(image, board.lattice)
    mines = int(flags.sum()) + (shown or 0)
    if shown is None or mines == 0:
        return reading
    try:
        position = Position(reading.position.board, reading.position.marks, mines)
    except RulesError:
        return reading
    if not _has_solution(position):
        return reading
    note = f"the mine count of {mines} is from the counter in the picture"
    return replace(reading, position=position, notes=(*reading.notes, note))


def _cut_sides(lattice: Lattice, image: Image, min_share: float) -> tuple[bool, bool, bool, bool]:
    """Return at which sides a share of a cell is outside the picture: top, bottom, left, right.

    With a negative share, the sides with less space than this between board and picture edge.
    """
    right = lattice.left + lattice.columns * lattice.width
    bottom = lattice.top + lattice.rows * lattice.height
    return (
        lattice.top < -min_share * lattice.height,
        bottom > image.height + min_share * lattice.height,
        lattice.left < -min_share * lattice.width,
        right > image.width + min_share * lattice.width,
    )


def _marks(labels: rules.Labels) -> Ints:
    marks = labels.astype(np.int32).ravel()
    marks[labels.ravel() == network.COVERED] = COVERED
    marks[labels.ravel() == network.FLAG] = FLAG
    return marks


def _conflict(labels: rules.Labels) -> tuple[int, ...]:
    """Return numbers that cannot all be right; empty where the position has a solution."""
    rows, columns = labels.shape
    try:
        analyse(Position(tiling("square", columns, rows), _marks(labels)), budget=CHECK_BUDGET)
    except Contradiction as error:
        return error.number_cells
    except OutOfBudget:
        pass
    return ()


def _decide(board: FoundBoard, image: Image) -> rules.Decision:
    """Return the most likely labels that have a solution, if the whole board is in the picture."""
    costs, cut = rules.label_costs(board.joint), _cut_sides(board.lattice, image, MIN_CUT)
    decision = rules.decide(costs, cut)
    if decision.violated.any() or any(decision.open_sides):
        return decision
    conflict = _conflict(decision.labels)
    if not conflict:
        return decision
    near = _cut_sides(board.lattice, image, -MAX_UNREAD_SHARE)
    if any(near):
        rows, columns = np.divmod(conflict, board.lattice.columns)
        last = board.lattice.rows - 1, board.lattice.columns - 1
        touched = (rows == 0, rows == last[0], columns == 0, columns == last[1])
        continued = [bool(side and at.any()) for side, at in zip(near, touched, strict=True)]
        if any(continued):
            return rules.decide(costs, (continued[0], continued[1], continued[2], continued[3]))
    return _make_solvable(decision, conflict)


def _make_solvable(decision: rules.Decision, conflict: tuple[int, ...]) -> rules.Decision:
    """Change the least likely labels until the position has a solution, if possible."""
    labels, probabilities = decision.labels.copy(), decision.probabilities.copy()
    columns = labels.shape[1]
    for _ in range(MAX_REPAIRS):
        cells = [divmod(cell, columns) for cell in conflict]
        y, x = min(cells, key=lambda at: float(probabilities[at][labels[at]]))
        for at in cells:  # one of them is wrong
            probabilities[at][labels[at]] *= 0.9
        others = probabilities[y, x].copy()
        others[labels[y, x]] = -1
        if others.max() <= MIN_REPAIR_PROBABILITY:
            break
        labels[y, x] = int(others.argmax())
        conflict = _conflict(labels)
        if not conflict:
            break
    return rules.Decision(labels, probabilities, decision.violated, decision.open_sides)


def _reading(
    decision: rules.Decision, board: FoundBoard, mines: int | None, notes: tuple[str, ...]
) -> Reading:
    rows, columns = decision.labels.shape
    marks = _marks(decision.labels)
    position = Position(tiling("square", columns, rows), marks, mines)
    confidence = _confidence(decision, board)
    order = np.argsort(-decision.probabilities, axis=2).reshape(rows * columns, -1)
    unsure = []
    for cell in np.flatnonzero(confidence < MIN_SURE_CONFIDENCE).tolist():
        probabilities = decision.probabilities.reshape(rows * columns, -1)[cell]
        others = [k for k in order[cell].tolist() if k != decision.labels.flat[cell]]
        likely = [k for k in others if probabilities[k] > 0.005][:MAX_ALTERNATIVES] or others[:1]
        unsure.append(
            UnsureCell(
                cell,
                int(marks[cell]),
                float(confidence[cell]),
                tuple(_mark(k) for k in likely),
            )
        )
    return Reading(
        position,
        float(np.exp(np.log(confidence.clip(min=1e-3)).sum())),
        tuple(unsure),
        tuple(float(c) for c in confidence),
        notes,
        board.lattice,
    )


def _mark(label: int) -> int:
    return {network.COVERED: COVERED, network.FLAG: FLAG}.get(label, label)


def _confidence(decision: rules.Decision, board: FoundBoard) -> network.Floats:
    """Return the probability of each cell's label; lower where the rules are violated."""
    chosen = np.take_along_axis(decision.probabilities, decision.labels[..., None].astype(int), 2)[
        ..., 0
    ]
    violated = decision.violated
    near = violated | (rules.count_neighbours(violated) > 0)
    chosen = np.where(near, np.minimum(chosen, 0.8), chosen)
    chosen = np.where(_odd_cells(decision.labels, board), np.minimum(chosen, 0.9), chosen)
    numbers = max(1, int((decision.labels <= 8).sum()))
    # Users may flag wrong cells, so a few violated numbers make only the cells around them unsure.
    share = max(0, int(violated.sum()) - MAX_IGNORED_VIOLATIONS) / numbers
    doubt = min(1.0, 8 * share) * 0.6 + max(0.0, 0.97 - board.quality) * 2
    return np.asarray((chosen * (1 - min(0.9, doubt))).ravel())


def _odd_cells(labels: rules.Labels, board: FoundBoard) -> npt.NDArray[np.bool_]:
    """Return the cells that look unlike the others of their label: something may cover them.

    Numbers are left out, because most of them are rare.
    """
    rows, columns = labels.shape
    size, edge, parts = network.CELL, 2, 4
    cells = board.pixels.reshape(rows, size, columns, size, 3).swapaxes(1, 2)
    inner = cells[:, :, edge:-edge, edge:-edge].astype(np.float32)
    features = inner.reshape(rows, columns, parts, 4, parts, 4, 3).mean(axis=(3, 5))
    odd = np.zeros(labels.shape, bool)
    for label in (0, network.COVERED, network.FLAG):
        ys, xs = np.nonzero(labels == label)
        if not MIN_COMPARED < len(ys) <= MAX_COMPARED:
            continue
        vectors = features[ys, xs].reshape(len(ys), -1)
        squares = (vectors**2).mean(axis=1)
        differences = squares[:, None] + squares - 2 * (vectors @ vectors.T) / vectors.shape[1]
        differences = np.sqrt(differences.clip(min=0))
        np.fill_diagonal(differences, np.inf)
        alike = differences < max(
            MAX_ALIKE_DIFFERENCE, 4 * float(np.median(differences.min(axis=1)))
        )
        odd[ys, xs] = alike.sum(axis=1) < MIN_ALIKE
    return odd


def _notes(boards: list[FoundBoard], decision: rules.Decision) -> tuple[str, ...]:
    notes = []
    for other in boards[1:]:
        lattice = other.lattice
        notes.append(
            f"another board of {lattice.columns}x{lattice.rows} cells is at "
            f"({round(lattice.left)}, {round(lattice.top)}); it was not read"
        )
    if any(decision.open_sides):
        notes.append("the board seems to continue beyond the picture")
    return tuple(notes)
