"""A short code for a set of tables: rules, count and seed in some 16 letters and digits.

The numbers are packed into one (mixed radix), written with 32 digits that are hard to mistake for
each other (Crockford's: no I, L, O, U), and closed by a check digit.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from sapper.board.board import Board
from sapper.board.random_stream import SEEDS
from sapper.board.tilings import TILINGS, tiling
from sapper.errors import NotationError
from sapper.generators.paper_puzzles.make import PaperPuzzleRules, paper_puzzle_rules
from sapper.generators.paper_puzzles.methods import METHODS
from sapper.generators.paper_puzzles.open_sets import OPEN_SETS
from sapper.proofs.difficulty import DIFFICULTIES

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LOOKALIKES = str.maketrans("ILO", "110")
VERSION = 0
_GRAPH, _OWN = "graph", "own"
_GRAPH_NUMBER = 5
_OPEN = (*OPEN_SETS, _OWN)
# Field by field, the least significant first; appending to OPEN_SETS or METHODS, or a number of a
# tiling or difficulty beyond its radix, needs a new version.
_RADIX = (4, 8, 8, 2, 1000, 8, 2, 1000, 4096, 4096)


@dataclass(frozen=True)
class WorksheetCode:
    """What a code says; the board and open cells of a graph have to come along with it."""

    tiling: str
    size: tuple[int, int]
    """Width and height; of a graph, its fingerprint."""
    open: str
    method: str
    share: float
    difficulty: str | None
    or_easier: bool
    count: int
    seed: int

    def rules(
        self, board: Board | None = None, own: tuple[int, ...] | None = None
    ) -> PaperPuzzleRules:
        """The rules of these tables, on the board that the code names."""
        if self.tiling != _GRAPH:
            board = tiling(self.tiling, *self.size)
        elif board is None or _fingerprint(board) != self.size:
            came = "none" if board is None else f"another: {board}"
            raise NotationError(f"expected the graph of this code by --board, got {came}")
        if self.open == _OWN and own is None:
            raise NotationError("expected the open cells of this code by --open-cells, got none")
        return paper_puzzle_rules(
            board,
            open_set=own if self.open == _OWN else self.open,
            method=self.method,
            share=self.share,
            difficulty=self.difficulty,
            or_easier=self.or_easier,
        )


def encode(rules: PaperPuzzleRules, count: int, seed: int) -> str | None:
    """The code of a set of tables; None where its numbers are beyond it.

    >>> from sapper.board.tilings import tiling
    >>> encode(paper_puzzle_rules(tiling("square", 9, 10), difficulty="two"), count=30, seed=7)
    '0829-CWR7-9SPT-T'
    """
    board = rules.board
    size = _fingerprint(board) if board.tiling is None else board.size
    number_of_tiling = _GRAPH_NUMBER if board.tiling is None else TILINGS[board.tiling].number
    if number_of_tiling is None:
        return None
    fields = (
        VERSION,
        number_of_tiling,
        _OPEN.index(rules.open_set if isinstance(rules.open_set, str) else _OWN),
        tuple(METHODS).index(rules.method),
        round(1000 * rules.share),
        0 if rules.difficulty is None else DIFFICULTIES[rules.difficulty].number,
        int(rules.or_easier),
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
    """Read a code; covered cells, strokes and small letters do not matter."""
    plain = "".join(text.upper().split()).replace("-", "").translate(LOOKALIKES)
    digits = [DIGITS.find(letter) for letter in plain]
    if not 2 <= len(digits) <= 32 or -1 in digits or _check_digit(digits[:-1]) != digits[-1]:
        raise NotationError(f"expected a code as at the foot of a sheet, got {text!r:.60}")
    number = sum(digit << 5 * k for k, digit in enumerate(digits[:-1]))
    values = []
    for radix in _RADIX:
        number, value = divmod(number, radix)
        values.append(value)
    version, tiling_at, open_at, method_at, share, difficulty_at, or_easier, count, *size = values
    tilings = {row.number: row.name for row in TILINGS.values()} | {_GRAPH_NUMBER: _GRAPH}
    difficulties = {
        difficulty.number: difficulty.name
        for difficulty in DIFFICULTIES.values()
        if not difficulty.uses_mine_count
    } | {0: None}
    if (
        version != VERSION
        or tiling_at not in tilings
        or open_at >= len(_OPEN)
        or difficulty_at not in difficulties
        or number >= SEEDS
    ):
        raise NotationError(f"expected a code of this version of sapper, got {text!r:.60}")
    return WorksheetCode(
        tilings[tiling_at],
        (size[0], size[1]),
        _OPEN[open_at],
        tuple(METHODS)[method_at],
        share / 1000,
        difficulties[difficulty_at],
        bool(or_easier),
        count + 1,
        number,
    )


def _check_digit(digits: list[int]) -> int:
    """Finds every single wrong digit: odd weights can be undone modulo 32."""
    return sum((2 * k + 1) * digit for k, digit in enumerate(digits)) % len(DIGITS)


def _fingerprint(board: Board) -> tuple[int, int]:
    text = "\n".join([*board.names, *(f"{a} {b}" for a, b in board.edges())])
    low, high = divmod(zlib.crc32(text.encode()) % 4096**2, 4096)
    return low, high
