"""The lessons, from the rules of the game to guesses and paper puzzles.

Each teaches a step, and has a first board and a source of exercises. The positions of the
strategies are those of the documentation, which a test checks. The module is long because it holds
the texts of all lessons.
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
    ask: str = "Make a move that follows by this strategy."
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
_TWO_ONE_LATER = "#####2#\n#32212#\n#1...1#"
_RING = "#####\n#222#\n#2.2#\n#222#\n#####"
_STRATEGIES = "how-it-works/the-seven-strategies.md"

START = "The game"
STRATEGIES = "The seven strategies"
PATTERNS = "Patterns with names"
BEYOND = "Beyond two numbers"

LESSONS: tuple[Lesson, ...] = (
    Lesson(
        "the-game",
        START,
        "What the game is",
        "All cells start covered, and some have a mine. Open every cell without a mine, and you "
        "win; open a mine, and you lose. An open cell shows how many mines touch it, at its sides "
        "and corners; an empty one touches none.",
        "Each of the three numbers touches only one covered cell, so this cell is a mine. Mark it "
        "with a flag: right click, long press, or F.",
        "#1.\n11.\n...",
        "r1c1",
        "r2c2",
        ("flag r1c1",),
        strategy(1),
        "one",
        "Find a number that touches exactly as many covered cells as it shows. Flag one of them.",
    ),
    Lesson(
        "corners",
        START,
        "Numbers and corners",
        "Players first look for corners of the covered area: a number diagonally next to one often "
        "touches only one covered cell. Diagonal cells count too, so look at all eight cells "
        "around a number.",
        "The 1 in the middle touches one covered cell, at its corner. Flag it.",
        "...\n.11\n.1#",
        "r3c3",
        "r2c2",
        ("flag r3c3",),
        strategy(1),
        "one",
        "Find a number, often at a corner, whose covered cells are all mines. Flag one of them.",
    ),
    Lesson(
        "chords",
        START,
        "Flags and chords",
        "A flag marks a mine. Once a number has all its flags, the other cells around it are "
        "safe, and a click on the number opens all of them at once. That is a chord.",
        "The 1 on the right of the flag has its mine. Click on this 1, or open the covered cells "
        "one by one.",
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
        "Subtract the flags around a number from the number: it still needs that many mines. If "
        "it touches exactly as many covered cells without a flag, all of them are mines.",
        "The 3 in the middle touches one flag and two other covered cells. Flag the cells that "
        "must be mines.",
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
        "Two numbers can share covered cells: cells that touch both. These have at most as many "
        "mines as the smaller number still needs. The larger number needs its other mines among "
        "the cells that it does not share; if there are only as many of those, all are mines.",
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
        "The shared cells also have a least number of mines: the mines that a number needs, minus "
        "its covered cells that are not shared. If that equals the number of shared cells, all of "
        "them are mines. Strategy 1 finds the same mines from that number alone.",
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
        "Strategies 6 and 7 are also the same idea with the two numbers exchanged. Look for a "
        "number whose covered cells all touch another number that needs the same number of mines.",
        "This is the same board a move later: the safe cell of the top row shows a 2. All its "
        "covered cells also touch the 2 below it. Reveal the cell that only the lower 2 touches.",
        _TWO_ONE_LATER,
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
        "Two 1s side by side, often at the edge of the board: the second touches both covered "
        "cells of the first and a third one, which is safe. This is strategy 6.",
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
        "A 1 and a 2 side by side: the two cells that they share have at most one mine, so the "
        "third cell of the 2 is a mine. This is strategy 3.",
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
        "A 1-2-1 along a straight line of covered cells is a 1-2 from both ends: strategy 3 twice. "
        "The mines are next to the two 1s, and the cell next to the 2 is safe.",
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
        "A 1-2-2-1 along a straight line of covered cells is also a 1-2 from both ends: strategy 3 "
        "twice. Here the mines are next to the two 2s.",
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
        "Subtract the flags from the numbers. A 2 with a flag counts as a 1, a 3 with a flag as a "
        "2. Then look for a 1-1 or a 1-2: strategy 6 or 3 with what the numbers still need.",
        "The first two 2s both touch the flag. Subtract it, and they are a 1-1. Reveal the third "
        "cell of the top row.",
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
        "Holes: numbers that do not touch",
        "Two numbers can share covered cells without touching each other. If the second touches "
        "all covered cells of the first and needs the same number of mines, its other covered "
        "cells are safe: strategy 6 across a hole, the covered cells between the numbers.",
        "The 1 at the top left touches only the two covered cells between the 1s. The lower 1 on "
        "the right touches both, and two more. Reveal one of these.",
        "1#1\n1#1\n###",
        "r2c2",
        "r1c1 r2c3",
        ("reveal r3c2", "reveal r3c3"),
        either(*(strategy(k, hole) for k in (3, 4, 6, 7))),
        "two",
        "Find two numbers that do not touch, where one touches all covered cells of the other, and "
        "make a move that follows.",
    ),
    Lesson(
        "three-numbers",
        BEYOND,
        "Three numbers: a first proof",
        "Here no two numbers give a move. Assume the opposite of what you expect of a cell, and "
        "follow it from number to number until one of them cannot be right: that is a proof.",
        "Assume that the second cell of the top row is safe. Then both other covered cells of the "
        "middle 2 in the second row are mines. Now the 2 on its right has all its mines, so the 2 "
        "below that one touches one possible mine, and needs two. So the assumption is wrong: flag "
        "the second cell. Then find the safe cell from the same three numbers.",
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
        "The number of mines left helps, too. When few covered cells are left, count the mines "
        "that the numbers still need: if these are all the mines left, every other covered cell "
        "is safe.",
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
        "numbers are often safer than those beside them. Among equally safe cells, open the one "
        "whose number will help most.",
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
        "In a puzzle on paper no cell is opened. All numbers are given from the start, and they "
        "have exactly one solution. The Print view makes such puzzles.",
        "Three numbers, two covered cells. Flag both mines.",
        "1#2#1",
        "r1c2 r1c4",
        "r1c3",
        ("flag r1c2", "flag r1c4"),
        strategy(1),
        "paper",
        "Flag a mine that follows from one number.",
    ),
)
"""In their order on the page."""
