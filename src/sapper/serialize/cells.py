"""Formats of cells in JSON: names for scripts, indices for the page.

Each serializer is written once and takes the format as an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sapper.board.board import Board
from sapper.board.move import Move
from sapper.board.position import Position
from sapper.sentences import Sentence, board_pieces

Json = dict[str, Any]


@dataclass(frozen=True)
class CellFormat:
    """How to write cells, moves, sentences, and a value for each covered cell."""

    cell: Callable[[Board, int], str | int]
    move: Callable[[Board, Move], Json]
    """The keys of a move in an object with other keys."""
    moves: Callable[[Board, Iterable[Move]], list[Any]]
    values: Callable[[Position, str, Sequence[Any]], Json]
    """A key with the values of all covered cells."""
    pieces: Callable[[Sentence], Json]
    """The key "pieces" of a sentence, for clients that show the board."""

    def cells(self, board: Board, cells: Iterable[int]) -> list[str | int]:
        """Return a list of cells."""
        return [self.cell(board, int(cell)) for cell in cells]


def _covered(position: Position) -> list[int]:
    return [cell for cell, mark in enumerate(position.marks.tolist()) if mark < 0]


def _named_move(board: Board, move: Move) -> Json:
    return {"move": move.format(board)}


def _indexed_move(board: Board, move: Move) -> Json:
    return {"action": move.action, "cell": move.cell}


def _named_values(position: Position, key: str, values: Sequence[Any]) -> Json:
    return {key: {position.board.name(cell): values[cell] for cell in _covered(position)}}


def _indexed_values(position: Position, key: str, values: Sequence[Any]) -> Json:
    cells = _covered(position)
    return {"cells": cells, key: [values[cell] for cell in cells]}


def _pieces_json(sentence: Sentence) -> list[Json]:
    """Return the pieces of a sentence, each with its cells and the letter that they carry."""
    return [
        {"text": text, "cells": list(cells), "letter": letter}
        for text, cells, letter in board_pieces(sentence)
    ]


BY_NAME = CellFormat(
    cell=lambda board, cell: board.name(cell),
    move=_named_move,
    moves=lambda board, moves: [move.format(board) for move in moves],
    values=_named_values,
    pieces=lambda sentence: {},
)
BY_INDEX = CellFormat(
    cell=lambda board, cell: cell,
    move=_indexed_move,
    moves=lambda board, moves: [_indexed_move(board, move) for move in moves],
    values=_indexed_values,
    pieces=lambda sentence: {"pieces": _pieces_json(sentence)},
)
