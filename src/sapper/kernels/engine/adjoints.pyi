"""Written by tools/kernel_stubs.py from the source."""

from sapper.kernels.engine.workspace import Workspace

def backward(ws: Workspace) -> int: ...
