"""The players `random`, `human`, `hybrid` and `careful`: they guess without looking ahead."""

from __future__ import annotations

from sapper.board.position import Position
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
    ExactSolver,
    SolverAgent,
    strategy_solvers,
)
from sapper.players.guess import RandomGuesser
from sapper.players.player import Compiled, Player, PlayerSettings


def _random(position: Position, seed: int, settings: PlayerSettings) -> Agent:
    return SolverAgent(position, (), RandomGuesser(seed).guess)


def _human(position: Position, seed: int, settings: PlayerSettings) -> Agent:
    return SolverAgent(position, strategy_solvers(position), RandomGuesser(seed).guess)


def _hybrid(position: Position, seed: int, settings: PlayerSettings) -> Agent:
    solvers = *strategy_solvers(position), BudgetedHybridSolver(position)
    return SolverAgent(position, solvers, RandomGuesser(seed).guess)


def _careful(position: Position, seed: int, settings: PlayerSettings) -> Agent:
    exact = ExactSolver(position)
    return SolverAgent(position, (*strategy_solvers(position), exact), exact.least_risk)


RANDOM = Player(
    "random", "any covered cell", _random, compiled=Compiled(NO_DEDUCTION, RANDOM_GUESS)
)
HUMAN = Player(
    "human",
    "strategies 1 to 7, else any covered cell",
    _human,
    compiled=Compiled(STRATEGIES, RANDOM_GUESS),
)
HYBRID = Player(
    "hybrid",
    "all that follows without the mine count, else any covered cell",
    _hybrid,
    compiled=Compiled(WITHOUT_MINE_COUNT, RANDOM_GUESS),
)
CAREFUL = Player(
    "careful",
    "all that is certain, else the cell of least probability",
    _careful,
    compiled=Compiled(guess=LEAST_RISK_GUESS),
)
