"""Written by tools/kernel_stubs.py from the source."""

from sapper.kernels.tracked.state import TrackedPosition

def update_components(p: TrackedPosition) -> int: ...
