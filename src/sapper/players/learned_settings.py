"""The settings of `learned`, as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.players.settings import PlayerSettings


@dataclass(frozen=True)
class LearnedSettings(PlayerSettings):
    """How far `learned` looks.

    >>> LearnedSettings().but([("candidates", 8)]).candidates
    8
    """

    end_game: int = 200
    """Solutions up to which the end game is searched; 0 leaves it out."""
    nodes: int = 90_000
    """Sets of solutions that one search may look into."""
    apart: bool = True
    """Whether parts that can be played apart are searched at once."""
    candidates: int = 32
    """Cells that the network values, the safest first."""
    ratio: float = 0.85
    """Candidates are free at least this share as often as the safest."""
