"""The lessons, from the rules of the game to guessing.

Each has a step, a first board and a source of exercises. The positions of the strategies are those
of the documentation, which a test checks.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.web.learn.steps import (
    StepFinder,
    best_guess,
    either,
    hole,
    inside,
    needs,
    reduced,
    row_of,
    several_numbers,
    strategy,
)


@dataclass(frozen=True)
class Lesson:
    """One lesson: what it teaches, a first board, and the moves to find on it."""

    name: str
    part: str
    """The heading of a group of lessons."""
    title: str
    teaches: str
    task: str
    rows: str
    mines: str
    """The names of the mines, which determine the numbers."""
    numbers: str
    """The names of the numbers to look at."""
    moves: tuple[str, ...]
    step: StepFinder
    source: str
    """The source of exercises: puzzles of a difficulty, 'flagged', 'guess' or 'paper'."""
    ask: str = "Find a cell that this step gives."
    page: str | None = None
    """The page of the documentation with the same position."""

    @property
    def position(self) -> Position:
        """The position of the first board."""
        return Position.parse(self.rows)

    @property
    def layout(self) -> Layout:
        """The layout of the first board."""
        board = self.position.board
        mask = np.zeros(len(board), dtype=np.uint8)
        mask[[board.cell(name) for name in self.mines.split()]] = 1
        return Layout(board, mask)


_TWO_ONE = "#######\n#32212#\n#1...1#"
_ONE_TWO = "#######\n#21223#\n#1...1#"
_AFTER = "#####2#\n#32212#\n#1...1#"
_RING = "#####\n#222#\n#2.2#\n#222#\n#####"
_STRATEGIES = "how-it-works/the-seven-strategies.md"

START, STRATEGIES, PATTERNS, BEYOND = (
    "The game",
    "The seven strategies",
    "Patterns with names",
    "Beyond two numbers",
)

LESSONS: tuple[Lesson, ...] = (
    Lesson(
        "the-game",
        START,
        "What the game is",
        "Some cells hide a mine. Open every cell that does not, and you win; open a mine, and you "
        "lose. An open cell shows a number: how many mines touch it, at its sides and corners.",
        "Each of the three numbers touches one covered cell alone. Put a flag on it: right click, "
        "long press, or F.",
        "#1.\n11.\n...",
        "r1c1",
        "r2c2",
        ("flag r1c1",),
        strategy(1),
        "one",
        "Find a number that touches just as many covered cells as it shows, and flag one of them.",
    ),
    Lesson(
        "corners",
        START,
        "Numbers and corners",
        "A corner that sticks out is the first thing players look for: the number at its tip "
        "touches few covered cells. A number counts corners too, so look at all eight around it.",
        "The 1 in the middle touches one covered cell, at its corner. Flag it.",
        "...\n.11\n.1#",
        "r3c3",
        "r2c2",
        ("flag r3c3",),
        strategy(1),
        "one",
        "Find a corner: a number whose covered cells must all be mines. Flag one of them.",
    ),
    Lesson(
        "chords",
        START,
        "Flags and chords",
        "A flag marks a mine. Once a number has all its flags, the other cells around it are "
        "safe, and a click on the number opens all of them at once. That is a chord.",
        "The 1 beside the flag has its mine. Click on it, or open the covered cells one by one.",
        "F1#\n11#",
        "r1c1",
        "r1c2",
        ("reveal r1c3", "reveal r2c3"),
        strategy(2),
        "flagged",
        "Find a number that has all its flags: chord on it, or open a cell beside it.",
    ),
    Lesson(
        "strategy-1",
        STRATEGIES,
        "Strategy 1: all of them are mines",
        "Subtract the flags around a number from the number. If the rest equals the number of "
        "covered cells around it, every one of them is a mine.",
        "The 3 in the middle has one flag and two covered cells. Flag the cells that must be "
        "mines.",
        "#####\n#F###\n#232#\n#111#\n#####",
        "r2c2 r2c3 r2c4 r5c3",
        "r3c3",
        ("flag r2c3", "flag r2c4"),
        strategy(1),
        "one",
        page=_STRATEGIES,
    ),
    Lesson(
        "strategy-2",
        STRATEGIES,
        "Strategy 2: none of them is a mine",
        "If a number has all its flags, its other covered cells are safe.",
        "The 1 has its mine. Reveal the cell that must be safe.",
        "F1#",
        "r1c1",
        "r1c2",
        ("reveal r1c3",),
        strategy(2),
        "flagged",
        page=_STRATEGIES,
    ),
    Lesson(
        "strategy-3",
        STRATEGIES,
        "Strategy 3: what is left for the larger number",
        "Two numbers that share covered cells say more together than alone. The shared cells have "
        "at most as many mines as the smaller number still needs. The other mines of the larger "
        "number are among its remaining cells.",
        "The 2 in the middle shares two covered cells with the 1 on its left, and has one more "
        "covered cell. Flag it.",
        _ONE_TWO,
        "r1c3 r1c5 r1c6 r2c1 r2c7",
        "r2c3 r2c4",
        ("flag r1c5",),
        either(strategy(3), strategy(4)),
        "two",
        page=_STRATEGIES,
    ),
    Lesson(
        "strategy-4",
        STRATEGIES,
        "Strategy 4: the same from the other side",
        "Strategies 3 and 4 are the same idea with the two numbers exchanged. Learn to see it in "
        "both directions.",
        "Now the 1 is on the right of the 2. Which covered cell of the 2 must be a mine?",
        _TWO_ONE,
        "r1c2 r1c3 r1c5 r2c1 r2c7",
        "r2c4 r2c5",
        ("flag r1c3",),
        either(strategy(3), strategy(4)),
        "two",
        page=_STRATEGIES,
    ),
    Lesson(
        "strategy-5",
        STRATEGIES,
        "Strategy 5: the shared cells are mines",
        "The shared cells also have a least number of mines: what a number needs beyond its other "
        "covered cells. If that equals the number of shared cells, all of them are mines. One of "
        "the two numbers then needs all of its covered cells: it is strategy 1 in disguise.",
        "The 2 on the right touches only the two covered cells that it shares with the other 2. "
        "Flag them.",
        "###\n#22",
        "r1c2 r1c3",
        "r2c2 r2c3",
        ("flag r1c2", "flag r1c3"),
        strategy(5, inside),
        "one",
        "Find two numbers where one touches all covered cells of the other, and flag a mine that "
        "they share.",
        page=_STRATEGIES,
    ),
    Lesson(
        "strategy-6",
        STRATEGIES,
        "Strategy 6: nothing is left for the smaller number",
        "If the shared cells must have all mines that a number needs, its other covered cells are "
        "safe.",
        "At least one mine of the 2 is in the cells that it shares with the 1 on its right, and "
        "the 1 needs no more. Reveal the cell that only the 1 touches.",
        _TWO_ONE,
        "r1c2 r1c3 r1c5 r2c1 r2c7",
        "r2c4 r2c5",
        ("reveal r1c6",),
        either(strategy(6), strategy(7)),
        "two",
        page=_STRATEGIES,
    ),
    Lesson(
        "strategy-7",
        STRATEGIES,
        "Strategy 7: the same from the other side",
        "Strategies 6 and 7 are the same idea again. Look for a number whose covered cells all "
        "touch another number that needs as many mines.",
        "The game has gone on, and the cell at the right of the top row shows a 2. All its covered "
        "cells also touch the 2 below it. Reveal the cell that only the lower 2 touches.",
        _AFTER,
        "r1c2 r1c3 r1c5 r2c1 r2c7",
        "r1c6 r2c6",
        ("reveal r3c7",),
        either(strategy(6), strategy(7)),
        "two",
        page=_STRATEGIES,
    ),
    Lesson(
        "pattern-1-1",
        PATTERNS,
        "1-1: the third cell is safe",
        "Two 1s side by side, the first at a wall: both covered cells of the first belong to the "
        "second as well, so the third cell is safe. It is strategy 6.",
        "The first 1 has two covered cells, and the second 1 has those and one more. Reveal it.",
        "####\n1121",
        "r1c2 r1c4",
        "r2c1 r2c2",
        ("reveal r1c3",),
        either(strategy(6, needs(1, 1)), strategy(7, needs(1, 1))),
        "two",
        "Find a 1-1 after subtracting flags, and open the safe cell.",
    ),
    Lesson(
        "pattern-1-2",
        PATTERNS,
        "1-2: the third cell is a mine",
        "A 1 and a 2 side by side: the two cells that they share hold at most one mine, so the "
        "third cell of the 2 is a mine. It is strategy 3.",
        "The 1 allows one mine in the first two cells. Flag the third.",
        "####\n1211",
        "r1c1 r1c3",
        "r2c1 r2c2",
        ("flag r1c3",),
        either(strategy(3, needs(1, 2)), strategy(4, needs(1, 2))),
        "two",
        "Find a 1-2 after subtracting flags, and flag its mine.",
    ),
    Lesson(
        "pattern-1-2-1",
        PATTERNS,
        "1-2-1: mines beside the ones",
        "A 1-2-1 along a wall is a 1-2 from both ends: strategy 3 twice. The mines are next to the "
        "two 1s, and the cell next to the 2 is safe.",
        "Read the 1-2 from the left, then from the right, and flag both mines.",
        "#####\n11211",
        "r1c2 r1c4",
        "r2c2 r2c3 r2c4",
        ("flag r1c2", "flag r1c4"),
        row_of((1, 2, 1)),
        "two",
        "Find a 1-2-1 after subtracting flags, and flag one of its mines.",
    ),
    Lesson(
        "pattern-1-2-2-1",
        PATTERNS,
        "1-2-2-1: mines beside the twos",
        "A 1-2-2-1 along a wall is a 1-2 from both ends again: strategy 3 twice. Here the mines "
        "are next to the two 2s.",
        "Read the 1-2 from both ends and flag both mines.",
        "####\n1221",
        "r1c2 r1c3",
        "r2c1 r2c2 r2c3 r2c4",
        ("flag r1c2", "flag r1c3"),
        row_of((1, 2, 2, 1)),
        "two",
        "Find a 1-2-2-1 after subtracting flags, and flag one of its mines.",
    ),
    Lesson(
        "reductions",
        PATTERNS,
        "Reductions: subtract the flags",
        "Subtract the flags from the numbers. A 2 with a flag is a 1, a 3 with a flag is a 2: "
        "then look for a 1-1 or a 1-2 again. It is strategy 3 or 6 on what the numbers need.",
        "The two 2s on the left share the flag below them. Subtract it, and they are a 1-1. Reveal "
        "the third cell.",
        "####\n2221\nF1..",
        "r1c2 r1c4 r3c1",
        "r2c1 r2c2",
        ("reveal r1c3",),
        either(*(strategy(k, reduced) for k in (3, 4, 6, 7))),
        "two",
        "Find two numbers side by side that give a move after subtracting flags.",
    ),
    Lesson(
        "holes",
        PATTERNS,
        "Holes: a number inside another",
        "Two numbers need not touch. Where all covered cells of one are also covered cells of "
        "another that needs as much, the other cells of that one are safe: strategy 6 across a "
        "hole.",
        "The 1 at the top left touches the two cells of the hole. The lower 1 on the right touches "
        "both, and more. Reveal a cell that only it touches.",
        "1#1\n1#1\n###",
        "r2c2",
        "r1c1 r2c3",
        ("reveal r3c2", "reveal r3c3"),
        either(*(strategy(k, hole) for k in (3, 4, 6, 7))),
        "two",
        "Find two numbers that do not touch, one inside the other, and what follows.",
    ),
    Lesson(
        "three-numbers",
        BEYOND,
        "Three numbers: a first proof",
        "Here no two numbers give a move. Assume the opposite of what you expect of a cell, and "
        "follow it from number to number until one of them cannot be right: that is a proof.",
        "Assume that the second cell of the top row is safe. Then the middle 2 below it needs "
        "both of its other covered cells above; now the 2 on its right has all its mines, and the "
        "one under that cannot get its second. So flag it. Then find the safe cell from the same "
        "three numbers.",
        _RING,
        "r1c2 r1c4 r2c1 r2c5 r4c1 r4c5 r5c2 r5c4",
        "r2c3 r2c4 r3c4",
        ("flag r1c2", "reveal r1c5"),
        several_numbers(3, 3),
        "three",
        "Find a cell that three numbers decide together.",
        "how-it-works/proofs.md",
    ),
    Lesson(
        "counting",
        BEYOND,
        "Counting the mines at the end",
        "The number of mines left is a number, too. When few covered cells are left, count the "
        "mines that the numbers still need: if those are all mines left, every other cell is "
        "safe.",
        "One mine is left, and the 1 needs it. Reveal a cell that the 1 does not touch.",
        "mines: 1\n#1###",
        "r1c1",
        "r1c2",
        ("reveal r1c4", "reveal r1c5"),
        several_numbers(0, 999, uses_mine_count=True),
        "count",
        "Find a cell that the number of mines left decides.",
    ),
    Lesson(
        "guessing",
        BEYOND,
        "When you must guess, and how",
        "Sometimes nothing is certain. Then compare the chances of a mine: cells away from all "
        "numbers are often safer than those beside them. Among equals take the most informative "
        "cell.",
        "Two mines are left. One is beside the 1, in one of three cells; the other is in one of "
        "the four cells away from it. Open a cell with the lowest chance of a mine.",
        "mines: 2\n1###\n####",
        "r1c2 r2c4",
        "r1c1",
        ("reveal r1c3",),
        best_guess,
        "guess",
        "Nothing is certain here. Open the cell that you would guess.",
    ),
    Lesson(
        "paper",
        BEYOND,
        "Paper puzzles",
        "On paper nothing opens. All numbers are there from the start, and they have exactly one "
        "solution. The Print view makes such puzzles.",
        "Three numbers, two covered cells. Flag both mines.",
        "1#2#1",
        "r1c2 r1c4",
        "r1c3",
        ("flag r1c2", "flag r1c4"),
        strategy(1),
        "paper",
        "Flag a mine that one number gives.",
    ),
)
"""In their order on the page."""
