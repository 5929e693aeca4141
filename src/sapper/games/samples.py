"""Where the mines may lie: solutions drawn from a position, as arrays or as layouts."""

from __future__ import annotations

from typing import Literal, overload

import numpy as np
import numpy.typing as npt

from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.engine.budget import DEFAULT_BUDGET, Budget, Cancel, start_limit
from sapper.engine.sampling import draw_solutions
from sapper.errors import RulesError
from sapper.values import check_int, check_type


@overload
def sample(
    position: Position,
    count: int,
    seed: int = 1,
    layouts: Literal[False] = False,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> npt.NDArray[np.bool_]: ...


@overload
def sample(
    position: Position,
    count: int,
    seed: int = 1,
    *,
    layouts: Literal[True],
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> list[Layout]: ...


def sample(
    position: Position,
    count: int,
    seed: int = 1,
    layouts: bool = False,
    *,
    trust_flags: bool = False,
    budget: Budget = DEFAULT_BUDGET,
    cancel: Cancel | None = None,
) -> npt.NDArray[np.bool_] | list[Layout]:
    """Draw *count* solutions of a position, every satisfactory one with the same chance.

    A boolean array of shape (count, cells), true where a mine lies; with *layouts*, a list of
    layouts. The same seed gives the same solutions. Flags are opinions unless they are trusted.

    Raises Contradiction where there is none to draw, and RulesError where the position has an
    interior but no mine count: then nothing says how many mines lie there. OutOfBudget beyond
    *budget*, which the array itself must fit into.

    >>> rows = sample(Position.parse("# 1 #", mines=1), 1000)
    >>> rows.sum(axis=1).tolist() == [1] * 1000, bool(400 < rows[:, 0].sum() < 600)
    (True, True)
    """
    check_type(position, Position, "a position")
    count, seed = check_int(count, "a number of solutions"), check_int(seed, "a seed")
    if count < 0:
        raise RulesError(f"expected at least 0 solutions, got {count}")
    rows = draw_solutions(position, count, seed, trust_flags, start_limit(budget, cancel))
    return [Layout(position.board, row) for row in rows] if layouts else rows
