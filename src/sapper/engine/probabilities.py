"""Mine probabilities as a mapping by cell, and ties between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from sapper.board.board import Ints
from sapper.board.position import Position
from sapper.values import Frozen

PROBABILITY_TOLERANCE = 1e-9
"""The relative difference below which probabilities count as equal; TIE in the kernels."""

Value = TypeVar("Value", float, Fraction)


class Probabilities(Frozen, Mapping[str, Value | None], Generic[Value]):
    """A read-only mapping from covered cells, by name or index, to values; in cell order.

    The value is None in the interior when there is no mine count.
    """

    def __init__(self, position: Position, values: Sequence[Value | None]):
        self._set(_position=position, _values=tuple(values))

    _position: Position
    _values: tuple[Value | None, ...]

    def __getitem__(self, cell: str | int) -> Value | None:
        index = self._position.board.cell(cell)
        if self._position.marks[index] >= 0:
            raise KeyError(cell)
        return self._values[index]

    @property
    def by_cell(self) -> dict[int, Value | None]:
        """The values by cell index."""
        covered = np.flatnonzero(self._position.marks < 0).tolist()
        return {cell: self._values[cell] for cell in covered}

    def get(self, cell: str | int, default: Any = None) -> Any:
        """Return the value of a cell, or *default* if it is revealed or not on the board."""
        if cell not in self:
            return default
        return self[cell]

    def __hash__(self) -> int:
        return hash(tuple(self.items()))

    def __contains__(self, cell: object) -> bool:
        try:
            self[cell]  # type: ignore[index]
        except (KeyError, ValueError, TypeError):
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        names, marks = self._position.board.names, self._position.marks
        return (names[int(cell)] for cell in np.flatnonzero(marks < 0))

    def __len__(self) -> int:
        return int((self._position.marks < 0).sum())

    def __repr__(self) -> str:
        return f"{{{', '.join(f'{name!r}: {value}' for name, value in self.items())}}}"


def tied_for_least(probabilities: npt.NDArray[np.float64]) -> Ints:
    """Return the cells of least probability, ascending; nan is ignored.

    Probabilities that differ by less than one part in 1e9 are tied: equal ones may have been summed
    in a different order.

    >>> tied_for_least(np.array([0.5, 0.25, np.nan, 0.25 + 1e-15])).tolist()
    [1, 3]
    """
    known: Any = probabilities[~np.isnan(probabilities)]
    limit = known.min(initial=np.inf) * (1 + PROBABILITY_TOLERANCE)
    return np.flatnonzero(probabilities <= limit).astype(np.int32)
