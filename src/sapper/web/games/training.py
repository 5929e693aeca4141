"""Training: which puzzle comes next, who has tried what, and how strong that shows them to be.

All of it is documents of the store. A puzzle is named by its tiling, rung and seed, from which it
is made again at any time: `square-two-7`. Only the first try of a puzzle is rated.
"""

from __future__ import annotations

import time
from dataclasses import asdict, astuple, dataclass, fields, replace
from datetime import date
from typing import Any

from anyio import to_thread

from sapper.answers.spelling import Json
from sapper.errors import NoSuchGame, NotationError, SapperError
from sapper.generate.puzzles.glicko import Rating, rated
from sapper.generate.puzzles.make import Puzzle, make_puzzle, puzzle_rules, rungs_for
from sapper.generate.puzzles.rating import typical
from sapper.infer.budget import Budget
from sapper.infer.ladder.rungs import RUNGS
from sapper.model.deal import parse_seed
from sapper.model.stream import Stream
from sapper.model.tilings import TILINGS
from sapper.web.games.reviews import is_figure
from sapper.web.games.store import Store
from sapper.web.server.kept import Kept

TRAINEE = "train"
TRIES = "train/"
# What puzzles have become by the tries of all owners is kept under a name that no owner has.
EVERYBODY = "*"
RATINGS = "puzzles/"

# The stream's seeds: so few that people on one server meet the same puzzles, and rate them.
SEEDS = 100_000
# Of so many puzzles of each of two rungs the one nearest to the player's strength is taken.
CANDIDATES = 3
# A month's tries and a kind's ratings are one document each, which must not grow without end.
MOST_IN_A_DOCUMENT = 2_000
LONGEST = 86_400


@dataclass(frozen=True)
class Trainee:
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

    def after(self, puzzle: Rating, right: bool) -> Trainee:
        """The same person after one more puzzle."""
        now = rated(self.strength, [(puzzle, float(right))])
        streak = self.streak + 1 if right else 0
        return Trainee(
            *(now.rating, now.deviation, now.volatility),
            *(self.tried + 1, self.solved + right, streak, max(self.best, streak)),
        )


@dataclass(frozen=True)
class Try:
    """The first try of a puzzle: when, whether it was right, the move, and the rating after it."""

    puzzle: str
    at: float
    right: bool
    seconds: float
    rating: int
    difficulty: int
    """The rating of the puzzle."""
    move: str


class Puzzles:
    """The puzzles asked for last; one that is not kept is made again."""

    def __init__(self) -> None:
        self._kept: Kept[str, Puzzle] = Kept(256)

    def of(self, name: str, budget: Budget) -> Puzzle:
        """The puzzle of a name; NoSuchGame where that names none."""
        tiling, rung, seed = read_name(name)
        return self._kept.get(name, lambda: make_puzzle(puzzle_rules(rung, tiling), seed, budget))

    def next(
        self, tiling: str, rung: str | None, strength: float, seed: int, budget: Budget
    ) -> str:
        """The name of a puzzle as hard as somebody is strong, of one rung or of the two nearest."""
        there = rungs_for(TILINGS.find(tiling).name)
        near = sorted(there, key=lambda name: abs(typical(name) - strength))[:2]
        rungs = near if rung is None else [RUNGS.find(rung).name]
        stream = Stream(seed)
        names = [
            name_of(tiling, one, stream.below(SEEDS)) for one in rungs for _ in range(CANDIDATES)
        ]
        return min(names, key=lambda name: abs(self.of(name, budget).rating - strength))


def name_of(tiling: str, rung: str, seed: int) -> str:
    """What the page and the store call a puzzle."""
    return f"{tiling}-{rung}-{seed}"


def read_name(name: str) -> tuple[str, str, int]:
    """The tiling, rung and seed of a puzzle's name; NoSuchGame where it is none."""
    try:
        tiling, rung, seed = name.rsplit("-", 2)
        return TILINGS.find(tiling).name, RUNGS.find(rung).name, parse_seed(seed)
    except (ValueError, SapperError):
        raise NoSuchGame(f"expected a puzzle such as square-two-7, got {name!r:.60}") from None


