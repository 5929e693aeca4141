"""The human-like algorithm on frames and over games, and its compiled twin."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import boards, frames, layouts, true_frames

from sapper import (
    TILINGS,
    Contradiction,
    Frame,
    Game,
    HumanSolver,
    Layout,
    Rules,
    Solution,
    deal,
    solve,
)
from sapper.infer.slagle.compiled import quick_moves
from sapper.model.frame import FLAG
from sapper.play.games.clear import clear

pytestmark = pytest.mark.plain


def play_out(layout, first):
    """A whole game by the readable solver: the game, the solver and all its deductions."""
    game = Game.on(layout)
    game.play(f"reveal {layout.board.name(first)}")
    solver = HumanSolver(game.frame)
    found = []
    while moves := solver.moves():
        found += moves
        for move in moves:
            for action, cells in (("flag", move.flag), ("reveal", move.reveal)):
                for cell in cells:
                    if not game.over and game.frame.marks[cell] == -1:
                        changed = game.play(f"{action} {layout.board.name(cell)}")
                        solver.learn({int(c): int(game.frame.marks[c]) for c in changed})
    return game, solver, found


def readable_moves(frame):
    return Solution(frame, tuple(HumanSolver(frame).moves()))


def answer(solver, frame):
    try:
        solution = solver(frame)
    except Contradiction:
        return "contradiction"
    return solution.flag, solution.reveal


def test_the_figure_of_strategy_1_comes_out_as_printed():
    frame = Frame.parse("""
        #####
        #F###
        #232#
        #111#
        #####
    """)
    solution = solve(frame, "human")
    assert {"r2c3", "r2c4"} <= set(solution.flag)


def test_the_figures_of_strategies_4_and_6_come_out_as_printed():
    frame = Frame.parse("""
        #######
        #32212#
        #1...1#
    """)
    solution = solve(frame, "human")
    assert (solution.flag, solution.reveal) == (("r1c3",), ("r1c6",))


def test_the_frame_that_needs_three_hints_at_once_stays_as_it_is():
    frame = Frame.parse("#####\n#222#\n#2.2#\n#222#\n#####")
    assert HumanSolver(frame).moves() == []


def test_a_cell_that_was_just_revealed_is_looked_at_itself():
    game, _, _ = play_out(Layout.parse("*..*"), 1)
    assert str(game.frame).splitlines()[1] == "#1##"
    layout = Layout.parse("*..*")
    game = Game.on(layout)
    game.play("flag r1c1")
    game.play("reveal r1c2")
    solver = HumanSolver(game.frame)
    assert [d.reveal for d in solver.moves()] == [(2,)]
    changed = game.play("reveal r1c3")
    solver.learn({int(c): int(game.frame.marks[c]) for c in changed})
    assert [(d.by, d.flag, d.hints) for d in solver.moves()] == [("strategy 1", (3,), (2,))]


def test_a_strategy_reads_the_hints_as_the_one_before_left_them():
    # With stale values, strategy 3 would flag r1c3 again after strategy 1 has.
    frame = Frame.parse("##\n22")
    found = HumanSolver(frame).moves()
    assert [(d.by, d.flag, d.reveal) for d in found] == [("strategy 1", (0, 1), ())]


def test_a_hint_is_not_paired_with_itself():
    # Paired with itself, every hint of the frame would be a pair with all blanks shared.
    solver = HumanSolver(Frame.parse("#1#"))
    assert solver._sharing(1) == []
    assert solver.moves() == []


def test_a_flag_taken_back_makes_the_solver_start_afresh():
    frame = Frame.parse("F1#")
    solver = HumanSolver(frame)
    assert [d.reveal for d in solver.moves()] == [(2,)]
    solver.learn({0: -1})
    assert solver.moves() == []
    solver.learn({2: FLAG})
    assert [d.reveal for d in solver.moves()] == [(0,)]


def test_a_hint_where_a_mine_was_deduced_is_taken_from_the_frame():
    solver = HumanSolver(Frame.parse("1#"))
    assert [d.flag for d in solver.moves()] == [(1,)]
    solver.learn({1: 0})
    with pytest.raises(Contradiction) as caught:
        solver.moves()
    assert caught.value.hints == ("r1c1",)


def test_a_contradiction_found_after_conclusions_names_all_hints_that_lead_to_it():
    frame = Frame.parse("1#2#1#1")
    with pytest.raises(Contradiction) as caught:
        HumanSolver(frame).moves()
    assert set(caught.value.hints) == {"r1c3", "r1c5", "r1c7"}


@given(frames())
def test_the_compiled_twin_answers_as_the_readable_one(frame):
    assert answer(quick_moves, frame) == answer(readable_moves, frame)


@given(true_frames())
def test_the_twins_agree_on_frames_that_some_layout_gives(frame):
    assert answer(quick_moves, frame) == answer(readable_moves, frame)


@pytest.mark.parametrize("tiling", TILINGS)
def test_the_twins_play_whole_games_alike_without_a_wrong_move(tiling):
    rules = Rules.parse("9x9/12", tiling, "safe")
    for seed in range(12):
        one = deal(rules, seed)
        game, _, found = play_out(one.layout, one.first)
        assert game.outcome != "lost"
        assert all(one.layout.mine_mask[list(d.flag)].all() for d in found)
        assert not any(one.layout.mine_mask[list(d.reveal)].any() for d in found)
        cleared = clear(one.layout, one.first)
        assert cleared.won == (game.outcome == "won")
        if not cleared.won:
            assert cleared.frame == game.frame


@given(layouts(boards(7)), st.integers(0))
def test_a_cell_is_looked_at_once_and_once_more_for_each_neighbour(layout, start):
    free = [c for c in layout.board.cells if not layout.mine_mask[c]]
    if free:
        _, solver, _ = play_out(layout, free[start % len(free)])
        looks = solver.looks
        assert all(looks[c] <= layout.board.neighbour_count(c) + 1 for c in layout.board.cells)


@settings(max_examples=30)
@given(layouts(boards(5)))
def test_learning_a_game_step_by_step_ends_where_a_fresh_look_does(layout):
    free = [c for c in layout.board.cells if not layout.mine_mask[c]]
    if free:
        game, solver, _ = play_out(layout, free[0])
        assert solver.frame.marks.tolist() == game.frame.marks.tolist()
        if not game.over:
            assert HumanSolver(game.frame).moves() == []
