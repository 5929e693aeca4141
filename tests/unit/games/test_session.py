"""Sessions: clock, undo, losses, hints, and the saved text."""

from types import SimpleNamespace

import pytest
from tests.error_messages import assert_refused
from tests.sessions import act

from sapper import Board, Layout, Position, Rules, generate
from sapper.errors import IllegalMove, NotationError, RulesError
from sapper.games.session import GameResult, Session, revealed_three_bv
from sapper.games.setup import GameSetup

# The mine is in the corner; r1c3 opens all but r1c1 and r2c1.
LAYOUT = Layout.parse("*..\n...")


@pytest.fixture
def clock():
    """Return a clock whose time is set by the test."""
    return SimpleNamespace(now=100.0)


@pytest.fixture
def session(clock):
    return Session(GameSetup.from_layout(LAYOUT), clock=lambda: clock.now)


def test_clock_runs_from_the_first_reveal_to_the_win_without_pauses(session, clock):
    session.resume()
    session.act("flag r1c1")
    clock.now += 5
    assert session.milliseconds == 0
    session.act("reveal r1c3")
    clock.now += 1.5
    assert session.milliseconds == 1500
    session.act("reveal r2c1")
    clock.now += 9
    assert session.milliseconds == 1500
    assert session.result == GameResult("won", 1500, clicks=3, three_bv=2, helped=False)


def test_pause_does_not_count_as_time(session, clock):
    session.act("reveal r1c3")
    clock.now += 2
    session.pause()
    clock.now += 1000
    session.resume()
    clock.now += 1
    assert session.milliseconds == 3000


def test_loss_remains_the_result_when_it_is_undone_and_won(session):
    session.act("reveal r1c1")
    assert session.game.outcome == "lost"
    act(session, "undo", "reveal r1c3", "reveal r2c1")
    assert session.game.outcome == "won"
    assert (session.losses, session.undos) == (1, 1)
    assert session.result.outcome == "lost"


def test_continue_after_a_loss_does_not_count_as_a_click(session):
    act(session, "reveal r1c1", "continue")
    assert session.clicks == 1
    assert session.game.continues == 1
    assert str(session.position) == "mines: 1\nF##\n###"


def test_undoing_a_reveal_counts_as_help_and_undoing_a_flag_does_not(session):
    act(session, "flag r1c1", "undo")
    assert not session.helped
    act(session, "reveal r2c1", "undo")
    assert session.helped


def test_illegal_move_changes_nothing(session):
    session.act("reveal r1c3")
    before = session.save()
    for event in ("reveal r1c3", "redo"):
        with pytest.raises(IllegalMove):
            session.act(event)
    assert session.save() == before


def test_saved_text_has_a_header_and_timed_events(session, clock):
    session.act("reveal r1c3")
    clock.now += 1.25
    act(session, "flag r1c1", "undo")
    assert session.save() == (
        "sapper: game 1\nboard: square 3x2\nlayout: r1c1\n\n"
        "0.000 reveal r1c3\n1.250 flag r1c1\n1.250 undo\n"
    )


def test_loaded_session_continues(session, clock):
    session.act("reveal r1c3")
    clock.now += 4
    act(session, "flag r1c1", "undo")
    loaded = Session.load(session.save(), clock=lambda: clock.now)
    clock.now += 60
    assert loaded.milliseconds == 4000
    assert not loaded.running
    loaded.act("redo")
    assert str(loaded.position) == "mines: 1\nF1.\n#1."


