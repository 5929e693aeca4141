"""PLAYERS: programs that always move. Certain moves first, each with its reason; else a guess.

Players that guess without looking ahead are defined here, the others in modules of their own.

A player sees positions only. `Player.start` returns an agent for a position and a random seed: its
`choose` returns a move, and `update` passes it the changes of the position. Flags in the first
position are trusted (pass `position.without_flags()` if they should not be); later ones are not.
`docs/how-to/add-a-player.md` says how to add one.
"""

from __future__ import annotations

from sapper.board.position import FLAG, Position
from sapper.board.random_stream import check_seed
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, start_limit
from sapper.kernels.codes import (
    LEAST_RISK_GUESS,
    NO_DEDUCTION,
    RANDOM_GUESS,
    STRATEGIES,
    WITHOUT_MINE_COUNT,
)
from sapper.players.agents import (
    Agent,
    BudgetedHybridSolver,
    Choice,
    ExactSolver,
    SolverAgent,
    strategy_solvers,
)
from sapper.players.guess import RandomGuesser
from sapper.players.learned import LEARNED
from sapper.players.patient import PATIENT
from sapper.players.player import Compiled, Player, PlayerSettings
from sapper.players.shrewd import SHREWD
from sapper.players.thoughtful import THOUGHTFUL
from sapper.registry import Registry
from sapper.values import check_type


def _hybrid_agent(position: Position, seed: int, settings: PlayerSettings) -> Agent:
    solvers = *strategy_solvers(position), BudgetedHybridSolver(position)
    return SolverAgent(position, solvers, RandomGuesser(seed).guess)


def _careful_agent(position: Position, seed: int, settings: PlayerSettings) -> Agent:
    exact = ExactSolver(position)
    return SolverAgent(position, (*strategy_solvers(position), exact), exact.least_risk)


RANDOM = Player(
    "random",
    "reveals any covered cell",
    lambda position, seed, _: SolverAgent(position, (), RandomGuesser(seed).guess),
    compiled=Compiled(NO_DEDUCTION, RANDOM_GUESS),
)
HUMAN = Player(
    "human",
    "uses one or two numbers at a time (strategies 1 to 7), else guesses at random",
    lambda position, seed, _: SolverAgent(
        position, strategy_solvers(position), RandomGuesser(seed).guess
    ),
    compiled=Compiled(STRATEGIES, RANDOM_GUESS),
)
HYBRID = Player(
    "hybrid",
    "finds all that follows without the mine count, else guesses at random",
    _hybrid_agent,
    compiled=Compiled(WITHOUT_MINE_COUNT, RANDOM_GUESS),
)
CAREFUL = Player(
    "careful",
    "makes every certain move, else reveals the safest cell",
    _careful_agent,
    compiled=Compiled(guess=LEAST_RISK_GUESS),
)
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
    'reveal r1c1: guess at 50% risk: no covered cell is safer, and 3 others are as safe'
    """
    check_type(position, Position, "a position")
    seen = position if trust_flags else position.without_flags()
    limit = start_limit(budget, cancel)
    agent = PLAYERS.find(player).start(seen, check_seed(seed))
    while (choice := agent.choose(limit)).move.action == "flag":
        assert choice.move.cell is not None
        agent.update({choice.move.cell: FLAG})
    return choice
