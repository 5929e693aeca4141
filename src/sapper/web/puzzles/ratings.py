"""Training: which puzzle comes next, who has tried what, and how strong that shows them to be.

All of it is documents of the store. A puzzle is named by its tiling, difficulty and seed, from which it
is made again at any time: `square-two-7`. Only the first try of a puzzle is rated.
"""

from __future__ import annotations

import time
from dataclasses import asdict, astuple, dataclass, fields, replace
from datetime import date
from typing import Any

from anyio import to_thread

from sapper.board.random_stream import RandomStream, parse_seed
from sapper.board.tilings import TILINGS
from sapper.engine.budget import Budget
from sapper.errors import GameNotFound, NotationError, SapperError
from sapper.generators.puzzles.first_rating import typical_rating
from sapper.generators.puzzles.glicko import Rating, update_rating
from sapper.generators.puzzles.make import Puzzle, difficulties_for, puzzle_rules
from sapper.generators.puzzles.make import puzzle as find_puzzle
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.serialize.cells import Json
from sapper.web.review.figures import is_finite_number
from sapper.web.server.cache import LruCache
from sapper.web.storage.store import Store

RATING_DOCUMENT = "train"
ATTEMPTS_PREFIX = "train/"
# What puzzles have become by the tries of all owners is kept under a name that no owner has.
ALL_OWNERS = "*"
RATINGS = "puzzles/"

# The stream's seeds: so few that people on one server meet the same puzzles, and rate them.
SEEDS = 100_000
# Of so many puzzles of each of two difficulties the one nearest to the player's strength is taken.
CANDIDATES = 3
# A month's tries and a kind's ratings are one document each, which must not grow without end.
MAX_DOCUMENT_ROWS = 2_000
MAX_SECONDS = 86_400


@dataclass(frozen=True)
class UserRating:
    """How strong somebody is, and how many puzzles they solved at the first try."""

    rating: float = Rating().rating
    deviation: float = Rating().deviation
    volatility: float = Rating().volatility
    tried: int = 0
    solved: int = 0
    streak: int = 0
    best: int = 0

    @property
    def strength(self) -> Rating:
        """The rating with its deviation and volatility."""
        return Rating(self.rating, self.deviation, self.volatility)

    def after(self, puzzle: Rating, right: bool) -> UserRating:
        """The same person after one more puzzle."""
        now = update_rating(self.strength, [(puzzle, float(right))])
        streak = self.streak + 1 if right else 0
        return UserRating(
            *(now.rating, now.deviation, now.volatility),
            *(self.tried + 1, self.solved + right, streak, max(self.best, streak)),
        )


@dataclass(frozen=True)
class Attempt:
    """The first try of a puzzle: when, whether it was right, the move, and the rating after it."""

    puzzle: str
    at: float
    right: bool
    seconds: float
    rating: int
    puzzle_rating: int
    """The rating of the puzzle."""
    move: str


class Puzzles:
    """The puzzles asked for last; one that is not kept is made again."""

    def __init__(self) -> None:
        self._kept: LruCache[str, Puzzle] = LruCache(256)

    def of(self, name: str, budget: Budget) -> Puzzle:
        """The puzzle of a name; GameNotFound where that names none."""
        tiling, difficulty, seed = read_name(name)
        return self._kept.get(
            name, lambda: find_puzzle(puzzle_rules(difficulty, tiling), seed, budget)
        )

    def next(
        self, tiling: str, difficulty: str | None, strength: float, seed: int, budget: Budget
    ) -> str:
        """The name of a puzzle as hard as somebody is strong, of one difficulty or of the two nearest."""
        there = difficulties_for(TILINGS.find(tiling).name)
        near = sorted(there, key=lambda name: abs(typical_rating(name) - strength))[:2]
        difficulties = near if difficulty is None else [DIFFICULTIES.find(difficulty).name]
        stream = RandomStream(seed)
        names = [
            name_of(tiling, one, stream.below(SEEDS))
            for one in difficulties
            for _ in range(CANDIDATES)
        ]
        return min(names, key=lambda name: abs(self.of(name, budget).rating - strength))


def name_of(tiling: str, difficulty: str, seed: int) -> str:
    """What the page and the store call a puzzle."""
    return f"{tiling}-{difficulty}-{seed}"


def read_name(name: str) -> tuple[str, str, int]:
    """The tiling, difficulty and seed of a puzzle's name; GameNotFound where it is none."""
    try:
        tiling, difficulty, seed = name.rsplit("-", 2)
        return TILINGS.find(tiling).name, DIFFICULTIES.find(difficulty).name, parse_seed(seed)
    except (ValueError, SapperError):
        raise GameNotFound(f"expected a puzzle such as square-two-7, got {name!r:.60}") from None


