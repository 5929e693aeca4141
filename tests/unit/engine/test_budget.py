"""Budgets and limits: a function starts its budget once, and the limit stops all its searches."""

import threading

import pytest

from sapper import SOLVERS, Game, Position, analyse, explain, generate, grade, hint, solve, tiling
from sapper.engine.budget import Budget, Cancel
from sapper.errors import NotationError, OutOfBudget
from sapper.games.watch import WatchedGame
from sapper.generators.paper_puzzles.make import paper_puzzles
from sapper.generators.paper_puzzles.rules import paper_puzzle_rules
from sapper.players.agents import BudgetedHybridSolver
from sapper.players.registry import PLAYERS, advise
from sapper.proofs.prover import explain_all

POSITION = Position.parse("1 # #\n1 # #\n# # #", mines=2)
# Only a guess is possible here, after all difficulties have been tried.
STUCK = Position.parse("# 1 # # # # # 1 #", mines=4)

ANALYSIS = analyse(POSITION)

FUNCTIONS = {
    "analyse": lambda budget: analyse(POSITION, budget=budget),
    "values": lambda budget: ANALYSIS.values("r3c3", budget=budget),
    "value_fractions": lambda budget: ANALYSIS.value_fractions("r3c3", budget=budget),
    "explain": lambda budget: explain(POSITION, "reveal r3c1", budget=budget),
    "explain_all": lambda budget: explain_all(POSITION, budget=budget),
    "hint": lambda budget: hint(POSITION, 4, budget=budget),
    "hint of a guess": lambda budget: hint(STUCK, 4, budget=budget),
    "advise": lambda budget: advise(POSITION, budget=budget),
    "solve": lambda budget: solve(POSITION, "hybrid", budget),
    "grade": lambda budget: grade(generate("beginner", seed=3).layout, budget=budget),
    "paper_puzzles": lambda budget: list(
        paper_puzzles(paper_puzzle_rules(tiling("square", 5, 5)), 2, 1, budget)
    ),
}

# Such a small position is solved before the clock is checked.
IMMEDIATE = ("analyse", "values", "advise", "solve")


def lattice(side):
    """Return numbers in every other row and column, all else covered: hard for any engine."""
    numbers = {
        f"r{r}c{c}": 2 + (r * c + r) % 3 for r in range(2, side, 2) for c in range(2, side, 2)
    }
    return Position.of(tiling("square", side, side), numbers, mines=side * side * 3 // 10)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_function_starts_its_budget_once_and_stops_at_an_expired_limit(name, monkeypatch):
    started, start = [], Budget.start

    def counted(self, cancel=None):
        started.append(self)
        return start(self, cancel)

    monkeypatch.setattr(Budget, "start", counted)
    FUNCTIONS[name](Budget(60))
    assert started == [Budget(60)]
    if name not in (*IMMEDIATE, "hint"):
        with pytest.raises(OutOfBudget):
            FUNCTIONS[name](Budget(60).start().within(0))


def test_hints_of_one_or_two_numbers_are_given_after_the_limit():
    full, late = hint(POSITION, 4), hint(POSITION, 4, budget=Budget(60).start().within(0))
    assert (late.simple, late.moves, late.text) == (True, full.moves, full.text)
    assert not full.simple


def test_running_limit_is_not_restarted():
    limit = Budget(5, 1000).start(Cancel())
    assert limit.start() is limit
    assert limit.start(limit.cancel) is limit
    assert limit.within(100).deadline == limit.deadline
    assert limit.within(1).seconds_left <= 1 < limit.seconds_left <= 5
    assert limit.unstarted() == Budget(5, 1000)
    with pytest.raises(NotationError, match="cannot take another cancel flag"):
        limit.start(Cancel())


def test_error_says_whether_time_or_cancel_stopped_it():
    cancel = Cancel()
    limit = Budget(5).start(cancel)
    limit.check("nothing")
    assert not limit.expired
    with pytest.raises(
        OutOfBudget, match=r"^stopped after 5 s: 3 of 4 found; .* --seconds"
    ) as late:
        limit.within(0).check("3 of 4 found")
    assert late.value.problem == "stopped after 5 s: 3 of 4 found"
    assert "--memory or Budget(memory=...)" in str(limit.memory_error("a long list"))
    cancel.set()
    assert limit.expired and limit.cancelled
    with pytest.raises(OutOfBudget, match=r"^cancelled: 3 of 4 found$"):
        limit.check("3 of 4 found")


@pytest.mark.parametrize("search", [explain_all, hint, analyse, advise])
def test_long_search_is_cancelled_from_another_thread(search):
    cancel = Cancel()
    timer = threading.Timer(0.1, cancel.set)
    timer.start()
    with pytest.raises(OutOfBudget, match="cancelled"):
        search(lattice(41), budget=Budget(60, 10**10).start(cancel))
    timer.join()


def test_watched_game_continues_after_a_cancelled_search(cancelled):
    for watched in [SOLVERS["exact"], PLAYERS["careful"]]:

        def moves(steps):
            return [(step.move, step.changed) for step in steps]

        games = [Game.new("beginner", 7) for _ in range(2)]
        whole, interrupted = (WatchedGame(game, watched, game.board.middle, 7) for game in games)
        steps = [interrupted.step(Budget().start()) for _ in range(4)]
        with pytest.raises(OutOfBudget):
            while True:  # simple moves need no search
                steps.append(interrupted.step(Budget().start(cancelled)))
        assert not interrupted.game.over
        steps += interrupted.steps(Budget())
        assert moves(steps) == moves(whole.steps(Budget()))


def test_hybrid_player_guesses_at_the_limit_but_not_after_a_cancel(cancelled):
    solver = BudgetedHybridSolver(STUCK)
    assert solver.moves(Budget().start().within(-1)) == []
    with pytest.raises(OutOfBudget):
        BudgetedHybridSolver(STUCK).moves(Budget().start(cancelled))


def test_fractions_respect_the_memory_limit():
    position = lattice(13)
    analysis = analyse(position, budget=Budget(60, 10**9))
    with pytest.raises(OutOfBudget, match=r"needs more than 0.0\d+ GB: [\d,]+ polynomials"):
        len(analyse(position, budget=Budget(60, 40_000_000)).fractions)
    assert len(analysis.fractions) == len(analysis.probabilities)


def test_planning_of_a_large_position_stops_at_the_deadline():
    with pytest.raises(OutOfBudget, match=r"no probabilities yet for \d+ numbers"):
        analyse(lattice(301), budget=Budget(seconds=0.001))
