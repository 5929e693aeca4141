"""Written by tools/kernel_stubs.py from the source."""

from sapper.kernels.odds.position import Position

def catch_up(p: Position) -> int: ...
