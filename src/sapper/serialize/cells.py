"""How an answer spells cells and sentences: for scripts by name, for a page that draws by index.

Every dictionary is written once, and takes the spelling as an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sapper.board.board import Board
from sapper.board.move import Move
from sapper.board.position import Position
from sapper.sentences import Sentence, pointed
from sapper.serialize.page_words import on_page

Json = dict[str, Any]


@dataclass(frozen=True)
class CellFormat:
    """One way to write cells, moves, and a value for each cell that is not revealed."""

    cell: Callable[[Board, int], str | int]
    move: Callable[[Board, Move], Json]
    """The keys of a move, to stand among others."""
    moves: Callable[[Board, Iterable[Move]], list[Any]]
    values: Callable[[Position, str, Sequence[Any]], Json]
    """A key with the values of all cells, those of revealed cells left out."""
    said: Callable[[str], str]
    """A sentence of the library in the words of the reader."""
    pieces: Callable[[Sentence], Json]
    """The key of a sentence that points at its cells, where the reader sees a board."""

    def cells(self, board: Board, cells: Iterable[int]) -> list[str | int]:
        """Many cells."""
        return [self.cell(board, int(cell)) for cell in cells]


def _hidden(position: Position) -> list[int]:
    return [cell for cell, mark in enumerate(position.marks.tolist()) if mark < 0]


def _named_move(board: Board, move: Move) -> Json:
    return {"move": move.format(board)}


def _indexed_move(board: Board, move: Move) -> Json:
    return {"action": move.action, "cell": move.cell}


def _named_values(position: Position, key: str, values: Sequence[Any]) -> Json:
    return {key: {position.board.name(cell): values[cell] for cell in _hidden(position)}}


def _indexed_values(position: Position, key: str, values: Sequence[Any]) -> Json:
    cells = _hidden(position)
    return {"cells": cells, key: [values[cell] for cell in cells]}


def _pieces_json(sentence: Sentence) -> list[Json]:
    """Words, each with the cells that they point at."""
    pieces = [
        (piece, ()) if isinstance(piece, str) else (piece.pointed, piece.cells)
        for piece in pointed(sentence)
    ]
    return [{"text": on_page(text), "cells": list(cells)} for text, cells in pieces if text]


BY_NAME = CellFormat(
    cell=lambda board, cell: board.name(cell),
    move=_named_move,
    moves=lambda board, moves: [move.format(board) for move in moves],
    values=_named_values,
    said=str,
    pieces=lambda sentence: {},
)
BY_INDEX = CellFormat(
    cell=lambda board, cell: cell,
    move=_indexed_move,
    moves=lambda board, moves: [_indexed_move(board, move) for move in moves],
    values=_indexed_values,
    said=on_page,
    pieces=lambda sentence: {"pieces": _pieces_json(sentence)},
)