def test_seeds_and_points_are_saved():
    session = Session(GameSetup(Rules.parse("expert"), seed=7))
    assert "rule: zero\nseed: 7\n" in session.save()
    points = {"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (2.0, 1.0)}
    path = Board.from_edges([("a", "b"), ("b", "c")], points=points)
    loaded = Session.load(Session(GameSetup(Rules(path, 1, "safe"), seed=3)).save())
    assert loaded.game.board.point(2) == (2.0, 1.0)


def test_layout_generators_can_be_replaced():
    generators = {"corner": lambda rules, seed: lambda first: LAYOUT}
    setup = GameSetup(Rules(LAYOUT.board, 1), seed=1, generator="corner")
    session = Session(setup, layout_generators=generators)
    session.act("reveal r1c3")
    assert session.game.layout == LAYOUT
    loaded = Session.load(session.save(), layout_generators=generators)
    assert loaded.position == session.position
    with pytest.raises(NotationError, match="no such layout generator"):
        Session.load(session.save())


@pytest.mark.plain
def test_three_bv_counts_the_revealed_cells_and_equals_the_layouts_at_the_end(session):
    session.act("reveal r2c2")
    assert (revealed_three_bv(session.position), session.three_bv) == (1, 1)
    session.act("reveal r1c3")
    assert session.three_bv == 1  # r2c2 is now part of the opening
    session.act("reveal r2c1")
    assert session.three_bv == LAYOUT.three_bv == 2
    assert session.efficiency == 2 / 3


def test_bad_text_raises_a_one_line_error():
    cases = [
        ("", "expected a header line 'board: ...'"),
        ("board: square", "expected a board such as"),
        ("board: {", "board: line 1, column 2: invalid JSON"),
        ("board: square 3x3", "expected a header line 'mines: ...'"),
        ("board: square 3x3\nmines: x", "mines: expected a number"),
        ("board: square 3x3\nmines: 1", "expected a header line 'seed: ...'"),
        ("board: square 3x3\nmines: 1\nrule: odd\nseed: 1", "no such rule"),
        ("board: square 3x3\nmines: 9\nseed: 1", "from 0 to 8 mines"),
        ("board: square 3x3\nboard: square 3x3", "header 'board' occurs twice"),
        ("hint: 2", "line 2: no such header 'hint'; choose from sapper, board"),
        ("board: square 3x1\nlayout: r9c9", "expected a cell"),
        ("board: square 3x1\nlayout: r1c1\nreveal r1c2", "line 4: expected"),
        ("board: square 3x1\nlayout: r1c1\n0.000 jump r1c2", "line 4: expected a"),
        ("board: square 3x1\nlayout: r1c1\n0.000 redo", "line 4: cannot redo"),
        ("board: square 3x1\nlayout: r1c1\n1.000 flag r1c1\n0.500 undo", "ascending order"),
    ]
    assert_refused(lambda lines: Session.load(f"sapper: game 1\n{lines}"), cases)


def test_text_that_is_not_a_saved_game_or_too_long_is_refused():
    with pytest.raises(NotationError, match="expected a saved game, which begins 'sapper: game 1'"):
        Session.load("")
    with pytest.raises(NotationError, match="expected 'sapper: game 1'"):
        Session.load("sapper: game 2")
    text = "sapper: game 1\nboard: square 3x1\nlayout: r1c1\n0.000 flag r1c1\n0.000 undo\n"
    with pytest.raises(NotationError, match="at most 1 events, got 2"):
        Session.load(text, max_events=1)


def test_lines_with_many_spaces_are_refused_in_linear_time():
    for line in ["rule:{0}zero{0}x", "0.000{0}reveal{0}r1c1{0}x", "{0}a{0}:", "0.000 undo{0}x"]:
        # Each line took minutes while the pattern had a lazy group before the spaces.
        text = "sapper: game 1\nboard: square 9x9\nmines: 10\nseed: 7\n" + line.format(
            " " * 200_000
        )
        with pytest.raises((NotationError, RulesError)):
            Session.load(text)


def test_history_generates_the_layout_again_only_after_an_undo():
    clicks = []

    def generator(rules, seed):
        return lambda first: clicks.append(first) or generate(rules, seed, first).layout

    session = Session(
        GameSetup(Rules.parse("beginner"), 1),
        layout_generators={"plain": generator},
        clock=lambda: 0.0,
    )
    session.act("reveal r1c1")
    first = list(session.history())
    assert clicks == [0] and first[0].position == Position.initial(session.game.board, 10)
    act(session, "undo", "reveal r9c9")
    entries = list(session.history())
    assert clicks == [0, 80, 0, 80]
    assert [entry.event for entry in entries] == session.log
