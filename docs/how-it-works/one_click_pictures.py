"""Draw the pictures of one-click.md as SVG; run by `make docs`.

The zeros are coloured: a click on any of them opens all the other empty cells.
"""

from pathlib import Path

from sapper import Layout, one_click, tiling
from sapper.render.svg import layout_svg

FOLDER = Path(__file__).parent / "pictures"

# The smallest openings, in the order of the proof.
OPENINGS = {
    "corner": "c.***\n..***\n*****\n*****\n*****",
    "edge": "*.c.*\n*...*\n*****\n*****\n*****",
    "run": "..c.*\n....*\n*****\n*****\n*****",
    "around": ".c.**\n...**\n..***\n*****\n*****",
    "inner": "*****\n*...*\n*.c.*\n*...*\n*****",
}

# The contest's example of filling rows with mines: the first attempt and the corrected layout.
EXAMPLES = {
    "before": "*******\n**.....\n**.....\n*.....c",
    "after": "*******\n***....\n*......\n*.....c",
}

# Random boards of the method `varied`: tiling, width, height, mines, seed.
VARIED = {
    "square": ("square", 16, 9, 72, 2),
    "torus": ("torus", 16, 9, 72, 6),
    "hexagonal": ("hexagonal", 16, 9, 72, 3),
    "triangular": ("triangular", 21, 9, 80, 2),
    "triangular-edge": ("triangular-edge", 21, 9, 80, 5),
}


def pictures() -> dict[str, str]:
    """Return the SVG of every picture by its file name."""
    layouts = {name: Layout.parse(text) for name, text in (OPENINGS | EXAMPLES).items()}
    for name, (kind, width, height, mines, seed) in VARIED.items():
        layout = one_click(tiling(kind, width, height), mines, seed=seed).layout
        assert layout is not None
        layouts[f"varied-{name}"] = layout
    return {f"one-click-{name}.svg": _draw(layout) for name, layout in layouts.items()}


def _draw(layout: Layout) -> str:
    zeros = {cell: "reveal" for cell in layout.board.cells if layout.zeros[cell]}
    return layout_svg(layout, cell=24, colours=zeros)


def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
