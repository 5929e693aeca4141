"""The render modes of the environments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sapper.board.position import Position
from sapper.errors import unknown_name
from sapper.render.pixels import scene_pixels
from sapper.render.scene import Scene
from sapper.render.svg import scene_svg
from sapper.render.text import scene_text

RENDER_MODES: dict[str, Callable[[Scene], Any]] = {
    "ansi": lambda scene: scene_text(scene).ansi(),
    "svg": scene_svg,
    "rgb_array": scene_pixels,
}
"""Text with terminal colours, SVG text, and an array (height, width, 3)."""

METADATA: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}


def check_mode(mode: str | None) -> str | None:
    """Return the render mode if it is valid; None stands for no rendering."""
    if mode is not None and mode not in RENDER_MODES:
        raise unknown_name("render mode", mode, RENDER_MODES)
    return mode


def render_position(mode: str, position: Position, exploded: Iterable[int]) -> Any:
    """Render a position with the mines that exploded."""
    cells = sorted(exploded)
    scene = Scene.of(
        position, glyphs=dict.fromkeys(cells, "mine"), colours=dict.fromkeys(cells, "lost")
    )
    return RENDER_MODES[mode](scene)
