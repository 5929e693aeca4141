"""Rules for the environments: every tiling, and a graph."""

from sapper.board.rules import Rules
from sapper.board.tilings import TILINGS, tiling
from tests.boards import ring

RING = ring(16, (1, 5))
ALL_RULES = {name: Rules(tiling(name, 7, 6), 6) for name in TILINGS} | {"graph": Rules(RING, 3)}
