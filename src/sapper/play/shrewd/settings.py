"""The settings of `shrewd`: those of `thoughtful`, and how its voices are mixed."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.play.thoughtful.settings import ThoughtfulSettings


@dataclass(frozen=True)
class ShrewdSettings(ThoughtfulSettings):
    """What `shrewd` adds: whom it listens to, and how much.

    >>> ShrewdSettings().but([("keep", 8)]).keep
    8
    """

    network: bool = True
    """Whether networks are asked; else it plays as `thoughtful`, as it does where there is none."""
    many: int = 32
    """Cells that the first network values, the safest first."""
    many_ratio: float = 0.85
    """Those are free at least this share as often as the safest."""
    keep: int = 6
    """The best of them that are weighed once more."""
    first_weight: float = 0.1
    """The weight of the first network."""
    second_weight: float = 0.75
    """The weight of the second network; where there is none, the first has this weight too."""
    images: int = 8
    """Symmetries over which the second network is averaged; 1 takes the position as it lies."""
    ahead: float = 0.1
    """The weight of what two moves ahead promise."""
    influence: float = 0.1
    """The weight of the influence on fifty-fifties."""
