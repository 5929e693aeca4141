"""Files of Code Jam's "Minesweeper Master": cases in, boards or "Impossible" out.

A batch is a line with the number of cases, then one line `R C M` for each:
rows, columns, mines. docs/formats.md shows examples.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sapper.board.board import MAX_CELLS
from sapper.board.layout import Layout
from sapper.errors import NotationError

# The answer is built in memory before it is written; larger batches can be split.
MAX_BATCH_CELLS = 2**28

# Only digits: int() would also accept signs, underscores and the digits of other scripts.
NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)


@dataclass(frozen=True)
class Case:
    """One case of a batch; `number` counts from 1."""

    number: int
    rows: int
    columns: int
    mines: int


def parse_batch(text: str) -> tuple[Case, ...]:
    r"""Parse a batch; errors name the case.

    >>> parse_batch("1\n5 5 23\n")
    (Case(number=1, rows=5, columns=5, mines=23),)
    """
    first, *lines = text.rstrip().split("\n")
    if NUMBER.fullmatch(first.strip()) is None:
        raise NotationError(f"line 1: expected the number of cases, got {_shown(first)}")
    count = int(first)
    if len(lines) > count:
        raise NotationError(
            f"case {count + 1}: expected the end after {count} cases, got {_shown(lines[count])}"
        )
    cases = tuple(_parse_case(number, line) for number, line in enumerate(lines, start=1))
    if len(cases) < count:
        raise NotationError(
            f"case {len(cases) + 1}: expected R C M, got the end; {count} cases were announced"
        )
    _check_total(cases)
    return cases


def _parse_case(number: int, line: str) -> Case:
    words = line.split()
    if len(words) != 3 or not all(map(NUMBER.fullmatch, words)):
        raise NotationError(
            f"case {number}: expected three numbers R C M from 0 to 999999999, got {_shown(line)}"
        )
    rows, columns, mines = map(int, words)
    if not 1 <= rows * columns <= MAX_CELLS:
        raise NotationError(
            f"case {number}: expected from 1 to {MAX_CELLS:,} cells, got {_shown(line)}"
        )
    if mines >= rows * columns:
        raise NotationError(
            f"case {number}: expected fewer mines than {rows * columns} cells, got {_shown(line)}"
        )
    return Case(number, rows, columns, mines)


def _check_total(cases: Iterable[Case]) -> None:
    total = 0
    for case in cases:
        total += case.rows * case.columns
        if total > MAX_BATCH_CELLS:
            raise NotationError(
                f"case {case.number}: expected at most {MAX_BATCH_CELLS:,} cells in a batch, "
                f"got {total:,}"
            )


def format_answer(number: int, layout: Layout | None) -> str:
    """Return the answer to a case: a header line, then the rows of the board or "Impossible"."""
    rows = "Impossible" if layout is None else _rows(layout)
    return f"Case #{number}:\n{rows}\n"


def _rows(layout: Layout) -> str:
    """Return the rows of a layout, without the header of a board that is not square."""
    return str(layout).removeprefix(f"layout: {layout.board}\n")


def _shown(line: str) -> str:
    return f"{line.strip()!r:.60}"
