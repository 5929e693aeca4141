"""Written by tools/kernel_stubs.py from the source."""

from sapper.kernels.odds.workspace import Workspace

def backward(ws: Workspace) -> int: ...
