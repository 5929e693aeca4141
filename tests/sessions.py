"""Games and sessions, for tests of sessions and reviews."""

import random

from sapper import COVERED, FLAG, Game, GameSetup, Layout, Rules, Session, watch


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


def session_on(layout, *events, rule="any"):
    """Return a session on the text of a layout, after some events."""
    session = Session(GameSetup.from_layout(Layout.parse(layout), rule), clock=lambda: 0.0)
    for event in events:
        session.act(event)
    return session


def played_game(size, seed, player):
    """Return a game that a player has played to the end."""
    game = Game.new(size, seed)
    for _ in watch(game, player=player, first=len(game.board) // 2, seed=seed):
        pass
    return game
