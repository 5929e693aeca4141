"""A session of somebody who clicks at random: reveals, flags and chords, good and bad ones."""

import random

from sapper import GameSetup, Session
from sapper.board.position import COVERED, FLAG
from sapper.board.rules import Rules


def random_session(seed):
    """A session of reveals, flags and chords at random, to the end of its game."""
    dice = random.Random(seed)
    session = Session(GameSetup(Rules.parse("4x3/3", rule="any"), seed), clock=lambda: 0.0)
    while not session.game.over:
        marks = session.position.marks
        cell = dice.randrange(12)
        if marks[cell] == COVERED:
            session.act(f"{dice.choice(['reveal', 'flag'])} {session.game.board.name(cell)}")
        elif marks[cell] == FLAG:
            session.act(f"unflag {session.game.board.name(cell)}")
        elif session.position.remaining_mines(cell) == 0 and session.position.covered_around(cell):
            session.act(f"chord {session.game.board.name(cell)}")
    return session