def daily(tiling: str, day: str) -> str:
    """The puzzle of a day such as 2026-11-15, the same for everyone; its rung goes round."""
    try:
        read = date.fromisoformat(day)
    except ValueError:
        raise NotationError(f"expected a day such as 2026-11-15, got {day!r:.60}") from None
    there = rungs_for(TILINGS.find(tiling).name)
    return name_of(tiling, there[read.toordinal() % len(there)], int(read.strftime("%Y%m%d")))


def is_trainee(value: Any) -> bool:
    """Whether a document that comes in as a file tells how strong somebody is."""
    names = {field.name for field in fields(Trainee)}
    return (
        isinstance(value, dict)
        and value.keys() == names
        and all(map(is_figure, value.values()))
        and 0 < value["deviation"] <= Rating().deviation
        and 0 < value["volatility"] < 1
    )


def is_month(value: Any) -> bool:
    """Whether a document that comes in as a file is a month of tries."""
    kinds = (str, float, bool, float, int, int, str)
    return isinstance(value, list) and all(
        isinstance(row, list)
        and len(row) == len(kinds)
        and all(
            is_figure(one) if kind in (int, float) else isinstance(one, kind)
            for one, kind in zip(row, kinds, strict=True)
        )
        for row in value
    )


def farther(here: Json, there: Json) -> Json:
    """Of two ratings of one person, that of more puzzles: they cannot be added up."""
    return there if there["tried"] > here["tried"] else here


def merged(here: list[Any], there: list[Any]) -> list[Any]:
    """The tries of both months in their order; a puzzle that both have was first tried once."""
    first: dict[str, Any] = {}
    for row in sorted([*here, *there], key=lambda row: Try(*row).at):
        first.setdefault(Try(*row).puzzle, row)
    return list(first.values())[-MOST_IN_A_DOCUMENT:]


def trainee(store: Store, owner: str) -> Trainee:
    """How strong an owner is by now."""
    return _trainee(store.kept(owner, TRAINEE))


def tries(store: Store, owner: str) -> list[Try]:
    """All first tries of an owner, the last one first."""
    months = sorted(store.all_kept(owner, TRIES).items())
    return [Try(*row) for _, month in months for row in month][::-1]


def puzzle_rating(store: Store, name: str, puzzle: Puzzle) -> Rating:
    """What a puzzle has become by all tries, or its first rating."""
    kind, seed = _kind(name)
    known = (store.kept(EVERYBODY, RATINGS + kind) or {}).get(seed)
    return puzzle.first_rating if known is None else Rating(*known)


async def note(
    store: Store, owner: str, name: str, puzzle: Puzzle, right: bool, move: str, seconds: float
) -> tuple[Trainee, Trainee] | None:
    """Rate the first try of a puzzle: the owner before and after; None where it was not the first.

    The puzzle's rating moves the other way, for everybody.
    """
    tried = await to_thread.run_sync(tries, store, owner)
    if any(one.puzzle == name for one in tried):
        return None
    hard = await to_thread.run_sync(puzzle_rating, store, name, puzzle)
    before = await to_thread.run_sync(trainee, store, owner)
    after = before.after(hard, right)
    at = time.time()
    took = round(min(max(seconds, 0.0), LONGEST), 1)
    one = Try(name, round(at, 1), right, took, round(after.rating), round(hard.rating), move)
    month = TRIES + time.strftime("%Y-%m", time.gmtime(at))
    await store.change(
        owner, month, lambda rows: [*(rows or []), list(astuple(one))][-MOST_IN_A_DOCUMENT:]
    )
    await store.change(owner, TRAINEE, lambda now: asdict(_trainee(now).after(hard, right)))
    kind, seed = _kind(name)
    moved = rated(hard, [(before.strength, float(not right))])
    packed = [round(value, 4) for value in astuple(moved)]

    def keep(known: Any) -> Any:
        return dict([*(known or {}).items(), (seed, packed)][-MOST_IN_A_DOCUMENT:])

    await store.change(EVERYBODY, RATINGS + kind, keep)
    return before, after


def trainee_json(one: Trainee) -> Json:
    """The figures of a trainee as the page shows them."""
    shown = replace(one, rating=round(one.rating), deviation=round(one.deviation))
    return {key: value for key, value in asdict(shown).items() if key != "volatility"}


def _trainee(kept: Any) -> Trainee:
    return Trainee(**kept) if kept else Trainee()


def _kind(name: str) -> tuple[str, str]:
    kind, _, seed = name.rpartition("-")
    return kind, seed
