"""No-guess boards: layouts that certain moves win from the first click.

Layouts are drawn until one needs no guess: then every no-guess layout is equally likely, given the
first click. If that takes too many draws, mines are moved one at a time, never opening fewer cells,
until no guess is needed; then more mines are moved at random while the layout needs no guess. After
that, tests detect no bias.

That Markov chain has symmetric proposals, so uniform layouts stay uniform. On small boards it mixes
slowly: the 21 layouts of 4x4/6 from r2c2 (rule safe) form two groups, of 14 and 7, and a move from
one group to the other changes at least five mines at once. So the chain starts from a drawn layout
where drawing finds one, and always where there are few layouts; it is then exactly uniform from the
start.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from sapper.board.layout import Layout
from sapper.board.random_layout import GeneratedLayout
from sapper.board.random_stream import check_seed
from sapper.board.rules import Rules
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, Limit, start_limit
from sapper.errors import OutOfBudget, RulesError, Unavailable, unknown_name
from sapper.generators.certificates import Certificate, certify
from sapper.generators.grading import grade
from sapper.generators.no_guess_search import NO_GUESS_METHODS, NoGuessSearch
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.values import check_int, check_type

# The difficulties that the search can be limited to, each with the next lower one. It does not
# distinguish three numbers from four or more.
_EASIER = {"two": "one", "four": "two", "count": "four"}

# Cells in all layouts drawn before another method is used: a thousand Expert boards, about 20 ms.
# Drawing finds 97 % of the boards 30x16/120 within that, and 10 % of 30x16/130.
MAX_CELLS_DRAWN = 480_000
# Up to this many possible layouts (boards up to 5x5), mines are never moved: layouts are only
# drawn, which takes four seconds at worst.
FEW_LAYOUTS = 3_000_000
# Up to this many possible layouts, all are checked if a search finds nothing, which takes two
# seconds.
MAX_ENUMERATED = 50_000
# Tries per possible layout before that check: a single no-guess layout is missed in 1 of 150 cases.
TRIES_PER_LAYOUT = 5
# A climb that takes more moves starts again from a new layout.
MAX_CLIMB_MOVES = 20_000
# Moves between two candidates of the chain for a given difficulty or 3BV.
MOVES_BETWEEN_CANDIDATES = 20


@dataclass(frozen=True)
class NoGuessOptions:
    """What a no-guess board must satisfy besides the rules of the game.

    Without *use_mine_count* it is won from the numbers alone. *difficulty* is that of the hardest
    step exactly, or an upper bound with *or_easier*. *three_bv* gives bounds of the 3BV, both
    included. *method* is one of NO_GUESS_METHODS; None draws first, and uses the chain if that
    fails.
    """

    use_mine_count: bool = True
    difficulty: str | None = None
    or_easier: bool = False
    three_bv: tuple[int, int] | None = None
    method: str | None = None

    def __post_init__(self) -> None:
        check_type(self.use_mine_count, bool, "use_mine_count as a bool")
        check_type(self.or_easier, bool, "or_easier as a bool")
        if self.difficulty is not None:
            object.__setattr__(self, "difficulty", DIFFICULTIES.find(self.difficulty).name)
            needs_count = DIFFICULTIES[self.difficulty].uses_mine_count
            if needs_count and not self.use_mine_count and not self.or_easier:
                raise RulesError(
                    f"difficulty {self.difficulty!r} needs the mine count, which must not be used"
                )
        elif self.or_easier:
            raise RulesError("'or easier' needs a difficulty")
        if self.three_bv is not None:
            _check_bounds(self.three_bv)
        if self.method is not None and self.method not in NO_GUESS_METHODS:
            raise unknown_name("method", self.method, NO_GUESS_METHODS)

    @property
    def max_difficulty(self) -> str:
        """The highest difficulty of the moves that the search may make."""
        if self.difficulty is None:
            return "count" if self.use_mine_count else "four"
        entry = DIFFICULTIES[self.difficulty]
        if entry.uses_mine_count:
            return "count" if self.use_mine_count else "four"
        return {1: "one", 2: "two"}.get(entry.numbers or 0, "four")

    def __str__(self) -> str:
        parts = []
        if self.difficulty is not None:
            parts.append(f"difficulty {self.difficulty!r}{' or easier' if self.or_easier else ''}")
        if self.three_bv is not None:
            parts.append("3BV {}-{}".format(*self.three_bv))
        return "no-guess board" + (f" with {' and '.join(parts)}" if parts else "")


def _check_bounds(three_bv: tuple[int, int]) -> None:
    expected = "two bounds of the 3BV"
    check_type(three_bv, tuple, expected)
    bounds = [check_int(bound, expected) for bound in three_bv]
    if len(bounds) != 2:
        raise RulesError(f"expected {expected}, got {len(bounds)}")
    if not 0 <= bounds[0] <= bounds[1]:
        raise RulesError(
            f"expected 3BV from a lower to an upper bound, got {bounds[0]}-{bounds[1]}"
        )


@dataclass(frozen=True, repr=False)
class NoGuessLayout(GeneratedLayout):
    """A layout that certain moves win from its first click, and how it was found."""

    options: NoGuessOptions
    method: str

    @cached_property
    def difficulty(self) -> str:
        """The difficulty of the hardest step, if the easiest steps are made first."""
        return grade(self.layout).difficulty

    @cached_property
    def certificate(self) -> Certificate:
        """The steps from the click to the win, checked by playing them."""
        return certify(self.layout, use_mine_count=self.options.use_mine_count)

    def __repr__(self) -> str:
        rules = self.rules
        return f"<NoGuessLayout {rules.board}/{rules.mines}, seed {self.seed}, by {self.method}>"


def no_guess_layouts(
    rules: Rules,
    seeds: Iterable[int],
    first: str | int | None = None,
    options: NoGuessOptions | None = None,
    *,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Iterator[NoGuessLayout]:
    """Yield the no-guess layout of each seed; *first* is the middle of the board by default.

    The budget is for each layout. Raises OutOfBudget if none is found within it, and Unavailable if
    there is none, which is checked where the rules have few layouts.
    """
    options = options or NoGuessOptions()
    cell = rules.first_cell(first)
    rules.check_first(cell)
    search = NoGuessSearch(rules, cell, options.max_difficulty, start_limit(budget, cancel))
    existence_checked = False
    for seed in (check_seed(seed) for seed in seeds):
        limit = start_limit(budget, cancel)
        layout_filter = _LayoutFilter(rules, cell, options, limit)
        search.restart(seed, limit)
        candidates = _candidates(options.method, search)
        existence_checked = existence_checked or search.layout_count > MAX_ENUMERATED
        try:
            for method in candidates:
                if method and layout_filter(search.layout):
                    break
                tried_enough = search.tries > TRIES_PER_LAYOUT * search.layout_count
                if not existence_checked and tried_enough:
                    _check_existence(rules, cell, options, limit)
                    existence_checked = True
            else:
                raise Unavailable(f"no {options}: these rules have a single layout")
        except OutOfBudget as error:
            raise layout_filter.add_rejected_count(error) from None
        # Play it again from the first click, without the state that the search kept.
        if search.solve() < len(rules.board) - rules.mines:
            raise AssertionError(f"the board of seed {seed} needs a guess")
        yield NoGuessLayout(rules, seed, cell, search.layout, options, method)


def _check_existence(rules: Rules, first: int, options: NoGuessOptions, limit: Limit) -> None:
    """Raise Unavailable if no layout with this first click fits the options."""
    search = NoGuessSearch(rules, first, options.max_difficulty, limit)
    if not any(map(_LayoutFilter(rules, first, options, limit), search.enumerate_layouts())):
        raise Unavailable(
            f"no {options}: none of the {search.layout_count:,} layouts with the first click at "
            f"{rules.board.name(first)} is one"
        )


def _candidates(method: str | None, search: NoGuessSearch) -> Iterator[str | None]:
    """Find no-guess layouts one after another, and yield the method that found each.

    Yield None after each batch of tries that finds none, so that the caller can stop. The iterator
    ends only if the rules have a single layout.
    """
    max_draws = MAX_CELLS_DRAWN // len(search.rules.board) + 1
    only_draw = search.layout_count <= FEW_LAYOUTS
    draw_first = method == "chain"
    if not search.can_move_mines:
        if search.draw(1):
            yield method or "rejection"
        return
    if method in (None, "rejection"):
        while method or only_draw or search.drawn < max_draws:
            if search.draw(max_draws):
                draw_first = True
                yield "rejection"
            else:
                yield None
    while True:
        is_no_guess = search.draw(max_draws if draw_first else 1)
        if only_draw and method == "chain" and not is_no_guess:
            yield None
            continue
        if not search.climb(MAX_CLIMB_MOVES):
            yield None
            continue
        if method == "swaps":
            yield "swaps"
            continue
        # Two accepted moves per mine; after 200 moves, statistics match those of drawn layouts.
        search.walk(300 + 2 * search.rules.mines)
        yield "chain"
        for _ in range(MAX_CLIMB_MOVES // MOVES_BETWEEN_CANDIDATES):
            search.walk(MOVES_BETWEEN_CANDIDATES)
            yield "chain"


class _LayoutFilter:
    """A filter for no-guess layouts of the given difficulty and 3BV, which counts the others."""

    def __init__(self, rules: Rules, first: int, options: NoGuessOptions, limit: Limit):
        self._options = options
        self._limit = limit
        self._rejected = 0
        # A layout that moves of the next lower difficulty win is too easy.
        exact = options.difficulty is not None and not options.or_easier
        easier = _EASIER.get(options.max_difficulty) if exact else None
        self._easier = None if easier is None else NoGuessSearch(rules, first, easier, limit)

    def add_rejected_count(self, error: OutOfBudget) -> OutOfBudget:
        """Return the error of a search that ended, with the number of rejected layouts."""
        if not self._rejected or self._limit.cancelled:
            return error
        return self._limit.error(f"no {self._options} among the {self._rejected} found")

    def __call__(self, layout: Layout) -> bool:
        accepted = self._accepts(layout)
        self._rejected += not accepted
        return accepted

    def _accepts(self, layout: Layout) -> bool:
        options = self._options
        bounds = options.three_bv
        if bounds is not None and not bounds[0] <= layout.three_bv <= bounds[1]:
            return False
        if self._easier is not None:
            self._easier.load(layout.mine_mask)
            if self._easier.solve() == len(layout.board) - layout.mine_count:
                return False
        if options.difficulty is None or options.max_difficulty != "four":
            return True
        if options.or_easier and DIFFICULTIES[options.difficulty].numbers is None:
            return True
        difficulty = grade(layout, budget=self._limit).difficulty
        if options.or_easier:
            return DIFFICULTIES.index(difficulty) <= DIFFICULTIES.index(options.difficulty)
        return difficulty == options.difficulty
