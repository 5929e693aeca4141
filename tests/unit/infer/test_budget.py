"""One running limit: started once, handed down alone, it stops everything below it."""

import threading
import time

import pytest

from sapper import Budget, Cancel, Frame, Game, OutOfBudget, Rules, analyse, explain, nudge, solve
from sapper.errors import NotationError
from sapper.generate.grade import grade
from sapper.generate.tables.make import make_tables, table_rules
from sapper.infer.proofs.prove import explain_all
from sapper.infer.solvers import SOLVERS
from sapper.model.deal import deal
from sapper.model.tilings import tiling
from sapper.play.players import PLAYERS, advise
from sapper.play.watch import Playing

FRAME = Frame.parse("1 # #\n1 # #\n# # #", mines=2)
# Nothing but the mine count decides here, so that every rung is asked in vain.
STUCK = Frame.parse("# 1 # # # # # 1 #", mines=4)


ANALYSIS = analyse(FRAME)


def layout():
    return deal(Rules.parse("beginner"), seed=3).layout


ANSWERS = {
    "analyse": lambda budget: analyse(FRAME, budget=budget),
    "numbers": lambda budget: ANALYSIS.numbers("r3c3", budget=budget),
    "number_fractions": lambda budget: ANALYSIS.number_fractions("r3c3", budget=budget),
    "explain": lambda budget: explain(FRAME, "reveal r3c1", budget=budget),
    "explain_all": lambda budget: explain_all(FRAME, budget=budget),
    "nudge": lambda budget: nudge(FRAME, 4, budget=budget),
    "nudge of a guess": lambda budget: nudge(STUCK, 4, budget=budget),
    "advise": lambda budget: advise(FRAME, budget=budget),
    "solve": lambda budget: solve(FRAME, "hybrid", budget),
    "grade": lambda budget: grade(layout(), budget=budget),
    "tables": lambda budget: list(make_tables(table_rules(tiling("square", 5, 5)), 2, 1, budget)),
}

# So small a frame is answered before the clock is asked.
AT_ONCE = ("analyse", "numbers", "advise", "solve")
# What one or two hints give is told all the same.
STILL_TOLD = ("nudge",)


def lattice(side):
    """A hint at every other row and column, everything else blank: no engine likes them large."""
    hints = {f"r{r}c{c}": 2 + (r * c + r) % 3 for r in range(2, side, 2) for c in range(2, side, 2)}
    return Frame.of(tiling("square", side, side), hints, mines=side * side * 3 // 10)


@pytest.mark.parametrize("answer", ANSWERS)
def test_every_answer_starts_its_budget_once(answer, monkeypatch):
    started, start = [], Budget.start

    def counted(self, cancel=None):
        started.append(self)
        return start(self, cancel)

    monkeypatch.setattr(Budget, "start", counted)
    ANSWERS[answer](Budget(60))
    assert started == [Budget(60)]


@pytest.mark.parametrize("answer", [name for name in ANSWERS if name not in AT_ONCE + STILL_TOLD])
def test_every_answer_stops_when_its_limit_is_over(answer):
    with pytest.raises(OutOfBudget):
        ANSWERS[answer](Budget(60).start().within(0))


@pytest.mark.parametrize("answer", STILL_TOLD)
def test_what_simple_rules_give_is_told_when_the_limit_is_over(answer):
    whole, late = ANSWERS[answer](Budget(60)), ANSWERS[answer](Budget(60).start().within(0))
    assert (late.simple, late.play, late.text) == (True, whole.play, whole.text)
    assert not whole.simple


def test_a_limit_that_runs_is_not_started_again():
    limit = Budget(5, 1000).start(Cancel())
    assert limit.start() is limit
    assert limit.start(limit.cancel) is limit
    assert limit.within(100).until == limit.until
    assert limit.within(1).left <= 1 < limit.left <= 5
    assert limit.afresh() == Budget(5, 1000)
    with pytest.raises(NotationError, match="expected one cancel"):
        limit.start(Cancel())


def test_a_limit_says_which_of_the_two_stopped_it():
    cancel = Cancel()
    limit = Budget(5).start(cancel)
    limit.check("nothing")
    assert not limit.over
    late = limit.within(0)
    with pytest.raises(OutOfBudget, match="expected to need at most 5 s, got 3 of 4 by then"):
        late.check("3 of 4 by then")
    cancel.set()
    assert limit.over and limit.cancelled
    with pytest.raises(OutOfBudget, match="cancelled: 3 of 4 by then"):
        limit.check("3 of 4 by then")


@pytest.mark.parametrize("search", ["proof", "nudge", "fractions", "watched"])
def test_a_long_search_is_cancelled_from_another_thread(search):
    frame = lattice(41)
    cancel = Cancel()
    limit = Budget(60, 10**10).start(cancel)
    searches = {
        "proof": lambda: explain_all(frame, budget=limit),
        "nudge": lambda: nudge(frame, budget=limit),
        "fractions": lambda: analyse(frame, budget=limit).fractions,
        "watched": lambda: advise(frame, budget=limit),
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
        game = Game.deal(Rules.parse("beginner"), 7)
        if who == "solver":
            return Playing.solver(game, SOLVERS.find("exact"), game.board.middle)
        return Playing.player(game, PLAYERS.find("careful"), game.board.middle, 7)

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
    frame = lattice(13)
    analysis = analyse(frame, budget=Budget(60, 10**9))
    with pytest.raises(OutOfBudget, match=r"at most 0.0\d+ GB, got [\d,]+ polynomials"):
        len(analyse(frame, budget=Budget(60, 40_000_000)).fractions)
    assert len(analysis.fractions) == len(analysis.odds)


def test_planning_asks_the_clock():
    frame = lattice(301)
    began = time.monotonic()
    with pytest.raises(OutOfBudget, match=r"got \d+ hints whose joins were still being planned"):
        analyse(frame, budget=Budget(seconds=0.001))
    assert time.monotonic() - began < 20
