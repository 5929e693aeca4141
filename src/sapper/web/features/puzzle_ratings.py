"""The rating of a user, and the attempts that it is computed from.

Both are stored as documents. A puzzle has a fixed rating, which follows from its proof. Only the
first attempt at a puzzle is rated, and only if the server assigned the puzzle. A user gets the same
puzzle until it is tried, so that skipping puzzles cannot raise a rating.
"""

from __future__ import annotations

import time
from typing import Annotated, Any, NamedTuple

import msgspec
from anyio import to_thread

from sapper.generators.puzzles import Puzzle
from sapper.generators.ratings import Rating, update_rating
from sapper.serialize.cells import Json
from sapper.web.storage.store import Count, Number, Store

# Names of stored documents: the rating, the assigned puzzles, and the attempts of a month.
RATING_DOCUMENT = "puzzle-rating"
ASSIGNED_DOCUMENT = "assigned-puzzles"
ATTEMPTS_PREFIX = "puzzle-attempts/"

# A document must not grow without limit.
MAX_DOCUMENT_ROWS = 2_000
MAX_SECONDS = 86_400


PuzzleName = Annotated[str, msgspec.Meta(pattern=r"^[a-z-]+-[a-z]+-\d{1,20}$")]
AssignedPuzzles = dict[str, PuzzleName]
"""The puzzles that were assigned to a user and not tried yet, by the chosen options."""


class UserRating(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rating of a user, and how many puzzles were solved at the first attempt."""

    rating: Number = Rating().rating
    deviation: Annotated[float, msgspec.Meta(gt=0, le=Rating().deviation)] = Rating().deviation
    volatility: Annotated[float, msgspec.Meta(gt=0, lt=1)] = Rating().volatility
    tried: Count = 0
    solved: Count = 0
    streak: Count = 0
    best: Count = 0
    """The longest streak."""

    @property
    def glicko(self) -> Rating:
        """The rating with its deviation and volatility."""
        return Rating(self.rating, self.deviation, self.volatility)

    def after(self, puzzle: Rating, right: bool) -> UserRating:
        """Return the rating after one more puzzle."""
        updated = update_rating(self.glicko, [(puzzle, float(right))])
        streak = self.streak + 1 if right else 0
        return UserRating(
            updated.rating,
            updated.deviation,
            updated.volatility,
            self.tried + 1,
            self.solved + right,
            streak,
            max(self.best, streak),
        )


class Attempt(msgspec.Struct, frozen=True, array_like=True):
    """The first attempt at a puzzle; stored as a list."""

    puzzle: str
    at: Number
    right: bool
    seconds: Number
    rating: Number
    """The user's rating afterwards."""
    puzzle_rating: Number
    move: str


def user_rating(store: Store, owner: str) -> UserRating:
    """Return the rating of an owner."""
    return _read_user_rating(store.document(owner, RATING_DOCUMENT))


def user_rating_json(user: UserRating) -> Json:
    """Return the rating as the page shows it."""
    fields = msgspec.to_builtins(user)
    del fields["volatility"]
    return {**fields, "rating": round(user.rating), "deviation": round(user.deviation)}


def attempts(store: Store, owner: str) -> list[Attempt]:
    """Return all first attempts of an owner, the latest first."""
    months = sorted(store.documents(owner, ATTEMPTS_PREFIX).items())
    return [Attempt(*row) for _, month in months for row in month][::-1]


def assigned_puzzles(store: Store, owner: str) -> AssignedPuzzles:
    """Return the puzzles that were assigned to an owner and not tried yet."""
    return store.document(owner, ASSIGNED_DOCUMENT) or {}


async def assign_puzzle(
    store: Store, owner: str, options: str, name: str, replaces: str | None
) -> str:
    """Assign a puzzle; return its name, or that of the one that another request has assigned."""

    def add(document: AssignedPuzzles | None) -> AssignedPuzzles:
        assigned = document or {}
        return {**assigned, options: name} if assigned.get(options) == replaces else assigned

    assigned: AssignedPuzzles = await store.update_document(owner, ASSIGNED_DOCUMENT, add)
    return assigned[options]


async def _unassign(store: Store, owner: str, name: str) -> bool:
    """Remove a puzzle from the assigned ones; return whether it was one of them."""
    was_assigned = False

    def remove(document: AssignedPuzzles | None) -> AssignedPuzzles:
        nonlocal was_assigned
        assigned = document or {}
        was_assigned = name in assigned.values()
        return {options: other for options, other in assigned.items() if other != name}

    await store.update_document(owner, ASSIGNED_DOCUMENT, remove)
    return was_assigned


class RatingChange(NamedTuple):
    """The rating of a user before and after an attempt, and whether the attempt was rated."""

    before: UserRating
    after: UserRating
    rated: bool
    first: bool
    """Whether it was the first attempt at the puzzle."""


async def record_attempt(
    store: Store, owner: str, name: str, puzzle: Puzzle, right: bool, move: str, seconds: float
) -> RatingChange:
    """Store the first attempt at a puzzle, and rate it if the puzzle was assigned."""
    rated = await _unassign(store, owner, name)
    earlier = await to_thread.run_sync(attempts, store, owner)
    before = await to_thread.run_sync(user_rating, store, owner)
    if any(attempt.puzzle == name for attempt in earlier):
        return RatingChange(before, before, rated=False, first=False)
    after = before
    if rated:
        document = await store.update_document(
            owner,
            RATING_DOCUMENT,
            lambda stored: msgspec.to_builtins(
                _read_user_rating(stored).after(puzzle.glicko, right)
            ),
        )
        after = _read_user_rating(document)
    at = time.time()
    row = [
        name,
        round(at, 1),
        right,
        round(min(max(seconds, 0.0), MAX_SECONDS), 1),
        round(after.rating),
        puzzle.rating,
        move,
    ]
    month = ATTEMPTS_PREFIX + time.strftime("%Y-%m", time.gmtime(at))
    await store.update_document(
        owner, month, lambda rows: [*(rows or []), row][-MAX_DOCUMENT_ROWS:]
    )
    return RatingChange(before, after, rated, first=True)


def merge_ratings(stored: UserRating, imported: UserRating) -> UserRating:
    """Return the rating that is based on more puzzles; two ratings cannot be combined."""
    return imported if imported.tried > stored.tried else stored


def merge_assigned(stored: AssignedPuzzles, imported: AssignedPuzzles) -> AssignedPuzzles:
    """Merge two documents; if both have a puzzle for the same options, keep the stored one."""
    return {**imported, **stored}


def merge_attempts(stored: list[Attempt], imported: list[Attempt]) -> list[Attempt]:
    """Merge the attempts of a month by time; if a puzzle is in both, keep the earlier attempt."""
    first: dict[str, Attempt] = {}
    for attempt in sorted([*stored, *imported], key=lambda attempt: attempt.at):
        first.setdefault(attempt.puzzle, attempt)
    return list(first.values())[-MAX_DOCUMENT_ROWS:]


def _read_user_rating(document: Any) -> UserRating:
    return UserRating(**document) if document else UserRating()
