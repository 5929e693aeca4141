"""Small graphs for tests."""

from sapper.board.board import Board


def star(leaves: int) -> Board:
    """Return a board whose cell `hub` touches `leaf0`, `leaf1`, ..."""
    return Board.from_edges([("hub", f"leaf{i}") for i in range(leaves)])


def ring(cells: int, steps: tuple[int, ...] = (1,)) -> Board:
    """Return cells `v0`, `v1`, ... in a ring; a cell touches those at these distances along it."""
    return Board.from_edges(
        [(f"v{i}", f"v{(i + step) % cells}") for i in range(cells) for step in steps]
    )
