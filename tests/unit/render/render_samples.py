"""One small position on each kind of board, drawn in every way by the tests of render."""

from sapper import Board, Layout, Position

POSITIONS: dict[str, Position] = {
    "square": Position.parse("mines: 5\n#21F\n#3..\nF#1#"),
    "torus": Position.parse("board: torus 4x3\nmines: 5\n#21F\n#3..\nF#1#"),
    "hexagonal": Position.parse("board: hexagonal 4x3\nmines: 5\n#21F\n#3..\nF#1#"),
    "triangular": Position.parse("board: triangular 5x3\nmines: 9\n#2aF#\n#3..1\nF#1cb"),
    "triangular-edge": Position.parse("board: triangular-edge 5x3\nmines: 5\n#21F#\n#3..1\nF#1#2"),
    "graph": Position.of(
        # With given points: the last digits of computed ones may differ between machines.
        Board.from_edges(
            [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("d", "tail")],
            points={"a": (0, 0), "b": (0, 1), "c": (1, 1), "d": (1, 0), "tail": (2, -0.5)},
        ),
        {"a": 1, "c": 1, "tail": 0},
        flags=["b"],
        mines=1,
    ),
}

# Every sample with each kind of overlay, on cells that every board has.
OVERLAYS = {
    "labels": {0: "33%", 3: "100%"},
    "colours": {0: "#2f7fd1", 3: "reveal", 2: "proof"},
    "outlined": [1, 2],
}


def layout_of(name: str) -> Layout:
    """Return a layout on the sample's board: mines where it has flags, and a click on cell 1."""
    position = POSITIONS[name]
    mines = [int(cell in position.flags) for cell in position.board.cells]
    click = next(cell for cell in position.board.cells if not mines[cell])
    return Layout(position.board, mines, click)
