"""Batch play: the compiled games are those of the Python players, on any board and thread."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from tests.boards import ring
from tests.error_messages import assert_refused
from tests.sampling import cases
from tests.sessions import in_python

from sapper import PLAYERS, TILINGS, Game, Move, OutOfBudget, Rules, generate, watch
from sapper.engine import workspace
from sapper.engine.budget import Budget, Cancel
from sapper.games.batch import CompiledRunner, make_runner, map_in_order
from sapper.games.play_many import FIELDS, play_each, play_many, wilson
from sapper.kernels import STATUS
from sapper.kernels.codes import IMPRECISE
from sapper.kernels.games import game_state
from sapper.kernels.tracked import state

NAMES = list(PLAYERS)


def quick(player):
    """Return the player, with few samples if it uses roll-outs."""
    entry = PLAYERS.find(player)
    return entry.with_settings({"samples": 20, "candidates": 3}) if player == "patient" else entry


def games_of(rules, player, seeds, first=None, max_layer=None):
    """Yield seed, moves and outcome of each game by the compiled player.

    With a small *max_layer*, the general engine answers instead of the tracked position.
    """
    entry = quick(player)
    log = np.empty(2 * len(rules.board) + 1, dtype=np.int32)
    runner = CompiledRunner(rules, rules.first_cell(first), entry, entry.compiled, log=log)
    if max_layer is not None:
        runner._state.tracked.max_layer = max_layer
    for seed in seeds:
        won = runner.play(range(seed, seed + 1), Cancel())[0, 0]
        cells = log[: runner.log_count].tolist()
        moves = [Move("reveal", c) if c >= 0 else Move("flag", -1 - c) for c in cells]
        yield seed, moves, "won" if won else "lost"


def assert_same_games(rules, player, seeds, first=0):
    """Compare the moves of the kernel, with flags, with those of the player's agent."""
    for seed, moves, outcome in games_of(rules, player, seeds, first):
        game = Game.new(rules, seed)
        for step in watch(game, player=quick(player), first=first, seed=seed):
            assert step.move == moves.pop(0), (player, seed, step)
        assert (game.outcome, moves) == (outcome, [])


@pytest.mark.parametrize("player", NAMES)
def test_kernel_makes_the_moves_of_the_python_player_on_every_tiling_and_a_graph(player):
    games = cases(6)
    for tiling in TILINGS:
        assert_same_games(Rules.parse("7x6/8", tiling, "safe"), player, range(games), first=9)
    assert_same_games(Rules(ring(14, (1, 2)), 4, "any"), player, range(2 * games))


@pytest.mark.parametrize("tiling", TILINGS)
def test_tracked_position_and_general_engine_lead_to_the_same_guesses(tiling):
    rules, seeds = Rules.parse("7x6/9", tiling, "safe"), range(40)
    games = list(games_of(rules, "careful", seeds, first=9))
    assert list(games_of(rules, "careful", seeds, first=9, max_layer=1)) == games


@pytest.mark.plain
def test_games_match_the_golden_file(golden):
    """Compiled and plain kernels are compared with the same file.

    Roll-outs in plain Python take long: there `patient` plays on one tiling.
    """
    lines = []
    for tiling in TILINGS:
        rules = Rules.parse("8x7/9", tiling, "safe")
        for player in NAMES:
            if player == "patient" and STATUS != "compiled" and tiling != "hexagonal":
                continue
            for seed, moves, outcome in games_of(rules, player, (3, 2**64 - 1)):
                text = " ".join(move.format(rules.board).replace(" ", "-") for move in moves)
                lines.append(f"{tiling} {player} {seed} {outcome}: {text}")
    if STATUS == "compiled":
        golden("games.txt", "\n".join(lines) + "\n")
    else:
        file = Path(__file__).parents[2] / "golden" / "games.txt"
        assert not {*lines} - {*file.read_text(encoding="utf-8").splitlines()}


