r"""The scene as text: one character for each cell, placed as on the board.

    square            hexagonal         triangular        graph

    1 # #              1 # #            /1\#/1\#/         a 1: b c
    1 # F               1 # F           \2/#\1/F\         b #: a
    . 1 1              . 1 1            /.\1/1\1/         c F: a

An outlined cell is in [brackets], a click in (parentheses). The text of a square position without
overlays can be parsed as a position. A board that is wider than a given width is split into panels,
one below the other, each with the numbers of its rows and columns; a window shows a part.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from sapper.board.board import Board, Ints
from sapper.board.layout import Layout
from sapper.board.position import Position
from sapper.errors import NotationError
from sapper.render.palette import NEUTRAL_BACKGROUNDS, PALETTE, ink_on, number_role
from sapper.render.scene import BARE, Overlays, Scene, printable
from sapper.render.shapes import GLYPHS

if TYPE_CHECKING:
    from rich.text import Text as RichText

Style = tuple[str, str]
"""The roles of a character and of its background; empty is the terminal's default."""

# Letters and roles by mark, at index mark - BARE: BARE, MINE, FLAG, COVERED, 0, 1, ...
_LETTERS = "o*F#.123456789abc"
_ROLES = ("ink", "mine", "flag", "covered-text", *(number_role(number) for number in range(13)))
_MAX_NUMBER = 12
MAX_NAME = 60


@dataclass(frozen=True)
class Window:
    """A part of a tiling's board: rows and columns from 0."""

    rows: range
    columns: range


def draw(
    what: Position | Layout | Board,
    *,
    colour: bool = False,
    width: int | None = None,
    window: Window | None = None,
    **overlays: Unpack[Overlays],
) -> str:
    """Draw a position, layout or board as text; with *colour*, with ANSI codes."""
    picture = scene_text(Scene.of(what, **overlays), width=width, window=window)
    return picture.ansi() if colour else picture.plain()


def scene_text(scene: Scene, *, width: int | None = None, window: Window | None = None) -> Picture:
    """Draw a scene as text, split into panels at *width*, or only its *window*."""
    if width is not None and width < 1:
        raise NotationError(f"expected a width of at least 1 character, got {width}")
    if scene.board.tiling is None:
        return _list(scene)
    grid = _Grid(scene)
    if window is not None:
        return grid.picture([window], scene.coordinates)
    if width is None or grid.size(scene.coordinates)[0] <= width:
        return grid.picture([grid.whole], scene.coordinates)
    return grid.picture(grid.panels(width), True)


