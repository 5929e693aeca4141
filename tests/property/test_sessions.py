"""A session that is saved and loaded at any moment stays the same session."""

from hypothesis import given
from hypothesis import strategies as st

from sapper import TILINGS, Board, GameSetup, IllegalMove, Rules, tiling
from sapper.games.session import CLICKS, CONTROL_EVENTS, Session

BOARDS = [
    *(tiling(name, width, height) for name in TILINGS for width, height in ((4, 3), (5, 5))),
    Board.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e")], cells="abcdef"),
]
ACTIONS = st.sampled_from((*CLICKS, *CLICKS, *CLICKS, "continue", *CONTROL_EVENTS))


@st.composite
def sessions(draw):
    board = draw(st.sampled_from(BOARDS))
    mines = draw(st.integers(1, len(board) // 3))
    rule = draw(st.sampled_from(("any", "safe")))
    now = 0.0
    session = Session(
        GameSetup(Rules(board, mines, rule), draw(st.integers(0, 2**64 - 1))), clock=lambda: now
    )
    for action in draw(st.lists(ACTIONS, max_size=30)):
        now += draw(st.floats(0, 100))
        cell = draw(st.sampled_from(board.cells))
        try:
            session.act(f"{action} {board.name(cell)}" if action in CLICKS else action)
        except IllegalMove:
            continue
    return session


def state_of(session):
    return (
        session.position,
        session.game.outcome,
        session.game.moves,
        session.game.can_redo,
        session.clicks,
        session.undos,
        session.hints,
        session.losses,
        session.helped,
        session.three_bv,
        session.result,
        session.log,
    )


@given(sessions())
def test_saved_session_loads_as_the_same_session(session):
    again = Session.load(session.save())
    assert state_of(again) == state_of(session)
    assert again.save() == session.save()


@given(sessions())
def test_log_is_in_order_and_all_moves_can_be_undone_and_redone(session):
    times = [event.milliseconds for event in session.log]
    assert times == sorted(times)
    assert session.losses >= session.game.continues
    position, moves = session.position, session.game.moves
    for _ in moves:
        session.act("undo")
    assert len(session.position.covered) == len(session.game.board)
    for _ in moves:
        session.act("redo")
    assert session.position == position