def test_move_does_not_depend_on_the_hidden_mines():
    """The kernel has access to the layout, but its moves depend on the position alone."""
    rules = Rules.parse("4x4/4", rule="safe")
    chosen, repeats, layouts = {}, 0, {}
    for seed, moves, _ in games_of(rules, "careful", range(600), 0):
        layout = generate(rules, seed, 0).layout
        game = Game.from_layout(layout)
        for move in moves:
            seen = game.position
            before = chosen.setdefault(seen, move)
            assert before == move, f"seed {seed}:\n{seen}"
            hidden = layouts.setdefault(seen, layout.mine_mask.tobytes())
            repeats += hidden != layout.mine_mask.tobytes()
            game.play(move)
    assert repeats > 2000


def test_one_and_two_threads_play_the_same_games():
    for player in ("careful", "shrewd"):
        one = play_each("9x9/14", player, 40, seed=5, rule="safe", threads=1)
        two = play_each("9x9/14", player, 40, seed=5, rule="safe", threads=2)
        assert one.shape == (40, len(FIELDS)) and (one == two).all()


def test_play_many_adds_up_the_games_of_play_each():
    each = play_each("intermediate", games=200, seed=9, rule="safe", first="r1c1")
    seen = []
    tally = play_many(
        "intermediate", games=200, seed=9, rule="safe", first="r1c1", progress=seen.append
    )
    counts = (tally.wins, tally.guesses, tally.reveals, tally.engine_calls)
    assert counts == tuple(each.sum(axis=0)[:4])
    assert tally.games == 200 and tally.blunders is None and tally.seconds > 0
    assert seen[-1] == 200 and seen == sorted(seen)
    low, high = tally.interval
    assert low < tally.win_rate == tally.wins / 200 < high
    assert "careful on square 16x16/40 safe r1c1" in str(tally) and "seeds from 9" in repr(tally)


def test_rule_argument_overrides_the_rule_of_given_rules():
    rules = Rules.parse("6x6/6", "torus", "safe")
    same = play_each("6x6/6", games=30, seed=1, rule="safe", tiling="torus")
    assert (play_each(rules, games=30, seed=1) == same).all()
    zero = play_many(rules, games=30, seed=1, rule="zero")
    assert zero.rules.rule == "zero"


@pytest.mark.parametrize(
    ("player", "size", "tilings", "games"),
    [
        ("thoughtful", "9x9/14", [tiling for tiling in TILINGS if tiling != "triangular"], 80),
        ("thoughtful", "9x9/9", ["triangular"], 80),
        ("careful", "9x9/16", ["square"], 1000),
        ("shrewd", "9x9/16", ["square"], 80),
    ],
)
def test_players_never_lose_while_a_certain_reveal_exists(player, size, tilings, games):
    for tiling, rule in product(tilings, ("safe", "zero")):
        tally = play_many(
            size, player, games, seed=1, rule=rule, tiling=tiling, count_blunders=True
        )
        assert 0 < tally.wins < games and tally.blunders == 0, (tiling, rule)


def test_weaker_players_blunder_more_often():
    names = ("random", "human", "hybrid", "careful")
    runs = {
        name: play_many("8x8/10", name, 500, seed=1, rule="safe", count_blunders=True)
        for name in names
    }
    assert runs["random"].blunders > runs["human"].blunders > runs["hybrid"].blunders > 0
    assert runs["random"].wins < runs["human"].wins < runs["careful"].wins
    assert (
        runs["random"].engine_calls == runs["human"].engine_calls == 0 < runs["hybrid"].engine_calls
    )


def test_boards_without_mines_or_guesses_and_runs_without_games():
    assert play_many("1x1/0", games=3, seed=0).wins == 3
    assert play_many("5x5/0", games=3, seed=0).reveals == 3
    lost = play_many("2x1/1", games=50, seed=0, rule="any")
    assert 0 < lost.wins < 50 and lost.guesses == 0
    assert play_many("4x4/15", games=5, seed=0, rule="safe").wins == 5
    none = play_many("1x1/0", games=0, seed=1)
    assert none.games == 0 and none.interval == (0.0, 1.0)
    assert str(none).endswith("r1c1: no games, seeds from 1")
    assert play_many("beginner", games=5, seed=2**64 - 5).games == 5


def test_impossible_arguments_are_refused_in_one_line():
    wrong = [{"threads": 0}, {"threads": 1.5}, {"seed": 1.5}, {"games": 2.5}, {"rule": "kind"}]
    wrong += [{"tiling": "round"}, {"size": "9x9"}]
    cases = [(arguments, "") for arguments in wrong]
    assert_refused(lambda given: play_many(**{"size": "beginner", "games": 5, **given}), cases)


