"""The setup of a game, and its text: the header of a saved game."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from sapper.board.board import MAX_CELLS, Board
from sapper.board.layout import Layout
from sapper.board.random_layout import random_layout
from sapper.board.random_stream import SEED_COUNT
from sapper.board.rules import Rules
from sapper.board.tilings import tiling
from sapper.errors import NotationError, RulesError, unknown_name
from sapper.formats.json_format import board_from_json, error_place, read_json, read_size
from sapper.formats.registry import SAVED_GAME

LayoutSource = Callable[[int], Layout]
"""A function from the first click to a layout."""
LayoutGenerators = Mapping[str, Callable[[Rules, int], LayoutSource]]
"""Layout generators by the name that a saved game carries; they take rules and seed."""

# Partial functions rather than closures, so that games can be pickled.
PLAIN_GENERATOR: LayoutGenerators = {
    "plain": lambda rules, seed: partial(random_layout, rules, seed),
}

_KEYS = ("sapper", "board", "mines", "rule", "generator", "seed", "layout", "click")
# Lines are stripped beforehand: a lazy group before \s* would take quadratic time.
_HEADER = re.compile(r"([a-z]+)\s*:(.*)")
_NUMBER = re.compile(r"\d{1,20}", re.ASCII)


@dataclass(frozen=True)
class GameSetup:
    """What determines a game before its first move: rules, seed and generator, or a layout.

    >>> from sapper import Session
    >>> setup = GameSetup(Rules.parse("beginner"), seed=7, generator="no-guess")
    >>> Session(setup).game
    <Game square 9x9/10, 0 moves, playing>
    """

    rules: Rules
    seed: int | None = None
    generator: str = "plain"
    """The name of the layout generator: 'plain' for random layouts, 'no-guess', 'no-guess-' and a
    difficulty, or 'no-guess-without-count'."""
    layout: Layout | None = None

    @classmethod
    def from_layout(cls, layout: Layout, rule: str = "any") -> GameSetup:
        """Make the setup of a game on a given layout, which does not depend on the first click.

        *rule* is the first-click rule that the layout satisfies; an imported replay has one.
        """
        return cls(Rules(layout.board, layout.mine_count, rule), layout=layout)

    @classmethod
    def parse(cls, text: str, *, max_cells: int = MAX_CELLS) -> GameSetup:
        """Read the header of a saved game, as `format` writes it."""
        header, events = split_saved_game(text)
        if events:
            raise NotationError(f"line {events[0][0]}: expected a header, got {events[0][1]!r:.60}")
        return read_setup(header, max_cells)

    def format(self) -> str:
        """Return the header of a saved game; equal setups have equal text."""
        board, rules, layout = self.rules.board, self.rules, self.layout
        lines = [SAVED_GAME, f"board: {board!s}"]
        if layout is None:
            lines += [f"mines: {rules.mines}", f"rule: {rules.rule}"]
            if self.generator != "plain":
                lines.append(f"generator: {self.generator}")
            lines.append(f"seed: {self.seed}")
        else:
            mines = " ".join(board.name(int(cell)) for cell in layout.mine_cells)
            lines.append(f"layout: {mines}".rstrip())
            if layout.click is not None:
                lines.append(f"click: {board.name(layout.click)}")
            if rules.rule != "any":
                lines.append(f"rule: {rules.rule}")
        return "\n".join(lines) + "\n"

    def layout_source(self, generators: LayoutGenerators | None = None) -> LayoutSource:
        """Return the function that makes the layout after the first click.

        *generators* are those to choose from, by default all.
        """
        if self.layout is not None:
            return partial(_fixed_layout, self.layout)
        if generators is None:
            generators = PLAIN_GENERATOR
            if self.generator != "plain":
                # Imported here because generators is a layer above.
                from sapper.generators.layouts import LAYOUT_GENERATORS

                generators = LAYOUT_GENERATORS
        if self.generator not in generators:
            raise unknown_name("layout generator", self.generator, generators)
        if self.seed is None or not 0 <= self.seed < SEED_COUNT:
            raise RulesError(f"expected a seed from 0 to {SEED_COUNT - 1}, got {self.seed}")
        return generators[self.generator](self.rules, self.seed)


def _fixed_layout(layout: Layout, first: int) -> Layout:
    return layout


def split_saved_game(text: str) -> tuple[dict[str, str], list[tuple[int, str]]]:
    """Split a saved game into its header and the numbered lines of its events."""
    header: dict[str, str] = {}
    events: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.strip()
        if not line:
            continue
        match = _HEADER.fullmatch(line)
        if match is None or events:
            events.append((number, line))
        elif match[1] not in _KEYS:
            raise NotationError(f"line {number}: {unknown_name('header', match[1], _KEYS)}")
        elif match[1] in header:
            raise NotationError(f"line {number}: the header {match[1]!r} occurs twice")
        else:
            header[match[1]] = match[2].strip()
    return header, events


def read_setup(header: Mapping[str, str], max_cells: int) -> GameSetup:
    """Return the setup that the header lines of a saved game describe."""
    if "sapper" not in header:
        raise NotationError(f"expected a saved game, which begins {SAVED_GAME!r}, got other text")
    if f"sapper: {header['sapper']}" != SAVED_GAME:
        raise NotationError(f"expected {SAVED_GAME!r}, got {header['sapper']!r:.60}")
    board = _read_board(_required(header, "board"), max_cells)
    if "layout" in header:
        mask = np.zeros(len(board), dtype=np.uint8)
        mask[[board.cell(name) for name in header["layout"].split()]] = 1
        click = board.cell(header["click"]) if "click" in header else None
        return GameSetup.from_layout(Layout(board, mask, click), header.get("rule", "any"))
    rules = Rules(board, _read_number(header, "mines"), header.get("rule", "zero"))
    return GameSetup(rules, _read_number(header, "seed"), header.get("generator", "plain"))


def _read_board(text: str, max_cells: int) -> Board:
    if text.startswith("{"):
        with error_place("board"):
            data = read_json(text)
        if not isinstance(data.get("board"), str):
            board = board_from_json(data)
            if len(board) > max_cells:
                raise RulesError(f"expected at most {max_cells:,} cells, got {len(board):,}")
            return board
        text = data["board"]
    size = read_size(text)
    # Checked before the board is built: a giant one takes seconds and gigabytes.
    if size.width * size.height > max_cells:
        raise RulesError(f"expected at most {max_cells:,} cells, got {size.width}x{size.height}")
    return tiling(*size)


def _read_number(header: Mapping[str, str], key: str) -> int:
    text = _required(header, key)
    if _NUMBER.fullmatch(text) is None:
        raise NotationError(f"{key}: expected a number, got {text!r:.60}")
    return int(text)


def _required(header: Mapping[str, str], key: str) -> str:
    if key not in header:
        raise NotationError(f"expected a header line '{key}: ...', got none")
    return header[key]
