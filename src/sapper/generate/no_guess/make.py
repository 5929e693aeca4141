"""No-guess boards: what may be asked for, and how a layout that keeps the promise is found.

Layouts are drawn until one needs no guess: then every such layout is equally likely, given the
first click. Where that takes too many draws, mines are moved one at a time, never opening less,
until no guess is needed, and then moved to and fro while none is, which takes the bias out again.

>>> board = no_guess("expert", seed=1)
>>> board.method, board.rung, board.certificate.steps[0].rung
('rejection', 'count', 'one')
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from sapper.errors import OutOfBudget, RulesError, Unavailable, unknown_name
from sapper.generate.grade import grade
from sapper.generate.no_guess.certificate import Certificate, certify
from sapper.generate.no_guess.search import Search
from sapper.infer.budget import DEFAULT, Budget, Cancel, Limit, started
from sapper.infer.ladder.rungs import RUNGS
from sapper.model.deal import Deal, fresh_seed
from sapper.model.layout import Layout
from sapper.model.rules import Rules
from sapper.values import need, whole

METHODS: dict[str, str] = {
    "rejection": "drawn until one needs no guess: all such layouts are equally likely",
    "swaps": "mines moved one at a time until there is no need to guess",
    "chain": "the same, then mines moved to and fro while there is none: nearly equally likely",
}

# The hardest rung that the searching player may use for boards of each rung: it knows pairs, all
# that the hints say, and the count; three hints it cannot tell from four.
_REACHES = {"one": "one", "two": "two", "three": "four", "four": "four", "count": "count"}

# Cells that are dealt before drawing is given up: a thousand draws of an Expert board, or about
# 20 ms; 30x16/120 is found by drawing in 97 cases of 100, 30x16/130 in 10.
CELLS_DRAWN = 480_000
# A climb that has not arrived after so many moves starts again from a fresh layout.
MOST_CLIMBED = 20_000
# Moves between two looks at a walk for a board of the wanted rung or 3BV.
STRIDE = 20


@dataclass(frozen=True)
class NoGuessRules:
    """What a no-guess board must keep besides the rules of the game.

    With the mine count, or from the hints alone; `rung` is the hardest step exactly, or with
    `at_most` an upper bound; `bbbv` are the least and the most 3BV; `method` is one of METHODS,
    or None for drawing first and the chain where that takes too long.
    """

    rules: Rules
    with_count: bool = True
    rung: str | None = None
    at_most: bool = False
    bbbv: tuple[int, int] | None = None
    method: str | None = None

    def __post_init__(self) -> None:
        if self.rung is not None:
            RUNGS.find(self.rung)
        elif self.at_most:
            raise RulesError("expected a rung to go with 'at most', got none")
        if self.rung == "count" and not self.with_count and not self.at_most:
            raise RulesError(
                "expected a rung up to 'four' for boards from the hints alone, got 'count'"
            )
        if self.bbbv is not None:
            _check_bounds(self.bbbv)
        if self.method is not None and self.method not in METHODS:
            raise unknown_name("a method", self.method, METHODS)

    @property
    def reach(self) -> str:
        """The hardest that the searching player may use."""
        hints_alone = not self.with_count
        asked = _REACHES[self.rung or "count"]
        return "four" if hints_alone and asked == "count" else asked


def _check_bounds(bbbv: tuple[int, int]) -> None:
    words = "two bounds of the 3BV"
    need(bbbv, tuple, words)
    bounds = [whole(bound, words) for bound in bbbv]
    if len(bounds) != 2:
        raise RulesError(f"expected {words}, got {len(bounds)}")
    if not 0 <= bounds[0] <= bounds[1]:
        raise RulesError(
            f"expected 3BV from a lower to an upper bound, got {bounds[0]}-{bounds[1]}"
        )


@dataclass(frozen=True)
class NoGuess:
    """A layout that certain moves alone win from its click, and how it was found."""

    deal: Deal
    wanted: NoGuessRules
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
    def rung(self) -> str:
        """The hardest step on the way, the easiest taken first."""
        return grade(self.layout).rung

    @cached_property
    def certificate(self) -> Certificate:
        """The way from the click to the win, checked by playing it."""
        return certify(self.layout, with_count=self.wanted.with_count)

    def __repr__(self) -> str:
        rules = self.deal.rules
        return f"<NoGuess {rules.board}/{rules.mines}, seed {self.seed}, by {self.method}>"


def no_guess(
    size: str | Rules,
    seed: int | None = None,
    rule: str | None = None,
    first: str | int | None = None,
    *,
    tiling: str | None = None,
    with_count: bool = True,
    rung: str | None = None,
    at_most: bool = False,
    bbbv: tuple[int, int] | None = None,
    method: str | None = None,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> NoGuess:
    """A layout that a player who finds every certain move wins from *first* without a guess.

    The other arguments are as in `deal` and in `NoGuessRules`. The same seed gives the same
    layout. Raises OutOfBudget where none is found within *budget*: never a weaker board.
    """
    wanted = NoGuessRules(Rules.of(size, tiling, rule), with_count, rung, at_most, bbbv, method)
    number = fresh_seed() if seed is None else seed
    return find(wanted, number, first, budget=budget, cancel=cancel)


def find(
    wanted: NoGuessRules,
    seed: int,
    first: str | int | None = None,
    *,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> NoGuess:
    """The no-guess board of a seed; *first* is the board's middle unless given."""
    return next(find_many(wanted, [seed], first, budget=budget, cancel=cancel))


