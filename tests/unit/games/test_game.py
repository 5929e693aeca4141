import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracle import naive
from tests.strategies import layouts

from sapper import Game, IllegalMove, Layout, Move, NotationError, Rules, RulesError, deal
from sapper.board.position import COVERED, FLAG

pytestmark = pytest.mark.plain

LAYOUT = Layout.parse("""
    *....
    .....
    ....*
""")


def rows(game):
    return str(game.position).splitlines()[1:]


def test_a_zero_opens_up_to_its_numbers():
    game = Game.from_layout(LAYOUT)
    changed = game.play("reveal r3c1")
    assert rows(game) == ["#1...", "11.11", "...1#"]
    assert len(changed) == 13
    assert game.outcome == "won"


def test_flags_stop_the_flood_and_must_be_taken_off_first():
    game = Game.from_layout(LAYOUT)
    game.play("flag r2c2")
    game.play("reveal r3c1")
    assert rows(game) == ["#1...", "1F.11", "...1#"]
    with pytest.raises(IllegalMove, match="cannot reveal r2c2: it is flagged"):
        game.play("reveal r2c2")
    game.play("unflag r2c2")
    game.play("reveal r2c2")
    assert game.outcome == "won"


def test_a_mine_loses_and_nothing_but_undo_or_continue_is_left():
    game = Game.from_layout(LAYOUT)
    assert len(game.play("reveal r1c1")) == 0
    assert game.outcome == "lost"
    assert game.exploded == {0}
    with pytest.raises(
        IllegalMove, match="cannot reveal r1c2: the game is lost; undo, or continue"
    ):
        game.play("reveal r1c2")


def test_a_lost_game_goes_on_and_is_marked():
    game = Game.from_layout(LAYOUT)
    game.play("reveal r1c1")
    assert game.play("continue").tolist() == [0]
    assert (game.outcome, game.continues) == ("playing", 1)
    assert rows(game)[0] == "F####"
    game.play("reveal r3c1")
    assert (game.outcome, game.continues) == ("won", 1)
    assert game.exploded == {0}


def test_continue_is_for_lost_games():
    with pytest.raises(IllegalMove, match="cannot continue: the game is not lost"):
        Game.from_layout(LAYOUT).play("continue")


def test_a_chord_opens_the_rest():
    game = Game.from_layout(Layout.parse("*.*\n...\n..."))
    game.play("reveal r2c2")
    game.play("flag r1c1")
    with pytest.raises(IllegalMove, match="its number is 2 and 1 flags are around it"):
        game.play("chord r2c2")
    game.play("flag r1c3")
    game.play("chord r2c2")
    assert game.outcome == "won"


def test_a_chord_beside_a_wrong_flag_loses_but_opens_what_is_free():
    lone = Game.from_layout(Layout.parse("*..\n..."))
    lone.play("reveal r1c2")
    lone.play("flag r1c3")
    lone.play("chord r1c2")
    assert lone.outcome == "lost"
    assert rows(lone) == ["#1F", "11."]


@pytest.mark.parametrize(
    ("moves", "message"),
    [
        (["chord r1c1"], "cannot chord r1c1: it is not revealed"),
        (["reveal r1c3", "undo", "reveal r1c2", "reveal r1c2"], "it is revealed already"),
        (["flag r1c1", "flag r1c1"], "cannot flag r1c1: it is not covered cell"),
        (["unflag r1c1"], "cannot unflag r1c1: it is not flagged"),
    ],
)
def test_illegal_moves_say_why_and_change_nothing(moves, message):
    game = Game.from_layout(LAYOUT)
    for move in moves[:-1]:
        game.undo() if move == "undo" else game.play(move)
    before, history = game.position, game.moves
    with pytest.raises(IllegalMove, match=message):
        game.play(moves[-1])
    assert (game.position, game.moves) == (before, history)


@pytest.mark.parametrize(
    "text", ["", "reveal", "reveal r9c9", "jump r1c1", "continue r1c1", "flag r1c1 x"]
)
def test_a_move_that_cannot_be_read_is_refused(text):
    with pytest.raises(NotationError):
        Game.from_layout(LAYOUT).play(text)


def test_undo_without_a_move_and_redo_without_an_undo_are_refused():
    with pytest.raises(IllegalMove, match="cannot undo"):
        Game.from_layout(LAYOUT).undo()
    with pytest.raises(IllegalMove, match="cannot redo"):
        Game.from_layout(LAYOUT).redo()


def test_the_first_reveal_decides_the_deal():
    game = Game.new(Rules.parse("9x9/10"), seed=5)
    game.play("flag r9c9")
    assert game.layout is None
    game.play("reveal r3c3")
    assert game.layout == deal(Rules.parse("9x9/10"), 5, "r3c3").layout


def test_another_first_reveal_after_an_undo_has_its_promise_and_replays():
    rules = Rules.parse("9x9/10")
    for cell in ("r1c1", "r1c9", "r9c1", "r9c9"):
        game = Game.new(rules, seed=5)
        game.play("reveal r5c5")
        game.undo()
        assert game.layout is None
        assert len(game.play(f"reveal {cell}")) > 1
        again = Game.replay(rules, 5, game.moves)
        assert (again.layout, again.position) == (game.layout, game.position)


