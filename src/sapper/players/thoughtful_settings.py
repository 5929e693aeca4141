"""The settings of `thoughtful`, as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.players.settings import PlayerSettings


@dataclass(frozen=True)
class ThoughtfulSettings(PlayerSettings):
    """What `thoughtful` weighs, and how far it looks. The usual values are measured ones.

    >>> ThoughtfulSettings().but([("blend", 1.0)]).blend
    1.0
    """

    end_game: int = 400
    """Solutions up to which the end game is searched; 0 leaves it out."""
    thin_end_game: float = 250.0
    """The same for solutions times d cubed, d being the share of free cells; 0 leaves it out."""
    nodes: int = 300_000
    """Sets of solutions that one search may look into."""
    apart: bool = True
    """Whether parts that can be played apart are searched at once."""
    look_ahead: bool = True
    """Whether candidates are weighed by what follows; else the end game and least probability."""
    ratio: float = 0.9
    """Candidates of the frontier are free at least this share as often as the safest."""
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
