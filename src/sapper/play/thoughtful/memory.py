"""The kernel's memory for `thoughtful`: what a board has once, and room for thinking."""

from __future__ import annotations

import numpy as np

from sapper.infer.budget import Limit
from sapper.infer.odds import engine
from sapper.kernels import view
from sapper.kernels.codes import GROW
from sapper.kernels.odds.position import Position
from sapper.kernels.odds.workspace import Workspace
from sapper.kernels.play import fifty, listing
from sapper.kernels.play import thoughtful as kernel
from sapper.kernels.play.endgame import Ending
from sapper.model.board import Board, Ints
from sapper.play.thoughtful.settings import ThoughtfulSettings

# Rooms of an end game's placements and memo. 8,192 are more than the usual limits let in; the memo
# holds half a million sets, more than the usual number of nodes.
ROWS = 8192
MEMO = 1 << 19
# Work (placements times cells) of one end game: about a second.
MOST_WORK = 400_000_000
# Neighbours of the cells that shapes are looked for among: more than any tiling has.
MOST_AROUND = 16
# Enablers that a shape may have at all; more are never all mines in practice.
PAIR_ENABLERS = 8
SQUARE_ENABLERS = 6


def make_thought(board: Board, settings: ThoughtfulSettings) -> kernel.Thought:
    """Room for thinking on a board, with these settings."""
    n = len(board)
    thought = kernel.Thought()
    workspace = Workspace()
    workspace.fit(n, len(board.neighbours))
    thought.p = Position(board.offsets, board.neighbours, workspace)
    thought.shapes = make_shapes(board, settings.enablers)
    thought.listing = listing.Listing(n, ROWS, 64 * ROWS)
    thought.ending = Ending(n, ROWS, MEMO)
    start, cells = straight_away(board)
    thought.straight_start, thought.straight = view(start), view(cells)
    for name in ("living", "near_hint"):
        setattr(thought, name, view(np.zeros(n, np.uint8)))
    for name in ("influence", "bound", "score", "sure", "follow", "second"):
        setattr(thought, name, view(np.zeros(n)))
    for name in ("candidate", "stamped", "scratch", "region", "queue"):
        setattr(thought, name, view(np.zeros(n, np.int32)))
    # Corners stand out, with 3 neighbours on squares and more on triangles that touch at points.
    counts = board.neighbour_counts
    corners = int(counts.min()) if counts.min() < counts.max() else 0
    thought.few_around = max(3, corners)
    thought.stamp = 0
    use_settings(thought, settings)
    return thought


def use_settings(thought: kernel.Thought, settings: ThoughtfulSettings) -> None:
    """Let it think by these settings."""
    thought.few_placements = float(min(settings.end_game, ROWS))
    thought.thin_placements = settings.thin_end_game
    thought.most_nodes, thought.most_work = settings.nodes, MOST_WORK
    thought.apart = settings.apart
    thought.look_ahead = settings.look_ahead
    thought.ratio, thought.inner_ratio = settings.ratio, settings.inner_ratio
    thought.few_inner, thought.small_region = _few_inner(thought, settings), settings.small_region
    thought.blend, thought.progress = settings.blend, settings.progress
    thought.influence_weight = settings.fifty_fifty
    thought.fifty = settings.fifty_fifty > 0
    thought.enabler_from = settings.enabler_chance
    thought.most_interior = 0
    thought.coin_tosses, thought.domination = settings.coin_tosses, settings.domination


def _few_inner(thought: kernel.Thought, settings: ThoughtfulSettings) -> int:
    """Interiors below this are weighed as a whole.

    With more than 8 neighbours a hint says little beyond them, and the cells that stand out on
    squares are no better there than others: weighing all is worth 0.7 points on triangles that
    touch at points (16x16/30), 1.5 with more mines (16x16/45).
    """
    crowded = np.diff(np.asarray(thought.p.offsets)).max(initial=0) > 8
    return max(settings.few_inner, thought.p.cells + 1) if crowded else settings.few_inner


def think(thought: kernel.Thought, marks: Ints, mines: int, trust: bool, limit: Limit) -> int:
    """Let the kernel choose; OK, or a status that says why the engine has no answer."""
    thought.p.general.cancel = view(limit.flag)
    thought.p.general.seconds = limit.left
    status: int = kernel.run(thought, view(marks), mines, trust)
    while status >= GROW:
        engine.enlarge(thought.p.general, status, limit)
        status = kernel.run(thought, view(marks), mines, trust)
    return status


def make_shapes(board: Board, enablers: int) -> fifty.Shapes:
    """The pairs and squares of a board that may become fifty-fifties."""
    n, room = len(board), 4 * len(board) + 64
    while True:
        cells = np.empty(4 * room, np.int32)
        starts = np.empty(room + 1, np.int32)
        enabler = np.empty(PAIR_ENABLERS * room, np.int32)
        scratch = np.zeros(n, np.int32), np.full(n, -1, np.int32), np.empty(4, np.int32)
        count = fifty.find_shapes(
            *(view(board.offsets), view(board.neighbours)),
            *(MOST_AROUND, PAIR_ENABLERS, SQUARE_ENABLERS),
            *map(view, scratch),
            *map(view, (cells, starts, enabler)),
        )
        if count >= 0:
            break
        room *= 2
    shapes = fifty.Shapes()
    shapes.count, shapes.most_unknown = count, enablers
    shapes.cell = view(cells[: 4 * count + 1].copy())
    shapes.enabler_start = view(starts[: count + 1].copy())
    enabler = enabler[: starts[count] + 1].copy()
    shapes.enabler = view(enabler)
    owner = np.repeat(np.arange(count, dtype=np.int32), np.diff(starts[: count + 1]))
    shapes.by_start, shapes.by_shape = _by_cell(enabler[: starts[count]], owner, n)
    members = cells[: 4 * count]
    owner = np.repeat(np.arange(count, dtype=np.int32), 4)[members >= 0]
    shapes.of_start, shapes.of_shape = _by_cell(members[members >= 0], owner, n)
    for name in ("unknown", "last_unknown"):
        setattr(shapes, name, view(np.zeros(count + 1, np.int32)))
    shapes.chance = view(np.zeros(count + 1))
    return shapes


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


def _by_cell(cells: Ints, owner: Ints, n: int) -> tuple[Ints, Ints]:
    """The owners of each cell, as starts and a list."""
    order = np.argsort(cells, kind="stable")
    starts = np.zeros(n + 1, dtype=np.int32)
    np.cumsum(np.bincount(cells, minlength=n), out=starts[1:])
    return view(starts), view(np.append(owner[order], 0).astype(np.int32))
