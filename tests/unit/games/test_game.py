"""Moves, outcomes, undo and redo of a game."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracle import naive
from tests.sessions import play
from tests.strategies import layouts

from sapper import Game, GameSetup, Layout, Move, Rules, generate
from sapper.errors import IllegalMove, NotationError, RulesError

pytestmark = pytest.mark.plain

LAYOUT = Layout.parse("""
    *....
    .....
    ....*
""")


def rows(game):
    return str(game.position).splitlines()[1:]


def test_continued_game_with_one_safe_cell_left_is_not_won():
    game = Game.from_layout(Layout.parse("*.."))
    for move in ("reveal r1c2", "flag r1c3", "chord r1c2", "continue"):
        game.play(move)
    assert (game.outcome, game.continues) == ("playing", 1)
    game.play("unflag r1c3")
    game.play("reveal r1c3")
    assert game.outcome == "won"


def test_lost_game_can_be_continued():
    game = Game.from_layout(LAYOUT)
    assert len(game.play("reveal r1c1")) == 0
    assert (game.outcome, game.exploded) == ("lost", {0})
    with pytest.raises(IllegalMove, match="cannot reveal r1c2: the game is lost; undo or continue"):
        game.play("reveal r1c2")
    assert game.play("continue").tolist() == [0]
    assert (game.outcome, game.continues) == ("playing", 1)
    assert rows(game)[0] == "F####"
    game.play("reveal r3c1")
    assert (game.outcome, game.continues, game.exploded) == ("won", 1, {0})


def test_chord_reveals_the_other_neighbours_also_with_a_wrong_flag():
    game = Game.from_layout(Layout.parse("*.*\n...\n..."))
    play(game, "reveal r2c2", "flag r1c1")
    with pytest.raises(IllegalMove, match="its number is 2, but 1 neighbours are flagged"):
        game.play("chord r2c2")
    play(game, "flag r1c3", "chord r2c2")
    assert game.outcome == "won"
    game = Game.from_layout(Layout.parse("*..\n..."))
    play(game, "reveal r1c2", "flag r1c3", "chord r1c2")
    assert game.outcome == "lost"
    assert rows(game) == ["#1F", "11."]


@pytest.mark.parametrize(
    ("moves", "error", "message"),
    [
        (["chord r1c1"], IllegalMove, "cannot chord r1c1: it is not revealed"),
        (["reveal r1c2", "reveal r1c2"], IllegalMove, "it is revealed already"),
        (["flag r2c2", "reveal r2c2"], IllegalMove, "cannot reveal r2c2: it is flagged"),
        (["flag r1c1", "flag r1c1"], IllegalMove, "cannot flag r1c1: it is not covered"),
        (["unflag r1c1"], IllegalMove, "cannot unflag r1c1: it is not flagged"),
        (["continue"], IllegalMove, "cannot continue: the game is not lost"),
        ([""], NotationError, "expected a move"),
        (["reveal"], NotationError, "expected a move"),
        (["reveal r9c9"], NotationError, "expected a cell"),
        (["jump r1c1"], NotationError, "expected a move"),
        (["continue r1c1"], NotationError, "expected a move"),
        (["flag r1c1 x"], NotationError, "expected a move"),
        ([Move("flag", -1)], NotationError, "expected a cell"),
        ([Move("flag", 10**6)], NotationError, "expected a cell"),
        ([Move("reveal")], NotationError, "expected a move"),
        ([Move("jump", 1)], NotationError, "expected a move"),
    ],
)
def test_refused_move_changes_nothing(moves, error, message):
    game = Game.from_layout(LAYOUT)
    play(game, *moves[:-1])
    before, history = game.position, game.moves
    with pytest.raises(error, match=message):
        game.play(moves[-1])
    assert (game.position, game.moves) == (before, history)


def test_undo_redo_and_layouts_that_are_impossible_are_refused():
    with pytest.raises(IllegalMove, match="cannot undo"):
        Game.from_layout(LAYOUT).undo()
    with pytest.raises(IllegalMove, match="cannot redo"):
        Game.from_layout(LAYOUT).redo()
    with pytest.raises(RulesError, match="from 0 to 1 mines"):
        Game.from_layout(Layout.parse("**"))


def test_first_reveal_determines_the_layout_also_after_an_undo():
    game = Game.new(Rules.parse("9x9/10"), seed=5)
    game.play("flag r9c9")
    assert game.layout is None
    game.play("reveal r3c3")
    assert game.layout == generate(Rules.parse("9x9/10"), 5, "r3c3").layout
    for cell in ("r1c1", "r1c9", "r9c1", "r9c9"):
        game = Game.new("9x9/10", seed=5)
        game.play("reveal r5c5")
        game.undo()
        assert game.layout is None
        assert len(game.play(f"reveal {cell}")) > 1
        again = Game.replay(game.rules, 5, game.moves)
        assert (again.layout, again.position) == (game.layout, game.position)


def test_redo_of_the_first_reveal_does_not_generate_the_layout_again():
    clicks = []
    generators = {"plain": lambda rules, seed: lambda first: clicks.append(first) or LAYOUT}
    game = Game(GameSetup(Rules(LAYOUT.board, LAYOUT.mine_count), 1), generators)
    game.play("reveal r3c1")
    position = game.position
    game.undo()
    game.redo()
    assert (len(clicks), game.position) == (1, position)


def test_game_can_be_pickled():
    game = Game.new("9x9/10", seed=5)
    game.play("flag r9c9")
    copy = pickle.loads(pickle.dumps(game))
    for played in (copy, game):
        played.play("reveal r5c5")
    assert copy.position == game.position


@st.composite
def played(draw):
    """Draw a layout and legal or illegal moves on it."""
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


def state_of(game):
    return game.position, game.outcome, game.exploded, game.continues


@given(played())
def test_every_position_agrees_with_the_layout(case):
    layout, moves = case
    game = Game.from_layout(layout)
    mines = set(layout.mine_cells.tolist())
    for action, cell in moves:
        attempt(game, action, cell)
        revealed = set(game.position.revealed.tolist())
        assert not revealed & mines
        assert all(game.position.marks[c] == layout.numbers[c] for c in revealed)
        if game.outcome == "playing":
            assert len(revealed) < len(layout.board) - len(mines)
        again = Game.from_layout(layout)
        play(again, *game.moves)
        assert state_of(again) == state_of(game)


@given(played())
def test_undo_restores_everything_and_redo_repeats_it(case):
    layout, moves = case
    game = Game.from_layout(layout)
    states = [state_of(game)]
    for action, cell in moves:
        if action not in ("undo", "redo") and attempt(game, action, cell):
            states.append(state_of(game))
    for state in reversed(states[:-1]):
        game.undo()
        assert state_of(game) == state
    for state in states[1:]:
        game.redo()
        assert state_of(game) == state
    assert not game.can_redo


@given(layouts(), st.data())
def test_reveal_opens_what_the_reference_opens(layout, data):
    mines = set(layout.mine_cells.tolist())
    safe = sorted(set(layout.board.cells) - mines)
    if not safe:
        return
    start = data.draw(st.sampled_from(safe))
    flags = data.draw(st.sets(st.sampled_from(layout.board.cells), max_size=4)) - {start}
    game = Game.from_layout(layout)
    for flag in flags:
        game.play(Move("flag", flag))
    changed = game.play(Move("reveal", start))
    expected = naive.opening(layout.board, mines, start, closed=flags)
    assert set(changed.tolist()) == set(game.position.revealed.tolist()) == expected
    assert set(game.position.flags.tolist()) == flags
