"""A session of somebody who clicks at random: reveals, flags and chords, good and bad ones."""

import random

from sapper import Session, Start
from sapper.model.frame import BLANK, FLAG
from sapper.model.rules import Rules


def wandering(seed):
    """A session of reveals, flags and chords at random, to the end of its game."""
    dice = random.Random(seed)
    session = Session(Start(Rules.parse("4x3/3", rule="any"), seed), clock=lambda: 0.0)
    while not session.game.over:
        marks = session.frame.marks
        cell = dice.randrange(12)
        if marks[cell] == BLANK:
            session.act(f"{dice.choice(['reveal', 'flag'])} {session.game.board.name(cell)}")
        elif marks[cell] == FLAG:
            session.act(f"unflag {session.game.board.name(cell)}")
        elif session.frame.need(cell) == 0 and session.frame.blanks_around(cell):
            session.act(f"chord {session.game.board.name(cell)}")
    return session
