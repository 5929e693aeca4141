"""The registry: named entries in one place, which commands, menus, docs and tests list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol, TypeVar

from sapper.errors import RulesError, unknown_name
from sapper.values import check_type


class Named(Protocol):
    """An entry of a registry."""

    @property
    def name(self) -> str:
        """The name that users type; unique in the registry."""


Entry = TypeVar("Entry", bound=Named)


class Registry(Mapping[str, Entry]):
    """A read-only mapping from names to entries, in order, to which `add` adds entries.

    >>> from sapper.board.tilings import TILINGS
    >>> list(TILINGS)[:2], TILINGS["torus"].wraps
    (['square', 'torus'], True)
    """

    def __init__(self, kind: str, entries: Sequence[Entry]):
        self.kind = kind
        """What an entry is called in messages, such as 'solver'."""
        self._type = type(entries[0])
        self._entries: dict[str, Entry] = {}
        for entry in entries:
            self.add(entry)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all entries, in order."""
        return tuple(self._entries)

    def find(self, name: str | Entry) -> Entry:
        """Return the entry of that name, in any letter case.

        An entry is returned unchanged, even one that is not in the registry.
        Raises UnknownName, which lists the names.
        """
        entry: object = name
        if isinstance(name, str):
            entry = self._entries.get(name) or self._entries.get(name.lower())
        if not isinstance(entry, self._type):
            raise unknown_name(self.kind, name, self.names)
        return entry

    def index(self, name: str | Entry) -> int:
        """Return the position of an entry in the order, from 0."""
        return self.names.index(self.find(name).name)

    def add(self, entry: Entry, before: str | None = None) -> Entry:
        """Add an entry at the end or before another one; commands and the page then list it.

        Raises RulesError where the name is taken.
        """
        check_type(entry, self._type, f"a {self.kind}")
        if entry.name in self._entries:
            raise RulesError(f"there is already a {self.kind} named {entry.name!r:.60}")
        entries = list(self._entries.values())
        entries.insert(len(entries) if before is None else self.index(before), entry)
        self._entries = {item.name: item for item in entries}
        return entry

    def remove(self, name: str) -> Entry:
        """Remove an entry and return it."""
        return self._entries.pop(self.find(name).name)

    def __getitem__(self, name: str) -> Entry:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        plural = f"{self.kind[:-1]}ies" if self.kind.endswith("y") else f"{self.kind}s"
        return f"<{plural}: {', '.join(self.names)}>"
