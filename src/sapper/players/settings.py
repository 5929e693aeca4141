"""The settings of a player as one frozen value: what those of all players share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import Field, dataclass, fields, replace
from typing import Any, Self, cast

from sapper.errors import NotationError, unknown_name

LARGEST = 1e9
# What users call the kinds of values.
KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}


@dataclass(frozen=True)
class PlayerSettings:
    """What all players with settings share; a subclass adds fields, each with its usual value."""

    def __post_init__(self) -> None:
        for field in self._fields():
            value: Any = getattr(self, field.name)
            kind, given = type(field.default), type(value)
            if given is not kind and (kind, given) != (float, int):
                raise NotationError(f"{field.name}: expected {KINDS[kind]}, got {value!r:.60}")
            # Written so that nan fails too.
            if kind is not str and not 0 <= value <= LARGEST:
                raise NotationError(f"{field.name}: expected from 0 to 1e9, got {value!r:.60}")

    def but(self, changes: Iterable[tuple[str, object]]) -> Self:
        """These settings with some changed; refuses unknown names and values of another kind."""
        known = {field.name: field.default for field in self._fields()}
        chosen: dict[str, Any] = {}
        for name, value in changes:
            if name not in known:
                raise unknown_name("setting", name, known)
            whole = type(known[name]) is float and type(value) is int
            chosen[name] = float(cast(int, value)) if whole else value
        return replace(self, **chosen)

    def __str__(self) -> str:
        """What differs from the usual settings, or 'usual settings'."""
        changed = [
            f"{field.name}={getattr(self, field.name)}"
            for field in self._fields()
            if getattr(self, field.name) != field.default
        ]
        return " ".join(changed) or "usual settings"

    def _fields(self) -> tuple[Field[Any], ...]:
        return fields(self)