def test_a_redo_of_the_first_reveal_does_not_deal_again():
    asked = []
    game = Game(LAYOUT.board, LAYOUT.mine_count, lambda first: asked.append(first) or LAYOUT)
    free = LAYOUT.board.name(int(np.flatnonzero(LAYOUT.mines == 0)[0]))
    game.play(f"reveal {free}")
    position = game.position
    game.undo()
    game.redo()
    assert (len(asked), game.position) == (1, position)


@pytest.mark.parametrize(
    "move", [Move("flag", -1), Move("flag", 10**6), Move("reveal"), Move("jump", 1)], ids=repr
)
def test_a_move_that_is_none_of_the_board_is_refused_and_changes_nothing(move):
    game = Game.from_layout(LAYOUT)
    with pytest.raises(NotationError, match="expected a"):
        game.play(move)
    assert game.moves == ()
    assert len(game.position.covered) == len(LAYOUT.board)


def test_a_game_can_be_pickled_and_played_on():
    game = Game.new(Rules.parse("9x9/10"), seed=5)
    game.play("flag r9c9")
    copy = pickle.loads(pickle.dumps(game))
    copy.play("reveal r5c5")
    game.play("reveal r5c5")
    assert copy.position == game.position


def test_a_layout_without_a_free_cell_is_no_game():
    with pytest.raises(RulesError, match="expected a game with a free cell, got 2 mines"):
        Game.from_layout(Layout.parse("**"))


def test_a_board_without_mines_is_won_at_once():
    game = Game.new(Rules.parse("4x4/0"), seed=1)
    game.play("reveal r1c1")
    assert game.outcome == "won"


@st.composite
def played(draw):
    """A layout and legal or illegal moves on it."""
    layout = draw(layouts().filter(lambda layout: not layout.mine_mask.all()))
    cell = st.sampled_from(layout.board.cells)
    action = st.sampled_from(
        ["reveal", "reveal", "flag", "unflag", "chord", "continue", "undo", "redo"]
    )
    return layout, draw(st.lists(st.tuples(action, cell), max_size=30))


def attempt(game, action, cell):
    try:
        if action in ("undo", "redo"):
            getattr(game, action)()
        else:
            game.play(Move(action, None if action == "continue" else cell))
    except IllegalMove:
        return False
    return True


@given(played())
def test_a_game_keeps_its_books_whatever_is_played(case):
    layout, moves = case
    game = Game.from_layout(layout)
    mines = set(layout.mine_cells.tolist())
    for action, cell in moves:
        attempt(game, action, cell)
        marks = game.position.marks
        shown = {c for c in layout.board.cells if marks[c] >= 0}
        assert not shown & mines
        assert all(marks[c] == layout.numbers[c] for c in shown)
        if game.outcome == "playing":
            assert len(shown) < len(layout.board) - len(mines)
        again = Game.from_layout(layout)
        for move in game.moves:
            again.play(move)
        assert (again.position, again.outcome, again.exploded, again.continues) == (
            game.position,
            game.outcome,
            game.exploded,
            game.continues,
        )


@given(played())
def test_undo_restores_everything_and_redo_repeats_it(case):
    layout, moves = case
    game = Game.from_layout(layout)
    trail = [(game.position, game.outcome, game.continues)]
    for action, cell in moves:
        if action not in ("undo", "redo") and attempt(game, action, cell):
            trail.append((game.position, game.outcome, game.continues))
    for state in reversed(trail[:-1]):
        game.undo()
        assert (game.position, game.outcome, game.continues) == state
    for state in trail[1:]:
        game.redo()
        assert (game.position, game.outcome, game.continues) == state
    assert not game.can_redo


@given(layouts(), st.data())
def test_a_reveal_opens_what_the_plain_twin_opens(layout, data):
    mines = set(layout.mine_cells.tolist())
    free = sorted(set(layout.board.cells) - mines)
    if not free:
        return
    flags = data.draw(st.sets(st.sampled_from(layout.board.cells), max_size=4))
    start = data.draw(st.sampled_from(free))
    game = Game.from_layout(layout)
    for flag in flags - {start}:
        game.play(Move("flag", flag))
    changed = game.play(Move("reveal", start))
    expected = naive.opening(layout.board, mines, start, closed=flags - {start})
    assert set(changed.tolist()) == expected
    assert set(np.flatnonzero(game.position.marks == FLAG).tolist()) == flags - {start}
    assert (game.position.marks == COVERED).sum() == len(layout.board) - len(
        expected | flags - {start}
    )


def test_a_game_replays_from_rules_seed_and_moves():
    rules = Rules.parse("intermediate")
    game = Game.new(rules, 7)
    for move in ("reveal r8c8", "flag r1c1", "unflag r1c1"):
        game.play(move)
    again = Game.replay(rules, 7, game.moves)
    assert (again.position, again.moves) == (game.position, game.moves)
