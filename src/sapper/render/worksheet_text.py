"""Worksheets as plain text, for screens without pictures and for Braille displays."""

from __future__ import annotations

import textwrap

from sapper.render.text import scene_text
from sapper.render.worksheet_pages import Worksheet, puzzle_scene, rules_text


def worksheet_text(sheet: Worksheet) -> str:
    """The whole sheet as plain text: a covered cell is #, a mine x, a free cell -."""
    rules = (textwrap.fill(rule, 78) for rule in rules_text(sheet))
    parts = [sheet.title, "Name ______________________  Date ____________", "\n".join(rules)]
    for solved in (False, True) if sheet.solutions else (False,):
        if solved:
            parts.append("Solutions (x: mine, -: no mine)")
        for number, entry in enumerate(sheet.items, start=1):
            label = str(number) if solved else f"{number}   ({entry.label})"
            label += f"   {entry.note}" if entry.note and not solved else ""
            parts += [label, scene_text(puzzle_scene(entry, solved)).plain()]
    return "\n\n".join([*parts, "\n".join(sheet.footer)]) + "\n"