def window_around(scene: Scene, cells: Iterable[int], width: int, height: int) -> Window | None:
    """Return the largest window of that size in characters around cells; None if all fits."""
    grid = _Grid(scene)
    wide, high = grid.size(scene.coordinates)
    if wide <= width and high <= height:
        return None
    places = grid.places
    spare = wide - places.pitch * places.columns
    columns = max(1, min(places.columns, (width - spare) // places.pitch))
    rows = max(1, min(places.rows, height - (high - places.rows)))
    near = [divmod(cell, places.columns) for cell in cells] or [(0, 0)]
    return Window(
        _span([row for row, _ in near], rows, places.rows),
        _span([column for _, column in near], columns, places.columns),
    )


def _span(wanted: list[int], room: int, most: int) -> range:
    """Return *room* integers of 0..most-1 around the middle of the wanted ones."""
    middle = (min(wanted) + max(wanted)) // 2
    start = min(max(0, middle - room // 2), most - room)
    return range(start, start + room)


@dataclass(frozen=True)
class Picture:
    """Lines of text and the style of each character, as an index into `styles_used`."""

    lines: Sequence[str]
    styles: Any
    """One array of indices for each line."""
    styles_used: tuple[Style, ...]

    def plain(self) -> str:
        """Return the text without styles."""
        return "\n".join(line.rstrip() for line in self.lines)

    def ansi(self) -> str:
        """Return the text with ANSI codes."""
        around = [_codes(style) for style in self.styles_used]
        return "\n".join(
            "".join(around[style][0] + part + around[style][1] for part, style in runs)
            for runs in self._runs()
        )

    def rich(self) -> RichText:
        """Return the text as a rich Text."""
        from rich.text import Text as RichText

        specs = [_rich_style(style) for style in self.styles_used]
        text = RichText(no_wrap=True)
        for k, runs in enumerate(self._runs()):
            text.append("\n" if k else "")
            for part, style in runs:
                text.append(part, specs[style])
        return text

    def _runs(self) -> Iterator[list[tuple[str, int]]]:
        """Yield, for each line, its runs of one style with the index of the style."""
        for line, styles in zip(self.lines, self.styles, strict=True):
            end = len(line.rstrip())
            if not end:
                yield []
                continue
            codes = np.asarray(styles[:end])
            cuts = [0, *(np.flatnonzero(np.diff(codes)) + 1).tolist(), end]
            yield [(line[a:b], int(codes[a])) for a, b in pairwise(cuts)]


@dataclass
class _Styles:
    """The indices of styles, in order of first use; 0 is plain."""

    numbers: dict[Style, int] = field(default_factory=lambda: {("", ""): 0})

    def number(self, role: str, background: str = "") -> int:
        return self.numbers.setdefault((role, background), len(self.numbers))


class _Places:
    """The places of a tiling's cells in the text."""

    def __init__(self, scene: Scene, across: int):
        board = scene.board
        self.columns, self.rows = board.size
        self.triangles = len(board.outline(0)) == 3
        step = scene.centre(1)[0] - scene.centre(0)[0] if self.columns > 1 else 1.0
        starts = [scene.centre(row * self.columns)[0] for row in range(self.rows)]
        halves = [round(2 * (start - starts[0]) / step) for start in starts]
        self.across = across
        self.pitch = across + 1
        if any(half % 2 for half in halves):
            self.pitch += self.pitch % 2
        self.half = (across - 1) // 2
        self.margin = int(self.triangles or bool(scene.outlined) or scene.click is not None)
        self.shifts = np.array(halves) * self.pitch // 2
        self.width = 2 * self.margin + int(self.shifts.max()) + self.pitch * self.columns - 1

    def of_all(self) -> tuple[Ints, Ints]:
        """Return the row and the middle column of every cell's text."""
        rows = np.repeat(np.arange(self.rows, dtype=np.int32), self.columns)
        first = self.margin + self.half + self.shifts
        columns = first[:, None] + self.pitch * np.arange(self.columns)
        return rows, columns.reshape(-1).astype(np.int32)


class _Grid:
    """The characters and styles of a tiling's board."""

    def __init__(self, scene: Scene):
        words = {cell: _word(scene, cell) for cell in sorted({*scene.labels, *scene.glyphs})}
        self.places = places = _Places(scene, max(map(len, words.values()), default=1))
        self.whole = Window(range(places.rows), range(places.columns))
        self.styles_used = styles_used = _Styles()
        self.chars = chars = np.full((places.rows, places.width), " ", dtype="<U1")
        self.styles = styles = np.zeros(chars.shape, dtype=np.uint16)
        rows, columns = places.of_all()

        marks = np.minimum(scene.marks, _MAX_NUMBER) - BARE
        letters = _LETTERS.replace(".", "0") if scene.zeros else _LETTERS
        chars[rows, columns] = np.array(list(letters))[marks]
        styles[rows, columns] = np.array([styles_used.number(role) for role in _ROLES], np.uint16)[
            marks
        ]
        if places.triangles:
            sides = np.add.outer(np.arange(places.rows), np.arange(places.columns + 1)) % 2
            chars[:, :: places.pitch] = np.array(["/", "\\"])[sides]
            styles[:, :: places.pitch] = styles_used.number("faint")

        for cell, word in words.items():
            left = columns[cell] - (len(word) - 1) // 2
            chars[rows[cell], left : left + len(word)] = list(word)
            styles[rows[cell], left : left + len(word)] = styles_used.number(_role(scene, cell))
        for cell, background in scene.colours.items():
            left = columns[cell] - places.half
            number = styles_used.number(_role(scene, cell), background)
            styles[rows[cell], left : left + places.across] = number
        clicked = () if scene.click is None else (scene.click,)
        for cells, (opening, closing), role in (
            (scene.outlined, "[]", "outline"),
            (clicked, "()", "click"),
        ):
            for cell in sorted(cells):
                row, left = rows[cell], columns[cell] - places.half - 1
                right = left + places.across + 1
                # Two adjacent cells share the column between them.
                chars[row, left] = "|" if chars[row, left] == closing else opening
                chars[row, right] = closing
                styles[row, [left, right]] = styles_used.number(role)

    def width(self, window: Window, coordinates: bool) -> int:
        """Return the width of a window in characters."""
        places = self.places
        numbers = len(str(window.rows.stop)) + 1 if coordinates else 0
        shift = int(places.shifts[window.rows.start : window.rows.stop].max())
        return numbers + shift + places.pitch * len(window.columns) - 1 + 2 * places.margin

    def size(self, coordinates: bool) -> tuple[int, int]:
        """Return width and height of the whole board in characters."""
        above = len(str(self.places.columns)) if coordinates else 0
        return self.width(self.whole, coordinates), above + self.places.rows

    def panels(self, width: int) -> list[Window]:
        """Return windows of at most that width, with at least one column, that cover the board."""
        places = self.places
        rows = range(places.rows)
        spare = self.width(Window(rows, range(0)), True)
        fitting = max(1, (width - spare) // places.pitch)
        # Panels of about equal width, so that the last one is not a single column.
        columns = math.ceil(places.columns / math.ceil(places.columns / fitting))
        return [
            Window(rows, range(start, min(start + columns, places.columns)))
            for start in range(0, places.columns, columns)
        ]

    def picture(self, windows: Sequence[Window], coordinates: bool) -> Picture:
        """Return the windows one below the other, with an empty line between them."""
        lines: list[str] = []
        codes: list[Any] = []
        for k, window in enumerate(windows):
            chars, styles = self._part(window)
            if coordinates:
                chars, styles = self._numbered(window, chars, styles)
            if k:
                lines.append("")
                codes.append(styles[0][:0])
            lines += np.ascontiguousarray(chars).view(f"<U{chars.shape[1]}")[:, 0].tolist()
            codes += list(styles)
        return Picture(lines, codes, tuple(self.styles_used.numbers))

    def _part(self, window: Window) -> tuple[Any, Any]:
        """Return the characters and styles of a window; rows keep their shifts."""
        places = self.places
        if window == self.whole:
            return self.chars, self.styles
        across = places.pitch * len(window.columns) - 1 + 2 * places.margin
        chars = np.full((len(window.rows), self.width(window, False)), " ", dtype="<U1")
        styles = np.zeros(chars.shape, dtype=np.uint16)
        for i, row in enumerate(window.rows):
            at = int(places.shifts[row])
            start = at + places.pitch * window.columns.start
            chars[i, at : at + across] = self.chars[row, start : start + across]
            styles[i, at : at + across] = self.styles[row, start : start + across]
        return chars, styles

    def _numbered(self, window: Window, chars: Any, styles: Any) -> tuple[Any, Any]:
        """Add row numbers on the left and column numbers, written downwards, above."""
        places = self.places
        before, above = len(str(window.rows.stop)) + 1, len(str(window.columns.stop))
        wide = np.full((above + chars.shape[0], before + chars.shape[1]), " ", dtype="<U1")
        codes = np.full(wide.shape, self.styles_used.number("faint"), dtype=np.uint16)
        wide[above:, before:], codes[above:, before:] = chars, styles
        for i, row in enumerate(window.rows):
            wide[above + i, : before - 1] = list(str(row + 1).rjust(before - 1))
        first = before + places.margin + places.half
        for i, column in enumerate(window.columns):
            wide[:above, first + places.pitch * i] = list(str(column + 1).rjust(above))
        return wide, codes


def _list(scene: Scene) -> Picture:
    """Draw a graph: one line for each cell with name, content and neighbours."""
    board, styles_used = scene.board, _Styles()
    names = [_cut(printable(name)) for name in board.names]
    words = [_word(scene, cell) for cell in board.cells]
    wide, across = max(map(len, names)), max(map(len, words))
    clicked = {} if scene.click is None else {scene.click: ("(", ")")}
    brackets = dict.fromkeys(scene.outlined, ("[", "]")) | clicked
    lines, styles = [], []
    for cell in board.cells:
        opening, closing = brackets.get(cell, (" ", " ")) if brackets else ("", "")
        near = " ".join(names[other] for other in board.around(cell))
        line = f"{names[cell]:{wide}} {opening}{words[cell]:>{across}}{closing}: {near}".rstrip()
        codes = np.zeros(len(line), dtype=np.uint16)
        at = wide + 1 + len(opening)
        codes[at : at + across] = styles_used.number(
            _role(scene, cell), scene.colours.get(cell, "")
        )
        codes[at + across :] = styles_used.number("faint")
        lines.append(line)
        styles.append(codes)
    return Picture(lines, styles, tuple(styles_used.numbers))


def _cut(name: str) -> str:
    """Return a name shortened, because every line is as wide as the longest one."""
    return name if len(name) <= MAX_NAME else name[: MAX_NAME - 3] + "..."


def _word(scene: Scene, cell: int) -> str:
    """Return the text of a cell: a letter, a label, or both."""
    glyph, label, mark = scene.glyph(cell), scene.labels.get(cell), int(scene.marks[cell])
    if glyph is not None:
        return GLYPHS[glyph].letter + (label or "")
    if mark > _MAX_NUMBER:
        letter = str(mark)
    else:
        letter = "0" if mark == 0 and scene.zeros else _LETTERS[mark - BARE]
    if label is None:
        return letter
    return f"{letter}:{label}" if mark >= 0 else label


def _role(scene: Scene, cell: int) -> str:
    glyph = scene.glyph(cell)
    if glyph is not None:
        return GLYPHS[glyph].role
    if cell in scene.labels:
        return "ink"
    return _ROLES[min(int(scene.marks[cell]), _MAX_NUMBER) - BARE]


def _codes(style: Style) -> tuple[str, str]:
    """Return the ANSI codes before and after text of a style."""
    from rich.color import ColorSystem
    from rich.style import Style as RichStyle

    before, _, after = (
        RichStyle.parse(_rich_style(style)).render("|", color_system=ColorSystem.EIGHT_BIT)
    ).partition("|")
    return before, after


def _rich_style(style: Style) -> str:
    """Return a style for rich; a background in terminal colours includes its text colour."""
    role, background = style
    if not role:
        return "none"
    if background in PALETTE and background not in NEUTRAL_BACKGROUNDS:
        return PALETTE[background].terminal
    if background and background not in PALETTE:
        return f"{ink_on(background, role)} on {background}"
    under = PALETTE[background].terminal if background else ""
    return f"{PALETTE[role].terminal} {under}".strip() or "none"
