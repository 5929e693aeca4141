"""Whole games by solvers: never a wrong move, and no look at what is hidden."""

import numpy as np
import pytest

from sapper import TILINGS, Budget, Game, Layout, Rules, RulesError, deal
from sapper.board.position import FLAG
from sapper.games.human_games import play_human
from sapper.games.watch import MoveTally, watch_solver
from sapper.solvers.backtracking import backtrack
from sapper.solvers.registry import SOLVERS


def watched(solver, rules, seed):
    game = Game.new(rules, seed)
    tally = MoveTally()
    steps = list(watch_solver(game, SOLVERS.find(solver), tally, rules.board.middle))
    return game, tally, steps


@pytest.mark.parametrize("tiling", TILINGS)
def test_thousands_of_games_without_a_wrong_move(tiling):
    rules = Rules.parse("9x9/12", tiling, "safe")
    settled, won = 0, 0
    for seed in range(1000):
        layout = deal(rules, seed).layout
        cleared = play_human(layout)
        marks = cleared.position.marks
        assert layout.mine_mask[marks == FLAG].all()
        assert not layout.mine_mask[marks >= 0].any()
        assert (marks >= -2).all()
        settled += sum(cleared.by_strategy)
        won += cleared.won
    assert settled > 1000 and 0 < won < 1000


@pytest.mark.parametrize("tiling", TILINGS)
def test_the_hybrid_makes_no_wrong_move_in_a_thousand_games(tiling):
    rules = Rules.parse("9x9/14", tiling, "safe")
    for seed in range(200):
        game, _, steps = watched("hybrid", rules, seed)
        assert game.outcome != "lost"
        assert all(game.layout.mine_mask[s.move.cell] for s in steps if s.move.action == "flag")


@pytest.mark.parametrize("solver", list(SOLVERS))
@pytest.mark.parametrize("tiling", TILINGS)
def test_every_solver_plays_whole_games_without_a_wrong_move(solver, tiling):
    rules = Rules.parse("4x4/3", tiling, "safe")
    for seed in range(5):
        game, tally, steps = watched(solver, rules, seed)
        assert game.outcome in ("won", "playing")
        assert tally.moves == len(steps) == sum(tally.by.values())
        assert bool(tally.why_stopped) == (game.outcome == "playing")
        assert all(game.layout.mine_mask[s.move.cell] for s in steps if s.move.action == "flag")


def test_a_stronger_solver_never_gets_less_far():
    rules = Rules.parse("6x6/7", rule="safe")
    for seed in range(40):
        left = {
            solver: len(watched(solver, rules, seed)[0].position.covered)
            for solver in ("human", "hybrid", "backtrack")
        }
        assert left["human"] >= left["hybrid"] == left["backtrack"]


def test_mines_that_were_never_told_apart_do_not_change_the_play():
    rules = Rules.parse("6x6/8", rule="safe")
    compared = 0
    for seed in range(60):
        one = deal(rules, seed)
        stuck = play_human(one.layout)
        if stuck.won or not len(stuck.position.frontier):
            continue
        known = np.flatnonzero(stuck.position.marks == FLAG)
        for solution in list(backtrack(stuck.position, Budget()))[:8]:
            mines = np.zeros(len(rules.board), dtype=np.uint8)
            mines[[*known, *solution]] = 1
            again = play_human(Layout(rules.board, mines, one.first))
            assert np.array_equal(again.position.marks, stuck.position.marks)
            compared += 1
    assert compared > 20


def test_a_game_may_start_without_an_opening():
    rules = Rules.parse("5x5/12", rule="safe")
    game, tally, steps = watched("human", rules, 1)
    assert game.position.marks[rules.board.middle] > 0
    assert (len(steps), tally.why_stopped) == (1, "no certain move")


def test_clearing_needs_a_click_on_a_free_cell():
    with pytest.raises(RulesError, match="got none"):
        play_human(Layout.parse("*."))
    with pytest.raises(RulesError, match="got a mine at r1c1"):
        play_human(Layout.parse("*."), 0)


def test_a_board_of_one_cell_is_won_by_its_click():
    assert play_human(Layout.parse("c")).won


@pytest.mark.parametrize("tiling", TILINGS)
@pytest.mark.parametrize("solver", ["human", "hybrid"])
def test_playthroughs_stay_as_they_were_read(golden, solver, tiling):
    game, tally, steps = watched(solver, Rules.parse("8x6/8", tiling), 5)
    told = [step.text for step in steps]
    golden(
        f"watch/{tiling}-{solver}.txt",
        "\n".join([*told, str(game.position), tally.summary(game)]) + "\n",
    )
