"""The settings of `patient`: how long it thinks, about what, and who plays inside."""

from __future__ import annotations

from dataclasses import dataclass

from sapper.errors import NotationError
from sapper.kernels.codes import CAREFUL, LEARNED, THOUGHTFUL
from sapper.players.shrewd_settings import ShrewdSettings

INNER = {"careful": CAREFUL, "thoughtful": THOUGHTFUL, "learned": LEARNED}
"""Who may play inside a roll-out, as codes of the kernel."""
OPENING_SHARE = 15 / 16
"""Share of the board from which on an interior is that of a game barely begun: its few positions come
back in game after game, and with them whatever a few hundred samples got wrong there."""


@dataclass(frozen=True)
class PatientSettings(ShrewdSettings):
    """What `patient` adds to the settings of the player whose guess it thinks over.

    >>> PatientSettings().but([("seconds", 2)]).seconds
    2.0
    """

    samples: int = 100
    """Samples of the first round; the rounds after it take two, then four times their share."""
    seconds: float = 0.0
    """Think so many seconds about a guess, whatever `samples` says; 0 counts samples."""
    candidates: int = 6
    """How many cells are compared at first."""
    interior: int = 450
    """Guesses with an interior of as many cells or more are not thought over: that takes long."""
    gate: float = 1.0
    """Standard errors by which a cell must be ahead to replace the first choice."""
    inner: str = "learned"
    """Who plays inside a roll-out: careful, thoughtful or learned (careful without a network)."""
    inner_end_game: int = 200
    """Solutions up to which a roll-out ends with the exact chance of winning."""
    worth: float = 0.7
    """What surviving a guess inside is taken to be worth: it lowers the noise and adds no bias."""

    def max_interior(self, cells: int) -> int:
        """The interior from which on a guess is not thought over, on a board of so many cells.

        >>> PatientSettings().max_interior(480), PatientSettings().max_interior(64)
        (450, 60)
        """
        return min(self.interior, int(OPENING_SHARE * cells))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.inner not in INNER:
            raise NotationError(f"inner: expected {' or '.join(INNER)}, got {self.inner!r:.60}")
        if self.candidates < 2 or (self.samples < 1 and not self.seconds):
            name = "candidates" if self.candidates < 2 else "samples"
            least = 2 if name == "candidates" else 1
            raise NotationError(f"{name}: expected {least} or more, got {getattr(self, name)}")
