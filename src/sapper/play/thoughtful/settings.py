"""The settings of a player, as one frozen value: what all share, and those of `thoughtful`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import Field, dataclass, fields, replace
from typing import Any, Self, cast

from sapper.errors import NotationError

LARGEST = 1e9


@dataclass(frozen=True)
class PlayerSettings:
    """What all players with settings share; a subclass adds fields, each with its usual value."""

    def __post_init__(self) -> None:
        for field in self._fields():
            value: Any = getattr(self, field.name)
            kind, given = type(field.default), type(value)
            if given is not kind and (kind, given) != (float, int):
                raise NotationError(f"{field.name}: expected {kind.__name__}, got {value!r:.60}")
            # Written so that nan fails too.
            if kind is not str and not 0 <= value <= LARGEST:
                raise NotationError(f"{field.name}: expected from 0 to 1e9, got {value!r:.60}")

    def but(self, changes: Iterable[tuple[str, object]]) -> Self:
        """These settings with some changed; refuses unknown names and values of another kind."""
        known = {field.name: field.default for field in self._fields()}
        chosen: dict[str, Any] = {}
        for name, value in changes:
            if name not in known:
                raise NotationError(f"expected a setting ({', '.join(known)}), got {name!r:.60}")
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


@dataclass(frozen=True)
class ThoughtfulSettings(PlayerSettings):
    """What `thoughtful` weighs, and how far it looks. The usual values are measured ones.

    >>> ThoughtfulSettings().but([("blend", 1.0)]).blend
    1.0
    """

    end_game: int = 400
    """Placements up to which the end game is searched; 0 leaves it out."""
    thin_end_game: float = 250.0
    """The same for placements times d cubed, d being the share of free cells; 0 leaves it out."""
    nodes: int = 300_000
    """Sets of placements that one search may look into."""
    apart: bool = True
    """Whether parts that can be played apart are searched at once."""
    look_ahead: bool = True
    """Whether candidates are weighed by what follows; else the end game and least odds."""
    ratio: float = 0.9
    """Candidates of the perimeter are free at least this share as often as the safest."""
    inner_ratio: float = 0.95
    """The same of the interior."""
    few_inner: int = 30
    """Interiors below this are candidates as a whole; of larger ones, cells that stand out."""
    small_region: int = 8
    """Regions of fewer unknown cells are put off."""
    blend: float = 0.8
    """The weight of the safest cell that follows; the second safest has the rest."""
    fifty_fifty: float = 0.9
    """The weight of the influence on fifty-fifties; 0 leaves them out."""
    enablers: int = 3
    """Unknown enablers that a fifty-fifty may have."""
    enabler_chance: float = 0.025
    """A fifty-fifty that lacks one enabler counts for that enabler above this chance."""
    coin_tosses: bool = True
    """Whether coin tosses that cannot be avoided are taken at once."""
    domination: bool = True
    """Whether a cell that would follow anyway, and is safer now, is taken first."""
    progress: float = 0.001
    """The weight of a certain cell that follows."""
