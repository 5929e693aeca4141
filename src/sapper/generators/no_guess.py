"""No-guess boards: what may be asked for, and how a layout that keeps the promise is found.

Layouts are drawn until one needs no guess: then every such layout is equally likely, given the
first click. Where that takes too many draws, mines are moved one at a time, never opening less,
until no guess is needed, and then moved to and fro while none is, which takes the bias out again.

>>> board = no_guess("expert", seed=1)
>>> board.method, board.difficulty, board.certificate.steps[0].difficulty
('rejection', 'count', 'one')
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from sapper.board.layout import Layout
from sapper.board.random_layout import GeneratedLayout
from sapper.board.random_stream import random_seed
from sapper.board.rules import Rules
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.errors import OutOfBudget, RulesError, Unavailable, unknown_name
from sapper.generators.certificates import Certificate, certify
from sapper.generators.grading import grade
from sapper.generators.no_guess_search import NoGuessSearch
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.values import check_int, check_type

METHODS: dict[str, str] = {
    "rejection": "drawn until one needs no guess: all such layouts are equally likely",
    "swaps": "mines moved one at a time until there is no need to guess",
    "chain": "the same, then mines moved to and fro while there is none: nearly equally likely",
}

# The hardest difficulty that the searching player may use for boards of each difficulty: it knows pairs, all
# that the numbers say, and the count; three numbers it cannot tell from four.
_REACHES = {"one": "one", "two": "two", "three": "four", "four": "four", "count": "count"}

# Cells that are dealt before drawing is given up: a thousand draws of an Expert board, or about
# 20 ms; 30x16/120 is found by drawing in 97 cases of 100, 30x16/130 in 10.
MAX_CELLS_DRAWN = 480_000
# A climb that has not arrived after so many moves starts again from a fresh layout.
MAX_CLIMB_MOVES = 20_000
# Moves between two looks at a walk for a board of the wanted difficulty or 3BV.
STRIDE = 20


@dataclass(frozen=True)
class NoGuessOptions:
    """What a no-guess board must keep besides the rules of the game.

    With the mine count, or from the numbers alone; `difficulty` is the hardest step exactly, or with
    `or_easier` an upper bound; `three_bv` are the least and the most 3BV; `method` is one of METHODS,
    or None for drawing first and the chain where that takes too long.
    """

    rules: Rules
    use_mine_count: bool = True
    difficulty: str | None = None
    or_easier: bool = False
    three_bv: tuple[int, int] | None = None
    method: str | None = None

    def __post_init__(self) -> None:
        if self.difficulty is not None:
            DIFFICULTIES.find(self.difficulty)
        elif self.or_easier:
            raise RulesError("expected a difficulty to go with 'at most', got none")
        if self.difficulty == "count" and not self.use_mine_count and not self.or_easier:
            raise RulesError(
                "expected a difficulty up to 'four' for boards from the numbers alone, got 'count'"
            )
        if self.three_bv is not None:
            _check_bounds(self.three_bv)
        if self.method is not None and self.method not in METHODS:
            raise unknown_name("method", self.method, METHODS)

    @property
    def reach(self) -> str:
        """The hardest that the searching player may use."""
        numbers_alone = not self.use_mine_count
        asked = _REACHES[self.difficulty or "count"]
        return "four" if numbers_alone and asked == "count" else asked


def _check_bounds(three_bv: tuple[int, int]) -> None:
    words = "two bounds of the 3BV"
    check_type(three_bv, tuple, words)
    bounds = [check_int(bound, words) for bound in three_bv]
    if len(bounds) != 2:
        raise RulesError(f"expected {words}, got {len(bounds)}")
    if not 0 <= bounds[0] <= bounds[1]:
        raise RulesError(
            f"expected 3BV from a lower to an upper bound, got {bounds[0]}-{bounds[1]}"
        )


@dataclass(frozen=True)
class NoGuessLayout:
    """A layout that certain moves alone win from its click, and how it was found."""

    deal: GeneratedLayout
    options: NoGuessOptions
    method: str

    @property
    def layout(self) -> Layout:
        """Where the mines are, with the click."""
        return self.deal.layout

    @property
    def seed(self) -> int:
        """The seed that makes it again."""
        return self.deal.seed

    @cached_property
    def difficulty(self) -> str:
        """The hardest step on the way, the easiest taken first."""
        return grade(self.layout).difficulty

    @cached_property
    def certificate(self) -> Certificate:
        """The way from the click to the win, checked by playing it."""
        return certify(self.layout, use_mine_count=self.options.use_mine_count)

    def __repr__(self) -> str:
        rules = self.deal.rules
        return f"<NoGuessLayout {rules.board}/{rules.mines}, seed {self.seed}, by {self.method}>"


def no_guess(
    size: str | Rules,
    seed: int | None = None,
    rule: str | None = None,
    first: str | int | None = None,
    *,
    tiling: str | None = None,
    use_mine_count: bool = True,
    difficulty: str | None = None,
    or_easier: bool = False,
    three_bv: tuple[int, int] | None = None,
    method: str | None = None,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> NoGuessLayout:
    """A layout that a player who finds every certain move wins from *first* without a guess.

    The other arguments are as in `deal` and in `NoGuessOptions`. The same seed gives the same
    layout. Raises OutOfBudget where none is found within *budget*: never a weaker board.
    """
    options = NoGuessOptions(
        Rules.of(size, tiling, rule), use_mine_count, difficulty, or_easier, three_bv, method
    )
    number = random_seed() if seed is None else seed
    return find(options, number, first, budget=budget, cancel=cancel)


def find(
    options: NoGuessOptions,
    seed: int,
    first: str | int | None = None,
    *,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> NoGuessLayout:
    """The no-guess board of a seed; *first* is the board's middle unless given."""
    return next(find_many(options, [seed], first, budget=budget, cancel=cancel))