def find_many(
    wanted: NoGuessRules,
    seeds: Iterable[int],
    first: str | int | None = None,
    *,
    budget: Budget = DEFAULT,
    cancel: Cancel | None = None,
) -> Iterator[NoGuess]:
    """The no-guess boards of many seeds, found as they are asked for; *budget* holds for each."""
    rules = wanted.rules
    cell = rules.first_cell(first)
    rules.check_first(cell)
    search = Search(rules, cell, wanted.reach, started(budget, cancel))
    for seed in (whole(seed, "a seed") for seed in seeds):
        limit = started(budget, cancel)
        fits = _Fitting(wanted, cell, limit)
        search.begin(seed, limit)
        try:
            method = next((name for name in _layouts(wanted, search) if fits(search.layout)), None)
        except OutOfBudget as error:
            raise fits.refusal(error) from None
        if method is None:
            raise Unavailable(
                f"expected {fits.asked}, got rules with a single layout, of another kind"
            )
        # Once more from the first click, without what the search had kept.
        if search.clear() < len(rules.board) - rules.mines:
            raise AssertionError(f"the board of seed {seed} needs a guess")
        yield NoGuess(Deal(rules, seed, cell, search.layout), wanted, method)


def _layouts(wanted: NoGuessRules, search: Search) -> Iterator[str]:
    """Layouts without a guess, one after the other, each with the method that made it.

    They end only where the rules leave room for a single layout.
    """
    mines, most = wanted.rules.mines, CELLS_DRAWN // len(wanted.rules.board) + 1
    if not search.can_move:
        if search.draw(1):
            yield wanted.method or "rejection"
        return
    if wanted.method in (None, "rejection"):
        while wanted.method or search.drawn < most:
            if search.draw(most):
                yield "rejection"
    while True:
        search.draw(1)
        if not search.climb(MOST_CLIMBED):
            continue
        if wanted.method == "swaps":
            yield "swaps"
            continue
        # Two accepted moves a mine; statistics are those of drawn layouts from 200 moves on.
        search.walk(300 + 2 * mines)
        yield "chain"
        for _ in range(MOST_CLIMBED // STRIDE):
            search.walk(STRIDE)
            yield "chain"


class _Fitting:
    """Whether a layout without a guess has the wanted rung and 3BV."""

    def __init__(self, wanted: NoGuessRules, first: int, limit: Limit):
        self._wanted = wanted
        self._limit = limit
        self._passed_over = 0
        # Solvable with the rung below would be too easy; three hints are told from four by grading.
        below = {"two": "one", "three": "two", "four": "two", "count": "four"}
        exact = wanted.rung is not None and not wanted.at_most
        self._easier = (
            Search(wanted.rules, first, below[wanted.rung], limit)
            if exact and wanted.rung in below
            else None
        )

    @property
    def asked(self) -> str:
        """What was asked for, in words."""
        wanted, kinds = self._wanted, []
        if wanted.rung is not None:
            kinds.append(f"rung {'up to ' if wanted.at_most else ''}{wanted.rung!r}")
        if wanted.bbbv is not None:
            kinds.append("3BV {}-{}".format(*wanted.bbbv))
        return "a board without a guess" + (f" of {' and '.join(kinds)}" if kinds else "")

    def refusal(self, error: OutOfBudget) -> OutOfBudget:
        """The error of a search that ended, told by what it found instead where that was much."""
        if not self._passed_over or self._limit.cancelled:
            return error
        return OutOfBudget(
            f"expected {self.asked} within {self._limit.seconds:g} s, "
            f"got {self._passed_over} of another kind"
        )

    def __call__(self, layout: Layout) -> bool:
        """Whether it fits; those that do not are counted."""
        fits = self._fits(layout)
        self._passed_over += not fits
        return fits

    def _fits(self, layout: Layout) -> bool:
        wanted = self._wanted
        if wanted.bbbv is not None and not wanted.bbbv[0] <= layout.bbbv <= wanted.bbbv[1]:
            return False
        if self._easier is not None:
            self._easier.hold(layout.mine_mask)
            if self._easier.clear() == len(layout.board) - layout.mine_count:
                return False
        if wanted.rung == "three" or (wanted.rung == "four" and not wanted.at_most):
            found = grade(layout, budget=self._limit).rung
            if wanted.at_most:
                return RUNGS.place(found) <= RUNGS.place(wanted.rung)
            return found == wanted.rung
        return True
