"""How many random cases the tests try; `make check-long` tries SAPPER_SCALE times as many."""

import os

from sapper.kernels import STATUS

SCALE = int(os.environ.get("SAPPER_SCALE", "1"))


def cases(count: int, plain: int | None = None) -> int:
    """Return how many cases to try: *plain* replaces *count* if the kernels are not compiled."""
    return SCALE * (count if plain is None or STATUS == "compiled" else plain)