def find_many(
    options: NoGuessOptions,
    seeds: Iterable[int],
    first: str | int | None = None,
    *,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Iterator[NoGuessLayout]:
    """The no-guess boards of many seeds, found as they are asked for; *budget* holds for each."""
    rules = options.rules
    cell = rules.first_cell(first)
    rules.check_first(cell)
    search = NoGuessSearch(rules, cell, options.reach, start_limit(budget, cancel))
    for seed in (check_int(seed, "a seed") for seed in seeds):
        limit = start_limit(budget, cancel)
        fits = _LayoutFilter(options, cell, limit)
        search.begin(seed, limit)
        try:
            method = next((name for name in _layouts(options, search) if fits(search.layout)), None)
        except OutOfBudget as error:
            raise fits.refusal(error) from None
        if method is None:
            raise Unavailable(
                f"expected {fits.asked}, got rules with a single layout, of another kind"
            )
        # Once more from the first click, without what the search had kept.
        if search.clear() < len(rules.board) - rules.mines:
            raise AssertionError(f"the board of seed {seed} needs a guess")
        yield NoGuessLayout(GeneratedLayout(rules, seed, cell, search.layout), options, method)


def _layouts(options: NoGuessOptions, search: NoGuessSearch) -> Iterator[str]:
    """Layouts without a guess, one after the other, each with the method that made it.

    They end only where the rules leave room for a single layout.
    """
    mines, most = options.rules.mines, MAX_CELLS_DRAWN // len(options.rules.board) + 1
    if not search.can_move:
        if search.draw(1):
            yield options.method or "rejection"
        return
    if options.method in (None, "rejection"):
        while options.method or search.drawn < most:
            if search.draw(most):
                yield "rejection"
    while True:
        search.draw(1)
        if not search.climb(MAX_CLIMB_MOVES):
            continue
        if options.method == "swaps":
            yield "swaps"
            continue
        # Two accepted moves a mine; statistics are those of drawn layouts from 200 moves on.
        search.walk(300 + 2 * mines)
        yield "chain"
        for _ in range(MAX_CLIMB_MOVES // STRIDE):
            search.walk(STRIDE)
            yield "chain"


class _LayoutFilter:
    """Whether a layout without a guess has the wanted difficulty and 3BV."""

    def __init__(self, options: NoGuessOptions, first: int, limit: Limit):
        self._options = options
        self._limit = limit
        self._rejected = 0
        # Solvable with the difficulty below would be too easy; three numbers are told from four by grading.
        below = {"two": "one", "three": "two", "four": "two", "count": "four"}
        exact = options.difficulty is not None and not options.or_easier
        self._easier = (
            NoGuessSearch(options.rules, first, below[options.difficulty], limit)
            if exact and options.difficulty in below
            else None
        )

    @property
    def asked(self) -> str:
        """What was asked for, in words."""
        options, kinds = self._options, []
        if options.difficulty is not None:
            kinds.append(
                f"difficulty {'up to ' if options.or_easier else ''}{options.difficulty!r}"
            )
        if options.three_bv is not None:
            kinds.append("3BV {}-{}".format(*options.three_bv))
        return "a board without a guess" + (f" of {' and '.join(kinds)}" if kinds else "")

    def refusal(self, error: OutOfBudget) -> OutOfBudget:
        """The error of a search that ended, told by what it found instead where that was much."""
        if not self._rejected or self._limit.cancelled:
            return error
        return OutOfBudget(
            f"expected {self.asked} within {self._limit.seconds:g} s, "
            f"got {self._rejected} of another kind"
        )

    def __call__(self, layout: Layout) -> bool:
        """Whether it fits; those that do not are counted."""
        fits = self._fits(layout)
        self._rejected += not fits
        return fits

    def _fits(self, layout: Layout) -> bool:
        options = self._options
        if (
            options.three_bv is not None
            and not options.three_bv[0] <= layout.three_bv <= options.three_bv[1]
        ):
            return False
        if self._easier is not None:
            self._easier.hold(layout.mine_mask)
            if self._easier.clear() == len(layout.board) - layout.mine_count:
                return False
        if options.difficulty == "three" or (
            options.difficulty == "four" and not options.or_easier
        ):
            found = grade(layout, budget=self._limit).difficulty
            if options.or_easier:
                return DIFFICULTIES.index(found) <= DIFFICULTIES.index(options.difficulty)
            return found == options.difficulty
        return True
