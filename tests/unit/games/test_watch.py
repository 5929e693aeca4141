"""Watched games: solvers and players move by move, without a wrong move or hidden knowledge."""

import numpy as np
import pytest
from tests.error_messages import assert_refused

from sapper import FLAG, SOLVERS, TILINGS, Budget, Game, GameSetup, Layout, Rules, RulesError
from sapper.errors import NotationError
from sapper.games.watch import WATCHABLE, MoveTally, watch, watch_setup
from sapper.solvers.backtracking import backtrack


def watched(solver, rules, seed):
    game = Game.new(rules, seed)
    tally = MoveTally()
    steps = list(watch(game, solver, tally=tally))
    return game, tally, steps


@pytest.mark.parametrize("tiling", TILINGS)
def test_every_solver_plays_whole_games_without_a_wrong_move(tiling):
    games = [(solver, "4x4/3", seed) for solver in SOLVERS for seed in range(5)]
    games += [(solver, "9x9/12", seed) for solver in ("human", "hybrid") for seed in range(12)]
    for solver, size, seed in games:
        game, tally, steps = watched(solver, Rules.parse(size, tiling, "safe"), seed)
        assert game.outcome in ("won", "playing")
        assert tally.moves == len(steps) == sum(tally.by.values())
        assert bool(tally.stop_reason) == (game.outcome == "playing")
        assert all(game.layout.mine_mask[s.move.cell] for s in steps if s.move.action == "flag")


def test_mines_that_no_number_shows_do_not_change_the_moves():
    rules = Rules.parse("6x6/8", rule="safe")
    compared = 0
    for seed in range(25):
        stuck, _, steps = watched("human", rules, seed)
        if stuck.over or not len(stuck.position.frontier):
            continue
        known = np.flatnonzero(stuck.position.marks == FLAG)
        for solution in list(backtrack(stuck.position, Budget()))[:8]:
            mines = np.zeros(len(rules.board), dtype=np.uint8)
            mines[[*known, *solution]] = 1
            again = list(watch(Layout(rules.board, mines, stuck.layout.click), "human"))
            assert [step.move for step in again] == [step.move for step in steps]
            compared += 1
    assert compared > 20


def test_game_may_start_without_an_opening():
    rules = Rules.parse("5x5/12", rule="safe")
    game, tally, steps = watched("human", rules, 1)
    assert game.position.marks[rules.board.middle] > 0
    assert (len(steps), tally.stop_reason) == (1, "no certain move")


@pytest.mark.parametrize("tiling", TILINGS)
@pytest.mark.parametrize("solver", ["human", "hybrid"])
def test_steps_match_the_golden_file(golden, solver, tiling):
    game, tally, steps = watched(solver, Rules.parse("8x6/8", tiling), 5)
    lines = [*(step.text for step in steps), str(game.position), tally.summary(game)]
    golden(f"watch/{tiling}-{solver}.txt", "\n".join(lines) + "\n")


SETUP = GameSetup(Rules.parse("beginner"), 7)


def test_solvers_and_players_are_watched_by_name_and_a_default_fits_the_board():
    assert watch_setup(SETUP).name == "hybrid"
    no_guess = GameSetup(SETUP.rules, 7, "no-guess")
    assert watch_setup(no_guess).name == "exact"
    for kind, registry in WATCHABLE.items():
        for name in registry:
            assert watch_setup(SETUP, kind, name.upper()).name == name


def test_wrong_options_are_refused():
    cases = [
        ({"kind": "referee"}, "^(expected|no such) "),
        ({"name": "carful"}, "^no such solver 'carful'"),
        ({"kind": "player", "name": "brute"}, "^no such player 'brute'"),
        ({"first": "r99c1"}, "^expected "),
        ({"settings": {"seconds": 1}}, "^(expected|no such) "),
    ]
    assert_refused(lambda options: watch_setup(SETUP, **options), cases, NotationError)
    with pytest.raises(RulesError, match="at most 72 mines"):
        watch_setup(GameSetup(Rules.parse("9x9/75"), 1), first=40)
