"""Rules for the environments: every tiling, and a graph."""

from sapper.board.board import Board
from sapper.board.rules import Rules
from sapper.board.tilings import TILINGS, tiling

# A ring of sixteen cells with some chords.
RING = Board.from_edges(
    [(f"v{i}", f"v{(i + 1) % 16}") for i in range(16)] + [("v0", "v8"), ("v3", "v11"), ("v5", "v7")]
)
ALL_RULES = {name: Rules(tiling(name, 7, 6), 6) for name in TILINGS} | {"graph": Rules(RING, 3)}
