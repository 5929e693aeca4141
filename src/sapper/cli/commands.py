"""Every command: in which module it lives, what it is for, and two examples that a test runs.

The files that the examples name are made by that test; `deal`, `watch` and `lab run` make the like.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    """A row: the module under sapper.cli, a line for the overview, and examples for the help."""

    module: str
    about: str
    examples: tuple[str, str]


# What a command is called, family by family, in the order of the overview.
COMMAND_SECTIONS: dict[str, dict[str, Command]] = {
    "Play and watch": {
        "play": Command(
            "games.web",
            "play in the browser, with help that explains itself",
            ("sapper play", "sapper play --port 9000"),
        ),
        "web": Command(
            "games.web",
            "serve the same page without opening a browser",
            ("sapper web --port 9000", "sapper web --data games"),
        ),
        "watch": Command(
            "games.watch",
            "watch a player or solver at a game, move by move",
            ("sapper watch expert", "sapper watch 9x9/10 --seed 7 --plain"),
        ),
        "demo": Command(
            "games.demo",
            "watch a hard game being solved, with reasons",
            ("sapper demo", "sapper demo --pace 0"),
        ),
        "review": Command(
            "games.review",
            "where a game was unlucky and where it was wrong",
            ("sapper review game.txt", "sapper review game.txt --svg strip.svg"),
        ),
    },
    "Ask about a position": {
        "probabilities": Command(
            "positions.probabilities",
            "the exact probabilities of a mine for every covered cell",
            (
                "sapper probabilities position.txt",
                "sapper probabilities position.txt --guess thoughtful",
            ),
        ),
        "solve": Command(
            "positions.solve",
            "the certain moves, as a solver of your choice finds them",
            ("sapper solve position.txt", "sapper solve position.txt --solver human"),
        ),
        "explain": Command(
            "positions.explain",
            "a smallest proof for every certain move",
            ("sapper explain position.txt", "sapper explain position.txt --cell r3c1"),
        ),
        "hint": Command(
            "positions.hint",
            "help for a stuck player, from a glance to the move",
            ("sapper hint position.txt", "sapper hint position.txt --degree 3"),
        ),
        "show": Command(
            "positions.show",
            "a position or a layout as a picture",
            ("sapper show position.txt", "sapper show position.txt --svg position.svg"),
        ),
        "convert": Command(
            "positions.convert",
            "a position in the format of another tool",
            ("sapper convert position.txt --to json", "sapper convert layout.txt --to mbf"),
        ),
    },
    "Make boards and sheets": {
        "deal": Command(
            "boards.deal",
            "random layouts, also such that need no guess",
            ("sapper deal expert --seed 1", "sapper deal 16x16/40 --no-guess --first r4c4"),
        ),
        "grade": Command(
            "boards.grade",
            "how hard a layout is, and what it takes to win it",
            ("sapper grade layout.txt", "sapper deal 9x9/10 | sapper grade -"),
        ),
        "perfect": Command(
            "boards.perfect",
            "the exact chance of winning a small board",
            ("sapper perfect 4x4/4 --rule safe", "sapper perfect 3x3/2 --tiling hexagonal"),
        ),
        "one-click": Command(
            "boards.one_click",
            "boards that one click wins, or why there are none",
            ("sapper one-click 5x5/10", "sapper one-click 8x8/20 --method varied --seed 3"),
        ),
        "table": Command(
            "boards.table",
            "paper puzzles with one solution, printed for a class",
            (
                "sapper table 8x8 --seed 2",
                "sapper table 6x6 --difficulty two --count 4 -o sheet.pdf",
            ),
        ),
        "puzzle": Command(
            "boards.puzzle",
            "positions to train with: find what is certain",
            (
                "sapper puzzle --difficulty three --seed 2",
                "sapper puzzle --difficulty two --count 6 -o find.pdf",
            ),
        ),
    },
    "Measure": {
        "lab": Command(
            "lab",
            "win rates with error bars, on one machine or many",
            ("sapper lab run expert --player careful --games 1000", "sapper lab report a.db"),
        ),
    },
    "Set up": {
        "completion": Command(
            "completion",
            "let the shell complete commands and options",
            ("sapper completion bash", "sapper completion fish"),
        ),
    },
}

LAB: dict[str, Command] = {
    "run": Command(
        "lab.run",
        "play a campaign, or go on with one",
        (
            "sapper lab run expert --player careful --games 1000 --seed 1 --out c.db",
            "sapper lab run 9x9/10 --player thoughtful --set blend=1.0 --games 200 --out d.db",
        ),
    ),
    "report": Command(
        "lab.report",
        "the win rates that files hold, with their intervals",
        ("sapper lab report a.db b.db", "sapper lab report a.db --markdown"),
    ),
    "merge": Command(
        "lab.merge",
        "put result files together",
        ("sapper lab merge a.db a2.db -o all.db", "sapper lab merge a.db a2.db -o all.db --json"),
    ),
    "compare": Command(
        "lab.compare",
        "two players on the same deals",
        ("sapper lab compare a.db b.db", "sapper lab compare a.db b.db --json"),
    ),
    "plot": Command(
        "lab.plot",
        "draw campaigns",
        (
            "sapper lab plot a.db --kind guesses -o guesses.svg",
            "sapper lab plot a.db b.db --kind guesses -o guesses.png",
        ),
    ),
}
