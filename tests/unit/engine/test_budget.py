"""One running limit: started once, handed down alone, it stops everything below it."""

import threading
import time

import pytest

from sapper import Budget, Game, OutOfBudget, Position, Rules, analyse, explain, hint, solve
from sapper.board.tilings import tiling
from sapper.engine.budget import Cancel
from sapper.errors import NotationError
from sapper.games.watch import WatchedGame
from sapper.generators.grading import grade
from sapper.generators.layouts import generate
from sapper.generators.paper_puzzles.make import paper_puzzles
from sapper.generators.paper_puzzles.rules import paper_puzzle_rules
from sapper.players.registry import PLAYERS, advise
from sapper.proofs.prover import explain_all
from sapper.solvers.registry import SOLVERS

POSITION = Position.parse("1 # #\n1 # #\n# # #", mines=2)
# Nothing but the mine count decides here, so that every difficulty is asked in vain.
STUCK = Position.parse("# 1 # # # # # 1 #", mines=4)


ANALYSIS = analyse(POSITION)


def layout():
    return generate(Rules.parse("beginner"), seed=3).layout


ANSWERS = {
    "analyse": lambda budget: analyse(POSITION, budget=budget),
    "values": lambda budget: ANALYSIS.values("r3c3", budget=budget),
    "value_fractions": lambda budget: ANALYSIS.value_fractions("r3c3", budget=budget),
    "explain": lambda budget: explain(POSITION, "reveal r3c1", budget=budget),
    "explain_all": lambda budget: explain_all(POSITION, budget=budget),
    "hint": lambda budget: hint(POSITION, 4, budget=budget),
    "hint of a guess": lambda budget: hint(STUCK, 4, budget=budget),
    "advise": lambda budget: advise(POSITION, budget=budget),
    "solve": lambda budget: solve(POSITION, "hybrid", budget),
    "grade": lambda budget: grade(layout(), budget=budget),
    "tables": lambda budget: list(
        paper_puzzles(paper_puzzle_rules(tiling("square", 5, 5)), 2, 1, budget)
    ),
}

# So small a position is answered before the clock is asked.
AT_ONCE = ("analyse", "values", "advise", "solve")
# What one or two numbers give is told all the same.
STILL_TOLD = ("hint",)


def lattice(side):
    """A number at every other row and column, everything else covered cell: no engine likes them large."""
    numbers = {
        f"r{r}c{c}": 2 + (r * c + r) % 3 for r in range(2, side, 2) for c in range(2, side, 2)
    }
    return Position.of(tiling("square", side, side), numbers, mines=side * side * 3 // 10)


@pytest.mark.parametrize("answer", ANSWERS)
def test_every_answer_starts_its_budget_once(answer, monkeypatch):
    start_limit, start = [], Budget.start

    def counted(self, cancel=None):
        start_limit.append(self)
        return start(self, cancel)

    monkeypatch.setattr(Budget, "start", counted)
    ANSWERS[answer](Budget(60))
    assert start_limit == [Budget(60)]


@pytest.mark.parametrize("answer", [name for name in ANSWERS if name not in AT_ONCE + STILL_TOLD])
def test_every_answer_stops_when_its_limit_is_over(answer):
    with pytest.raises(OutOfBudget):
        ANSWERS[answer](Budget(60).start().within(0))


@pytest.mark.parametrize("answer", STILL_TOLD)
def test_what_simple_rules_give_is_told_when_the_limit_is_over(answer):
    whole, late = ANSWERS[answer](Budget(60)), ANSWERS[answer](Budget(60).start().within(0))
    assert (late.simple, late.moves, late.text) == (True, whole.moves, whole.text)
    assert not whole.simple


def test_a_limit_that_runs_is_not_started_again():
    limit = Budget(5, 1000).start(Cancel())
    assert limit.start() is limit
    assert limit.start(limit.cancel) is limit
    assert limit.within(100).deadline == limit.deadline
    assert limit.within(1).seconds_left <= 1 < limit.seconds_left <= 5
    assert limit.unstarted() == Budget(5, 1000)
    with pytest.raises(NotationError, match="takes no second"):
        limit.start(Cancel())


def test_a_limit_says_which_of_the_two_stopped_it():
    cancel = Cancel()
    limit = Budget(5).start(cancel)
    limit.check("nothing")
    assert not limit.expired
    late = limit.within(0)
    with pytest.raises(OutOfBudget, match=r"^stopped after 5 s: 3 of 4 found$"):
        late.check("3 of 4 found")
    cancel.set()
    assert limit.expired and limit.cancelled
    with pytest.raises(OutOfBudget, match=r"^cancelled: 3 of 4 found$"):
        limit.check("3 of 4 found")


@pytest.mark.parametrize("search", ["proof", "hint", "fractions", "watched"])
def test_a_long_search_is_cancelled_from_another_thread(search):
    position = lattice(41)
    cancel = Cancel()
    limit = Budget(60, 10**10).start(cancel)
    searches = {
        "proof": lambda: explain_all(position, budget=limit),
        "hint": lambda: hint(position, budget=limit),
        "fractions": lambda: analyse(position, budget=limit).fractions,
        "watched": lambda: advise(position, budget=limit),
    }
    timer = threading.Timer(0.1, cancel.set)
    timer.start()
    began = time.monotonic()
    with pytest.raises(OutOfBudget, match="cancelled"):
        searches[search]()
    assert time.monotonic() - began < 20
    timer.join()


@pytest.mark.parametrize("who", ["solver", "player"])
def test_a_watched_game_goes_on_where_a_cancelled_search_left_it(who):
    def begin():
        game = Game.new(Rules.parse("beginner"), 7)
        if who == "solver":
            return WatchedGame(game, SOLVERS["exact"], game.board.middle)
        return WatchedGame(game, PLAYERS["careful"], game.board.middle, 7)

    def moves(watch):
        return [(step.move, step.changed) for step in watch.steps(Budget())]

    whole, broken = begin(), begin()
    made = [broken.step(Budget().start()) for _ in range(4)]
    cancel = Cancel()
    cancel.set()
    while (step := _try(broken, Budget().start(cancel))) is not None:
        made.append(step)
    assert not broken.game.over
    made += broken.steps(Budget())
    assert [(step.move, step.changed) for step in made] == moves(whole)


def _try(watch, limit):
    try:
        return watch.step(limit)
    except OutOfBudget:
        return None


def test_fractions_keep_to_the_memory():
    position = lattice(13)
    analysis = analyse(position, budget=Budget(60, 10**9))
    with pytest.raises(OutOfBudget, match=r"needs more than 0.0\d+ GB: [\d,]+ polynomials"):
        len(analyse(position, budget=Budget(60, 40_000_000)).fractions)
    assert len(analysis.fractions) == len(analysis.probabilities)


def test_planning_asks_the_clock():
    position = lattice(301)
    began = time.monotonic()
    with pytest.raises(OutOfBudget, match=r"still planning the joins of \d+ numbers"):
        analyse(position, budget=Budget(seconds=0.001))
    assert time.monotonic() - began < 20
