"""The table of openings: better moves for positions that recur, found with many samples.

`python -m training openings` makes the table (docs/how-to/train.md). A file is JSON: for each
board, positions with the move, the choice of `shrewd` that it replaces, and what the study
measured; and the SHA-256 of all that. `training/cards/openings.json` lists everything that was
studied.

A board has the positions of the file and all their images under its symmetries.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from sapper.board.board import Board, Ints
from sapper.board.position import COVERED, Position
from sapper.board.rules import Rules
from sapper.board.symmetries import Symmetry, outline_symmetries
from sapper.errors import NotationError, SapperError, Unavailable
from sapper.kernels.board import cell_key

FORMAT = "sapper openings 1"
FILE = "openings.json"
_MEASURED = (
    "ln_solutions",
    "rate",
    "rate_error",
    "instead_rate",
    "instead_error",
    "gain_error",
)


@dataclass(frozen=True)
class Opening:
    """A position with the move that wins more often than the choice of `shrewd`."""

    position: Position
    ln_solutions: float
    move: int
    instead: int
    """The choice of `shrewd`."""
    rate: float
    """The win rate of the move in roll-outs in which `shrewd` plays on."""
    rate_error: float
    """The standard error of `rate`."""
    instead_rate: float
    """The win rate of the choice of `shrewd` on the same samples."""
    instead_error: float
    """The standard error of `instead_rate`."""
    gain_error: float
    """The standard error of the difference of the two rates."""
    samples: int

    @property
    def key(self) -> int:
        """The key of the position, as in the kernel `players.shrewd`."""
        marks = self.position.marks
        key = cell_key(len(marks), self.position.mines or 0)
        for cell in np.flatnonzero(marks >= 0).tolist():
            key ^= cell_key(cell, int(marks[cell]))
        return key

    def image(self, symmetry: Symmetry) -> Opening:
        """Return the image under a symmetry of the board."""
        marks: Ints = np.empty_like(self.position.marks)
        marks[np.array(symmetry)] = self.position.marks
        return replace(
            self,
            position=Position(self.position.board, marks, self.position.mines),
            move=symmetry[self.move],
            instead=symmetry[self.instead],
        )


@dataclass(frozen=True)
class OpeningTable:
    """The openings of one board, sorted by key, in the form of the kernel."""

    openings: tuple[Opening, ...] = ()

    @property
    def keys(self) -> npt.NDArray[np.uint64]:
        """The keys of the positions."""
        return np.array([opening.key for opening in self.openings], np.uint64)

    @property
    def ln_solutions(self) -> npt.NDArray[np.float64]:
        """The logarithms of the numbers of solutions."""
        return np.array([opening.ln_solutions for opening in self.openings], np.float64)

    @property
    def moves(self) -> Ints:
        """The cells to reveal."""
        return np.array([opening.move for opening in self.openings], np.int32)

    @property
    def max_revealed(self) -> int:
        """The revealed cells of the largest position, -1 if there is none."""
        counts = (int((opening.position.marks >= 0).sum()) for opening in self.openings)
        return max(counts, default=-1)


def parse_openings(text: str, name: str = FILE) -> dict[str, tuple[Opening, ...]]:
    """Read the content of a file: the openings of each size, without their images.

    Raises NotationError if it is damaged or not a table of openings.
    """
    try:
        content = json.loads(text)
        boards, digest = content["boards"], content["sha256"]
        if content["format"] != FORMAT:
            raise NotationError(f"{name}: expected {FORMAT!r}, got {content['format']!r:.60}")
        if digest != checksum(boards):
            raise NotationError(f"{name}: expected an undamaged table, got a wrong checksum")
        return {size: tuple(_opening(size, row) for row in rows) for size, rows in boards.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, SapperError):
            raise
        raise NotationError(f"{name}: expected a table of openings, got {text[:40]!r}") from None


def checksum(boards: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the boards of a file."""
    return hashlib.sha256(json.dumps(boards, sort_keys=True).encode()).hexdigest()


def format_openings(tables: Mapping[str, tuple[Opening, ...]]) -> str:
    """Return the content of a file."""
    boards = {size: [_row(opening) for opening in rows] for size, rows in tables.items()}
    content = {"format": FORMAT, "boards": boards, "sha256": checksum(boards)}
    return json.dumps(content, indent=1) + "\n"


def _opening(size: str, row: Mapping[str, Any]) -> Opening:
    rules = Rules.of(size, "square")
    position = Position.of(rules.board, row["position"], mines=rules.mines)
    move, instead = rules.board.cell(row["move"]), rules.board.cell(row["instead"])
    if position.marks[move] != COVERED or position.marks[instead] != COVERED:
        raise NotationError(f"{FILE}: expected covered cells, got {row['move']}, {row['instead']}")
    measured = {name: float(row[name]) for name in _MEASURED}
    return Opening(position, move=move, instead=instead, samples=int(row["samples"]), **measured)


def _row(opening: Opening) -> dict[str, Any]:
    names, marks = opening.position.board.names, opening.position.marks
    revealed = np.flatnonzero(marks >= 0).tolist()
    return {
        "position": {names[cell]: int(marks[cell]) for cell in revealed},
        "move": names[opening.move],
        "instead": names[opening.instead],
        "samples": opening.samples,
        **{name: getattr(opening, name) for name in _MEASURED},
    }


@lru_cache(maxsize=1)
def bundled_openings() -> dict[str, tuple[Opening, ...]]:
    """Return the openings of the package, by size; raise Unavailable if the file is damaged."""
    path = files("sapper") / "data" / FILE
    try:
        return parse_openings(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unavailable(f"cannot read the openings {FILE}: {error.strerror}") from None
    except ValueError as error:
        raise Unavailable(str(error)) from None


@lru_cache(maxsize=8)
def openings_for(board: Board) -> OpeningTable:
    """Return the openings of a board, which has none unless it is square and in the file."""
    if board.tiling != "square":
        return OpeningTable()
    width, height = board.size
    sizes = [size for size in bundled_openings() if size.startswith(f"{width}x{height}/")]
    rows = [opening for size in sizes for opening in bundled_openings()[size]]
    return table_of(board, rows)


def table_of(board: Board, openings: list[Opening]) -> OpeningTable:
    """Return openings with all their images.

    A position that is its own image has several moves that are as good: the lowest cell is taken.
    """
    if not openings:
        return OpeningTable()
    by_key: dict[int, Opening] = {}
    for symmetry in (tuple(board.cells), *outline_symmetries(board)):
        for opening in openings:
            image = opening.image(symmetry)
            other = by_key.setdefault(image.key, image)
            if image.move < other.move:
                by_key[image.key] = image
    return OpeningTable(tuple(by_key[key] for key in sorted(by_key)))