def daily(tiling: str, day: str) -> str:
    """The puzzle of a day such as 2026-11-15, the same for everyone; its difficulty goes round."""
    try:
        read = date.fromisoformat(day)
    except ValueError:
        raise NotationError(f"expected a day such as 2026-11-15, got {day!r:.60}") from None
    there = difficulties_for(TILINGS.find(tiling).name)
    return name_of(tiling, there[read.toordinal() % len(there)], int(read.strftime("%Y%m%d")))


def is_user_rating(value: Any) -> bool:
    """Whether a document that comes in as a file tells how strong somebody is."""
    names = {field.name for field in fields(UserRating)}
    return (
        isinstance(value, dict)
        and value.keys() == names
        and all(map(is_finite_number, value.values()))
        and 0 < value["deviation"] <= Rating().deviation
        and 0 < value["volatility"] < 1
    )


def is_month_document(value: Any) -> bool:
    """Whether a document that comes in as a file is a month of tries."""
    kinds = (str, float, bool, float, int, int, str)
    return isinstance(value, list) and all(
        isinstance(row, list)
        and len(row) == len(kinds)
        and all(
            is_finite_number(one) if kind in (int, float) else isinstance(one, kind)
            for one, kind in zip(row, kinds, strict=True)
        )
        for row in value
    )


def newer_rating(here: Json, there: Json) -> Json:
    """Of two ratings of one person, that of more puzzles: they cannot be added up."""
    return there if there["tried"] > here["tried"] else here


def merged(here: list[Any], there: list[Any]) -> list[Any]:
    """The tries of both months in their order; a puzzle that both have was first tried once."""
    first: dict[str, Any] = {}
    for row in sorted([*here, *there], key=lambda row: Attempt(*row).at):
        first.setdefault(Attempt(*row).puzzle, row)
    return list(first.values())[-MAX_DOCUMENT_ROWS:]


def user_rating(store: Store, owner: str) -> UserRating:
    """How strong an owner is by now."""
    return _read_user_rating(store.kept(owner, RATING_DOCUMENT))


def attempts(store: Store, owner: str) -> list[Attempt]:
    """All first tries of an owner, the last one first."""
    months = sorted(store.documents(owner, ATTEMPTS_PREFIX).items())
    return [Attempt(*row) for _, month in months for row in month][::-1]


def puzzle_rating(store: Store, name: str, puzzle: Puzzle) -> Rating:
    """What a puzzle has become by all tries, or its first rating."""
    kind, seed = _kind(name)
    known = (store.kept(ALL_OWNERS, RATINGS + kind) or {}).get(seed)
    return puzzle.first_rating if known is None else Rating(*known)


async def note(
    store: Store, owner: str, name: str, puzzle: Puzzle, right: bool, move: str, seconds: float
) -> tuple[UserRating, UserRating] | None:
    """Rate the first try of a puzzle: the owner before and after; None where it was not the first.

    The puzzle's rating moves the other way, for everybody.
    """
    tried = await to_thread.run_sync(attempts, store, owner)
    if any(one.puzzle == name for one in tried):
        return None
    hard = await to_thread.run_sync(puzzle_rating, store, name, puzzle)
    before = await to_thread.run_sync(user_rating, store, owner)
    after = before.after(hard, right)
    at = time.time()
    took = round(min(max(seconds, 0.0), MAX_SECONDS), 1)
    one = Attempt(name, round(at, 1), right, took, round(after.rating), round(hard.rating), move)
    month = ATTEMPTS_PREFIX + time.strftime("%Y-%m", time.gmtime(at))
    await store.change(
        owner, month, lambda rows: [*(rows or []), list(astuple(one))][-MAX_DOCUMENT_ROWS:]
    )
    await store.change(
        owner, RATING_DOCUMENT, lambda now: asdict(_read_user_rating(now).after(hard, right))
    )
    kind, seed = _kind(name)
    moved = update_rating(hard, [(before.strength, float(not right))])
    packed = [round(value, 4) for value in astuple(moved)]

    def keep(known: Any) -> Any:
        return dict([*(known or {}).items(), (seed, packed)][-MAX_DOCUMENT_ROWS:])

    await store.change(ALL_OWNERS, RATINGS + kind, keep)
    return before, after


def user_rating_json(one: UserRating) -> Json:
    """The figures of a trainee as the page shows them."""
    shown = replace(one, rating=round(one.rating), deviation=round(one.deviation))
    return {key: value for key, value in asdict(shown).items() if key != "volatility"}


def _read_user_rating(kept: Any) -> UserRating:
    return UserRating(**kept) if kept else UserRating()


def _kind(name: str) -> tuple[str, str]:
    kind, _, seed = name.rpartition("-")
    return kind, seed
