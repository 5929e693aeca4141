"""The options of worksheets, as one table.

A field of `WorksheetOptions` is a row of the table: its default, and an `Option` with what else the
command line, the form of the page, links and the footer of a worksheet need to know.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from typing import Any
from urllib.parse import urlencode

from sapper.board.tilings import TILINGS
from sapper.errors import NotationError, RulesError, unknown_name
from sapper.generators.paper_puzzles.drawing import DRAWING_METHODS, OPEN_SETS
from sapper.proofs.difficulty import DIFFICULTIES
from sapper.serialize.cells import Json
from sapper.worksheets.registry import WORKSHEET_KINDS

MM = 72 / 25.4
"""A millimetre in points."""

PAPER_SIZES: dict[str, tuple[float, float]] = {"a4": (210 * MM, 297 * MM), "letter": (612.0, 792.0)}

STYLE = "Page layout"
"""The group of the options that do not change the problems."""

ADVANCED = "Advanced"

GROUPS = ("", STYLE, ADVANCED)
"""The headings in the form, in order; options without a heading come first."""

# Lone surrogates: undecodable bytes of a command line, or half a character from the page.
_SURROGATES = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True)
class Option:
    """What the command line, the form and the footer need to know about an option."""

    default: Any
    label: str
    """Its name in the form and in the footer."""
    about: str
    """Its description in the help of the commands, and beside a checkbox of the form."""
    group: str = ""
    """One of GROUPS."""
    choices: Mapping[str, Any] = field(default_factory=dict)
    """The registry that has the possible values."""
    shown: str = "name"
    """The field of its entries that the form shows."""
    limits: tuple[float, float] | None = None
    """The smallest and the largest value of a number."""
    example: str = ""
    """A value of a text, for the help and for the empty field of the form."""
    empty: str = "automatic"
    """What the form and the help show if there is no value."""

    @property
    def control(self) -> str:
        """The kind of field in the form: choice, checkbox, number or text."""
        if self.choices:
            return "choice"
        if isinstance(self.default, bool):
            return "checkbox"
        return "text" if self.limits is None else "number"

    def text(self, value: Any) -> str:
        """Return a value as the form shows it."""
        if value is None:
            return self.empty
        return str(getattr(self.choices.get(value), self.shown, value))

    def json(self) -> Json:
        """Return what the form needs to know."""
        choices = [
            {"name": name, "text": self.text(name), "about": getattr(entry, "about", "")}
            for name, entry in self.choices.items()
        ]
        keys = ("label", "about", "group", "control", "limits", "example")
        return {
            **{key: getattr(self, key) for key in keys},
            "choices": choices,
            "empty": "" if self.default else self.empty,
            "style": self.group == STYLE,
        }


def option(default: Any, *row: Any, **more: Any) -> Any:
    """Return a field of a dataclass that is a row of the table; MISSING means no default."""
    entry = Option(None if default is MISSING else default, *row, **more)
    return field(default=default, metadata={"option": entry})


@dataclass(frozen=True, kw_only=True)
class SheetStyle:
    """The appearance of a worksheet."""

    title: str = option("", "Title", "Title", STYLE)
    """Empty means the default of the kind of worksheet."""
    paper: str = option("a4", "Paper size", "Paper size", STYLE, PAPER_SIZES)
    per_page: int | None = option(None, "Per page", "Puzzles on a page", STYLE, limits=(1, 80))
    large_print: bool = option(False, "Large print", "Large cells and text", STYLE)
    high_contrast: bool = option(False, "High contrast", "Black on white, thick lines", STYLE)
    solutions: bool = option(True, "Solutions", "On separate pages at the end", STYLE)

    def __post_init__(self) -> None:
        if _SURROGATES.search(self.title):
            raise NotationError(f"the title contains invalid characters: {self.title!a:.60}")
        if self.paper not in PAPER_SIZES:
            raise unknown_name("paper", self.paper, PAPER_SIZES)
        for entry in fields(self):
            row, value = entry.metadata["option"], getattr(self, entry.name)
            if row.limits and value is not None and not row.limits[0] <= value <= row.limits[1]:
                low, high = row.limits
                limits = f"from {low} to {high}" if high < math.inf else f"of at least {low}"
                raise RulesError(f"{row.label.lower()}: expected a number {limits}, got {value}")


@dataclass(frozen=True, kw_only=True)
class WorksheetOptions(SheetStyle):
    """What a worksheet is made from; None is the default of the kind and the board."""

    kind: str = option(
        "puzzle", "Task", "What the worksheet asks for", "", WORKSHEET_KINDS, "about"
    )
    size: str | None = option(None, "Size", "Width and height")
    tiling: str = option("square", "Board shape", "Board shape", "", TILINGS)
    difficulty: str | None = option(
        None, "Difficulty", "Difficulty of the hardest step", "", DIFFICULTIES, "label", empty="any"
    )
    or_easier: bool = option(False, "Include easier", "Also use easier puzzles")
    count: int = option(1, "Number of puzzles", "How many puzzles", limits=(1, math.inf))
    seed: int = option(MISSING, "Seed", "Random seed")
    address: str | None = option(
        None,
        "Address in the QR code",
        "Print a QR code that opens the worksheet on the page at this address",
        STYLE,
        example="https://example.org/",
    )
    open: str | None = option(
        None, "Revealed cells", "Cells that show their numbers", ADVANCED, OPEN_SETS
    )
    open_cells: str | None = option(
        None,
        "Revealed cells by name",
        "Cells that show their numbers",
        ADVANCED,
        example="r1c1,r1c3",
    )
    method: str | None = option(
        None, "Method", "How the mines are drawn", ADVANCED, DRAWING_METHODS
    )
    mine_density: float | None = option(
        None,
        "Mine density",
        "Mines as a share of the cells that may hold one",
        ADVANCED,
        limits=(0.001, 0.999),
    )
    board: str | None = option(
        None, "Graph as JSON, instead of a size", "Use any graph, as JSON", ADVANCED
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.address is not None and not re.fullmatch(r"https?://[!-~]+", self.address):
            raise NotationError(
                f"expected an address such as https://example.org/, got {self.address!r:.60}"
            )

    @property
    def without_style(self) -> WorksheetOptions:
        """The options that determine the problems, with the default style."""
        defaults = {name: row.default for name, row in OPTIONS.items() if row.group == STYLE}
        return replace(self, **defaults)

    def given(self) -> dict[str, Any]:
        """Return the options that differ from their defaults."""
        values = {name: getattr(self, name) for name in OPTIONS}
        return {name: value for name, value in values.items() if value != OPTIONS[name].default}

    def query(self) -> str:
        """Return the options as the query of a link."""
        texts = {
            name: str(value).lower() if isinstance(value, bool) else value
            for name, value in self.given().items()
        }
        return urlencode(texts, safe=":,[]{}")

    def command(self) -> str:
        """Return the command that makes the worksheet again."""
        words = ["sapper", "worksheet"]
        for name, value in self.given().items():
            flag = name.replace("_", "-")
            if isinstance(value, bool):
                words.append(f"--{flag}" if value else f"--no-{flag}")
            elif name == "size":
                words.append(value)
            else:
                words += [f"--{flag}", "board.json" if name == "board" else str(value)]
        return shlex.join(words)


OPTIONS: dict[str, Option] = {
    entry.name: entry.metadata["option"]
    for group in GROUPS
    for entry in fields(WorksheetOptions)
    if entry.metadata["option"].group == group
}
"""The table, in the order of the form and of the help."""
