"""Worksheet codes: the rules, number of puzzles and seed of a worksheet in about 16 characters.

All values are packed into one number (mixed radix), written in Crockford's base 32, whose digits
are hard to confuse with each other (no I, L, O, U), and followed by a check digit.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from sapper.board.board import Board
from sapper.board.random_stream import SEED_COUNT
from sapper.board.tilings import TILINGS, tiling
from sapper.errors import NotationError
from sapper.generators.exercises import ExerciseRules, exercise_rules
from sapper.generators.paper_puzzles.drawing import METHODS, OPEN_SETS
from sapper.generators.paper_puzzles.rules import paper_puzzle_rules
from sapper.generators.worksheets import WorksheetRules
from sapper.proofs.difficulty import DIFFICULTIES

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LOOKALIKES = str.maketrans("ILO", "110")
VERSION = 0
_GRAPH, _CUSTOM = "graph", "custom"
_GRAPH_CODE = 5
_OPEN_SET_NAMES = (*OPEN_SETS, _CUSTOM)
# Exercises have no open set: in its place is their kind, from the upper end of its range.
_EXERCISE_CODES = {"proof": 7, "probability": 6}
# The radix of each field, the least significant first. A change of OPEN_SETS or METHODS, or a
# code of a tiling or difficulty that exceeds its radix, needs a new version.
_RADIX = (4, 8, 8, 2, 1000, 8, 2, 1000, 4096, 4096)


@dataclass(frozen=True)
class WorksheetCode:
    """The contents of a code; a graph and open cells that the user chose are not part of it."""

    kind: str
    """`puzzle`, or a kind of exercise."""
    tiling: str
    size: tuple[int, int]
    """Width and height; for a graph, its fingerprint."""
    open_set: str
    """Without meaning for exercises, like the method."""
    method: str
    mine_density: float
    difficulty: str | None
    or_easier: bool
    count: int
    seed: int

    def rules(
        self, board: Board | None = None, open_cells: tuple[int, ...] | None = None
    ) -> WorksheetRules:
        """Return the rules; *board* is needed for a graph, *open_cells* if the user chose them."""
        if self.tiling != _GRAPH:
            board = tiling(self.tiling, *self.size)
        elif board is None or _fingerprint(board) != self.size:
            if board is None:
                raise NotationError("this code is for a graph: give it with --board")
            raise NotationError(f"this code is for another graph, not for {board}")
        if self.kind in _EXERCISE_CODES:
            return exercise_rules(
                board, self.kind, mine_density=self.mine_density, difficulty=self.difficulty
            )
        if self.open_set == _CUSTOM and open_cells is None:
            raise NotationError("this code is for chosen open cells: give them with --open-cells")
        return paper_puzzle_rules(
            board,
            open_set=open_cells if self.open_set == _CUSTOM else self.open_set,
            method=self.method,
            mine_density=self.mine_density,
            difficulty=self.difficulty,
            or_easier=self.or_easier,
        )


def encode(rules: WorksheetRules, count: int, seed: int) -> str | None:
    """Return the code of a worksheet; None if a value is out of its range.

    >>> from sapper.board.tilings import tiling
    >>> encode(paper_puzzle_rules(tiling("square", 9, 10), difficulty="two"), count=30, seed=7)
    '0829-CWR7-9SPT-T'
    """
    board = rules.board
    size = _fingerprint(board) if board.tiling is None else board.size
    tiling_code = _GRAPH_CODE if board.tiling is None else TILINGS[board.tiling].code
    if tiling_code is None:
        return None
    if isinstance(rules, ExerciseRules):
        open_index, method_index, or_easier = _EXERCISE_CODES[rules.kind], 0, False
    else:
        open_set = rules.open_set if isinstance(rules.open_set, str) else _CUSTOM
        open_index = _OPEN_SET_NAMES.index(open_set)
        method_index, or_easier = tuple(METHODS).index(rules.method), rules.or_easier
    fields = (
        VERSION,
        tiling_code,
        open_index,
        method_index,
        round(1000 * rules.mine_density),
        0 if rules.difficulty is None else DIFFICULTIES[rules.difficulty].code,
        int(or_easier),
        count - 1,
        *size,
    )
    if any(not 0 <= value < radix for value, radix in zip(fields, _RADIX, strict=True)):
        return None
    number = seed
    for value, radix in reversed(list(zip(fields, _RADIX, strict=True))):
        number = number * radix + value
    digits = []
    while number:
        number, digit = divmod(number, 32)
        digits.append(digit)
    digits.append(_check_digit(digits))
    text = "".join(DIGITS[digit] for digit in digits)
    return "-".join(text[k : k + 4] for k in range(0, len(text), 4))


def decode(text: str) -> WorksheetCode:
    """Parse a code; spaces, hyphens and letter case do not matter."""
    plain = "".join(text.upper().split()).replace("-", "").translate(LOOKALIKES)
    digits = [DIGITS.find(letter) for letter in plain]
    if not 2 <= len(digits) <= 32 or -1 in digits or _check_digit(digits[:-1]) != digits[-1]:
        raise NotationError(f"expected a code from the foot of a worksheet, got {text!r:.60}")
    number = sum(digit << 5 * k for k, digit in enumerate(digits[:-1]))
    values = []
    for radix in _RADIX:
        number, value = divmod(number, radix)
        values.append(value)
    version, tiling_code, open_index, method_index, *rest = values
    density, difficulty_code, or_easier, count, *size = rest
    tilings = {entry.code: entry.name for entry in TILINGS.values()} | {_GRAPH_CODE: _GRAPH}
    kinds = {code: kind for kind, code in _EXERCISE_CODES.items()}
    kind = kinds.get(open_index, "puzzle")
    difficulties: dict[int, str | None] = {0: None}
    for entry in DIFFICULTIES.values():
        if kind == "proof" or not entry.uses_mine_count:
            difficulties[entry.code] = entry.name
    if (
        version != VERSION
        or tiling_code not in tilings
        or (kind == "puzzle" and open_index >= len(_OPEN_SET_NAMES))
        or difficulty_code not in difficulties
        or number >= SEED_COUNT
    ):
        raise NotationError(f"code {text!r:.60} is not from this version of Sapper")
    return WorksheetCode(
        kind,
        tilings[tiling_code],
        (size[0], size[1]),
        _OPEN_SET_NAMES[open_index] if kind == "puzzle" else "",
        tuple(METHODS)[method_index],
        density / 1000,
        difficulties[difficulty_code],
        bool(or_easier),
        count + 1,
        number,
    )


def _check_digit(digits: list[int]) -> int:
    """Return a checksum that detects any single wrong digit, because its weights are odd."""
    return sum((2 * k + 1) * digit for k, digit in enumerate(digits)) % len(DIGITS)


def _fingerprint(board: Board) -> tuple[int, int]:
    """Return 24 bits of a checksum of a graph, as two numbers in the range of width and height."""
    text = "\n".join([*board.names, *(f"{a} {b}" for a, b in board.edges())])
    high, low = divmod(zlib.crc32(text.encode()) % 4096**2, 4096)
    return high, low
