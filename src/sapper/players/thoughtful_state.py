"""The kernel's memory for `thoughtful`: what a board has once, and how the settings are meant."""

from __future__ import annotations

import numpy as np

from sapper.board.board import Board, Ints
from sapper.engine import workspace
from sapper.engine.budget import Limit
from sapper.kernels import view
from sapper.kernels.players import thoughtful as kernel
from sapper.kernels.players.fifty_fifty import FiftyFiftyShapes
from sapper.kernels.players.guessing import EndGameSolver
from sapper.players.thoughtful_settings import ThoughtfulSettings

# Rooms of an end game's solutions and memo. 8,192 are more than the usual limits let in; the memo
# holds half a million sets, more than the usual number of nodes.
ROWS = 8192
MEMO = 1 << 19
# Work (solutions times cells) of one end game: about a second.
MAX_WORK = 400_000_000


def make_thoughtful_state(board: Board, settings: ThoughtfulSettings) -> kernel.ThoughtfulState:
    """Room for thinking on a board, with these settings."""
    return kernel.ThoughtfulState(
        workspace.make_tracked(board),
        EndGameSolver(
            *(len(board), ROWS, MEMO),
            max_solutions=settings.end_game,
            max_sparse_solutions=settings.thin_end_game,
            apart=settings.apart,
            max_nodes=settings.nodes,
            max_work=MAX_WORK,
        ),
        FiftyFiftyShapes(view(board.offsets), view(board.neighbours), settings.enablers),
        *map(view, straight_away(board)),
        look_ahead=settings.look_ahead,
        ratio=settings.ratio,
        inner_ratio=settings.inner_ratio,
        few_inner=_few_inner(board, settings),
        few_around=_few_around(board),
        small_region=settings.small_region,
        blend=settings.blend,
        progress=settings.progress,
        influence_weight=settings.fifty_fifty,
        enabler_from=settings.enabler_chance,
        coin_tosses=settings.coin_tosses,
        domination=settings.domination,
    )


def choose_thoughtful(
    thoughtful_state: kernel.ThoughtfulState, marks: Ints, mines: int, trust: bool, limit: Limit
) -> int:
    """Let the kernel choose; OK, or a status that says why the engine has no answer."""
    position = view(marks), mines, trust
    return workspace.run_within(
        limit, thoughtful_state.p.general, lambda: kernel.run(thoughtful_state, *position)
    )


def _few_inner(board: Board, settings: ThoughtfulSettings) -> int:
    """Interiors below this are weighed as a whole.

    With more than 8 neighbours a number says little beyond them, and the cells that stand out on
    squares are no better there than others: weighing all is worth 0.7 points on triangles that
    touch at points (16x16/30), 1.5 with more mines (16x16/45).
    """
    crowded = board.neighbour_counts.max(initial=0) > 8
    return max(settings.few_inner, len(board) + 1) if crowded else settings.few_inner


def _few_around(board: Board) -> int:
    """As few unknown neighbours make a cell stand out: those of a corner.

    They are 3 on squares, and more on triangles that touch at points.
    """
    counts = board.neighbour_counts
    return max(3, int(counts.min())) if counts.min() < counts.max() else 3


def straight_away(board: Board) -> tuple[Ints, Ints]:
    """Of each cell, those two steps away that share most neighbours with it: starts and cells.

    On the square board the four cells straight away, not those askew.
    """
    start, found = [0], []
    near = [board.around(cell) for cell in board.cells]
    for cell in board.cells:
        away = np.concatenate([near[d] for d in near[cell]]) if len(near[cell]) else near[cell]
        far = away[(away != cell) & ~np.isin(away, near[cell])]
        cells, shared = np.unique(far, return_counts=True)
        found.append(cells[shared == shared.max()] if len(cells) else cells)
        start.append(start[-1] + len(found[-1]))
    cells = np.concatenate([*found, np.zeros(1)]).astype(np.int32)
    return np.array(start, dtype=np.int32), cells
