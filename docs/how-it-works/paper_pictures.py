"""Draw the pictures of paper.md with Sapper's own SVG; run by `make docs`."""

from pathlib import Path

from sapper import (
    Budget,
    Layout,
    Position,
    check_paper_puzzle,
    paper_puzzle,
    paper_puzzle_rules,
    tiling,
)
from sapper.generators.paper_puzzles.make import PaperPuzzle
from sapper.render.svg import pages_svg, position_svg
from sapper.worksheets.files import lay_out
from sapper.worksheets.make import problem_rules, worksheet
from sapper.worksheets.options import WorksheetOptions
from sapper.worksheets.registry import WORKSHEET_KINDS

FOLDER = Path(__file__).parent / "pictures"
OPEN, CLOSED = "#dfe6ee", "#ffffff"

# Name: tiling, width, height, options, seed.
GALLERY: dict[str, tuple[str, int, int, dict[str, str], int]] = {
    "checkerboard": ("square", 10, 9, {"method": "varied"}, 4),
    "row": ("square", 10, 9, {"open_set": "row"}, 2),
    "fewest": ("square", 10, 9, {"open_set": "fewest", "difficulty": "three"}, 3),
    "torus": ("torus", 9, 9, {"difficulty": "two"}, 5),
    "hexagonal": ("hexagonal", 10, 9, {"difficulty": "two"}, 2),
    "triangular": ("triangular", 13, 7, {"difficulty": "two"}, 1),
    "triangular-edge": ("triangular-edge", 13, 7, {"difficulty": "three"}, 6),
}

PAPER_EXAMPLE = "1#1#1#1\n#2#2#1#\n1#3#2#1\n#1#3#2#"


def pictures() -> dict[str, str]:
    """Return every picture by the name of its file."""
    drawn = {}
    for name, (kind, width, height, options, seed) in GALLERY.items():
        puzzle = paper_puzzle(paper_puzzle_rules(tiling(kind, width, height), **options), seed)  # type: ignore[arg-type]
        drawn[name] = _draw(puzzle.position)
        drawn[f"{name}-solved"] = _solved(puzzle)
    example = check_paper_puzzle(Position.parse(PAPER_EXAMPLE)).puzzle
    assert example is not None
    drawn["example"], drawn["example-solved"] = _draw(example.position), _solved(example)
    drawn["twin"] = _twin()
    drawn["sheet"] = _sheet()
    return {f"paper-{name}.svg": svg for name, svg in drawn.items()}


def _backgrounds(position: Position) -> dict[int, str]:
    return {cell: OPEN if position.marks[cell] >= 0 else CLOSED for cell in position.board.cells}


def _draw(position: Position) -> str:
    return position_svg(
        position, theme="light", cell=28, colours=_backgrounds(position), zeros=True
    )


def _solved(puzzle: PaperPuzzle) -> str:
    position, mines = puzzle.position, set(puzzle.mine_cells)
    glyphs = {cell: "cross" if cell in mines else "dash" for cell in position.covered.tolist()}
    backgrounds = _backgrounds(position)
    return position_svg(
        position, theme="light", cell=28, colours=backgrounds, glyphs=glyphs, zeros=True
    )


def _twin() -> str:
    """Draw two mine sets on 8x8 (gcd 9) with the same numbers: the crosses, and the dots."""
    layout = Layout(tiling("square", 8, 8), [0] * 64)
    position = layout.position([c for c in range(64) if (c // 8 + c % 8) % 2 == 0])
    glyphs, colours = {}, _backgrounds(position)
    for cell in range(64):
        row, column = cell // 8 + 1, cell % 8 + 1
        sign = ((row + column) % 18 in (1, 17)) - ((row - column) % 18 in (1, 17))
        if sign:
            glyphs[cell] = "cross" if (sign > 0) == (row % 2 == 0) else "dot"
            colours[cell] = "#ffd9a8" if glyphs[cell] == "cross" else "#c5e0ff"
    return position_svg(position, theme="light", cell=28, colours=colours, glyphs=glyphs)


def _sheet() -> str:
    options = WorksheetOptions(
        size="9x10", difficulty="two", count=4, seed=1, address="https://school.example/"
    )
    kind = WORKSHEET_KINDS[options.kind]
    puzzles = kind.problems(problem_rules(options), Budget(), range(1, 5))
    sheet_pages, size = lay_out(worksheet(options, puzzles))
    return pages_svg(sheet_pages[:1], size, "The first page of a worksheet")


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
