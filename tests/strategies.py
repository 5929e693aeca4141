"""Hypothesis strategies for boards, layouts and positions, on every tiling and on random graphs."""

from hypothesis import strategies as st

from sapper.board.board import Board
from sapper.board.layout import Layout
from sapper.board.position import COVERED, FLAG, Position
from sapper.board.tilings import TILINGS, tiling

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=4)


@st.composite
def tiling_boards(
    draw: st.DrawFn, max_side: int = 6, names: tuple[str, ...] = tuple(TILINGS)
) -> Board:
    name = draw(st.sampled_from(names))
    min_side = TILINGS[name].min_size
    sides = st.integers(min_side, max(min_side, max_side))
    return tiling(name, draw(sides), draw(sides))


@st.composite
def graph_boards(draw: st.DrawFn, max_cells: int = 10) -> Board:
    names = draw(st.lists(NAMES, min_size=1, max_size=max_cells, unique=True))
    pairs = [(a, b) for i, a in enumerate(names) for b in names[:i]]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return Board.from_edges(edges, names)


def boards(max_side: int = 6) -> st.SearchStrategy[Board]:
    return st.one_of(tiling_boards(max_side), graph_boards())


@st.composite
def layouts(draw: st.DrawFn, on: st.SearchStrategy[Board] | None = None) -> Layout:
    """Draw a random layout, sometimes with a first click on a safe cell."""
    board = draw(boards() if on is None else on)
    mines = draw(st.lists(st.booleans(), min_size=len(board), max_size=len(board)))
    safe = [cell for cell in board.cells if not mines[cell]]
    click = draw(st.none() | st.sampled_from(safe)) if safe else None
    return Layout(board, mines, click)


@st.composite
def positions(draw: st.DrawFn, on: st.SearchStrategy[Board] | None = None) -> Position:
    """Draw any marks, which may be contradictory, with or without a mine count."""
    board = draw(boards() if on is None else on)
    max_number = max(12, int(board.neighbour_counts.max()))
    mark = st.one_of(
        st.sampled_from([COVERED, FLAG]), st.integers(0, 3), st.integers(0, max_number)
    )
    marks = draw(st.lists(mark, min_size=len(board), max_size=len(board)))
    return Position(board, marks, draw(st.none() | st.integers(0, len(board) + 2)))


@st.composite
def true_positions(draw: st.DrawFn, on: st.SearchStrategy[Board] | None = None) -> Position:
    """Draw a position of a layout: some safe cells revealed, all other cells covered."""
    layout = draw(layouts(on))
    shown = draw(st.lists(st.booleans(), min_size=len(layout.board), max_size=len(layout.board)))
    cells = [c for c in layout.board.cells if shown[c] and not layout.mine_mask[c]]
    return layout.position(cells, mines=draw(st.sampled_from([None, layout.mine_count])))
