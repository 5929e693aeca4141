"""Training puzzles by name: a puzzle is made again from its tiling, difficulty and seed.

The name of a puzzle is such as `square-two-7`.
"""

from __future__ import annotations

from datetime import date

from sapper.board.random_stream import RandomStream, parse_seed
from sapper.board.tilings import TILINGS
from sapper.engine.budget import Budget
from sapper.errors import GameNotFound, NotationError, SapperError
from sapper.generators.puzzles.first_rating import typical_rating
from sapper.generators.puzzles.make import Puzzle, difficulties_for, puzzle, puzzle_rules
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.web.server.cache import LruCache

# Random puzzles have one of these seeds: few, so that users of one server meet and rate the same.
SEEDS = 100_000
# Puzzles of each difficulty that are compared with the user's rating.
CANDIDATES = 3

_PUZZLES: LruCache[str, Puzzle] = LruCache(256)


def puzzle_by_name(name: str, budget: Budget) -> Puzzle:
    """Return the puzzle of a name; GameNotFound for a name that is not valid."""
    tiling, difficulty, seed = parse_name(name)
    return _PUZZLES.get(name, lambda: puzzle(puzzle_rules(difficulty, tiling), seed, budget))


def next_name(tiling: str, difficulty: str | None, rating: float, seed: int, budget: Budget) -> str:
    """Return a puzzle near the user's rating, of a difficulty or of the two nearest ones."""
    available = difficulties_for(TILINGS.find(tiling).name)
    nearest = sorted(available, key=lambda name: abs(typical_rating(name) - rating))[:2]
    difficulties = nearest if difficulty is None else [DIFFICULTIES.find(difficulty).name]
    stream = RandomStream(seed)
    names = [
        format_name(tiling, one, stream.below(SEEDS))
        for one in difficulties
        for _ in range(CANDIDATES)
    ]
    return min(names, key=lambda name: abs(puzzle_by_name(name, budget).rating - rating))


def daily_name(tiling: str, day: str) -> str:
    """Return the puzzle of a day such as 2026-11-15; the difficulty changes from day to day."""
    try:
        parsed = date.fromisoformat(day)
    except ValueError:
        raise NotationError(f"expected a day such as 2026-11-15, got {day!r:.60}") from None
    available = difficulties_for(TILINGS.find(tiling).name)
    difficulty = available[parsed.toordinal() % len(available)]
    return format_name(tiling, difficulty, int(parsed.strftime("%Y%m%d")))


def format_name(tiling: str, difficulty: str, seed: int) -> str:
    """Return the name of a puzzle."""
    return f"{tiling}-{difficulty}-{seed}"


def parse_name(name: str) -> tuple[str, str, int]:
    """Return tiling, difficulty and seed of a name; GameNotFound where it is not valid."""
    try:
        tiling, difficulty, seed = name.rsplit("-", 2)
        return TILINGS.find(tiling).name, DIFFICULTIES.find(difficulty).name, parse_seed(seed)
    except (ValueError, SapperError):
        raise GameNotFound(f"expected a puzzle such as square-two-7, got {name!r:.60}") from None
