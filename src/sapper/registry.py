"""Families: named rows in one place, from which commands, menus, docs and tests are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, Protocol, TypeVar, overload

from sapper.errors import UnknownName, unknown_name
from sapper.values import check_type


class Named(Protocol):
    """What every row has."""

    @property
    def name(self) -> str:
        """What users call it; no other row of the family has it."""


Row = TypeVar("Row", bound=Named)


class RegistryBase(Generic[Row]):
    """What all families can do, whichever way they are gone through."""

    def __init__(self, kind: str, rows: Sequence[Row]):
        self.kind = kind
        """What a row is called, as in 'expected a solver'."""
        self._type = type(rows[0])
        self._rows: dict[str, Row] = {}
        for row in rows:
            self.add(row)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all rows, in order."""
        return tuple(self._rows)

    def find(self, name: str | Row) -> Row:
        """The row of that name; a row of your own, which need not be in here, is passed through.

        Raises UnknownName, which lists the names that there are.
        """
        row = self._named(name) if isinstance(name, str) else name
        if not isinstance(row, self._type):
            raise unknown_name(f"a {self.kind}", name, self.names)
        return row

    def _named(self, name: str) -> Row | None:
        """Small and capital letters are alike, unless two names differ by nothing else."""
        return self._rows.get(name, self._rows.get(name.lower()))

    def place(self, name: str | Row) -> int:
        """Where a row stands, from 0."""
        return self.names.index(self.find(name).name)

    def add(self, row: Row, before: str | None = None) -> Row:
        """Take in one more row, at the end or before another; its name must be a new one.

        The commands and the page know it from then on.
        """
        check_type(row, self._type, f"a {self.kind}")
        if row.name in self._rows:
            raise UnknownName(f"expected a {self.kind} of a new name, got {row.name!r:.60} again")
        rest = {} if before is None else self._from(before)
        for name in rest:
            del self._rows[name]
        self._rows |= {row.name: row, **rest}
        return row

    def remove(self, name: str) -> Row:
        """Take a row out again."""
        row = self.find(name)
        del self._rows[name]
        return row

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<{self.kind}s: {', '.join(self.names)}>"

    def _from(self, name: str) -> dict[str, Row]:
        """The rows from that one on."""
        return dict(list(self._rows.items())[self.place(name) :])


class Registry(RegistryBase[Row], Sequence[Row]):
    """A family that is gone through row by row, in order.

    >>> from sapper.solvers.registry import SOLVERS
    >>> [row.name for row in SOLVERS][:2], SOLVERS["exact"].name, "oracle" in SOLVERS
    (['human', 'brute-board'], 'exact', False)
    """

    @overload
    def __getitem__(self, at: int | str) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Row, ...]: ...
    def __getitem__(self, at: int | str | slice) -> Row | tuple[Row, ...]:
        return self._rows[at] if isinstance(at, str) else tuple(self._rows.values())[at]

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows.values())

    def __contains__(self, row: object) -> bool:
        """Whether this is a row, or the name of one."""
        return row in self._rows if isinstance(row, str) else row in self._rows.values()


class RegistryByName(RegistryBase[Row], Mapping[str, Row]):
    """A family that is gone through name by name, as a mapping.

    >>> from sapper.board.tilings import TILINGS
    >>> list(TILINGS)[:2], TILINGS["torus"].wraps
    (['square', 'torus'], True)
    """

    def __getitem__(self, name: str) -> Row:
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)
