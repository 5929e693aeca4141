"""The settings of `shrewd`: those of `thoughtful`, and how its voices are mixed."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.players.thoughtful_settings import ThoughtfulSettings


@dataclass(frozen=True)
class ShrewdSettings(ThoughtfulSettings):
    """What `shrewd` adds: whom it listens to, and how much.

    >>> ShrewdSettings().but([("keep", 8)]).keep
    8
    """

    end_game: int = 1000
    """Solutions up to which the end game is searched; 0 leaves it out."""
    thin_end_game: float = 600.0
    """The same for solutions times d cubed, d being the share of free cells; 0 leaves it out."""
    network: bool = True
    """Whether networks are asked; else it plays as `thoughtful`, as it does where there is none."""
    many: int = 32
    """Cells that the first network values, the safest first."""
    many_ratio: float = 0.85
    """Those are free at least this share as often as the safest."""
    keep: int = 3
    """The best of them that are weighed once more, beside the choice of `thoughtful`."""
    keep_ahead: int = 1
    """The same of its other candidates, by score."""
    first_weight: float = 0.1
    """The weight of the first network."""
    second_weight: float = 0.85
    """The weight of the second network; where there is none, the first has this weight too."""
    images: int = 1
    """Symmetries over which the second network is averaged; 1 takes the position as it lies."""
    ahead: float = 0.06
    """The weight of how safe the second safest cell is that follows."""
    influence: float = 0.08
    """The weight of the influence on fifty-fifties."""
    margin: float = 0.005
    """The choice of `thoughtful` stands unless another cell is worth so much more."""
