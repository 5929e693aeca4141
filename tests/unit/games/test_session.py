"""What a sitting remembers: clock, undos, deaths, help, and its text."""

import pytest

from sapper.board.board import Board
from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.board.random_layout import deal
from sapper.board.rules import Rules
from sapper.errors import IllegalMove, NotationError, RulesError, SapperError
from sapper.games.session import Session, revealed_three_bv
from sapper.games.setup import GameSetup

# The mine is in the corner; r1c3 opens all but r1c1 and r2c1.
LAYOUT = Layout.parse("*..\n...")


class Watch:
    """A clock that moves when told to."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


@pytest.fixture
def watch():
    return Watch()


@pytest.fixture
def session(watch):
    return Session(GameSetup.on(LAYOUT), clock=watch)


def test_the_clock_starts_with_the_first_reveal_and_stops_with_the_win(session, watch):
    session.act("flag r1c1")
    watch.now += 5
    assert session.milliseconds == 0
    session.act("reveal r1c3")
    watch.now += 1.5
    assert session.milliseconds == 1500
    session.act("reveal r2c1")
    watch.now += 9
    assert session.milliseconds == 1500
    assert (session.result.outcome, session.result.milliseconds) == ("won", 1500)


def test_a_pause_does_not_count(session, watch):
    session.act("reveal r1c3")
    watch.now += 2
    session.pause()
    watch.now += 1000
    session.resume()
    watch.now += 1
    assert session.milliseconds == 3000


def test_resume_does_not_start_a_game_that_was_not_begun(session, watch):
    session.resume()
    watch.now += 3
    assert session.milliseconds == 0


def test_a_clean_win_is_not_helped(session):
    session.act("reveal r1c3")
    session.act("reveal r2c1")
    assert session.result.outcome == "won"
    assert not session.result.helped
    assert (session.result.three_bv, session.result.clicks) == (2, 2)


def test_a_loss_stays_in_the_book_when_it_is_undone_and_won(session):
    session.act("reveal r1c1")
    assert session.game.outcome == "lost"
    session.act("undo")
    session.act("reveal r1c3")
    session.act("reveal r2c1")
    assert session.game.outcome == "won"
    assert (session.deaths, session.undos) == (1, 1)
    assert session.result.outcome == "lost"


def test_continue_after_a_loss_flags_the_mine_and_is_no_click(session):
    session.act("reveal r1c1")
    session.act("continue")
    assert session.clicks == 1
    assert session.game.continues == 1
    assert str(session.position) == "mines: 1\nF##\n###"


def test_undoing_a_flag_is_no_help_but_undoing_a_reveal_is(session):
    session.act("flag r1c1")
    session.act("undo")
    assert not session.helped
    session.act("reveal r2c1")
    session.act("undo")
    assert session.helped


@pytest.mark.parametrize("name", ["hint", "number"])
def test_a_hint_counts_and_helps_by_its_old_name_too(session, name):
    session.act(name)
    assert (session.hints, session.numbers, session.helped) == (1, 1, True)
    assert session.log[-1].what == "hint"


def test_a_game_saved_with_numbers_still_loads_and_is_saved_with_hints():
    header = "sapper: game 1\nboard: square 5x5\nmines: 3\nrule: zero\nseed: 7\n\n"
    session = Session.load(header + "0.000 reveal r3c3\n1.000 number\n1.500 number\n")
    assert (session.hints, session.helped) == (2, True)
    assert session.save() == header + "0.000 reveal r3c3\n1.000 hint\n1.500 hint\n"


def test_an_illegal_move_changes_nothing(session):
    session.act("reveal r1c3")
    before = session.save()
    with pytest.raises(IllegalMove):
        session.act("reveal r1c3")
    with pytest.raises(IllegalMove):
        session.act("redo")
    assert session.save() == before


def test_saved_text_reads_as_a_game(session, watch):
    session.act("reveal r1c3")
    watch.now += 1.25
    session.act("flag r1c1")
    session.act("undo")
    assert session.save() == (
        "sapper: game 1\n"
        "board: square 3x2\n"
        "layout: r1c1\n"
        "\n"
        "0.000 reveal r1c3\n"
        "1.250 flag r1c1\n"
        "1.250 undo\n"
    )


def test_a_loaded_session_goes_on_where_it_stood(session, watch):
    session.act("reveal r1c3")
    watch.now += 4
    session.act("flag r1c1")
    session.act("undo")
    again = Session.load(session.save(), clock=watch)
    watch.now += 60
    assert again.milliseconds == 4000
    assert not again.running
    again.act("redo")
    assert str(again.position) == "mines: 1\nF1.\n#1."


def test_a_seeded_game_is_saved_by_its_seed():
    session = Session(GameSetup(Rules.parse("expert"), seed=7))
    session.act("reveal r1c1")
    assert "rule: zero\nseed: 7\n" in session.save()
    assert Session.load(session.save()).position == session.position


def test_a_game_on_a_graph_is_saved_with_its_board():
    path = Board.from_edges(
        [("a", "b"), ("b", "c")], points={"a": (0.0, 0.0), "b": (1.0, 0.0), "c": (2.0, 1.0)}
    )
    session = Session(GameSetup(Rules(path, 1, "safe"), seed=3))
    session.act("reveal a")
    again = Session.load(session.save())
    assert again.save() == session.save()
    assert again.position == session.position
    assert again.game.board.point(2) == (2.0, 1.0)


def test_the_dealer_is_an_argument():
    layout_generators = {"corner": lambda rules, seed: lambda first: LAYOUT}
    session = Session(
        GameSetup(Rules(LAYOUT.board, 1), seed=1, deal="corner"),
        layout_generators=layout_generators,
    )
    session.act("reveal r1c3")
    assert session.game.layout == LAYOUT
    assert (
        Session.load(session.save(), layout_generators=layout_generators).position
        == session.position
    )
    with pytest.raises(NotationError, match="expected a deal"):
        Session.load(session.save())


@pytest.mark.plain
def test_three_bv_follows_from_the_position_and_ends_as_that_of_the_layout(session):
    session.act("reveal r2c2")
    assert (revealed_three_bv(session.position), session.three_bv) == (1, 1)
    session.act("reveal r1c3")
    assert session.three_bv == 1  # r2c2 is now part of the opening
    session.act("reveal r2c1")
    assert session.three_bv == LAYOUT.three_bv == 2
    assert session.efficiency == 2 / 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a saved game, which begins 'sapper: game 1'"),
        ("sapper: game 2", "expected 'sapper: game 1'"),
        ("sapper: game 1", "expected a header line 'board: ...'"),
        ("sapper: game 1\nboard: square", "expected a board such as"),
        ("sapper: game 1\nboard: {", "board: line 1, column 2: expected JSON"),
        ("sapper: game 1\nboard: square 3x3", "expected a header line 'mines: ...'"),
        ("sapper: game 1\nboard: square 3x3\nmines: x", "mines: expected a number"),
        ("sapper: game 1\nboard: square 3x3\nmines: 1", "expected a header line 'seed: ...'"),
        ("sapper: game 1\nboard: square 3x3\nmines: 1\nrule: odd\nseed: 1", "expected a rule"),
        ("sapper: game 1\nboard: square 3x3\nmines: 9\nseed: 1", "from 0 to 8 mines"),
        ("sapper: game 1\nboard: square 3x3\nboard: square 3x3", "at most once, got 'board'"),
        ("sapper: game 1\nboard: square 3x1\nlayout: r9c9", "expected a cell"),
        ("sapper: game 1\nboard: square 3x1\nlayout: r1c1\nreveal r1c2", "line 4: expected"),
        ("sapper: game 1\nboard: square 3x1\nlayout: r1c1\n0.000 jump r1c2", "line 4: expected a"),
        ("sapper: game 1\nboard: square 3x1\nlayout: r1c1\n0.000 redo", "line 4: cannot redo"),
        (
            "sapper: game 1\nboard: square 3x1\nlayout: r1c1\n1.000 flag r1c1\n0.500 undo",
            "line 5: expected times that do not go back",
        ),
    ],
)
def test_bad_text_is_refused_in_one_line(text, message):
    with pytest.raises(SapperError) as error:
        Session.load(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_the_number_of_events_can_be_limited():
    text = "sapper: game 1\nboard: square 3x1\nlayout: r1c1\n0.000 flag r1c1\n0.000 undo\n"
    with pytest.raises(NotationError, match="at most 1 moves, got 2"):
        Session.load(text, max_events=1)


@pytest.mark.parametrize(
    "line",
    ["rule:{0}zero{0}x", "0.000{0}reveal{0}r1c1{0}x", "{0}a{0}:", "0.000 undo{0}x"],
)
def test_lines_of_many_spaces_are_read_in_time(line):
    """Each took minutes where a lazy group stood before the spaces."""
    text = "sapper: game 1\nboard: square 9x9\nmines: 10\nseed: 7\n" + line.format(" " * 200_000)
    with pytest.raises((NotationError, RulesError)):
        Session.load(text)


def test_history_deals_once_unless_an_undo_may_have_changed_the_first_click():
    asked = []

    def dealers_of(rules, seed):
        def one(first):
            asked.append(first)
            return deal(rules, seed, first).layout

        return one

    layout_generators = {"plain": dealers_of}
    session = Session(
        GameSetup(Rules.parse("beginner"), 1),
        layout_generators=layout_generators,
        clock=lambda: 0.0,
    )
    session.act("reveal r1c1")
    first = list(session.history())
    assert asked == [0] and first[0].position == Position.initial(session.game.board, 10)
    session.act("undo")
    session.act("reveal r9c9")
    moments = list(session.history())
    assert asked == [0, 80, 0, 80]
    assert [moment.event for moment in moments] == session.log
