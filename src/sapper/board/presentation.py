"""Text and notebook pictures of boards, positions, layouts and rules.

Only this module imports packages above `sapper.board`: the methods that parse, print and draw its
classes call `sapper.formats` and `sapper.render`. Both packages import those classes, so they are
imported here at the first call.
"""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")

# Larger boards are shown by their repr: a picture of 50,000 cells already takes 1 MB.
MAX_NOTEBOOK_CELLS = 50_000


def parse_text(result_type: type[T], text: str) -> T:
    """Read a Board, Position, Layout or Rules from text in any format."""
    from sapper.formats.registry import PARSERS

    result: T = PARSERS[result_type](text)
    return result


def to_text(value: Any) -> str:
    """Write a Board, Position, Layout or Rules as text that `parse_text` reads back."""
    from sapper.formats.registry import WRITERS

    return WRITERS[type(value)](value).rstrip("\n")


def notebook_svg(value: Any) -> str | None:
    """Draw a Board, Position or Layout as SVG; None if it is too large for a notebook."""
    from sapper.render.scene import Scene
    from sapper.render.svg import scene_svg

    scene = Scene.of(value)
    return scene_svg(scene) if len(scene.board) <= MAX_NOTEBOOK_CELLS else None
