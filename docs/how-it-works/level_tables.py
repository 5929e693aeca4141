"""Grade 1,000 layouts of each level, and write the table of their difficulty into proofs.md.

The layouts have seeds 0 to 999, rule `zero` and the first click in the middle.
"""

from collections import Counter
from pathlib import Path

import sapper
from sapper.board.rules import LEVELS

LAYOUTS = 1000
PAGE = Path(__file__).with_name("proofs.md")
BEGIN, END = "<!-- levels: begin -->", "<!-- levels: end -->"


def measure(level: str) -> tuple[float, str]:
    """Return the guesses per layout of a level, which order the table, and its row."""
    rules = sapper.Rules.parse(level)
    hardest: Counter[str] = Counter()
    cells: Counter[str] = Counter()
    guesses = without_guess = 0
    for seed in range(LAYOUTS):
        grade = sapper.grade(sapper.generate(rules, seed).layout)
        hardest[grade.difficulty] += 1
        cells.update(grade.revealed_by_difficulty)
        guesses += grade.guesses
        without_guess += grade.guesses == 0
    names = list(sapper.DIFFICULTIES)
    shares = [f"{100 * hardest[name] / LAYOUTS:.1f}" for name in names]
    beyond = 100 * sum(cells[name] for name in names[1:]) / sum(cells.values())
    row = [level, LEVELS[level], *shares, f"{beyond:.1f}", f"{guesses / LAYOUTS:.2f}"]
    return guesses / LAYOUTS, "| " + " | ".join(
        [*row, f"{100 * without_guess / LAYOUTS:.1f}"]
    ) + " |"


def main() -> None:
    """Write the table, easiest level first."""
    header = ["level", "size", *(f"`{name}`" for name in sapper.DIFFICULTIES)]
    header += ["cells beyond `one`", "guesses per layout", "without a guess"]
    lines = [
        "| " + " | ".join(header) + " |",
        "| --- | --- |" + " ---: |" * (len(header) - 2),
        *(row for _, row in sorted(map(measure, LEVELS))),
    ]
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    table = "\n".join(lines)
    PAGE.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
