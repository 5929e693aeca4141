"""Games, sessions and runners, for tests of reviews and win chances."""

import random
from dataclasses import replace

import numpy as np

from sapper import COVERED, FLAG, PLAYERS, Game, GameSetup, Layout, Rules, Session, watch
from sapper.engine.budget import Budget
from sapper.games.batch import make_runner
from tests.oracle.naive import counted_solutions


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


def act(session, *events):
    """Apply events to a session."""
    for event in events:
        session.act(event)


def play(game, *moves):
    """Make moves in a game."""
    for move in moves:
        game.play(move)


def session_on(layout, *events, rule="any"):
    """Return a session on the text of a layout, after some events."""
    session = Session(GameSetup.from_layout(Layout.parse(layout), rule), clock=lambda: 0.0)
    act(session, *events)
    return session


def played_game(size, seed, player):
    """Return a game that a player has played to the end."""
    game = Game.new(size, seed)
    for _ in watch(game, player=player, first=len(game.board) // 2, seed=seed):
        pass
    return game


def in_python(player):
    """Return a player without its compiled form."""
    return replace(PLAYERS[player], compiled=None)


def wins_of(player, position, rows, first=-1, seed=0):
    """Finish the games of a position on these layouts; return whether each is won.

    *first* is the cell that is revealed first; -1 if the player chooses it.
    """
    rules = Rules(position.board, position.mines, "any")
    runner = make_runner(rules, 0, player)
    return runner.finish(position, rows, first, seed, Budget().start())


def all_layouts(position):
    """Return the mines of every layout that agrees with a position as a boolean array."""
    solutions = counted_solutions(position)
    rows = np.zeros((len(solutions), len(position.board)), dtype=bool)
    for row, mines in zip(rows, solutions, strict=True):
        row[list(mines)] = True
    return rows
