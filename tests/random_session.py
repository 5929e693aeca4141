"""A session of random clicks, for tests of sessions and reviews."""

import random

from sapper import GameSetup, Session
from sapper.board.position import COVERED, FLAG
from sapper.board.rules import Rules


def random_session(seed):
    """Return a session of random reveals, flags and chords, played to the end."""
    rng = random.Random(seed)
    session = Session(GameSetup(Rules.parse("4x3/3", rule="any"), seed), clock=lambda: 0.0)
    name = session.game.board.name
    while not session.game.over:
        marks, cell = session.position.marks, rng.randrange(12)
        if marks[cell] == COVERED:
            session.act(f"{rng.choice(['reveal', 'flag'])} {name(cell)}")
        elif marks[cell] == FLAG:
            session.act(f"unflag {name(cell)}")
        elif session.position.remaining_mines(cell) == 0 and session.position.covered_around(cell):
            session.act(f"chord {name(cell)}")
    return session
