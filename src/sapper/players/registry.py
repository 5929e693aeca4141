"""PLAYERS: programs that always move. Certain moves first, each with its reason; else a guess.

A player sees positions only. `Player.start` gives an agent for a position and a random seed; the
agent is asked to `choose` a move, and `update` tells it what changed. Flags in the first position
are trusted (pass `position.without_flags()` if they are opinions); later ones are not.
`docs/how-to/add-a-player.md` says how to add one.
"""

from __future__ import annotations

from sapper.board.position import FLAG, Position
from sapper.board.random_stream import check_seed
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, start_limit
from sapper.players.agents import Choice
from sapper.players.learned import LEARNED
from sapper.players.patient import PATIENT
from sapper.players.player import Player
from sapper.players.shrewd import SHREWD
from sapper.players.simple import CAREFUL, HUMAN, HYBRID, RANDOM
from sapper.players.thoughtful import THOUGHTFUL
from sapper.registry import Registry
from sapper.values import check_type

PLAYERS = Registry("player", (RANDOM, HUMAN, HYBRID, CAREFUL, THOUGHTFUL, LEARNED, SHREWD, PATIENT))


def advise(
    position: Position,
    player: str | Player = "careful",
    *,
    seed: int = 0,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> Choice:
    """Return the reveal that a player would make next, with its reason; its flags are skipped.

    *seed* is for players that guess at random. Raises IllegalMove if nothing is left to reveal,
    and Contradiction as `analyse` does.

    >>> position = Position.parse("# 1 # # #", mines=2)
    >>> advise(position).text(position)
    'reveal r1c1: guess at 50% risk, one of 4 equals; next best r1c5 at 50%'
    """
    check_type(position, Position, "a position")
    seen = position if trust_flags else position.without_flags()
    limit = start_limit(budget, cancel)
    agent = PLAYERS.find(player).start(seen, check_seed(seed))
    while (choice := agent.choose(limit)).move.action == "flag":
        assert choice.move.cell is not None
        agent.update({choice.move.cell: FLAG})
    return choice
