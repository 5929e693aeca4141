"""The registry: named rows in one place, which commands, menus, docs and tests list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from sapper.errors import RulesError, unknown_name
from sapper.values import check_type


class Named(Protocol):
    """A row of a registry."""

    @property
    def name(self) -> str:
        """The name that users type; unique in the registry."""


Row = TypeVar("Row", bound=Named)


class Registry(Mapping[str, Row]):
    """A read-only mapping from names to rows, in order, to which `add` adds rows.

    >>> from sapper.board.tilings import TILINGS
    >>> list(TILINGS)[:2], TILINGS["torus"].wraps
    (['square', 'torus'], True)
    """

    def __init__(self, kind: str, rows: Sequence[Row]):
        self.kind = kind
        """What a row is called in messages, such as 'solver'."""
        self._type = type(rows[0])
        self._rows: dict[str, Row] = {}
        for row in rows:
            self.add(row)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all rows, in order."""
        return tuple(self._rows)

    def find(self, name: str | Row) -> Row:
        """Return the row of that name, in any letter case.

        A row is returned unchanged, even one that is not in the registry.
        Raises UnknownName, which lists the names.
        """
        row = self._rows.get(name, self._rows.get(name.lower())) if isinstance(name, str) else name
        if not isinstance(row, self._type):
            raise unknown_name(self.kind, name, self.names)
        return row

    def index(self, name: str | Row) -> int:
        """Return the place of a row in the order, from 0."""
        return self.names.index(self.find(name).name)

    def add(self, row: Row, before: str | None = None) -> Row:
        """Add a row at the end or before another one; commands and the page list it from then on.

        Raises RulesError where the name is taken.
        """
        check_type(row, self._type, f"a {self.kind}")
        if row.name in self._rows:
            raise RulesError(f"there is already a {self.kind} named {row.name!r:.60}")
        rows = list(self._rows.values())
        rows.insert(len(rows) if before is None else self.index(before), row)
        self._rows = {each.name: each for each in rows}
        return row

    def remove(self, name: str) -> Row:
        """Remove a row and return it."""
        return self._rows.pop(self.find(name).name)

    def __getitem__(self, name: str) -> Row:
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def __repr__(self) -> str:
        return f"<{self.kind}s: {', '.join(self.names)}>"
