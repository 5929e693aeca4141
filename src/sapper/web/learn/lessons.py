"""The lessons, from the rules of the game to guesses and paper puzzles.

Each teaches one step, and has a first board and a source of exercises. The lessons on the
strategies use the positions of the documentation; a test compares them. The module is long because
it contains the texts of all lessons.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sapper.board.layout import Layout
from sapper.board.move import Move
from sapper.board.position import Position
from sapper.web.learn.steps import (
    StepFinder,
    adjacent_pair,
    adjacent_pair_with_flag,
    apart_and_contained,
    best_guess,
    either,
    one_contains_other,
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
    """The names of the numbers to look at; on the board they have the letters A, B, …"""
    moves: tuple[str, ...]
    step: StepFinder
    source: str
    """The source of exercises: a difficulty of puzzles, 'flagged', 'guess' or 'paper'."""
    ask: str = "Make a move that follows from this strategy."
    """The task of an exercise."""
    page: str | None = None
    """The page of the documentation with the same position."""

    @property
    def position(self) -> Position:
        """The position of the first board."""
        return Position.parse(self.rows)

    @property
    def number_cells(self) -> list[int]:
        """The cells of the numbers to look at."""
        return [self.position.board.cell(name) for name in self.numbers.split()]

    @property
    def parsed_moves(self) -> list[Move]:
        """The moves to find on the first board."""
        return [Move.parse(move, self.position.board) for move in self.moves]

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
PATTERNS = "Named patterns"
BEYOND = "Beyond two numbers"

LESSONS: tuple[Lesson, ...] = (
    Lesson(
        "the-game",
        START,
        "How the game works",
        "The board starts covered, and some cells hide a mine. Reveal every other cell and you "
        "win; reveal a mine and you lose. A revealed cell shows how many mines touch it, at "
        "its sides and corners; an empty one touches none.",
        "The 1 marked A touches only one covered cell, so this cell is its mine. Mark it with "
        "a flag: right click, long press, or F.",
        "#1.\n11.\n...",
        "r1c1",
        "r2c2",
        ("flag r1c1",),
        strategy(1),
        "one",
        "Find a number that touches exactly as many covered cells as it shows, and flag one of "
        "them.",
    ),
    Lesson(
        "corners",
        START,
        "Numbers and corners",
        "A number at a corner of the covered area often touches only one covered cell, "
        "diagonally. Diagonal neighbours count too: look at all eight cells around a number. "
        "Experienced players look at such corners first.",
        "The 1 marked A touches one covered cell, at its corner. Flag it.",
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
        "When a number has as many flags as it shows, the other covered cells around it are "
        "safe. A click on the number reveals all of them at once. That is a chord.",
        "The 1 marked A has its flag. Click on it, or reveal the two covered cells one by one.",
        "F1#\n11#",
        "r1c1",
        "r1c2",
        ("reveal r1c3", "reveal r2c3"),
        strategy(2),
        "flagged",
        "Find a number that has all its flags: chord on it, or reveal a cell beside it.",
    ),
    Lesson(
        "strategy-1",
        STRATEGIES,
        "Strategy 1: all of them are mines",
        "Subtract the flags around a number from the number: that many mines are left to find. "
        "If the number touches exactly that many covered cells without a flag, all of them are "
        "mines.",
        "The 3 marked A has one flag, so two mines are left. It touches two other covered "
        "cells: flag both.",
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
        "Strategy 2: the rest is safe",
        "When a number has as many flags as it shows, no mine is left to find: its other "
        "covered cells are safe.",
        "The 1 marked A has its flag. Reveal the other cell that it touches.",
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
        "Compare two numbers that touch some of the same covered cells. The cells that they "
        "share cannot hold more mines than the smaller number needs. The larger number must "
        "find its other mines elsewhere; if it has just enough cells for them, all of these "
        "are mines.",
        "The 1 marked A allows one mine in the two cells that it shares with the 2 marked B. B "
        "needs two mines and touches one more cell: flag it.",
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
        "The same idea, with the larger number first. In a game such a pair can point in any "
        "direction: learn to see it both ways.",
        "The 1 marked B allows one mine in the two cells that it shares with the 2 marked A. "
        "Flag the cell that only A touches.",
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
        "Two numbers can also force mines into the cells that they share: those that a number "
        "cannot place elsewhere. If they fill all shared cells, all of these are mines. "
        "Strategy 1 finds the same mines from one of the numbers.",
        "The 2 marked B touches only the two cells that it shares with the 2 marked A. Flag both.",
        "###\n#22",
        "r1c2 r1c3",
        "r2c2 r2c3",
        ("flag r1c2", "flag r1c3"),
        strategy(5, one_contains_other),
        "one",
        "Find two numbers where one touches all covered cells of the other, and flag a mine that "
        "they share.",
        page=_STRATEGIES,
    ),
    Lesson(
        "strategy-6",
        STRATEGIES,
        "Strategy 6: nothing is left for the smaller number",
        "If the cells that two numbers share must hold all mines of one of them, its other "
        "covered cells are safe.",
        "The 2 marked A has only one cell that it does not share with the 1 marked B. So one "
        "mine is in the shared cells, and B needs no more: reveal the cell that only B "
        "touches.",
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
        "The same idea, with the other number first. Look for a number whose covered cells all "
        "touch a second number, where both need the same number of mines. The other cells of "
        "the second number are safe.",
        "This is the last board, one move later. All covered cells of the 2 marked A also "
        "touch the 2 marked B. Both need two mines: reveal the cell that only B touches.",
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
        "Two 1s side by side, often at the edge of the board: the first touches two covered "
        "cells, the second touches these and a third. The third is safe. This is strategy 6.",
        "The 1 marked A has its mine in the first two cells, and it is the mine of the 1 "
        "marked B too. Reveal the third cell.",
        "####\n1121",
        "r1c2 r1c4",
        "r2c1 r2c2",
        ("reveal r1c3",),
        either(strategy(6, adjacent_pair(1, 1)), strategy(7, adjacent_pair(1, 1))),
        "two",
        "Find a 1-1 after subtracting flags, and reveal the safe cell.",
    ),
    Lesson(
        "pattern-1-2",
        PATTERNS,
        "1-2: the third cell is a mine",
        "A 1 beside a 2: the two cells that they share hold at most one mine, so the third "
        "cell of the 2 is a mine. This is strategy 3.",
        "The 1 marked A allows one mine in the first two cells, and the 2 marked B needs two. "
        "Flag the third cell.",
        "####\n1211",
        "r1c1 r1c3",
        "r2c1 r2c2",
        ("flag r1c3",),
        either(strategy(3, adjacent_pair(1, 2)), strategy(4, adjacent_pair(1, 2))),
        "two",
        "Find a 1-2 after subtracting flags, and flag its mine.",
    ),
    Lesson(
        "pattern-1-2-1",
        PATTERNS,
        "1-2-1: mines beside the ones",
        "A 1-2-1 along a straight line of covered cells is a 1-2 from both ends. The mines are "
        "beside the 1s, and the cell beside the 2 is safe.",
        "Read a 1-2 from A to B, then one from C to B. Flag both mines.",
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
        "A 1-2-2-1 along a straight line of covered cells is also a 1-2 from both ends. Here "
        "the mines are beside the 2s.",
        "Read a 1-2 from A to B, then one from D to C. Flag both mines.",
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
        "Subtract the flags from the numbers: a 2 with a flag counts as a 1, a 3 with a flag "
        "as a 2. Then look for the patterns that you know.",
        "The 2 marked A and the 2 marked B both touch the flag, so they count as a 1-1. Reveal "
        "the third cell of the top row.",
        "####\n2221\nF1..",
        "r1c2 r1c4 r3c1",
        "r2c1 r2c2",
        ("reveal r1c3",),
        either(*(strategy(k, adjacent_pair_with_flag) for k in (3, 4, 6, 7))),
        "two",
        "Find two numbers side by side that give a move after subtracting flags.",
    ),
    Lesson(
        "holes",
        PATTERNS,
        "Holes: numbers that do not touch",
        "Two numbers can share covered cells without touching each other. If the second "
        "touches all covered cells of the first and needs the same number of mines, its other "
        "covered cells are safe: strategy 6 across a hole.",
        "The 1 marked A touches only the two covered cells between the 1s. The 1 marked B "
        "touches both, and two more: reveal these.",
        "1#1\n1#1\n###",
        "r2c2",
        "r1c1 r2c3",
        ("reveal r3c2", "reveal r3c3"),
        either(*(strategy(k, apart_and_contained) for k in (3, 4, 6, 7))),
        "two",
        "Find two numbers that do not touch, where one touches all covered cells of the other, and "
        "make a move that follows.",
    ),
    Lesson(
        "three-numbers",
        BEYOND,
        "Three numbers: a first proof",
        "Where no two numbers give a move, test a cell: assume that it is safe, and follow the "
        "numbers. If one of them cannot be right any more, the cell is a mine. That is a "
        "proof.",
        "Assume that the second cell of the top row is safe. Then the 2 marked A makes the "
        "next two cells mines, B has all its mines, and C has one cell left for two mines: "
        "impossible. Flag the second cell. Then find the safe cell from the same three "
        "numbers.",
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
        "A game shows how many mines are left. Near the end, count the mines that the numbers "
        "need: if these are all the mines left, every other covered cell is safe.",
        "One mine is left, and the 1 marked A needs it. Reveal the two cells that A does not "
        "touch.",
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
        "Sometimes nothing is certain. Then compare the chances: one mine in three cells is "
        "33% for each, one mine in four cells is 25%. Among equally safe cells, reveal the one "
        "whose number will help most.",
        "Two mines are left: one in the three cells that the 1 marked A touches, one in the "
        "four cells away from it. Reveal a cell with the lowest chance of a mine.",
        "mines: 2\n1###\n####",
        "r1c2 r2c4",
        "r1c1",
        ("reveal r1c3",),
        best_guess,
        "guess",
        "Nothing is certain here. Reveal the cell that you would guess.",
    ),
    Lesson(
        "paper",
        BEYOND,
        "Paper puzzles",
        "On paper, cells cannot be revealed: all numbers are given from the start, and exactly "
        "one solution fits them. The Print view makes such puzzles.",
        "The 2 marked A touches only two covered cells. Flag both mines.",
        "1#2#1",
        "r1c2 r1c4",
        "r1c3",
        ("flag r1c2", "flag r1c4"),
        strategy(1),
        "paper",
        "Flag a mine that follows from one number.",
    ),
)
"""In the order of the page."""
