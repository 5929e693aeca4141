"""Readings of pictures as JSON."""

from __future__ import annotations

from typing import Any

from sapper.formats.registry import write_text
from sapper.formats.rows import MARKS
from sapper.pictures.reading import Reading

# Several characters are read as one mark; the first is written.
CHARACTERS = {mark: character for character, mark in reversed(MARKS.items())}


def reading_json(reading: Reading) -> dict[str, Any]:
    """Return a reading as JSON: the position as text, and the unsure cells."""
    position, lattice = reading.position, reading.lattice
    return {
        "position": write_text(position).rstrip("\n"),
        "width": lattice.columns,
        "height": lattice.rows,
        "confidence": round(reading.confidence, 4),
        "unsure": [
            {
                "cell": position.board.name(item.cell),
                "read": CHARACTERS[item.read],
                "confidence": round(item.confidence, 4),
                "alternatives": [CHARACTERS[mark] for mark in item.alternatives],
            }
            for item in reading.unsure_cells
        ],
        "notes": list(reading.notes),
        "board": {
            "left": round(lattice.left, 2),
            "top": round(lattice.top, 2),
            "cell_width": round(lattice.width, 3),
            "cell_height": round(lattice.height, 3),
        },
    }