def test_games_in_python_can_be_cancelled(cancelled):
    player = in_python("careful")
    runner = make_runner(Rules.parse("6x6/7"), 0, player)
    with pytest.raises(OutOfBudget, match="cancelled before the games were played"):
        runner.play(range(1, 3), cancelled)


def test_blocks_are_mapped_in_order_and_not_far_ahead():
    for threads in [1, 2]:
        started = []
        blocks = (started.append(block) or block for block in range(30))
        results = map_in_order(lambda block: block * 10, blocks, threads)
        assert next(results) == 0 and len(started) == (1 if threads == 1 else 2 * threads + 1)
        assert list(results) == list(range(10, 300, 10))


def test_block_that_fails_cancels_the_others():
    cancel = Cancel()
    with pytest.raises(ZeroDivisionError):
        list(map_in_order(lambda block: 1 // (3 - block), iter(range(6)), 2, cancel))
    assert cancel.is_set
    running = map_in_order(str, iter(range(30)), 2, other := Cancel())
    next(running)
    running.close()
    assert other.is_set


def test_position_beyond_the_budget_ends_the_run_with_an_error(monkeypatch):
    for threads in [1, 2]:
        monkeypatch.setattr(workspace, "_idle_workspaces", [])
        monkeypatch.setattr(state, "MAX_LAYER", 8)
        with pytest.raises(OutOfBudget):
            play_many("100x100/2200", games=9, seed=1, threads=threads, budget=Budget(memory=1))


def test_game_continues_when_the_engine_needs_more_memory(monkeypatch):
    again = play_each("100x100/2200", games=4, seed=1)
    grown = []
    enlarge = workspace.enlarge
    monkeypatch.setattr(workspace, "_idle_workspaces", [])
    monkeypatch.setattr(state, "MAX_LAYER", 8)
    monkeypatch.setattr(workspace, "enlarge", lambda *args: grown.append(args[1]) or enlarge(*args))
    assert (play_each("100x100/2200", games=4, seed=1) == again).all()
    assert grown


@pytest.mark.plain
@pytest.mark.skipif(STATUS == "compiled", reason="functions of a compiled kernel are not replaced")
def test_exact_fractions_give_the_same_games(monkeypatch):
    """The wrapper answers where floats are not precise enough; here it always does."""
    rules = Rules.parse("5x5/6", rule="safe")
    runs = []
    for broken in (False, True):
        with monkeypatch.context() as patch:
            if broken:
                patch.setattr(game_state, "answer", lambda *_: IMPRECISE)
                patch.setattr(game_state, "analyse", lambda *_: IMPRECISE)
            runs.append(
                [
                    play_each(rules, player, games=6, seed=3, count_blunders=True)
                    for player in ("hybrid", "careful")
                ]
            )
    assert all((one == two).all() for one, two in zip(*runs, strict=True))
    assert runs[0][0][:, FIELDS.index("analyses")].any()


def test_wilson_gives_the_published_interval():
    # Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for hits, trials, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert wilson(hits, trials) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.slow
def test_careful_has_the_published_win_rates_of_least_risk_guesses():
    for size, rule, first, rate, margin in (
        ("expert", "safe", "r1c1", 38.5, 0.7),
        ("expert", "zero", "r8c15", 49.3, 0.7),
        ("intermediate", "safe", "r1c1", 77.8, 0.6),
        ("beginner", "safe", "r1c1", 91.5, 0.4),
    ):
        tally = play_many(size, games=50_000, seed=1, rule=rule, first=first, count_blunders=True)
        assert abs(100 * tally.win_rate - rate) < margin, tally
        assert tally.blunders == 0


@pytest.mark.parametrize("name", ["random", "careful"])
def test_player_without_a_compiled_form_plays_the_same_games(name):
    own = replace(in_python(name), name="own")
    options = {"games": 12, "seed": 3, "rule": "safe", "count_blunders": True}
    python, compiled = (play_each("6x6/7", player, **options) for player in (own, name))
    analyses = FIELDS.index("analyses")
    assert (np.delete(python, analyses, axis=1) == np.delete(compiled, analyses, axis=1)).all()
    assert not python[:, analyses].any()
