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
    content: Position | Layout | Board,
    *,
    colour: bool = False,
    width: int | None = None,
    window: Window | None = None,
    **overlays: Unpack[Overlays],
) -> str:
    """Draw a position, layout or board as text; *colour* adds ANSI codes."""
    picture = scene_text(Scene.of(content, **overlays), width=width, window=window)
    return picture.ansi() if colour else picture.plain()


def scene_text(scene: Scene, *, width: int | None = None, window: Window | None = None) -> Picture:
    """Draw a scene as text, split into panels at *width*, or only its *window*."""
    if width is not None and width < 1:
        raise NotationError(f"expected a width of at least 1 character, got {width}")
    if scene.board.tiling is None:
        return _adjacency_list(scene)
    grid = _Grid(scene)
    if window is not None:
        return grid.picture([window], scene.coordinates)
    if width is None or grid.size(scene.coordinates)[0] <= width:
        return grid.picture([grid.whole_board], scene.coordinates)
    return grid.picture(grid.panels(width), True)


def window_around(scene: Scene, cells: Iterable[int], width: int, height: int) -> Window | None:
    """Return the largest window of that size in characters around cells; None if all fits."""
    grid = _Grid(scene)
    full_width, full_height = grid.size(scene.coordinates)
    if full_width <= width and full_height <= height:
        return None
    geometry = grid.geometry
    other_width = full_width - geometry.pitch * geometry.columns
    columns = max(1, min(geometry.columns, (width - other_width) // geometry.pitch))
    rows = max(1, min(geometry.rows, height - (full_height - geometry.rows)))
    coordinates = [divmod(cell, geometry.columns) for cell in cells] or [(0, 0)]
    return Window(
        _span([row for row, _ in coordinates], rows, geometry.rows),
        _span([column for _, column in coordinates], columns, geometry.columns),
    )


def _span(indices: list[int], length: int, count: int) -> range:
    """Return a range of *length* integers within 0..count-1, around the middle of *indices*."""
    middle = (min(indices) + max(indices)) // 2
    start = min(max(0, middle - length // 2), count - length)
    return range(start, start + length)


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
        codes = [_ansi_codes(style) for style in self.styles_used]
        return "\n".join(
            "".join(codes[style][0] + part + codes[style][1] for part, style in runs)
            for runs in self._runs()
        )

    def rich(self) -> RichText:
        """Return the text as a rich Text."""
        from rich.text import Text as RichText

        rich_styles = [_rich_style(style) for style in self.styles_used]
        text = RichText(no_wrap=True)
        for k, runs in enumerate(self._runs()):
            text.append("\n" if k else "")
            for part, style in runs:
                text.append(part, rich_styles[style])
        return text

    def _runs(self) -> Iterator[list[tuple[str, int]]]:
        """Yield, for each line, its runs of one style with the index of the style."""
        for line, styles in zip(self.lines, self.styles, strict=True):
            end = len(line.rstrip())
            if not end:
                yield []
                continue
            codes = np.asarray(styles[:end])
            starts = [0, *(np.flatnonzero(np.diff(codes)) + 1).tolist(), end]
            yield [(line[a:b], int(codes[a])) for a, b in pairwise(starts)]


@dataclass
class _Styles:
    """The indices of styles, in order of first use; 0 is plain."""

    indices: dict[Style, int] = field(default_factory=lambda: {("", ""): 0})

    def index(self, role: str, background: str = "") -> int:
        return self.indices.setdefault((role, background), len(self.indices))


class _TextGeometry:
    """Where the cells of a tiling's board are in the text, in characters.

    cell_width, half  the width of a cell's text, and the characters left of its middle
    pitch             the distance between two cells of a row
    shifts            how far each row is shifted to the right
    margin            1 if brackets or sides of triangles need space at both ends, else 0
    """

    def __init__(self, scene: Scene, cell_width: int):
        board = scene.board
        self.columns, self.rows = board.size
        self.triangles = len(board.outline(0)) == 3
        step = scene.centre(1)[0] - scene.centre(0)[0] if self.columns > 1 else 1.0
        starts = [scene.centre(row * self.columns)[0] for row in range(self.rows)]
        halves = [round(2 * (start - starts[0]) / step) for start in starts]
        self.cell_width = cell_width
        self.pitch = cell_width + 1
        if any(half % 2 for half in halves):
            self.pitch += self.pitch % 2
        self.half = (cell_width - 1) // 2
        self.margin = int(self.triangles or bool(scene.outlined) or scene.click is not None)
        self.shifts = np.array(halves) * self.pitch // 2
        self.width = 2 * self.margin + int(self.shifts.max()) + self.pitch * self.columns - 1

    def text_centres(self) -> tuple[Ints, Ints]:
        """Return the row and the middle column of every cell's text."""
        rows = np.repeat(np.arange(self.rows, dtype=np.int32), self.columns)
        first = self.margin + self.half + self.shifts
        columns = first[:, None] + self.pitch * np.arange(self.columns)
        return rows, columns.reshape(-1).astype(np.int32)


class _Grid:
    """The characters and styles of a tiling's board."""

    def __init__(self, scene: Scene):
        texts = {cell: _cell_text(scene, cell) for cell in sorted({*scene.labels, *scene.glyphs})}
        self.geometry = geometry = _TextGeometry(scene, max(map(len, texts.values()), default=1))
        self.whole_board = Window(range(geometry.rows), range(geometry.columns))
        self.styles_used = styles_used = _Styles()
        self.chars = chars = np.full((geometry.rows, geometry.width), " ", dtype="<U1")
        self.styles = styles = np.zeros(chars.shape, dtype=np.uint16)
        rows, columns = geometry.text_centres()

        marks = np.minimum(scene.marks, _MAX_NUMBER) - BARE
        letters = _LETTERS.replace(".", "0") if scene.zeros else _LETTERS
        chars[rows, columns] = np.array(list(letters))[marks]
        styles[rows, columns] = np.array([styles_used.index(role) for role in _ROLES], np.uint16)[
            marks
        ]
        if geometry.triangles:
            sides = np.add.outer(np.arange(geometry.rows), np.arange(geometry.columns + 1)) % 2
            chars[:, :: geometry.pitch] = np.array(["/", "\\"])[sides]
            styles[:, :: geometry.pitch] = styles_used.index("faint")

        for cell, text in texts.items():
            left = columns[cell] - (len(text) - 1) // 2
            chars[rows[cell], left : left + len(text)] = list(text)
            styles[rows[cell], left : left + len(text)] = styles_used.index(_role(scene, cell))
        for cell, background in scene.colours.items():
            left = columns[cell] - geometry.half
            style = styles_used.index(_role(scene, cell), background)
            styles[rows[cell], left : left + geometry.cell_width] = style
        clicked = () if scene.click is None else (scene.click,)
        for cells, (opening, closing), role in (
            (scene.outlined, "[]", "outline"),
            (clicked, "()", "click"),
        ):
            for cell in sorted(cells):
                row, left = rows[cell], columns[cell] - geometry.half - 1
                right = left + geometry.cell_width + 1
                # Two adjacent cells share the column between them.
                chars[row, left] = "|" if chars[row, left] == closing else opening
                chars[row, right] = closing
                styles[row, [left, right]] = styles_used.index(role)

    def width(self, window: Window, coordinates: bool) -> int:
        """Return the width of a window in characters."""
        geometry = self.geometry
        numbers = len(str(window.rows.stop)) + 1 if coordinates else 0
        shift = int(geometry.shifts[window.rows.start : window.rows.stop].max())
        return numbers + shift + geometry.pitch * len(window.columns) - 1 + 2 * geometry.margin

    def size(self, coordinates: bool) -> tuple[int, int]:
        """Return width and height of the whole board in characters."""
        above = len(str(self.geometry.columns)) if coordinates else 0
        return self.width(self.whole_board, coordinates), above + self.geometry.rows

    def panels(self, width: int) -> list[Window]:
        """Return windows of at most that width, with at least one column, that cover the board."""
        geometry = self.geometry
        rows = range(geometry.rows)
        other_width = self.width(Window(rows, range(0)), True)
        max_columns = max(1, (width - other_width) // geometry.pitch)
        # Panels of about equal width, so that the last one is not a single column.
        columns = math.ceil(geometry.columns / math.ceil(geometry.columns / max_columns))
        return [
            Window(rows, range(start, min(start + columns, geometry.columns)))
            for start in range(0, geometry.columns, columns)
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
        return Picture(lines, codes, tuple(self.styles_used.indices))

    def _part(self, window: Window) -> tuple[Any, Any]:
        """Return the characters and styles of a window; rows keep their shifts."""
        geometry = self.geometry
        if window == self.whole_board:
            return self.chars, self.styles
        width = geometry.pitch * len(window.columns) - 1 + 2 * geometry.margin
        chars = np.full((len(window.rows), self.width(window, False)), " ", dtype="<U1")
        styles = np.zeros(chars.shape, dtype=np.uint16)
        for i, row in enumerate(window.rows):
            at = int(geometry.shifts[row])
            start = at + geometry.pitch * window.columns.start
            chars[i, at : at + width] = self.chars[row, start : start + width]
            styles[i, at : at + width] = self.styles[row, start : start + width]
        return chars, styles

    def _numbered(self, window: Window, chars: Any, styles: Any) -> tuple[Any, Any]:
        """Add row numbers on the left and column numbers, written downwards, above."""
        geometry = self.geometry
        before, above = len(str(window.rows.stop)) + 1, len(str(window.columns.stop))
        numbered = np.full((above + chars.shape[0], before + chars.shape[1]), " ", dtype="<U1")
        codes = np.full(numbered.shape, self.styles_used.index("faint"), dtype=np.uint16)
        numbered[above:, before:], codes[above:, before:] = chars, styles
        for i, row in enumerate(window.rows):
            numbered[above + i, : before - 1] = list(str(row + 1).rjust(before - 1))
        first = before + geometry.margin + geometry.half
        for i, column in enumerate(window.columns):
            numbered[:above, first + geometry.pitch * i] = list(str(column + 1).rjust(above))
        return numbered, codes


def _adjacency_list(scene: Scene) -> Picture:
    """Draw a graph: one line for each cell with name, content and neighbours."""
    board, styles_used = scene.board, _Styles()
    names = [_shorten(printable(name)) for name in board.names]
    texts = [_cell_text(scene, cell) for cell in board.cells]
    name_width, text_width = max(map(len, names)), max(map(len, texts))
    clicked = {} if scene.click is None else {scene.click: ("(", ")")}
    brackets = dict.fromkeys(scene.outlined, ("[", "]")) | clicked
    lines, styles = [], []
    for cell in board.cells:
        opening, closing = brackets.get(cell, (" ", " ")) if brackets else ("", "")
        neighbours = " ".join(names[other] for other in board.around(cell))
        text = f"{opening}{texts[cell]:>{text_width}}{closing}"
        line = f"{names[cell]:{name_width}} {text}: {neighbours}".rstrip()
        codes = np.zeros(len(line), dtype=np.uint16)
        start = name_width + 1 + len(opening)
        codes[start : start + text_width] = styles_used.index(
            _role(scene, cell), scene.colours.get(cell, "")
        )
        codes[start + text_width :] = styles_used.index("faint")
        lines.append(line)
        styles.append(codes)
    return Picture(lines, styles, tuple(styles_used.indices))


def _shorten(name: str) -> str:
    """Shorten a long name, because every line is as wide as the longest name."""
    return name if len(name) <= MAX_NAME else name[: MAX_NAME - 3] + "..."


def _cell_text(scene: Scene, cell: int) -> str:
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


def _ansi_codes(style: Style) -> tuple[str, str]:
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
    background_style = PALETTE[background].terminal if background else ""
    return f"{PALETTE[role].terminal} {background_style}".strip() or "none"
