"""Solve small boards by perfect play, and write the tables of perfect-endings.md.

Takes some minutes.
"""

from pathlib import Path

import sapper
from sapper.board.rules import RULES
from sapper.players.perfect import perfect

PAGE = Path(__file__).with_name("perfect-endings.md")
BEGIN, END = "<!-- perfect: begin -->", "<!-- perfect: end -->"

SQUARE = (
    *(f"{w}x{h}/{m}" for w, h in ((2, 2), (3, 2), (3, 3), (4, 3)) for m in range(1, w * h)),
    *(f"4x4/{m}" for m in range(1, 16)),
    *(f"5x5/{m}" for m in range(1, 6)),
    *(f"6x6/{m}" for m in range(1, 4)),
)
OTHERS = (
    *(f"hexagonal {w}x{h}/{m}" for w, h in ((3, 3), (4, 4)) for m in range(1, 6)),
    *(f"triangular {w}x{h}/{m}" for w, h in ((5, 3), (6, 3)) for m in range(1, 5)),
    *(f"triangular-edge {w}x{h}/{m}" for w, h in ((5, 3), (6, 3)) for m in range(1, 6)),
    *(f"torus {w}x{h}/{m}" for w, h in ((4, 4), (5, 5)) for m in range(1, 4)),
)


def row(size: str) -> str:
    """Return the row of a board: its value under each rule."""
    cells = [size]
    for rule in RULES:
        try:
            result = perfect(sapper.Rules.parse(f"{size} {rule}"), budget=sapper.Budget(600))
        except sapper.RulesError:
            cells.append("-")
            continue
        first = result.rules.board.name(result.first[0])
        cells.append(f"{result} = {100 * float(result.value):.2f} % ({first})")
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Write both tables."""
    head = "| board | " + " | ".join(f"`{rule}`" for rule in RULES) + " |\n| --- |" + " --- |" * 3
    tables = [
        "\n".join([title, "", head, *map(row, sizes)])
        for title, sizes in (("Square boards:", SQUARE), ("Other tilings:", OTHERS))
    ]
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    text = "\n\n".join(tables)
    PAGE.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
